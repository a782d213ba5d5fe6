"""Keyword by keyword: what goes on the wire, what comes back, what is lost."""

from __future__ import annotations

import copy
import time
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.strict.laws import broken_laws
from tool_core import SchemaMismatchError, Tool, UnsupportedSchemaError, get_json_schema
from tool_core.strict import (
    ANTHROPIC,
    ANTHROPIC_STRICT,
    DESCRIPTORS,
    GOOGLE,
    GOOGLE_STRICT,
    LENIENT,
    OPENAI,
    OPENAI_STRICT,
    FormatDescriptor,
    SizeLimits,
    check_descriptor,
    dialect_violations,
    strictify,
)

DIALECTS = [OPENAI_STRICT, ANTHROPIC_STRICT, GOOGLE_STRICT]
OPENAI_S, A, G = DIALECTS


def obj(required: list[str] | None = None, **properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties) if required is None else required,
        "additionalProperties": False,
    }


def field(schema: Any, descriptor: FormatDescriptor) -> Any:
    """Return the wire schema of one required property."""
    wire: Any = strictify(obj(a=schema), descriptor).schema
    return wire["properties"]["a"]


STRING, INTEGER, NULL = {"type": "string"}, {"type": "integer"}, {"type": "null"}
EXPLICIT_NULL = obj(__null__={"type": "boolean", "enum": [True]})


def pairs(value: Any) -> Any:
    return {
        "type": "array",
        "items": obj(key=STRING, value=value),
        "description": "a mapping, written as an array of key/value pairs",
    }


KEPT: list[tuple[Any, FormatDescriptor, Any]] = [
    ({"type": "string", "minLength": 3}, OPENAI_S, {"type": "string", "description": "at least 3 characters"}),
    ({"type": "string", "minLength": 3}, A, {"type": "string", "description": "at least 3 characters"}),
    ({"type": "string", "pattern": "^a+$"}, OPENAI_S, {"type": "string", "pattern": "^a+$"}),
    ({"type": "string", "pattern": "^a+$"}, A, {"type": "string", "pattern": "^a+$"}),
    ({"type": "string", "pattern": "^a+$"}, G, {"type": "string", "description": "must match the pattern ^a+$"}),
    ({"type": "string", "pattern": "(?=a)b"}, OPENAI_S, {"type": "string", "description": "must match the pattern (?=a)b"}),
    ({"type": "string", "pattern": r"\bx"}, A, {"type": "string", "description": r"must match the pattern \bx"}),
    ({"type": "string", "format": "uri"}, OPENAI_S, {"type": "string", "description": "format: uri"}),
    ({"type": "string", "format": "uri"}, A, {"type": "string", "format": "uri"}),
    ({"type": "string", "format": "email"}, G, {"type": "string", "description": "format: email"}),
    ({"type": "string", "format": "date"}, G, {"type": "string", "format": "date"}),
    ({"type": "integer", "minimum": 1, "maximum": 5}, OPENAI_S, {"type": "integer", "minimum": 1, "maximum": 5}),
    ({"type": "integer", "minimum": 1}, A, {"type": "integer", "description": "at least 1"}),
    ({"type": "number", "exclusiveMinimum": 1}, G, {"type": "number", "description": "more than 1"}),
    ({"type": "number", "minimum": 1, "exclusiveMinimum": True}, OPENAI_S, {"type": "number", "exclusiveMinimum": 1}),
    ({"type": "array", "items": STRING, "maxItems": 3}, OPENAI_S, {"type": "array", "items": STRING, "maxItems": 3}),
    ({"type": "array", "items": STRING, "maxItems": 3}, A, {"type": "array", "items": STRING, "description": "at most 3 items"}),
    ({"type": "array", "items": STRING, "minItems": 1}, A, {"type": "array", "items": STRING, "minItems": 1}),
    ({"type": "array", "items": STRING, "minItems": 2}, A, {"type": "array", "items": STRING, "description": "at least 2 items"}),
    ({"type": "array", "items": STRING, "uniqueItems": True}, OPENAI_S, {"type": "array", "items": STRING, "description": "items must all differ"}),
    ({"const": "x"}, OPENAI_S, {"type": "string", "enum": ["x"]}),
    ({"enum": ["a", "b", "a"]}, G, {"type": "string", "enum": ["a", "b"]}),
    ({"enum": [1, "a", None]}, OPENAI_S, {"anyOf": [{"type": "integer", "enum": [1]}, {"type": "string", "enum": ["a"]}, NULL]}),
    ({"enum": [True]}, G, {"type": "string", "enum": ["true"]}),
    ({"enum": [{"a": 1}]}, A, {"type": "string", "enum": ["option_0"], "description": 'option_0: {"a": 1}'}),
    ({"type": ["string", "null"]}, OPENAI_S, {"type": ["string", "null"]}),
    ({"type": ["integer", "number"]}, OPENAI_S, {"type": "number"}),
    ({"oneOf": [STRING, INTEGER]}, A, {"type": ["string", "integer"]}),
    ({"allOf": [{"type": "integer", "minimum": 1}, {"minimum": 3}]}, OPENAI_S, {"type": "integer", "minimum": 3}),
    ({"type": "object", "additionalProperties": INTEGER}, OPENAI_S, pairs(INTEGER)),
    ({"type": "object", "additionalProperties": INTEGER}, A, pairs(INTEGER)),
    ({}, A, {"type": "string", "description": "any JSON value, written as JSON text"}),
    ({}, G, {}),
    (True, OPENAI_S, {"$ref": "#/$defs/Any"}),
    ({"type": "array"}, G, {"type": "array", "items": {}}),
    ({"type": "object", "properties": {}}, OPENAI_S, obj()),
]  # fmt: skip


