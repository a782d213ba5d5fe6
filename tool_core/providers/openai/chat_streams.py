"""Putting the chunks of a Chat Completions stream together. Layer 3."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tool_core.providers.apis import Plain
from tool_core.providers.plain import mappings_in, text_of

CUT = "cut"
"""The reason of ours for a stream that ended without one."""


@dataclass(slots=True)
class ChatAssembler:
    """Gathers calls by their index, or by their id where a gateway gives every call the same index."""

    calls: list[dict[str, Any]] = field(default_factory=list)
    slots: dict[object, int] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    ended: str | None = None

    def add(self, event: Plain) -> bool:
        """Take one chunk; True where a call became complete: the next one began, or all have ended."""
        chunk = event.get("chunk") if event.get("type") == "chunk" else event
        choices = mappings_in(chunk.get("choices")) if isinstance(chunk, Mapping) else iter(())
        choice = next((found for found in choices if found.get("index", 0) == 0), None)
        if choice is None:
            return False
        before = len(self.calls)
        delta = choice.get("delta")
        if isinstance(delta, Mapping):
            self._extend(delta)
        self.ended = text_of(choice.get("finish_reason")) or self.ended
        return len(self.calls) > max(before, 1) or self.ended is not None

    def response(self, finished: bool) -> Plain:
        """Return the message so far; while the stream goes on without the call that it is writing."""
        complete = self.calls if finished or self.ended is not None else self.calls[:-1]
        ended = self.ended or (CUT if finished else "tool_calls")
        message = {"role": "assistant", **self.texts, "tool_calls": complete}
        return {"choices": [{"index": 0, "finish_reason": ended, "message": message}]}

    def _extend(self, delta: Plain) -> None:
        for key in ("content", "refusal"):
            if text := text_of(delta.get(key)):
                self.texts[key] = self.texts.get(key, "") + text
        for piece in mappings_in(delta.get("tool_calls")):
            call = self._call(piece)
            function = piece.get("function")
            stated = function if isinstance(function, Mapping) else {}
            call["id"] = call["id"] or text_of(piece.get("id"))
            call["function"]["name"] = call["function"]["name"] or text_of(stated.get("name"))
            call["function"]["arguments"] += text_of(stated.get("arguments"))

    def _call(self, piece: Plain) -> dict[str, Any]:
        index, call_id = piece.get("index"), text_of(piece.get("id"))
        key: object = index if isinstance(index, int) else call_id or (len(self.calls) - 1)
        slot = self.slots.get(key)
        if slot is not None and (not call_id or self.calls[slot]["id"] in ("", call_id)):
            return self.calls[slot]
        if slot is None and not call_id and index is None and self.calls:
            return self.calls[-1]
        self.slots[key] = len(self.calls)
        self.calls.append({"id": "", "type": "function", "function": {"name": "", "arguments": ""}})
        return self.calls[-1]
