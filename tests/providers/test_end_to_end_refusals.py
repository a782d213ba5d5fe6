"""Refusals at run time: less strictness, a second request, and the conversation goes on."""

from __future__ import annotations

from typing import Any

import anthropic
import openai
import pytest
from google.genai import errors

from tests.loopback.scripts import Call, Ceiling, Refusal, turn
from tests.loopback.server import Loopback
from tests.providers.conversations import (
    APIS,
    CHANNELS,
    CHAT,
    GENERATE,
    MESSAGES,
    OLDER_GENERATE,
    RESPONSES,
    AnyPrepared,
    Channel,
    by_api,
    params_of,
)
from tool_core import BoundToolkit, Strict, StrictUnavailableError, Tool, Toolkit
from tool_core.providers import is_refusal
from tool_core.strict import StrictDowngradeWarning

REFUSED = (anthropic.APIStatusError, openai.APIStatusError, errors.APIError)


def tool(number: int, priority: float | bool | None = None) -> Tool:
    """A tool with four parameters, two of them optional."""
    properties = {f"p{index}": {"type": "string"} for index in range(4)}
    made = Tool.dynamic(
        f"tool_{number}",
        parameters={"type": "object", "properties": properties, "required": ["p0", "p1"]},
    )
    return made if priority is None else made.annotate(Strict, priority)


def parrots(*tools: Tool) -> BoundToolkit[Any]:
    handlers: dict[str, Any] = {item.name: lambda params: params for item in tools}
    return Toolkit.make(*tools).bind(handlers)


def persistently(channel: Channel, server: Loopback, prepared: AnyPrepared) -> tuple[AnyPrepared, object]:
    """Ask, and give up strictness as long as the provider refuses the grammar."""
    for _ in range(20):
        try:
            return prepared, channel.reply(server, prepared, [channel.opening("Go on.")])
        except REFUSED as error:
            if not is_refusal(error):
                raise
            prepared = prepared.degrade(error)
    raise AssertionError("giving up strictness does not come to an end")


def strict_names(prepared: AnyPrepared) -> list[str]:
    return [item.tool.name for item in prepared.plan.decisions if item.is_strict]


CALL = Call("tool_0", {"p0": "a", "p1": "b"})


@pytest.mark.parametrize(
    "channel", [channel for channel in CHANNELS if channel.family == "anthropic"], ids=by_api
)
def test_a_grammar_that_is_too_large_costs_the_least_important_tools_their_strictness(
    channel: Channel,
) -> None:
    bound = parrots(*(tool(number, 9 - number) for number in range(8)))
    with Loopback(turn(CALL), ceiling=Ceiling(properties=12)) as server:
        prepared, response = persistently(channel, server, channel.prepared(bound))
    assert strict_names(prepared) == ["tool_0", "tool_1", "tool_2"]
    assert 1 < len(server.refusals) < 6
    assert server.refusals[0].startswith("The compiled grammar is too large")
    assert params_of(prepared.read_calls(response)) == [{"p0": "a", "p1": "b"}]
    assert "given up after a refusal: The compiled grammar is too large" in prepared.plan.decisions[7].reason


def test_too_many_strict_tools_in_practice() -> None:
    bound = parrots(*(tool(number, 9 - number) for number in range(7)))
    with Loopback(turn(CALL), ceiling=Ceiling(strict_tools=6)) as server:
        prepared, _ = persistently(MESSAGES, server, MESSAGES.prepared(bound))
    assert strict_names(prepared) == [f"tool_{number}" for number in range(6)]
    assert len(server.refusals) == 1


def test_a_required_tool_is_given_up_last_and_not_silently() -> None:
    bound = parrots(tool(0, 5), tool(1, True), tool(2))
    with Loopback(turn(CALL), turn(CALL), ceiling=Ceiling(properties=4)) as server:
        prepared, _ = persistently(MESSAGES, server, MESSAGES.prepared(bound))
        assert strict_names(prepared) == ["tool_1"]
        with pytest.warns(StrictDowngradeWarning, match="'tool_1' requires strict mode but is sent lenient"):
            prepared = prepared.degrade("The compiled grammar is too large")
        persistently(MESSAGES, server, prepared)
    with pytest.raises(StrictUnavailableError):
        prepared.degrade("The compiled grammar is too large")


def nested(levels: int) -> Tool:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(levels):
        schema = {"type": "object", "properties": {"in": schema}, "required": ["in"]}
    return Tool.dynamic(f"nested_{levels}", parameters=schema)


