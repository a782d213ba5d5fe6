"""An independent judge: does a Python value have the type that a shape stands for?"""

from __future__ import annotations

from collections.abc import Mapping

from mypy_plugin.shapes import (
    ArrayShape,
    LiteralShape,
    ObjectShape,
    PrimitiveShape,
    ReferenceShape,
    Shape,
    UnionShape,
    UnknownShape,
)

CLASSES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}


def has_type(value: object, shape: Shape, definitions: Mapping[str, Shape]) -> bool:
    """Judge as a type checker would: by class, with a bool never passing for a number."""
    if isinstance(shape, UnknownShape):
        return True
    if isinstance(shape, PrimitiveShape):
        return type(value) in CLASSES[shape.kind]
    if isinstance(shape, LiteralShape):
        return type(value) is CLASSES[shape.kind][0] and value == shape.value
    if isinstance(shape, UnionShape):
        return any(has_type(value, member, definitions) for member in shape.members)
    if isinstance(shape, ReferenceShape):
        return has_type(value, definitions[shape.pointer], definitions)
    if isinstance(shape, ArrayShape):
        return isinstance(value, list) and all(has_type(item, shape.item, definitions) for item in value)
    return isinstance(value, dict) and _fits(value, shape, definitions)


def _fits(value: dict[str, object], shape: ObjectShape, definitions: Mapping[str, Shape]) -> bool:
    fields = {item.name: item for item in shape.fields}
    if any(item.is_required and name not in value for name, item in fields.items()):
        return False
    return all(
        has_type(child, fields[key].shape if key in fields else shape.extra, definitions)
        for key, child in value.items()
    )