@pytest.mark.parametrize(("schema", "descriptor", "expected"), KEPT)
def test_a_keyword_is_kept_or_said_in_words(schema: Any, descriptor: FormatDescriptor, expected: Any) -> None:
    wire = field(schema, descriptor)
    wire.pop("propertyOrdering", None)
    assert wire == expected


def test_the_four_cases_of_optional_and_nullable_are_told_apart() -> None:
    nullable = {"type": ["string", "null"]}
    schema = obj(["r", "rn"], r=STRING, rn=nullable, o=STRING, on=nullable)
    form = strictify(schema, OPENAI_STRICT)
    wire: Any = form.schema["properties"]
    assert wire["r"] == STRING
    assert wire["rn"] == wire["o"] == {"type": ["string", "null"]}
    assert wire["on"] == {"anyOf": [STRING, EXPLICIT_NULL, NULL]}
    for value in (
        {"r": "x", "rn": None},
        {"r": "x", "rn": "y", "o": "z"},
        {"r": "x", "rn": None, "on": None},
        {"r": "x", "rn": None, "on": "w"},
    ):
        assert form.lift(form.lower(value)) == value
    native: Any = strictify(schema, ANTHROPIC_STRICT).schema
    assert native["required"] == ["r", "rn"]


def test_a_missing_nullable_key_is_forgiven() -> None:
    form = strictify(obj([], a=STRING), OPENAI_STRICT)
    assert form.lift({}) == form.lift({"a": None}) == {}


