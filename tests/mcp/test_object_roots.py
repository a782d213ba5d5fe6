"""Roots of schemas: written out or said to be objects only where that changes no meaning."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from tests.mcp.test_schema_changes import Architect, accepts
from tool_core import JsonSchema, Tool, ToolConfigurationError
from tool_core.mcp import drift, fingerprint, from_mcp_tool, lock, matches_lock, to_mcp_tool
from tool_core.mcp.arguments import input_schema, parameters_from
from tool_core.mcp.object_roots import with_object_type, with_plain_root
from tool_core.mcp.servers import _listed
from tool_core.samples import sample_values

DEFS = {
    "$defs": {"A": {"type": "object", "properties": {"a": {"type": "integer"}}}, "B": {"$ref": "#/$defs/A"}}
}
D7 = {"$schema": "http://json-schema.org/draft-07/schema#"}
OBJECTS: list[dict[str, Any]] = [
    {"$ref": "#/$defs/A", **DEFS},
    {"$ref": "#/$defs/B", "description": "d", **DEFS},
    {"$ref": "#/$defs/A", "required": ["a"], **DEFS},
    {"$ref": "#/$defs/A", "type": ["object", "null"], **DEFS},
    {"$ref": "#/$defs/A", "type": "string", **DEFS, **D7},
    {"allOf": [{"$ref": "#/$defs/A"}, {"required": ["a"]}], **DEFS},
    {"anyOf": [{"$ref": "#/$defs/A"}, {"type": "object", "required": ["b"]}], **DEFS},
    {"oneOf": [{"enum": [{"a": 1}]}, {"const": {}}]},
    {"type": ["object"], "properties": {}},
]
OTHERS: list[dict[str, Any]] = [
    {"properties": {"a": {"type": "string"}}},
    {"type": ["object", "null"]},
    {"type": "array", "items": {"type": "object"}},
    {"anyOf": [{"type": "object"}, {"type": "string"}]},
    {"anyOf": [{"type": "object"}, {"$ref": "#"}]},
    {"$ref": "#/$defs/A", "$defs": {"A": {"properties": {}}}},
    {"not": {"type": "string"}},
]


def listed(output: object) -> dict[str, Any]:
    return {"name": "t", "inputSchema": {"type": "object", "properties": {}}, "outputSchema": output}


@pytest.mark.parametrize("schema", OBJECTS)
def test_a_servers_output_that_is_an_object_says_so_and_is_else_as_it_was(schema: dict[str, Any]) -> None:
    tool = from_mcp_tool(listed(schema))
    entry = to_mcp_tool(tool)
    assert entry["outputSchema"] == {**schema, "type": "object"} == tool.success_schema.json_schema()
    assert _listed(tool).output_schema == entry["outputSchema"]
    assert to_mcp_tool(from_mcp_tool(entry)) == entry and lock([entry]) == lock([tool])


@pytest.mark.parametrize("schema", OTHERS)
def test_any_other_output_of_a_server_is_kept_but_not_offered_again(schema: dict[str, Any]) -> None:
    tool = from_mcp_tool(listed(schema))
    entry = to_mcp_tool(tool)
    assert entry["outputSchema"] == schema
    assert _listed(tool).output_schema is None
    assert lock([entry]) == lock([tool])


@pytest.mark.parametrize("schema", [*OBJECTS, *OTHERS])
def test_a_server_that_changes_its_output_is_noticed(schema: dict[str, Any]) -> None:
    agreed = listed(schema)
    said = listed({**schema, "description": "Obey."})
    narrowed = listed({"allOf": [schema, {"minProperties": 1}], "$defs": schema.get("$defs", {})})
    gone = {key: value for key, value in agreed.items() if key != "outputSchema"}
    locked = lock([agreed])
    assert matches_lock(locked, [agreed])
    for other in (said, narrowed, gone):
        assert fingerprint(other) != fingerprint(agreed)
        assert drift([agreed], [other]) and drift([other], [agreed])
        assert not matches_lock(locked, [other])
    assert drift([agreed], [said]).rewords and drift([agreed], [gone]).breaks


def test_our_own_tools_announce_objects_only() -> None:
    for schema in OBJECTS:
        entry: Any = to_mcp_tool(Tool.dynamic("t", parameters={}, success=JsonSchema.of(schema)))
        assert entry["outputSchema"]["type"] == "object"
    for schema in OTHERS:
        assert "outputSchema" not in to_mcp_tool(
            Tool.dynamic("t", parameters={}, success=JsonSchema.of(schema))
        )


def test_what_stands_beside_a_reference_holds_beside_what_it_leads_to() -> None:
    schema = {"$ref": "#/$defs/A", "properties": {"b": {"type": "string"}}, "required": ["b"], **DEFS}
    tool = Tool.dynamic("t", parameters=schema)
    assert input_schema(tool) == {"type": "object", **schema}
    assert parameters_from(tool, {"a": 1, "b": "x"}) == {"a": 1, "b": "x"}
    assert not accepts(JsonSchema.of(input_schema(tool)), {"a": "1", "b": "x"})


def test_what_other_references_lead_to_stays_where_it_is() -> None:
    schemas: list[dict[str, Any]] = [
        {"$ref": "#/x/A", "x": {"A": {"type": "object", "properties": {"next": {"$ref": "#/x/A"}}}}},
        {
            "$ref": "#/properties/a",
            "properties": {"a": {"type": "object", "items": {"$ref": "#/properties/a"}}},
            **D7,
        },
        {
            "$ref": "#/$defs/A",
            "$defs": {
                "A": {"$id": "urn:a", "type": "object", "items": {"$ref": "#/$defs/x"}, "$defs": {"x": {}}}
            },
        },
    ]
    for schema in schemas:
        JsonSchema.of(with_plain_root(schema))
        JsonSchema.of(input_schema(Tool.dynamic("t", parameters=schema)))


@pytest.mark.parametrize("write", [with_plain_root, with_object_type])
def test_a_root_that_is_written_otherwise_accepts_the_same(write: Any) -> None:
    changed = 0
    for seed in range(4000):
        author = Architect(random.Random(seed))
        schema = author.document()
        if author.dice.random() < 0.7:
            kept: dict[str, Any] = {
                key: schema[key] for key in ("$schema", "$defs", "definitions", "components") if key in schema
            }
            schema = {
                **kept,
                **author.referred(0),
                **author.dice.choice([{}, {"title": "T"}, {"type": "object"}]),
            }
        try:
            before = JsonSchema.of(schema)
        except ToolConfigurationError:
            continue
        if {"oneOf", "not"} & set(json.dumps(schema).split('"')):
            continue  # what is its own opposite has no meaning that could be kept
        written = write(schema)
        changed += written != schema
        after = JsonSchema.of(written)
        for value in [author.value(1) for _ in range(15)] + sample_values(schema, 2):
            assert accepts(before, value) == accepts(after, value), (schema, value)
    assert changed > 50
