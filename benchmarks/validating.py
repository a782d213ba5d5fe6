"""Checking the arguments of tools that are known by raw JSON Schemas: the validators alone, and ours."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import jsonschema_rs
from measuring import ratio, timed

from tool_core import JsonSchema

SMALL_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"query": {"type": "string"}, "limit": {"type": "integer", "minimum": 1}},
    "required": ["query"],
    "additionalProperties": False,
}
SMALL = {"query": "weather in Oslo", "limit": 3}
ITEM_SCHEMA = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "minLength": 1},
        "tags": {"type": "array", "items": {"type": "string", "pattern": "^[a-z]+$"}},
        "size": {"type": "object", "properties": {"w": {"type": "number"}, "h": {"type": "number"}}},
        "kind": {"enum": ["file", "folder", "link"]},
    },
    "required": ["name", "kind"],
    "additionalProperties": False,
}
MEDIUM_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"items": {"type": "array", "items": ITEM_SCHEMA}, "dry_run": {"type": "boolean"}},
    "required": ["items"],
}
MEDIUM = {
    "items": [
        {"name": f"n{number}", "tags": ["a", "b", "c"], "size": {"w": 1.5, "h": 2}, "kind": "file"}
        for number in range(20)
    ],
    "dry_run": True,
}


def measure() -> dict[str, dict[str, float]]:
    cases = [("small", SMALL_SCHEMA, SMALL), ("medium", MEDIUM_SCHEMA, MEDIUM)]
    return {name: _case(schema, value) for name, schema, value in cases}


def _case(schema: Any, value: Any) -> dict[str, float]:
    text = json.dumps(value)
    pure, rust = jsonschema.Draft202012Validator(schema), jsonschema_rs.validator_for(schema)
    ours = JsonSchema.of(schema)
    load = timed(lambda: json.loads(text))
    return {
        "json.loads + jsonschema": ratio(timed(lambda: pure.is_valid(json.loads(text))), load),
        "json.loads + jsonschema-rs": ratio(timed(lambda: rust.is_valid(json.loads(text))), load),
        "tool-core decode_json": ratio(timed(lambda: ours.decode_json(text)), load),
    }
