"""Schemas from a hostile server: taken, or refused in our words, whatever they say."""

from __future__ import annotations

import copy
import json
import time
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.hostile.guards import FEW, MANY, contained, peak_memory
from tests.hostile.strategies import TEXTS, json_values, python_values, schemas
from tool_core import Tool, ToolError, Toolkit, UnsupportedSchemaError, get_json_schema
from tool_core.mcp import drift, fingerprint, from_mcp_tool, lock, to_mcp_tool
from tool_core.strict import (
    ANTHROPIC_STRICT,
    DESCRIPTORS,
    OPENAI_STRICT,
    FormatDescriptor,
    dialect_violations,
    strictify,
)


@given(st.one_of(schemas(), schemas(valid_mostly=False), python_values()), json_values())
@MANY
def test_a_dynamic_tool_is_made_or_refused_and_then_checks_arguments(schema: Any, value: Any) -> None:
    with contained():
        tool = Tool.dynamic("x", parameters=schema, failure_mode="return")
        assert get_json_schema(tool) == schema or not isinstance(schema, dict)
        result = Toolkit.make(tool).bind({"x": lambda params: params}).call_sync("x", value)
        json.loads(result.to_json())


@given(schemas(), st.sampled_from(DESCRIPTORS), json_values())
@MANY
def test_strictify_converts_or_refuses_and_never_changes_its_input(
    schema: Any, descriptor: FormatDescriptor, wire: Any
) -> None:
    before = copy.deepcopy(schema)
    try:
        form = strictify(schema, descriptor)
    except UnsupportedSchemaError as error:
        assert error.reason
        assert schema == before
        return
    except ToolError:
        return
    assert schema == before
    assert dialect_violations(form.schema, descriptor) == []
    if descriptor.strict:
        jsonschema_rs.validator_for(form.schema)
    for convert in (form.lift, form.lower):
        with contained():
            json.dumps(convert(wire))


@given(st.one_of(schemas(valid_mostly=False), python_values()), st.sampled_from(DESCRIPTORS))
@FEW
def test_strictify_answers_nonsense_in_our_words(schema: Any, descriptor: FormatDescriptor) -> None:
    with contained():
        strictify(schema, descriptor)


_DEFINITIONS = st.fixed_dictionaries(
    {},
    optional={
        "name": st.one_of(TEXTS, python_values()),
        "title": st.one_of(TEXTS, json_values(3)),
        "description": st.one_of(TEXTS, json_values(3)),
        "inputSchema": st.one_of(schemas(), json_values(4)),
        "outputSchema": st.one_of(schemas(), json_values(4)),
        "annotations": st.one_of(
            st.dictionaries(
                st.sampled_from(["readOnlyHint", "destructiveHint", "idempotentHint", "title"]),
                json_values(2),
            ),
            json_values(3),
        ),
        "_meta": json_values(4),
        "icons": json_values(3),
    },
)


@given(st.one_of(_DEFINITIONS, python_values()))
@MANY
def test_a_servers_definition_is_read_or_refused_and_can_be_offered_again(definition: Any) -> None:
    with contained():
        tool = from_mcp_tool(definition, server="theirs")
        json.dumps(to_mcp_tool(tool))
        json.loads(
            Toolkit.make(tool).bind({tool.name: lambda params: params}).call_sync(tool.name, {}).to_json()
        )


@given(st.lists(st.one_of(_DEFINITIONS, python_values()), max_size=3), st.lists(_DEFINITIONS, max_size=3))
@FEW
def test_fingerprints_and_drift_of_any_definitions_are_bounded(old: Any, new: Any) -> None:
    with contained():
        fingerprint(old)
    with contained():
        drift(old, new)


@given(st.lists(st.one_of(_DEFINITIONS, python_values()), max_size=4), TEXTS)
@FEW
def test_any_definitions_lock_to_a_module_or_are_refused(definitions: Any, server: str) -> None:
    with contained():
        compile(lock(definitions, server=server), "locked.py", "exec")


def deep(depth: int, keyword: str) -> Any:
    schema: Any = {"type": "string"}
    for _ in range(depth):
        schema = {"properties": {"a": schema}} if keyword == "properties" else {keyword: [schema]} if keyword in ("allOf", "anyOf", "oneOf", "prefixItems") else {keyword: schema}  # fmt: skip
    return {"type": "object", "properties": {"a": schema}}


@pytest.mark.parametrize("depth", [90, 300, 3000, 100_000])
@pytest.mark.parametrize("keyword", ["properties", "items", "allOf", "anyOf", "oneOf", "not", "prefixItems"])
def test_absurd_nesting_is_refused_or_handled_without_recursion(depth: int, keyword: str) -> None:
    if depth == 100_000 and keyword not in ("items", "allOf"):
        return  # building the schema itself is what takes the time
    schema = deep(depth, keyword)
    for act in (
        lambda: Tool.dynamic("x", parameters=schema),
        lambda: strictify(schema, OPENAI_STRICT),
        lambda: strictify(schema, ANTHROPIC_STRICT),
        lambda: from_mcp_tool({"name": "x", "inputSchema": schema}),
        lambda: fingerprint([{"name": "x", "inputSchema": schema}]),
        lambda: lock([{"name": "x", "inputSchema": schema}]),
    ):
        with contained():
            act()


def wide(count: int) -> Any:
    return {
        "type": "object",
        "properties": {f"p{n}": {"type": "string", "minLength": 1} for n in range(count)},
    }


def doubling(depth: int) -> Any:
    definitions: dict[str, Any] = {
        f"d{n}": {"type": "object", "properties": {"l": {"$ref": f"#/$defs/d{n + 1}"}, "r": {"$ref": f"#/$defs/d{n + 1}"}}}
        for n in range(depth)
    }  # fmt: skip
    return {"$ref": "#/$defs/d0", "$defs": {**definitions, f"d{depth}": {"type": "string"}}}


def alternatives(count: int) -> Any:
    parts = [{"anyOf": [{"properties": {f"p{n}": {"const": k}}} for k in range(4)]} for n in range(count)]
    return {"type": "object", "allOf": parts}


@pytest.mark.parametrize("descriptor", DESCRIPTORS, ids=lambda item: item.id)
@pytest.mark.parametrize(
    "schema", [wide(20_000), doubling(60), alternatives(40), {"enum": [str(n) for n in range(50_000)]}]
)
def test_a_bomb_costs_bounded_time_and_memory(schema: Any, descriptor: FormatDescriptor) -> None:
    before, started = peak_memory(), time.process_time()
    with contained():
        json.dumps(dict(strictify(schema, descriptor).schema))
    assert time.process_time() - started < 5
    assert peak_memory() - before < 600_000_000


@pytest.mark.parametrize("pattern", ["(a+)+$", "^(a|a)*$", "^(([a-z])+.)+[A-Z]([a-z])+$", "(.*a){25}"])
def test_a_pattern_cannot_hang_a_call(pattern: str) -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"type": "string", "pattern": pattern}},
        "required": ["a"],
    }
    with contained():
        tool = Tool.dynamic("x", parameters=schema, failure_mode="return")
        bound = Toolkit.make(tool).bind({"x": lambda params: params})
        json.loads(bound.call_sync("x", {"a": "a" * 5000 + "!"}).to_json())
        form = strictify(schema, OPENAI_STRICT)
        form.lift(form.lower({"a": "a" * 5000 + "!"}))
