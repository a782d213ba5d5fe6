"""The answers of Google's generateContent, whole and as a stream."""

from __future__ import annotations

import json
from collections.abc import Iterator

from tests.loopback import generate, proto_fields
from tests.loopback.requests import Dialect, Request
from tests.loopback.responses_wire import pieces, with_ids
from tests.loopback.scripts import Call, Item, Json, Say, Turn

REASONS = {"": "STOP", "length": "MAX_TOKENS", "malformed": "MALFORMED_FUNCTION_CALL"}


def numbered(turn: Turn, request: Request) -> Turn:
    """Give every call an id, where the model has ids at all."""
    return with_ids(turn, f"fn{request.number}x") if generate.is_third(request) else turn


def _parts(turn: Turn, request: Request) -> list[Json]:
    parts = [_part(item) for item in turn.content]
    signed = next((part for part in parts if "functionCall" in part), None)
    if signed is not None and generate.is_third(request):
        signed["thoughtSignature"] = generate.SIGNATURE
    return parts


def _part(item: Say | Call | Item) -> Json:
    if isinstance(item, Item):
        return item.wire
    if isinstance(item, Say):
        return {"text": item.text}
    call = {"name": item.name, "args": item.arguments}
    return {"functionCall": {"id": item.id, **call} if item.id else call}


def _answer(parts: list[Json], request: Request, reason: str | None) -> Json:
    candidate: Json = {"content": {"role": "model", "parts": parts}, "index": 0}
    if reason:
        candidate["finishReason"] = reason
    if reason == REASONS["malformed"]:
        candidate["finishMessage"] = "Malformed function call: print(default_api.weather(city="
    usage = {"promptTokenCount": 58, "candidatesTokenCount": 14, "totalTokenCount": 72}
    return {
        "candidates": [candidate],
        "usageMetadata": usage,
        "modelVersion": generate.model(request),
        "responseId": f"gWPdaIHGDb-3xN8Pu6uFk{request.number}",
    }


def body(turn: Turn, request: Request) -> Json:
    """Write the whole answer."""
    return _answer(_parts(turn, request), request, REASONS[turn.stop])


def events(turn: Turn, request: Request) -> Iterator[str]:
    """Write the answer as chunks: text in pieces, every call in one."""
    for part in _parts(turn, request):
        cut = [{"text": piece} for piece in pieces(part["text"])] if part.keys() == {"text"} else [part]
        for piece in cut:
            yield f"data: {json.dumps(_answer([piece], request, None))}\r\n\r\n"
    yield f"data: {json.dumps(_answer([{'text': ''}], request, REASONS[turn.stop]))}\r\n\r\n"


GENERATE = Dialect(
    problems=generate.request_problems,
    declared=generate.declared,
    output_schema=generate.output_schema,
    choice=generate.choice,
    numbered=numbered,
    body=body,
    events=events,
    error=generate.error,
    beyond=generate.beyond,
    streams=lambda request: ":streamGenerateContent" in request.path,
    undeclared=generate.undeclared,
    spelled=proto_fields.spelled,
)
