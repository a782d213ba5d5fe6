"""`Tool.from_function`: the tool has the types of the function's signature."""

from __future__ import annotations

from mypy.nodes import ARG_STAR, ARG_STAR2, Decorator, Expression, FuncDef, MemberExpr, RefExpr
from mypy.plugin import CheckerPluginInterface, MethodContext
from mypy.types import (
    AnyType,
    CallableType,
    Instance,
    LiteralType,
    Type,
    TypedDictType,
    UninhabitedType,
    get_proper_type,
)

from mypy_plugin import names
from mypy_plugin.arguments import literal_text
from mypy_plugin.definitions import services_of
from mypy_plugin.handlers import outcomes_of
from mypy_plugin.tool_types import as_instance, instance_of, typed_dict, union, with_argument

_TOOL = 2
"""The place of the tool in `FunctionImplementation[Ps, Ret, Tool]`."""

_OVERRIDES = ("parameters", "success", "failure")


def tool_from_function(ctx: MethodContext) -> Type:
    """`Tool.from_function(function, ...)`, or `Tool.from_function(...)`, which makes a decorator."""
    made = get_proper_type(ctx.default_return_type)
    options = _options(ctx)
    if not isinstance(made, Instance) or options is None:
        return ctx.default_return_type
    text = ctx.api.named_generic_type("builtins.str", [])
    name: Type = UninhabitedType()  # not given: the function's own
    if "name" in options:
        literal = literal_text(ctx.api, options["name"])
        name = text if literal is None else LiteralType(literal, text)
    mode = literal_text(ctx.api, options["failure_mode"]) if "failure_mode" in options else "error"
    services = services_of(ctx.api, options.get("dependencies"))
    if mode is None or services is None:
        return made
    said: list[Type] = [LiteralType(mode, text), services, name]
    if made.type.fullname == names.FUNCTION_DECORATOR:
        return made.copy_modified(args=said)
    return _implementation(ctx, made, said)


def decorated_function(ctx: MethodContext) -> Type:
    """A decorator that `Tool.from_function(...)` made."""
    made = get_proper_type(ctx.default_return_type)
    decorator = as_instance(ctx.type, names.FUNCTION_DECORATOR)
    if not isinstance(made, Instance) or decorator is None:
        return ctx.default_return_type
    is_known = isinstance(get_proper_type(decorator.args[0]), LiteralType)
    return _implementation(ctx, made, list(decorator.args)) if is_known else made


def _options(ctx: MethodContext) -> dict[str, Expression] | None:
    """Return the options by name, or nothing where they are not written out or replace the signature."""
    found: dict[str, Expression] = {}
    for kinds, arg_names, places in zip(ctx.arg_kinds, ctx.arg_names, ctx.args, strict=True):
        for kind, name, place in zip(kinds, arg_names, places, strict=True):
            if kind in (ARG_STAR, ARG_STAR2):
                return None
            if kind.is_named() and name is not None:
                found[name] = place
    return None if any(name in found for name in _OVERRIDES) else found


def _implementation(ctx: MethodContext, made: Instance, said: list[Type]) -> Type:
    """Put the tool's types together: from the signature, and what the options said."""
    function = get_proper_type(ctx.arg_types[0][0]) if ctx.arg_types[0] else None
    is_implementation = made.type.fullname == names.FUNCTION_IMPLEMENTATION
    parameters = _parameters(ctx.api, function) if isinstance(function, CallableType) else None
    if not isinstance(function, CallableType) or parameters is None or not is_implementation:
        return made
    mode, services, name = said
    if isinstance(get_proper_type(name), UninhabitedType):
        own, text = _name_of(ctx), ctx.api.named_generic_type("builtins.str", [])
        name = text if own is None else LiteralType(own, text)
    outcomes = outcomes_of(function.ret_type)
    failures = [found.args[0] for item in outcomes if (found := as_instance(item, names.FAIL)) is not None]
    success = union([item for item in outcomes if as_instance(item, names.FAIL) is None])
    types = [parameters, success, union(failures), mode, _needed(function, services), name]
    return with_argument(made, _TOOL, instance_of(ctx.api, names.TOOL, types))


def _parameters(api: CheckerPluginInterface, function: CallableType) -> TypedDictType | None:
    items: dict[str, Type] = {}
    required: set[str] = set()
    for tp, kind, name in zip(function.arg_types, function.arg_kinds, function.arg_names, strict=True):
        if as_instance(tp, names.HANDLER_CONTEXT) is not None:
            continue
        if name is None or kind.is_star() or function.variables:
            return None
        items[name] = tp
        required |= {name} if kind.is_required() else set()
    return typed_dict(api, items, required)


def _name_of(ctx: MethodContext) -> str | None:
    """Return the function's own name; another decorator may have given it a different one."""
    if isinstance(ctx.context, Decorator):
        return ctx.context.func.name if len(ctx.context.original_decorators) == 1 else None
    given = ctx.args[0][0] if ctx.args[0] else None
    node = given.node if isinstance(given, RefExpr) else None
    if isinstance(given, MemberExpr) and node is None:
        owner = get_proper_type(ctx.api.get_expression_type(given.expr))
        method = owner.type.get(given.name) if isinstance(owner, Instance) else None
        node = None if method is None else method.node
    return node.name if isinstance(node, FuncDef) else None


def _needed(function: CallableType, declared: Type) -> Type:
    """Unite the services that are declared with those that the function's own context asks for."""
    contexts = [as_instance(tp, names.HANDLER_CONTEXT) for tp in function.arg_types]
    asked = [get_proper_type(context.args[1]) for context in contexts if context is not None]
    return union([declared, *(services for services in asked if not isinstance(services, AnyType))])
