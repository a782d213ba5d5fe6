"""The normal form of a schema: unions of plain shapes, each of one JSON type. Layer 3.

References are followed, `allOf` is conjoined, `anyOf` and `oneOf` are multiplied out, and what
remains is read type by type. Every shape remembers the pointers of the schemas that it comes from,
so that a dropped constraint can be named and a value can be checked against its origin.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from tool_core.strict.json_types import is_of_type
from tool_core.strict.references import Pointer

Origins: TypeAlias = "tuple[Pointer, ...]"
Constraint: TypeAlias = "tuple[Pointer, str, Any]"
"""Where a constraint stands, its keyword and its value."""


@dataclass(eq=False, slots=True)
class Node:
    """A set of alternatives; may be part of a cycle. No branches means that nothing satisfies it."""

    name: str
    branches: list[Shape] = field(default_factory=list)
    is_complete: bool = False
    from_reference: bool = False

    @property
    def is_impossible(self) -> bool:
        """Whether no value satisfies the node."""
        return self.is_complete and not self.branches


@dataclass(frozen=True, slots=True, eq=False)
class Edge:
    """A use of a node, with where it stands and what is said of it there."""

    node: Node
    pointers: Origins
    description: str | None = None
    """What is said where the node is used."""
    inherited: str | None = None
    """What is said where the reference leads, if nothing is said here."""


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """One alternative: the schemas it must satisfy, and what of them no shape can hold."""

    origins: Origins
    residue: tuple[Constraint, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Link(Shape):
    """Whatever another node allows: a branch that is a reference, kept so that it can stay one."""

    edge: Edge | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Free(Shape):
    """Any JSON value."""


@dataclass(frozen=True, slots=True, eq=False)
class Plain(Shape):
    """`null`, or a boolean."""

    kind: Literal["null", "boolean"] = "null"


@dataclass(frozen=True, slots=True, eq=False)
class Text(Shape):
    """A string."""

    constraints: tuple[Constraint, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Number(Shape):
    """A number, or an integer."""

    is_integer: bool = False
    constraints: tuple[Constraint, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Values(Shape):
    """One of a few values, none of them null."""

    values: tuple[Any, ...] = ()
    where: tuple[tuple[Pointer, str], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Array(Shape):
    """A list: leading positions of their own kinds, then any number of further items."""

    prefix: tuple[Edge, ...] = ()
    items: Edge | None = None
    shortest: int = 0
    longest: int | None = None
    constraints: tuple[Constraint, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Property:
    """A declared property."""

    edge: Edge
    is_required: bool


@dataclass(frozen=True, slots=True, eq=False)
class Object(Shape):
    """An object: declared properties, and perhaps others whose values are of one kind."""

    properties: dict[str, Property] = field(default_factory=dict)
    tail: Edge | None = None
    keys: Edge | None = None
    key_pattern: Constraint | None = None
    """The pattern that keys of the tail must match, where it is the only one."""
    forbidden: frozenset[str] = frozenset()
    """Keys that are declared but can hold nothing, so that they must not come back as free ones."""
    is_narrowed: bool = False
    """The author did not say whether other keys may occur; strict mode says no."""


def edges_of(shape: Shape) -> Iterable[tuple[Edge, bool]]:
    """List the uses inside a shape, and which of them stand below an optional property."""
    if isinstance(shape, Link) and shape.edge is not None:
        yield shape.edge, False
    elif isinstance(shape, Array):
        yield from ((edge, False) for edge in shape.prefix)
        if shape.items is not None:
            yield shape.items, False
    elif isinstance(shape, Object):
        yield from ((item.edge, not item.is_required) for item in shape.properties.values())
        if shape.tail is not None:
            yield shape.tail, False
        if shape.keys is not None:
            yield shape.keys, False


def is_null(shape: Shape) -> bool:
    """Tell whether a shape is null."""
    return isinstance(shape, Plain) and shape.kind == "null"


def admits_null(node: Node, seen: frozenset[int] = frozenset()) -> bool:
    """Tell whether a node can be null, also by a reference."""
    return id(node) not in seen and any(shape_admits_null(item, seen | {id(node)}) for item in node.branches)


def shape_admits_null(shape: Shape, seen: frozenset[int] = frozenset()) -> bool:
    """Tell whether a shape can be null, also by a reference."""
    if isinstance(shape, Link) and shape.edge is not None:
        return admits_null(shape.edge.node, seen)
    return is_null(shape) or isinstance(shape, Free)


def is_kind(shape: Shape, value: object) -> bool:
    """Tell whether a value has the JSON type of a shape."""
    match shape:
        case Free() | Values():
            return True
        case Plain(kind=kind):
            return value is None if kind == "null" else isinstance(value, bool)
        case Text():
            return isinstance(value, str)
        case Number(is_integer=is_integer):
            return is_of_type(value, "integer" if is_integer else "number")
        case Array():
            return isinstance(value, list)
        case _:
            return isinstance(value, dict)
