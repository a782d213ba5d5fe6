"""What is wrong with a value, said so that a model can mend it: path, expected, got. Layer 1."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from typing_extensions import TypedDict

from tool_core.errors import SchemaMismatchError

Path: TypeAlias = "tuple[str | int, ...]"

_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_LONGEST_QUOTE = 60


class Problem(TypedDict):
    """One mismatch between a value and its schema.

    >>> problem("a", 0, expected="an integer", got="null")
    {'path': '$.a[0]', 'expected': 'an integer', 'got': 'null', 'text': 'expected an integer, got null'}
    """

    path: str
    expected: str
    got: str
    text: str


def problem(*path: str | int, expected: str, got: str) -> Problem:
    """Describe one mismatch; `path` is the way from the root to the offending value."""
    return {
        "path": json_path(path),
        "expected": expected,
        "got": got,
        "text": f"expected {expected}, got {got}",
    }


def mismatch(problems: Iterable[Problem]) -> SchemaMismatchError:
    """Gather problems into the error to raise, ordered by path, each said once.

    >>> print(mismatch([problem("b", expected="a string", got="null"), problem("a", expected="1", got="2")]))
    $.a: expected 1, got 2
    $.b: expected a string, got null
    """
    unique = {(item["path"], item["text"]): item for item in problems}
    return SchemaMismatchError(problems=tuple(unique[key] for key in sorted(unique)))


def json_path(path: Sequence[str | int]) -> str:
    """Write a path as JSONPath does.

    >>> json_path(["a", 0, "weird key"])
    "$.a[0]['weird key']"
    """
    return "$" + "".join(_step(item) for item in path)


_DEEPEST = 100
TOO_DEEP = problem(expected=f"at most {_DEEPEST} levels of nesting", got="more")


def describe(value: object) -> str:
    """Name a value as JSON would, shortened so that a message stays readable.

    >>> describe("3"), describe(True), describe({"a": 1, "b": 2}), describe([1])
    ("the string '3'", 'true', "an object with the keys 'a', 'b'", 'an array of 1 item')
    """
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, str):
        return f"the string {_shortened(value)!r}"
    if isinstance(value, int | float):
        return f"the {'integer' if isinstance(value, int) else 'number'} {_shortened(_digits(value))}"
    if isinstance(value, list | tuple):
        return f"an array of {len(value)} item{'' if len(value) == 1 else 's'}"
    if isinstance(value, dict):
        return _described_object(value)
    return f"a Python {type(value).__name__}"


def non_json_problems(value: object) -> list[Problem]:
    """Find what in a Python value is not JSON.

    >>> non_json_problems({"a": [1, 2.5, None]})
    []
    >>> [item["text"] for item in non_json_problems({"a": {1, 2}})]
    ['expected a JSON value, got a Python set']
    """
    try:
        return _problems_of(value, ())
    except _TooDeepError:  # and not one for each way down: a circular value has any number
        return [TOO_DEEP]


def _problems_of(value: object, path: Path) -> list[Problem]:
    kind = type(value)
    if kind is int or kind is bool or value is None:
        return []
    if isinstance(value, str):
        return _surrogate_problems(value, path)
    if len(path) > _DEEPEST:
        raise _TooDeepError
    if isinstance(value, dict):
        return _problems_of_object(value, path)
    if isinstance(value, list):
        return [item for index, child in enumerate(value) for item in _problems_of(child, (*path, index))]
    if isinstance(value, int) or (isinstance(value, float) and math.isfinite(value)):
        return []
    return [problem(*path, expected="a JSON value", got=describe(value))]


class _TooDeepError(Exception):
    """Ends the search at once."""


def _surrogate_problems(value: str, path: Path) -> list[Problem]:
    if value.isascii():
        return []
    try:
        value.encode()
    except UnicodeEncodeError:
        return [problem(*path, expected="a text without lone surrogates", got="one with them")]
    return []


def _problems_of_object(value: dict[object, object], path: Path) -> list[Problem]:
    found: list[Problem] = []
    for key, child in value.items():
        if isinstance(key, str):
            found += _surrogate_problems(key, path) or _problems_of(child, (*path, key))
        else:
            found.append(problem(*path, expected="keys that are strings", got=f"the key {key!r}"))
    return found


def _step(item: str | int) -> str:
    if isinstance(item, int):
        return f"[{item}]"
    return f".{item}" if _PLAIN_KEY.match(item) else f"[{item!r}]"


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 3] + "..."


def _digits(value: float) -> str:
    try:
        return repr(value)
    except ValueError:  # Python refuses to write integers of more than 4300 digits
        return "of thousands of digits"


def _described_object(value: dict[object, object]) -> str:
    keys = ", ".join(repr(key) for key in list(value)[:8])
    more = ", ..." if len(value) > 8 else ""
    return f"an object with the keys {keys}{more}" if value else "an empty object"
