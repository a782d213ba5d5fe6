"""Texts that match a regular expression. Layer 0."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

_ALPHABET = "abcxyzABC0123456789_- "


def matching_text(pattern: str, chooser: random.Random) -> str:
    """Write a text that a pattern probably matches; where that is hard, some text.

    >>> import re
    >>> bool(re.match(r"^[a-c]{2}-\\d+$", matching_text(r"^[a-c]{2}-\\d+$", random.Random(1))))
    True
    """
    try:
        parsed = re._parser.parse(pattern)  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]
        return _sequence(parsed, chooser)
    except (re.error, RecursionError, OverflowError):
        return "text"


def _sequence(items: Any, chooser: random.Random) -> str:
    return "".join(_item(str(kind).lower(), value, chooser) for kind, value in items)


def _item(kind: str, value: Any, chooser: random.Random) -> str:
    write = _WRITERS.get(kind)
    return write(value, chooser) if write else ""


def _repeat(value: Any, chooser: random.Random) -> str:
    low, high, inner = value
    count = chooser.randint(low, max(low, min(int(high), low + 3)))
    return "".join(_sequence(inner, chooser) for _ in range(min(count, 1000)))


def _one_of(members: Any, chooser: random.Random) -> str:
    if str(members[0][0]).lower() == "negate":
        excluded = {text for member in members[1:] for text in _members(member)}
        return chooser.choice([text for text in _ALPHABET + "!~é" if text not in excluded] or ["\u2603"])
    return chooser.choice(_members(chooser.choice(members)) or ["a"])


def _members(member: Any) -> list[str]:
    kind, value = str(member[0]).lower(), member[1]
    if kind == "literal":
        return [chr(value)]
    if kind == "range":
        return [chr(code) for code in range(value[0], min(value[1], value[0] + 200) + 1)]
    name = str(value).lower()
    if "digit" in name:
        return list("0123456789") if "not" not in name else list("abc")
    if "space" in name:
        return [" "] if "not" not in name else list("abc")
    return list("abc019_") if "not" not in name else ["-", " "]


_WRITERS: dict[str, Callable[[Any, random.Random], str]] = {
    "literal": lambda value, _: chr(value),
    "any": lambda _, chooser: chooser.choice("abc 1"),
    "in": _one_of,
    "max_repeat": _repeat,
    "min_repeat": _repeat,
    "possessive_repeat": _repeat,
    "subpattern": lambda value, chooser: _sequence(value[3], chooser),
    "branch": lambda value, chooser: _sequence(chooser.choice(value[1]), chooser),
    "not_literal": lambda value, _: "a" if chr(value) != "a" else "b",
    "category": lambda value, chooser: chooser.choice(_members(("category", value))),
}
