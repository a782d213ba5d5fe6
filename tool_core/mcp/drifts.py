"""Drift: how a set of tools differs from what it was, and what that allows. Layer 3."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from tool_core.json_text import canonical_json
from tool_core.mcp.fingerprints import Definition, definitions_of
from tool_core.mcp.schema_changes import Change, Effect, schema_changes

_SAFE_HINTS = {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False}
"""What each hint says of a tool that does the least."""

_WORDS: Mapping[Effect, str] = {
    "widens": "allows more",
    "may widen": "may allow more",
    "narrows": "allows less",
    "text": "is text that the model reads",
    "results": "changes what comes back",
}
_LONGEST = 160


@dataclass(frozen=True, slots=True)
class ToolDrift:
    """A tool that promises something else than before, and each difference."""

    name: str
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Drift:
    """What `drift` finds; false where nothing differs.

    `widens`: the model may do more than was agreed (a new tool, more accepted values, a tool that
    no longer only reads). `rewords`: texts that the model reads are others, which is how a server
    that was trusted begins to give orders. `breaks`: calls that were right may now be refused.
    """

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[ToolDrift, ...] = ()

    @property
    def widens(self) -> bool:
        """Whether the model may, or perhaps may, do more than before."""
        return bool(self.added) or self._has("widens", "may widen")

    @property
    def rewords(self) -> bool:
        """Whether the model reads other texts than before."""
        return bool(self.added) or self._has("text")

    @property
    def breaks(self) -> bool:
        """Whether a call or a reader of results that was right before may now be wrong."""
        return bool(self.removed) or self._has("narrows", "may widen", "results")

    def to_dict(self) -> dict[str, object]:
        """Return the drift as JSON."""
        return {
            "added": list(self.added),
            "removed": list(self.removed),
            "changed": [
                {"name": tool.name, "changes": [_as_json(change) for change in tool.changes]}
                for tool in self.changed
            ],
            "widens": self.widens,
            "rewords": self.rewords,
            "breaks": self.breaks,
        }

    def _has(self, *effects: Effect) -> bool:
        return any(change.effect in effects for tool in self.changed for change in tool.changes)

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.changed)

    def __str__(self) -> str:
        lines = [f"+ {name}: a new tool" for name in self.added]
        lines += [f"- {name}: is gone" for name in self.removed]
        for tool in self.changed:
            alike = groupby(tool.changes, lambda change: (change.pointer, change.before, change.after))
            lines += [f"~ {tool.name}", *(line for _, changes in alike for line in _lines(list(changes)))]
        return "\n".join(lines) if lines else "no drift"


def drift(old: object, new: object) -> Drift:
    """Compare tools with what they were; both sides may be anything that `fingerprint` takes.

    >>> old = {"name": "read", "description": "Read a file", "annotations": {"readOnlyHint": True}}
    >>> new = {"name": "read", "description": "Read a file"}
    >>> found = drift([old], [new])
    >>> found.widens, found.rewords
    (True, False)
    >>> print(found)
    ~ read
        /annotations/readOnlyHint allows more
          - true
          + false
    """
    before, after = definitions_of(old), definitions_of(new)
    pairs = ((name, list(_changes(before[name], after[name]))) for name in before if name in after)
    return Drift(
        added=tuple(name for name in after if name not in before),
        removed=tuple(name for name in before if name not in after),
        changed=tuple(ToolDrift(name, tuple(changes)) for name, changes in pairs if changes),
    )


def _changes(old: Definition, new: Definition) -> Iterator[Change]:
    for key in ("title", "description"):
        yield from _changed_value(f"/{key}", "text", old.get(key), new.get(key))
    for key in ("id", "args"):
        yield from _changed_value(f"/{key}", "may widen", old.get(key), new.get(key))
    yield from schema_changes(old.get("inputSchema", True), new.get("inputSchema", True), "/inputSchema")
    yield from _output_changes(old.get("outputSchema"), new.get("outputSchema"))
    hints: tuple[Any, Any] = (old.get("annotations", {}), new.get("annotations", {}))
    for hint, safe in _SAFE_HINTS.items():
        before, after = (side.get(hint) for side in hints)
        effect: Effect = "narrows" if after == safe else "widens"
        yield from _changed_value(f"/annotations/{hint}", effect, before, after)


def _output_changes(old: object, new: object) -> Iterator[Change]:
    if old is None or new is None:
        yield from _changed_value("/outputSchema", "results", old, new)
        return
    yield from dict.fromkeys(
        change if change.effect == "text" else replace(change, effect="results")
        for change in schema_changes(old, new, "/outputSchema")
    )


def _changed_value(pointer: str, effect: Effect, old: object, new: object) -> Iterator[Change]:
    before, after = (None if side is None else canonical_json(side) for side in (old, new))
    if before != after:
        yield Change(pointer, effect, before, after)


def _as_json(change: Change) -> dict[str, object]:
    sides = {"before": change.before, "after": change.after}
    present = {key: json.loads(text) for key, text in sides.items() if text is not None}
    return {"pointer": change.pointer, "effect": change.effect, **present}


def _lines(changes: list[Change]) -> Iterator[str]:
    """Write a change for a terminal: a stranger's text stays on its line and sends no control codes."""
    change = changes[0]
    words = " and ".join(_WORDS[each.effect] for each in changes).replace("and allows", "and")
    yield f"    {_printable(change.pointer)} {words}"
    for sign, text in (("-", change.before), ("+", change.after)):
        if text is not None:
            yield f"      {sign} {_printable(json.dumps(json.loads(text)))}"


def _printable(text: str) -> str:
    shown = json.dumps(text)[1:-1].replace('\\"', '"').replace("\\\\", "\\")
    return shown if len(shown) <= _LONGEST else f"{shown[:_LONGEST]}... ({len(shown)} characters)"