ROUND_TRIPS: list[tuple[Any, list[Any]]] = [
    ({"type": "object", "additionalProperties": INTEGER}, [{}, {"a": 1, "b": 2}]),
    ({"type": "object", "properties": {"a": STRING}, "additionalProperties": INTEGER}, [{"a": "x"}, {"b": 1}, {"a": "x", "b": 1}]),
    ({"type": "object", "properties": {"__extra__": STRING}, "additionalProperties": True}, [{"__extra__": "x", "y": [1]}]),
    ({"type": "object"}, [{}, {"a": {"b": [1, None, {"c": True}]}}]),
    (obj(a={}), [{"a": 1}, {"a": "1"}, {"a": "text"}, {"a": None}, {"a": {"k": [1, {"z": "q"}]}}, {"a": []}]),
    (obj([], a={}), [{}, {"a": None}, {"a": "x"}]),
    ({"type": "array", "prefixItems": [STRING, INTEGER], "minItems": 1}, [["a"], ["a", 1], ["a", 1, None, {"b": 2}]]),
    ({"type": "array", "prefixItems": [STRING, INTEGER], "items": False, "minItems": 2}, [["a", 1]]),
    ({"type": "array", "prefixItems": [{"type": ["string", "null"]}]}, [[], [None], ["a"], ["a", 3]]),
    ({"$schema": "http://json-schema.org/draft-07/schema#", "items": [STRING], "additionalItems": INTEGER, "type": "array"}, [[], ["a"], ["a", 1, 2]]),
    ({"type": "array", "items": STRING}, [[], ["a"]]),
    (STRING, ["x"]),
    ({"anyOf": [STRING, obj(a=INTEGER)]}, ["x", {"a": 1}]),
    ({"anyOf": [{"type": "object", "additionalProperties": INTEGER}, {"type": "array", "items": obj(key=STRING, value=INTEGER)}]},
     [{"a": 1}, [{"key": "a", "value": 1}], {}, []]),
    ({"anyOf": [{"type": "array", "prefixItems": [STRING]}, {**obj([]), "properties": {"0": STRING}}]}, [["a"], {"0": "a"}, {}, []]),
    ({"anyOf": [{"enum": [{"x": 1}]}, STRING]}, [{"x": 1}, "option_0"]),
    (obj(a={"anyOf": [obj([], x=STRING), obj([], x={"type": "null"})]}), [{"a": {}}, {"a": {"x": "s"}}, {"a": {"x": None}}]),
    ({**obj([]), "properties": {"$weird name": STRING, "_weird_name": INTEGER}}, [{"$weird name": "x", "_weird_name": 1}]),
    ({"$ref": "#/$defs/Node", "$defs": {"Node": obj(["v"], v=INTEGER, next={"$ref": "#/$defs/Node"})}},
     [{"v": 1}, {"v": 1, "next": {"v": 2, "next": {"v": 3}}}]),
    ({"type": "object", "properties": {"kids": {"type": "array", "items": {"$ref": "#"}}}, "required": ["kids"], "additionalProperties": False},
     [{"kids": []}, {"kids": [{"kids": []}]}]),
    ({"type": "object", "patternProperties": {"^x-": STRING}, "additionalProperties": False}, [{}, {"x-a": "b"}]),
]  # fmt: skip


@pytest.mark.parametrize("descriptor", DIALECTS, ids=lambda item: item.id)
@pytest.mark.parametrize(("schema", "values"), ROUND_TRIPS, ids=lambda item: str(item)[:50])
def test_values_go_there_and_come_back(schema: Any, values: list[Any], descriptor: FormatDescriptor) -> None:
    form = strictify(schema, descriptor)
    assert dialect_violations(form.schema, descriptor) == []
    for value in values:
        assert form.lift(form.lower(value)) == value
    assert broken_laws(schema, descriptor, 8) == []


@pytest.mark.parametrize(
    ("keyword", "schema"),
    [
        ("not", {"type": "string", "not": {"const": "x"}}),
        ("if", {"type": "string", "if": {"minLength": 1}, "then": {"maxLength": 3}}),
        ("oneOf", {"oneOf": [STRING, {"type": "string", "minLength": 3}]}),
        ("uniqueItems", {"type": "array", "items": STRING, "uniqueItems": True}),
        ("contains", {"type": "array", "items": STRING, "contains": {"const": "a"}}),
        ("minProperties", {"type": "object", "additionalProperties": STRING, "minProperties": 2}),
        ("dependentRequired", {**obj([], a=STRING, b=STRING), "dependentRequired": {"a": ["b"]}}),
        ("patternProperties", {"type": "object", "patternProperties": {"^a": STRING, "^b": INTEGER}, "additionalProperties": False}),
    ],
)  # fmt: skip
@pytest.mark.parametrize("descriptor", DIALECTS, ids=lambda item: item.id)
def test_what_no_grammar_holds_is_listed_as_a_loss(
    keyword: str, schema: Any, descriptor: FormatDescriptor
) -> None:
    form = strictify(obj(a=schema), descriptor)
    assert ("/properties/a", keyword) in [(loss.pointer, loss.keyword) for loss in form.losses]
    assert broken_laws(obj(a=schema), descriptor, 8) == []


def test_recursion_is_kept_where_it_may_be_and_is_text_elsewhere() -> None:
    node = obj(["v"], v=INTEGER, next={"$ref": "#/$defs/Node"})
    schema = {"type": "object", "properties": {"n": {"$ref": "#/$defs/Node"}}, "$defs": {"Node": node}}
    assert "Node" in strictify(schema, OPENAI_STRICT).text
    assert strictify(schema, GOOGLE_STRICT).lower({"n": {"v": 1, "next": {"v": 2}}}) == {
        "n": {"v": 1, "next": {"v": 2}}
    }
    form = strictify(schema, ANTHROPIC_STRICT)
    assert form.lower({"n": {"v": 1, "next": {"v": 2}}}) == {"n": {"v": 1, "next": '{"v": 2}'}}
    assert [loss.keyword for loss in form.losses] == ["$ref"]


