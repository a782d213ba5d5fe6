"""The answers of OpenAI's Chat Completions API, whole and as chunks."""

from __future__ import annotations

import json
from collections.abc import Iterator

from tests.loopback import chat, responses
from tests.loopback.requests import Dialect, Request
from tests.loopback.responses_wire import numbered, pieces
from tests.loopback.scripts import Call, Json, Say, Turn


def _call(call: Call) -> Json:
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.text}}


def _text(turn: Turn) -> str | None:
    said = [item.text for item in turn.content if isinstance(item, Say)]
    return "".join(said) if said else None


def _reason(turn: Turn) -> str:
    return turn.stop or ("tool_calls" if turn.calls else "stop")


def _envelope(request: Request, kind: str) -> Json:
    return {
        "id": "chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT",
        "object": kind,
        "created": 1_741_569_952,
        "model": request.body["model"],
        "service_tier": "default",
        "system_fingerprint": "fp_50cad350e4",
    }


def body(turn: Turn, request: Request) -> Json:
    """Write the whole answer."""
    message: Json = {"role": "assistant", "content": _text(turn), "refusal": None, "annotations": []}
    if turn.calls:
        message["tool_calls"] = [_call(call) for call in turn.calls]
    answer = {"index": 0, "message": message, "logprobs": None, "finish_reason": _reason(turn)}
    usage = {"prompt_tokens": 19, "completion_tokens": 10, "total_tokens": 29}
    return {**_envelope(request, "chat.completion"), "choices": [answer], "usage": usage}


def events(turn: Turn, request: Request) -> Iterator[str]:
    """Write the answer as chunks; the first piece of a call alone carries its id and name."""
    for delta, reason in _deltas(turn):
        answer = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}
        yield f"data: {json.dumps({**_envelope(request, 'chat.completion.chunk'), 'choices': [answer]})}\n\n"
    yield "data: [DONE]\n\n"


def _deltas(turn: Turn) -> Iterator[tuple[Json, str | None]]:
    yield {"role": "assistant", "content": None if turn.calls else "", "refusal": None}, None
    for piece in pieces(_text(turn) or ""):
        yield {"content": piece}, None
    for index, call in enumerate(turn.calls):
        opening = {"name": call.name, "arguments": ""}
        yield {"tool_calls": [{"index": index, "id": call.id, "type": "function", "function": opening}]}, None
        for piece in pieces(call.text):
            yield {"tool_calls": [{"index": index, "function": {"arguments": piece}}]}, None
    yield {}, _reason(turn)


CHAT = Dialect(
    problems=chat.request_problems,
    declared=chat.declared,
    output_schema=chat.output_schema,
    choice=chat.choice,
    numbered=numbered,
    body=body,
    events=events,
    error=responses.error,
    beyond=chat.beyond,
    streams=lambda request: bool(request.body.get("stream")),
)
