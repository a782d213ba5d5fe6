"""Lenient forms: what is renamed and moved on the wire comes back, and nothing else is touched."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tool_core.strict import ANTHROPIC, DESCRIPTORS, OPENAI, FormatDescriptor, strictify

LENIENT_FORMS = [descriptor for descriptor in DESCRIPTORS if not descriptor.strict]
S, I = {"type": "string"}, {"type": "integer"}  # noqa: E741


def record(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def test_keys_of_free_data_travel_as_they_are() -> None:
    form = strictify(record(**{"a b": S, "free": {"type": "object"}, "list": {"type": "array"}}), ANTHROPIC)
    value = {"a b": "x", "free": {"a b": 1, "a_b": 2}, "list": [{"a b": {"a_b": 3}}]}
    wire = {"a_b": "x", "free": {"a b": 1, "a_b": 2}, "list": [{"a b": {"a_b": 3}}]}
    assert form.lower(value) == wire
    assert form.lift(wire) == value


def test_a_free_key_does_not_meet_a_renamed_one() -> None:
    form = strictify({**record(**{"a b": S}), "additionalProperties": I}, ANTHROPIC)
    value = {"a b": "x", "a_b": 1}
    assert form.lower(value) == {"a_b": "x", "a b": 1}
    assert form.lift(form.lower(value)) == value


def test_a_name_is_renamed_wherever_the_schema_leads() -> None:
    part = record(**{"a b": S})
    schema = {
        "type": "object",
        "properties": {
            "ref": {"$ref": "#/$defs/part"},
            "any": {"anyOf": [I, part]},
            "list": {"type": "array", "prefixItems": [I, part], "items": {"$ref": "#/$defs/part"}},
            "pattern": {"type": "object", "patternProperties": {"^p": part}},
            "rest": {"type": "object", "additionalProperties": part},
        },
        "$defs": {"part": part},
    }
    there, back = {"a b": "x"}, {"a_b": "x"}
    value = {
        "ref": there,
        "any": there,
        "list": [1, there, there],
        "pattern": {"p": there},
        "rest": {"r": there},
    }
    wire = {"ref": back, "any": back, "list": [1, back, back], "pattern": {"p": back}, "rest": {"r": back}}
    form = strictify(schema, ANTHROPIC)
    assert form.lower(value) == wire
    assert form.lift(wire) == value


def test_whatever_speaks_of_a_property_speaks_of_its_new_name() -> None:
    schema = {
        **record(**{"a b": S, "c": S, "r": {"$ref": "#/properties/a%20b"}}),
        "required": ["a b"],
        "dependentRequired": {"a b": ["c"], "c": ["a b"]},
        "dependentSchemas": {"a b": {"required": ["r"]}},
    }
    assert strictify(schema, ANTHROPIC).schema == {
        **record(a_b=S, c=S, r={"$ref": "#/properties/a_b"}),
        "required": ["a_b"],
        "dependentRequired": {"a_b": ["c"], "c": ["a_b"]},
        "dependentSchemas": {"a_b": {"required": ["r"]}},
    }


def test_what_speaks_of_keys_otherwise_is_a_loss_where_keys_are_renamed() -> None:
    const = {**record(**{"a b": I}), "const": {"a b": 1}}
    schema = {**record(c=const), "patternProperties": {"^a": S}, "propertyNames": {"maxLength": 3}}
    form = strictify(schema, ANTHROPIC)
    assert [(loss.pointer, loss.keyword) for loss in form.losses] == [
        ("", "patternProperties"),
        ("", "propertyNames"),
        ("/properties/c", "const"),
    ]
    assert form.schema["properties"] == {"c": record(a_b=I)}
    assert strictify(schema, OPENAI).losses == ()


def test_references_follow_what_moves() -> None:
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": "https://example.com/x",
        "type": "array",
        "items": [{"$ref": "#/definitions/t"}, {"$ref": "#"}, {"$ref": "#/items/0"}],
        "additionalItems": {"$ref": "https://example.com/x#/items/1"},
        "definitions": {"t": S},
    }
    assert strictify(schema, OPENAI).schema == {
        "type": "object",
        "properties": {
            "value": {
                "type": "array",
                "prefixItems": [
                    {"$ref": "#/definitions/t"},
                    {"$ref": "#/properties/value"},
                    {"$ref": "#/properties/value/prefixItems/0"},
                ],
                "items": {"$ref": "https://example.com/x#/properties/value/prefixItems/1"},
            }
        },
        "required": ["value"],
        "$id": "https://example.com/x",
        "definitions": {"t": S},
    }


_NAMES = st.sampled_from(["a b", "a_b", "a?b", "a_b_2", "c", "", "é"])
_VALUES = st.recursive(
    st.integers(0, 3),
    lambda inner: st.dictionaries(_NAMES, inner, max_size=4) | st.lists(inner, max_size=3),
    max_leaves=12,
)


def _schemas() -> st.SearchStrategy[Any]:
    def node(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        listed = st.lists(inner, max_size=2)
        return st.fixed_dictionaries(
            {},
            optional={
                "properties": st.dictionaries(_NAMES, inner, max_size=3),
                "required": st.lists(_NAMES, max_size=2),
                "additionalProperties": inner,
                "patternProperties": st.dictionaries(st.sampled_from(["^a", "b$"]), inner, max_size=2),
                "dependentRequired": st.dictionaries(_NAMES, st.lists(_NAMES, max_size=2), max_size=2),
                "items": inner,
                "prefixItems": listed,
                "anyOf": listed,
                "not": inner,
                "$ref": st.sampled_from(["#", "#/$defs/d", "#/properties/a%20b", "#/nowhere", "http://x/y"]),
                "const": _VALUES,
            },
        )

    inner: st.SearchStrategy[Any] = st.recursive(st.just({}) | st.booleans(), node, max_leaves=8)
    return st.tuples(node(inner), inner).map(lambda pair: {**pair[0], "$defs": {"d": pair[1]}})


@given(_schemas(), _VALUES, st.sampled_from(LENIENT_FORMS))
@settings(max_examples=150, deadline=None)
def test_any_value_comes_back_from_any_lenient_form(
    schema: Any, value: Any, descriptor: FormatDescriptor
) -> None:
    form = strictify(schema, descriptor)
    assert form.lift(form.lower(value)) == value


@pytest.mark.parametrize("descriptor", LENIENT_FORMS, ids=lambda item: item.id)
def test_a_lenient_form_of_a_lenient_form_is_the_same(descriptor: FormatDescriptor) -> None:
    schema = {**record(**{"a b": S, "c": {"type": "array"}}), "required": ["a b"]}
    once = strictify(schema, descriptor).schema
    assert strictify(once, descriptor).schema == once
