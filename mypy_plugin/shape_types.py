"""Type shapes as mypy's types; a shape that holds itself, or is too large, is `object` at that place."""

from __future__ import annotations

from mypy.plugin import CheckerPluginInterface
from mypy.types import Instance, LiteralType, NoneType, Type, UninhabitedType, UnionType

from mypy_plugin.schema_types import SchemaType
from mypy_plugin.shapes import (
    ArrayShape,
    LiteralShape,
    ObjectShape,
    PrimitiveShape,
    ReferenceShape,
    Shape,
    UnionShape,
)
from mypy_plugin.tool_types import typed_dict

MAX_PARTS = 2_000
"""References are written out where they stand, so a small schema may stand for a huge type."""

_CLASSES = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}


def type_of_schema(api: CheckerPluginInterface, found: SchemaType) -> Type:
    """Translate what is known of a schema's values."""
    return _Writer(api, found).write(found.root, frozenset())


class _Writer:
    def __init__(self, api: CheckerPluginInterface, found: SchemaType) -> None:
        self._api, self._definitions = api, found.definitions
        self._parts = 0

    def write(self, shape: Shape, inside: frozenset[str]) -> Type:
        self._parts += 1
        if self._parts > MAX_PARTS:
            return self._class("object")
        match shape:
            case PrimitiveShape(kind="null"):
                return NoneType()
            case PrimitiveShape():
                return self._class(_CLASSES[shape.kind])
            case LiteralShape():
                return LiteralType(shape.value, self._class(_CLASSES[shape.kind]))
            case ArrayShape():
                return self._class("list", self.write(shape.item, inside))
            case ObjectShape():
                return self._object(shape, inside)
            case UnionShape():
                members = [self.write(member, inside) for member in shape.members]
                return UnionType.make_union(members) if members else UninhabitedType()
            case ReferenceShape() if shape.pointer not in inside:
                return self.write(self._definitions[shape.pointer], inside | {shape.pointer})
        return self._class("object")

    def _object(self, shape: ObjectShape, inside: frozenset[str]) -> Type:
        if shape.is_map:
            return self._class("dict", self._class("str"), self.write(shape.extra, inside))
        items = {field.name: self.write(field.shape, inside) for field in shape.fields}
        required = {field.name for field in shape.fields if field.is_required}
        return typed_dict(self._api, items, required, shape.is_closed)

    def _class(self, name: str, *arguments: Type) -> Instance:
        return self._api.named_generic_type(f"builtins.{name}", list(arguments))
