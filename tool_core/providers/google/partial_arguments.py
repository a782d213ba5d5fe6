"""Arguments that Google streams piece by piece, each with the place where it belongs. Layer 3."""

from __future__ import annotations

import re
from typing import Any

from tool_core.providers.apis import Plain
from tool_core.providers.google.fields import field_of
from tool_core.providers.plain import mappings_in

_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+)\]|\['([^']*)'\]")
_VALUES = ("string_value", "number_value", "bool_value")
_DEEPEST = 100
_LONGEST_ARRAY = 100_000


def with_arguments(known: Plain, call: Plain) -> dict[str, Any]:
    """Add what a chunk brings to a call: fields, whole arguments, or pieces of them.

    >>> first = with_arguments({"name": "Say"}, {"partial_args": [{"json_path": "$.t", "string_value": "a"}]})
    >>> with_arguments(first, {"partial_args": [{"json_path": "$.t", "string_value": "b"}]})
    {'name': 'Say', 'args': {'t': 'ab'}}
    """
    streamed = ("partial_args", "partialArgs", "will_continue", "willContinue", "args")
    merged = {**known, **{key: value for key, value in call.items() if key not in streamed}}
    arguments: Any = {**(known.get("args") or {}), **(call.get("args") or {})}
    for piece in mappings_in(field_of(call, "partial_args")):
        arguments = _placed(arguments, _steps(str(field_of(piece, "json_path") or "$")), _value(piece))
    return {**merged, "args": arguments}


def _steps(path: str) -> list[str | int]:
    found = [name or quoted or int(index) for name, index, quoted in _STEP.findall(path)]
    return found[:_DEEPEST]


def _value(piece: Plain) -> Any:
    return next((value for key in _VALUES if (value := field_of(piece, key)) is not None), None)


def _placed(holder: Any, steps: list[str | int], value: Any) -> Any:
    """Return the holder with a value at a place; a text goes on where there is one already."""
    if not steps:
        return holder + value if isinstance(holder, str) and isinstance(value, str) else value
    step, rest = steps[0], steps[1:]
    if isinstance(step, int):
        listed = list(holder) if isinstance(holder, list) else []
        listed += [None] * (min(step, _LONGEST_ARRAY) + 1 - len(listed))
        listed[min(step, _LONGEST_ARRAY)] = _placed(listed[min(step, _LONGEST_ARRAY)], rest, value)
        return listed
    named = dict(holder) if isinstance(holder, dict) else {}
    named[step] = _placed(named.get(step), rest, value)
    return named
