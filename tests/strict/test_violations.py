"""The checker of the dialects refuses what the providers refuse: one row for each of their rules."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tool_core.strict import (
    ANTHROPIC,
    ANTHROPIC_STRICT,
    GOOGLE,
    GOOGLE_STRICT,
    LENIENT,
    OPENAI,
    OPENAI_STRICT,
    FormatDescriptor,
    dialect_violations,
)

O, A, G = OPENAI_STRICT, ANTHROPIC_STRICT, GOOGLE_STRICT  # noqa: E741
S: dict[str, Any] = {"type": "string"}


def record(descriptor: FormatDescriptor, **properties: Any) -> dict[str, Any]:
    """Write an object that the dialect accepts."""
    order = {"propertyOrdering": list(properties)} if descriptor.family == "google" else {}
    fields = {"properties": properties, "required": list(properties), "additionalProperties": False}
    return {"type": "object", **fields, **order}


def found(schema: Any, descriptor: FormatDescriptor) -> list[tuple[str, str]]:
    return [(item.pointer, item.rule) for item in dialect_violations(schema, descriptor)]


@pytest.mark.parametrize("descriptor", [O, A, G], ids=lambda item: item.id)
@pytest.mark.parametrize(
    "inner",
    [
        S,
        {"type": "string", "enum": ["a"], "description": "one", "title": "t"},
        {"type": ["string", "null"], "format": "date-time"},
        {"anyOf": [S, {"type": "null"}], "description": "or nothing"},
        {"type": "array", "items": {"type": "integer"}, "minItems": 1},
    ],
)
def test_what_the_provider_accepts_has_no_violations(inner: Any, descriptor: FormatDescriptor) -> None:
    assert found(record(descriptor, a=inner), descriptor) == []


INNER: list[tuple[FormatDescriptor, Any, str, str]] = [
    (O, True, "", "a schema must be an object"),
    (O, {}, "", "type must be a JSON type, not None"),
    (A, {}, "", "type must be a JSON type, not None"),
    (O, {"type": "text"}, "", "type must be a JSON type, not 'text'"),
    (O, {"type": []}, "", "type must be a JSON type, not []"),
    (O, {"type": "string", "minLength": 1}, "", "'minLength' is not allowed for 'string'"),
    (O, {"type": "string", "minItems": 1}, "", "'minItems' is not allowed for 'string'"),
    (O, {"type": ["string", "null"], "minimum": 1}, "", "'minimum' is not allowed for ['string', 'null']"),
    (A, {"type": "integer", "minimum": 1}, "", "'minimum' is not allowed for 'integer'"),
    (A, {"type": "array", "items": S, "maxItems": 1}, "", "'maxItems' is not allowed for 'array'"),
    (G, {"type": "string", "pattern": "a"}, "", "'pattern' is not allowed for 'string'"),
    (G, {"type": "string", "const": "a"}, "", "'const' is not allowed for 'string'"),
    (G, {"type": "number", "exclusiveMinimum": 1}, "", "'exclusiveMinimum' is not allowed for 'number'"),
    (O, {"type": "object"}, "", "an object must have properties"),
    (O, {"type": "object", "properties": {}}, "", "additionalProperties must be false"),
    (O, {"type": "object", "properties": {"b": S}, "additionalProperties": False}, "", "every property must be required"),
    (A, {"type": "object", "properties": {}, "required": ["b"], "additionalProperties": False}, "", "the required property 'b' is not declared"),
    (G, {"type": "object", "properties": {"b": S}, "additionalProperties": False}, "", "propertyOrdering must list the properties in order"),
    (A, record(A, **{"b c": S}), "/properties/b c", "the property name is not allowed"),
    (A, record(A, **{"b" * 65: S}), f"/properties/{'b' * 65}", "the property name is not allowed"),
    (G, record(G, **{"b-c": S}), "/properties/b-c", "the property name is not allowed"),
    (O, {"type": "array"}, "", "an array must have items, as one schema"),
    (O, {"type": "array", "items": [S]}, "", "an array must have items, as one schema"),
    (O, {"type": "array", "items": {"type": "text"}}, "/items", "type must be a JSON type, not 'text'"),
    (G, {"type": "array", "items": S, "prefixItems": [{"type": "text"}]}, "/prefixItems/0", "type must be a JSON type, not 'text'"),
    (A, {"type": "array", "items": S, "minItems": 2}, "", "minItems must be 0 or 1"),
    (O, {"type": "string", "format": "uri"}, "", "the format 'uri' is not allowed"),
    (A, {"type": "string", "format": "json-pointer"}, "", "the format 'json-pointer' is not allowed"),
    (G, {"type": "string", "format": "email"}, "", "the format 'email' is not allowed"),
    (O, {"type": "string", "pattern": "(?=a)b"}, "", "a pattern must not look around"),
    (O, {"type": "string", "pattern": "(?<!a)b"}, "", "a pattern must not look around"),
    (A, {"type": "string", "pattern": "(?!a)b"}, "", "a pattern must be simple"),
    (A, {"type": "string", "pattern": r"(a)\1"}, "", "a pattern must be simple"),
    (A, {"type": "string", "pattern": r"\bword"}, "", "a pattern must be simple"),
    (O, {"type": "string", "enum": []}, "", "enum must not be empty"),
    (O, {"type": "string", "enum": [{}]}, "", "enum must hold scalars"),
    (O, {"type": "string", "enum": [[1]]}, "", "enum must hold scalars"),
    (G, {"type": "string", "enum": [True]}, "", "enum must hold at most 40 texts or numbers"),
    (G, {"type": "string", "enum": [str(number) for number in range(41)]}, "", "enum must hold at most 40 texts or numbers"),
    (O, {"anyOf": []}, "", "anyOf must not be empty"),
    (O, {"anyOf": [S], "type": "string"}, "", "'type' is not allowed beside anyOf"),
    (O, {"anyOf": [S, {"type": "text"}]}, "/anyOf/1", "type must be a JSON type, not 'text'"),
    (O, {"$ref": "#/$defs/Gone"}, "", "the reference '#/$defs/Gone' points nowhere"),
    (O, {"$ref": 3}, "", "the reference 3 points nowhere"),
    (O, {"$ref": "#", "description": "d"}, "", "'description' is not allowed beside $ref"),
    (A, {"$ref": "#", "type": "object"}, "", "'type' is not allowed beside $ref"),
    (O, {"type": "string", "$defs": {}}, "", "definitions must stand at the root"),
]  # fmt: skip


@pytest.mark.parametrize(("descriptor", "inner", "pointer", "rule"), INNER)
def test_a_rule_is_named_with_its_place(
    descriptor: FormatDescriptor, inner: Any, pointer: str, rule: str
) -> None:
    assert found(record(descriptor, a=inner), descriptor) == [(f"/properties/a{pointer}", rule)]


@pytest.mark.parametrize(
    "allowed",
    [
        (A, {"type": "array", "items": S, "minItems": 0}),
        (A, {"type": "string", "format": "uri"}),
        (A, {"$ref": "#/$defs/B", "description": "allowed here"}),
        (G, {}),
        (G, {"description": "anything"}),
        (G, {"type": "string", "enum": [str(number) for number in range(40)]}),
        (G, {"type": "array", "items": S, "prefixItems": [S]}),
        (O, {"type": "number", "multipleOf": 2, "exclusiveMaximum": 3}),
        (O, {"type": "string", "pattern": "^(?:a|b)+$"}),
    ],
)
def test_the_rules_go_no_further_than_the_provider(allowed: tuple[FormatDescriptor, Any]) -> None:
    descriptor, inner = allowed
    schema = record(descriptor, a=inner)
    if "$ref" in inner:
        schema["$defs"] = {"B": S}
    assert found(schema, descriptor) == []


@pytest.mark.parametrize(
    "root", [{"type": "string"}, {"type": "object", "anyOf": [record(O)]}, {"type": "object", "$ref": "#"}]
)
def test_the_root_is_an_object_without_combinators(root: Any) -> None:
    assert ("", "the root must be an object without combinators") in found(root, O)


def recursive(required: bool) -> dict[str, Any]:
    node = {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}}, "additionalProperties": False}
    node |= {"propertyOrdering": ["next"], "required": ["next"] if required else []}
    return {**record(G, a={"$ref": "#/$defs/Node"}), "$defs": {"Node": node}}


def test_recursion_is_refused_where_the_provider_cannot_follow_it() -> None:
    itself = ("/$defs/Node", "a definition must not refer to itself")
    assert itself in found(recursive(required=True), G)
    assert itself not in found(recursive(required=False), G)
    assert itself in found(recursive(required=False), A)
    assert itself not in found(recursive(required=True), O)


@pytest.mark.parametrize("holder", ["anyOf", "prefixItems", "items"])
def test_recursion_is_found_through_every_keyword(holder: str) -> None:
    reference = {"$ref": "#/$defs/B"}
    inner: dict[str, Any] = {"type": "array", holder: reference if holder == "items" else [reference]}
    definitions = {"B": inner, "C": {"$ref": "#/$defs/B"}}
    schema = {**record(A, a={"$ref": "#/$defs/C"}), "$defs": definitions}
    assert [item for item in found(schema, A) if "itself" in item[1]] == [
        ("/$defs/B", "a definition must not refer to itself")
    ]


def test_definitions_are_checked_too() -> None:
    schema = {**record(O, a={"$ref": "#/$defs/B"}), "$defs": {"B": {"type": "text"}}}
    assert found(schema, O) == [("/$defs/B", "type must be a JSON type, not 'text'")]


def test_the_limits_of_a_request_are_checked() -> None:
    limits = replace(O.limits, properties=1)
    assert found(record(O, a=S, b=S), replace(O, limits=limits)) == [
        ("", "it has 2 properties; the limit is 1")
    ]
    assert found(record(A, a=S, b=S), replace(A, limits=limits)) == []


LENIENT_RULES: list[tuple[FormatDescriptor, Any, list[tuple[str, str]]]] = [
    (LENIENT, {"type": "string"}, []),
    (OPENAI, {"type": "object", "properties": {"a b": {}}}, []),
    (OPENAI, {"type": "string"}, [("", "the root must be an object"), ("", "the root must have properties")]),
    (GOOGLE, {"type": "object", "properties": {}, "oneOf": [], "not": {}}, [("", "'oneOf' is not allowed at the root"), ("", "'not' is not allowed at the root")]),
    (ANTHROPIC, {"type": "object", "properties": {"a b": {}}}, [("/properties/a b", "the property name is not allowed")]),
    (ANTHROPIC, {"type": "object", "properties": {"a.b-c_D1": {}}}, []),
]  # fmt: skip


@pytest.mark.parametrize(("descriptor", "schema", "expected"), LENIENT_RULES)
def test_lenient_dialects_look_at_the_root_only(
    descriptor: FormatDescriptor, schema: Any, expected: list[tuple[str, str]]
) -> None:
    assert found(schema, descriptor) == expected
