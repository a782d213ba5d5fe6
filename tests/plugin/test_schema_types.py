"""JSON Schema to type shapes: what validation accepts has the type, and real schemas get precise ones."""

from __future__ import annotations

import random
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mypy_plugin.schema_types import MAX_DEPTH, SchemaType, schema_type
from mypy_plugin.shape_graphs import inner_shapes
from mypy_plugin.shapes import (
    NEVER,
    UNKNOWN,
    ArrayShape,
    Field,
    LiteralShape,
    ObjectShape,
    PrimitiveShape,
    ReferenceShape,
    Shape,
    UnionShape,
    UnknownShape,
    meet,
    union_of,
)
from tests.plugin.judges import has_type
from tests.schema_authors import Author
from tests.strict.laws import CORPORA, corpus
from tool_core import JsonSchema, SchemaMismatchError, ToolConfigurationError
from tool_core.samples import sample_values

TEXT, INTEGER, NUMBER = PrimitiveShape("string"), PrimitiveShape("integer"), PrimitiveShape("number")
BOOLEAN, NULL = PrimitiveShape("boolean"), PrimitiveShape("null")
ANY_OBJECT, ANY_ARRAY = ObjectShape(), ArrayShape(UNKNOWN)
DRAFT_4 = {"$schema": "http://json-schema.org/draft-04/schema#"}
DRAFT_7 = {"$schema": "http://json-schema.org/draft-07/schema#"}


def required(name: str, shape: Shape) -> Field:
    return Field(name, shape, True)


def optional(name: str, shape: Shape) -> Field:
    return Field(name, shape, False)


def literals(*values: str) -> UnionShape:
    return UnionShape(tuple(LiteralShape("string", value) for value in values))


