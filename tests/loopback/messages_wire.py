"""The answers of Anthropic's Messages API, whole and as events."""

from __future__ import annotations

import json
from collections.abc import Iterator

from tests.loopback import messages
from tests.loopback.requests import Dialect, Request
from tests.loopback.responses_wire import pieces, with_ids
from tests.loopback.scripts import Call, Item, Json, Say, Turn


def numbered(turn: Turn, request: Request) -> Turn:
    """Give every call an id."""
    return with_ids(turn, f"toolu_01T1x1fJ34qAmk2tNTrN7U{request.number}x")


def _block(item: Say | Call | Item) -> Json:
    if isinstance(item, Item):
        return item.wire
    if isinstance(item, Say):
        return {"type": "text", "text": item.text, "citations": None}
    return {
        "type": "tool_use",
        "id": item.id,
        "name": item.name,
        "input": item.arguments,
        "caller": {"type": "direct"},
    }


def _reason(turn: Turn) -> str:
    if turn.stop:
        return "max_tokens"
    waits = turn.calls or any(
        item.wire["type"] == "tool_use" for item in turn.content if isinstance(item, Item)
    )
    return "tool_use" if waits else "end_turn"


def _envelope(request: Request) -> Json:
    usage = {
        "input_tokens": 472,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 0,
        "output_tokens": 2,
        "service_tier": "standard",
    }
    return {
        "id": f"msg_01XFDUDYJgAACzvnptvVo{request.number}",
        "type": "message",
        "role": "assistant",
        "model": request.body["model"],
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": usage,
    }


def body(turn: Turn, request: Request) -> Json:
    """Write the whole answer."""
    content = [_block(item) for item in turn.content]
    return {**_envelope(request), "content": content, "stop_reason": _reason(turn)}


def events(turn: Turn, request: Request) -> Iterator[str]:
    """Write the answer as server-sent events."""
    for event in _events(turn, request):
        yield f"event: {event['type']}\ndata: {json.dumps(event)}\n\n"


def _events(turn: Turn, request: Request) -> Iterator[Json]:
    yield {"type": "message_start", "message": _envelope(request)}
    yield {"type": "ping"}
    for index, item in enumerate(turn.content):
        block = _block(item)
        text = item.text if isinstance(item, Call) else json.dumps(block.get("input", {}))
        yield from _block_events(block, text, index)
    delta = {"stop_reason": _reason(turn), "stop_sequence": None}
    yield {"type": "message_delta", "delta": delta, "usage": {"output_tokens": 89}}
    yield {"type": "message_stop"}


def _block_events(block: Json, text: str, index: int) -> Iterator[Json]:
    at = {"index": index}
    opening: dict[str, Json] = {
        "text": {"text": ""},
        "tool_use": {"input": {}},
        "server_tool_use": {"input": {}},
    }
    yield {"type": "content_block_start", **at, "content_block": {**block, **opening.get(block["type"], {})}}
    if block["type"] == "text":
        for piece in pieces(block["text"]):
            yield {"type": "content_block_delta", **at, "delta": {"type": "text_delta", "text": piece}}
    elif block["type"] in opening:
        # A call without arguments streams one empty piece and no JSON at all.
        for piece in ["", *pieces(text if text != "{}" else "")]:
            yield {
                "type": "content_block_delta",
                **at,
                "delta": {"type": "input_json_delta", "partial_json": piece},
            }
    yield {"type": "content_block_stop", **at}


MESSAGES = Dialect(
    problems=messages.request_problems,
    declared=messages.declared,
    output_schema=messages.output_schema,
    choice=messages.choice,
    numbered=numbered,
    body=body,
    events=events,
    error=messages.error,
    beyond=messages.beyond,
    streams=lambda request: bool(request.body.get("stream")),
    undeclared=messages.undeclared,
)
