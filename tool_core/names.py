"""Tool names: which are legal, and which known name an unknown one was meant to be. Layer 0."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

from tool_core.errors import ToolConfigurationError

_LONGEST = 128
_MOST_COMPARED = 64
_LEGAL = re.compile(r"[A-Za-z0-9_.-]{1,128}\Z")


def check_tool_name(name: object) -> str:
    """Return the name if it is legal, else say what is allowed.

    The alphabet is that of the Model Context Protocol; providers with a narrower one get a
    mapped name when a request is prepared.

    >>> check_tool_name("get-weather")
    'get-weather'
    >>> check_tool_name("get weather")
    Traceback (most recent call last):
        ...
    tool_core.errors.ToolConfigurationError: Invalid configuration for tool 'get weather': \
a tool name has 1 to 128 characters of A-Z a-z 0-9 _ . -
    """
    if not isinstance(name, str):
        raise ToolConfigurationError(None, f"a tool name is a string, not {type(name).__name__}")
    if not _LEGAL.match(name):
        raise ToolConfigurationError(name, "a tool name has 1 to 128 characters of A-Z a-z 0-9 _ . -")
    return name


def closest_first(name: str, known: Iterable[str]) -> list[str]:
    """Order the known names by their likeness to `name`, most alike first.

    >>> closest_first("serch", ["fetch", "search", "pay"])
    ['search', 'fetch', 'pay']
    """

    wanted, listed = name[:_LONGEST].lower(), list(known)
    matcher = difflib.SequenceMatcher(None, "", wanted)

    def likeness(other: str, quick: bool) -> float:
        matcher.set_seq1(other.lower())
        return matcher.quick_ratio() if quick else matcher.ratio()

    if len(listed) > _MOST_COMPARED:  # the exact measure is quadratic, so only the likely ones get it
        listed.sort(key=lambda other: -likeness(other, quick=True))
    near, far = listed[:_MOST_COMPARED], listed[_MOST_COMPARED:]
    return [*sorted(near, key=lambda other: -likeness(other, quick=False)), *far]


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Name the closest known name as a question, or say nothing where none is close.

    >>> did_you_mean("serch", ["fetch", "search"])
    ", did you mean 'search'?"
    >>> did_you_mean("pay", ["fetch", "search"])
    ''
    """
    close = difflib.get_close_matches(name[:_LONGEST], closest_first(name, known)[:_MOST_COMPARED], n=1)
    return f", did you mean {close[0]!r}?" if close else ""
