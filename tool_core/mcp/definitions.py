"""Tool definitions as MCP lists them, to tools and back. Layer 3: needs no SDK and no network."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal, Never, TypeAlias, TypeVar, cast

from tool_core.annotations import (
    Annotation,
    Annotations,
    Destructive,
    Idempotent,
    Meta,
    OpenWorld,
    Readonly,
    Title,
)
from tool_core.dynamic_tools import DynamicTool
from tool_core.errors import ToolConfigurationError
from tool_core.json_schemas import JsonSchema
from tool_core.mcp.arguments import input_schema
from tool_core.mcp.contents import CONTENT, Content
from tool_core.mcp.object_roots import with_object_type, with_plain_root
from tool_core.mcp.repairs import input_object, output_value
from tool_core.names import check_tool_name
from tool_core.problems import non_json_problems
from tool_core.queries import get_description
from tool_core.schemas import Schema
from tool_core.tools import AnyTool, Tool

T = TypeVar("T")

McpTool: TypeAlias = DynamicTool[object, object, Content, Literal["return"], Never, str]
"""A tool of a server: parameters and results as JSON, failures as content that the model sees."""

Notes: Annotation[tuple[str, ...], tuple[str, ...]] = Annotation("tool_core/Notes", tuple[str, ...], ())
"""What was odd in a server's definition, and how it was read."""

Unread: Annotation[Mapping[str, object]] = Annotation("tool_core/Unread", Mapping[str, object])
"""The fields of a server's definition that have no meaning here; they are sent on as they came."""

HINTS: Mapping[str, Annotation[bool, bool]] = {
    "readOnlyHint": Readonly,
    "destructiveHint": Destructive,
    "idempotentHint": Idempotent,
    "openWorldHint": OpenWorld,
}
_READ = frozenset(["name", "title", "description", "inputSchema", "outputSchema", "annotations", "_meta"])
_READ_APART = frozenset(["name", "title", "description", "inputSchema", "outputSchema"])
_ILLEGAL = re.compile(r"[^A-Za-z0-9_.-]")


def from_mcp_tool(definition: object, *, prefix: str | None = None, server: str | None = None) -> McpTool:
    """Make a tool of a definition that a server lists: a dict, or an object of the `mcp` package.

    Sloppy definitions are accepted, and `tool.annotations.get(Notes)` says how they were read;
    one that cannot be used is refused. `prefix` is put before the name; `server` is for errors.

    >>> tool = from_mcp_tool({"name": "search", "inputSchema": {"properties": {"q": {"type": "string"}}}})
    >>> tool.json_schema
    {'properties': {'q': {'type': 'string'}}, 'type': 'object'}
    >>> tool.annotations.get(Notes)
    ('inputSchema has no type at its root: read as an object',)
    """
    if not isinstance(prefix, str | None):
        raise ToolConfigurationError(None, f"a prefix is a string, not {type(prefix).__name__}")
    notes: list[str] = []
    fields = _json_fields(_fields_of(definition, server), notes)
    name = cast(str, fields["name"])
    try:
        legal = check_tool_name(_legal(name, prefix or "", notes))
        parameters, remarks = input_object(fields.get("inputSchema"))
    except ToolConfigurationError as error:
        raise _unusable(name, server, error.description) from None
    notes += remarks
    tool: object = Tool.dynamic(
        legal,
        description=_of_type(fields, "description", str, notes),
        parameters=parameters,
        success=_success(fields, notes),
        failure=CONTENT,
        failure_mode="return",
    )
    annotations = _annotations(fields, notes)
    noted = annotations.set(Notes, tuple(notes)) if notes else annotations
    return cast("McpTool", tool).annotate_merge(noted)


def to_mcp_tool(tool: AnyTool) -> dict[str, object]:
    """Write a tool as an entry of `tools/list`.

    >>> entry = to_mcp_tool(Tool.make("Now", description="The time", success=float))
    >>> entry["inputSchema"], entry["annotations"]["destructiveHint"], "outputSchema" in entry
    ({'type': 'object', 'properties': {}, 'additionalProperties': False}, True, False)
    """
    if not isinstance(tool, Tool):
        raise ToolConfigurationError(None, f"to_mcp_tool takes a tool, not {type(tool).__name__}")
    if not tool.requires_handler:
        raise ToolConfigurationError(tool.name, "its provider runs it, so no server can offer it")
    annotations = tool.annotations
    title, meta = annotations.get(Title), annotations.get(Meta)
    unread = _copy(annotations.get(Unread)) or {}
    hints = {hint: annotations.get(key) for hint, key in HINTS.items()}
    entry: dict[str, object] = {
        "name": tool.name,
        "title": title,
        "description": get_description(tool),
        "inputSchema": input_schema(tool),
        "outputSchema": _output_schema(tool),
        "annotations": {
            **({} if title is None else {"title": title}),
            **hints,
            **cast("dict[str, object]", unread.pop("annotations", {})),
        },
        **unread,
        "_meta": _copy(meta),
    }
    return {key: value for key, value in entry.items() if value is not None}


