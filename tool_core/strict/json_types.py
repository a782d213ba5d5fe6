"""The JSON types that schemas name and values have. Layer 3."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, cast

from tool_core.json_text import with_whole_numbers

LISTS = frozenset({"enum", "const"})
TYPES = ("object", "array", "string", "number", "integer", "boolean", "null")


def named_types(part: dict[str, Any]) -> list[str] | None:
    """Return the JSON types that a schema names, or None where it names none."""
    named = part.get("type")
    listed = [named] if isinstance(named, str) else named
    if not isinstance(listed, list) or "any" in listed:
        return None
    known = [kind for kind in listed if kind in TYPES]
    return known if known or not listed else None


def is_within(kind: str, named: list[str]) -> bool:
    """Tell whether a type is one of those named; an integer is a number."""
    return kind in named or (kind == "integer" and "number" in named)


def in_order(allowed: list[str], named: list[str]) -> list[str]:
    """Keep the author's order of types, null last: it is the exception everywhere."""
    rank = {kind: index for index, kind in enumerate(named)}
    return sorted(allowed, key=lambda kind: (kind == "null", rank.get(kind, len(rank))))


def is_of_type(value: object, kind: str) -> bool:
    """Tell whether a value has a JSON type."""
    if kind == "number":
        return isinstance(value, int | float) and not isinstance(value, bool)
    if kind == "integer":
        return is_of_type(value, "number") and (isinstance(value, int) or cast(float, value).is_integer())
    classes: dict[str, Any] = {
        "object": dict,
        "array": list,
        "string": str,
        "boolean": bool,
        "null": type(None),
    }
    return isinstance(value, classes[kind])


def value_key(value: Any) -> str:
    """Write a value so that equal JSON values are written alike: 1.0 is 1.

    >>> value_key([1.0]) == value_key([1]), value_key(True) == value_key(1)
    (True, False)
    """
    return json.dumps(with_whole_numbers(value), sort_keys=True)


def lists_values(part: dict[str, Any]) -> bool:
    """Tell whether a schema names the values that it accepts."""
    return "const" in part or isinstance(part.get("enum"), list)


def listed_values(part: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Return each list of values that a schema names, by their keys and without repetition."""
    lists = [part["enum"]] if isinstance(part.get("enum"), list) else []
    for values in [*lists, [part["const"]]] if "const" in part else lists:
        found: dict[str, Any] = {}
        for value in values:
            found.setdefault(value_key(value), value)
        yield found
