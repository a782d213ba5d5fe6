"""Calls of a bound toolkit: the name, the parameters, the services, and what comes back."""

from __future__ import annotations

from mypy.nodes import Expression
from mypy.plugin import CheckerPluginInterface, MethodSigContext
from mypy.types import CallableType, Instance, LiteralType, Type, TypedDictType, get_proper_type

from mypy_plugin import names
from mypy_plugin.arguments import argument
from mypy_plugin.choices import check_choice
from mypy_plugin.codes import TOOL_NAME
from mypy_plugin.encoded_types import encoded_type
from mypy_plugin.reports import report, unknown_name
from mypy_plugin.services import check_services
from mypy_plugin.tool_types import (
    ToolType,
    instance_of,
    literal_strings,
    tool_type,
    tools_of,
    union,
    with_argument,
)


def call_signature(ctx: MethodSigContext) -> CallableType:
    """`call`, `call_json`, their synchronous twins, and `handle`."""
    tools, called = tools_of(ctx.type), argument(ctx, "name")
    if tools is None or called is None:
        return ctx.default_signature
    chosen = literal_strings(ctx.api.get_expression_type(called))
    if chosen is None:
        return ctx.default_signature
    found = {name: _called_tool(ctx.api, tools, name, called) for name in chosen}
    for name, tool in found.items():
        if tool is not None:
            check_services(ctx, {name: tool})
    known = [tool for tool in found.values() if tool is not None]
    return _typed(ctx, known) if len(known) == len(found) else ctx.default_signature


def turn_signature(ctx: MethodSigContext) -> CallableType:
    """`resolve` and `stream`: any tool may be called, so every service must be there."""
    tools = tools_of(ctx.type)
    if tools is not None:
        read = {name: tool_type(tools.items[name]) for name in tools.items if name in tools.required_keys}
        check_services(ctx, {name: tool for name, tool in read.items() if tool is not None})
        check_choice(ctx.api, tools, argument(ctx, "tool_choice"))
    return ctx.default_signature


def _called_tool(
    api: CheckerPluginInterface, tools: TypedDictType, name: str, place: Expression
) -> ToolType | None:
    tool = tool_type(tools.items[name]) if name in tools.items else None
    if name not in tools.items and tools.is_closed:
        unknown_name(api, name, tools.items, place)
    elif tool is not None and tool.requires_handler is False:
        report(api, f'The provider runs "{name}", so it cannot be called here', place, TOOL_NAME)
        return None
    return tool


def _typed(ctx: MethodSigContext, tools: list[ToolType]) -> CallableType:
    signature = ctx.default_signature
    types = list(signature.arg_types)
    if len(tools) == 1 and "params" in signature.arg_names:
        types[signature.arg_names.index("params")] = encoded_type(ctx.api, tools[0].parameters)
    results = union([result for tool in tools for result in _results(ctx.api, tool)])
    return signature.copy_modified(arg_types=types, ret_type=_returning(signature.ret_type, results))


def _results(api: CheckerPluginInterface, tool: ToolType) -> list[Type]:
    """A success, and in mode `"return"` a failure too, told apart by `is_failure`."""
    truth = api.named_generic_type("builtins.bool", [])
    success = instance_of(api, names.HANDLER_RESULT, [tool.success, LiteralType(False, truth)])
    mode = get_proper_type(tool.mode)
    if isinstance(mode, LiteralType) and mode.value == "error":
        return [success]
    failures = union([tool.failure, instance_of(api, names.TOOL_ERROR, [])])
    return [success, instance_of(api, names.HANDLER_RESULT, [failures, LiteralType(True, truth)])]


def _returning(returned: Type, result: Type) -> Type:
    """Put the result where it is promised: at once, awaited, or one after another."""
    proper = get_proper_type(returned)
    if not isinstance(proper, Instance) or proper.type.fullname == names.HANDLER_RESULT:
        return result
    return with_argument(proper, len(proper.args) - 1, result)
