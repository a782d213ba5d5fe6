"""Definitions of tools: the name becomes a literal, the services a union, a literal schema a type."""

from __future__ import annotations

from mypy.nodes import Expression
from mypy.plugin import CheckerPluginInterface, MethodContext, MethodSigContext
from mypy.types import (
    CallableType,
    Instance,
    LiteralType,
    TupleType,
    Type,
    UninhabitedType,
    UnionType,
    get_proper_type,
)

from mypy_plugin import names
from mypy_plugin.arguments import argument, argument_type, literal_items, literal_text
from mypy_plugin.codes import TOOL_SCHEMA
from mypy_plugin.literals import LiteralReader
from mypy_plugin.reports import report
from mypy_plugin.schema_faults import schema_fault
from mypy_plugin.schema_types import schema_type
from mypy_plugin.services import service_of
from mypy_plugin.shape_types import type_of_schema
from mypy_plugin.tool_types import as_instance, literal_string, union, with_argument

_FACTORY_NAME = 4
"""The place of the name in `ProviderFactory[A, NP, S, F, N]`."""


def defined_tool(ctx: MethodContext) -> Type:
    """`Tool.make` and `Tool.dynamic`."""
    tool = get_proper_type(ctx.default_return_type)
    if not isinstance(tool, Instance) or len(tool.args) != names.HANDLED:
        return ctx.default_return_type
    tool = _named(ctx, tool, "name", names.NAME)
    services = services_of(ctx.api, argument(ctx, "dependencies"))
    return tool if services is None else with_argument(tool, names.SERVICES, services)


def defined_dynamic_tool(ctx: MethodContext) -> Type:
    """`Tool.dynamic`, and `set_parameters` of what it returns, typed by a schema that is written out."""
    tool = get_proper_type(defined_tool(ctx))
    if not isinstance(tool, Instance) or tool.type.fullname != names.DYNAMIC_TOOL:
        return tool
    parameters = literal_parameters(ctx)
    return tool if parameters is None else with_argument(tool, names.PARAMETERS, parameters)


def dynamic_signature(ctx: MethodSigContext) -> CallableType:
    """`Tool.dynamic`: an approval predicate sees what the handler sees; a schema must be one."""
    signature = schema_signature(ctx)
    parameters = None if argument(ctx, "needs_approval") is None else literal_parameters(ctx)
    if parameters is None:
        return signature
    place = signature.arg_names.index("needs_approval")
    types = list(signature.arg_types)
    types[place] = _with_first_parameter(types[place], parameters)
    return signature.copy_modified(arg_types=types)


def schema_signature(ctx: MethodSigContext) -> CallableType:
    """`Tool.dynamic` and `set_parameters`: a schema that is written out must be one, validated or not."""
    given = argument(ctx, "parameters")
    schema = None if given is None else LiteralReader(ctx.api).schema(given)
    if given is not None and isinstance(schema, dict) and (fault := schema_fault(schema)):
        report(ctx.api, f"Invalid JSON Schema at {fault}", given, TOOL_SCHEMA)
    return ctx.default_signature


def literal_parameters(ctx: MethodContext | MethodSigContext) -> Type | None:
    """Return the type of a schema that is written out and that arguments are validated against."""
    given, validate = argument(ctx, "parameters"), argument(ctx, "validate")
    if given is None or (validate is not None and literal_text(ctx.api, validate) != "schema"):
        return None
    reader = LiteralReader(ctx.api)
    schema = reader.schema(given)
    return type_of_schema(ctx.api, schema_type(schema)) if isinstance(schema, dict) and schema else None


def _with_first_parameter(tp: Type, parameters: Type) -> Type:
    """Give another first parameter to a callable, also where it is one of several alternatives."""
    proper = get_proper_type(tp)
    if isinstance(proper, UnionType):
        return UnionType([_with_first_parameter(item, parameters) for item in proper.items])
    if isinstance(proper, CallableType) and len(proper.arg_types) == 2:
        return proper.copy_modified(arg_types=[parameters, proper.arg_types[1]])
    return tp


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


def services_of(api: CheckerPluginInterface, dependencies: Expression | None) -> Type | None:
    """Unite the services, which mypy joins to `object` where they are of several types."""
    if dependencies is None:
        return UninhabitedType()
    items = literal_items(dependencies)
    keys = _keys(api, dependencies) if items is None else [api.get_expression_type(item) for item in items]
    found = [service_of(key) for key in keys]
    known = [service for service in found if service is not None]
    return union(known) if found and len(known) == len(found) else None


def _keys(api: CheckerPluginInterface, dependencies: Expression) -> list[Type]:
    """List the types of the keys in a variable: each of a tuple, or what a sequence holds."""
    given = get_proper_type(api.get_expression_type(dependencies))
    if isinstance(given, TupleType):
        return list(given.items)
    listed = as_instance(given, "typing.Sequence")
    held = None if listed is None else get_proper_type(listed.args[0])
    if isinstance(held, UnionType):
        return list(held.items)
    return [] if held is None else [held]
