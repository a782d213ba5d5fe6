"""The schemas that OpenAI takes: strict functions and output formats, and lenient functions."""

from __future__ import annotations

from collections.abc import Iterator

from tests.loopback.schemas import KINDS, Node, depth, json_kind, looks_around, nodes, not_2020_12, target
from tests.loopback.scripts import Json

COMBINATORS = ("oneOf", "anyOf", "allOf", "enum", "not")
ALLOWED = {
    "type", "enum", "const", "anyOf", "$ref", "$defs", "properties", "required", "additionalProperties", "items",
    "minItems", "maxItems", "pattern", "format", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
    "multipleOf", "title", "description", "examples", "$schema",
}  # fmt: skip
FORMATS = {"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}
MAX_PROPERTIES, MAX_DEPTH, MAX_CHARACTERS, MAX_ENUM_VALUES = 5000, 10, 120_000, 1000
LARGE_ENUM, LARGE_ENUM_CHARACTERS = 250, 15_000


def strict_problems(schema: Json) -> Iterator[str]:
    """List what OpenAI refuses about a strict schema."""
    yield from _root(schema)
    for node in nodes(schema):
        for message in _node(node, schema):
            yield f"In context={node.path}, {message}"
    yield from limit_problems(schema)


def lenient_problems(schema: Json) -> Iterator[str]:
    """List what OpenAI refuses about the schema of a function that is not strict."""
    yield from _root(schema)
    if not isinstance(schema.get("properties"), dict):
        yield "In context=(), object schema missing properties."
    for node in nodes(schema):
        if "array" in node.kinds and "items" not in node.schema:
            yield f"In context={node.path}, array schema missing items."
    if reason := not_2020_12(schema):
        yield reason


def _root(schema: Json) -> Iterator[str]:
    if schema.get("type") != "object":
        kind = schema.get("type")
        yield f"schema must be a JSON Schema of 'type: \"object\"', got 'type: \"{kind}\"'."
    for keyword in COMBINATORS:
        if keyword in schema:
            yield (
                "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' "
                f"at the top level. Found {keyword!r}."
            )


def _node(node: Node, root: Json) -> Iterator[str]:
    schema = node.schema
    if not isinstance(schema, dict):
        yield f"{schema!r} is not of type 'object'."
        return
    for keyword in sorted(schema.keys() - ALLOWED):
        yield f"{keyword!r} is not permitted."
    if "$defs" in schema and not node.is_root:
        yield "'$defs' is only permitted at the root."
    if "$ref" in schema:
        yield from _reference(schema, root)
    elif "anyOf" in schema:
        if not schema["anyOf"]:
            yield "'anyOf' must not be empty."
        yield from (
            f"{key!r} is not permitted beside 'anyOf'."
            for key in sorted(schema.keys() - {"anyOf", "description", "title", "$defs"})
        )
    elif not node.kinds:
        yield "schema must have a 'type' key."
    else:
        yield from _typed(node)


def _reference(schema: Json, root: Json) -> Iterator[str]:
    if others := sorted(schema.keys() - {"$ref"}):
        yield f"$ref cannot have keywords {set(others)}."
    if not isinstance(target(root, schema["$ref"]), dict):
        yield f"reference to component {schema['$ref']!r} which was not found in the schema."


def _typed(node: Node) -> Iterator[str]:
    schema = node.schema
    yield from (f"{kind!r} is not a valid type." for kind in node.kinds if kind not in KINDS)
    if "object" in node.kinds or "properties" in schema:
        yield from _object(schema)
    if "array" in node.kinds and not isinstance(schema.get("items"), dict):
        yield "array schema missing items."
    if "format" in schema and schema["format"] not in FORMATS:
        yield f"{schema['format']!r} is not a valid format."
    if looks_around(str(schema.get("pattern", ""))):
        yield "'pattern' is not permitted: look-around is not supported."
    values = [*schema.get("enum", []), *([schema["const"]] if "const" in schema else [])]
    if "enum" in schema and not schema["enum"]:
        yield "enum must not be empty."
    for value in values:
        kind = json_kind(value)
        if kind not in node.kinds and not (kind == "integer" and "number" in node.kinds):
            yield f"enum value {value!r} does not validate against {{'type': {schema['type']!r}}}."


def _object(schema: Json) -> Iterator[str]:
    if schema.get("additionalProperties") is not False:
        yield "'additionalProperties' is required to be supplied and to be false."
    properties = schema.get("properties")
    if not isinstance(properties, dict):
        yield "object schema missing properties."
        return
    required = schema.get("required", [])
    for name in properties:
        if name not in required:
            yield (
                "'required' is required to be supplied and to be an array including every key in "
                f"properties. Missing {name!r}."
            )
    yield from (f"Extra required key {name!r} supplied." for name in required if name not in properties)


def limit_problems(
    schema: Json, max_properties: int = MAX_PROPERTIES, max_depth: int = MAX_DEPTH
) -> Iterator[str]:
    """List the limits that a schema exceeds."""
    every = [node.schema for node in nodes(schema) if isinstance(node.schema, dict)]
    properties = [name for node in every for name in node.get("properties", {})]
    enums = [node["enum"] for node in every if isinstance(node.get("enum"), list)]
    constants = [node["const"] for node in every if "const" in node]
    words = [
        *properties,
        *schema.get("$defs", {}),
        *(value for values in enums for value in values),
        *constants,
    ]
    if len(properties) > max_properties:
        yield f"{len(properties)} object properties exceeds limit of {max_properties}."
    if (levels := depth(schema, schema)) > max_depth:
        yield f"{levels} levels of nesting exceeds limit of {max_depth}."
    if (length := sum(len(word) for word in words if isinstance(word, str))) > MAX_CHARACTERS:
        yield f"{length} characters of names and values exceeds limit of {MAX_CHARACTERS}."
    if (count := sum(len(values) for values in enums)) > MAX_ENUM_VALUES:
        yield f"{count} enum values exceeds limit of {MAX_ENUM_VALUES}."
    for values in enums:
        total = sum(len(value) for value in values if isinstance(value, str))
        if len(values) > LARGE_ENUM and total > LARGE_ENUM_CHARACTERS:
            yield f"an enum of {len(values)} values and {total} characters exceeds limit of {LARGE_ENUM_CHARACTERS}."