def test_a_required_cycle_is_cut_for_google() -> None:
    schema = obj(kids={"type": "array", "items": {"$ref": "#"}})
    form = strictify(schema, GOOGLE_STRICT)
    assert dialect_violations(form.schema, GOOGLE_STRICT) == []
    assert form.lift(form.lower({"kids": [{"kids": []}]})) == {"kids": [{"kids": []}]}


def test_the_casing_of_an_enum_is_repaired_where_that_is_unambiguous() -> None:
    form = strictify(obj(a={"enum": ["Red", "BLUE"]}), ANTHROPIC_STRICT)
    assert form.lift({"a": "red"}) == {"a": "Red"}
    twins = strictify(obj(a={"enum": ["a", "A"]}), ANTHROPIC_STRICT)
    assert twins.lift({"a": "A"}) == {"a": "A"}


def test_size_limits_are_met_by_text_and_by_widening() -> None:
    deep: Any = STRING
    for _ in range(14):
        deep = obj(a=deep)
    form = strictify(deep, OPENAI_STRICT)
    assert dialect_violations(form.schema, OPENAI_STRICT) == []
    assert any("JSON text" in loss.detail for loss in form.losses)
    many = obj(a={"enum": [f"v{number}" for number in range(1500)]})
    wide = strictify(many, OPENAI_STRICT)
    assert ("/properties/a", "enum") in [(loss.pointer, loss.keyword) for loss in wide.losses]
    assert broken_laws(many, OPENAI_STRICT) == []


@pytest.mark.parametrize(
    ("schema", "reason"),
    [
        (False, "no value satisfies the schema"),
        (obj(a={"enum": []}), "no value satisfies the schema"),
        (obj(a={"type": "string", "enum": [1]}), "no value satisfies the schema"),
        ({"$ref": "#/nowhere"}, "the reference '#/nowhere' points nowhere"),
        ({"$ref": "https://example.com/x"}, "the reference 'https://example.com/x' is not local"),
        ({"$ref": "#/a", "a": {"$ref": "#/b"}, "b": {"$ref": "#/a"}}, "the reference leads back to itself"),
    ],
)
@pytest.mark.parametrize("descriptor", DIALECTS, ids=lambda item: item.id)
def test_what_cannot_be_expressed_says_where_and_why(
    schema: Any, reason: str, descriptor: FormatDescriptor
) -> None:
    with pytest.raises(UnsupportedSchemaError) as caught:
        strictify(schema, descriptor)
    assert caught.value.reason == reason


def hostile() -> list[Any]:
    nested: Any = {}
    for _ in range(5000):
        nested = {"properties": {"a": nested}}
    chain: Any = {
        f"d{n}": obj([], a={"$ref": f"#/$defs/d{n + 1}"}, b={"$ref": f"#/$defs/d{n + 1}"}) for n in range(40)
    }
    bomb = {"$ref": "#/$defs/d0", "$defs": {**chain, "d40": STRING}}
    product = {"allOf": [{"anyOf": [obj([], **{f"p{i}{j}": STRING}) for j in range(4)]} for i in range(12)]}
    cyclic: dict[str, Any] = {}
    cyclic["properties"] = {"self": cyclic}
    return [
        nested,
        bomb,
        product,
        cyclic,
        {"properties": {1: STRING}},
        {"default": {1, 2}},
        [],
        "string",
        None,
    ]


@pytest.mark.parametrize("schema", hostile(), ids=lambda item: type(item).__name__)
@pytest.mark.parametrize("descriptor", DESCRIPTORS, ids=lambda item: item.id)
def test_a_hostile_schema_is_refused_or_bounded_at_once(schema: Any, descriptor: FormatDescriptor) -> None:
    started = time.process_time()
    try:
        form = strictify(schema, descriptor)
    except UnsupportedSchemaError:
        pass
    else:
        assert len(form.text) < 100_000
    assert time.process_time() - started < 1


def test_strictify_is_pure_deterministic_and_cached() -> None:
    schema = obj([], b=STRING, a={"type": "object"})
    before = copy.deepcopy(schema)
    first, second = strictify(schema, OPENAI_STRICT), strictify(schema, OPENAI_STRICT)
    assert schema == before
    assert first is second
    first.schema["properties"] = "changed"
    assert strictify(schema, OPENAI_STRICT).schema == second.schema


