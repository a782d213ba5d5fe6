"""`kit.bind`: every tool gets one handler that fits it, in a mapping or as implementations."""

from __future__ import annotations

from typing import cast

from mypy.checker import TypeChecker
from mypy.literals import Key, literal_hash
from mypy.nodes import (
    ARG_POS,
    ARG_STAR2,
    CallExpr,
    Context,
    DictExpr,
    Expression,
    LambdaExpr,
    MemberExpr,
    RefExpr,
)
from mypy.plugin import CheckerPluginInterface, MethodContext, MethodSigContext
from mypy.subtypes import is_subtype
from mypy.types import CallableType, FunctionLike, Instance, Type, TypedDictType, get_proper_type

from mypy_plugin import names
from mypy_plugin.arguments import argument, literal_keys, literal_text
from mypy_plugin.choices import check_limits
from mypy_plugin.codes import TOOL_DUPLICATE, TOOL_HANDLER
from mypy_plugin.handlers import expected_handlers, handler_problem, unknown_handlers
from mypy_plugin.reports import did_you_mean, quoted, report, shown
from mypy_plugin.services import provided_services
from mypy_plugin.tool_types import (
    ToolType,
    as_instance,
    tool_type,
    tools_of,
    typed_dict,
    with_argument,
)
from mypy_plugin.variables import given_value, is_one_of_several, siblings


def bind_signature(ctx: MethodSigContext) -> CallableType:
    """Check the handlers that can be seen, each against its tool."""
    given, tools = argument(ctx, 0), tools_of(ctx.type) or typed_dict(ctx.api, {})
    if isinstance(given, DictExpr):
        return _written_out(ctx, tools, given)
    return _in_variable(ctx, tools, given) if isinstance(given, RefExpr) else ctx.default_signature


def _written_out(ctx: MethodSigContext, tools: TypedDictType, given: DictExpr) -> CallableType:
    """Check a dict in the call, where a lambda gets its types from its tool."""
    handlers: dict[str, Type] = {}
    for key, value in given.items:
        if key is not None and (name := literal_text(ctx.api, key)) is not None:
            handlers[name] = _checked_handler(ctx.api, tools, name, value)
    if literal_keys(ctx.api, given) is None:
        return ctx.default_signature
    _check_missing(ctx.api, tools, set(handlers), given)
    are_functions = all(isinstance(get_proper_type(handler), FunctionLike) for handler in handlers.values())
    if are_functions and not any(isinstance(value, LambdaExpr) for _, value in given.items):
        return ctx.default_signature  # plain functions need no context, and mypy is quicker without one
    return _with_first(ctx.default_signature, typed_dict(ctx.api, handlers))


def _in_variable(ctx: MethodSigContext, tools: TypedDictType, given: RefExpr) -> CallableType:
    """Check what a variable holds: a TypedDict, or a dict of this file, which may have got more since."""
    held = get_proper_type(ctx.api.get_expression_type(given))
    if isinstance(held, TypedDictType):
        for name, handler in held.items.items():
            _check_handler(ctx.api, tools, name, handler, given)
        _check_missing(ctx.api, tools, set(held.items), given)
    elif isinstance(written := given_value(ctx.api, given), DictExpr):
        for key, value in written.items:
            known = cast(TypeChecker, ctx.api).lookup_type_or_none(value)
            is_untold = isinstance(value, LambdaExpr)  # it took the types of its neighbours in the dict
            if key is not None and known is not None and (text := literal_text(ctx.api, key)) is not None:
                _check_handler(ctx.api, tools, text, None if is_untold else known, given)
    return ctx.default_signature


def bound_toolkit(ctx: MethodContext) -> Type:
    """Check implementations against the tools, and remember which services are there."""
    bound, tools = get_proper_type(ctx.default_return_type), tools_of(ctx.type)
    if not isinstance(bound, Instance) or bound.type.fullname != names.BOUND_TOOLKIT:
        return ctx.default_return_type
    if tools is not None:
        _check_implementations(ctx, tools)
        check_limits(ctx.api, tools, argument(ctx, "timeout"))
        check_limits(ctx.api, tools, argument(ctx, "concurrency"))
    if is_one_of_several(ctx.api, ctx.context):
        return bound if _is_of_one_toolkit(ctx) else with_argument(bound, 0, _anything(ctx.api))
    if any(kind == ARG_STAR2 for kinds in ctx.arg_kinds for kind in kinds):
        return bound
    return with_argument(bound, 1, provided_services(ctx.api, argument(ctx, "context")))


def _anything(api: CheckerPluginInterface) -> Type:
    return api.named_generic_type("builtins.object", [])


