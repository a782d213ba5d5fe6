"""What a handler is, read from its signature: how it runs, and whether it fits its tool. Layer 3."""

from __future__ import annotations

import functools
import inspect
import typing
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import typing_extensions

from tool_core.functions import FunctionHandler, FunctionSchema
from tool_core.outcomes import Fail
from tool_core.signatures import stream_results
from tool_core.tools import AnyTool
from tool_core.type_forms import display, union_members
from tool_core.type_relations import accepts
from tool_core.type_schemas import NeverSchema, TypeSchema

Kind: TypeAlias = Literal["sync", "async", "stream"]

_DEFERRED = ("Awaitable", "Coroutine", "Future", "Task")


@dataclass(frozen=True, slots=True)
class HandlerShape:
    """How a handler is to be called.

    >>> async def search(params, ctx): ...
    >>> HandlerShape.of(search)
    HandlerShape(kind='async', takes_context=True)
    """

    kind: Kind
    takes_context: bool

    @staticmethod
    def of(handler: Callable[..., object]) -> HandlerShape:
        """Read the shape of a handler; arity is checked by `handler_problems`."""
        if isinstance(handler, FunctionHandler):
            return HandlerShape(_kind_of(handler.function), handler.context_parameter is not None)
        return HandlerShape(_kind_of(handler), _accepts_positional(handler, 2))


def handler_problems(tool: AnyTool, handler: object, enforce: bool) -> Iterator[str]:
    """Say everything that is wrong with a handler for a tool.

    >>> from tool_core import Tool
    >>> def now(params: dict[str, str]) -> str: return "noon"
    >>> list(handler_problems(Tool.make("Now", success=float), now, enforce=True))
    ['the handler returns str, but the tool declares float']
    """
    if not tool.requires_handler:
        yield "the provider runs this tool, so it takes no handler"
    elif not callable(handler):
        yield f"the handler is not callable but {type(handler).__name__}"
    elif isinstance(handler, FunctionHandler):
        return
    elif inspect.isgeneratorfunction(_unwrapped(handler)):
        yield "the handler is a generator; a handler that yields is an async generator: write async def"
    elif not _accepts_positional(handler, 1) and not _accepts_positional(handler, 2):
        yield f"the handler takes {_signature_text(handler)}, but it is called with (params) or (params, ctx)"
    elif enforce:
        yield from _annotation_problems(tool, handler)


def _annotation_problems(tool: AnyTool, handler: Any) -> Iterator[str]:
    hints, form = _hints(handler), _form_of(tool.parameters_schema)
    first = next((item.name for item in _positional(handler)), "")
    if first in hints and form is not None and not accepts(hints[first], form):
        yield f"the handler takes {display(hints[first])}, but the tool's parameters are {display(form)}"
    if "return" in hints:
        yield from _return_problems(tool, hints["return"])


def _return_problems(tool: AnyTool, returned: Any) -> Iterator[str]:
    success, failure = _form_of(tool.success_schema), _form_of(tool.failure_schema)
    for member in _outcomes(returned):
        is_failure = typing.get_origin(member) is Fail
        inner = typing.get_args(member)[0] if is_failure else member
        if member is Fail or inner in (object, Any):
            continue
        if is_failure and isinstance(tool.failure_schema, NeverSchema):
            yield f"the handler fails with {display(inner)}, but the tool declares no failure"
        elif is_failure and failure is not None and not accepts(failure, inner):
            yield f"the handler fails with {display(inner)}, but the tool declares {display(failure)}"
        elif not is_failure and success is not None and not accepts(success, inner):
            yield f"the handler returns {display(inner)}, but the tool declares {display(success)}"


def _outcomes(returned: Any) -> list[Any]:
    """Look through coroutines and streams to what they end with."""
    arguments = typing.get_args(returned)
    if getattr(typing.get_origin(returned), "__name__", "") in _DEFERRED and arguments:
        return _outcomes(arguments[-1])
    streamed = stream_results(returned)
    return union_members(returned) if streamed is None else streamed


def _form_of(schema: object) -> Any | None:
    """Return the type behind a schema, or None where there is none to compare with."""
    if not isinstance(schema, TypeSchema) or isinstance(schema, FunctionSchema):
        return None
    return type(None) if schema.form is None else schema.form


def _kind_of(handler: Any) -> Kind:
    inner = _unwrapped(handler)
    if inspect.isasyncgenfunction(inner):
        return "stream"
    return "async" if inspect.iscoroutinefunction(inner) else "sync"


def _unwrapped(handler: Any) -> Any:
    while isinstance(handler, functools.partial):
        handler = handler.func
    is_function = inspect.isfunction(handler) or inspect.ismethod(handler) or inspect.isbuiltin(handler)
    return handler if is_function or isinstance(handler, type) else getattr(handler, "__call__", handler)  # noqa: B004


def _positional(handler: Any) -> list[inspect.Parameter]:
    try:
        parameters = inspect.signature(handler).parameters.values()
    except (TypeError, ValueError):
        return []
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [item for item in parameters if item.kind in kinds]


def _accepts_positional(handler: Any, count: int) -> bool:
    try:
        inspect.signature(handler).bind(*range(count))
    except TypeError:
        return False
    except ValueError:  # a builtin without a signature: believed to take the parameters
        return count == 1
    if count == 2:  # an optional second parameter is the handler's own, unless it says otherwise
        return _asks_for_context(handler)
    return True


def _asks_for_context(handler: Any) -> bool:
    parameters = _positional(handler)
    if len(parameters) < 2:
        return any(
            item.kind is item.VAR_POSITIONAL for item in inspect.signature(handler).parameters.values()
        )
    second = parameters[1]
    return second.default is second.empty or "HandlerContext" in str(second.annotation)


def _signature_text(handler: Any) -> str:
    parameters = inspect.signature(handler).parameters.values()
    return f"({', '.join(item.name for item in parameters)})"


def _hints(handler: Any) -> dict[str, Any]:
    try:
        return typing_extensions.get_type_hints(_unwrapped(handler), include_extras=True)
    except Exception:  # names that cannot be resolved here: nothing is known
        return {}