CASES: list[tuple[str, Any, Shape]] = [
    ("nothing said", {}, UNKNOWN),
    ("true", True, UNKNOWN),
    ("false", False, NEVER),
    ("not a schema at all", 3, UNKNOWN),
    ("string", {"type": "string", "format": "date"}, TEXT),
    ("integer", {"type": "integer"}, INTEGER),
    ("number", {"type": "number"}, NUMBER),
    ("types", {"type": ["null", "boolean"]}, UnionShape((NULL, BOOLEAN))),
    ("integer or number", {"type": ["integer", "number"]}, NUMBER),
    ("an unknown type", {"type": "any"}, UNKNOWN),
    ("enum", {"enum": ["a", "b", "a"]}, literals("a", "b")),
    ("enum of one", {"enum": ["a"]}, LiteralShape("string", "a")),
    ("enum filtered by type", {"type": "string", "enum": ["a", 1, None]}, LiteralShape("string", "a")),
    ("an empty enum", {"enum": []}, NEVER),
    ("more values than anyone reads", {"enum": [*map(str, range(300)), 1]}, UnionShape((TEXT, INTEGER))),
    ("one and true", {"enum": [1, True]}, UnionShape((LiteralShape("integer", 1), LiteralShape("boolean", True)))),
    ("one as a float", {"enum": [1.0]}, LiteralShape("integer", 1)),
    ("a float", {"enum": [1.5, 2]}, NUMBER),
    ("a number too long to read", {"const": 10**30}, INTEGER),
    ("const", {"const": "a"}, LiteralShape("string", "a")),
    ("const null", {"const": None}, NULL),
    ("const object", {"const": {"a": 1}}, ANY_OBJECT),
    ("const array", {"const": [1]}, ANY_ARRAY),
    ("const and enum", {"const": "a", "enum": ["a", "b"]}, LiteralShape("string", "a")),
    ("draft 4 knows no const", {**DRAFT_4, "const": "a"}, UNKNOWN),
    ("array", {"type": "array", "items": {"type": "string"}}, ArrayShape(TEXT)),
    ("array of anything", {"type": "array"}, ANY_ARRAY),
    ("items without a type", {"items": {"type": "string"}}, UNKNOWN),
    ("prefix with a free rest", {"type": "array", "prefixItems": [{"type": "string"}]}, ANY_ARRAY),
    ("prefix with no rest", {"type": "array", "prefixItems": [{"type": "string"}], "items": False}, ArrayShape(TEXT)),
    ("prefix of full length", {"type": "array", "prefixItems": [{"type": "string"}], "maxItems": 1}, ArrayShape(TEXT)),
    ("prefix before its draft", {**DRAFT_7, "type": "array", "prefixItems": [{"type": "string"}], "items": {"type": "null"}}, ArrayShape(NULL)),
    ("tuple of old", {**DRAFT_7, "type": "array", "items": [{"type": "string"}], "additionalItems": {"type": "null"}}, ArrayShape(UnionShape((TEXT, NULL)))),
    ("object", {"type": "object"}, ANY_OBJECT),
    ("properties", {"type": "object", "properties": {"a": {"type": "string"}, "b": {}}, "required": ["a"]}, ObjectShape((required("a", TEXT), optional("b", UNKNOWN)))),
    ("properties without a type", {"properties": {"a": {"type": "string"}}, "required": ["a"]}, UNKNOWN),
    ("nullable is not JSON Schema", {"type": "string", "nullable": True}, TEXT),
    ("object or null", {"type": ["object", "null"], "properties": {"a": True}}, UnionShape((ObjectShape((optional("a", UNKNOWN),)), NULL))),
    ("closed", {"type": "object", "additionalProperties": False}, ObjectShape((), NEVER)),
    ("map", {"type": "object", "additionalProperties": {"type": "integer"}}, ObjectShape((), INTEGER)),
    ("patterns let keys in", {"type": "object", "patternProperties": {"^x": {"type": "string"}}, "additionalProperties": False}, ObjectShape((), TEXT)),
    ("patterns and others", {"type": "object", "patternProperties": {"^x": {"type": "string"}}}, ANY_OBJECT),
    ("required but undeclared", {"type": "object", "required": ["a"]}, ObjectShape((required("a", UNKNOWN),))),
    ("required of a map", {"type": "object", "required": ["a"], "additionalProperties": {"type": "integer"}}, ObjectShape((required("a", INTEGER),), INTEGER)),
    ("anyOf", {"anyOf": [{"type": "string"}, {"type": "null"}]}, UnionShape((TEXT, NULL))),
    ("oneOf", {"oneOf": [{"type": "string"}, {"enum": ["a"]}]}, TEXT),
    ("a union with anything", {"anyOf": [{"type": "string"}, {}]}, UNKNOWN),
    ("a union beside a type", {"type": "string", "anyOf": [{"minLength": 3}, {"enum": ["a"]}]}, TEXT),
    ("required by alternative", {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}, UnionShape((ObjectShape((required("a", TEXT), optional("b", TEXT))), ObjectShape((optional("a", TEXT), required("b", TEXT)))))),
    ("allOf of objects", {"allOf": [{"type": "object", "properties": {"a": {"type": "string"}}}, {"required": ["a"], "properties": {"b": {"type": "null"}}}]}, ObjectShape((required("a", TEXT), optional("b", NULL)))),
    ("allOf that excludes", {"allOf": [{"type": "object", "properties": {"a": {}}, "additionalProperties": False}, {"properties": {"b": {}}}]}, ObjectShape((optional("a", UNKNOWN),), NEVER)),
    ("allOf that contradicts", {"allOf": [{"enum": ["a"]}, {"enum": ["b"]}]}, NEVER),
    ("not, if and what is to come", {"type": "string", "not": {"const": "a"}, "if": {}, "then": False, "future": 1}, TEXT),
    ("a remote reference", {"$ref": "https://example.com/schema"}, UNKNOWN),
    ("an anchor", {"$ref": "#name", "$defs": {"a": {"$anchor": "name"}}}, UNKNOWN),
    ("a reference to nowhere", {"$ref": "#/$defs/a"}, UNKNOWN),
    ("a reference to itself", {"$ref": "#"}, UNKNOWN),
    ("a scalar by reference", {"$ref": "#/$defs/a~1b%20c", "$defs": {"a/b c": {"type": "string"}}}, TEXT),
    ("a reference beside a type", {"$ref": "#/$defs/a", "type": "string", "$defs": {"a": {"type": ["string", "null"]}}}, TEXT),
    ("the same where siblings are ignored", {**DRAFT_7, "properties": {}, "$ref": "#/$defs/a", "type": "string", "$defs": {"a": {"enum": ["x", 1]}}}, ReferenceShape("#/$defs/a")),
    ("an inner address moves references", {"type": "array", "items": {"$ref": "#/$defs/a"}, "$defs": {"a": {"$id": "x", "type": "string"}}}, ANY_ARRAY),
]  # fmt: skip


@pytest.mark.parametrize(("schema", "shape"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_a_schema_becomes_a_shape(schema: object, shape: Shape) -> None:
    assert schema_type(schema).root == shape


def test_a_recursive_definition_refers_to_itself() -> None:
    node = {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}}, "additionalProperties": False}
    shape = ObjectShape((optional("next", ReferenceShape("#/$defs/Node")),), NEVER)
    assert schema_type({"$ref": "#/$defs/Node", "$defs": {"Node": node, "Unused": {"type": "object"}}}) == (
        SchemaType(ReferenceShape("#/$defs/Node"), {"#/$defs/Node": shape})
    )


def test_the_root_may_be_recursive() -> None:
    schema = {"type": "object", "properties": {"child": {"$ref": "#"}}}
    shape = ObjectShape((optional("child", ReferenceShape("#")),))
    assert schema_type(schema) == SchemaType(shape, {"#": shape})