@pytest.mark.parametrize(
    "channel", [channel for channel in CHANNELS if channel.family == "openai"], ids=by_api
)
def test_a_gateway_with_lower_limits_names_the_tool_that_goes(channel: Channel) -> None:
    bound = parrots(nested(3), nested(7), nested(2))
    call = Call("nested_7", {"in": {"in": {"in": {"in": {"in": {"in": {"in": "deep"}}}}}}})
    with Loopback(turn(call), ceiling=Ceiling(depth=5)) as server:
        prepared, response = persistently(channel, server, channel.prepared(bound))
    assert strict_names(prepared) == ["nested_3", "nested_2"]
    assert server.refusals == [
        "Invalid schema for function 'nested_7': 7 levels of nesting exceeds limit of 5."
    ]
    assert params_of(prepared.read_calls(response)) == [call.arguments]


@pytest.mark.parametrize(
    "channel", [channel for channel in CHANNELS if channel.family == "google"], ids=by_api
)
def test_too_many_states_cost_all_tools_their_strictness_as_google_knows_no_other_way(
    channel: Channel,
) -> None:
    bound = parrots(*(tool(number) for number in range(5)))
    with Loopback(turn(CALL), ceiling=Ceiling(properties=19)) as server:
        prepared, response = persistently(channel, server, channel.prepared(bound))
    assert strict_names(prepared) == []
    assert len(server.refusals) == 1
    assert "toolConfig" not in server.bodies[1]
    assert params_of(prepared.read_calls(response)) == [{"p0": "a", "p1": "b"}]


OVERLOADED: list[tuple[Channel, Refusal]] = [
    (RESPONSES, Refusal("Rate limit reached for gpt-5", 429)),
    (CHAT, Refusal("You exceeded your current quota", 429)),
    (MESSAGES, Refusal("Overloaded", 529)),
    (MESSAGES, Refusal("prompt is too long: 210000 tokens > 200000 maximum", 400)),
    (GENERATE, Refusal("The model is overloaded. Please try again later.", 503)),
    (OLDER_GENERATE, Refusal("API key not valid. Please pass a valid API key.", 400)),
]


@pytest.mark.parametrize(("channel", "refusal"), OVERLOADED, ids=lambda value: getattr(value, "message", ""))
def test_other_errors_are_no_reason_to_give_up_strictness(channel: Channel, refusal: Refusal) -> None:
    with Loopback(refusal) as server, pytest.raises(REFUSED):
        persistently(channel, server, channel.prepared(parrots(tool(0))))
    assert server.refusals == [refusal.message]


WORDS: list[tuple[Channel, str]] = [
    (MESSAGES, "The compiled grammar is too large, which would cause performance issues."),
    (MESSAGES, "Schema is too complex for compilation."),
    (
        MESSAGES,
        "Schemas contains too many optional parameters (87), which would make it inefficient (limit: 24).",
    ),
    (
        MESSAGES,
        "Schemas contains too many parameters with union types (23 parameters with type arrays or anyOf).",
    ),
    (MESSAGES, "Too many strict tools (21). The maximum number of strict tools supported is 20."),
    (MESSAGES, "tools.0.custom: For 'integer' type, property maximum is not supported"),
    (
        RESPONSES,
        "Invalid schema for function 'tool_0': In context=('properties', 'p0'), 'x' is not permitted.",
    ),
    (CHAT, "Invalid schema for function 'tool_0': schema must have a 'type' key."),
    (GENERATE, "The specified schema produces a constraint that has too many states for serving."),
]


@pytest.mark.parametrize(
    ("channel", "words"), WORDS, ids=lambda value: value if isinstance(value, str) else ""
)
def test_every_refusal_of_a_schema_is_answered_with_less_strictness(channel: Channel, words: str) -> None:
    with Loopback(Refusal(words), turn(CALL)) as server:
        prepared, response = persistently(channel, server, channel.prepared(parrots(tool(0))))
    assert strict_names(prepared) == []
    assert params_of(prepared.read_calls(response)) == [{"p0": "a", "p1": "b"}]


@pytest.mark.parametrize("channel", APIS, ids=by_api)
def test_a_large_toolkit_stays_within_the_documented_limits(channel: Channel) -> None:
    """Thirty tools with sixty optional parameters: the plan keeps below the limits that are known."""
    bound = parrots(*(tool(number) for number in range(30)))
    with Loopback(turn("Nothing to do.")) as server:
        prepared, _ = persistently(channel, server, channel.prepared(bound))
    assert len(prepared.plan.decisions) == 30
    assert len(strict_names(prepared)) == {"openai": 30, "anthropic": 20, "google": 30}[channel.family]
