"""Why no dialect could hold a schema strictly: the pure check. Imports neither mypy nor tool_core."""

from __future__ import annotations

from collections.abc import Mapping

from mypy_plugin.schema_types import SchemaType, schema_type
from mypy_plugin.shapes import ObjectShape, ReferenceShape, Shape, UnionShape


def strict_problem(schema: object) -> str | None:
    """Say why a schema can be strict nowhere, or nothing where some dialect might hold it.

    >>> strict_problem({"type": "object", "properties": {"a": {"enum": []}}, "required": ["a"]})
    'no value satisfies the schema'
    >>> strict_problem({"$ref": "https://example.com/schema.json"})
    "the reference 'https://example.com/schema.json' is not local"
    """
    for reference in _references(schema):
        if not reference.startswith("#"):
            return f"the reference {reference!r} is not local"
    found = schema_type(schema)
    return "no value satisfies the schema" if _is_empty(found.root, found, frozenset()) else None


def _references(schema: object) -> list[str]:
    """List the references of the parts that surely are schemas: those on the way to a property or item."""
    if not isinstance(schema, Mapping):
        return []
    own = schema.get("$ref")
    properties = schema.get("properties")
    inner = [*properties.values()] if isinstance(properties, Mapping) else []
    inner += [schema.get("items"), schema.get("additionalProperties")]
    nested = [reference for part in inner for reference in _references(part)]
    return [own, *nested] if isinstance(own, str) else nested


def _is_empty(shape: Shape, found: SchemaType, inside: frozenset[str]) -> bool:
    match shape:
        case UnionShape():
            return all(_is_empty(member, found, inside) for member in shape.members)
        case ObjectShape():
            return any(field.is_required and _is_empty(field.shape, found, inside) for field in shape.fields)
        case ReferenceShape() if shape.pointer not in inside:
            return _is_empty(found.definitions[shape.pointer], found, inside | {shape.pointer})
    return False
