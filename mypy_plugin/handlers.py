"""Handlers: what a tool asks of them, and what is wrong with one that does not fit."""

from __future__ import annotations

from dataclasses import dataclass

from mypy.nodes import ARG_POS
from mypy.plugin import CheckerPluginInterface
from mypy.subtypes import is_subtype
from mypy.types import (
    AnyType,
    CallableType,
    Instance,
    ProperType,
    Type,
    TypeOfAny,
    UninhabitedType,
    UnionType,
    get_proper_type,
)

from mypy_plugin import names
from mypy_plugin.reports import shown
from mypy_plugin.tool_types import ToolType, as_instance, instance_of, is_object, union

_DEFERRED = ("typing.Awaitable", "typing.AsyncIterator")


@dataclass(frozen=True, slots=True)
class Expected:
    """The handlers that fit a tool: with the parameters only, or with a context too."""

    plain: CallableType
    with_context: CallableType


def expected_handlers(api: CheckerPluginInterface, tool: ToolType) -> Expected:
    """Spell out what a handler of a tool may be."""
    context = instance_of(api, names.HANDLER_CONTEXT, [tool.success, tool.services])
    returned = _returned(api, tool.success, tool.failure)
    return Expected(
        _callable(api, [tool.parameters], returned), _callable(api, [tool.parameters, context], returned)
    )


def unknown_handlers(api: CheckerPluginInterface) -> Expected:
    """Spell out what a handler of a tool that is not known before run time may be."""
    anything = api.named_generic_type("builtins.object", [])
    unknown = AnyType(TypeOfAny.special_form)
    context = instance_of(api, names.HANDLER_CONTEXT, [unknown, unknown])
    return Expected(_callable(api, [anything], anything), _callable(api, [anything, context], anything))


def handler_problem(
    api: CheckerPluginInterface, tool: ToolType, expected: Expected, handler: Type
) -> str | None:
    """Say what is wrong with a handler of a tool, or nothing where it fits."""
    given = _bound(get_proper_type(handler))
    if isinstance(given, UnionType):
        problems = (handler_problem(api, tool, expected, member) for member in given.items)
        return next((problem for problem in problems if problem is not None), None)
    if _says_nothing(given):
        return None
    fits = is_subtype(given, expected.plain) or is_subtype(given, expected.with_context)
    if not isinstance(given, CallableType):
        wanted = shown(api, expected.plain)
        return None if fits else f"it is {shown(api, given)}, but the tool wants {wanted}"
    if fits:  # a success of any type would let an undeclared failure through
        return _failure_problem(api, tool, given.ret_type) if _is_anything(tool.success) else None
    return (
        _parameter_problem(api, tool, expected, given)
        or _failure_problem(api, tool, given.ret_type)
        or _result_problem(api, tool, given.ret_type)
    )


def _bound(handler: ProperType) -> ProperType:
    """See a `functools.partial` as the function that is left, which mypy's own plugin remembers."""
    attributes = handler.extra_attrs.attrs if isinstance(handler, Instance) and handler.extra_attrs else {}
    left = get_proper_type(attributes.get("__mypy_partial"))
    return left if isinstance(left, CallableType) else handler


def _says_nothing(handler: ProperType) -> bool:
    """Say whether a handler is any function: `Callable[..., object]`, as an implementation's own is."""
    return isinstance(handler, CallableType) and handler.is_ellipsis_args and is_object(handler.ret_type)


def _is_anything(tp: Type) -> bool:
    return isinstance(get_proper_type(tp), AnyType) or is_object(tp)


def _callable(api: CheckerPluginInterface, parameters: list[Type], returned: Type) -> CallableType:
    kinds, none = [ARG_POS] * len(parameters), [None] * len(parameters)
    return CallableType(parameters, kinds, none, returned, api.named_generic_type("builtins.function", []))


def _returned(api: CheckerPluginInterface, success: Type, failure: Type) -> Type:
    """A success or a `Fail`, at once, awaited, or as the end of a stream."""
    at_once: Type = success
    if not isinstance(get_proper_type(failure), UninhabitedType):
        at_once = UnionType.make_union([success, instance_of(api, names.FAIL, [failure])])
    progress = instance_of(api, names.PRELIMINARY, [success])
    end = instance_of(api, names.FINAL, [at_once])
    awaited = api.named_generic_type("typing.Awaitable", [at_once])
    stream = api.named_generic_type("typing.AsyncIterator", [UnionType.make_union([progress, end])])
    return UnionType.make_union([at_once, awaited, stream])


def _parameter_problem(
    api: CheckerPluginInterface, tool: ToolType, expected: Expected, given: CallableType
) -> str | None:
    loose = given.copy_modified(ret_type=AnyType(TypeOfAny.special_form))
    if is_subtype(loose, expected.plain) or is_subtype(loose, expected.with_context):
        return None
    required = [kind for kind in given.arg_kinds if kind.is_positional() and kind.is_required()]
    if len(required) not in (1, 2) or any(kind.is_named() and kind.is_required() for kind in given.arg_kinds):
        takes = ", ".join(name or "_" for name in given.arg_names)
        return f"it takes ({takes}), but it is called with (params) or (params, ctx)"
    if not is_subtype(tool.parameters, given.arg_types[0]):
        wanted = shown(api, tool.parameters)
        return f"it takes {shown(api, given.arg_types[0])}, but the tool's parameters are {wanted}"
    context = shown(api, expected.with_context.arg_types[1])
    return f"its second parameter is {shown(api, given.arg_types[1])}, but the tool gives {context}"


def _failure_problem(api: CheckerPluginInterface, tool: ToolType, returned: Type) -> str | None:
    for outcome in outcomes_of(returned):
        fail = as_instance(outcome, names.FAIL)
        if fail is None or is_subtype(fail.args[0], tool.failure):
            continue
        is_declared = not isinstance(get_proper_type(tool.failure), UninhabitedType)
        declared = shown(api, tool.failure) if is_declared else "no failure"
        return f"it fails with {shown(api, fail.args[0])}, but the tool declares {declared}"
    return None


def _result_problem(api: CheckerPluginInterface, tool: ToolType, returned: Type) -> str:
    outcomes = [outcome for outcome in outcomes_of(returned) if as_instance(outcome, names.FAIL) is None]
    wrong = [outcome for outcome in outcomes if not is_subtype(outcome, tool.success)]
    result: Type = union([*wrong]) if wrong else returned
    return f"it returns {shown(api, result)}, but the tool declares {shown(api, tool.success)}"


def outcomes_of(returned: Type) -> list[ProperType]:
    """Look through coroutines and streams to what a handler ends with."""
    proper = get_proper_type(returned)
    if isinstance(proper, UnionType):
        return [outcome for member in proper.items for outcome in outcomes_of(member)]
    if isinstance(proper, Instance):
        for wrapper in (*_DEFERRED, names.PRELIMINARY, names.FINAL):
            if (wrapped := as_instance(proper, wrapper)) is not None:
                return outcomes_of(wrapped.args[0])
    return [proper]
