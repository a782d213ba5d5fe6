"""Putting the chunks of a generateContent stream together. Layer 3."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tool_core.providers.apis import Plain
from tool_core.providers.google.fields import field_of
from tool_core.providers.google.partial_arguments import with_arguments
from tool_core.providers.plain import mappings_in

_LATEST = ("finish_reason", "finish_message", "grounding_metadata", "url_context_metadata")


@dataclass(slots=True)
class ContentAssembler:
    """Gathers parts in order; a function call is whole unless its arguments are streamed."""

    parts: list[dict[str, Any]] = field(default_factory=list)
    candidate: dict[str, Any] = field(default_factory=dict)
    response_id: object = None
    open_at: int | None = None
    """Where the call stands whose arguments are still coming."""

    def add(self, event: Plain) -> bool:
        """Take one chunk; True where a call or a result came with it: texts alone need no reading."""
        self.response_id = field_of(event, "response_id") or self.response_id
        candidate = next(mappings_in(event.get("candidates")), {})
        for key in _LATEST:
            if (value := field_of(candidate, key)) is not None:
                self.candidate[key] = value
        content = candidate.get("content")
        came = list(mappings_in(content.get("parts") if isinstance(content, Mapping) else None))
        for part in came:
            self._take(part)
        return self.open_at is None and not all("text" in part for part in came)

    def response(self, finished: bool) -> Plain:
        """Return the parts so far; metadata only at the end, when it is complete."""
        parts = self.parts if finished else self.parts[: self.open_at]
        if finished and self.open_at is not None:
            parts = [*parts]
            parts[self.open_at] = _cut_off(parts[self.open_at])
        content = {"role": "model", "parts": parts}
        known = {"response_id": self.response_id} if isinstance(self.response_id, str) else {}
        return {"candidates": [{**(self.candidate if finished else {}), "content": content}], **known}

    def _take(self, part: Plain) -> None:
        call = field_of(part, "function_call")
        if not isinstance(call, Mapping):
            self.parts.append(dict(part))
            return
        if self.open_at is not None and _begins_another(call, self.parts[self.open_at]):
            self.parts[self.open_at] = _cut_off(self.parts[self.open_at])
            self.open_at = None
        if self.open_at is None:
            self.open_at = len(self.parts)
            self.parts.append({**part, _call_key(part): {}})
        known = self.parts[self.open_at]
        beside = {key: value for key, value in part.items() if key != _call_key(part)}
        known.update(beside)  # such as a thought's signature, with whichever piece it comes
        known[_call_key(known)] = with_arguments(known[_call_key(known)], call)
        if not field_of(call, "will_continue"):
            self.open_at = None


def _begins_another(call: Plain, part: Plain) -> bool:
    """Tell whether a call is one of its own; its pieces have no new name, and no whole arguments."""
    known = part[_call_key(part)]
    is_piece = field_of(call, "partial_args") is not None or bool(field_of(call, "will_continue"))
    named, numbered = call.get("name") or None, call.get("id") or None
    if named is None:
        return False
    return named != known.get("name") or numbered not in (None, known.get("id")) or not is_piece


def _cut_off(part: Plain) -> dict[str, Any]:
    key = _call_key(part)
    return {**part, key: {**part[key], "_cut_off": True}}


def _call_key(part: Plain) -> str:
    return "function_call" if "function_call" in part else "functionCall"
