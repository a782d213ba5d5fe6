"""The answers of OpenAI's Responses API, whole and as events."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from tests.loopback import responses
from tests.loopback.requests import Dialect, Request
from tests.loopback.scripts import Call, Item, Json, Say, Turn

CHUNK = 7


def numbered(turn: Turn, request: Request) -> Turn:
    """Give every call an id."""
    return with_ids(turn, f"call_{request.number}x")


def with_ids(turn: Turn, prefix: str) -> Turn:
    """Give every call without an id one that begins so."""
    content = [
        replace(item, id=item.id or f"{prefix}{index}") if isinstance(item, Call) else item
        for index, item in enumerate(turn.content)
    ]
    return replace(turn, content=tuple(content))


def _item(item: Say | Call | Item, index: int, number: int) -> Json:
    if isinstance(item, Item):
        return item.wire
    if isinstance(item, Call):
        return {
            "type": "function_call",
            "id": f"fc_{number}_{index}",
            "call_id": item.id,
            "name": item.name,
            "arguments": item.text,
            "status": "completed",
        }
    part = {"type": "output_text", "text": item.text, "annotations": [], "logprobs": []}
    return {
        "type": "message",
        "id": f"msg_{number}_{index}",
        "role": "assistant",
        "status": "completed",
        "content": [part],
    }


def body(turn: Turn, request: Request) -> Json:
    """Write the whole answer."""
    output = [_item(item, index, request.number) for index, item in enumerate(turn.content)]
    return {**_envelope(request, "incomplete" if turn.stop else "completed"), "output": output}


def _envelope(request: Request, status: str) -> Json:
    usage = {
        "input_tokens": 36,
        "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
        "output_tokens": 87,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": 123,
    }
    return {
        "id": f"resp_67ccd2bed1ec8190b14f964abc0542670bb6a6b452d379{request.number}",
        "object": "response",
        "created_at": 1_741_476_542,
        "status": status,
        "error": None,
        "incomplete_details": {"reason": "max_output_tokens"} if status == "incomplete" else None,
        "instructions": None,
        "max_output_tokens": None,
        "model": request.body["model"],
        "output": [],
        "parallel_tool_calls": True,
        "previous_response_id": None,
        "reasoning": {"effort": None, "summary": None},
        "store": True,
        "temperature": 1.0,
        "text": request.body.get("text", {"format": {"type": "text"}}),
        "tool_choice": request.body.get("tool_choice", "auto"),
        "tools": request.body.get("tools", []),
        "top_p": 1.0,
        "truncation": "disabled",
        "usage": usage if status != "in_progress" else None,
        "user": None,
        "metadata": {},
    }


def events(turn: Turn, request: Request) -> Iterator[str]:
    """Write the answer as server-sent events."""
    for number, event in enumerate(_events(turn, request)):
        yield f"event: {event['type']}\ndata: {json.dumps({**event, 'sequence_number': number})}\n\n"


def _events(turn: Turn, request: Request) -> Iterator[Json]:
    started = _envelope(request, "in_progress")
    yield {"type": "response.created", "response": started}
    yield {"type": "response.in_progress", "response": started}
    whole = body(turn, request)
    for index, item in enumerate(whole["output"]):
        yield from _item_events(item, index)
    last = "response.incomplete" if turn.stop else "response.completed"
    yield {"type": last, "response": whole}


def _item_events(item: Json, index: int) -> Iterator[Json]:
    empty: dict[str, Any] = {
        "function_call": {"arguments": "", "status": "in_progress"},
        "message": {"content": [], "status": "in_progress"},
    }
    at = {"output_index": index, "item_id": item.get("id", "")}
    yield {
        "type": "response.output_item.added",
        "output_index": index,
        "item": {**item, **empty.get(item["type"], {})},
    }
    if item["type"] == "function_call":
        kind = "response.function_call_arguments"
        yield from ({"type": f"{kind}.delta", **at, "delta": piece} for piece in pieces(item["arguments"]))
        yield {"type": f"{kind}.done", **at, "arguments": item["arguments"], "name": item["name"]}
    if item["type"] == "message":
        part = item["content"][0]
        inside = {**at, "content_index": 0}
        yield {"type": "response.content_part.added", **inside, "part": {**part, "text": ""}}
        for piece in pieces(part["text"]):
            yield {"type": "response.output_text.delta", **inside, "delta": piece, "logprobs": []}
        yield {"type": "response.output_text.done", **inside, "text": part["text"], "logprobs": []}
        yield {"type": "response.content_part.done", **inside, "part": part}
    yield {"type": "response.output_item.done", "output_index": index, "item": item}


def pieces(text: str) -> Iterator[str]:
    """Cut a text into small deltas, without regard for tokens, escapes or words."""
    return (text[start : start + CHUNK] for start in range(0, len(text), CHUNK))


RESPONSES = Dialect(
    problems=responses.request_problems,
    declared=responses.declared,
    output_schema=responses.output_schema,
    choice=responses.choice,
    numbered=numbered,
    body=body,
    events=events,
    error=responses.error,
    beyond=responses.beyond,
    streams=lambda request: bool(request.body.get("stream")),
    undeclared=responses.undeclared,
)
