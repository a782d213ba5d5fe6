"""Putting the events of a Responses stream together. Layer 3."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tool_core.providers.apis import Plain
from tool_core.providers.plain import mappings_in, text_of

_ENDS = ("response.completed", "response.incomplete", "response.failed")
_TEXTS = {
    "response.function_call_arguments": "arguments",
    "response.mcp_call_arguments": "arguments",
    "response.code_interpreter_call_code": "code",
}


@dataclass(slots=True)
class ResponseAssembler:
    """Gathers items by their index; the last event brings the whole response once more."""

    items: dict[int, dict[str, Any]] = field(default_factory=dict)
    done: set[int] = field(default_factory=set)
    ended: Plain | None = None

    def add(self, event: Plain) -> bool:
        """Take one event; True where an item became complete."""
        kind = text_of(event.get("type"))
        if kind == "response.output_item.added":
            self.items[self._index(event)] = dict(event.get("item") or {})
        elif kind == "response.output_item.done":
            index = self._index(event)
            self.items[index] = dict(event.get("item") or {})
            self.done.add(index)
            return True
        elif kind in _ENDS:
            self.ended = event.get("response") or {}
            return True
        else:
            self._extend(kind, event)
        return False

    def response(self, finished: bool) -> Plain:
        """Return the items in order; while the stream goes on, those before the first unfinished one."""
        if self.ended is not None and (finished or self.ended.get("output")):
            listed = list(mappings_in(self.ended.get("output")))
            return {**self.ended, "output": listed or self._ordered(True)}
        return {"output": self._ordered(finished), "status": "incomplete"}

    def _ordered(self, finished: bool) -> list[dict[str, Any]]:
        ordered: list[dict[str, Any]] = []
        for index in sorted(self.items):
            if index in self.done:
                ordered.append(self.items[index])
            elif finished:
                ordered.append({**self.items[index], "status": "incomplete"})
            else:
                break
        return ordered

    def _extend(self, kind: str, event: Plain) -> None:
        name, _, change = kind.rpartition(".")
        key = _TEXTS.get(name)
        if key is None:
            return
        item = self.items.setdefault(self._index(event), {"type": "function_call"})
        if change == "delta":
            item[key] = text_of(item.get(key)) + text_of(event.get("delta"))
        elif change == "done":
            item[key] = text_of(event.get(key))

    def _index(self, event: Plain) -> int:
        index = event.get("output_index")
        if isinstance(index, int):
            return index
        item = event.get("item")
        item_id = event.get("item_id") or (item.get("id") if isinstance(item, dict) else None)
        known = (number for number, found in self.items.items() if item_id and found.get("id") == item_id)
        return next(known, len(self.items))
