"""What shapes lead to through references. Imports neither mypy nor tool_core."""

from __future__ import annotations

from collections.abc import Mapping

from mypy_plugin.shapes import UNKNOWN, ArrayShape, ObjectShape, ReferenceShape, Shape, UnionShape, members_of


def leads_back(start: str, definitions: Mapping[str, Shape]) -> bool:
    """Tell whether a definition is its own alternative, with no object or array between."""
    seen: set[str] = set()
    level = {start}
    while level:
        targets = {
            member.pointer
            for pointer in level
            for member in members_of(definitions.get(pointer, UNKNOWN))
            if isinstance(member, ReferenceShape)
        }
        if start in targets:
            return True
        level, seen = targets - seen, seen | targets
    return False


def reachable(root: Shape, definitions: Mapping[str, Shape]) -> set[str]:
    """List the definitions that a shape leads to."""
    found: set[str] = set()
    level: list[Shape] = [root]
    while level:
        shape = level.pop()
        if isinstance(shape, ReferenceShape) and shape.pointer not in found:
            found.add(shape.pointer)
            level.append(definitions[shape.pointer])
        else:
            level += inner_shapes(shape)
    return found


def inner_shapes(shape: Shape) -> list[Shape]:
    """List the shapes directly inside a shape; a reference holds none."""
    match shape:
        case ArrayShape(item=item):
            return [item]
        case ObjectShape(fields=fields, extra=extra):
            return [*(item.shape for item in fields), extra]
        case UnionShape(members=members):
            return list(members)
        case _:
            return []
