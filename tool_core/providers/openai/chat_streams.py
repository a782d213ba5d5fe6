"""Putting the chunks of a Chat Completions stream together. Layer 3."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tool_core.errors import JsonTextError
from tool_core.json_text import secure_json_loads
from tool_core.providers.apis import Plain
from tool_core.providers.plain import mappings_in, text_of

CUT = "cut"
"""The reason of ours for a stream that ended without one."""

_GROWING = ("content", "refusal", "reasoning", "reasoning_content", "text", "summary")
"""The texts that come in pieces."""
_APART = ("role", "tool_calls")


@dataclass(slots=True)
class ChatAssembler:
    """Gathers calls by their index, or by id and name where a gateway gives every call the same index.

    What gateways say beside the calls is kept, such as reasoning and Gemini's thought signatures:
    the next request is refused without them.
    """

    calls: list[dict[str, Any]] = field(default_factory=list)
    slots: dict[object, int] = field(default_factory=dict)
    said: dict[str, Any] = field(default_factory=dict)
    response_id: str = ""
    ended: str | None = None
    whole: int = 0
    """How many calls are complete, from the first on: another one has begun, and their arguments are JSON."""

    def add(self, event: Plain) -> bool:
        """Take one chunk; True where a call became complete: the next one began, or all have ended."""
        chunk = event.get("chunk") if event.get("type") == "chunk" else event
        choices = mappings_in(chunk.get("choices")) if isinstance(chunk, Mapping) else iter(())
        choice = next((found for found in choices if found.get("index", 0) == 0), None)
        if choice is None or not isinstance(chunk, Mapping):
            return False
        self.response_id = self.response_id or text_of(chunk.get("id"))
        before = len(self.calls)
        delta = choice.get("delta")
        if isinstance(delta, Mapping):
            self._extend(delta)
        self.ended = text_of(choice.get("finish_reason")) or self.ended
        return (len(self.calls) > before and self._completed()) or self.ended is not None

    def response(self, finished: bool) -> Plain:
        """Return the message so far; while the stream goes on without the calls that it is writing."""
        complete = self.calls if finished or self.ended is not None else self.calls[: self.whole]
        ended = self.ended or (CUT if finished else "tool_calls")
        message = {"role": "assistant", **self.said, "tool_calls": complete}
        known = {"id": self.response_id} if self.response_id else {}
        return {**known, "choices": [{"index": 0, "finish_reason": ended, "message": message}]}

    def _completed(self) -> bool:
        """Count the complete calls; one that is not holds back those after it, which may be interleaved."""
        before = self.whole
        while self.whole < len(self.calls) - 1 and _is_whole(self.calls[self.whole]):
            self.whole += 1
        return self.whole > before

    def _extend(self, delta: Plain) -> None:
        self.said = merged(self.said, {key: value for key, value in delta.items() if key not in _APART})
        for piece in mappings_in(delta.get("tool_calls")):
            call, stated = self._call(piece), _function_in(piece)
            function = call["function"]
            function["name"] = function["name"] or text_of(stated.get("name"))
            function["arguments"] += text_of(stated.get("arguments"))
            more = {key: value for key, value in piece.items() if key not in ("index", "function", "type")}
            call.update(merged(call, {**more, "id": call["id"] or text_of(piece.get("id"))}))

    def _call(self, piece: Plain) -> dict[str, Any]:
        index, last = piece.get("index"), len(self.calls) - 1
        key = index if isinstance(index, int) else text_of(piece.get("id")) or None
        slot = last if key is None else self.slots.get(key, -1)
        if slot >= 0 and not _begins_another(piece, self.calls[slot]):
            return self.calls[slot]
        self.slots[key] = len(self.calls)
        self.calls.append({"id": "", "type": "function", "function": {"name": "", "arguments": ""}})
        return self.calls[-1]


def merged(known: Plain, more: Plain) -> dict[str, Any]:
    """Add what a chunk brings: texts grow, lists are gathered by index, of anything else the last counts.

    >>> merged({"reasoning": "so", "n": 1}, {"reasoning": "me", "n": 2, "refusal": None})
    {'reasoning': 'some', 'n': 2}
    """
    result = dict(known)
    for key, value in more.items():
        if isinstance(value, str) and key in _GROWING:
            result[key] = text_of(result.get(key)) + value
        elif isinstance(value, list):
            result[key] = _gathered(result.get(key), value)
        elif value is not None:
            result[key] = value
    return result


def _gathered(known: object, more: list[Any]) -> list[Any]:
    gathered = list(known) if isinstance(known, list) else []
    for item in more:
        last = gathered[-1] if gathered else None
        if isinstance(item, Mapping) and isinstance(last, Mapping) and _goes_on(last, item):
            gathered[-1] = merged(last, item)
        else:
            gathered.append(item)
    return gathered


def _goes_on(last: Plain, item: Plain) -> bool:
    return item.get("index") is not None and all(last.get(key) == item.get(key) for key in ("index", "type"))


def _begins_another(piece: Plain, known: dict[str, Any]) -> bool:
    """Tell whether a piece begins a call rather than going on with a known one: by its id, else its name."""
    call_id, stated, function = text_of(piece.get("id")), _function_in(piece), known["function"]
    if call_id or known["id"]:
        return bool(call_id and known["id"]) and call_id != known["id"]
    name = text_of(stated.get("name"))
    if not name or not function["name"]:
        return False
    return name != function["name"] or (bool(text_of(stated.get("arguments"))) and _is_whole(known))


def _function_in(piece: Plain) -> Plain:
    function = piece.get("function")
    return function if isinstance(function, Mapping) else {}


def _is_whole(call: dict[str, Any]) -> bool:
    try:
        secure_json_loads(call["function"]["arguments"])
    except JsonTextError:
        return False
    return True
