"""The author's schema beside a wire schema, line by line, with the changes marked. Edge."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Literal, TypeAlias

Mark: TypeAlias = Literal["same", "changed", "removed", "added"]

_ORDER = {
    key: index
    for index, key in enumerate(
        ("$schema", "title", "description", "type", "enum", "const", "properties", "required", "items")
    )
}
_SHORT = 36
_LATE = {key: index for index, key in enumerate(("additionalProperties", "propertyOrdering", "$defs"), 1000)}


@dataclass(frozen=True, slots=True)
class Pair:
    """A line of the author's and the line that became of it; one side may be missing."""

    left: str | None
    right: str | None
    mark: Mark


def compared(original: Mapping[str, object], wire: Mapping[str, object]) -> list[Pair]:
    """Align two schemas; keys are put into one order first, and how deep a line stands does not count.

    >>> for pair in compared({"type": "string", "minLength": 2}, {"type": "string"}):
    ...     print(pair.mark, pair.left, pair.right)
    changed {"type": "string", "minLength": 2} {"type": "string"}
    """
    left, right = _lines(original), _lines(wire)
    matcher = SequenceMatcher(None, [line.strip(" ,") for line in left], [line.strip(" ,") for line in right])
    pairs: list[Pair] = []
    for tag, start, end, first, last in matcher.get_opcodes():
        if tag == "equal":
            both = zip(left[start:end], right[first:last], strict=True)
            pairs += [Pair(one, other, "same") for one, other in both]
        else:
            pairs += _differing(left[start:end], right[first:last])
    return pairs


def _differing(left: list[str], right: list[str]) -> Iterator[Pair]:
    for one, other in zip_longest(left, right):
        yield Pair(one, other, "added" if one is None else "removed" if other is None else "changed")


def _lines(schema: Mapping[str, object]) -> list[str]:
    return pretty(_ordered(schema)).splitlines()


def pretty(value: object) -> str:
    """Write JSON over as few lines as can be read: what is short and flat stays on one.

    >>> print(pretty({"type": "array", "items": {"enum": [1, 2]}}))
    {
      "type": "array",
      "items": {
        "enum": [1, 2]
      }
    }
    """
    return _pretty(value, "")


def _pretty(value: object, indent: str) -> str:
    flat = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or (len(flat) <= _SHORT and _is_flat(value)):
        return flat
    inner = indent + "  "
    if isinstance(value, dict):
        rows = [
            f"{inner}{json.dumps(key, ensure_ascii=False)}: {_pretty(item, inner)}"
            for key, item in value.items()
        ]
        return "{\n" + ",\n".join(rows) + f"\n{indent}}}"
    return "[\n" + ",\n".join(f"{inner}{_pretty(item, inner)}" for item in value) + f"\n{indent}]"


def _is_flat(value: dict[str, object] | list[object]) -> bool:
    items = value.values() if isinstance(value, dict) else value
    return not any(isinstance(item, dict | list) and item for item in items)


def _ordered(value: object, *, is_schema: bool = True) -> object:
    if isinstance(value, Mapping):
        items = value.items()
        ranked = sorted(items, key=lambda item: _rank(item[0])) if is_schema else items
        return {key: _ordered(child, is_schema=_holds_schema(key, is_schema)) for key, child in ranked}
    return [_ordered(item) for item in value] if isinstance(value, list) else value


def _rank(key: str) -> int:
    return _ORDER.get(key, _LATE.get(key, 500))


def _holds_schema(key: str, is_schema: bool) -> bool:
    """The values of `properties` are schemas, but the mapping itself is keyed by names."""
    return not (is_schema and key in ("properties", "patternProperties", "$defs", "definitions"))
