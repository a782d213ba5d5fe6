"""Definitions of tools: the name becomes a literal, the services a union."""

from __future__ import annotations

from mypy.plugin import MethodContext
from mypy.types import Instance, LiteralType, Type, UnionType, get_proper_type

from mypy_plugin import names
from mypy_plugin.arguments import argument, argument_type, literal_items
from mypy_plugin.services import service_of
from mypy_plugin.tool_types import as_instance, literal_string, union, with_argument

_FACTORY_NAME = 4
"""The place of the name in `ProviderFactory[A, NP, S, F, N]`."""


def defined_tool(ctx: MethodContext) -> Type:
    """`Tool.make` and `Tool.dynamic`."""
    tool = get_proper_type(ctx.default_return_type)
    if not isinstance(tool, Instance) or len(tool.args) != names.HANDLED:
        return ctx.default_return_type
    tool = _named(ctx, tool, "name", names.NAME)
    services = _services(ctx)
    return tool if services is None else with_argument(tool, names.SERVICES, services)


def defined_provider_tool(ctx: MethodContext) -> Type:
    """`Tool.provider_defined`."""
    factory = get_proper_type(ctx.default_return_type)
    if not isinstance(factory, Instance) or len(factory.args) <= _FACTORY_NAME:
        return ctx.default_return_type
    return _named(ctx, factory, "custom_name", _FACTORY_NAME)


def _named(ctx: MethodContext, made: Instance, parameter: str, place: int) -> Instance:
    name = literal_string(argument_type(ctx, parameter))
    if name is None:
        return made
    return with_argument(made, place, LiteralType(name, ctx.api.named_generic_type("builtins.str", [])))


def _services(ctx: MethodContext) -> Type | None:
    """Unite the services, which mypy joins to `object` where they are of several types."""
    items = literal_items(argument(ctx, "dependencies"))
    if items is not None:
        found = [service_of(ctx.api.get_expression_type(item)) for item in items]
    else:
        listed = as_instance(argument_type(ctx, "dependencies"), "typing.Sequence")
        keys = get_proper_type(listed.args[0]) if listed is not None else None
        members = keys.items if isinstance(keys, UnionType) else [keys] if keys is not None else []
        found = [service_of(member) for member in members]
    known = [service for service in found if service is not None]
    return union(known) if known and len(known) == len(found) else None
