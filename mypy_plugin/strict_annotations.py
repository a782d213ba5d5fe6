"""`tool.annotate(Strict, True)` on a schema that is written out and that no dialect can hold strictly."""

from __future__ import annotations

from mypy.nodes import CallExpr, Expression, MemberExpr, NameExpr, RefExpr
from mypy.plugin import MethodContext
from mypy.types import Type

from mypy_plugin import names
from mypy_plugin.arguments import argument
from mypy_plugin.codes import TOOL_STRICT
from mypy_plugin.literals import LiteralReader
from mypy_plugin.reports import report
from mypy_plugin.strictness import strict_problem


def annotated_tool(ctx: MethodContext) -> Type:
    """`DynamicTool.annotate`."""
    key, value = argument(ctx, 0), argument(ctx, 1)
    is_strict = isinstance(key, RefExpr) and key.fullname == names.STRICT
    if is_strict and isinstance(value, NameExpr) and value.fullname == "builtins.True":
        schema = _schema(ctx.context) if isinstance(ctx.context, CallExpr) else None
        reader = LiteralReader(ctx.api)
        written = None if schema is None else reader.schema(schema)
        if isinstance(written, dict) and reader.is_complete and (problem := strict_problem(written)):
            report(ctx.api, f"The schema cannot be strict: {problem}", value, TOOL_STRICT)
    return ctx.default_return_type


def _schema(call: CallExpr) -> Expression | None:
    """Go back through the chain of calls to where the schema was given."""
    tool: Expression = call
    while isinstance(tool, CallExpr) and isinstance(tool.callee, MemberExpr):
        if tool.callee.name in ("dynamic", "set_parameters"):
            given = dict(zip(tool.arg_names, tool.args, strict=True))
            return given.get("parameters") or (
                given.get(None) if tool.callee.name == "set_parameters" else None
            )
        tool = tool.callee.expr
    return None