def _fields_of(definition: object, server: str | None = None) -> Mapping[str, object]:
    dump: Any = getattr(definition, "model_dump", None)
    fields: object = definition
    if callable(dump) and not isinstance(definition, type):
        fields = dump(by_alias=True, exclude_none=True, mode="json")
    if not isinstance(fields, Mapping):
        raise _unusable(None, server, f"a definition is an object, not {type(definition).__name__}")
    if not isinstance(fields.get("name"), str) or not fields["name"]:
        raise _unusable(None, server, "the definition has no name")
    return fields


def _json_fields(fields: Mapping[str, object], notes: list[str]) -> dict[str, object]:
    """Copy what is kept as it came, if it is JSON; schemas and texts are looked at on their own."""
    found: dict[str, object] = {}
    for key, value in fields.items():
        try:
            found[key] = value if key in _READ_APART else _copied_json(key, value)
        except (TypeError, ValueError, RecursionError):
            notes.append(f"{key!s} is not JSON: left out")
    return found


def _copied_json(key: str, value: object) -> object:
    copied: object = json.loads(json.dumps(value, allow_nan=False))
    if non_json_problems({key: copied}):
        raise ValueError
    return copied


def _unusable(name: str | None, server: str | None, reason: str) -> ToolConfigurationError:
    sender = "the server" if server is None else f"server {server!r}"
    return ToolConfigurationError(name, f"{sender} sent an unusable definition: {reason}")


def _legal(name: str, prefix: str, notes: list[str]) -> str:
    legal = _ILLEGAL.sub("_", name)
    if legal != name:
        notes.append(f"the name {name!r} has characters that no tool name may have: read as {legal!r}")
    return prefix + legal


def _of_type(fields: Mapping[str, object], key: str, kind: type[T], notes: list[str]) -> T | None:
    value = fields.get(key)
    if isinstance(value, str) and non_json_problems(value):
        notes.append(f"{key} holds lone surrogates: replaced")
        value = value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if value is None or (isinstance(value, kind) and not (kind is not bool and isinstance(value, bool))):
        return value
    notes.append(f"{key} is {type(value).__name__} where {kind.__name__} is expected: left out")
    return None


def _success(fields: Mapping[str, object], notes: list[str]) -> Schema[object]:
    if fields.get("outputSchema") is None:
        return CONTENT
    try:
        schema, remarks = output_value(fields["outputSchema"])
    except ToolConfigurationError as error:
        notes.append(f"{error.description}: results are not checked against it")
        return CONTENT
    notes += remarks
    return JsonSchema.of(schema)


def _annotations(fields: Mapping[str, object], notes: list[str]) -> Annotations:
    """Keep what the server says beside the schemas; a hint that says the default says nothing."""
    given: Mapping[str, object] = _of_type(fields, "annotations", dict, notes) or {}
    found = Annotations()
    titles = [_of_type(source, "title", str, notes) for source in (fields, given)]
    if title := next((item for item in titles if item), None):
        found = found.set(Title, title)
    if (meta := _of_type(fields, "_meta", dict, notes)) is not None:
        found = found.set(Meta, meta)
    for hint, key in HINTS.items():
        said = _of_type(given, hint, bool, notes)
        if said is not None and said != key.default:
            found = found.set(key, said)
    unread = dict(_unread(fields, given, title))
    return found.set(Unread, unread) if unread else found


def _unread(
    fields: Mapping[str, object], given: Mapping[str, object], title: str | None
) -> Iterator[tuple[str, object]]:
    yield from ((key, value) for key, value in fields.items() if key not in _READ and value is not None)
    known = HINTS.keys() | ({"title"} if given.get("title") == title else set())
    strange = {key: value for key, value in given.items() if key not in known}
    if strange:
        yield "annotations", strange


def _copy(mapping: Mapping[str, object] | None) -> dict[str, object] | None:
    return None if mapping is None else copy.deepcopy(dict(mapping))


def _output_schema(tool: AnyTool) -> dict[str, object] | None:
    """Announce objects; what a server announces is kept whatever it is, for it is part of its promise."""
    success = tool.success_schema
    if success == CONTENT:
        return None
    said = dict(success.json_schema())
    schema = with_object_type(with_plain_root(said))
    if schema.get("type") == "object":
        return schema
    return said if isinstance(success, JsonSchema) and tool.failure_schema == CONTENT else None
