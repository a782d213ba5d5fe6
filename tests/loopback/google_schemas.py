"""The schemas that Gemini holds a model to (VALIDATED and ANY), and those it only shows to it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tests.loopback.schemas import KINDS, Node, cycles, json_kind, nodes, not_2020_12, target
from tests.loopback.scripts import Json

COMMON = {"type", "title", "description", "$defs"}
ALLOWED = {
    "object": {"properties", "required", "additionalProperties", "propertyOrdering"},
    "array": {"items", "prefixItems", "minItems", "maxItems"},
    "string": {"enum", "format"},
    "number": {"enum", "minimum", "maximum"},
    "integer": {"enum", "minimum", "maximum"},
    "boolean": set[str](),
    "null": set[str](),
}
FORMATS = {"date-time", "date", "time"}
PROPERTY = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}\Z")
MAX_ENUM_VALUES = 90  # measured: 90 identifiers pass, 93 do not


def strict_problems(schema: Json) -> Iterator[str]:
    """List what Gemini refuses, or silently does not enforce, of a schema it should hold the model to."""
    yield from root_problems(schema)
    for node in nodes(schema):
        yield from (f"{'/'.join(node.path) or 'the root'}: {message}" for message in _node(node, schema))
    for reference in cycles(schema, schema, lambda inside, name: name in inside.get("required", [])):
        yield f"the cyclic reference {reference!r} may only be used within non-required properties"
        break


def root_problems(schema: object) -> Iterator[str]:
    """List what Gemini refuses about the root of any function's parameters."""
    if not isinstance(schema, dict) or schema.get("type") != "object":
        yield "the schema of parameters must describe an object"
    elif {"anyOf", "oneOf", "allOf", "$ref"} & schema.keys():
        yield "the schema of parameters must not have a combinator or a reference at the root"


def lenient_problems(schema: Json) -> Iterator[str]:
    """List what Gemini refuses about a schema that it only shows to the model."""
    yield from root_problems(schema)
    if isinstance(schema, dict) and (reason := not_2020_12(schema)):
        yield reason


def _node(node: Node, root: Json) -> Iterator[str]:
    schema = node.schema
    if not isinstance(schema, dict):
        yield "a schema must be an object"
    elif "$ref" in schema:
        if others := sorted(key for key in schema if not key.startswith("$")):
            yield f"if $ref is set, no other properties may be set, found {others[0]!r}"
        if not isinstance(target(root, schema["$ref"]), dict):
            yield f"the reference {schema['$ref']!r} cannot be resolved"
    elif "anyOf" in schema:
        if others := sorted(schema.keys() - {"anyOf", "title", "description", "$defs"}):
            yield f"{others[0]!r} beside anyOf is ignored"
    elif node.kinds:
        yield from _typed(node)
    elif others := sorted(schema.keys() - COMMON):
        yield f"{others[0]!r} without a type is ignored"


def _typed(node: Node) -> Iterator[str]:
    schema, kinds = node.schema, node.kinds
    if unknown := [kind for kind in kinds if kind not in KINDS]:
        yield f"the type {unknown[0]!r} does not exist"
        return
    allowed = COMMON.union(*(ALLOWED[kind] for kind in kinds))
    yield from (f"{key!r} is ignored for {schema['type']!r}" for key in sorted(schema.keys() - allowed))
    if "object" in kinds:
        yield from _object(schema)
    if "format" in schema and schema["format"] not in FORMATS:
        yield f"the format {schema['format']!r} is ignored"
    values = schema.get("enum", [])
    if any(json_kind(value) not in ("string", "integer", "number", "null") for value in values):
        yield "enum is for strings and numbers"
    if len(values) > MAX_ENUM_VALUES:
        yield "the specified schema produces a constraint that has too many states for serving"


def _object(schema: Json) -> Iterator[str]:
    properties = schema.get("properties", {})
    for name in properties:
        if not PROPERTY.match(name):
            yield f"the parameter name {name!r} is invalid"
    for name in schema.get("required", []):
        if name not in properties:
            yield f"the required property {name!r} is not defined"
    ordering = schema.get("propertyOrdering")
    if ordering is not None and sorted(ordering) != sorted(properties):
        yield "propertyOrdering must list the properties"
