"""Responses with calls, in the shape of each API."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

Call = tuple[str, str, Any]
"""An id, a name on the wire, and the arguments: a value, or text to be taken as it is."""


def text(arguments: Any) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments)


def responses(calls: Sequence[Call]) -> dict[str, Any]:
    items = [
        {
            "type": "function_call",
            "id": f"fc_{call_id}",
            "call_id": call_id,
            "name": name,
            "arguments": text(arguments),
            "status": "completed",
        }
        for call_id, name, arguments in calls
    ]
    return {"id": "resp_1", "object": "response", "status": "completed", "output": items}


def chat(calls: Sequence[Call]) -> dict[str, Any]:
    listed = [
        {"id": call_id, "type": "function", "function": {"name": name, "arguments": text(arguments)}}
        for call_id, name, arguments in calls
    ]
    message = {"role": "assistant", "content": None, "tool_calls": listed}
    return {"id": "c", "choices": [{"index": 0, "finish_reason": "tool_calls", "message": message}]}


def messages(calls: Sequence[Call]) -> dict[str, Any]:
    blocks = [
        {"type": "tool_use", "id": call_id, "name": name, "input": arguments}
        for call_id, name, arguments in calls
    ]
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "stop_reason": "tool_use",
        "content": blocks,
    }


def generate(calls: Sequence[Call]) -> dict[str, Any]:
    parts = [
        {"functionCall": {"id": call_id, "name": name, "args": arguments}}
        for call_id, name, arguments in calls
    ]
    return {
        "responseId": "r1",
        "candidates": [{"finishReason": "STOP", "content": {"role": "model", "parts": parts}}],
    }


WRITERS = {"responses": responses, "chat": chat, "messages": messages, "generate": generate}
APIS = list(WRITERS)
