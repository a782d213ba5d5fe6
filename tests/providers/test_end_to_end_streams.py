"""Streams: parts as soon as they are complete, the clients' own helpers, and streams that break off."""

from __future__ import annotations

import asyncio
from typing import Any

import anthropic
import openai
import pytest
from typing_extensions import TypedDict

from tests.loopback.scripts import Call, Turn, turn
from tests.loopback.server import Loopback
from tests.providers.conversations import (
    CHANNELS,
    CHAT,
    MESSAGES,
    RESPONSES,
    Channel,
    by_api,
    failures_of,
    ids_of,
    params_of,
)
from tool_core import Strict, Tool, Toolkit
from tool_core.providers import Prepared

STREAMED = [channel for channel in CHANNELS if channel.is_streamed]


class Line(TypedDict):
    text: str


write = Tool.make("Write", parameters=Line, success=int)
stop = Tool.make("Stop", success=str)
bound = Toolkit.make(write, stop).bind({"Write": lambda line: len(line["text"]), "Stop": lambda _: "ok"})
TEXTS = ["first", '«zwölf Boxkämpfer» \U0001f94a \\ " \n', "x" * 300]
SCRIPT = turn("Writing.", *(Call("Write", {"text": text}) for text in TEXTS), Call("Stop", {}), "Written.")


def events_of(channel: Channel, prepared: Prepared[Any, Any, Any], script: Turn = SCRIPT) -> list[object]:
    with Loopback(script) as server:
        events = channel.reply(server, prepared, [channel.opening("Write.")])
    assert isinstance(events, list)
    return events


@pytest.mark.parametrize("channel", STREAMED, ids=by_api)
def test_every_part_comes_as_soon_as_it_is_complete(channel: Channel) -> None:
    prepared = channel.prepared(bound)
    events = events_of(channel, prepared)
    reader = prepared.stream()
    arrived = [(number, part) for number, event in enumerate(events) for part in reader.feed(event)]
    assert reader.finish() == []
    assert [part for _, part in arrived] == prepared.read_calls(events)
    assert [part["params"] for _, part in arrived if part["type"] == "tool-call"] == [
        *({"text": text} for text in TEXTS),
        {},
    ]
    assert prepared.assistant_turn(reader) == prepared.assistant_turn(events)
    if channel.family != "openai" or channel.api.startswith("responses"):
        assert arrived[0][0] < arrived[1][0] < arrived[2][0] < len(events) - 1


@pytest.mark.parametrize("channel", STREAMED, ids=by_api)
def test_a_stream_that_breaks_off_anywhere_gives_every_call_that_began_one_part(channel: Channel) -> None:
    prepared = channel.prepared(bound)
    events = events_of(channel, prepared)
    whole = prepared.read_calls(events)
    most = 0
    for length in range(len(events)):
        parts = prepared.read_calls(events[:length])
        assert ids_of(parts) == ids_of(whole)[: len(parts)]
        assert len(parts) >= most
        most = len(parts)
        for index, part in enumerate(parts):
            assert part == whole[index] or (part["type"] == "tool-result" and part["is_failure"])
        results = asyncio.run(bound.resolve(parts))
        assert len(results) == len(parts)
    assert most == len(whole) == 4


@pytest.mark.parametrize("channel", STREAMED, ids=by_api)
def test_a_connection_that_ends_in_a_call_is_a_failure_of_that_call(channel: Channel) -> None:
    prepared = channel.prepared(bound)
    total = len(events_of(channel, prepared))
    is_by_pieces = channel.family != "google"  # whose calls come in one piece
    middle = total // 2 if is_by_pieces else 4  # the long text lies in the middle
    parts = prepared.read_calls(events_of(channel, prepared, Turn(SCRIPT.content, cut=middle)))
    results = asyncio.run(bound.resolve(parts))
    flags = failures_of(results)
    assert flags == ([False, False, True] if is_by_pieces else [False, False])


def test_the_final_objects_of_the_clients_own_helpers_are_read_too() -> None:
    for channel in (RESPONSES, CHAT, MESSAGES):
        prepared = channel.prepared(bound)
        with Loopback(SCRIPT, SCRIPT) as server:
            final, seen = helped(channel, prepared, server)
        wanted = [{"text": text} for text in TEXTS] + [{}]
        for shown in (final, seen):
            parts = prepared.read_calls(shown)
            assert params_of(parts) == wanted, channel.api


def helped(channel: Channel, prepared: Prepared[Any, Any, Any], server: Loopback) -> tuple[Any, list[Any]]:
    """Stream twice through the client's helper: once to its final object, once event by event."""
    messages = [channel.opening("Write.")]
    request: dict[str, Any] = {"model": channel.model, **prepared.request}
    client: Any
    if channel is MESSAGES:
        client = anthropic.Anthropic(base_url=server.url, api_key="none")
        stream, final = client.messages.stream, "get_final_message"
        request |= {"messages": messages, "max_tokens": 1000}
    else:
        client = openai.OpenAI(base_url=f"{server.url}/v1", api_key="none")
        if channel is RESPONSES:
            stream, final = client.responses.stream, "get_final_response"
            request |= {"input": messages}
        else:
            stream, final = client.chat.completions.stream, "get_final_completion"
            request |= {"messages": messages}
    with client, stream(**request) as first, stream(**request) as second:
        return getattr(first, final)(), list(second)


@pytest.mark.parametrize("channel", STREAMED, ids=by_api)
def test_lenient_arguments_survive_being_cut_into_pieces(channel: Channel) -> None:
    lenient = Toolkit.make(write.annotate(Strict, False)).bind({"Write": lambda line: len(line["text"])})
    prepared = channel.prepared(lenient)
    calls = [Call("Write", {"text": text}) for text in TEXTS]
    parts = prepared.read_calls(events_of(channel, prepared, turn(*calls)))
    assert params_of(parts) == [{"text": text} for text in TEXTS]
