"""JSON as text: reading what a model or a server wrote, and writing it canonically. Layer 0."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import NoReturn, TypeAlias, cast

from tool_core.errors import JsonTextError

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"

MAX_DEPTH = 100
"""How deeply arrays and objects may nest; real tool calls stay below 20."""

MAX_CHARACTERS = 10_000_000
"""How long a text may be; a longer one is an attack or a file that should travel by reference."""

_MAX_DIGITS = 1_000
"""Longer integers take quadratic time to read."""

_FORBIDDEN_KEY = "__proto__"
_LONE_SURROGATE = re.compile(r"[\ud800-\udfff]")
_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def secure_json_loads(text: str | bytes, *, whole_numbers: bool = False) -> object:
    r"""Parse JSON text that a stranger wrote; with `whole_numbers`, `3.0` is read as 3.

    Refused beyond malformed JSON: a `__proto__` key, a `constructor` key that holds a `prototype`
    (both however they are escaped), a key that occurs twice, `NaN` and `Infinity`, lone
    surrogates, absurdly long numbers, texts that nest deeper than `MAX_DEPTH` or are longer than
    `MAX_CHARACTERS`.

    >>> secure_json_loads('{"location": "Oslo"}')
    {'location': 'Oslo'}
    >>> secure_json_loads("[3.0, 0.5]"), secure_json_loads("[3.0, 0.5]", whole_numbers=True)
    ([3.0, 0.5], [3, 0.5])
    >>> secure_json_loads(r'{"\u005f_proto__": 1}')
    Traceback (most recent call last):
        ...
    tool_core.errors.JsonTextError: Invalid JSON text: the key '__proto__' is forbidden
    """
    source = _readable(text)
    plain, careful = _WHOLE if whole_numbers else _EXACT
    try:
        is_flat = source.count("{") == 1 and len(source) <= _MAX_DIGITS
        value = (plain if is_flat else careful).decode(source)
        if is_flat and not names_each_key_once(source, value):
            value = careful.decode(source)
    except json.JSONDecodeError as error:
        _refuse(f"{error.msg} at line {error.lineno} column {error.colno}")
    except RecursionError:
        _refuse(f"it nests deeper than {MAX_DEPTH} levels")
    if source.count("[") + source.count("{") > MAX_DEPTH and _depth(value) > MAX_DEPTH:
        _refuse(f"it nests deeper than {MAX_DEPTH} levels")
    if _ESCAPED_SURROGATE.search(source) and _LONE_SURROGATE.search(json.dumps(value, ensure_ascii=False)):
        _refuse("it holds a lone surrogate")
    return cast(object, value)


def names_each_key_once(text: str | bytes, value: object) -> bool:
    """Tell cheaply, for a flat object, that `text` holds no key beyond those of `value`.

    Each key needs one colon, so as many colons as keys leave no room for a repeated or a hidden
    one. `False` means "not known": the caller reads the text with `secure_json_loads`.

    >>> names_each_key_once('{"a": 1}', {"a": 1}), names_each_key_once('{"a": 0, "a": 1}', {"a": 1})
    (True, False)
    """
    if not isinstance(value, dict) or _FORBIDDEN_KEY in value or len(text) > _MAX_DIGITS:
        return False  # a long text may hold a long number, too
    return (text.count(":") if isinstance(text, str) else text.count(b":")) == len(value)


def is_plainly_safe(written: bytes, value: object) -> bool:
    """Tell cheaply that a text which we wrote, and which reads as `value`, passes `secure_json_loads`.

    >>> is_plainly_safe(b'{"a":1}', {"a": 1}), is_plainly_safe(b'{"a":NaN}', {"a": float("nan")})
    (True, False)
    """
    is_shallow = written.count(b"[") < MAX_DEPTH
    is_finite = b"NaN" not in written and b"Infinity" not in written
    return is_shallow and is_finite and names_each_key_once(written, value)


def copied_json(value: object) -> object:
    """Copy a JSON value, so that a handler that changes it changes nothing of the caller's.

    >>> original = {"a": [1]}
    >>> copied_json(original) == original, copied_json(original) is original
    (True, False)
    """
    if isinstance(value, dict):
        return {key: copied_json(child) for key, child in value.items()}
    if isinstance(value, list):
        return [copied_json(child) for child in value]
    if type(value) in (str, int, float, bool, type(None)) or not isinstance(value, str | int | float):
        return value
    plain = str if isinstance(value, str) else int if isinstance(value, int) else float
    return plain(value)


def with_whole_numbers(value: object) -> object:
    """Return a JSON value with every whole number as an `int`: JSON knows no difference, Python does.

    >>> with_whole_numbers({"count": 3.0, "share": [0.5, 2.0]})
    {'count': 3, 'share': [0.5, 2]}
    """
    if isinstance(value, float):
        return int(value) if value.is_integer() else value
    if isinstance(value, dict):
        return {key: with_whole_numbers(child) for key, child in value.items()}
    if isinstance(value, list):
        return [with_whole_numbers(child) for child in value]
    return value


def canonical_json(value: object) -> str:
    """Write JSON so that equal values give equal texts: sorted keys, no spaces.

    >>> canonical_json({"b": 1, "a": [True, None]})
    '{"a":[true,null],"b":1}'
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def _readable(text: str | bytes) -> str:
    if isinstance(text, bytes):
        try:
            text = text.decode("utf-8")
        except UnicodeDecodeError:
            _refuse("it is not UTF-8")
    if not isinstance(text, str):
        _refuse(f"expected a text, got {type(text).__name__}")
    if len(text) > MAX_CHARACTERS:
        _refuse(f"it is longer than {MAX_CHARACTERS} characters")
    if not text.isascii() and _LONE_SURROGATE.search(text):
        _refuse("it holds a lone surrogate")
    return text


