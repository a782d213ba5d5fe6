"""What a function's signature and docstring say about a tool. Layer 2."""

from __future__ import annotations

import functools
import inspect
import re
import typing
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Never, NotRequired, cast

import typing_extensions
from typing_extensions import Doc, TypedDict

from tool_core.defaults import ShownDefault
from tool_core.errors import ToolConfigurationError
from tool_core.implementations import HandlerContext
from tool_core.outcomes import Fail, Final, Preliminary
from tool_core.type_forms import union_members

_STYLE_MARKS = {
    "GOOGLE": re.compile(r"^\w[\w ]*:\s*$", re.MULTILINE),
    "NUMPYDOC": re.compile(r"^-{3,}\s*$", re.MULTILINE),
    "REST": re.compile(r"^\s*:\w", re.MULTILINE),
    "EPYDOC": re.compile(r"^\s*@\w", re.MULTILINE),
}
_STREAMS = ("AsyncIterator", "AsyncGenerator", "AsyncIterable")


@dataclass(frozen=True, slots=True)
class Signature:
    """The parts of a tool that a function spells out.

    >>> def area(width: float, height: float = 1.0) -> float:
    ...     '''Compute an area.
    ...
    ...     Args:
    ...         width: how wide
    ...     '''
    ...     return width * height
    >>> Signature.of(area).description, Signature.of(area).success
    ('Compute an area.', <class 'float'>)
    """

    name: str
    description: str | None
    parameters: Any
    success: Any
    failure: Any
    context_parameter: str | None
    positional_only: tuple[str, ...] = field(default=())

    @staticmethod
    def of(function: Callable[..., object]) -> Signature:
        """Read a function, or say which parameter a tool cannot have."""
        name = _name_of(function)
        hints = _hints_of(name, function)
        documentation = _documentation(function)
        parameters = inspect.signature(function).parameters
        context = next((key for key in parameters if _is_context(hints.get(key))), None)
        described = {key: item for key, item in parameters.items() if key != context}
        fields = {key: _field(name, item, hints, documentation.parameters) for key, item in described.items()}
        success, failure = _results(hints.get("return", object))
        positional = tuple(key for key, item in described.items() if item.kind is item.POSITIONAL_ONLY)
        form = cast(Any, TypedDict)(name, fields)
        return Signature(name, documentation.description, form, success, failure, context, positional)


@dataclass(frozen=True, slots=True)
class _Documentation:
    description: str | None
    parameters: Mapping[str, str]


def _name_of(function: Any) -> str:
    inner = function.func if isinstance(function, functools.partial) else function
    name = getattr(inner, "__name__", None)
    if not callable(function) or isinstance(function, type) or name is None or name == "<lambda>":
        raise ToolConfigurationError(None, f"from_function takes a named function, not {function!r}")
    return str(name)


def _hints_of(name: str, function: Any) -> dict[str, Any]:
    inner = function.func if isinstance(function, functools.partial) else function
    try:
        return typing_extensions.get_type_hints(inner, include_extras=True)
    except Exception as error:
        raise ToolConfigurationError(name, f"the annotations cannot be resolved: {error}") from None


def _documentation(function: Any) -> _Documentation:
    text = inspect.getdoc(function.func if isinstance(function, functools.partial) else function)
    styles = [style for style, mark in _STYLE_MARKS.items() if mark.search(text)] if text else []
    return _parsed(text or "", styles) if styles else _Documentation(text or None, {})


def _parsed(text: str, styles: list[str]) -> _Documentation:
    from docstring_parser import DocstringStyle, ParseError, parse

    try:  # where only one style is likely, the parser need not try them all
        parsed = parse(text, DocstringStyle[styles[0] if len(styles) == 1 else "AUTO"])
    except ParseError:
        return _Documentation(text, {})
    words = "\n\n".join(item for item in (parsed.short_description, parsed.long_description) if item)
    return _Documentation(words or None, {item.arg_name: item.description or "" for item in parsed.params})


def _field(
    name: str, parameter: inspect.Parameter, hints: Mapping[str, Any], words: Mapping[str, str]
) -> Any:
    if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
        stars = "*" if parameter.kind is parameter.VAR_POSITIONAL else "**"
        raise ToolConfigurationError(
            name, f"{stars}{parameter.name} has no schema: a model must know every parameter by name"
        )
    if parameter.name not in hints:
        raise ToolConfigurationError(name, f"the parameter {parameter.name!r} needs a type annotation")
    form = _documented(hints[parameter.name], words.get(parameter.name), parameter.default)
    return form if parameter.default is parameter.empty else NotRequired[form]


def _documented(form: Any, words: str | None, default: object) -> Any:
    shown = None if default is inspect.Parameter.empty else ShownDefault.of(default)
    notes = (*([Doc(words)] if words else ()), *([shown] if shown is not None else ()))
    return Annotated[form, *notes] if notes else form


def _is_context(form: Any) -> bool:
    return form is HandlerContext or typing.get_origin(form) is HandlerContext


def stream_results(returned: Any) -> list[Any] | None:
    """List what the items of an annotated stream hold, or None where the annotation is no stream.

    >>> from collections.abc import AsyncIterator
    >>> stream_results(AsyncIterator[Preliminary[int] | Final[str]]), stream_results(int)
    ([<class 'int'>, <class 'str'>], None)
    """
    arguments = typing.get_args(returned)
    if getattr(typing.get_origin(returned), "__name__", "") not in _STREAMS or not arguments:
        return None
    items = (item for item in union_members(arguments[0]) if typing.get_origin(item) in (Final, Preliminary))
    return [member for item in items for member in union_members(typing.get_args(item)[0])]


def _results(returned: Any) -> tuple[Any, Any]:
    """Split a return annotation into success and failure types."""
    streamed = stream_results(returned)
    members = union_members(returned) if streamed is None else (streamed or [object])
    failures = [typing.get_args(item)[0] for item in members if typing.get_origin(item) is Fail]
    successes = [item for item in members if typing.get_origin(item) is not Fail and item is not Fail]
    return _union(successes), _union(failures)


def _union(forms: Iterable[Any]) -> Any:
    items = list(dict.fromkeys(forms))
    return cast(Any, typing.Union[tuple(items)]) if items else Never  # noqa: UP007
