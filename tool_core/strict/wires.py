"""A schema on the wire with the way there and back, and how several become a union. Layer 3."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from tool_core.problems import describe

Schema: TypeAlias = "dict[str, Any]"
Convert: TypeAlias = Callable[[Any], Any]


class MismatchError(ValueError):
    """A value does not have the shape that a wire schema or its original describes."""

    def __init__(self, expected: str, got: object, path: tuple[str | int, ...] = ()) -> None:
        super().__init__(expected)
        self.expected = expected
        self.got = describe(got)
        self.path = path

    def below(self, step: str | int) -> MismatchError:
        """Return the same mismatch, one step further from the root."""
        self.path = (step, *self.path)
        return self


@dataclass(frozen=True, slots=True, eq=False)
class Wire:
    """How values of one shape travel."""

    schema: Schema
    lift: Convert
    lower: Convert
    accepts: Callable[[Any], bool]
    """Whether a value belongs to the shape, by its original schemas."""
    types: frozenset[str]
    is_identity: bool = True
    keys: tuple[frozenset[str], frozenset[str]] | None = None
    """Of an object on the wire: all its keys, and those that must be there."""
    marks: dict[str, frozenset[str]] = field(default_factory=dict)
    """Of an object on the wire: properties that can hold only these texts."""
    tag: str = "__value__"


def checked(expected: str, test: Callable[[Any], bool]) -> Convert:
    """Make the identity of one JSON type."""

    def convert(value: Any) -> Any:
        if test(value):
            return value
        raise MismatchError(expected, value)

    return convert


def each(convert: Convert, values: Sequence[Any]) -> list[Any]:
    """Convert the items of a list; a mismatch says which."""
    result: list[Any] = []
    for index, value in enumerate(values):
        try:
            result.append(convert(value))
        except MismatchError as error:
            raise error.below(index) from None
    return result


def at(key: str | int, convert: Convert, value: Any) -> Any:
    """Convert the value of a property; a mismatch says which."""
    try:
        return convert(value)
    except MismatchError as error:
        raise error.below(key) from None


def tagged(wire: Wire, tag: str) -> Wire:
    """Wrap a wire form into an object with one key, so that it can be told from its neighbours."""

    def lift(value: Any) -> Any:
        if not isinstance(value, dict) or value.keys() != {tag}:
            raise MismatchError(f"an object with the key {tag!r}", value)
        return at(tag, wire.lift, value[tag])

    return replace(
        wire,
        schema=closed_object({tag: wire.schema}, [tag]),
        lift=lift,
        lower=lambda value: {tag: wire.lower(value)},
        types=frozenset({"object"}),
        is_identity=False,
        keys=(frozenset({tag}), frozenset({tag})),
        marks={},
    )


def closed_object(properties: Schema, required: Sequence[str]) -> Schema:
    """Write an object schema that allows its properties only."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def union(wires: Sequence[Wire]) -> Wire:
    """Make one wire form of several, told apart on the wire or, where both fit, by the original."""
    if len(wires) == 1:
        return wires[0]
    distinct = told_apart(wires)
    return Wire(
        union_schema([wire.schema for wire in distinct]),
        lambda value: _lift_union(value, distinct),
        lambda value: _lower_union(value, distinct),
        lambda value: any(wire.accepts(value) for wire in distinct),
        frozenset().union(*(wire.types for wire in distinct)),
        all(wire.is_identity for wire in distinct),
    )


def _lift_union(value: Any, wires: Sequence[Wire]) -> Any:
    """Read a value as the first alternative whose original accepts it, else as the first that fits."""
    fitting: list[tuple[Wire, Any]] = []
    others: list[Any] = []
    faults: list[MismatchError] = []
    for wire in wires:
        try:
            candidate = wire.lift(value)
        except MismatchError as error:
            faults.append(error)
            continue
        if wire.accepts(candidate):
            fitting.append((wire, candidate))
        others.append(candidate)
    if len(fitting) > 1:  # the repair of an enum's casing may read one value as two alternatives
        fitting.sort(key=lambda item: not _lowers_to(item[0], item[1], value))
    if fitting or others:
        return fitting[0][1] if fitting else others[0]
    raise max(faults, key=lambda fault: len(fault.path))


def _lowers_to(wire: Wire, candidate: Any, value: Any) -> bool:
    try:
        return bool(wire.lower(candidate) == value)
    except MismatchError:
        return False


def _lower_union(value: Any, wires: Sequence[Wire]) -> Any:
    """Write a value as the first alternative that accepts it and reads it back."""
    faults: list[MismatchError] = []
    for wire in wires:
        if wire.accepts(value):
            try:
                lowered = wire.lower(value)
                if _lift_union(lowered, wires) == value:
                    return lowered
            except MismatchError as error:
                faults.append(error)
    raise faults[0] if faults else MismatchError("a value of one of the alternatives", value)


def union_schema(schemas: Sequence[Schema]) -> Schema:
    """Write a union: a list of types where nothing more is said, else `anyOf` without repetition."""
    flat: list[Schema] = []
    for schema in schemas:
        flat += [member for member in _members(schema) if member not in flat]
    if {"type": "number"} in flat:  # every integer is a number
        flat = [schema for schema in flat if schema != {"type": "integer"}]
    if len(flat) == 1:
        return flat[0]
    if all(schema.keys() == {"type"} for schema in flat):
        return {"type": [schema["type"] for schema in flat]}
    return {"anyOf": flat}


def _members(schema: Schema) -> list[Schema]:
    """Take a union that says nothing of itself apart."""
    if schema.keys() == {"anyOf"}:
        return [member for inner in schema["anyOf"] for member in _members(inner)]
    if schema.keys() == {"type"} and isinstance(schema["type"], list):
        return [{"type": kind} for kind in schema["type"]]
    return [schema]


def told_apart(wires: Sequence[Wire]) -> list[Wire]:
    """Tag each form that an earlier one could be mistaken for."""
    distinct: list[Wire] = []
    for wire in wires:
        rivals = [other for other in wires if other is not wire and not _are_disjoint(wire, other)]
        is_translated = not wire.is_identity
        if rivals and is_translated:
            used = {key for other in distinct if other.keys for key in other.keys[0]}
            tag = wire.tag
            number = 2
            while tag in used:
                tag, number = f"{wire.tag}{number}", number + 1
            distinct.append(tagged(wire, tag))
        else:
            distinct.append(wire)
    return distinct


def _are_disjoint(one: Wire, other: Wire) -> bool:
    """Tell whether no value on the wire can be read as both."""
    common = one.types & other.types
    if not common and not ({"integer", "number"} <= one.types | other.types):
        return True
    if common != {"object"} or one.keys is None or other.keys is None:
        return False
    if one.keys[1] - other.keys[0] or other.keys[1] - one.keys[0]:
        return True
    shared = one.marks.keys() & other.marks.keys() & one.keys[1] & other.keys[1]
    return any(not (one.marks[key] & other.marks[key]) for key in shared)
