"""What goes wrong reaches the model in its provider's way, and costs the other calls nothing."""

from __future__ import annotations

import asyncio
from typing import Any, NotRequired

import pytest
from typing_extensions import TypedDict

from tests.loopback.scripts import Call, turn
from tests.loopback.server import Loopback
from tests.providers.conversations import (
    APIS,
    CHANNELS,
    CHAT,
    GENERATE,
    MESSAGES,
    RESPONSES,
    Channel,
    by_api,
    converse,
    failures_of,
    results_of,
)
from tool_core import Fail, Strict, Tool, ToolFailedError, Toolkit


class Key(TypedDict):
    key: str


class Missing(TypedDict):
    missing: str


class Count(TypedDict):
    count: int
    note: NotRequired[str]


find = Tool.make("Find", parameters=Key, success=str, failure=Missing, failure_mode="return")
crash = Tool.make("Crash", success=str, failure_mode="return")
count = Tool.make("Count", parameters=Count, success=int, failure_mode="return").annotate(Strict, False)
must = Tool.make("Must", parameters=Key, success=str, failure=Missing)


def look(params: Key) -> str | Fail[Missing]:
    return "here" if params["key"] == "a" else Fail(Missing(missing=params["key"]))


def explode(_: object) -> str:
    raise RuntimeError("the disk at /dev/sda is on fire")


bound = Toolkit.make(find, crash, count, must).bind(
    {"Find": look, "Crash": explode, "Count": lambda params: params["count"], "Must": look}
)


def failures(channel: Channel, body: dict[str, Any]) -> list[tuple[bool, str]]:
    """Read the results as the model does: is it a failure, and in which words."""
    shown = []
    for _, content, flag in channel.answers(body):
        text = str(content)
        words = "The tool call failed: "
        shown.append((text.startswith(words) if flag is None else flag, text.removeprefix(words)))
    return shown


@pytest.mark.parametrize("channel", CHANNELS, ids=by_api)
def test_failures_that_are_returned_say_so_beside_the_results_of_the_others(channel: Channel) -> None:
    calls = [
        Call("Find", {"key": "a"}),
        Call("Find", {"key": "b"}),
        Call("Crash", {}),
        Call("Find", {"key": "a"}),
    ]
    with Loopback(turn(*calls), turn("I see.")) as server:
        converse(channel, server, bound)
    first, second, third, fourth = failures(channel, server.bodies[1])
    assert first == fourth == (False, "here")
    assert second[0] and "missing" in second[1] and "b" in second[1]
    assert third[0] and "/dev/sda" not in third[1]


@pytest.mark.parametrize("channel", APIS, ids=by_api)
def test_a_model_that_misbehaves_is_told_what_to_fix_and_does(channel: Channel) -> None:
    wrong = [
        Call("Count", {"count": "three"}, honest=False),
        Call("Count", {"count": 1, "colour": "red"}, honest=False),
        Call("Cuont", {"count": 1}, honest=False),
        Call("Count", {"count": 2}),
    ]
    with Loopback(turn(*wrong), turn(Call("Count", {"count": 3})), turn("Three.")) as server:
        shown = converse(channel, server, bound)
    told = failures(channel, server.bodies[1])
    assert [flag for flag, _ in told] == [True, True, True, False]
    assert "count" in told[0][1] and "integer" in told[0][1]
    assert "colour" in told[1][1]
    assert "Count" in told[2][1]
    assert results_of(shown.results[1]) == [3]


@pytest.mark.parametrize("channel", APIS, ids=by_api)
def test_a_failure_that_is_raised_carries_what_the_others_gave(channel: Channel) -> None:
    prepared = channel.prepared(bound)
    calls = [Call("Must", {"key": "b"}), Call("Find", {"key": "a"})]
    with Loopback(turn(*calls)) as server:
        response = channel.reply(server, prepared, [channel.opening("Go on.")])
    with pytest.raises(ToolFailedError) as caught:
        asyncio.run(bound.resolve(prepared.read_calls(response)))
    assert caught.value.value == {"missing": "b"}
    assert results_of(caught.value.parts) == ["here"]


RAW = [
    '{"count": ',
    "three",
    '{"count": 1}}',
    '{"count": 1, "count": 2}',
    '{"__proto__": 1}',
    '{"count": NaN}',
    "[]",
]


@pytest.mark.parametrize(
    "channel", [channel for channel in CHANNELS if channel.family == "openai"], ids=by_api
)
def test_arguments_that_are_not_json_fail_for_that_call_only(channel: Channel) -> None:
    calls = [*(Call("Count", raw=text, honest=False) for text in RAW), Call("Count", {"count": 7})]
    with Loopback(turn(*calls, cut=10_000), turn("I see.")) as server:
        shown = converse(channel, server, bound)
    assert [flag for flag, _ in failures(channel, server.bodies[1])] == [True] * len(RAW) + [False]
    assert [part["type"] for part in shown.calls[0]] == ["tool-result"] * 6 + ["tool-call"] * 2


@pytest.mark.parametrize(
    "channel",
    [channel for channel in CHANNELS if channel.family == "anthropic" and channel.is_streamed],
    ids=by_api,
)
def test_a_streamed_block_that_is_not_json_fails_for_that_call_only(channel: Channel) -> None:
    calls = [Call("Count", raw='{"count": ]', honest=False), Call("Count", {"count": 7})]
    with Loopback(turn(*calls, cut=10_000), turn("I see.")) as server:
        converse(channel, server, bound)
    assert [flag for flag, _ in failures(channel, server.bodies[1])] == [True, False]


@pytest.mark.parametrize("channel", [RESPONSES, CHAT, MESSAGES], ids=by_api)
def test_an_answer_that_became_too_long_fails_in_its_last_call_only(channel: Channel) -> None:
    calls = [Call("Find", {"key": "a"}), Call("Count", raw='{"count": 12', honest=False)]
    with Loopback(turn(*calls, stop="length"), turn("I see.")) as server:
        converse(channel, server, bound)
    told = failures(channel, server.bodies[1])
    assert [flag for flag, _ in told] == [False, True]


@pytest.mark.parametrize(
    "channel", [channel for channel in CHANNELS if channel.family == "google"], ids=by_api
)
def test_a_call_that_gemini_throws_away_is_answered_in_words(channel: Channel) -> None:
    with Loopback(turn("Hm.", stop="malformed"), turn(Call("Count", {"count": 1})), turn("One.")) as server:
        shown = converse(channel, server, bound)
    last = server.bodies[1]["contents"][-1]
    assert last["role"] == "user"
    assert "the function call was malformed" in last["parts"][0]["text"]
    assert results_of(shown.results[1]) == [1]


@pytest.mark.parametrize("channel", [GENERATE, MESSAGES], ids=by_api)
def test_a_call_that_the_tool_choice_forbids_is_not_run(channel: Channel) -> None:
    prepared = channel.prepared(bound, tool_choice={"one_of": ["Find"]})
    with Loopback(turn(Call("Find", {"key": "a"}), Call("Crash", {}, honest=False))) as server:
        response = channel.reply(server, prepared, [channel.opening("Go on.")])
    parts = asyncio.run(bound.resolve(prepared.read_calls(response), tool_choice={"one_of": ["Find"]}))
    assert failures_of(parts) == [False, True]
