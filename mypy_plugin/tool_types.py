"""Reading tools and toolkits out of mypy's types, and writing toolkits back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from mypy.checker import TypeChecker
from mypy.lookup import lookup_fully_qualified
from mypy.maptype import map_instance_to_supertype
from mypy.nodes import TypeInfo
from mypy.plugin import CheckerPluginInterface
from mypy.typeops import make_simplified_union
from mypy.types import Instance, LiteralType, ProperType, Type, TypedDictType, UnionType, get_proper_type

from mypy_plugin import names


@dataclass(frozen=True, slots=True)
class ToolType:
    """What the type of a tool says."""

    parameters: Type
    success: Type
    failure: Type
    mode: Type
    services: Type
    name: str | None
    requires_handler: bool | None
    """None where the type leaves it open."""


def as_instance(tp: Type | None, fullname: str) -> Instance | None:
    """See a type as an instance of a class, or of a subclass mapped to it."""
    proper = get_proper_type(tp)
    if isinstance(proper, Instance):
        if proper.type.fullname == fullname:
            return proper
        for info in proper.type.mro:
            if info.fullname == fullname:
                return map_instance_to_supertype(proper, info)
    return None


def is_object(tp: Type) -> bool:
    """Say whether nothing is known of a type."""
    proper = get_proper_type(tp)
    return isinstance(proper, Instance) and proper.type.fullname == "builtins.object"


def instance_of(api: CheckerPluginInterface, fullname: str, arguments: list[Type]) -> Instance:
    """Make an instance of one of the core's classes, wherever the checked file imports it from."""
    found = lookup_fully_qualified(fullname, cast(TypeChecker, api).modules)
    if found is None or not isinstance(found.node, TypeInfo):
        raise LookupError(fullname)
    return Instance(found.node, arguments)


def tool_type(tp: Type) -> ToolType | None:
    """Read the type of a tool, or nothing where it is none or several."""
    tool = as_instance(tp, names.TOOL)
    if tool is None or len(tool.args) != names.HANDLED:
        return None
    parameters, success, failure, mode, services, name = tool.args
    handled = _requires_handler(tp)
    return ToolType(parameters, success, failure, mode, services, literal_string(name), handled)


def _requires_handler(tp: Type) -> bool | None:
    provider = as_instance(tp, names.PROVIDER_TOOL)
    if provider is None:
        return True
    flag = get_proper_type(provider.args[names.HANDLED])
    return flag.value if isinstance(flag, LiteralType) and isinstance(flag.value, bool) else None


def literal_string(tp: Type | None) -> str | None:
    """Return the one text that a type allows."""
    proper = get_proper_type(tp)
    literal = proper.last_known_value if isinstance(proper, Instance) else proper
    if not isinstance(literal, LiteralType) or literal.fallback.type.fullname != "builtins.str":
        return None
    return literal.value if isinstance(literal.value, str) else None


def literal_strings(tp: Type | None) -> list[str] | None:
    """Return the texts that a type allows, where they can be listed."""
    proper = get_proper_type(tp)
    members = proper.items if isinstance(proper, UnionType) else [proper]
    texts = [literal_string(member) for member in members]
    return None if None in texts else [text for text in texts if text is not None]


def with_argument(instance: Instance, place: int, argument: Type) -> Instance:
    """Return an instance with another type argument."""
    return instance.copy_modified(args=[*instance.args[:place], argument, *instance.args[place + 1 :]])


def tools_of(tp: Type | None) -> TypedDictType | None:
    """Return what is known of the tools of a toolkit, bound or not, or of its `tools`."""
    for fullname in (names.TOOLKIT, names.BOUND_TOOLKIT, names.TOOL_MAP):
        if (kit := as_instance(tp, fullname)) is not None and kit.args:
            known = get_proper_type(kit.args[0])
            return known if isinstance(known, TypedDictType) else None
    return None


def typed_dict(
    api: CheckerPluginInterface,
    items: Mapping[str, Type],
    required: set[str] | None = None,
    is_closed: bool = False,
) -> TypedDictType:
    """Make an anonymous TypedDict; mypy's cache sorts the keys, so they are sorted from the start."""
    ordered = {key: items[key] for key in sorted(items)}
    fallback = api.named_generic_type("typing._TypedDict", [])
    return TypedDictType(
        ordered, set(ordered) if required is None else required, set(), fallback, is_closed=is_closed
    )


def union(members: list[Type]) -> ProperType:
    """Unite types, leaving out what others contain."""
    return get_proper_type(make_simplified_union(members))
