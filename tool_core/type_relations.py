"""Whether a value of one type can be used as another, at run time. Layer 1.

beartype knows the relations of types but takes every TypedDict for a plain mapping, so those are
compared field by field. When in doubt the answer is yes: the type checker is the one to be strict.
"""

from __future__ import annotations

import typing
from collections.abc import Mapping, Sequence
from typing import Any, Union

import typing_extensions
from typing_extensions import is_typeddict

from tool_core.type_forms import hints_of, union_members

_SEQUENCE: Any = Sequence
_UNION: Any = Union
_ANYTHING: tuple[object, ...] = (Any, object, typing_extensions.Any)


def accepts(wanted: Any, given: Any) -> bool:
    """Tell whether a value of type `given` can go where `wanted` is expected.

    >>> accepts(object, int), accepts(int | str, int), accepts(int, int | str), accepts(float, int)
    (True, True, False, True)
    """
    wanted, given = _plain(wanted), _plain(given)
    if wanted in _ANYTHING or given is Any or wanted == given or isinstance(wanted, typing.TypeVar):
        return True
    if len(members := union_members(given)) > 1:
        return all(accepts(wanted, member) for member in members)
    if len(members := union_members(wanted)) > 1:
        return any(accepts(member, given) for member in members)
    if is_typeddict(_origin(wanted)) and is_typeddict(_origin(given)):
        return _accepts_record(wanted, given)
    if is_typeddict(_origin(given)):
        return _origin(wanted) in (dict, Mapping) or _accepts_hint(wanted, dict[str, object])
    if is_typeddict(_origin(wanted)):
        return False
    if _are_alike(wanted, given):
        return all(map(accepts, typing.get_args(wanted), typing.get_args(given)))
    return (wanted is float and given is int) or any(_accepts_hint(wanted, each) for each in _faces(given))


def _accepts_record(wanted: Any, given: Any) -> bool:
    wanted_hints, given_hints = hints_of(_origin(wanted)), hints_of(_origin(given))
    return all(
        name in given_hints
        and accepts(hint, given_hints[name])
        and (name not in _origin(wanted).__required_keys__ or name in _origin(given).__required_keys__)
        for name, hint in wanted_hints.items()
    )


def _faces(given: Any) -> list[Any]:
    """Say what else a type is that beartype does not see: a text and a tuple are sequences."""
    arguments = typing.get_args(given)
    if _origin(given) is tuple:
        items = tuple(item for item in arguments if item is not Ellipsis)
        return [given, _SEQUENCE[_UNION[items]]] if items else [given]
    is_text = given is str or (
        _origin(given) is typing.Literal and all(isinstance(item, str) for item in arguments)
    )
    return [given, _SEQUENCE[str]] if is_text else [given]


def _are_alike(wanted: Any, given: Any) -> bool:
    """Tell whether two generic types can be compared argument by argument."""
    here, there = typing.get_args(wanted), typing.get_args(given)
    if not 0 < len(here) == len(there) or (Ellipsis in here) != (Ellipsis in there):
        return False
    try:
        return issubclass(_origin(given), _origin(wanted))
    except TypeError:  # a protocol that cannot be checked, or no class
        return False


def _accepts_hint(wanted: Any, given: Any) -> bool:
    from beartype.door import is_subhint
    from beartype.roar import BeartypeException

    try:
        return is_subhint(None if given is type(None) else given, None if wanted is type(None) else wanted)
    except (BeartypeException, TypeError, AttributeError):
        return True


def _plain(form: Any) -> Any:
    if typing.get_origin(form) in (
        typing.Annotated,
        typing.Required,
        typing.NotRequired,
        typing_extensions.ReadOnly,
    ):
        return _plain(typing.get_args(form)[0])
    return type(None) if form is None else form


def _origin(form: Any) -> Any:
    return typing.get_origin(form) or form
