"""Schemas as real servers write them, made usable; every liberty taken is noted. Layer 3.

The protocol reads a schema as draft 2020-12 unless it says otherwise. Servers write it by hand or
with older libraries, so what does not hold in that draft is tried in the older ones, and mistakes
with one likely meaning are mended. Nothing is mended in a schema that is valid as it stands.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from tool_core.errors import ToolConfigurationError
from tool_core.json_schemas import JsonSchema
from tool_core.strict.lenient import subschemas

Mended: TypeAlias = tuple[dict[str, Any], list[str]]

_OLDER_DRAFTS = {
    "draft-07": "http://json-schema.org/draft-07/schema#",
    "draft-04": "http://json-schema.org/draft-04/schema#",
}
_TYPE_NAMES = {
    "bool": "boolean", "boolean": "boolean", "int": "integer", "integer": "integer", "long": "integer",
    "float": "number", "double": "number", "number": "number", "str": "string", "string": "string",
    "list": "array", "array": "array", "dict": "object", "map": "object", "object": "object",
    "none": "null", "null": "null",
}  # fmt: skip
_KEYWORDS = frozenset([
    "$anchor", "$comment", "$defs", "$dynamicAnchor", "$dynamicRef", "$id", "$ref", "$schema",
    "$vocabulary", "additionalItems", "additionalProperties", "allOf", "anyOf", "const", "contains",
    "contentEncoding", "contentMediaType", "contentSchema", "default", "definitions", "dependencies",
    "dependentRequired", "dependentSchemas", "deprecated", "description", "else", "enum", "examples",
    "exclusiveMaximum", "exclusiveMinimum", "format", "if", "items", "maxContains", "maxItems", "maxLength",
    "maxProperties", "maximum", "minContains", "minItems", "minLength", "minProperties", "minimum",
    "multipleOf", "not", "oneOf", "pattern", "patternProperties", "prefixItems", "properties",
    "propertyNames", "readOnly", "required", "then", "title", "type", "unevaluatedItems",
    "unevaluatedProperties", "uniqueItems", "writeOnly",
])  # fmt: skip


def input_object(schema: object) -> Mended:
    """Make the schema of a tool's arguments usable: they are an object, whatever the server forgot.

    >>> input_object({"properties": {"q": {"type": "string"}}})[1]
    ['inputSchema has no type at its root: read as an object']
    """
    if schema is None or schema is True or schema == {}:
        return {"type": "object"}, ["inputSchema says nothing: read as any object"]
    mended, notes = _mended(schema, "inputSchema")
    return mended, [*notes, *(f"inputSchema {remark}" for remark in _remarks(mended))]


def output_value(schema: object) -> Mended:
    """Make the schema of a tool's results usable.

    >>> output_value({"type": "object", "properties": {"n": {"type": "int"}}})[0]["properties"]
    {'n': {'type': 'integer'}}
    """
    return _mended(schema, "outputSchema")


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
    raise ToolConfigurationError(None, f"{role} is an {fault}")


def _copied(schema: Mapping[Any, object]) -> dict[str, Any]:
    try:
        copied: dict[str, Any] = json.loads(json.dumps(schema, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise ToolConfigurationError(None, f"a JSON Schema must be JSON: {error}") from None
    return copied


def _object_root(schema: dict[str, Any]) -> list[str]:
    said = schema.get("type")
    if said == "object":
        return []
    if said is None:
        schema["type"] = "object"
        return ["inputSchema has no type at its root: read as an object"]
    if isinstance(said, list) and "object" in said:
        schema["type"] = "object"
        return ["inputSchema allows more than an object at its root: read as an object"]
    if _TYPE_NAMES.get(str(said).lower()) == "object":
        return []
    raise ToolConfigurationError(None, f"inputSchema describes {said!r}, but arguments are an object")


def _fault(schema: dict[str, Any]) -> str | None:
    try:
        JsonSchema.of(schema)
    except ToolConfigurationError as error:
        return error.description
    return None


def _repairs(schema: dict[str, Any]) -> Iterator[Mended]:
    """Offer the schema in older drafts, then mended, then mended in older drafts."""
    yield from _in_older_drafts(schema, [])
    mended = _copied(schema)
    remarks = [remark for repair in (_spell_types, _drop_nulls, _drop_patterns) for remark in repair(mended)]
    yield mended, remarks
    yield from _in_older_drafts(mended, remarks)


def _in_older_drafts(schema: dict[str, Any], remarks: list[str]) -> Iterator[Mended]:
    for draft, uri in _OLDER_DRAFTS.items():
        if schema.get("$schema") is None or draft == "draft-04":
            yield {**schema, "$schema": uri}, [*remarks, f"holds only as {draft}: read as that"]


def _spell_types(schema: dict[str, Any]) -> Iterator[str]:
    for part in subschemas(schema):
        said = part.get("type")
        if isinstance(said, str) and said not in _TYPE_NAMES.values():
            meant = _TYPE_NAMES.get(said.lower())
            if meant is None:
                del part["type"]
                yield f"has the unknown type {said!r}: read as any value"
            else:
                part["type"] = meant
                yield f"has the type {said!r}: read as {meant!r}"


def _drop_nulls(schema: dict[str, Any]) -> Iterator[str]:
    for part in subschemas(schema):
        for keyword in [key for key, value in part.items() if value is None]:
            if keyword in _KEYWORDS - {"const", "default", "examples"}:
                del part[keyword]
                yield f"has {keyword}: null, which is left out"


def _drop_patterns(schema: dict[str, Any]) -> Iterator[str]:
    compiles: Callable[[object], bool] = lambda pattern: _fault({"pattern": pattern}) is None  # noqa: E731
    for part in subschemas(schema):
        if "pattern" in part and not compiles(part["pattern"]):
            yield f"has the pattern {part.pop('pattern')!r}, which only the server can check"


def _remarks(schema: dict[str, Any]) -> Iterator[str]:
    """Say what is odd but valid: it is kept as it is."""
    if "properties" not in schema:
        yield "names no properties"
    if isinstance(draft := schema.get("$schema"), str) and "2020-12" not in draft:
        yield f"is written for {draft.removesuffix('#').removesuffix('/schema').rpartition('/')[2]}"
    unknown: dict[str, None] = {}
    for part in subschemas(schema):
        unknown |= dict.fromkeys(sorted(part.keys() - _KEYWORDS))
        required, properties = part.get("required"), part.get("properties", {})
        if isinstance(required, list) and isinstance(properties, dict):
            for name in [item for item in required if item not in properties]:
                yield f"requires {name!r}, which it does not describe"
    for keyword in unknown:
        yield f"has the unknown keyword {keyword!r}"