def test_a_value_off_the_wire_schema_is_our_error_with_its_path() -> None:
    form = strictify(obj(a=obj(b=INTEGER)), OPENAI_STRICT)
    with pytest.raises(SchemaMismatchError) as caught:
        form.lift({"a": {"b": "x"}})
    assert str(caught.value) == "$.a.b: expected a value of type integer, got the string 'x'"


def test_losses_can_be_kept_out_of_descriptions() -> None:
    quiet = replace(OPENAI_STRICT, describe_losses=False)
    assert field({"type": "string", "minLength": 3}, quiet) == STRING


def test_a_smaller_dialect_needs_no_code() -> None:
    azure = replace(OPENAI_STRICT, id="azure-strict", limits=SizeLimits(100, 5, 120_000, 500))
    assert check_descriptor(azure) == []
    deep: Any = STRING
    for _ in range(8):
        deep = obj(a=deep)
    assert dialect_violations(strictify(deep, azure).schema, azure) == []


def test_an_inconsistent_dialect_is_explained() -> None:
    odd = replace(
        OPENAI_STRICT,
        id="",
        native_optionals=3,
        property_name="[",
        largest_min_items=1,
        array_keywords=frozenset({"x"}),
        largest_enum=0,
    )
    assert check_descriptor(odd) == [
        "array_keywords: 'x' is not one of maxItems, minItems, uniqueItems",
        "native_optionals has no effect where every optional property is nullable",
        "property_name: '[' is not a regular expression",
        "largest_min_items needs 'minItems' in array_keywords",
        "largest_enum must be at least 1",
        "id: a dialect needs a name",
    ]
    assert all(check_descriptor(item) == [] for item in DESCRIPTORS)


# --- lenient forms -----------------------------------------------------------------------------


@pytest.mark.parametrize("descriptor", [OPENAI, ANTHROPIC, GOOGLE], ids=lambda item: item.id)
def test_a_lenient_form_closes_nothing_and_keeps_the_authors_words(descriptor: FormatDescriptor) -> None:
    schema: Any = {
        "type": "object",
        "properties": {"m": {"type": "object", "additionalProperties": {"type": "string", "minLength": 3}}},
        "title": "T",
    }
    form = strictify(schema, descriptor)
    assert form.schema == schema
    assert form.lift({"m": {"a": "xyz"}, "other": 1}) == {"m": {"a": "xyz"}, "other": 1}


@pytest.mark.parametrize("descriptor", [OPENAI, ANTHROPIC, GOOGLE], ids=lambda item: item.id)
@pytest.mark.parametrize(
    "schema",
    [
        STRING,
        {"anyOf": [obj(a=STRING), obj(b=STRING)]},
        {"$ref": "#/$defs/X", "$defs": {"X": obj(a=STRING)}},
        {},
    ],
)
def test_a_lenient_root_is_an_object(schema: Any, descriptor: FormatDescriptor) -> None:
    form = strictify(schema, descriptor)
    assert dialect_violations(form.schema, descriptor) == []
    assert form.lift(form.lower("x")) == "x"


def test_a_wrapped_root_keeps_its_references() -> None:
    tree = {"anyOf": [INTEGER, {"type": "array", "items": {"$ref": "#"}}]}
    form: Any = strictify(tree, OPENAI).schema
    assert form["properties"]["value"]["anyOf"][1]["items"] == {"$ref": "#/properties/value"}


def test_lenient_anthropic_renames_what_it_must_and_modernises_drafts() -> None:
    schema: Any = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "properties": {
            "$meta": {"items": [STRING], "type": "array"},
            "ok": {"minimum": 1, "exclusiveMinimum": True},
        },
        "required": ["$meta"],
    }
    form = strictify(schema, ANTHROPIC)
    assert form.schema == {
        "type": "object",
        "properties": {"_meta": {"type": "array", "prefixItems": [STRING]}, "ok": {"exclusiveMinimum": 1}},
        "required": ["_meta"],
    }
    assert form.lift({"_meta": ["a"]}) == {"$meta": ["a"]}
    assert form.lower({"$meta": ["a"]}) == {"_meta": ["a"]}


