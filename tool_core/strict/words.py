"""Constraints that a dialect cannot hold, said in words that a model can follow. Layer 3."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

_WORDS: dict[str, Callable[[Any], str]] = {
    "minLength": lambda v: f"at least {v} characters",
    "maxLength": lambda v: f"at most {v} characters",
    "pattern": lambda v: f"must match the pattern {v}",
    "format": lambda v: f"format: {v}",
    "minimum": lambda v: f"at least {v}",
    "maximum": lambda v: f"at most {v}",
    "exclusiveMinimum": lambda v: "more than the minimum" if v is True else f"more than {v}",
    "exclusiveMaximum": lambda v: "less than the maximum" if v is True else f"less than {v}",
    "multipleOf": lambda v: f"a multiple of {v}",
    "minItems": lambda v: f"at least {v} items",
    "maxItems": lambda v: f"at most {v} items",
    "uniqueItems": lambda _: "items must all differ",
    "minProperties": lambda v: f"at least {v} entries",
    "maxProperties": lambda v: f"at most {v} entries",
    "enum": lambda v: f"one of: {', '.join(json.dumps(item) for item in v)}",
}


def in_words(keyword: str, value: Any) -> str | None:
    """Say a constraint, or nothing where words would be longer than the schema.

    >>> in_words("minLength", 3), in_words("if", {})
    ('at least 3 characters', None)
    """
    if keyword in ("uniqueItems", "exclusiveMinimum", "exclusiveMaximum") and value is False:
        return None
    words = _WORDS.get(keyword)
    if words is not None:
        return words(value)
    if keyword in ("dependentRequired", "dependencies", "not", "contains", "propertyNames"):
        text = json.dumps(value)
        return f"{keyword}: {text}" if len(text) <= 120 else None
    return None


def joined(*parts: str | None) -> str | None:
    """Join sentences into one description.

    >>> joined("How many.", None, "at least 3")
    'How many. (at least 3)'
    """
    present = [part for part in parts if part]
    if not present:
        return None
    return " ".join([present[0], *(f"({part})" for part in present[1:])]) if parts[0] else ", ".join(present)
