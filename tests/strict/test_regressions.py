"""Faults in strict mode that were found by attacking it, each kept from coming back."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any, cast

import pytest

from tool_core import SchemaMismatchError, UnsupportedSchemaError
from tool_core.samples import sample_values
from tool_core.strict import (
    ANTHROPIC,
    ANTHROPIC_STRICT,
    DESCRIPTORS,
    GOOGLE_STRICT,
    OPENAI,
    OPENAI_STRICT,
    FormatDescriptor,
    dialect_violations,
    strictify,
)
from tool_core.strict.documents import Document

DIALECTS = [OPENAI_STRICT, ANTHROPIC_STRICT, GOOGLE_STRICT]
S, I = {"type": "string"}, {"type": "integer"}  # noqa: E741


def losses(schema: Any, descriptor: FormatDescriptor) -> set[tuple[str, str]]:
    return {(loss.pointer, loss.keyword) for loss in strictify(schema, descriptor).losses}


@pytest.mark.parametrize("descriptor", DIALECTS, ids=lambda item: item.id)
def test_a_diamond_of_references_takes_no_exponential_time(descriptor: FormatDescriptor) -> None:
    diamond = {f"d{n}": {"allOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 2} for n in range(40)}
    schema: Any = {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/d0"}},
        "$defs": {**diamond, "d40": S},
    }
    started = time.process_time()
    assert strictify(schema, descriptor).lift({"a": "x"}) == {"a": "x"}
    assert time.process_time() - started < 1


def test_json_text_loses_every_constraint_of_its_place() -> None:
    schema: Any = {
        "type": "object",
        "properties": {"p": {"type": "array", "items": {"$ref": "#"}, "minItems": 2, "not": {"const": 1}}},
    }
    found = losses(schema, ANTHROPIC_STRICT)
    assert {("/properties/p", key) for key in ("type", "items", "minItems", "not")} <= found
    shallow = replace(ANTHROPIC_STRICT, text_below=1)
    nested: Any = {
        "type": "object",
        "properties": {"p": {"type": "object", "properties": {"a": S}, "minProperties": 1}},
    }
    assert ("/properties/p", "minProperties") in losses(nested, shallow)


@pytest.mark.parametrize("descriptor", DIALECTS, ids=lambda item: item.id)
def test_a_forbidden_key_does_not_come_back_through_the_open_end(descriptor: FormatDescriptor) -> None:
    schema: Any = {"type": "object", "properties": {"a": False}, "additionalProperties": True}
    form = strictify(schema, descriptor)
    value = form.lower({"b": 1})
    assert form.lift(value) == {"b": 1}
    pairs: Any = value
    pairs["value"].append({**pairs["value"][0], "key": "a"})
    assert form.lift(pairs) == {"b": 1}


@pytest.mark.parametrize("descriptor", DIALECTS, ids=lambda item: item.id)
def test_what_patterns_and_names_say_is_lost_or_noted(descriptor: FormatDescriptor) -> None:
    mixed: Any = {"type": "object", "patternProperties": {"^x": S}, "additionalProperties": I}
    assert losses(mixed, descriptor) == {("", "patternProperties"), ("", "additionalProperties")}
    silent: Any = {"type": "object", "patternProperties": {"^x": I}}
    assert "no pattern" in strictify(silent, descriptor).notes[0].text
    named: Any = {"type": "object", "properties": {"A": S}, "propertyNames": {"const": "a"}}
    assert ("", "propertyNames") in losses(named, descriptor)


@pytest.mark.parametrize("descriptor", DIALECTS, ids=lambda item: item.id)
@pytest.mark.parametrize(
    ("schema", "value"), [({"const": 1.0}, 1), ({"const": 1}, 1.0), ({"enum": [1, 1.5, 2.0]}, 2)]
)
def test_equal_numbers_are_equal_however_they_are_written(
    schema: Any, value: Any, descriptor: FormatDescriptor
) -> None:
    form = strictify(schema, descriptor)
    assert form.lift(form.lower(value)) == value


@pytest.mark.parametrize("descriptor", DESCRIPTORS, ids=lambda item: item.id)
@pytest.mark.parametrize(
    "schema", [{"$ref": "#/anyOf/²", "anyOf": [S]}, {"const": 10**5000}, {"maximum": float("nan")}]
)
def test_odd_numbers_and_pointers_are_refused_in_our_words(schema: Any, descriptor: FormatDescriptor) -> None:
    try:
        strictify(schema, descriptor)
    except UnsupportedSchemaError as error:
        assert error.reason
    else:
        assert not descriptor.strict
        assert "anyOf" in schema


def test_lenient_forms_keep_references_and_data_right() -> None:
    anchored: Any = strictify(
        {"anyOf": [{"$ref": "#/$defsx"}, {"const": {"$ref": "#"}}], "$defsx": S}, OPENAI
    ).schema
    value = anchored["properties"]["value"]
    assert value["anyOf"] == [{"$ref": "#/properties/value/$defsx"}, {"const": {"$ref": "#"}}]
    old: Any = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "properties": {"a": {"$ref": "#/definitions/A", "maxLength": 1}},
        "definitions": {"A": S},
    }
    assert strictify(old, ANTHROPIC).schema["properties"] == {"a": {"$ref": "#/definitions/A"}}


def test_a_draft_that_nobody_knows_is_read_as_the_latest() -> None:
    schema: Any = {
        "$schema": "https://example.com/mine",
        "type": "object",
        "additionalProperties": {"$ref": "#"},
    }
    assert sample_values(schema, 2)
    listed = {
        **schema,
        "properties": {"a": {"enum": ["x", 1], "type": "string"}},
        "additionalProperties": False,
    }
    values = strictify(listed, GOOGLE_STRICT).schema["properties"]["a"]  # type: ignore[index]  # pyright: ignore[reportIndexIssue]
    assert values == {"type": "string", "enum": ["x"]}


@pytest.mark.parametrize("descriptor", DIALECTS, ids=lambda item: item.id)
def test_an_object_whose_keys_can_have_no_name_is_empty(descriptor: FormatDescriptor) -> None:
    form = strictify({"type": "object", "propertyNames": False}, descriptor)
    assert form.lift(form.lower({})) == {}
    assert form.losses == ()
    nested: Any = {"type": "object", "properties": {"a": {"type": "object", "propertyNames": False}}}
    form = strictify(nested, descriptor)
    assert form.lift(form.lower({"a": {}})) == {"a": {}}


@pytest.mark.parametrize("descriptor", DIALECTS, ids=lambda item: item.id)
def test_a_negative_length_says_nothing(descriptor: FormatDescriptor) -> None:
    schema: Any = {"type": "object", "properties": {"a": {"type": "array", "items": S, "minItems": -1}}}
    assert dialect_violations(strictify(schema, descriptor).schema, descriptor) == []


@pytest.mark.parametrize("descriptor", DIALECTS, ids=lambda item: item.id)
def test_patterns_that_no_value_satisfies_leave_an_empty_object(descriptor: FormatDescriptor) -> None:
    impossible = {"^a": {"type": "null", "enum": [1]}, "b": {"enum": []}}
    form = strictify({"type": "object", "patternProperties": impossible}, descriptor)
    assert form.lift(form.lower({})) == {}
    assert any("match no pattern" in note.text for note in form.notes)


@pytest.mark.parametrize("descriptor", DIALECTS, ids=lambda item: item.id)
def test_a_listed_number_is_read_however_it_is_spelt(descriptor: FormatDescriptor) -> None:
    """JSON Schema holds 2 and 2.0 for equal, so a model may write either."""
    form = strictify(
        {"type": "object", "properties": {"a": {"enum": ["x", 2.0]}}, "required": ["a"]}, descriptor
    )
    assert form.lift({"a": 2}) == form.lift({"a": 2.0}) == {"a": 2}


@pytest.mark.parametrize("descriptor", DIALECTS, ids=lambda item: item.id)
def test_a_null_that_something_beside_it_forbids_is_not_there(descriptor: FormatDescriptor) -> None:
    never: Any = {"type": "object", "properties": {"a": {"type": "null", "not": {"type": "null"}}}}
    assert strictify(never, descriptor).schema["properties"] == {}
    other: Any = {"oneOf": [{"type": "null", "if": True, "then": I}, {"type": "null"}, {"type": "object"}]}
    form = strictify({"type": "object", "properties": {"a": other}, "required": ["a"]}, descriptor)
    assert form.lift(form.lower({"a": None})) == {"a": None}


@pytest.mark.parametrize("descriptor", DIALECTS, ids=lambda item: item.id)
@pytest.mark.parametrize(
    ("schema", "lost"),
    [
        ({"type": "array", "maxItems": 0, "contains": {}}, "contains"),
        ({"type": "object", "required": ["a"], "unevaluatedProperties": S}, "unevaluatedProperties"),
        (
            {"type": "object", "patternProperties": {"^x": S, "^y": I}, "unevaluatedProperties": False},
            "unevaluatedProperties",
        ),
        (
            {
                "type": "object",
                "additionalProperties": False,
                "patternProperties": {"^x": {}},
                "propertyNames": {"enum": ["a", "x"]},
            },
            "additionalProperties",
        ),
        (
            {"type": "array", "contains": {"type": "number"}, "unevaluatedItems": False},
            "unevaluatedItems",
        ),
    ],
    ids=lambda item: item if isinstance(item, str) else "",
)
def test_what_a_shape_does_not_hold_is_listed(schema: Any, lost: str, descriptor: FormatDescriptor) -> None:
    assert ("", lost) in losses(schema, descriptor)


@pytest.mark.parametrize("descriptor", DIALECTS, ids=lambda item: item.id)
def test_items_that_are_contained_are_evaluated(descriptor: FormatDescriptor) -> None:
    schema: Any = {"type": "array", "contains": {"type": "number"}, "unevaluatedItems": False}
    form = strictify(schema, descriptor)
    assert form.lift(form.lower([1])) == [1]


@pytest.mark.parametrize("descriptor", DIALECTS, ids=lambda item: item.id)
def test_a_pattern_that_is_no_regular_expression_does_not_reach_the_provider(
    descriptor: FormatDescriptor,
) -> None:
    form = strictify({"type": "object", "properties": {"a": {**S, "pattern": "["}}}, descriptor)
    assert '"pattern"' not in form.text
    assert [(loss.pointer, loss.keyword) for loss in form.losses] == [("/properties/a", "pattern")]


OLD = {"04": "http://json-schema.org/draft-04/schema#", "07": "http://json-schema.org/draft-07/schema#"}


@pytest.mark.parametrize("descriptor", DESCRIPTORS, ids=lambda item: item.id)
def test_a_keyword_that_came_after_the_draft_says_nothing(descriptor: FormatDescriptor) -> None:
    late = {"prefixItems": [S], "unevaluatedItems": False, "dependentRequired": {"a": ["b"]}}
    schema: Any = {"$schema": OLD["07"], "type": "object", "properties": {"p": {"type": "array", **late}}}
    form = strictify(schema, descriptor)
    assert form.losses == ()
    assert form.lift(form.lower({"p": [1, 2]})) == {"p": [1, 2]}
    assert ("prefixItems" in form.text) == (descriptor.family is None)
    tests: Any = {**record_of(a={"type": "integer", "if": {"minimum": 3}}), "$schema": OLD["04"]}
    assert strictify(tests, descriptor).losses == ()


def record_of(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


def test_a_flag_beside_a_bound_is_lost_with_it() -> None:
    schema: Any = {
        "$schema": OLD["04"],
        **record_of(a={"type": "number", "minimum": 0, "exclusiveMinimum": True}),
    }
    found = {("/properties/a", "minimum"), ("/properties/a", "exclusiveMinimum")}
    assert losses(schema, GOOGLE_STRICT) == found
    assert losses(schema, OPENAI_STRICT) == set()


@pytest.mark.parametrize("descriptor", DIALECTS, ids=lambda item: item.id)
def test_a_whole_number_is_an_integer_to_the_fourth_draft_too(descriptor: FormatDescriptor) -> None:
    schema: Any = {"$schema": OLD["04"], **record_of(a={"type": "integer"})}
    lifted: Any = strictify(schema, descriptor).lift({"a": 3.0})
    assert type(lifted["a"]) is int


def test_items_that_are_given_leave_none_unevaluated() -> None:
    schema: Any = record_of(a={"type": "array", "unevaluatedItems": False})
    assert losses(schema, OPENAI) == {("/properties/a", "unevaluatedItems")}
    assert losses(schema, ANTHROPIC) == set()


@pytest.mark.parametrize("descriptor", DIALECTS, ids=lambda item: item.id)
@pytest.mark.parametrize(
    "inner", [{"prefixItems": [S]}, {"items": S}, {"if": {"prefixItems": [S]}}, {"$ref": "#/$defs/t"}]
)
def test_items_that_a_schema_beside_it_evaluates_are_not_forbidden(
    inner: Any, descriptor: FormatDescriptor
) -> None:
    inside = inner if "if" in inner else {"allOf": [inner]}
    schema: Any = {"type": "array", **inside, "unevaluatedItems": False, "$defs": {"t": {"prefixItems": [S]}}}
    form = strictify(schema, descriptor)
    assert form.lift(form.lower(["x"])) == ["x"]
    assert ("", "unevaluatedItems") in {(loss.pointer, loss.keyword) for loss in form.losses}


@pytest.mark.parametrize("descriptor", DIALECTS, ids=lambda item: item.id)
def test_an_array_that_must_be_empty_cannot_be_lowered_with_items(descriptor: FormatDescriptor) -> None:
    form = strictify(record_of(a={"type": "array", "maxItems": 0}), descriptor)
    assert form.lift(form.lower({"a": []})) == {"a": []}
    with pytest.raises(SchemaMismatchError, match=r"\$\.a: expected an empty array"):
        form.lower({"a": [1]})


@pytest.mark.parametrize("descriptor", DIALECTS, ids=lambda item: item.id)
@pytest.mark.parametrize(
    "inner",
    [
        {"$ref": "#/$defs/open"},
        {"allOf": [{"additionalProperties": S}]},
        {"allOf": [{"patternProperties": {"^x": S}}]},
    ],
)
def test_properties_that_a_schema_beside_it_evaluates_are_not_forbidden(
    inner: Any, descriptor: FormatDescriptor
) -> None:
    schema: Any = {
        **record_of(a=S),
        **inner,
        "unevaluatedProperties": False,
        "$defs": {"open": {"additionalProperties": S}},
    }
    form = strictify(schema, descriptor)
    value = {"a": "one", "x": "two"}
    assert form.lift(form.lower(value)) == value
    assert ("", "unevaluatedProperties") in {(loss.pointer, loss.keyword) for loss in form.losses}


def test_unevaluated_properties_hold_beside_properties_that_they_see() -> None:
    seen: Any = {**record_of(a=S), "$ref": "#/$defs/b", "unevaluatedProperties": False}
    form = strictify({**seen, "$defs": {"b": record_of(b=S)}}, OPENAI_STRICT)
    assert (form.losses, form.notes) == ((), ())
    unseen: Any = {"allOf": [record_of(a=S), {"unevaluatedProperties": I}]}
    assert losses(unseen, OPENAI_STRICT) == {("/allOf/1", "unevaluatedProperties")}


@pytest.mark.parametrize("descriptor", DIALECTS, ids=lambda item: item.id)
def test_a_listed_name_that_is_no_text_names_no_key(descriptor: FormatDescriptor) -> None:
    form = strictify({"type": "object", "propertyNames": {"enum": ["1", 3.5]}}, descriptor)
    assert form.lift(form.lower({"1": "x"})) == {"1": "x"}
    assert "3.5" not in form.text


def test_a_recursive_union_is_not_tagged_where_null_means_absent() -> None:
    union = {"anyOf": [{"type": "object", "properties": {"a": {"$ref": "#/$defs/u"}}}, S]}
    form = strictify({**record_of(u={"$ref": "#/$defs/u"}), "$defs": {"u": union}}, OPENAI_STRICT)
    assert "__value__" not in form.text
    assert strictify(form.schema, OPENAI_STRICT).schema == form.schema
    value = {"u": {"a": {"a": "x"}}}
    assert form.lift(form.lower(value)) == value


def test_a_part_is_checked_though_another_part_refers_nowhere() -> None:
    schema: Any = {"enum": ["x", "y"], "minLength": 1, "$defs": {"d": {"$ref": "#/nowhere"}}}
    document = Document.of(schema)
    assert document.accepts((), "x")
    assert not document.accepts((), "z")


def test_what_a_form_says_in_words() -> None:
    open_keys: Any = strictify(
        {
            "type": "object",
            "properties": {"a": {"type": "string"}},
            "additionalProperties": {"type": "integer"},
        },
        OPENAI_STRICT,
    ).schema["properties"]
    assert open_keys["__extra__"]["description"] == "further entries, as an array of key/value pairs"


@pytest.mark.parametrize(
    ("dialect", "named"), [(OPENAI_STRICT, ["string", "null"]), (ANTHROPIC_STRICT, "string")]
)
def test_an_optional_null_that_is_dropped_is_noted_and_the_description_stays(
    dialect: FormatDescriptor, named: object
) -> None:
    schema = {"type": "object", "properties": {"a": {"type": ["string", "null"], "description": "A name"}}}
    form: Any = strictify(schema, replace(dialect, null_of_optional="dropped"))
    assert form.schema["properties"]["a"] == {"type": named, "description": "A name"}
    noted = [note.text for note in form.notes if note.pointer == "/properties/a"]
    assert noted == ["null is left out: the property can be absent"]


def test_a_value_that_nests_without_end_is_refused_in_words() -> None:
    form = strictify({"type": "object", "properties": {"a": {"$ref": "#"}}}, OPENAI_STRICT)
    deep: dict[str, object] = {}
    for _ in range(100_000):
        deep = {"a": deep}
    with pytest.raises(SchemaMismatchError) as caught:
        form.lift(deep)
    assert str(caught.value) == "$: expected a value that does not nest too deeply, got one that does"
    while deep:  # taken apart by hand, for freeing it recurses
        deep = cast("dict[str, object]", deep.pop("a", {}))


def test_alternatives_that_multiply_beyond_bounds_are_a_loss_of_the_later_keyword() -> None:
    members: list[Any] = [{"required": [f"p{n}"]} for n in range(9)]
    schema = {
        "type": "object",
        "properties": {f"p{n}": S for n in range(9)},
        "anyOf": members,
        "oneOf": members,
    }
    assert losses(schema, OPENAI_STRICT) >= {("", "oneOf")}
    assert losses({**schema, "oneOf": members[:2]}, OPENAI_STRICT) >= {("", "oneOf")}
    assert ("", "anyOf") not in losses({**schema, "oneOf": members[:1]}, OPENAI_STRICT)
