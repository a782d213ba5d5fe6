"""Tools derived from functions, which stay callable as they were. Layer 2."""

from __future__ import annotations

import importlib
import inspect
import operator
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, ParamSpec, Protocol, cast, overload

from typing_extensions import TypedDict, TypeVar

from tool_core.context import ServiceKey
from tool_core.implementations import Implementation, Tool_co
from tool_core.options import OPTIONS, for_tool, refuse_unknown
from tool_core.signatures import Signature
from tool_core.tools import Tool
from tool_core.type_forms import is_surely_json
from tool_core.type_schemas import TypeSchema
from tool_core.typevars import ApprovalPredicate, FailureMode, M_co, N_co, R_co, S

Ps = ParamSpec("Ps")
Ret_co = TypeVar("Ret_co", covariant=True)


class FunctionOptions(TypedDict, total=False):
    """What `Tool.from_function` can be told beside the function; what is not said, its signature says.

    >>> FunctionOptions(name="Add", failure_mode="return")
    {'name': 'Add', 'failure_mode': 'return'}
    """

    name: str
    description: str | None
    parameters: object
    success: object
    failure: object
    failure_mode: FailureMode
    dependencies: Sequence[ServiceKey]
    needs_approval: bool | ApprovalPredicate


@dataclass(frozen=True, slots=True)
class FunctionHandler:
    """Calls a function with the decoded parameters by name, and with the context where it asks for one.

    >>> FunctionHandler(dict, (), None)({"a": 1})
    {'a': 1}
    """

    function: Callable[..., object]
    positional_only: tuple[str, ...]
    context_parameter: str | None

    def __call__(self, params: Mapping[str, object], ctx: object = None) -> object:
        """Call the function."""
        if not self.positional_only and self.context_parameter is None:
            return self.function(**params)
        named = dict(params)
        positional = self._positional(named) if self.positional_only else []
        if self.context_parameter is not None:
            named[self.context_parameter] = ctx
        return self.function(*positional, **named)

    def _positional(self, named: dict[str, object]) -> list[object]:
        """Take the parameters that have no name, filling gaps before the last one with defaults."""
        defaults = inspect.signature(self.function).parameters
        last = max((index for index, name in enumerate(self.positional_only) if name in named), default=-1)
        return [named.pop(name, defaults[name].default) for name in self.positional_only[: last + 1]]

    def __reduce__(self) -> tuple[object, ...]:
        if (implementation := _importable(self.function)) is not None:
            return _handler_of, implementation
        return FunctionHandler, (self.function, self.positional_only, self.context_parameter)


@dataclass(frozen=True, slots=True)
class FunctionImplementation(Implementation[Tool_co], Generic[Ps, Ret_co, Tool_co]):
    """A tool made from a function; call it as the function, or bind it as an implementation.

    >>> @Tool.from_function
    ... def double(n: int) -> int:
    ...     return 2 * n
    >>> double(4), double.tool
    (8, Tool 'double' (double) -> int)
    """

    function: Callable[Ps, Ret_co] = field(kw_only=True)

    def __call__(self, *args: Ps.args, **kwargs: Ps.kwargs) -> Ret_co:
        """Call the function with its own signature."""
        return self.function(*args, **kwargs)

    def __reduce__(self) -> tuple[object, ...]:
        if (implementation := _importable(self.function)) is not None:
            return _renewed, (self.tool, self.handler, *implementation)
        return _remade, (self.tool, self.handler, self.function)


class FunctionDecorator(Protocol[M_co, R_co, N_co]):
    """What `Tool.from_function(name=..., ...)` returns: a decorator that keeps the signature.

    The type parameters, which the mypy plugin fills, are the failure mode, the services and the name.
    """

    @overload
    def __call__(
        self, function: Callable[Ps, Coroutine[Any, Any, S]], /
    ) -> FunctionImplementation[
        Ps, Coroutine[Any, Any, S], Tool[Mapping[str, object], S, object, M_co, R_co, N_co]
    ]: ...
    @overload
    def __call__(
        self, function: Callable[Ps, S], /
    ) -> FunctionImplementation[Ps, S, Tool[Mapping[str, object], S, object, M_co, R_co, N_co]]: ...
    def __call__(self, function: Any, /) -> Any:
        """Derive a tool from the function."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class FunctionSchema(TypeSchema[Mapping[str, object]]):
    """The parameters of a function; pickles and compares by the function, for the type has no name."""

    function: Callable[..., object] = field(kw_only=True)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FunctionSchema) and self.function == other.function

    def __hash__(self) -> int:
        return hash(self.function)

    def __reduce__(self) -> tuple[object, ...]:
        if (implementation := _importable(self.function)) is not None:
            return _schema_of, implementation
        return _schema_again, (self.function,)


def from_function(function: Callable[..., object] | None, options: Mapping[str, Any]) -> object:
    """Build what `Tool.from_function` describes, or a decorator that will."""
    if function is None:
        return lambda later: from_function(later, options)
    signature = Signature.of(function)
    refuse_unknown(signature.name, options.keys() - {*OPTIONS, "name"}, (*OPTIONS, "name"))
    defaults = {
        "description": signature.description,
        "parameters": _parameters(signature, function),
        "success": signature.success,
        "failure": signature.failure,
    }
    given = dict(options)
    tool = Tool.make(given.pop("name", signature.name), **{**defaults, **given})
    handler = FunctionHandler(function, signature.positional_only, signature.context_parameter)
    return FunctionImplementation(cast(Any, tool), handler, function=function)


def _parameters(signature: Signature, function: Callable[..., object]) -> FunctionSchema:
    """Make the schema; an impossible parameter is refused here, not at the first call."""
    schema = FunctionSchema(signature.parameters, "parameters", function=function)
    if not is_surely_json(signature.parameters):
        for_tool(signature.name, schema.codec)
    return schema


def _importable(function: object) -> tuple[str, str] | None:
    """Find the module and name under which the decorated function can be imported again."""
    module, name = getattr(function, "__module__", None), getattr(function, "__qualname__", None)
    if not isinstance(module, str) or not isinstance(name, str) or "<" in name:
        return None
    try:
        found = _implementation(module, name)
    except (ImportError, AttributeError):
        return None
    return (
        (module, name) if isinstance(found, FunctionImplementation) and found.function is function else None
    )


def _implementation(module: str, name: str) -> Any:
    return operator.attrgetter(name)(importlib.import_module(module))


def _renewed(tool: Any, handler: Any, module: str, name: str) -> object:
    return _remade(tool, handler, _implementation(module, name).function)


def _remade(tool: Any, handler: Any, function: Any) -> object:
    return FunctionImplementation(tool, handler, function=function)


def _schema_again(function: Callable[..., object]) -> object:
    return _parameters(Signature.of(function), function)


def _handler_of(module: str, name: str) -> object:
    return _implementation(module, name).handler


def _schema_of(module: str, name: str) -> object:
    return _implementation(module, name).tool.parameters_schema
