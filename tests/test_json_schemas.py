"""Raw JSON Schemas: kept equal, checked when given, never fetched, never hung."""

import json
import pickle
import time
from types import MappingProxyType
from typing import Any, cast

import pytest

from tool_core import JsonSchema, SchemaMismatchError, ToolConfigurationError

SEARCH: dict[str, object] = {
    "type": "object",
    "properties": {
        "query": {"type": "string", "description": "Search query"},
        "limit": {"type": "number", "minimum": 1, "maximum": 100},
        "item": {"$ref": "#/$defs/Item"},
        "value": {"oneOf": [{"type": "string"}, {"type": "number"}]},
    },
    "required": ["query"],
    "additionalProperties": False,
    "$defs": {"Item": {"type": "object", "properties": {"name": {"type": "string"}}}},
}


def test_a_schema_comes_back_equal_and_unshared() -> None:
    source: dict[str, Any] = {"type": "object", "properties": {"a": {"type": "string"}}}
    schema = JsonSchema.of(source)
    source["properties"]["a"]["type"] = "integer"
    first = schema.json_schema()
    assert first == {"type": "object", "properties": {"a": {"type": "string"}}}
    first.clear()
    assert schema.json_schema() == {"type": "object", "properties": {"a": {"type": "string"}}}


def test_a_schema_is_hashable_comparable_and_picklable() -> None:
    schema = JsonSchema.of(SEARCH)
    assert schema == JsonSchema.of(dict(SEARCH))
    assert len({schema, JsonSchema.of(SEARCH)}) == 1
    assert pickle.loads(pickle.dumps(schema)) == schema


def test_a_read_only_mapping_is_a_schema() -> None:
    assert JsonSchema.of(MappingProxyType({"type": "string"})).json_schema() == {"type": "string"}


VALID: list[object] = [
    {"query": "x"},
    {"query": "x", "limit": 3.0, "item": {"name": "n"}, "value": 1},
]


@pytest.mark.parametrize("value", VALID)
def test_a_valid_value_is_handed_on_as_a_copy(value: object) -> None:
    assert JsonSchema.of(SEARCH).decode(value) == value
    assert JsonSchema.of(SEARCH).decode(value) is not value
    assert JsonSchema.of(SEARCH).encode(value) == value


REFUSED: list[tuple[dict[str, object], object, str]] = [
    (SEARCH, {}, "$.query: expected a value, got nothing (the key is missing)"),
    (
        SEARCH,
        {"query": 1, "limit": 0, "more": 1},
        "$: expected only the keys of the schema, got also 'more'\n"
        "$.limit: expected at least 1, got the integer 0\n"
        "$.query: expected a string, got the integer 1",
    ),
    (SEARCH, {"query": "x", "item": {"name": 1}}, "$.item.name: expected a string, got the integer 1"),
    (
        SEARCH,
        {"query": "x", "value": None},
        "$.value: expected one of these alternatives: a string; a number, got null",
    ),
    (
        {"additionalProperties": False},
        {"a": 1},
        "$: expected an empty object, got an object with the keys 'a'",
    ),
    ({"enum": ["a", 1]}, 2, "$: expected one of 'a', 1, got the integer 2"),
    ({"const": "a"}, 2, "$: expected exactly the string 'a', got the integer 2"),
    ({"type": ["string", "null"]}, 2, "$: expected null or a string, got the integer 2"),
    ({"pattern": "^a"}, "b", "$: expected a string that matches the pattern ^a, got the string 'b'"),
    ({"uniqueItems": True}, [1, 1], "$: expected items that all differ, got an array of 2 items"),
    (
        {"oneOf": [{}, {}]},
        1,
        "$: expected a value that fits exactly one of the alternatives, got the integer 1",
    ),
    ({"properties": {"a": False}}, {"a": 1}, "$.a: expected no value here, got the integer 1"),
]


@pytest.mark.parametrize(("schema", "value", "message"), REFUSED)
def test_a_mismatch_says_path_expectation_and_what_came(
    schema: dict[str, object], value: object, message: str
) -> None:
    with pytest.raises(SchemaMismatchError) as caught:
        JsonSchema.of(schema).decode(value)
    assert str(caught.value) == message


def test_a_schema_means_what_its_draft_says() -> None:
    draft4 = {"$schema": "http://json-schema.org/draft-04/schema#", "minimum": 3, "exclusiveMinimum": True}
    tuple7 = {"$schema": "http://json-schema.org/draft-07/schema#", "items": [{"type": "string"}]}
    unknown = {"$schema": "https://example.com/house-style", "type": "string"}
    with pytest.raises(SchemaMismatchError):
        JsonSchema.of(draft4).decode(3)
    with pytest.raises(SchemaMismatchError):
        JsonSchema.of(tuple7).decode([1])
    assert JsonSchema.of(unknown).decode("x") == "x"
    assert JsonSchema.of(unknown).json_schema() == unknown


