"""Finding the arguments of a call by the names of the parameters."""

from __future__ import annotations

from collections.abc import Sequence

from mypy.nodes import (
    CallExpr,
    Context,
    DictExpr,
    Expression,
    ListExpr,
    SetExpr,
    StarExpr,
    StrExpr,
    TupleExpr,
)
from mypy.plugin import (
    CheckerPluginInterface,
    FunctionContext,
    FunctionSigContext,
    MethodContext,
    MethodSigContext,
)
from mypy.types import Type

from mypy_plugin.tool_types import literal_string

AnyCall = MethodContext | FunctionContext
AnySignature = MethodSigContext | FunctionSigContext


def argument_type(ctx: AnyCall, parameter: str | int) -> Type | None:
    """Return the type of the one argument given for a parameter, by its name or its place."""
    place = _place(ctx.callee_arg_names, parameter)
    return ctx.arg_types[place][0] if place is not None and len(ctx.arg_types[place]) == 1 else None


def argument(ctx: AnyCall | AnySignature, parameter: str | int) -> Expression | None:
    """Return the one expression given for a parameter, by its name or its place."""
    if isinstance(ctx, MethodContext | FunctionContext):
        parameters = ctx.callee_arg_names
    else:
        parameters = ctx.default_signature.arg_names
    place = _place(parameters, parameter)
    return ctx.args[place][0] if place is not None and len(ctx.args[place]) == 1 else None


def keyword_argument(call: Context, name: str) -> Expression | None:
    """Return what a call gives by name, also where the signature says only `**options`."""
    given = dict(zip(call.arg_names, call.args, strict=True)) if isinstance(call, CallExpr) else {}
    return given.get(name)


def _place(parameters: list[str | None], parameter: str | int) -> int | None:
    if isinstance(parameter, int):  # a parameter that is positional only has no name
        return parameter if parameter < len(parameters) else None
    return parameters.index(parameter) if parameter in parameters else None


def literal_items(expression: Expression | None) -> list[Expression] | None:
    """Return the items of a list, tuple or set that is written out."""
    if isinstance(expression, ListExpr | TupleExpr | SetExpr):
        items = expression.items
        return None if any(isinstance(item, StarExpr) for item in items) else items
    return None


def literal_names(api: CheckerPluginInterface, expression: Expression | None) -> dict[str, Expression] | None:
    """Return the texts of a list that is written out, and where each stands."""
    items = literal_items(expression)
    return None if items is None else _by_text(api, [(item, item) for item in items])


def literal_keys(api: CheckerPluginInterface, expression: Expression | None) -> dict[str, Expression] | None:
    """Return the values of a dict that is written out, where all of its keys are known texts."""
    return _by_text(api, expression.items) if isinstance(expression, DictExpr) else None


def literal_text(api: CheckerPluginInterface, expression: Expression) -> str | None:
    """Return the one text that an expression can be: a literal, a `Final` name, a `Literal` type."""
    if isinstance(expression, StrExpr):
        return expression.value
    return literal_string(api.get_expression_type(expression))


def _by_text(
    api: CheckerPluginInterface, pairs: Sequence[tuple[Expression | None, Expression]]
) -> dict[str, Expression] | None:
    found: dict[str, Expression] = {}
    for key, value in pairs:
        text = None if key is None else literal_text(api, key)
        if text is None or text in found:
            return None
        found[text] = value
    return found
