"""The three dialects of strict schemas, and the lenient ones, with good and bad examples."""

from __future__ import annotations

from typing import Any

import pytest

from tests.loopback import anthropic_schemas, google_schemas, openai_schemas
from tests.loopback.schemas import cycles, depth, misfit, nodes


def closed(**properties: Any) -> dict[str, Any]:
    """An object that every dialect takes."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


TEXT = {"type": "string"}
LIST = {"$defs": {"node": closed(next={"anyOf": [{"$ref": "#/$defs/node"}, {"type": "null"}]})}}
RECURSIVE = {**closed(head={"$ref": "#/$defs/node"}), **LIST}
DANGLING = closed(a={"$ref": "#/$defs/gone"})

OPENAI_GOOD: list[dict[str, Any]] = [
    closed(),
    closed(a={"type": ["string", "null"], "enum": ["x", None]}, b={"type": "number", "minimum": 0}),
    closed(a={"type": "array", "items": TEXT, "minItems": 2, "maxItems": 5}),
    closed(a={"type": "string", "format": "uuid", "pattern": "^[a-z]{2,4}$"}),
    closed(a={"anyOf": [TEXT, closed(b=TEXT)], "description": "either"}),
    closed(pattern=TEXT, oneOf=TEXT, default=TEXT),
    RECURSIVE,
]
OPENAI_BAD: list[tuple[dict[str, Any], str]] = [
    ({"type": "array", "items": TEXT}, "got 'type: \"array\"'"),
    ({"anyOf": [closed()]}, "Found 'anyOf'"),
    ({**closed(a=TEXT), "required": []}, "Missing 'a'"),
    ({**closed(), "required": ["b"]}, "Extra required key 'b' supplied"),
    ({**closed(), "additionalProperties": True}, "'additionalProperties' is required"),
    (closed(a={"type": "object"}), "object schema missing properties"),
    (closed(a={"type": ["object", "null"], "properties": {}}), "'additionalProperties' is required"),
    (closed(a={}), "schema must have a 'type' key"),
    (closed(a={"const": 1}), "schema must have a 'type' key"),
    (closed(a={"oneOf": [TEXT]}), "'oneOf' is not permitted"),
    (closed(a={**TEXT, "allOf": [TEXT]}), "'allOf' is not permitted"),
    (closed(a={**TEXT, "not": TEXT}), "'not' is not permitted"),
    (closed(a={**TEXT, "minLength": 1}), "'minLength' is not permitted"),
    (closed(a={**TEXT, "default": ""}), "'default' is not permitted"),
    (closed(a={"type": "array", "items": TEXT, "uniqueItems": True}), "'uniqueItems' is not permitted"),
    (closed(a={"type": "array"}), "array schema missing items"),
    (closed(a={"type": "array", "prefixItems": [TEXT], "items": TEXT}), "'prefixItems' is not permitted"),
    (closed(a={**TEXT, "format": "uri"}), "'uri' is not a valid format"),
    (closed(a={**TEXT, "pattern": "(?=x)"}), "look-around is not supported"),
    (closed(a={**TEXT, "enum": []}), "enum must not be empty"),
    (closed(a={**TEXT, "enum": [3]}), "enum value 3 does not validate"),
    (closed(a={"type": "int"}), "'int' is not a valid type"),
    (DANGLING, "reference to component '#/$defs/gone' which was not found"),
    ({**closed(a={"$ref": "#/$defs/b", "description": "x"}), "$defs": {"b": TEXT}}, "$ref cannot have keywords"),
    (closed(a={"anyOf": []}), "'anyOf' must not be empty"),
    (closed(a={"anyOf": [TEXT], "type": "string"}), "'type' is not permitted beside 'anyOf'"),
    (closed(**{f"p{number}": TEXT for number in range(5001)}), "5001 object properties exceeds limit of 5000"),
    (closed(a={**TEXT, "enum": [f"{number}" for number in range(1001)]}), "1001 enum values exceeds limit of 1000"),
    (closed(a={**TEXT, "enum": [f"{number:060}" for number in range(251)]}), "an enum of 251 values and 15060"),
    (closed(**{"x" * 60_001: TEXT, "y" * 60_000: TEXT}), "120001 characters of names and values"),
]  # fmt: skip


@pytest.mark.parametrize("schema", OPENAI_GOOD)
def test_openai_takes(schema: dict[str, Any]) -> None:
    assert list(openai_schemas.strict_problems(schema)) == []


@pytest.mark.parametrize(
    ("schema", "words"), OPENAI_BAD, ids=lambda value: value if isinstance(value, str) else ""
)
def test_openai_refuses(schema: dict[str, Any], words: str) -> None:
    assert any(words in message for message in openai_schemas.strict_problems(schema))


def test_openai_counts_the_levels_of_nesting() -> None:
    schema: dict[str, Any] = TEXT
    for _ in range(10):
        schema = closed(a=schema)
    assert depth(schema, schema) == 10
    assert list(openai_schemas.strict_problems(schema)) == []
    assert list(openai_schemas.strict_problems(closed(a=schema))) == [
        "11 levels of nesting exceeds limit of 10."
    ]


def test_openai_takes_almost_any_object_that_is_not_strict() -> None:
    loose = {"type": "object", "properties": {"a": {"oneOf": [TEXT, {"minLength": 3}]}, "b": {}}}
    assert list(openai_schemas.lenient_problems(loose)) == []
    refused: list[tuple[dict[str, Any], str]] = [
        ({"type": "object"}, "object schema missing properties"),
        ({"type": "object", "properties": {}, "anyOf": []}, "Found 'anyOf'"),
        ({"$ref": "#/$defs/a"}, "got 'type: \"None\"'"),
        ({"type": "object", "properties": {"a": {"type": "array"}}}, "array schema missing items"),
        ({"type": "object", "properties": {"a": {"type": 3}}}, "is not valid under any of the given schemas"),
    ]
    for wrong, words in refused:
        assert any(words in message for message in openai_schemas.lenient_problems(wrong)), wrong


ANTHROPIC_GOOD: list[dict[str, Any]] = [
    closed(),
    {**closed(a=TEXT, b=TEXT), "required": ["b"]},
    closed(a={"type": ["string", "null"]}, b={"enum": ["x", 1]}, c={"const": True}),
    closed(a={"type": "array", "items": TEXT, "minItems": 1}),
    closed(a={"type": "string", "format": "uri", "pattern": "^[a-z]+$", "default": "x"}),
    closed(a={"anyOf": [TEXT, {"type": "null"}], "description": "maybe"}),
    {**closed(a={"$ref": "#/$defs/b", "description": "x"}), "$defs": {"b": TEXT}},
    closed(minimum=TEXT, maxItems=TEXT),
]
ANTHROPIC_BAD: list[tuple[dict[str, Any], str]] = [
    ({"properties": {}}, "input_schema.type: Field required"),
    ({"type": "array", "items": TEXT}, "input_schema.type: Input should be 'object'"),
    ({**closed(), "anyOf": [closed()]}, "does not support oneOf, allOf, or anyOf at the top level"),
    (closed(**{"a b": TEXT}), "Property keys should match pattern"),
    (closed(a=closed(ä=TEXT)), "Property keys should match pattern"),
    ({"type": "object", "properties": {}}, "must be explicitly set to false"),
    (closed(a={"type": "object", "additionalProperties": TEXT}), "must be explicitly set to false"),
    (closed(a={"type": "integer", "minimum": 1, "maximum": 2}), "properties maximum, minimum are not supported"),
    (closed(a={"type": "number", "multipleOf": 2}), "property multipleOf is not supported"),
    (closed(a={"type": "array", "items": TEXT, "maxItems": 3}), "property maxItems is not supported"),
    (closed(a={"type": "array", "items": TEXT, "minItems": 2}), "values other than 0 or 1"),
    (closed(a={"type": "array", "items": [TEXT]}), "a single object schema for 'items'"),
    (closed(a={"type": "array"}), "a single object schema for 'items'"),
    (closed(a={**TEXT, "minLength": 1}), "property minLength is not supported"),
    (closed(a={**TEXT, "format": "phone"}), "String format 'phone' is not supported"),
    (closed(a={**TEXT, "pattern": "\\bx"}), "Pattern '\\\\bx' is not supported"),
    (closed(a={**TEXT, "pattern": "(?<!x)y"}), "is not supported"),
    (closed(a={"oneOf": [TEXT]}), "Schema type 'oneOf' is not supported"),
    (closed(a={"allOf": [TEXT]}), "Schema type 'allOf' is not supported"),
    (closed(a={**TEXT, "not": TEXT}), "Schema keyword 'not' is not supported"),
    (closed(a={}), "Empty schema ({})"),
    (closed(a={"description": "any"}), "Empty schema ({})"),
    (closed(a={"anyOf": [TEXT], "type": "string"}), "For 'anyOf', 'type' is not supported"),
    (closed(a={"enum": [{"b": 1}]}), "Enum values must be"),
    (closed(a={**TEXT, "$defs": {"b": TEXT}}), "definitions must stand at the root"),
    (closed(a={"type": "any"}), "Schema type 'any' is not supported"),
    ({**closed(), "required": ["b"]}, "Required property 'b' is not defined"),
    (closed(a={"type": "object", "properties": {}, "if": {}, "additionalProperties": False}), "property if is not"),
    (DANGLING, "Reference to non-existent definition"),
    (RECURSIVE, "Circular reference detected in schema definitions: node -> node."),
]  # fmt: skip


@pytest.mark.parametrize("schema", ANTHROPIC_GOOD)
def test_anthropic_takes(schema: dict[str, Any]) -> None:
    assert list(anthropic_schemas.strict_problems(schema, is_tool=True)) == []


@pytest.mark.parametrize(
    ("schema", "words"), ANTHROPIC_BAD, ids=lambda value: value if isinstance(value, str) else ""
)
def test_anthropic_refuses(schema: dict[str, Any], words: str) -> None:
    assert any(words in message for message in anthropic_schemas.strict_problems(schema, is_tool=True))


def test_anthropic_counts_optional_and_union_parameters_each_definition_once() -> None:
    inner = {**closed(x=TEXT, y={"type": ["string", "null"]}), "required": ["y"]}
    schema = {**closed(a={"$ref": "#/$defs/i"}, b={"$ref": "#/$defs/i"}), "$defs": {"i": inner}}
    assert (anthropic_schemas.optionals(schema), anthropic_schemas.unions(schema)) == (1, 1)


def test_anthropic_takes_valid_json_schema_that_is_not_strict() -> None:
    loose = {
        "type": "object",
        "properties": {"a": {"type": "integer", "minimum": 3}},
        "not": {"minProperties": 9},
    }
    assert list(anthropic_schemas.lenient_problems(loose)) == []
    refused: list[tuple[dict[str, Any], str]] = [
        ({"type": "object", "oneOf": []}, "at the top level"),
        ({"type": "object", "properties": {"": {}}}, "Property keys should match pattern"),
        ({"type": "object", "properties": {"a": {"items": [TEXT]}}}, "JSON schema is invalid"),
    ]
    for wrong, words in refused:
        assert any(words in message for message in anthropic_schemas.lenient_problems(wrong)), wrong


OPTIONAL_LIST = {
    **closed(head={"$ref": "#/$defs/node"}),
    "$defs": {"node": {**closed(next={"$ref": "#/$defs/node"}), "required": []}},
}
GOOGLE_GOOD: list[dict[str, Any]] = [
    closed(),
    closed(a={**TEXT, "enum": ["x"]}, b={"type": "integer", "minimum": 1}, c={"type": ["number", "null"]}),
    closed(a={"type": "array", "prefixItems": [TEXT], "items": TEXT, "minItems": 1, "maxItems": 1}),
    closed(a={**TEXT, "format": "date"}, b={}, c={"anyOf": [TEXT, {"type": "null"}]}),
    {**closed(a=TEXT, b=TEXT), "propertyOrdering": ["a", "b"]},
    OPTIONAL_LIST,
]
GOOGLE_BAD: list[tuple[Any, str]] = [
    (TEXT, "must describe an object"),
    (True, "must describe an object"),
    ({**closed(), "anyOf": []}, "must not have a combinator"),
    (closed(a={**TEXT, "pattern": "x"}), "'pattern' is ignored"),
    (closed(a={**TEXT, "minLength": 1}), "'minLength' is ignored"),
    (closed(a={**TEXT, "const": "x"}), "'const' is ignored"),
    (closed(a={"const": "x"}), "'const' without a type is ignored"),
    (closed(a={"type": "integer", "exclusiveMinimum": 1}), "'exclusiveMinimum' is ignored"),
    (closed(a={"type": "boolean", "enum": [True]}), "'enum' is ignored"),
    (closed(a={**TEXT, "enum": [True]}), "enum is for strings and numbers"),
    (closed(a={**TEXT, "enum": [f"{number}" for number in range(91)]}), "too many states for serving"),
    (closed(a={**TEXT, "format": "uuid"}), "the format 'uuid' is ignored"),
    (closed(a={"anyOf": [TEXT], "type": "string"}), "'type' beside anyOf is ignored"),
    (closed(a={"type": "STRING"}), "the type 'STRING' does not exist"),
    (closed(**{"0": TEXT}), "the parameter name '0' is invalid"),
    ({**closed(a=TEXT), "propertyOrdering": []}, "propertyOrdering must list the properties"),
    ({**closed(), "required": ["b"]}, "the required property 'b' is not defined"),
    ({**closed(a={"$ref": "#/$defs/b", "description": "x"}), "$defs": {"b": TEXT}}, "if $ref is set"),
    (DANGLING, "cannot be resolved"),
    (RECURSIVE, "may only be used within non-required properties"),
]  # fmt: skip


@pytest.mark.parametrize("schema", GOOGLE_GOOD)
def test_google_takes(schema: dict[str, Any]) -> None:
    assert list(google_schemas.strict_problems(schema)) == []


@pytest.mark.parametrize(
    ("schema", "words"), GOOGLE_BAD, ids=lambda value: value if isinstance(value, str) else ""
)
def test_google_refuses_or_ignores(schema: Any, words: str) -> None:
    assert any(words in message for message in google_schemas.strict_problems(schema))


def test_google_shows_any_object_to_the_model() -> None:
    loose = {"type": "object", "properties": {"0": {**TEXT, "pattern": "x"}}}
    assert list(google_schemas.lenient_problems(loose)) == []
    assert list(google_schemas.lenient_problems({"type": "array"})) != []
    assert list(google_schemas.lenient_problems({"type": "object", "required": 3})) != []


def test_a_property_that_is_called_like_a_keyword_is_walked_as_a_property() -> None:
    schema = closed(anyOf=TEXT, items={"type": "array", "items": TEXT})
    assert [node.path for node in nodes(schema)] == [
        (),
        ("properties", "anyOf"),
        ("properties", "items"),
        ("properties", "items", "items"),
    ]


def test_cycles_are_found_and_left() -> None:
    assert list(cycles(RECURSIVE, RECURSIVE, lambda _node, _name: True)) == ["#/$defs/node"]
    assert depth(RECURSIVE, RECURSIVE) == 2


def test_values_are_held_against_schemas() -> None:
    assert misfit({"a": "x"}, closed(a=TEXT)) is None
    assert misfit({"a": 1}, closed(a=TEXT)) == "$.a: 1 is not of type 'string'"
