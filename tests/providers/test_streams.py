"""Streams: pieces put together, parts as soon as they are complete, nothing lost when one breaks off."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any, cast

import pytest
from anthropic.types import RawMessageStreamEvent
from google.genai import types
from openai.types.chat import ChatCompletionChunk
from openai.types.responses import ResponseStreamEvent
from pydantic import TypeAdapter

from tests.providers.events import STREAMS
from tests.providers.kits import prepared
from tests.providers.responses import APIS, WRITERS
from tool_core import ToolConfigurationError, ToolPart
from tool_core.parts import tool_result

CALLS = [
    ("c1", "trips.plan", {"city": "Oslo", "budget": {"food": 3, "é": 4}}),
    ("c2", "Now", {}),
    ("c3", "Book", {"code": "x" * 20}),
]


def wire_calls(api: str) -> list[Any]:
    plan = prepared(api)
    return [
        (call_id, plan.names[name], plan.plan.by_name[name].form.lower(value))
        for call_id, name, value in CALLS
    ]


def sdk_event(api: str, event: dict[str, Any]) -> Any:
    """Make an event what the SDK makes of it."""
    if api == "chat":
        return ChatCompletionChunk.model_validate(event)
    if api == "generate":
        return types.GenerateContentResponse.model_validate(event)
    kind: Any = ResponseStreamEvent if api == "responses" else RawMessageStreamEvent
    return TypeAdapter(kind).validate_python(event)


def known_to_the_sdk(event: dict[str, Any]) -> bool:
    return event.get("type") not in ("ping", "response.created", "response.completed")


@pytest.mark.parametrize("api", APIS)
def test_a_stream_reads_like_the_response_it_describes(api: str) -> None:
    plan = prepared(api)
    whole = plan.read_calls(WRITERS[api](wire_calls(api)))
    assert plan.read_calls(STREAMS[api](wire_calls(api))) == whole
    assert plan.read_calls(iter(STREAMS[api](wire_calls(api)))) == whole
    assert [cast(Any, part)["params"] for part in whole] == [value for _, _, value in CALLS]


@pytest.mark.parametrize("api", APIS)
def test_the_sdks_own_events_are_read_alike(api: str) -> None:
    plan = prepared(api)
    events = [sdk_event(api, event) for event in STREAMS[api](wire_calls(api)) if known_to_the_sdk(event)]
    assert plan.read_calls(events) == plan.read_calls(WRITERS[api](wire_calls(api)))


@pytest.mark.parametrize("api", APIS)
def test_each_part_comes_once_in_order_and_as_soon_as_it_is_complete(api: str) -> None:
    plan = prepared(api)
    reader, given = plan.stream(), list[ToolPart]()
    before_the_end = 0
    events = STREAMS[api](wire_calls(api))
    for number, event in enumerate(events):
        given += reader.feed(event)
        before_the_end = len(given) if number < len(events) - 3 else before_the_end
    assert before_the_end >= 1
    given += reader.finish()
    assert given == plan.read_calls(WRITERS[api](wire_calls(api)))
    assert reader.finish() == []


@pytest.mark.parametrize("api", APIS)
def test_the_turn_can_be_repeated_from_a_stream(api: str) -> None:
    plan = prepared(api)
    reader = plan.stream()
    for event in STREAMS[api](wire_calls(api)):
        reader.feed(event)
    reader.finish()
    [first, *_] = plan.assistant_turn(WRITERS[api](wire_calls(api)))
    [again, *_] = plan.assistant_turn(reader)
    calls = "tool_calls" if api == "chat" else "content" if api == "messages" else "parts"
    if api == "responses":
        assert again == first
    else:
        assert again[calls][:3] == first[calls]


@pytest.mark.parametrize("api", ["responses", "chat", "messages"])
def test_wherever_a_stream_breaks_off_no_call_is_lost_and_none_runs_half(api: str) -> None:
    plan = prepared(api)
    whole = plan.read_calls(WRITERS[api](wire_calls(api)))
    events = STREAMS[api](wire_calls(api))
    for length in range(len(events)):
        parts = cast("list[Any]", plan.read_calls(events[:length]))
        ids = [part["id"] for part in parts]
        assert ids == ["c1", "c2", "c3"][: len(ids)]
        for part, complete in zip(parts, whole, strict=False):
            assert part == complete or part["is_failure"]
        begun = {event.get("item", {}).get("call_id") for event in events[:length]}
        begun |= {event.get("content_block", {}).get("id") for event in events[:length]}
        assert {item for item in begun if item} <= set(ids)


@pytest.mark.parametrize("api", ["responses", "chat", "messages"])
def test_a_call_that_is_cut_off_says_so(api: str) -> None:
    plan = prepared(api)
    events = STREAMS[api]([("c1", "trips_plan", {"city": "Oslo", "budget": []})])
    [part] = cast("list[Any]", plan.read_calls(events[:6]))
    assert part["is_failure"] is True
    assert part["result"]["message"] == (
        "Invalid parameters for tool 'trips_plan': the arguments were cut off before they were complete; "
        "send the whole call again"
    )


@pytest.mark.parametrize("api", ["responses", "chat", "messages"])
def test_malformed_arguments_are_a_failure_of_that_call_only(api: str) -> None:
    plan = prepared(api)
    calls = [
        ("c1", "Now", {}),
        ("c2", "Now", '{"a": 1'),
        ("c3", "Now", '{"__proto__": 1}'),
        ("c4", "Now", {}),
    ]
    parts = cast("list[Any]", plan.read_calls(STREAMS[api](calls)))
    assert [part["type"] for part in parts] == ["tool-call", "tool-result", "tool-result", "tool-call"]
    assert "not acceptable JSON" in parts[1]["result"]["message"]
    assert "'__proto__' is forbidden" in parts[2]["result"]["message"]


def test_an_asynchronous_stream_is_fed_event_by_event() -> None:
    plan = prepared("messages")

    async def stream() -> AsyncIterator[dict[str, Any]]:
        for event in STREAMS["messages"](wire_calls("messages")):
            yield event

    async def read() -> list[ToolPart]:
        reader = plan.stream()
        parts = [part async for event in stream() for part in reader.feed(event)]
        return [*parts, *reader.finish()]

    assert asyncio.run(read()) == plan.read_calls(WRITERS["messages"](wire_calls("messages")))
    with pytest.raises(ToolConfigurationError) as caught:
        plan.read_calls(stream())
    assert caught.value.description == (
        "an asynchronous stream cannot be read at once; feed its events to `prepared.stream()` in an `async for`"
    )


def test_what_a_broken_connection_has_brought_can_still_be_read() -> None:
    plan = prepared("responses")

    def broken() -> Iterator[dict[str, Any]]:
        yield from STREAMS["responses"](wire_calls("responses"))[:-4]
        raise ConnectionError("gone")

    def read(parts: list[ToolPart]) -> None:
        for event in broken():
            parts += reader.feed(event)

    reader, parts = plan.stream(), list[ToolPart]()
    with pytest.raises(ConnectionError):
        read(parts)
    assert [cast(Any, part)["id"] for part in [*parts, *reader.finish()]] == ["c1", "c2", "c3"]


# --- gateways and other oddities ---------------------------------------------------------------


def chunk(*calls: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": {"tool_calls": list(calls)}, "finish_reason": finish}]}


def named(call_id: Any, name: Any, arguments: Any, **more: Any) -> dict[str, Any]:
    return {"id": call_id, "function": {"name": name, "arguments": arguments}, **more}


ODD_STREAMS: list[tuple[str, list[dict[str, Any]]]] = [
    ("null names and ids after the first piece", [chunk(named("c1", "Now", "", index=0)), chunk(named(None, None, "{", index=0)), chunk(named("", "", "}", index=0), finish="tool_calls")]),
    ("the name repeated in every piece", [chunk(named("c1", "Now", "{", index=0)), chunk(named("c1", "Now", "}", index=0), finish="tool_calls")]),
    ("no index", [chunk(named("c1", "Now", "{")), chunk({"function": {"arguments": "}"}}, finish="stop")]),
    ("arguments before the id", [chunk({"index": 0, "function": {"name": "Now", "arguments": "{"}}), chunk(named("c1", None, "}", index=0), finish="stop")]),
    ("everything at once", [chunk(named("c1", "Now", "{}", index=0), finish="tool_calls")]),
    ("no arguments at all", [chunk(named("c1", "Now", None, index=0), finish="tool_calls")]),
    ("wrapped by the SDK's helper", [{"type": "chunk", "chunk": chunk(named("c1", "Now", "{}", index=0), finish="stop")}, {"type": "tool_calls.function.arguments.done"}]),
]  # fmt: skip


@pytest.mark.parametrize(("oddity", "events"), ODD_STREAMS)
def test_gateways_stream_in_odd_ways(oddity: str, events: list[dict[str, Any]]) -> None:
    [part] = cast("list[Any]", prepared("chat").read_calls(events))
    assert (part["type"], part["id"], part["name"], part["params"]) == ("tool-call", "c1", "Now", {})


def test_a_gateway_that_gives_every_call_the_same_index() -> None:
    events = [
        chunk(named("c1", "Now", "{", index=0)),
        chunk({"index": 0, "function": {"arguments": "}"}}),
        chunk(named("c2", "Now", "{}", index=0), finish="stop"),
    ]
    assert [cast(Any, part)["id"] for part in prepared("chat").read_calls(events)] == ["c1", "c2"]


def test_a_gateway_that_ends_with_an_empty_response() -> None:
    events = STREAMS["responses"](wire_calls("responses"))
    events[-1] = {
        "type": "response.completed",
        "response": {"id": "resp_1", "status": "completed", "output": []},
    }
    plan = prepared("responses")
    assert plan.read_calls(events) == plan.read_calls(WRITERS["responses"](wire_calls("responses")))


def test_googles_arguments_may_come_piece_by_piece() -> None:
    def part(call: dict[str, Any]) -> dict[str, Any]:
        return {"candidates": [{"content": {"parts": [{"functionCall": call}]}}]}

    pieces = [
        {"id": "c1", "name": "trips.plan", "willContinue": True, "partialArgs": [{"jsonPath": "$.city", "stringValue": "Os", "willContinue": True}]},
        {"willContinue": True, "partialArgs": [{"jsonPath": "$.city", "stringValue": "lo"}, {"jsonPath": "$.days", "numberValue": 2}]},
        {"willContinue": True, "partialArgs": [{"jsonPath": "$.budget[0].key", "stringValue": "food"}, {"jsonPath": "$.budget[0].value", "numberValue": 3}]},
        {},
    ]  # fmt: skip
    plan = prepared("generate")
    [whole] = cast("list[Any]", plan.read_calls([part(piece) for piece in pieces]))
    assert whole["params"] == {"city": "Oslo", "days": 2, "budget": {"food": 3}}
    [cut] = cast("list[Any]", plan.read_calls([part(piece) for piece in pieces[:2]]))
    assert cut["is_failure"] and "cut off" in cut["result"]["message"]
    events = [types.GenerateContentResponse.model_validate(part(piece)) for piece in pieces]
    assert plan.read_calls(events) == [whole]


def test_what_is_no_event_is_passed_over() -> None:
    for api in APIS:
        assert (
            prepared(api).read_calls(
                [None, 3, "text", {}, {"type": None}, {"choices": [3]}, {"candidates": [None]}]
            )
            == []
        )


def test_thoughts_and_citations_are_kept_for_the_next_turn() -> None:
    events = [
        {"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": "", "signature": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "hm"}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "signature_delta", "signature": "sig"}},
        {"type": "content_block_stop", "index": 0},
        {"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "Yes"}},
        {"type": "content_block_delta", "index": 1, "delta": {"type": "citations_delta", "citation": {"type": "x"}}},
        {"type": "content_block_stop", "index": 1},
    ]  # fmt: skip
    assert prepared("messages").assistant_turn(events) == [
        {"role": "assistant", "content": [{"type": "thinking", "thinking": "hm", "signature": "sig"}, {"type": "text", "text": "Yes", "citations": [{"type": "x"}]}]}
    ]  # fmt: skip


def test_what_comes_between_the_pieces_of_googles_arguments_stays_in_order() -> None:
    def chunk(part: dict[str, Any]) -> dict[str, Any]:
        return {"candidates": [{"content": {"parts": [part]}}]}

    events = [
        chunk({"functionCall": {"id": "c1", "name": "search", "willContinue": True}}),
        chunk({"text": "meanwhile"}),
        chunk({"functionCall": {"partialArgs": [{"jsonPath": "$.q", "stringValue": "cats"}]}}),
        chunk({"functionCall": {"id": "c2", "name": "Now"}}),
    ]
    plan = prepared("generate")
    parts = cast("list[Any]", plan.read_calls(events))
    assert [(part["id"], part["params"]) for part in parts] == [("c1", {"q": "cats"}), ("c2", {})]
    [content] = plan.assistant_turn(events)
    assert [list(part) for part in content["parts"]] == [["functionCall"], ["text"], ["functionCall"]]
    reader = plan.stream()
    assert [len(reader.feed(event)) for event in events] == [0, 0, 1, 1]


def google_chunk(*parts: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {**more, "candidates": [{"content": {"role": "model", "parts": list(parts)}}]}


def test_a_call_that_begins_before_googles_last_one_ended_is_not_mixed_with_it() -> None:
    events = [
        google_chunk({"functionCall": {"id": "c1", "name": "search", "willContinue": True}}),
        google_chunk(
            {"functionCall": {"willContinue": True, "partialArgs": [{"jsonPath": "$.q", "stringValue": "c"}]}}
        ),
        google_chunk({"functionCall": {"id": "c2", "name": "Now", "args": {}}}),
    ]
    cut, whole = cast("list[Any]", prepared("generate").read_calls(events))
    assert (cut["id"], cut["is_failure"]) == ("c1", True)
    assert "cut off" in cut["result"]["message"]
    assert (whole["type"], whole["id"], whole["params"]) == ("tool-call", "c2", {})


@pytest.mark.parametrize("known", [{"responseId": "r1"}, {}])
def test_a_long_text_of_google_is_not_read_again_for_every_piece(known: dict[str, Any]) -> None:
    reads: list[int] = []
    reader = prepared("generate").stream()
    reader.read = lambda response: reads.append(1) or []  # type: ignore[func-returns-value]
    for _ in range(100):
        assert reader.feed(google_chunk({"text": "so "}, **known)) == []
    reader.feed(google_chunk({"functionCall": {"name": "Now"}}, **known))
    reader.finish()
    assert len(reads) == 2


def test_calls_without_ids_stay_apart_and_are_answered_by_the_ids_they_get() -> None:
    plan = prepared("chat")
    for pieces in (
        [[named(None, "Now", "{}", index=0)], [named("", "Now", "{}", index=1)]],
        [[named(None, "Now", "{}", index=0)], [named(None, "Now", "{}", index=0)]],
        [[named(None, "Now", "{")], [{"function": {"arguments": "}"}}], [named("", "Now", "{}")]],
        [[named(None, "Now", "{}"), named(None, "Now", "{}")]],
    ):
        events = [*(chunk(*calls) for calls in pieces), chunk(finish="tool_calls")]
        for response in (events, [{**event, "id": "chatcmpl-1"} for event in events]):
            reader = plan.stream()
            parts: list[Any] = [part for event in response for part in reader.feed(event)]
            assert [part["type"] for part in parts] == ["tool-call", "tool-call"]
            assert plan.read_calls(response) == parts
            ids = [part["id"] for part in parts]
            assert len(set(ids)) == 2 and all(ids)
            [turn] = plan.assistant_turn(reader)
            assert [call["id"] for call in turn["tool_calls"]] == ids
            answers = plan.tool_results([tool_result(part["id"], "Now", 1.0) for part in parts])
            assert [answer["tool_call_id"] for answer in answers] == ids


def test_a_call_whose_arguments_go_on_after_the_next_began_is_not_run_before_they_end() -> None:
    events = [
        chunk(named("c1", "search", "", index=0), named("c2", "search", "", index=1)),
        chunk({"index": 1, "function": {"arguments": '{"q": "b"}'}}),
        chunk({"index": 0, "function": {"arguments": '{"q": "a"}'}}),
        chunk(named("c3", "Now", "{}", index=2)),
        chunk(finish="tool_calls"),
    ]
    reader = prepared("chat").stream()
    given = [
        [(part["id"], part["params"]) for part in cast("list[Any]", reader.feed(event))] for event in events
    ]
    assert given == [[], [], [], [("c1", {"q": "a"}), ("c2", {"q": "b"})], [("c3", {})]]
    assert reader.finish() == []


def test_what_gateways_say_beside_the_calls_is_repeated_from_a_stream() -> None:
    signature = {"google": {"thought_signature": "sig"}}
    said = {"index": 0, "type": "reasoning.text"}
    deltas: list[dict[str, Any]] = [
        {"role": "assistant", "content": "", "reasoning_content": "th", "reasoning_details": [{**said, "text": "th"}]},
        {"role": "assistant", "reasoning_content": "ink", "reasoning_details": [{**said, "text": "ink", "signature": "s"}]},
        {"content": "Hi", "reasoning_details": [{"index": 1, "type": "reasoning.encrypted", "data": "x"}]},
        {"tool_calls": [named("c1", "Now", "{}", index=0, extra_content=signature)]},
    ]  # fmt: skip
    events = [{"choices": [{"index": 0, "delta": delta}]} for delta in deltas]
    [turn] = prepared("chat").assistant_turn(events)
    assert turn == {
        "role": "assistant",
        "content": "Hi",
        "reasoning_content": "think",
        "reasoning_details": [
            {**said, "text": "think", "signature": "s"},
            {"index": 1, "type": "reasoning.encrypted", "data": "x"},
        ],
        "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "Now", "arguments": "{}"}, "extra_content": signature}],
    }  # fmt: skip


def test_the_turn_of_a_streamed_text_has_no_empty_list_of_calls() -> None:
    events = [{"choices": [{"index": 0, "delta": {"content": piece}}]} for piece in ("Hel", "lo")]
    assert prepared("chat").assistant_turn(events) == [{"role": "assistant", "content": "Hello"}]
    nothing = {"choices": [{"index": 0, "delta": {"role": "assistant"}, "finish_reason": "length"}]}
    assert prepared("chat").assistant_turn([nothing]) == []
    empty = {"choices": [{"message": {"role": "assistant", "content": None, "reasoning_content": "hm"}}]}
    assert prepared("chat").assistant_turn(empty) == []


@pytest.mark.parametrize("reason", ["tool_use", "max_tokens", "model_context_window_exceeded", "refusal"])
def test_a_call_of_anthropic_without_input_waits_for_the_word_that_it_was_not_cut_off(reason: str) -> None:
    call = {"type": "tool_use", "id": "t1", "name": "search", "input": {}}
    events = [
        {"type": "content_block_start", "index": 0, "content_block": call},
        {
            "type": "content_block_delta",
            "index": 0,
            "delta": {"type": "input_json_delta", "partial_json": ""},
        },
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": reason}},
        {"type": "message_stop"},
    ]
    plan = prepared("messages")
    reader = plan.stream()
    given: list[Any] = [part for event in events for part in reader.feed(event)]
    assert given == plan.read_calls(events) == plan.read_calls({"content": [call], "stop_reason": reason})
    assert [part["type"] for part in given] == ["tool-call" if reason == "tool_use" else "tool-result"]
    assert reader.finish() == []
    [lost] = cast("list[Any]", plan.read_calls(events[:3]))
    assert lost["is_failure"]


def test_a_signature_may_come_with_any_piece_of_googles_call() -> None:
    events = [
        google_chunk({"functionCall": {"id": "c1", "name": "search", "willContinue": True}}),
        google_chunk({"functionCall": {}, "thoughtSignature": "c2ln"}),
    ]
    [content] = prepared("generate").assistant_turn(events)
    assert content["parts"] == [
        {"functionCall": {"id": "c1", "name": "search", "args": {}}, "thoughtSignature": "c2ln"}
    ]
