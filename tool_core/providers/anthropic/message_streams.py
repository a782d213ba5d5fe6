"""Putting the events of a Messages stream together. Layer 3."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tool_core.errors import JsonTextError
from tool_core.json_text import secure_json_loads
from tool_core.providers.apis import Plain
from tool_core.providers.plain import text_of

_TEXTS = {"text_delta": "text", "thinking_delta": "thinking", "signature_delta": "signature"}


@dataclass(slots=True)
class MessageAssembler:
    """Gathers blocks by their index; the input of a tool arrives as pieces of JSON text."""

    message: dict[str, Any] = field(default_factory=dict)
    blocks: dict[int, dict[str, Any]] = field(default_factory=dict)
    inputs: dict[int, str] = field(default_factory=dict)
    done: set[int] = field(default_factory=set)
    empty: int | None = None
    """A call that has stopped without input; only what comes next tells that it was not cut off."""

    def add(self, event: Plain) -> bool:
        """Take one event; True where a block became complete."""
        kind, index = event.get("type"), event.get("index")
        has_come = self._comes_after_empty(kind)
        if kind == "message_start":
            self.message = dict(event.get("message") or {})
        elif kind == "message_delta":
            changes = event.get("delta") or {}
            self.message |= {key: value for key, value in changes.items() if value is not None}
        elif kind == "content_block_start" and isinstance(index, int):
            self.blocks[index] = dict(event.get("content_block") or {})
        elif kind == "content_block_delta" and isinstance(index, int):
            self._extend(index, event.get("delta"))
        elif kind == "content_block_stop" and isinstance(index, int):
            if self._is_empty(index):
                self.empty = index
            else:
                self.done.add(index)
                has_come = True
        return has_come

    def response(self, finished: bool) -> Plain:
        """Return the blocks in order; while the stream goes on, those before the first unfinished one."""
        content: list[dict[str, Any]] = []
        for index in sorted(self.blocks):
            if index not in self.done and not finished:
                break
            content.append(self._block(index))
        return {**self.message, "role": "assistant", "content": content}

    def _is_empty(self, index: int) -> bool:
        return self.blocks.get(index, {}).get("input") == {} and not self.inputs.get(index)

    def _comes_after_empty(self, kind: object) -> bool:
        if self.empty is None or kind not in ("content_block_start", "message_delta", "message_stop"):
            return False
        self.done.add(self.empty)
        self.empty = None
        return True

    def _block(self, index: int) -> dict[str, Any]:
        block = dict(self.blocks[index])
        if "input" not in block:
            return block
        if text := self.inputs.get(index):
            block["input"] = _parsed(text)
        is_whole = index in self.done or (bool(text) and isinstance(block["input"], Mapping))
        return block if is_whole else {**block, "_cut_off": True}

    def _extend(self, index: int, delta: object) -> None:
        if not isinstance(delta, Mapping):
            return
        block, kind = self.blocks.setdefault(index, {}), text_of(delta.get("type"))
        if kind == "input_json_delta":
            self.inputs[index] = self.inputs.get(index, "") + text_of(delta.get("partial_json"))
        elif kind == "citations_delta":
            block["citations"] = [*(block.get("citations") or []), delta.get("citation")]
        elif key := _TEXTS.get(kind):
            block[key] = text_of(block.get(key)) + text_of(delta.get(key))


def _parsed(text: str) -> object:
    """Return the input, or the text of one that is broken, for the reader to explain."""
    try:
        return secure_json_loads(text)
    except JsonTextError:
        return text