def _object_of(pairs: list[tuple[str, object]]) -> dict[str, object]:
    result = dict(pairs)
    if len(result) != len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        _refuse(f"the key {twice!r} occurs twice in one object")
    if _FORBIDDEN_KEY in result:
        _refuse(f"the key {_FORBIDDEN_KEY!r} is forbidden")
    constructor = result.get("constructor")
    if isinstance(constructor, dict) and "prototype" in constructor:
        _refuse("a 'constructor' that holds a 'prototype' is forbidden")
    return result


def _integer_of(digits: str) -> int:
    if len(digits) > _MAX_DIGITS:
        _refuse(f"a number has more than {_MAX_DIGITS} digits")
    return int(digits)


def _float_of(digits: str) -> float:
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        _refuse(f"the number {digits[:20]} is too large")
    return number


def _whole_of(digits: str) -> float:
    number = _float_of(digits)
    return int(number) if number.is_integer() else number


def _depth(value: object) -> int:
    level, depth = [value], 0
    while level := [item for item in level if isinstance(item, dict | list)]:
        depth += 1
        level = [child for item in level for child in (item.values() if isinstance(item, dict) else item)]
    return depth


def _refuse_constant(name: str) -> NoReturn:
    _refuse(f"{name} is not JSON")


def _refuse(reason: str) -> NoReturn:
    raise JsonTextError(description=reason) from None


def _decoders(parse_float: Callable[[str], float]) -> tuple[json.JSONDecoder, json.JSONDecoder]:
    """Make a decoder for short flat texts, which needs to look at less, and one for all others."""
    plain = json.JSONDecoder(parse_float=parse_float, parse_constant=_refuse_constant)
    careful = json.JSONDecoder(
        object_pairs_hook=_object_of,
        parse_int=_integer_of,
        parse_float=parse_float,
        parse_constant=_refuse_constant,
    )
    return plain, careful


_EXACT = _decoders(_float_of)
_WHOLE = _decoders(_whole_of)