def _is_of_one_toolkit(ctx: MethodContext) -> bool:
    """Say whether all that a variable is given are bindings of the same toolkit, by its name."""
    toolkits = [_receiver(value) for value in siblings(ctx.api, ctx.context)]
    return toolkits[0] is not None and all(kit == toolkits[0] for kit in toolkits)


def _receiver(value: Expression | None) -> Key | None:
    callee = value.callee if isinstance(value, CallExpr) else None
    is_bind = isinstance(callee, MemberExpr) and callee.name == "bind"
    return literal_hash(callee.expr) if isinstance(callee, MemberExpr) and is_bind else None


def _checked_handler(api: CheckerPluginInterface, tools: TypedDictType, name: str, place: Expression) -> Type:
    tool = tool_type(tools.items[name]) if name in tools.items else None
    context = _context_for(api, tool, place)  # with it mypy itself says what is wrong with a lambda
    handler = api.get_expression_type(place, context)
    is_said = context is not None and not is_subtype(handler, context)
    _check_handler(api, tools, name, None if is_said else handler, place)
    return handler


def _check_handler(
    api: CheckerPluginInterface, tools: TypedDictType, name: str, handler: Type | None, place: Context
) -> None:
    """Report a handler that does not fit; None is one that mypy has reported already."""
    tool = tool_type(tools.items[name]) if name in tools.items else None
    problem = None
    if name not in tools.items and tools.is_closed:
        problem = f"the toolkit has no such tool{did_you_mean(name, tools.items)}"
    elif tool is not None and tool.requires_handler is False:
        problem = "the provider runs this tool"
    elif tool is not None and handler is not None:
        problem = handler_problem(api, tool, expected_handlers(api, tool), handler)
    if problem is not None:
        report(api, f'Handler for "{name}": {problem}', place, TOOL_HANDLER)


def _context_for(api: CheckerPluginInterface, tool: ToolType | None, place: Expression) -> Type | None:
    if not isinstance(place, LambdaExpr) or any(kind != ARG_POS for kind in place.arg_kinds):
        return None  # a default may stand for anything, so such a lambda is read as it is
    expected = unknown_handlers(api) if tool is None else expected_handlers(api, tool)
    return {1: expected.plain, 2: expected.with_context}.get(len(place.arguments))


def _check_missing(
    api: CheckerPluginInterface, tools: TypedDictType, given: set[str], place: Context
) -> None:
    missing = [name for name in sorted(tools.required_keys - given) if _is_handled(tools.items[name])]
    if missing:
        noun = "handler" if len(missing) == 1 else "handlers"
        report(api, f"Missing {noun} for {quoted(missing)}", place, TOOL_HANDLER)


def _is_handled(tp: Type) -> bool:
    tool = tool_type(tp)
    return tool is None or tool.requires_handler is True


def _check_implementations(ctx: MethodContext, tools: TypedDictType) -> None:
    given: dict[str, Type] = {}
    is_complete = True
    for types, kinds, places in zip(ctx.arg_types, ctx.arg_kinds, ctx.args, strict=True):
        for tp, kind, place in zip(types, kinds, places, strict=True):
            if kind.is_named():
                continue
            implementation = as_instance(tp, names.IMPLEMENTATION)
            tool = tool_type(implementation.args[0]) if implementation is not None else None
            if implementation is None or kind != ARG_POS or tool is None or tool.name is None:
                is_complete = False
                continue
            _check_implementation(ctx.api, tools, given, tool.name, implementation.args[0], place)
            given[tool.name] = implementation.args[0]
    if is_complete and (given or not ctx.arg_types[0]):
        _check_missing(ctx.api, tools, set(given), ctx.context)


def _check_implementation(
    api: CheckerPluginInterface,
    tools: TypedDictType,
    given: dict[str, Type],
    name: str,
    implemented: Type,
    place: Context,
) -> None:
    if name in given:
        report(api, f'"{name}" is implemented twice', place, TOOL_DUPLICATE)
    elif name not in tools.items:
        if tools.is_closed:
            hint = did_you_mean(name, tools.items)
            report(api, f'Handler for "{name}": the toolkit has no such tool{hint}', place, TOOL_HANDLER)
    elif not is_subtype(implemented, as_instance(tools.items[name], names.TOOL) or tools.items[name]):
        other, own = shown(api, implemented), shown(api, tools.items[name])
        report(api, f'Handler for "{name}": it is of another tool, {other}, not {own}', place, TOOL_HANDLER)


def _with_first(signature: CallableType, first: Type) -> CallableType:
    return signature.copy_modified(arg_types=[first, *signature.arg_types[1:]])
