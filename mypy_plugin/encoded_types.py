"""The type that a value has while it travels as JSON, as far as the decoded type tells.

What it does not tell (a date, an enum, a class with a codec of its own) is `object` at that place.
"""

from __future__ import annotations

from mypy.plugin import CheckerPluginInterface
from mypy.types import (
    AnyType,
    Instance,
    LiteralType,
    NoneType,
    TupleType,
    Type,
    TypeAliasType,
    TypedDictType,
    TypeOfAny,
    UnionType,
    get_proper_type,
)

from mypy_plugin.tool_types import as_instance, is_object, typed_dict, union

_SAME = frozenset(f"builtins.{name}" for name in ("str", "int", "float", "bool", "object"))
_TEXT = "builtins.str"
_Seen = frozenset[str]


def encoded_type(api: CheckerPluginInterface, decoded: Type, seen: _Seen = frozenset()) -> Type:
    """Translate the decoded type of a tool's parameters to what a caller passes."""
    proper = get_proper_type(decoded)
    name = _name_of(decoded)
    if travels_as_it_is(decoded) or (name is not None and name in seen):
        return decoded if travels_as_it_is(decoded) else _anything(api)
    inside = seen if name is None else seen | {name}
    if isinstance(proper, UnionType):
        return union([encoded_type(api, item, inside) for item in proper.items])
    if isinstance(proper, TypedDictType):
        items = {key: encoded_type(api, item, inside) for key, item in proper.items.items()}
        encoded = typed_dict(api, items, set(proper.required_keys), proper.is_closed)
        return encoded.copy_modified(readonly_keys=set(items))  # so that a narrower item fits
    if isinstance(proper, TupleType):
        return _array(api, union([encoded_type(api, item, inside) for item in proper.items]))
    for container in ("typing.Sequence", "typing.AbstractSet"):
        if (listed := as_instance(proper, container)) is not None and not _is_text(proper):
            return _array(api, encoded_type(api, listed.args[0], inside))
    if (mapped := as_instance(proper, "typing.Mapping")) is not None:
        text = api.named_generic_type(_TEXT, [])
        return api.named_generic_type("typing.Mapping", [text, encoded_type(api, mapped.args[1], inside)])
    return _anything(api)


def travels_as_it_is(tp: Type, seen: _Seen = frozenset()) -> bool:
    """Say whether JSON holds the values of a type unchanged."""
    proper, name = get_proper_type(tp), _name_of(tp)
    if name is not None and name in seen:
        return True
    inside = seen if name is None else seen | {name}
    if isinstance(proper, UnionType):
        return all(travels_as_it_is(item, inside) for item in proper.items)
    if isinstance(proper, TypedDictType):
        return all(travels_as_it_is(item, inside) for item in proper.items.values())
    if isinstance(proper, LiteralType):
        return proper.fallback.type.fullname in _SAME
    if isinstance(proper, Instance):
        return proper.type.fullname in _SAME or _is_plain_container(proper, inside)
    return isinstance(proper, NoneType | AnyType)


def _is_plain_container(tp: Instance, seen: _Seen) -> bool:
    if tp.type.fullname == "builtins.list":
        return travels_as_it_is(tp.args[0], seen)
    if tp.type.fullname in ("builtins.dict", "typing.Mapping"):
        key = get_proper_type(tp.args[0])
        return isinstance(key, Instance) and _is_text(key) and travels_as_it_is(tp.args[1], seen)
    return False


def _name_of(tp: Type) -> str | None:
    """Name what may contain itself."""
    if isinstance(tp, TypeAliasType) and tp.alias is not None:
        return tp.alias.fullname
    proper = get_proper_type(tp)
    is_named = isinstance(proper, TypedDictType) and not proper.is_anonymous()
    return proper.fallback.type.fullname if is_named and isinstance(proper, TypedDictType) else None


def _array(api: CheckerPluginInterface, item: Type) -> Type:
    """A list; of unknown items it is one of any, for lists are invariant."""
    known = AnyType(TypeOfAny.special_form) if is_object(item) else item
    return api.named_generic_type("builtins.list", [known])


def _is_text(tp: Type) -> bool:
    return as_instance(tp, _TEXT) is not None or as_instance(tp, "builtins.bytes") is not None


def _anything(api: CheckerPluginInterface) -> Instance:
    return api.named_generic_type("builtins.object", [])
