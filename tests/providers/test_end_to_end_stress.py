"""Many calls at once, and hostile ones: every call is answered exactly once."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from anthropic.types import Message
from google.genai.types import GenerateContentResponse
from openai.types.chat import ChatCompletion
from openai.types.responses import Response
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
    ids_of,
    results_of,
)
from tool_core import Strict, Tool, Toolkit

MANY = 200


class Number(TypedDict):
    n: int


square = Tool.make("Square", parameters=Number, success=int, failure_mode="return")
loose = Tool.make("Loose", parameters=Number, success=int, failure_mode="return").annotate(Strict, False)
bound = Toolkit.make(square, loose).bind(
    {"Square": lambda params: params["n"] ** 2, "Loose": lambda params: params["n"] + 1}
)


@pytest.mark.parametrize(
    "channel", [*APIS, *(channel for channel in CHANNELS if "sync-streamed" in channel.api)], ids=by_api
)
def test_two_hundred_calls_at_once_are_each_answered_once(channel: Channel) -> None:
    with Loopback(turn(*(Call("Square", {"n": n}) for n in range(MANY))), turn("Done.")) as server:
        shown = converse(channel, server, bound)
    assert results_of(shown.results[0]) == [n * n for n in range(MANY)]
    answers = list(channel.answers(server.bodies[1]))
    assert [int(content) for _, content, _ in answers] == [n * n for n in range(MANY)]


NAMES = [
    "Square",
    "Loose",
    "square",
    "",
    " ",
    "Sq\u0000are",
    "__proto__",
    "Square\n",
    "\u017fquare",
    "x" * 5000,
    "🔧",
    "../Square",
    "None",
]
TEXTS = [
    "",
    " ",
    "{",
    "}",
    "null",
    "[]",
    "3",
    '"x"',
    '{"n": 3}',
    '{"n": "3"}',
    '{"n": 3.0}',
    '{"n": 1e400}',
    '{"n": NaN}',
    '{"n": 1, "n": 2}',
    '{"__proto__": {"n": 1}}',
    '{"n": true}',
    '{"m": 1}',
    '{"n": 1} x',
    "[" * 5000,
    '{"n": "\\ud800"}',
    '{"n": ' + "9" * 5000 + "}",
    '{"n": {"n": {"n": 1}}}',
    "\ufeff{}",
    "{'n': 1}",
    '{"value": {"n": 1}}',
]
VALUES: list[Any] = [
    {},
    {"n": 3},
    {"n": "3"},
    {"n": True},
    {"n": None},
    {"n": 3, "m": 4},
    {"__proto__": 1},
    {"n": {"n": 1}},
    {"n": 10**400},
    {"n": -1},
    {"n": "\ud800"},
    {"\ud800": 1},
    {"n": [1] * 100},
    {"value": {"n": 1}},
]
ODD_VALUES: list[Any] = [None, [], "text", 3, True, [{"n": 3}]]
IDS = ["call_1", "", " ", "call 1", "x" * 1000, "🔧", "a\nb", "\u0000", "0", "null", "call_1 ", "CALL_1", "approval_x_y"]  # fmt: skip


def hostile(seed: int, values: list[Any]) -> list[tuple[str, str, Any]]:
    """Make hundreds of calls with different ids, names and arguments that nobody should send."""
    chance = random.Random(seed)
    ids = [*IDS, *(f"{chance.choice(IDS)}-{number}" for number in range(300))]
    return [(call_id, chance.choice(NAMES), chance.choice(values)) for call_id in ids]


def in_responses(calls: list[tuple[str, str, Any]]) -> object:
    output = [{"type": "function_call", "call_id": i, "name": n, "arguments": a} for i, n, a in calls]
    return Response.construct(id="r", object="response", status="completed", output=output)


def in_chat(calls: list[tuple[str, str, Any]]) -> object:
    made = [{"id": i, "type": "function", "function": {"name": n, "arguments": a}} for i, n, a in calls]
    message = {"role": "assistant", "content": None, "tool_calls": made}
    return ChatCompletion.construct(
        id="c", choices=[{"index": 0, "message": message, "finish_reason": "tool_calls"}]
    )


def in_messages(calls: list[tuple[str, str, Any]]) -> object:
    content = [{"type": "tool_use", "id": i, "name": n, "input": a} for i, n, a in calls]
    return Message.construct(id="m", role="assistant", content=content, stop_reason="tool_use")


def in_contents(calls: list[tuple[str, str, Any]]) -> object:
    parts = [{"function_call": {"id": i, "name": n, "args": a}} for i, n, a in calls]
    return GenerateContentResponse.model_validate(
        {"candidates": [{"content": {"role": "model", "parts": parts}}]}
    )


HOSTILE: list[tuple[Channel, Callable[[list[tuple[str, str, Any]]], object], list[Any]]] = [
    (RESPONSES, in_responses, TEXTS),
    (CHAT, in_chat, TEXTS),
    (MESSAGES, in_messages, [*VALUES, *ODD_VALUES]),
    (GENERATE, in_contents, VALUES),
]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("channel", "written", "values"), HOSTILE, ids=[channel.api for channel, _, _ in HOSTILE]
)
def test_hundreds_of_hostile_calls_are_each_answered_once(
    channel: Channel, written: Callable[[list[tuple[str, str, Any]]], object], values: list[Any], seed: int
) -> None:
    calls = hostile(seed, values)
    prepared = channel.prepared(bound)
    parts = prepared.read_calls(written(calls))
    assert len(parts) == len(calls)
    results = asyncio.run(bound.resolve(parts))
    assert len(results_of(results)) == len(calls)
    assert ids_of(results) == ids_of(parts)
    answers = list(channel.answers(as_body(channel, prepared.tool_results(results))))
    wanted = [call_id for call_id, name, _ in calls if name or channel is not GENERATE]
    if channel is CHAT:  # a call without an id gets one there
        wanted = ids_of(parts)
    assert sorted(call_id for call_id, _, _ in answers if call_id) == sorted(filter(None, wanted))
    assert 0 < failures_of(results).count(False) < len(calls) / 2
    json.dumps(answers, ensure_ascii=False).encode()  # as the clients do it; half a surrogate pair would fail


def as_body(channel: Channel, messages: list[Any]) -> dict[str, Any]:
    """Put messages where a request has them, in JSON's spelling."""
    if channel is RESPONSES:
        return {"input": messages}
    if channel is GENERATE:
        parts = [part for message in messages for part in message["parts"]]
        spelled = [
            {"functionResponse": part["function_response"]} for part in parts if "function_response" in part
        ]
        return {"contents": [{"role": "user", "parts": spelled}]}
    return {"messages": messages}
