"""Streams of each API that bring the same calls, cut into pieces."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.providers.responses import Call, text


def pieces(whole: str, size: int = 3) -> list[str]:
    return [whole[index : index + size] for index in range(0, len(whole), size)]


def responses(calls: Sequence[Call]) -> list[dict[str, Any]]:
    events: list[dict[str, Any]] = [{"type": "response.created", "response": {"id": "resp_1", "output": []}}]
    items = []
    for index, (call_id, name, arguments) in enumerate(calls):
        item = {
            "type": "function_call",
            "id": f"fc_{call_id}",
            "call_id": call_id,
            "name": name,
            "arguments": "",
            "status": "in_progress",
        }
        at = {"output_index": index, "item_id": item["id"]}
        events.append({"type": "response.output_item.added", "output_index": index, "item": item})
        events += [
            {"type": "response.function_call_arguments.delta", **at, "delta": piece}
            for piece in pieces(text(arguments))
        ]
        events.append({"type": "response.function_call_arguments.done", **at, "arguments": text(arguments)})
        items.append({**item, "arguments": text(arguments), "status": "completed"})
        events.append({"type": "response.output_item.done", "output_index": index, "item": items[-1]})
    events.append(
        {"type": "response.completed", "response": {"id": "resp_1", "status": "completed", "output": items}}
    )
    return [{"sequence_number": number, **event} for number, event in enumerate(events)]


def chat(calls: Sequence[Call]) -> list[dict[str, Any]]:
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": None}]
    for index, (call_id, name, arguments) in enumerate(calls):
        opening = {
            "index": index,
            "id": call_id,
            "type": "function",
            "function": {"name": name, "arguments": ""},
        }
        deltas.append({"tool_calls": [opening]})
        deltas += [
            {"tool_calls": [{"index": index, "function": {"arguments": piece}}]}
            for piece in pieces(text(arguments))
        ]
    chunk = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "gpt-5"}
    chunks = [{**chunk, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
    end: dict[str, Any] = {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]}
    return [
        *chunks,
        end,
        {**chunk, "choices": [], "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}},
    ]


def messages(calls: Sequence[Call]) -> list[dict[str, Any]]:
    usage = {"input_tokens": 1, "output_tokens": 1}
    message: dict[str, Any] = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude",
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": usage,
    }
    events: list[dict[str, Any]] = [{"type": "message_start", "message": message}, {"type": "ping"}]
    for index, (call_id, name, arguments) in enumerate(calls):
        block = {"type": "tool_use", "id": call_id, "name": name, "input": {}}
        events.append({"type": "content_block_start", "index": index, "content_block": block})
        for piece in ["", *pieces(text(arguments))]:
            delta = {"type": "input_json_delta", "partial_json": piece}
            events.append({"type": "content_block_delta", "index": index, "delta": delta})
        events.append({"type": "content_block_stop", "index": index})
    events.append(
        {
            "type": "message_delta",
            "delta": {"stop_reason": "tool_use", "stop_sequence": None},
            "usage": {"output_tokens": 9},
        }
    )
    return [*events, {"type": "message_stop"}]


def generate(calls: Sequence[Call]) -> list[dict[str, Any]]:
    chunks: list[dict[str, Any]] = [
        {
            "responseId": "r1",
            "candidates": [
                {
                    "content": {
                        "role": "model",
                        "parts": [{"functionCall": {"id": call_id, "name": name, "args": arguments}}],
                    }
                }
            ],
        }
        for call_id, name, arguments in calls
    ]
    return [
        *chunks,
        {
            "responseId": "r1",
            "candidates": [{"finishReason": "STOP", "content": {"role": "model", "parts": [{"text": ""}]}}],
        },
    ]


STREAMS = {"responses": responses, "chat": chat, "messages": messages, "generate": generate}
