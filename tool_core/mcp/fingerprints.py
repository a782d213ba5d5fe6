"""Fingerprints: what a tool promises, in one canonical form, and its hash. Layer 3.

What counts is what the model or a person who approves is told, and what is accepted: the name, the
title, the description, both schemas with every word in them, and the four hints. What does not
count: `_meta`, `execution`, icons and other fields for clients; whether a default hint is written
out; the order of keys and of tools; order and repetition in `required`, `enum` and lists of types;
`1.0` for `1`; a `$schema` that names the draft which is meant anyway. Whitespace in texts does
count, for the model reads it.
"""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias, cast

from tool_core.errors import ToolConfigurationError
from tool_core.json_text import canonical_json, with_whole_numbers
from tool_core.mcp.definitions import HINTS, from_mcp_tool, to_mcp_tool
from tool_core.mcp.schema_parts import references_in, schema_parts, steps_of
from tool_core.provider_tools import ProviderTool
from tool_core.toolkits import Toolkit
from tool_core.tools import AnyTool, Tool

Definition: TypeAlias = "dict[str, object]"

_VERSION = "v1"
"""Part of every fingerprint, so that another canonical form can never pass for this one."""

_SETS = ("required", "enum", "type")


def fingerprint(tools: object) -> str:
    """Hash a tool, or a set of tools, so that two that promise the same have the same fingerprint.

    Takes a tool, a toolkit, a bound toolkit, an entry of `tools/list` (a dict or an object of the
    `mcp` package), a list of any of these, or a whole `tools/list` result. The same everywhere:
    in every process, on every version of Python, on the server's side and on the client's.

    >>> entry = {"name": "search", "inputSchema": {"type": "object", "required": ["a", "b"]}}
    >>> same = {"inputSchema": {"required": ["b", "a"], "type": "object"}, "name": "search", "_meta": {}}
    >>> fingerprint(entry) == fingerprint(same)
    True
    >>> fingerprint(entry)[:18]
    'v1:sha256:68c7898c'
    """
    if is_single(tools):
        return _hashed(definition_of(tools))
    return _hashed({name: _hashed(item) for name, item in definitions_of(tools).items()})


def definitions_of(source: object) -> dict[str, Definition]:
    """List what tools promise, by name; two tools of one name are an error.

    >>> list(definitions_of([{"name": "b"}, {"name": "a"}]))
    ['a', 'b']
    """
    found: dict[str, Definition] = {}
    for item in listed_tools(source):
        definition = definition_of(item)
        name = cast(str, definition["name"])
        if name in found:
            raise ToolConfigurationError(name, "two tools have this name")
        found[name] = definition
    return {name: found[name] for name in sorted(found)}


def definition_of(item: object) -> Definition:
    """Write what one tool promises in the canonical form.

    >>> definition_of({"name": "now", "description": "The time"})["inputSchema"]
    {'type': 'object'}
    """
    if isinstance(item, ProviderTool) and not item.requires_handler:
        return _provider_definition(item)
    tool = cast(AnyTool, item) if isinstance(item, Tool) else from_mcp_tool(item)
    entry = to_mcp_tool(tool)
    said = cast("Mapping[str, object]", entry["annotations"])
    definition = {
        "name": entry["name"],
        "title": entry.get("title"),
        "description": entry.get("description"),
        "inputSchema": _canonical_schema(entry["inputSchema"]),
        "outputSchema": _canonical_schema(entry.get("outputSchema")),
        "annotations": {hint: said[hint] for hint in HINTS},
    }
    return {key: value for key, value in definition.items() if value is not None}


def is_single(source: object) -> bool:
    """Tell one tool or one definition from a collection of them."""
    if isinstance(source, Mapping):
        return "name" in source or not source.keys() & {"tools", "result"}
    return isinstance(source, Tool) or (hasattr(source, "model_dump") and not hasattr(source, "tools"))


def listed_tools(source: object) -> Iterable[object]:
    """Find the tools in a toolkit, in a bound one, in a `tools/list` result, or in a plain list.

    >>> list(listed_tools({"tools": [{"name": "search"}]})), list(listed_tools({"name": "search"}))
    ([{'name': 'search'}], [{'name': 'search'}])
    """
    if is_single(source):
        return [source]
    for key in ("result", "tools"):
        source = source.get(key, source) if isinstance(source, Mapping) else source
    if isinstance(kit := getattr(source, "toolkit", source), Toolkit):
        return kit
    if hasattr(source, "model_dump"):
        return cast("Iterable[object]", source.tools)  # type: ignore[attr-defined]  # pyright: ignore
    if isinstance(source, Iterable) and not isinstance(source, str | bytes | Mapping):
        return source
    raise ToolConfigurationError(
        None, f"expected tools, a toolkit or tools/list entries, not {type(source).__name__}"
    )


def _provider_definition(tool: ProviderTool) -> Definition:
    """A tool that its provider runs promises what the provider does with these arguments."""
    return {"name": tool.name, "id": tool.id, "args": with_whole_numbers(tool.args)}


def _canonical_schema(schema: object) -> dict[str, Any] | None:
    if schema is None:
        return None
    copied: dict[str, Any] = copy.deepcopy(cast("dict[str, Any]", with_whole_numbers(schema)))
    if "/draft/2020-12/" in str(copied.get("$schema")):
        del copied["$schema"]
    parts = list(schema_parts(copied))
    read = {step for part in parts for target in references_in(part) for step in steps_of(target)}
    for part in parts:
        for keyword in _SETS:
            if isinstance(part.get(keyword), list) and keyword not in read:
                part[keyword] = _as_set(part[keyword])
        if isinstance(part.get("type"), list) and len(part["type"]) == 1:
            part["type"] = part["type"][0]
    return copied


def _as_set(values: list[object]) -> list[object]:
    by_text = {canonical_json(value): value for value in values}
    return [by_text[text] for text in sorted(by_text)]


def _hashed(value: object) -> str:
    text = canonical_json(value).encode("utf-8", "surrogatepass")
    return f"{_VERSION}:sha256:{hashlib.sha256(text).hexdigest()}"
