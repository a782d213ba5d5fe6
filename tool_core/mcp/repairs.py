"""Schemas as real servers write them, made usable; every liberty taken is noted. Layer 3.

The protocol reads a schema as draft 2020-12 unless it says otherwise. Servers write it by hand or
with older libraries, so mistakes with one likely meaning are mended (`mends`), and what an older
draft says differently is read as that draft, where this loses nothing, or else said anew. Nothing
is mended in a schema that is valid as it stands.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from tool_core.errors import ToolConfigurationError
from tool_core.json_schemas import JsonSchema, not_json
from tool_core.mcp.mends import TYPE_NAMES, mend, with_plain_bounds, with_prefix_items
from tool_core.mcp.object_roots import with_object_type
from tool_core.mcp.schema_parts import ANNOTATIONS, KEYWORDS, schema_parts

Mended: TypeAlias = tuple[dict[str, Any], list[str]]

_OLDER_DRAFTS = {
    "draft-07": "http://json-schema.org/draft-07/schema#",
    "draft-04": "http://json-schema.org/draft-04/schema#",
}
_LATEST = "https://json-schema.org/draft/2020-12/schema"

_SINCE_2020 = frozenset({"$dynamicAnchor", "$dynamicRef", "prefixItems"})
_SINCE_2019 = _SINCE_2020 | {
    "$anchor", "dependentRequired", "dependentSchemas", "maxContains", "minContains", "unevaluatedItems",
    "unevaluatedProperties",
}  # fmt: skip
_SINCE_7 = _SINCE_2019 | {"else", "if", "then"}
_UNKNOWN_TO = {
    "2019-09": _SINCE_2020,
    "draft-07": _SINCE_2019,
    "draft-06": _SINCE_7,
    "draft-04": _SINCE_7 | {"$id", "const", "contains", "propertyNames"},
}
"""The keywords that bear meaning, but not in an older draft."""

_BESIDE_REFERENCE = ANNOTATIONS | {"$defs", "$ref", "$schema", "definitions"}
"""What may stand beside a `$ref` in the drafts that ignore it there, and loses nothing."""


def input_object(schema: object) -> Mended:
    """Make the schema of a tool's arguments usable: they are an object, whatever the server forgot.

    >>> input_object({"properties": {"q": {"type": "string"}}})[1]
    ['inputSchema has no type at its root: read as an object']
    """
    if schema is None or schema is True or schema in ({}, []):
        return {"type": "object"}, ["inputSchema says nothing: read as any object"]
    mended, notes = _mended(schema, "inputSchema")
    return mended, [*notes, *(f"inputSchema {remark}" for remark in _remarks(mended))]


def output_value(schema: object) -> Mended:
    """Make the schema of a tool's results usable.

    >>> output_value({"type": "object", "properties": {"n": {"type": "int"}}})[0]["properties"]
    {'n': {'type': 'integer'}}
    """
    mended, notes = _mended(schema, "outputSchema")
    rooted = with_object_type(mended)
    said = "outputSchema has no plain type at its root, but takes objects only: says so now"
    return (mended, notes) if rooted is mended else (rooted, [*notes, said])


def _mended(schema: object, role: str) -> Mended:
    if not isinstance(schema, Mapping):
        raise ToolConfigurationError(None, f"{role} is not a JSON Schema but {type(schema).__name__}")
    given = _copied(schema)
    notes: list[str] = []
    if role == "inputSchema":
        notes += _object_root(given)
    fault = _fault(given)
    if fault is None:
        return given, notes
    for repaired, remarks in _repairs(given):
        if _fault(repaired) is None:
            return repaired, [*notes, *(f"{role} {remark}" for remark in remarks)]
    raise ToolConfigurationError(None, f"{role} is an {fault}" if fault.startswith("invalid") else fault)


def _copied(schema: Mapping[Any, object]) -> dict[str, Any]:
    try:
        copied: dict[str, Any] = json.loads(json.dumps(schema, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise not_json(error) from None
    return copied


def _object_root(schema: dict[str, Any]) -> list[str]:
    said = schema.get("type")
    if said == "object":
        return []
    if said is None:
        schema["type"] = "object"
        return ["inputSchema has no type at its root: read as an object"]
    meant = [TYPE_NAMES.get(str(item).lower()) for item in (said if isinstance(said, list) else [said])]
    if "object" not in meant:
        raise ToolConfigurationError(None, f"inputSchema describes {said!r}, but arguments are an object")
    if isinstance(said, str):
        return []
    schema["type"] = "object"
    return ["inputSchema allows more than an object at its root: read as an object"]


def _fault(schema: dict[str, Any]) -> str | None:
    try:
        JsonSchema.of(schema)
    except ToolConfigurationError as error:
        return error.description
    return None


def _repairs(schema: dict[str, Any]) -> Iterator[Mended]:
    """Offer the schema mended, then in older drafts, then with what those say differently said anew."""
    remarks = mend(schema)
    for say_anew in (_as_it_is, with_plain_bounds):
        remarks += say_anew(schema)
        yield schema, remarks
        for draft, uri in _OLDER_DRAFTS.items():
            if not list(_unheeded(schema, draft)):
                yield {**schema, "$schema": uri}, [*remarks, f"holds only as {draft}: read as that"]
    remarks += with_prefix_items(schema)
    yield {**schema, "$schema": _LATEST}, [*remarks, "holds only as draft 2020-12: read as that"]


def _as_it_is(_schema: dict[str, Any]) -> list[str]:
    return []


def _unheeded(schema: dict[str, Any], draft: str) -> Iterator[str]:
    """Say what a draft makes nothing of, though it bears meaning in a later one."""
    found: dict[str, None] = {}
    for part in schema_parts(schema):
        found |= dict.fromkeys(sorted(part.keys() & _UNKNOWN_TO[draft]))
        if "$ref" in part and draft != "2019-09":
            found |= dict.fromkeys(
                f"{key} beside $ref" for key in sorted(part.keys() & KEYWORDS - _BESIDE_REFERENCE)
            )
    yield from (f"has {keyword}, of which {draft} makes nothing" for keyword in found)


def _remarks(schema: dict[str, Any]) -> Iterator[str]:
    """Say what is odd but valid: it is kept as it is."""
    if "properties" not in schema:
        yield "names no properties"
    if isinstance(draft := schema.get("$schema"), str) and "2020-12" not in draft:
        name = draft.removesuffix("#").removesuffix("/schema").rpartition("/")[2]
        yield f"is written for {name}"
        yield from _unheeded(schema, name) if name in _UNKNOWN_TO else ()
    unknown: dict[str, None] = {}
    for part in schema_parts(schema):
        unknown |= dict.fromkeys(sorted(part.keys() - KEYWORDS))
        required, properties = part.get("required"), part.get("properties", {})
        if isinstance(required, list) and isinstance(properties, dict):
            for name in [item for item in required if item not in properties]:
                yield f"requires {name!r}, which it does not describe"
    for keyword in unknown:
        yield f"has the unknown keyword {keyword!r}"