@pytest.mark.parametrize(
    ("schema", "description"),
    [
        (
            {"properties": {"a": {"type": "objct"}}},
            "invalid JSON Schema at $.properties.a.type: there is no type 'objct', did you mean 'object'?",
        ),
        ({"required": "a"}, "invalid JSON Schema at $.required: 'a' is not of type 'array'"),
        ({"pattern": "(["}, "invalid JSON Schema at $.pattern: '([' is not a 'regex'"),
        ({"$ref": "#/nope"}, "invalid JSON Schema at $: Pointer '/nope' does not exist"),
        (
            {"$ref": "https://example.com/schema.json"},
            "invalid JSON Schema: the reference 'https://example.com/schema.json' is not local, "
            "and remote ones are never fetched",
        ),
        (
            {"properties": {"a": {"$ref": "other.json#/x"}}},
            "invalid JSON Schema: the reference 'other.json#/x' is not local, and remote ones are never fetched",
        ),
        ({"default": {1, 2}}, "a JSON Schema must be JSON: a Python set is not JSON"),
        (
            {"const": float("nan")},
            "a JSON Schema must be JSON: NaN and Infinity are not JSON",
        ),
        ({1: 2}, "a JSON Schema must be JSON: keys are strings and sequences are lists"),
    ],
)
def test_an_unusable_schema_is_refused_when_it_is_given(schema: Any, description: str) -> None:
    with pytest.raises(ToolConfigurationError) as caught:
        JsonSchema.of(schema)
    assert caught.value.description.startswith(description.partition(" compliant: nan")[0])


def test_a_remote_reference_is_refused_without_a_network_delay() -> None:
    started = time.perf_counter()
    with pytest.raises(ToolConfigurationError):
        JsonSchema.of({"$ref": "http://192.0.2.1/never-there"})
    assert time.perf_counter() - started < 1


def test_a_schema_that_nests_absurdly_is_refused() -> None:
    schema: dict[str, object] = {}
    for _ in range(5000):
        schema = {"properties": {"a": schema}}
    with pytest.raises(ToolConfigurationError):
        JsonSchema.of(schema)


@pytest.mark.parametrize("pattern", ["^(a+)+$", "^(a|aa)+$", "(?=(a+)+$)b", "^(?:a*)*$"])
def test_a_hostile_pattern_cannot_hang_validation(pattern: str) -> None:
    started = time.process_time()
    try:
        JsonSchema.of({"type": "string", "pattern": pattern}).decode("a" * 5000 + "!")
    except SchemaMismatchError:
        pass
    assert time.process_time() - started < 2


def test_validation_off_passes_values_through() -> None:
    assert JsonSchema.of(SEARCH, "off").decode({"anything": 1}) == {"anything": 1}


def test_a_validator_replaces_the_schema_and_its_value_is_what_the_handler_gets() -> None:
    schema = JsonSchema.of(SEARCH, lambda value: str(value).upper())
    assert schema.decode("x") == "X"


def test_a_validator_that_raises_refuses_the_value_in_its_own_words() -> None:
    def positive(value: object) -> int:
        raise ValueError("must be positive")

    with pytest.raises(SchemaMismatchError) as caught:
        JsonSchema.of({}, positive).decode(1)
    assert str(caught.value) == "$: expected a value that positive accepts, got ValueError: must be positive"


def test_an_unknown_validation_is_refused() -> None:
    with pytest.raises(ToolConfigurationError) as caught:
        JsonSchema.of({}, cast(Any, "strictly"))
    assert (
        caught.value.description == "validate is 'schema', 'off' or a function of the value, not 'strictly'"
    )


@pytest.mark.parametrize("schema", [{"type": "integer"}, {"enum": [3, "a"]}, {"const": 3}])
def test_a_whole_number_is_an_int_to_the_handler_however_it_was_written(schema: dict[str, object]) -> None:
    for decoded in (JsonSchema.of(schema).decode(3.0), JsonSchema.of(schema).decode_json("3.0")):
        assert type(decoded) is int and decoded == 3


def test_a_number_that_need_not_be_whole_stays_as_it_is() -> None:
    assert type(JsonSchema.of({"type": "number"}).decode(3.0)) is float


@pytest.mark.parametrize("validate", ["off", lambda value: value])
def test_a_result_must_be_json_even_where_it_is_not_checked(validate: Any) -> None:
    schema = JsonSchema.of({"type": "string"}, validate)
    assert schema.encode({"a": [1]}) == {"a": [1]}
    with pytest.raises(SchemaMismatchError, match=r"\$\.a: expected a JSON value, got a Python set"):
        schema.encode({"a": {1}})


def test_a_value_that_is_no_json_is_refused_before_it_is_checked() -> None:
    with pytest.raises(SchemaMismatchError, match=r"\$\.a: expected a JSON value, got a Python set"):
        JsonSchema.of({"type": "object"}).decode({"a": {1}})


@pytest.mark.parametrize("schema", ["3", "[]", '"text"'])
def test_a_typed_schema_is_an_object(schema: str) -> None:
    with pytest.raises(ToolConfigurationError, match="a JSON Schema is an object, not"):
        JsonSchema.typed(dict[str, int], schema)


@pytest.mark.parametrize(
    "schema",
    [
        '{"properties": {"__proto__": {"type": "string"}}}',
        '{"default": {"constructor": {"prototype": {}}}}',
        '{"properties": {"a": ' * 50 + "{}" + "}}" * 50,
    ],
)
def test_the_text_of_a_typed_schema_may_say_what_arguments_may_not(schema: str) -> None:
    assert JsonSchema.typed(dict[str, object], schema).json_schema() == json.loads(schema)


@pytest.mark.parametrize("schema", ["{", '{"minimum": NaN}', "[" * 100_000])
def test_the_text_of_a_typed_schema_is_json(schema: str) -> None:
    with pytest.raises(ToolConfigurationError, match="a JSON Schema must be JSON: "):
        JsonSchema.typed(dict[str, int], schema)
