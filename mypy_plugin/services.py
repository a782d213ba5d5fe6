"""Services: which ones a key stands for, which ones are there, which are missing."""

from __future__ import annotations

from mypy.types import AnyType, FunctionLike, Type, TypeType, get_proper_type
from mypy.typevars import fill_typevars_with_any

from mypy_plugin import names
from mypy_plugin.tool_types import as_instance


def service_of(key: Type) -> Type | None:
    """Return the type of the service that a class or a `Key` stands for."""
    proper = get_proper_type(key)
    if isinstance(proper, AnyType):
        return proper
    if isinstance(proper, TypeType):
        return proper.item
    if isinstance(proper, FunctionLike) and proper.is_type_obj():
        return fill_typevars_with_any(proper.type_object())
    named = as_instance(proper, names.KEY)
    return named.args[0] if named is not None else None
