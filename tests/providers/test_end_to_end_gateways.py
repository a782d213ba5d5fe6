"""Gateways and clouds: other models behind OpenAI's Chat Completions, and other names of the same models."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NotRequired

import anthropic
import pytest
from typing_extensions import TypedDict

from tests.loopback.scripts import Call, turn
from tests.loopback.server import Loopback
from tests.providers.conversations import CHAT, MESSAGES, converse, params_of, results_of
from tool_core import Strict, StrictUnavailableError, Tool, Toolkit


class Trip(TypedDict):
    city: str
    days: NotRequired[int]


plan = Tool.make("Plan", parameters=Trip, success=str)
add = Tool.make("Add", parameters=list[int], success=int)
bound = Toolkit.make(plan, add).bind({"Plan": lambda trip: trip["city"], "Add": lambda numbers: sum(numbers)})

GATEWAY: list[tuple[str, dict[str, Any], bool | None]] = [
    # the model's id, what it writes for an absent number of days, and the flag that it is sent
    ("openai/gpt-5", {"city": "Oslo", "days": None}, True),
    ("anthropic/claude-opus-4.5", {"city": "Oslo"}, True),
    ("anthropic/claude-opus-4-5", {"city": "Oslo"}, True),
    ("google/gemini-3-pro-preview", {"city": "Oslo"}, True),
    ("mistralai/mistral-large", {"city": "Oslo"}, None),
    ("anthropic/claude-3.5-sonnet", {"city": "Oslo"}, None),
]


@pytest.mark.parametrize(("model", "wire", "flag"), GATEWAY, ids=[model for model, _, _ in GATEWAY])
def test_a_model_behind_a_gateway_gets_its_own_dialect(
    model: str, wire: dict[str, Any], flag: bool | None
) -> None:
    script = [turn(Call("Plan", wire), Call("Add", {"value": [1, 2]})), turn("Done.")]
    with Loopback(*script) as server:
        shown = converse(replace(CHAT, model=model), server, bound)
    assert params_of(shown.calls[0]) == [{"city": "Oslo"}, [1, 2]]
    assert results_of(shown.results[0]) == ["Oslo", 3]
    assert [tool["function"].get("strict") for tool in server.bodies[0]["tools"]] == [flag, flag]


def test_a_model_without_strict_mode_refuses_a_tool_that_requires_it_before_any_request() -> None:
    strict = Toolkit.make(plan.annotate(Strict, True)).bind({"Plan": lambda trip: trip["city"]})
    with pytest.raises(
        StrictUnavailableError, match="'Plan' requires strict mode, but model 'mistralai/mistral-large'"
    ):
        replace(CHAT, model="mistralai/mistral-large").prepared(strict)


@pytest.mark.parametrize(
    "model",
    ["us.anthropic.claude-sonnet-4-6-v1:0", "anthropic.claude-opus-4-5-20251101-v1:0", "claude-opus-5-5"],
)
def test_a_cloud_names_the_same_model_differently(model: str) -> None:
    with Loopback(turn(Call("Plan", {"city": "Oslo"})), turn("Done.")) as server:
        shown = converse(replace(MESSAGES, model=model), server, bound)
    assert results_of(shown.results[0]) == ["Oslo"]
    assert [tool["strict"] for tool in server.bodies[0]["tools"]] == [True, True]


def test_an_older_claude_is_sent_neither_the_flag_nor_the_beta() -> None:
    with Loopback(turn(Call("Plan", {"city": "Oslo"})), turn("Done.")) as server:
        converse(replace(MESSAGES, model="claude-3-haiku-20240307"), server, bound)
    assert ["strict" in tool for tool in server.bodies[0]["tools"]] == [False, False]
    assert server.requests[0].betas == []


def test_the_beta_client_of_anthropic_takes_the_same_request() -> None:
    prepared = MESSAGES.prepared(bound)
    request: Any = {"model": MESSAGES.model, "max_tokens": 99, "messages": [MESSAGES.opening("Go on.")]}
    with (
        Loopback(turn(Call("Plan", {"city": "Oslo"}))) as server,
        anthropic.Anthropic(base_url=server.url, api_key="none") as client,
    ):
        response = client.beta.messages.create(**request, **prepared.request)
    assert params_of(prepared.read_calls(response)) == [{"city": "Oslo"}]
    assert server.requests[0].betas == ["structured-outputs-2025-11-13"]
