"""Type shapes: what a JSON Schema says about values, as plain data. Imports neither mypy nor tool_core.

A shape is an upper bound: every value that the schema accepts has it. So whatever is hard to say
may become `UNKNOWN`, and of two shapes that both hold either one may be dropped; `meet` keeps more
where that is simple. Numbers are as `JsonSchema.decode` returns them: a value that the schema
calls an integer is an `int`, `number` is Python's `float`, which takes an `int` too, and `boolean`
is neither.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["string", "integer", "number", "boolean", "null"]

MAX_MEMBERS = 256
"""A union of more members than this says nothing that a reader could use."""

MAX_PAIRS = 64
"""Two unions with more pairs than this are not multiplied out: the first of them is true, too."""


@dataclass(frozen=True, slots=True)
class UnknownShape:
    """Any value: `object`."""


@dataclass(frozen=True, slots=True)
class PrimitiveShape:
    """`str`, `int`, `float` (or an int), `bool` or `None`."""

    kind: Kind


@dataclass(frozen=True, slots=True)
class LiteralShape:
    """One string, integer or boolean; the kind tells 1 from True, which Python holds equal."""

    kind: Literal["string", "integer", "boolean"]
    value: str | int


@dataclass(frozen=True, slots=True)
class ArrayShape:
    """A list, all of whose items have one shape."""

    item: Shape


@dataclass(frozen=True, slots=True)
class Field:
    """A named property of an object; `doc` is what its schema says to people."""

    name: str
    shape: Shape
    is_required: bool
    doc: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class ObjectShape:
    """A dict: named properties, and further keys whose values all have the shape `extra`.

    `extra` is `NEVER` where no other key may occur, and `UNKNOWN` where nothing is said of them.
    """

    fields: tuple[Field, ...] = ()
    extra: Shape = UnknownShape()
    title: str = field(default="", compare=False)
    doc: str = field(default="", compare=False)

    @property
    def is_closed(self) -> bool:
        """Whether no key but the named ones may occur."""
        return self.extra == NEVER

    @property
    def is_map(self) -> bool:
        """Whether no property is named, so that `dict[str, extra]` says everything."""
        return not self.fields and not self.is_closed


@dataclass(frozen=True, slots=True)
class UnionShape:
    """One of several shapes; with no member, no value at all."""

    members: tuple[Shape, ...] = ()


@dataclass(frozen=True, slots=True)
class ReferenceShape:
    """The shape of a definition, by its pointer; recursive ones lead back to themselves."""

    pointer: str


Shape: TypeAlias = (
    UnknownShape | PrimitiveShape | LiteralShape | ArrayShape | ObjectShape | UnionShape | ReferenceShape
)

UNKNOWN = UnknownShape()
NEVER = UnionShape()


def union_of(shapes: Iterable[Shape]) -> Shape:
    """Unite shapes: nested unions are flattened, and what another member covers is dropped.

    >>> text = PrimitiveShape("string")
    >>> union_of([LiteralShape("string", "a"), text, UnionShape((PrimitiveShape("null"), text))])
    UnionShape(members=(PrimitiveShape(kind='string'), PrimitiveShape(kind='null')))
    """
    members = tuple(dict.fromkeys(member for shape in shapes for member in members_of(shape)))
    if len(members) > MAX_MEMBERS:  # a long list of values is told by their kinds
        members = tuple(
            dict.fromkeys(PrimitiveShape(m.kind) if isinstance(m, LiteralShape) else m for m in members)
        )
    if UNKNOWN in members or len(members) > MAX_MEMBERS:
        return UNKNOWN
    primitives = {member.kind for member in members if isinstance(member, PrimitiveShape)}
    kept = tuple(member for member in members if not _is_covered(member, primitives))
    return kept[0] if len(kept) == 1 else UnionShape(kept)


def members_of(shape: Shape) -> Iterator[Shape]:
    """List the members of a union; any other shape is its own only member."""
    if isinstance(shape, UnionShape):
        for member in shape.members:
            yield from members_of(member)
    else:
        yield shape


def meet(first: Shape, second: Shape) -> Shape:
    """Return a shape that values of both have, as narrow as is simple.

    >>> meet(PrimitiveShape("integer"), PrimitiveShape("number"))
    PrimitiveShape(kind='integer')
    """
    if first == second or second == UNKNOWN:
        return first
    if first == UNKNOWN:
        return second
    if isinstance(first, UnionShape) or isinstance(second, UnionShape):
        pairs = [(a, b) for a in members_of(first) for b in members_of(second)]
        return union_of(meet(a, b) for a, b in pairs) if len(pairs) <= MAX_PAIRS else first
    if isinstance(first, ReferenceShape) or isinstance(second, ReferenceShape):
        return first if isinstance(first, ReferenceShape) else second
    if isinstance(first, ObjectShape) and isinstance(second, ObjectShape):
        return _meet_objects(first, second)
    if isinstance(first, ArrayShape) and isinstance(second, ArrayShape):
        return ArrayShape(meet(first.item, second.item))
    return _meet_scalars(first, second)


def _is_covered(member: Shape, primitives: Container[str]) -> bool:
    if isinstance(member, LiteralShape):
        return member.kind in primitives or (member.kind == "integer" and "number" in primitives)
    return member == PrimitiveShape("integer") and "number" in primitives


def _meet_scalars(first: Shape, second: Shape) -> Shape:
    """Keep the narrower of two scalars where one holds the other, else nothing fits both."""
    for narrow, wide in ((first, second), (second, first)):
        if isinstance(wide, PrimitiveShape) and _is_covered(narrow, {wide.kind}):
            return narrow
    return NEVER


def _meet_objects(first: ObjectShape, second: ObjectShape) -> ObjectShape:
    """Merge the properties of two objects that both hold; an unnamed one is among the extra keys."""
    ours, theirs = _by_name(first), _by_name(second)
    fields = []
    for name in dict.fromkeys([*ours, *theirs]):
        mine = ours.get(name) or Field(name, first.extra, False)
        other = theirs.get(name) or Field(name, second.extra, False)
        shape = meet(mine.shape, other.shape)
        fields.append(Field(name, shape, mine.is_required or other.is_required, mine.doc or other.doc))
    kept = tuple(item for item in fields if item.is_required or item.shape != NEVER)
    return replace(
        first,
        fields=kept,
        extra=meet(first.extra, second.extra),
        title=first.title or second.title,
        doc=first.doc or second.doc,
    )


def _by_name(shape: ObjectShape) -> dict[str, Field]:
    return {item.name: item for item in shape.fields}
