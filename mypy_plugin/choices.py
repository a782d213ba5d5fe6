"""Names of tools in options: a tool choice, and limits by name."""

from __future__ import annotations

from collections.abc import Iterable

from mypy.nodes import Expression
from mypy.plugin import CheckerPluginInterface, FunctionSigContext
from mypy.types import CallableType, TypedDictType

from mypy_plugin.arguments import argument, keyword_argument, literal_keys, literal_names, literal_text
from mypy_plugin.reports import unknown_name
from mypy_plugin.tool_types import tools_of

_ALL = "*"
"""The name under which a mapping of limits holds the one for the whole toolkit."""


def prepare_signature(ctx: FunctionSigContext) -> CallableType:
    """`prepare_tools(kit, tool_choice=...)` of a provider."""
    kit = argument(ctx, 0)
    tools = None if kit is None else tools_of(ctx.api.get_expression_type(kit))
    if tools is not None:
        check_choice(ctx.api, tools, keyword_argument(ctx.context, "tool_choice"))
    return ctx.default_signature


def check_choice(api: CheckerPluginInterface, tools: TypedDictType, choice: Expression | None) -> None:
    """Check the names in a tool choice that is written out."""
    options = literal_keys(api, choice) or {}
    if "tool" in options and (name := literal_text(api, options["tool"])) is not None:
        _check(api, tools, [(name, options["tool"])])
    _check(api, tools, (literal_names(api, options.get("one_of")) or {}).items())


def check_limits(api: CheckerPluginInterface, tools: TypedDictType, limits: Expression | None) -> None:
    """Check the names in a mapping of limits that is written out."""
    named = literal_keys(api, limits) or {}
    _check(api, tools, [(name, place) for name, place in named.items() if name != _ALL])


def _check(
    api: CheckerPluginInterface, tools: TypedDictType, given: Iterable[tuple[str, Expression]]
) -> None:
    for name, place in given:
        if tools.is_closed and name not in tools.items:
            unknown_name(api, name, tools.items, place)
