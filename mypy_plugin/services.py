"""Services: which one a key stands for, which ones are there, which are missing."""

from __future__ import annotations

from collections.abc import Mapping

from mypy.nodes import CallExpr, Expression, RefExpr
from mypy.plugin import CheckerPluginInterface, MethodSigContext
from mypy.subtypes import is_subtype
from mypy.types import (
    AnyType,
    CallableType,
    FunctionLike,
    NoneType,
    ProperType,
    Type,
    TypeOfAny,
    TypeType,
    UninhabitedType,
    UnionType,
    get_proper_type,
)
from mypy.typevars import fill_typevars_with_any

from mypy_plugin import names
from mypy_plugin.arguments import argument
from mypy_plugin.codes import TOOL_SERVICE
from mypy_plugin.reports import report, shown
from mypy_plugin.tool_types import ToolType, as_instance, is_object, union
from mypy_plugin.variables import given_value

_HINT = "add it to the context when binding or calling"


def service_of(key: Type) -> Type | None:
    """Return the type of the service that a class or a `Key` stands for."""
    proper = get_proper_type(key)
    if isinstance(proper, AnyType):
        return proper
    if isinstance(proper, TypeType):
        return proper.item
    if isinstance(proper, FunctionLike) and proper.is_type_obj():
        return fill_typevars_with_any(proper.type_object())
    named = as_instance(proper, names.KEY)
    return named.args[0] if named is not None else None


def added_signature(ctx: MethodSigContext) -> CallableType:
    """`context.add(key, value)`: the key alone says the type, and the value must be of it."""
    key, value = argument(ctx, 0), argument(ctx, 1)
    context = as_instance(ctx.type, names.CONTEXT)
    service = None if key is None else service_of(ctx.api.get_expression_type(key))
    if service is None or value is None or context is None:
        return ctx.default_signature
    given = ctx.api.get_expression_type(value, service)
    if not is_subtype(given, service):
        wanted = shown(ctx.api, service)
        report(
            ctx.api,
            f"The service is {shown(ctx.api, given)}, but its key wants {wanted}",
            value,
            TOOL_SERVICE,
        )
    anything = AnyType(TypeOfAny.special_form)
    added = context.copy_modified(args=[union([context.args[0], service])])
    return ctx.default_signature.copy_modified(arg_types=[anything, anything], ret_type=added, variables=[])


def get_signature(ctx: MethodSigContext) -> CallableType:
    """`ctx.get(key)` and `context.get(key)`: the key must be of a service that is there."""
    key = argument(ctx, 0)
    service = None if key is None else service_of(ctx.api.get_expression_type(key))
    handler = as_instance(ctx.type, names.HANDLER_CONTEXT)
    context = handler or as_instance(ctx.type, names.CONTEXT)
    if key is None or service is None or context is None:
        return ctx.default_signature
    there = get_proper_type(context.args[-1])
    if handler is None and isinstance(there, UninhabitedType):  # `Context` alone is any context
        return ctx.default_signature
    if missing := missing_services(service, there):
        owner = "tool does not depend on" if handler is not None else "context does not hold"
        report(ctx.api, f"The {owner} {shown(ctx.api, missing[0])}", key, TOOL_SERVICE)
    return ctx.default_signature


def provided_services(api: CheckerPluginInterface, context: Expression | None) -> ProperType:
    """Return the services of a context that is passed as an argument."""
    if context is None:
        return UninhabitedType()
    given = get_proper_type(api.get_expression_type(context))
    if isinstance(given, NoneType):
        return UninhabitedType()
    held = as_instance(given, names.CONTEXT)
    services = None if held is None else get_proper_type(held.args[0])
    is_any = isinstance(services, UninhabitedType) and not _is_empty(api, context)
    return AnyType(TypeOfAny.special_form) if services is None or is_any else services


def _is_empty(api: CheckerPluginInterface, context: Expression) -> bool:
    """Tell `Context()`, which holds nothing, from `Context` alone in an annotation, which is any context."""
    given = given_value(api, context) or context
    callee = given.callee if isinstance(given, CallExpr) else None
    return isinstance(callee, RefExpr) and callee.fullname == names.CONTEXT


def check_services(ctx: MethodSigContext, tools: Mapping[str, ToolType]) -> None:
    """Report the services that tools need and that neither `bind` nor the call provides."""
    bound = as_instance(ctx.type, names.BOUND_TOOLKIT)
    if bound is None:
        return
    there = union([bound.args[1], provided_services(ctx.api, argument(ctx, "context"))])
    for name, tool in tools.items():
        for service in missing_services(tool.services, there):
            wanted = shown(ctx.api, service)
            report(ctx.api, f'"{name}" needs the service {wanted}; {_HINT}', ctx.context, TOOL_SERVICE)


def missing_services(needed: Type, there: Type) -> list[ProperType]:
    """List the services that are needed and not there; what is not known is believed."""
    needs, has = get_proper_type(needed), get_proper_type(there)
    is_unknown = isinstance(needs, AnyType | UninhabitedType) or isinstance(has, AnyType)
    if is_unknown or is_object(needs):
        return []
    members = needs.items if isinstance(needs, UnionType) else [needs]
    return [get_proper_type(member) for member in members if not is_subtype(member, has)]
