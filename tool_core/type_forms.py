"""Python type forms: which are surely JSON, and which part of one is not. Layer 1.

A tool must refuse an impossible type when it is defined, yet building a codec takes a hundred
times longer than looking at the form. So the common forms are recognised here, and only the
others are built at once.
"""

from __future__ import annotations

import collections.abc
import dataclasses
import datetime
import decimal
import enum
import inspect
import pathlib
import sys
import types
import typing
import uuid
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import typing_extensions
from typing_extensions import Doc, is_typeddict

from tool_core.defaults import ShownDefault

_LEAVES: frozenset[object] = frozenset(
    {
        bool, bytes, float, int, object, str, None, type(None), typing.Any,
        datetime.date, datetime.datetime, datetime.time, datetime.timedelta,
        decimal.Decimal, pathlib.Path, uuid.UUID,
    }
)  # fmt: skip

_CONTAINERS: frozenset[object] = frozenset(
    {
        dict, frozenset, list, set, tuple, typing.Union, types.UnionType,
        typing.Annotated, typing.Required, typing.NotRequired, typing_extensions.ReadOnly,
        collections.abc.Mapping, collections.abc.Sequence,
    }
)  # fmt: skip

_MAPPINGS = (dict, collections.abc.Mapping)


def is_surely_json(form: Any, seen: frozenset[int] = frozenset()) -> bool:
    """Tell whether a codec for the form is certain to exist; `False` means "build it to know".

    >>> is_surely_json(dict[str, int | None]), is_surely_json(type(print))
    (True, False)
    """
    if id(form) in seen or (_is_hashable(form) and form in _LEAVES):
        return True
    if typing.get_origin(form) is typing.Literal:
        return all(isinstance(item, bool | int | str | None) for item in typing.get_args(form))
    if isinstance(form, type) and issubclass(form, enum.Enum):
        return all(isinstance(item.value, int | str) for item in form)
    if typing.get_origin(form) is typing.Annotated and not all(
        isinstance(m, str | Doc | ShownDefault) for m in form.__metadata__
    ):
        return False
    try:
        parts = list(parts_of(form))
    except Exception:  # an unresolved name: only the frame that defined the type knows it
        return False
    if typing.get_origin(form) in _MAPPINGS and parts[:1] != [(None, str)]:
        return False
    if not parts and not _is_record(form):
        return False
    return all(is_surely_json(part, seen | {id(form)}) for _, part in parts)


def parts_of(form: object) -> Iterator[tuple[str | None, object]]:
    """Yield the parts of a form, each with its field name where it has one.

    >>> list(parts_of(dict[str, int]))
    [(None, <class 'str'>), (None, <class 'int'>)]
    """
    origin = typing.get_origin(form)
    if isinstance(form, typing.NewType):
        yield None, form.__supertype__
    elif _is_alias(form):
        yield None, getattr(form, "__value__", None)
    elif origin is typing.Annotated:
        yield None, typing.get_args(form)[0]
    elif _is_hashable(origin) and origin in _CONTAINERS:
        yield from ((None, item) for item in typing.get_args(form) if item is not Ellipsis)
    elif _is_record(form):
        yield from hints_of(form).items()


def union_members(form: object) -> list[Any]:
    """Take a union apart; any other form is its own only member.

    >>> union_members(int | None), union_members(int)
    ([<class 'int'>, <class 'NoneType'>], [<class 'int'>])
    """
    is_union = typing.get_origin(form) in (typing.Union, types.UnionType)
    return list(typing.get_args(form)) if is_union else [form]


def hints_of(form: object) -> Mapping[str, object]:
    """Return the annotations of a record's fields, resolved, with `Annotated` kept."""
    return typing_extensions.get_type_hints(form, include_extras=True)


def culprit(
    form: object, works: Callable[[object], bool], path: str, seen: frozenset[int] = frozenset()
) -> tuple[str, object]:
    """Find the innermost part that does not work, with its path.

    >>> culprit(list[set], lambda form: "set" not in str(form), "parameters")
    ('parameters', <class 'set'>)
    """
    if id(form) in seen:
        return path, form
    try:
        parts = list(parts_of(form))
    except Exception:
        return path, form
    for name, part in parts:
        if not works(part):
            return culprit(part, works, f"{path}.{name}" if name else path, seen | {id(form)})
    return path, form


def display(form: object) -> str:
    """Write a type form as its author would.

    >>> display(dict[str, int] | None), display(datetime.datetime)
    ('dict[str, int] | None', 'datetime')
    """
    if form is None or form is type(None):
        return "None"
    if is_function(form) or (isinstance(form, type) and not typing.get_origin(form)):
        return str(getattr(form, "__name__", form))
    if typing.get_origin(form) is typing.Annotated:
        return display(typing.get_args(form)[0])
    if len(members := union_members(form)) > 1:
        return " | ".join(display(item) for item in members)
    name = getattr(form, "__name__", None)
    return (
        name
        if _is_alias(form) and name
        else str(form).replace("typing.", "").replace("typing_extensions.", "")
    )


def caller_depth() -> int:
    """Count the frames from the caller to the code that uses this package, where local types are known."""
    depth, frame = 0, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "tool_core":
        depth, frame = depth + 1, frame.f_back
    return depth


def is_function(form: object) -> bool:
    """Tell a function or method from a type: calling it is not a schema."""
    return inspect.isroutine(form) and not isinstance(form, type)


def _is_record(form: object) -> bool:
    if is_typeddict(form):
        return sys.version_info >= (3, 12) or type(form).__module__ != "typing"
    return (
        isinstance(form, type) and dataclasses.is_dataclass(form) and not hasattr(form, "__pydantic_fields__")
    )


def _is_alias(form: object) -> bool:
    return type(form).__name__ == "TypeAliasType"


def _is_hashable(form: object) -> bool:
    try:
        hash(form)
    except TypeError:
        return False
    return True
