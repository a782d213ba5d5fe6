"""The root of a schema as MCP wants it: an object that says so. Layer 3."""

from __future__ import annotations

from typing import Any

from mypy_plugin.schema_documents import resolved
from mypy_plugin.schema_types import SchemaType, schema_type
from mypy_plugin.shapes import ObjectShape, ReferenceShape, Shape, members_of
from tool_core.errors import ToolConfigurationError
from tool_core.json_schemas import JsonSchema
from tool_core.mcp.schema_parts import ANNOTATIONS, KEYWORDS

_NAMES = frozenset({"$anchor", "$dynamicAnchor", "$id", "id"})
_LIMITS = KEYWORDS - ANNOTATIONS - {"$defs", "$ref", "$schema", "definitions"}


def with_plain_root(schema: dict[str, Any]) -> dict[str, Any]:
    """Write out a root that is only a reference into the schema itself.

    >>> with_plain_root({"$ref": "#/$defs/A", "$defs": {"A": {"type": "object"}}})["type"]
    'object'
    """
    given, seen = schema, set[str]()
    while isinstance(reference := schema.get("$ref"), str) and reference not in seen:
        seen.add(reference)
        found = resolved(schema, reference)
        if (
            found is None
            or not isinstance(found[1], dict)
            or found[1].keys() & _NAMES
            or schema.keys() & _LIMITS
        ):
            break  # what is written out must hold as it did, beside what else holds
        schema = {**found[1], **{key: value for key, value in schema.items() if key != "$ref"}}
    return schema if schema is given or _is_valid(schema) else given


def with_object_type(schema: dict[str, Any]) -> dict[str, Any]:
    """Say at the root that values are objects, where all are; any other schema comes back as it is.

    >>> with_object_type({"anyOf": [{"type": "object"}, {"const": {"a": 1}}]})["type"]
    'object'
    >>> with_object_type({"properties": {"a": {}}})  # takes a string, too
    {'properties': {'a': {}}}
    """
    if schema.get("type") == "object" or not _is_object(schema_type(schema)):
        return schema
    return {"type": "object", **{key: value for key, value in schema.items() if key != "type"}}


def _is_valid(schema: dict[str, Any]) -> bool:
    """Tell whether a definition can stand at the root: some drafts look more closely there."""
    try:
        JsonSchema.of(schema)
    except ToolConfigurationError:
        return False
    return True


def _is_object(found: SchemaType) -> bool:
    pending: list[Shape] = [found.root]
    seen: set[str] = set()
    while pending:
        members = list(members_of(pending.pop()))
        for member in members:
            if isinstance(member, ReferenceShape):
                if member.pointer not in seen:
                    seen.add(member.pointer)
                    pending.append(found.definitions[member.pointer])
            elif not isinstance(member, ObjectShape):
                return False
        if not members:
            return False
    return True
