"""The schemas that Anthropic takes: strict tools and output formats, and lenient tools."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tests.loopback.schemas import KINDS, Node, cycles, json_kind, looks_around, nodes, not_2020_12, target
from tests.loopback.scripts import Json

COMMON = {
    "type",
    "title",
    "description",
    "default",
    "enum",
    "const",
    "examples",
    "$schema",
    "$defs",
    "definitions",
}
ALLOWED = {
    "object": {"properties", "required", "additionalProperties"},
    "array": {"items", "minItems"},
    "string": {"pattern", "format"},
    "number": set[str](),
    "integer": set[str](),
    "boolean": set[str](),
    "null": set[str](),
}
FORMATS = {"date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"}
PROPERTY = re.compile(r"[a-zA-Z0-9_.-]{1,64}\Z")
MAX_TOOLS, MAX_OPTIONAL, MAX_UNIONS = 20, 24, 16


def strict_problems(schema: Json, *, is_tool: bool) -> Iterator[str]:
    """List what Anthropic refuses about a strict schema."""
    yield from root_problems(schema) if is_tool else _output_root(schema)
    for node in nodes(schema):
        yield from _node(node, schema)
    for reference in cycles(schema, schema, lambda _node, _name: True):
        name = reference.rpartition("/")[2]
        yield (
            f"Circular reference detected in schema definitions: {name} -> {name}. Self-referencing or "
            "mutually-referencing definitions are not supported."
        )
        break


def root_problems(schema: Json) -> Iterator[str]:
    """List what Anthropic refuses about the root of any tool, strict or not."""
    if "type" not in schema:
        yield "input_schema.type: Field required"
    elif schema["type"] != "object":
        yield "input_schema.type: Input should be 'object'"
    if {"oneOf", "allOf", "anyOf"} & schema.keys():
        yield "input_schema does not support oneOf, allOf, or anyOf at the top level"
    for name in schema.get("properties", {}):
        if not PROPERTY.match(name):
            yield f"input_schema.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{{1,64}}$', not {name!r}"


def lenient_problems(schema: Json) -> Iterator[str]:
    """List what Anthropic refuses about a tool that is not strict."""
    yield from root_problems(schema)
    if reason := not_2020_12(schema):
        yield f"input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12. ({reason})"


def _output_root(schema: Json) -> Iterator[str]:
    if schema.get("type") != "object":
        yield "output_config.format.schema: the root must be an object"


def _node(node: Node, root: Json) -> Iterator[str]:
    schema = node.schema
    if not isinstance(schema, dict):
        yield f"Schema must be an object, not {schema!r}"
        return
    if {"$defs", "definitions"} & schema.keys() and not node.is_root:
        yield "Reference to non-existent definition: definitions must stand at the root"
    for keyword in ("oneOf", "allOf"):
        if keyword in schema:
            yield f"Schema type {keyword!r} is not supported"
    if "not" in schema:
        yield "Schema keyword 'not' is not supported"
    if "$ref" in schema:
        if others := sorted(schema.keys() - {"$ref", "title", "description", "default"}):
            yield f"For '$ref', {', '.join(others)} is not supported"
        if not isinstance(target(root, schema["$ref"]), dict):
            yield f"Reference to non-existent definition: {schema['$ref']}"
    elif "anyOf" in schema:
        allowed = {"anyOf", "title", "description", "default", "enum", "const", "$defs", "definitions"}
        if others := sorted(schema.keys() - allowed):
            yield f"For 'anyOf', '{', '.join(others)}' is not supported"
    elif not node.kinds and not {"enum", "const"} & schema.keys():
        yield "Empty schema ({}) that accepts any JSON value is not supported"
    else:
        yield from _typed(node)


def _typed(node: Node) -> Iterator[str]:
    schema, kinds = node.schema, node.kinds
    if unknown := [kind for kind in kinds if kind not in KINDS]:
        yield f"Schema type {unknown[0]!r} is not supported"
        return
    allowed = COMMON.union(*(ALLOWED[kind] for kind in kinds))
    if others := sorted(schema.keys() - allowed):
        many = "properties" if len(others) > 1 else "property"
        verb = "are" if len(others) > 1 else "is"
        yield f"For '{', '.join(kinds)}' type, {many} {', '.join(others)} {verb} not supported"
    if "object" in kinds:
        yield from _object(schema)
    if "array" in kinds:
        if not isinstance(schema.get("items"), dict):
            yield "Array types must be specified with a single object schema for 'items'"
        if schema.get("minItems", 0) not in (0, 1):
            yield "For 'array' type, 'minItems' values other than 0 or 1 are not supported"
    if "format" in schema and schema["format"] not in FORMATS:
        yield f"String format {schema['format']!r} is not supported"
    if looks_around(pattern := str(schema.get("pattern", ""))) or re.search(r"\\[bB1-9]", pattern):
        yield f"Pattern {pattern!r} is not supported"
    if any(json_kind(value) in ("object", "array") for value in schema.get("enum", [])):
        yield "Enum values must be strings, numbers, booleans or null"


def _object(schema: Json) -> Iterator[str]:
    if schema.get("additionalProperties") is not False:
        yield "For 'object' type, 'additionalProperties' must be explicitly set to false"
    properties = schema.get("properties", {})
    for name in properties:
        if not PROPERTY.match(name):
            yield f"Property keys should match pattern '^[a-zA-Z0-9_.-]{{1,64}}$', not {name!r}"
    for name in schema.get("required", []):
        if name not in properties:
            yield f"Required property {name!r} is not defined"


def optionals(schema: Json) -> int:
    """Count the parameters that are not required."""
    every = [node.schema for node in nodes(schema) if isinstance(node.schema, dict)]
    return sum(name not in node.get("required", []) for node in every for name in node.get("properties", {}))


def unions(schema: Json) -> int:
    """Count the parameters with union types."""
    every = [node.schema for node in nodes(schema) if isinstance(node.schema, dict)]
    return sum("anyOf" in node or isinstance(node.get("type"), list) for node in every)