def test_a_definition_that_is_its_own_alternative_is_unknown() -> None:
    schema = {
        "type": "array",
        "items": {"$ref": "#/$defs/A"},
        "$defs": {
            "A": {"anyOf": [{"type": "object", "properties": {"b": {"$ref": "#/$defs/B"}}}, {"$ref": "#/$defs/B"}]},
            "B": {"anyOf": [{"$ref": "#/$defs/A"}, {"type": "integer"}]},
        },
    }  # fmt: skip
    assert set(schema_type(schema).definitions.values()) == {UNKNOWN}


def test_descriptions_and_titles_are_kept_and_do_not_count() -> None:
    schema = {"type": "object", "title": "T", "description": "D", "properties": {"a": {"description": "x"}}}
    shape = schema_type(schema).root
    assert isinstance(shape, ObjectShape)
    assert (shape.title, shape.doc, shape.fields[0].doc) == ("T", "D", "x")
    assert shape == ObjectShape((optional("a", UNKNOWN),))


def test_a_hostile_schema_ends_as_unknown_soon() -> None:
    deep: Any = {"type": "string"}
    for _ in range(MAX_DEPTH * 20):
        deep = {"type": "array", "items": deep}
    assert isinstance(schema_type(deep).root, ArrayShape)
    wide = {f"a{i}": {"allOf": [{"$ref": f"#/$defs/a{i + 1}", "type": "object"}] * 2} for i in range(50)}
    assert schema_type({"$ref": "#/$defs/a0", "$defs": wide}).root is not None
    product: Any = {
        "allOf": [{"anyOf": [{"properties": {f"{i}{j}": {}}} for j in range(9)]} for i in range(9)]
    }
    assert schema_type({"type": "object", **product}).root is not None


def test_the_translation_imports_neither_mypy_nor_the_core() -> None:
    code = "import sys, mypy_plugin.schema_types; print('mypy' in sys.modules or 'tool_core' in sys.modules)"
    shown = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert shown.stdout.strip() == "False"


# --- the law ------------------------------------------------------------------------------------


def with_floats(value: object) -> object:
    """Write every integer as a float: the same JSON number."""
    if isinstance(value, dict):
        return {key: with_floats(child) for key, child in value.items()}
    if isinstance(value, list):
        return [with_floats(child) for child in value]
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


def offences(schema: dict[str, Any], values: list[Any]) -> list[object]:
    """List what decodes and yet is not of the type."""
    codec, found = JsonSchema.of(schema), schema_type(schema)
    wrong = []
    for value in values:
        try:
            decoded = codec.decode(value)
        except SchemaMismatchError:
            continue
        if not has_type(decoded, found.root, found.definitions):
            wrong.append(value)
    return wrong


def checked(author: Author) -> int:
    """Hold one document to the law, and count the values that it was tried on."""
    document = author.document()
    try:
        JsonSchema.of(document)
    except ToolConfigurationError:
        return 0
    values = [author.value(1) for _ in range(25)] + sample_values(document, 2, 1)
    assert offences(document, [*values, *map(with_floats, values)]) == [], document
    return len(values)


@settings(max_examples=100, deadline=None)
@given(st.randoms(use_true_random=False))
def test_whatever_validation_accepts_has_the_type(dice: random.Random) -> None:
    checked(Author(dice))


def test_the_same_holds_for_thousands_of_schemas() -> None:
    assert sum(checked(Author(random.Random(seed))) for seed in range(1500)) > 15_000


@pytest.mark.skipif(not CORPORA.exists(), reason="the corpora are not beside this repository")
@pytest.mark.parametrize(("name", "least"), [("mcp-tools", 0.95), ("json-schemas", 0.9)])
def test_real_schemas_get_sound_and_precise_types(name: str, least: float) -> None:
    broken, precise, total = [], 0, 0
    for number, schema in enumerate(corpus(name)):
        total += 1
        if number % 4 == 0:
            values = sample_values(schema, 2, number)
            broken += [f"{number}: {item}" for item in offences(schema, [*values, *map(with_floats, values)])]
        precise += schema_type(schema).root != UNKNOWN
    assert broken == []
    assert precise / total >= least


def test_meet_and_union_keep_the_values() -> None:
    author = Author(random.Random(7))
    for _ in range(1000):
        first, second = (schema_type(author.schema(1)) for _ in range(2))
        known = {**first.definitions, **second.definitions}
        for value in [author.value(1) for _ in range(10)]:
            fits = [has_type(value, item.root, known) for item in (first, second)]
            assert has_type(value, union_of([first.root, second.root]), known) >= any(fits)
            assert has_type(value, meet(first.root, second.root), known) >= all(fits)


def test_every_shape_lists_what_is_inside() -> None:
    assert inner_shapes(ObjectShape((required("a", TEXT),), NULL)) == [TEXT, NULL]
    assert inner_shapes(ArrayShape(TEXT)) == [TEXT]
    assert inner_shapes(UnionShape((TEXT, NULL))) == [TEXT, NULL]
    assert inner_shapes(UnknownShape()) == []
