"""Toolkits: a TypedDict from name to tool that `make`, `merge`, `filter`, `prefix` and `rename` keep.

The TypedDict is closed where all tools are known and open where more may be there; a key that is
not required is a tool that a run-time choice may have left out. A variable that is given several
toolkits holds any toolkit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from mypy.nodes import ARG_POS, CallExpr, Context, Expression
from mypy.plugin import AttributeContext, MethodContext
from mypy.types import Instance, LiteralType, Type, TypedDictType, get_proper_type

from mypy_plugin import names
from mypy_plugin.arguments import argument, argument_type, literal_keys, literal_names
from mypy_plugin.codes import TOOL_DUPLICATE
from mypy_plugin.reports import report, unknown_name
from mypy_plugin.tool_types import (
    as_instance,
    literal_string,
    tool_type,
    tools_of,
    typed_dict,
    with_argument,
)
from mypy_plugin.variables import is_one_of_several

Entry = tuple[str, Type, bool, Context]
"""A tool of a toolkit: its name, its type, whether it is there for certain, and where it comes from."""


def made_toolkit(ctx: MethodContext) -> Type:
    """`Toolkit.make`: tools of unknown names, or `*tools`, leave the toolkit open."""
    entries: list[Entry] = []
    is_closed = True
    for tp, kind, place in _arguments(ctx):
        if isinstance(
            place, CallExpr
        ):  # written in place, it was checked in the light of `AnyTool`, and widened
            tp = ctx.api.get_expression_type(place)
        tool = tool_type(tp) if kind == ARG_POS else None
        if tool is None or tool.name is None:
            is_closed = False
        else:
            entries.append((tool.name, tp, True, place))
    return _toolkit(ctx, entries, is_closed)


def merged_toolkit(ctx: MethodContext) -> Type:
    """`Toolkit.merge`."""
    entries: list[Entry] = []
    is_closed = True
    for tp, kind, place in _arguments(ctx):
        tools = tools_of(tp) if kind == ARG_POS else None
        is_closed = is_closed and tools is not None and tools.is_closed
        if tools is not None:
            entries += _entries(tools, tools.items, place)
    return _toolkit(ctx, entries, is_closed)


def filtered_toolkit(ctx: MethodContext) -> Type:
    """`kit.filter`: exact for names that are written out; a predicate may leave out any tool."""
    tools = tools_of(ctx.type)
    if tools is None:
        return ctx.default_return_type
    kept = literal_names(ctx.api, argument(ctx, "keep"))
    if kept is None:
        return some_tools(ctx)
    _check_known(ctx, tools, kept)
    entries = _entries(tools, [name for name in tools.items if name in kept], ctx.context)
    unseen = set() if tools.is_closed else set(kept) - set(tools.items)
    return _toolkit(ctx, entries, is_closed=not unseen)


def some_tools(ctx: MethodContext) -> Type:
    """`kit.search`, and `kit.filter` by a predicate: tools of this toolkit, but which is not known."""
    tools = tools_of(ctx.type)
    if tools is None:
        return ctx.default_return_type
    return _with_tools(ctx, tools.copy_modified(required_keys=set()))


def prefixed_toolkit(ctx: MethodContext) -> Type:
    """`kit.prefix`."""
    tools, text = tools_of(ctx.type), literal_string(argument_type(ctx, "text"))
    if tools is None or text is None:
        return ctx.default_return_type
    return _renamed(ctx, tools, {name: text + name for name in tools.items})


def renamed_toolkit(ctx: MethodContext) -> Type:
    """`kit.rename`."""
    tools, places = tools_of(ctx.type), literal_keys(ctx.api, argument(ctx, "names"))
    if tools is None or places is None:
        return ctx.default_return_type
    _check_known(ctx, tools, places)
    given = {name: literal_string(ctx.api.get_expression_type(place)) for name, place in places.items()}
    known = {name: new for name, new in given.items() if new is not None}
    return _renamed(ctx, tools, known) if len(known) == len(given) else ctx.default_return_type


def empty_toolkit(ctx: AttributeContext) -> Type:
    """`Toolkit.empty`."""
    kit = get_proper_type(ctx.default_attr_type)
    is_toolkit = isinstance(kit, Instance) and len(kit.args) == 1
    if not isinstance(kit, Instance) or not is_toolkit or is_one_of_several(ctx.api, ctx.context):
        return ctx.default_attr_type
    return with_argument(kit, 0, typed_dict(ctx.api, {}, is_closed=True))


def tool_by_name(ctx: MethodContext) -> Type:
    """`kit.tools[name]`."""
    tools, name = tools_of(ctx.type), literal_string(argument_type(ctx, 0))
    if tools is None or name is None:
        return ctx.default_return_type
    if name not in tools.items and tools.is_closed:
        unknown_name(ctx.api, name, tools.items, ctx.context)
    return tools.items.get(name, ctx.default_return_type)


def _arguments(ctx: MethodContext) -> Iterable[tuple[Type, object, Expression]]:
    for types, kinds, places in zip(ctx.arg_types, ctx.arg_kinds, ctx.args, strict=True):
        yield from zip(types, kinds, places, strict=True)


def _entries(tools: TypedDictType, kept: Iterable[str], place: Context) -> list[Entry]:
    return [(name, tools.items[name], name in tools.required_keys, place) for name in kept]


def _renamed(ctx: MethodContext, tools: TypedDictType, new_names: Mapping[str, str]) -> Type:
    text = ctx.api.named_generic_type("builtins.str", [])
    entries: list[Entry] = []
    for name, tp, required, place in _entries(tools, tools.items, ctx.context):
        new = new_names.get(name, name)
        proper = get_proper_type(tp)
        if (
            isinstance(proper, Instance)
            and as_instance(proper, names.TOOL) is not None
            and len(proper.args) > 5
        ):
            tp = with_argument(proper, names.NAME, LiteralType(new, text))
        entries.append((new, tp, required, place))
    return _toolkit(ctx, entries, tools.is_closed)


def _check_known(ctx: MethodContext, tools: TypedDictType, places: Mapping[str, Context]) -> None:
    for name, place in places.items():
        if tools.is_closed and name not in tools.items:
            unknown_name(ctx.api, name, tools.items, place)


def _toolkit(ctx: MethodContext, entries: list[Entry], is_closed: bool) -> Type:
    items: dict[str, Type] = {}
    for name, tp, required, place in entries:
        if name in items and required:
            report(ctx.api, f'Two tools of the toolkit have the name "{name}"', place, TOOL_DUPLICATE)
        items[name] = tp
    required_names = {name for name, _, required, _ in entries if required}
    return _with_tools(ctx, typed_dict(ctx.api, items, required_names, is_closed))


def _with_tools(ctx: MethodContext, tools: TypedDictType) -> Type:
    kit = get_proper_type(ctx.default_return_type)
    is_toolkit = isinstance(kit, Instance) and kit.type.fullname == names.TOOLKIT
    if not isinstance(kit, Instance) or not is_toolkit or is_one_of_several(ctx.api, ctx.context):
        return ctx.default_return_type
    return kit.copy_modified(args=[tools])
