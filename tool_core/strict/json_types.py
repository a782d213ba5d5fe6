"""The JSON types that schemas name and values have. Layer 3."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

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
        return isinstance(value, int | float) and not isinstance(value, bool) and value == int(value)
    classes: dict[str, Any] = {
        "object": dict,
        "array": list,
        "string": str,
        "boolean": bool,
        "null": type(None),
    }
    return isinstance(value, classes[kind])


def unique_values(values: Iterable[Any]) -> list[Any]:
    """Drop repeated values; `True` and 1 are equal to Python but not to JSON."""
    return list({json.dumps(value, sort_keys=True): value for value in values}.values())