def test_lenient_without_a_family_is_the_schema_itself() -> None:
    assert strictify({"anyOf": [STRING]}, LENIENT).schema == {"anyOf": [STRING]}


def test_a_tools_schema_can_be_asked_for_in_a_dialect() -> None:
    tool = Tool.make("T", parameters=dict[str, int])
    assert get_json_schema(tool, OPENAI_STRICT)["properties"] == {"value": pairs(INTEGER)}


# --- generated schemas -------------------------------------------------------------------------

NAMES = st.sampled_from(["a", "b", "$c", "d e", "0", "value", "key"])
SCHEMAS: st.SearchStrategy[Any] = st.recursive(
    st.sampled_from([STRING, INTEGER, NULL, {"type": "boolean"}, {"type": "number", "minimum": 0}, {}, True])
    | st.lists(st.sampled_from(["x", "X", 1, True, None, {"o": 1}]), min_size=1, max_size=4).map(
        lambda v: {"enum": v}
    )
    | st.sampled_from([{"type": ["string", "null"]}, {"type": "string", "minLength": 2}, {"type": "object"}]),
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3).map(lambda v: {"anyOf": v}),
        inner.map(lambda v: {"type": "array", "items": v}),
        inner.map(lambda v: {"type": "object", "additionalProperties": v}),
        st.lists(inner, min_size=1, max_size=3).map(lambda v: {"type": "array", "prefixItems": v}),
        st.tuples(
            st.dictionaries(NAMES, inner, max_size=3), st.booleans(), st.sampled_from([False, True, STRING])
        ).map(
            lambda v: {
                "type": "object",
                "properties": v[0],
                "required": list(v[0])[: v[1]],
                "additionalProperties": v[2],
            }
        ),
    ),
    max_leaves=8,
)


@pytest.mark.parametrize("descriptor", DIALECTS, ids=lambda item: item.id)
@given(schema=SCHEMAS)
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_the_laws_hold_for_generated_schemas(descriptor: FormatDescriptor, schema: Any) -> None:
    try:
        assert broken_laws(schema, descriptor, 4) == []
        once = strictify(schema, descriptor).schema
        assert strictify(once, descriptor).schema == once
    except UnsupportedSchemaError as error:
        assert error.reason == "no value satisfies the schema"


def test_every_kind_of_rewriting_is_listed_with_its_place() -> None:
    schema = {
        "type": "object",
        "properties": {
            "a b": {"type": "string"},
            "maybe": {"type": ["string", "null"]},
            "pair": {"type": "array", "prefixItems": [{"type": "number"}], "items": False, "minItems": 1},
            "tags": {"type": "object", "additionalProperties": {"type": "integer"}},
            "free": {},
        },
        "required": ["a b", "pair", "tags", "free"],
    }
    listed = {
        descriptor.family: [(item.pointer, item.kind) for item in strictify(schema, descriptor).rewrites]
        for descriptor in (OPENAI_STRICT, ANTHROPIC_STRICT, GOOGLE_STRICT)
    }
    tuples_and_records = [("/properties/pair", "tuple"), ("/properties/tags", "pairs")]
    assert listed == {
        "openai": [
            ("/properties/free", "any"),
            ("/properties/maybe", "null"),
            ("/properties/maybe", "optional"),
            *tuples_and_records,
        ],
        "anthropic": [("/properties/a b", "renamed"), ("/properties/free", "text"), *tuples_and_records],
        "google": [("/properties/a b", "renamed"), ("/properties/tags", "pairs")],
    }


@pytest.mark.parametrize("descriptor", [OPENAI_STRICT, OPENAI], ids=lambda item: item.id)
def test_a_wrapped_root_is_a_rewriting_in_strict_and_lenient_mode(descriptor: FormatDescriptor) -> None:
    (rewrite,) = strictify({"type": "integer"}, descriptor).rewrites
    assert (rewrite.pointer, rewrite.kind) == ("", "root")
    assert rewrite.detail == 'wrapped as {"value": ...}'


def test_a_schema_that_the_dialect_takes_as_it_is_has_no_rewriting() -> None:
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    assert strictify(schema, OPENAI_STRICT).rewrites == ()


def test_lenient_renaming_is_a_rewriting() -> None:
    form = strictify({"type": "object", "properties": {"a b": {"type": "string"}}}, ANTHROPIC)
    assert [item.detail for item in form.rewrites] == ["'a b' is named 'a_b'"]
