"""Responses from a hostile or broken provider: read into parts, or refused in our words."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.hostile.guards import FEW, MANY, contained
from tests.hostile.strategies import TEXTS, json_values, python_values
from tests.providers.responses import chat, generate, messages, responses
from tool_core import Tool, Toolkit
from tool_core.providers import anthropic, google, openai

KIT = Toolkit.make(
    Tool.make("Typed", parameters=dict[str, int], success=object, failure_mode="return"),
    Tool.dynamic(
        "Raw", parameters={"type": "object", "properties": {"a": {"type": "string"}}}, failure_mode="return"
    ),
)
BOUND = KIT.bind({"Typed": lambda params: params, "Raw": lambda params: params}, run_sync="inline")
PREPARED = {
    "responses": (openai.prepare_tools(KIT, model="gpt-5"), responses),
    "chat": (openai.prepare_tools(KIT, model="gpt-5", api="chat"), chat),
    "messages": (anthropic.prepare_tools(KIT, model="claude-sonnet-4-5"), messages),
    "generate": (google.prepare_tools(KIT, model="gemini-2.5-flash"), generate),
}
APIS = st.sampled_from(list(PREPARED))
CALLS = st.lists(
    st.tuples(
        st.one_of(TEXTS, json_values(2)),
        st.one_of(st.sampled_from(["Typed", "Raw", "Gone"]), TEXTS, json_values(2)),
        st.one_of(json_values(4), json_values(4).map(json.dumps), TEXTS),
    ),
    max_size=3,
)


def mutated(value: Any, where: list[int], replacement: Any) -> Any:
    """Put something else at a place of a response, found by walking down it."""
    if not where or not isinstance(value, dict | list) or not value:
        return replacement
    step, rest = where[0], where[1:]
    if isinstance(value, list):
        index = step % len(value)
        return [mutated(item, rest, replacement) if at == index else item for at, item in enumerate(value)]
    key = list(value)[step % len(value)]
    return {**value, key: mutated(value[key], rest, replacement)}


@given(APIS, CALLS)
@MANY
def test_any_calls_are_read_and_answered(api: str, calls: Any) -> None:
    prepared, write = PREPARED[api]
    try:
        response = write(calls)
    except TypeError:
        return
    with contained():
        parts: Any = prepared.read_calls(response)
        answered = asyncio.run(BOUND.resolve(parts))
        json.dumps(prepared.tool_results(answered))
        json.dumps(prepared.assistant_turn(response))


@given(APIS, st.lists(st.integers(0, 6), max_size=6), st.one_of(json_values(3), python_values()))
@MANY
def test_a_response_with_one_wrong_place_is_read_or_refused(api: str, where: list[int], wrong: Any) -> None:
    prepared, write = PREPARED[api]
    response = mutated(write([("1", "Typed", {"a": 1}), ("2", "Raw", {"a": "b"})]), where, wrong)
    with contained():
        parts: Any = prepared.read_calls(response)
        asyncio.run(BOUND.resolve(parts))
    with contained():
        prepared.assistant_turn(response)


@given(APIS, python_values())
@FEW
def test_what_is_no_response_is_refused(api: str, response: Any) -> None:
    with contained():
        PREPARED[api][0].read_calls(response)


@given(APIS, st.lists(st.one_of(python_values(), json_values()), max_size=4))
@FEW
def test_what_is_no_part_is_refused(api: str, parts: Any) -> None:
    with contained():
        PREPARED[api][0].tool_results(parts)


@given(APIS, st.lists(st.one_of(json_values(6), python_values()), max_size=5))
@FEW
def test_a_stream_of_anything_ends_in_calls_or_in_our_error(api: str, events: Any) -> None:
    with contained():
        reader = PREPARED[api][0].stream()
        for event in events:
            reader.feed(event)
        reader.finish()


@pytest.mark.parametrize("api", list(PREPARED))
def test_a_response_of_a_thousand_calls_is_read_in_linear_time(api: str) -> None:
    prepared, write = PREPARED[api]
    with contained(refuses=False):
        parts = prepared.read_calls(write([(str(n), "Typed", {"a": n}) for n in range(1000)]))
    assert len(parts) == 1000
