"""Wire values that no model should send, and values that no tool takes, are refused in our words."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, cast

import pytest

from tool_core import SchemaMismatchError, UnsupportedSchemaError
from tool_core.strict import (
    ANTHROPIC,
    ANTHROPIC_STRICT,
    GOOGLE_STRICT,
    OPENAI,
    OPENAI_STRICT,
    FormatDescriptor,
    strictify,
)
from tool_core.strict.json_types import is_of_type, value_key
from tool_core.strict.sizes import Size, measured
from tool_core.strict.words import in_words, joined

O, A, G = OPENAI_STRICT, ANTHROPIC_STRICT, GOOGLE_STRICT  # noqa: E741
S, I = {"type": "string"}, {"type": "integer"}  # noqa: E741


def record(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


OPEN = {**record(a=S), "required": ["a"], "additionalProperties": I}
FREE = record(o={"type": "object"})
PAIR = record(p={"type": "array", "prefixItems": [S, I], "items": False, "minItems": 1})

REFUSED: list[tuple[FormatDescriptor, Any, str, Any, str]] = [
    (O, OPEN, "lift", [], "$: expected an object, got an array of 0 items"),
    (O, OPEN, "lift", {"a": "x"}, "$.__extra__: expected a value, got null"),
    (O, OPEN, "lift", {"a": "x", "__extra__": [], "b": 1}, "$.b: expected no such key, got the integer 1"),
    (O, OPEN, "lower", {}, "$.a: expected a value, got null"),
    (O, OPEN, "lower", "x", "$: expected an object, got the string 'x'"),
    (O, record(a=S), "lower", {"z": 1}, "$.z: expected no such key, got the integer 1"),
    (O, {**record(a=S), "required": ["a"]}, "lift", {}, "$.a: expected a value, got null"),
    (O, FREE, "lift", {"o": "text"}, "$.o: expected an array of key/value pairs, got the string 'text'"),
    (O, FREE, "lift", {"o": [{"key": "a"}]}, "$.o[0]: expected an object with the keys 'key' and 'value', got an object with the keys 'key'"),
    (O, FREE, "lift", {"o": [{"key": 1, "value": 1}]}, "$.o[0]: expected a value of type string, got the integer 1"),
    (O, FREE, "lift", {"o": [{"key": "a", "value": {"x": 1}}]}, "$.o[0]: expected an object with the key '__object__', got an object with the keys 'x'"),
    (O, FREE, "lower", {"o": 1}, "$.o: expected an object, got the integer 1"),
    (A, FREE, "lift", {"o": [{"key": "a", "value": 5}]}, "$.o[0]: expected JSON text, got the integer 5"),
    (O, PAIR, "lower", {"p": ["a", 1, 2]}, "$.p: expected a list of the right length, got an array of 3 items"),
    (O, PAIR, "lower", {"p": {}}, "$.p: expected a list of the right length, got an empty object"),
    (A, PAIR, "lift", {"p": {}}, "$.p['0']: expected a value, got null"),
    (G, PAIR, "lift", {"p": ["a", "b"]}, "$.p[1]: expected a value of type integer, got the string 'b'"),
    (O, record(e={"enum": ["a"]}), "lift", {"e": "z"}, "$.e: expected one of \"a\", got the string 'z'"),
    (O, record(e={"enum": [{"x": 1}, {"y": 1}]}), "lift", {"e": {"__option__": "option_7"}}, "$.e: expected one of \"option_0\", \"option_1\", got an object with the keys '__option__'"),
    (A, record(e={"enum": ["a", 1]}), "lower", {"e": "z"}, "$.e: expected a value of one of the alternatives, got the string 'z'"),
    (O, {**record(n={"type": "null"}), "required": ["n"]}, "lift", {"n": 3}, "$.n: expected a value of type null, got the integer 3"),
    (O, {**record(n={"type": "null"}), "required": ["n"]}, "lower", {"n": 3}, "$.n: expected a value of type null, got the integer 3"),
    (OPENAI, {"type": "array", "items": S}, "lift", [], "$: expected an object with the key 'value', got an array of 0 items"),
]  # fmt: skip


@pytest.mark.parametrize(("descriptor", "schema", "way", "value", "message"), REFUSED)
def test_a_value_off_its_form_is_refused_with_its_place(
    descriptor: FormatDescriptor, schema: Any, way: str, value: Any, message: str
) -> None:
    with pytest.raises(SchemaMismatchError) as caught:
        getattr(strictify(schema, descriptor), way)(value)
    assert str(caught.value) == message


CARRIED: list[tuple[FormatDescriptor, Any, Any, Any, list[tuple[str, str]]]] = [
    (O, record(k={"type": "object", "additionalProperties": I, "propertyNames": {"maxLength": 3}}), {"k": {"a": 1}}, {"k": [{"key": "a", "value": 1}]}, [("/properties/k/propertyNames", "maxLength")]),
    (O, record(p={"type": "array", "prefixItems": [S, False, I]}), {"p": ["a"]}, {"p": {"0": "a"}}, []),
    (O, record(p={"allOf": [{"type": "array", "prefixItems": [S, I]}, {"prefixItems": [{"minLength": 1}], "items": I}]}), {"p": ["a", 1, 2]}, {"p": {"0": "a", "1": 1, "__rest__": [2]}}, [("/properties/p/allOf/1/prefixItems/0", "minLength")]),
    (O, record(p={"type": "array", "items": S, "uniqueItems": False}), {"p": ["a"]}, {"p": ["a"]}, []),
    (O, record(p={"type": "array", "items": S, "uniqueItems": True}), {"p": ["a"]}, {"p": ["a"]}, [("/properties/p", "uniqueItems")]),
    (O, record(p={"type": "array", "prefixItems": [S, I], "items": False, "maxItems": 1}), {"p": ["a"]}, {"p": {"0": "a"}}, []),
    (O, record(p={"type": "array", "prefixItems": [S, I], "items": False, "contains": S}), {"p": ["a"]}, {"p": {"0": "a", "1": None}}, [("/properties/p", "contains")]),
    (O, record(a={"allOf": [{"type": "integer", "minimum": 1}, {"minimum": 2}]}), {"a": 3}, {"a": 3}, []),
    (O, record(a={"allOf": [{"type": "integer", "multipleOf": 2}, {"multipleOf": 3}]}), {"a": 6}, {"a": 6}, [("/properties/a/allOf/1", "multipleOf")]),
    (O, record(a={"allOf": [{"type": "integer", "multipleOf": 2}, {"multipleOf": 2}]}), {"a": 6}, {"a": 6}, []),
    (O, record(a={"allOf": [{"type": "string", "pattern": "a"}, {"pattern": "a"}]}), {"a": "a"}, {"a": "a"}, []),
    (O, record(a={"allOf": [{"type": "string", "pattern": "a"}, {"pattern": "b"}]}), {"a": "ab"}, {"a": "ab"}, [("/properties/a/allOf/1", "pattern")]),
    (O, {"$ref": "#anchor", "$defs": {"x": {"$anchor": "anchor", "type": "object"}}}, {}, {"value": []}, []),
    (O, {"$ref": "other.json", "allOf": [{"$id": "other.json", "type": "object"}]}, {}, {"value": []}, []),
    (A, FREE, {"o": {"a": "{"}}, {"o": [{"key": "a", "value": '"{"'}]}, []),
    (ANTHROPIC, record(**{"a b": S, "a_b": I, "a?b": I}), {"a b": "x", "a_b": 1, "a?b": 2}, {"a_b_2": "x", "a_b": 1, "a_b_3": 2}, []),
]  # fmt: skip


@pytest.mark.parametrize(("descriptor", "schema", "value", "wire", "lost"), CARRIED)
def test_a_value_travels_as_said_and_comes_back(
    descriptor: FormatDescriptor, schema: Any, value: Any, wire: Any, lost: list[tuple[str, str]]
) -> None:
    form = strictify(schema, descriptor)
    assert form.lower(value) == wire
    assert form.lift(wire) == value
    assert [(loss.pointer, loss.keyword) for loss in form.losses] == lost


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ({"$ref": "#/definitions/a", "definitions": {"a": 5}}, "the reference '#/definitions/a' is not to a schema"),
        ({"$ref": 5}, "the reference 5 is not local"),
        ({"$ref": "#"}, "the reference leads back to itself"),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}, "the reference leads back to itself"),
    ],
)  # fmt: skip
def test_a_reference_that_leads_nowhere_is_unsupported(schema: Any, message: str) -> None:
    with pytest.raises(UnsupportedSchemaError) as caught:
        strictify(schema, O)
    assert caught.value.reason == message


def test_a_list_that_must_be_longer_than_it_may_be_is_left_out() -> None:
    impossible = {"type": "array", "items": S, "minItems": 3, "maxItems": 2}
    form = strictify(record(a=S, p=impossible), O)
    assert list(cast(Any, form.schema)["properties"]) == ["a"]
    assert form.lift({"a": "x"}) == {"a": "x"}


def test_old_spellings_are_modern_in_lenient_forms() -> None:
    tuples = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        **record(a={"items": [S], "additionalItems": I}),
    }
    modern: Any = strictify(tuples, OPENAI).schema
    assert modern["properties"]["a"] == {"prefixItems": [S], "items": I}
    flags = {
        "$schema": "http://json-schema.org/draft-04/schema#",
        **record(a={"minimum": 1, "exclusiveMinimum": False, "required": True}),
    }
    modern = strictify(flags, OPENAI).schema
    assert modern["properties"]["a"] == {"minimum": 1}


def test_a_size_says_which_limit_it_breaks() -> None:
    deep = record(a=record(b={"type": "array", "items": [S], "additionalProperties": S}))
    size = measured(deep)
    assert (size.properties, size.depth, size.name_characters) == (2, 3, 2)
    limits = replace(O.limits, properties=None, depth=2, name_characters=None, enum_values=None)
    assert size.excess(limits) == "it nests 3 levels deep; the limit is 2"
    limits = replace(limits, depth=None, name_characters=1)
    assert size.excess(limits) == "its names have 2 characters; the limit is 1"
    listed = Size(1, 1, 1, 5, ((5, 10),))
    limits = replace(limits, name_characters=None, enum_values=4)
    assert listed.excess(limits) == "it lists 5 values; the limit is 4"
    assert (
        listed.excess(replace(limits, enum_values=5, large_enum=(4, 9)))
        == "it lists 5 values; the limit is 5"
    )
    assert listed.excess(replace(limits, enum_values=5, large_enum=(5, 9))) is None


def test_words_for_a_model_say_only_what_holds() -> None:
    assert in_words("uniqueItems", False) is None
    assert in_words("not", {"const": "x" * 200}) is None
    assert in_words("not", {"const": 1}) == 'not: {"const": 1}'
    assert joined(None, None) is None
    assert joined(None, "one", "two") == "one, two"


@pytest.mark.parametrize("descriptor", [O, A, G], ids=lambda item: item.id)
def test_properties_obey_the_patterns_and_the_rest_that_concern_them(descriptor: FormatDescriptor) -> None:
    schema = {
        "type": "object",
        "properties": {"x_a": S},
        "patternProperties": {"^x_": {"enum": ["one", "two"]}, "[": I},
        "additionalProperties": I,
        "required": ["x_a", "other"],
    }
    form = strictify(schema, descriptor)
    value = {"x_a": "one", "other": 3}
    assert form.lift(form.lower(value)) == value
    with pytest.raises(SchemaMismatchError, match=r"\$\.x_a: expected one of"):
        form.lower({"x_a": "three", "other": 3})


def test_a_required_flag_of_the_third_draft_is_understood() -> None:
    form = strictify(record(a={**S, "required": True}, b=S), A)
    assert cast(Any, form.schema)["required"] == ["a"]


ANYTHING = record(a={})
FORBIDDEN: list[tuple[Any, str]] = [
    ({"__proto__": 1}, "the key '__proto__' is forbidden"),
    ({"constructor": {"prototype": 1}}, "a 'constructor' that holds a 'prototype' is forbidden"),
    (10**1500, "a number has more than 1000 digits"),
    ("\ud800", "it holds a lone surrogate"),
]


@pytest.mark.parametrize(("value", "reason"), FORBIDDEN, ids=["key", "constructor", "digits", "surrogate"])
def test_what_json_text_may_not_hold_is_refused_both_ways_and_never_becomes_a_text(
    value: Any, reason: str
) -> None:
    form = strictify(ANYTHING, A)
    with pytest.raises(SchemaMismatchError) as lowered:
        form.lower({"a": value})
    assert f"$.a: expected a value that can travel as JSON text ({reason})" in str(lowered.value)
    with pytest.raises(SchemaMismatchError) as lifted:
        form.lift({"a": json.dumps(value)})
    assert f"$.a: expected JSON text that can be accepted ({reason})" in str(lifted.value)


@pytest.mark.parametrize("text", ["hello", "NaN", "{", "-", '{"a": Infinity}'])
def test_a_text_that_is_not_json_stands_for_itself(text: str) -> None:
    assert strictify(ANYTHING, A).lift({"a": text}) == {"a": text}


def test_json_text_that_nests_absurdly_is_refused() -> None:
    with pytest.raises(SchemaMismatchError, match="nests deeper than 100 levels"):
        strictify(ANYTHING, A).lift({"a": "[" * 50_000 + "]" * 50_000})


def test_what_is_not_json_cannot_be_written_as_json_text() -> None:
    with pytest.raises(SchemaMismatchError, match=r"\$\.a: expected a JSON value, got a Python object"):
        strictify(ANYTHING, A).lower({"a": object()})


@pytest.mark.parametrize("descriptor", [O, A, G], ids=lambda item: item.id)
def test_a_property_that_can_hold_nothing_is_no_free_key(descriptor: FormatDescriptor) -> None:
    form = strictify({**record(a=False), "additionalProperties": True}, descriptor)
    with pytest.raises(SchemaMismatchError, match=r"\$\.a: expected no such key, got the integer 1"):
        form.lower({"a": 1, "b": 2})


@pytest.mark.parametrize("number", [float("inf"), float("nan"), 1e308, -0.5])
@pytest.mark.parametrize("descriptor", [O, A, G], ids=lambda item: item.id)
def test_only_whole_numbers_are_integers(descriptor: FormatDescriptor, number: float) -> None:
    """Infinity and huge floats are compared without being made integers first."""
    schema = record(a={"anyOf": [I, {"enum": ["x", [1]]}]})
    form = strictify(schema, descriptor)
    if number.is_integer():
        assert form.lift({"a": number}) == {"a": number}
    else:
        with pytest.raises(SchemaMismatchError):
            form.lift({"a": number})
    assert is_of_type(number, "number")
    assert is_of_type(number, "integer") == number.is_integer()
    assert not is_of_type(True, "integer")


def test_equal_values_have_equal_keys_however_deep_they_are() -> None:
    assert value_key({"a": [1.0, True]}) == value_key({"a": [1, True]})
    assert value_key([True]) != value_key([1])
    form = strictify(record(a={"enum": [{"n": 1.0}, {"n": 1}]}), O)
    assert form.lift(form.lower({"a": {"n": 1}})) == {"a": {"n": 1}}
