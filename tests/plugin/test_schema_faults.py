"""Schemas that are none: what the plugin calls a fault is refused when the tool is made."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mypy_plugin.schema_faults import schema_fault
from tests.hostile.guards import MANY
from tests.hostile.strategies import json_values, schemas
from tests.strict.laws import CORPORA, corpus
from tool_core import Tool, ToolConfigurationError

DRAFT_4 = {"$schema": "http://json-schema.org/draft-04/schema#"}
DRAFT_6 = {"$schema": "http://json-schema.org/draft-06/schema#"}
DRAFT_7 = {"$schema": "http://json-schema.org/draft-07/schema#"}
TYPES = "expected array, boolean, integer, null, number, object or string"

FAULTS: list[tuple[Any, str]] = [
    ({"type": "objekt"}, f"$.type: {TYPES}, not 'objekt'"),
    ({"type": []}, f"$.type: {TYPES}, not []"),
    ({"type": None}, f"$.type: {TYPES}, not None"),
    ({"type": ["string", "string"]}, f"$.type: {TYPES}, not ['string', 'string']"),
    ({"type": ["string", 3]}, f"$.type: {TYPES}, not ['string', 3]"),
    ({"properties": {"a b": {"type": "int"}}}, f"$.properties['a b'].type: {TYPES}, not 'int'"),
    ({"$defs": {"a": 3}}, "$['$defs'].a: expected a schema, not 3"),
    ({"anyOf": [{}, {"items": {"type": "int"}}]}, f"$.anyOf[1].items.type: {TYPES}, not 'int'"),
    ({"properties": ["a"]}, "$.properties: expected an object of schemas, not ['a']"),
    ({"properties": {"a": "string"}}, "$.properties.a: expected a schema, not 'string'"),
    ({"required": True}, "$.required: expected a list of different names, not True"),
    ({"required": ["a", "a"]}, "$.required: expected a list of different names, not ['a', 'a']"),
    ({"required": [{}]}, "$.required: expected a list of different names, not [{}]"),
    ({"enum": "abc"}, "$.enum: expected a list, not 'abc'"),
    ({"allOf": []}, "$.allOf: expected a list of at least one schema, not []"),
    ({"minLength": -1}, "$.minLength: expected a whole number that is not negative, not -1"),
    ({"maxItems": 1.5}, "$.maxItems: expected a whole number that is not negative, not 1.5"),
    ({"minimum": True}, "$.minimum: expected a number, not True"),
    ({"multipleOf": 0}, "$.multipleOf: expected a number above 0, not 0"),
    ({"uniqueItems": 1}, "$.uniqueItems: expected True or False, not 1"),
    ({"description": None}, "$.description: expected a text, not None"),
    ({"not": 3}, "$.not: expected a schema, not 3"),
    ({"items": [{}]}, "$.items: expected a schema, not [{}]"),
    ({**DRAFT_7, "items": [{"type": "int"}]}, f"$.items[0].type: {TYPES}, not 'int'"),
    ({**DRAFT_6, "exclusiveMinimum": True}, "$.exclusiveMinimum: expected a number, not True"),
]
FINE: list[Any] = [
    {}, {"properties": {}}, {"type": ["string", "null"]}, {"minLength": 2.0}, {"enum": []}, {"x-note": 3},
    {"properties": {"type": {"type": "string"}, "required": True}}, {"const": {"type": "objekt"}},
    {"default": {"type": 3}}, {"examples": [{"properties": 3}]}, {"items": False}, {"format": "strange"},
    {**DRAFT_4, "minimum": 1, "exclusiveMinimum": True}, {**DRAFT_6, "if": 3, "$defs": 3}, {**DRAFT_7, "items": [{}]},
]  # fmt: skip


def can_be_made(schema: Any) -> bool:
    try:
        Tool.dynamic("x", parameters=schema)
    except ToolConfigurationError:
        return False
    return True


@pytest.mark.parametrize(("schema", "words"), FAULTS, ids=lambda item: str(item)[:40])
def test_a_fault_says_where_and_what_was_expected(schema: Any, words: str) -> None:
    assert schema_fault(schema) == words
    assert not can_be_made(schema)


@pytest.mark.parametrize("schema", FINE, ids=str)
def test_what_a_tool_can_be_made_of_has_no_fault(schema: Any) -> None:
    assert schema_fault(schema) is None
    assert can_be_made(schema)


@given(st.one_of(schemas(valid_mostly=False), schemas(), json_values()))
@MANY
def test_a_tool_cannot_be_made_of_a_schema_with_a_fault(schema: Any) -> None:
    if isinstance(schema, dict) and schema_fault(schema) is not None:
        assert not can_be_made(schema)


@pytest.mark.skipif(not CORPORA.exists(), reason="the recorded schemas are not on this machine")
@pytest.mark.parametrize("name", ["mcp-tools", "json-schemas"])
def test_a_real_schema_has_no_fault_where_a_tool_can_be_made_of_it(name: str) -> None:
    found = [schema for schema in corpus(name) if schema_fault(schema) is not None]
    assert [schema for schema in found if can_be_made(schema)] == []
