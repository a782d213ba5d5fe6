"""Lists and tuples on the wire. Layer 3."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tool_core.strict.leaves import as_list
from tool_core.strict.optionals import optional_wire
from tool_core.strict.shapes import Array
from tool_core.strict.wires import MismatchError, Schema, Wire, at, checked, closed_object, each

if TYPE_CHECKING:
    from tool_core.strict.encoding import Encoder

REST = "__rest__"
_CONTENTS = ("contains", "minContains", "maxContains")
"""What an empty array can break beside its length."""


def array_wire(encoder: Encoder, shape: Array) -> Wire:
    """Write a list; one with leading positions of their own kinds is a tuple."""
    if shape.prefix:
        return _tuple_wire(encoder, shape)
    if shape.items is None:
        for constraint in shape.constraints:
            if constraint[1] in _CONTENTS:
                encoder.lose(constraint)
        schema: Schema = {"type": "array", "items": {"type": "string"}}
        if "maxItems" in encoder.descriptor.array_keywords:
            schema["maxItems"] = 0
        return Wire(
            schema,
            lambda value: as_list(value) and [],
            checked("an empty array", lambda value: value == []),
            encoder.accepts(shape),
            frozenset({"array"}),
            False,
        )
    items = encoder.edge(shape.items)
    schema = {"type": "array", "items": items.schema, **_lengths(encoder, shape)}
    return Wire(
        schema,
        lambda value: each(items.lift, as_list(value)),
        lambda value: each(items.lower, as_list(value)),
        encoder.accepts(shape),
        frozenset({"array"}),
        items.is_identity,
    )


def _lengths(encoder: Encoder, shape: Array) -> Schema:
    """Write the lengths that the dialect holds, and lose the other constraints."""
    schema: Schema = {}
    for constraint in shape.constraints:
        _, keyword, value = constraint
        if keyword == "uniqueItems" and value is not True:
            continue
        is_held = keyword in encoder.descriptor.array_keywords and keyword != "uniqueItems"
        largest = encoder.descriptor.largest_min_items
        if keyword == "minItems" and largest is not None and shape.shortest > largest:
            is_held = False
        if not is_held:
            encoder.lose(constraint)
        elif keyword in ("minItems", "maxItems"):
            schema[keyword] = shape.shortest if keyword == "minItems" else shape.longest
    return schema


@dataclass(frozen=True, slots=True, eq=False)
class _Position:
    key: str
    wire: Wire
    is_required: bool
    may_be_left_out: bool

    def is_absent_in(self, value: dict[str, Any]) -> bool:
        """Whether the list ends before this position."""
        if self.key not in value:
            return True
        return value[self.key] is None and not self.is_required and not self.may_be_left_out


def _tuple_wire(encoder: Encoder, shape: Array) -> Wire:
    """Write a tuple: natively, or as an object with the keys "0", "1", ... and the rest as a list."""
    if encoder.descriptor.tuples == "native":
        return _native_tuple(encoder, shape)
    encoder.rewrite(shape.origins, "tuple")
    for constraint in shape.constraints:
        if not _is_held_by_positions(shape, constraint[1], constraint[2]):
            encoder.lose(constraint)
    positions = [_position(encoder, shape, index) for index in range(len(shape.prefix))]
    rest = None if shape.items is None else encoder.edge(shape.items)
    properties: Schema = {item.key: item.wire.schema for item in positions}
    required = [item.key for item in positions if not item.may_be_left_out]
    if rest is not None:
        properties[REST] = {"type": "array", "items": rest.schema, "description": "the remaining items"}
        required.append(REST)
    schema = {
        **closed_object(properties, required),
        "description": "a list, written as an object by position",
    }
    return Wire(
        schema,
        lambda value: _lift_positions(value, positions, rest),
        lambda value: _lower_positions(value, positions, rest),
        encoder.accepts(shape),
        frozenset({"object"}),
        is_identity=False,
        keys=(frozenset(properties), frozenset(required)),
        tag="__tuple__",
    )


def _position(encoder: Encoder, shape: Array, index: int) -> _Position:
    if index < shape.shortest:
        return _Position(str(index), encoder.edge(shape.prefix[index]), True, False)
    wire, may_be_left_out = optional_wire(encoder, shape.prefix[index])
    return _Position(str(index), wire, False, may_be_left_out)


def _lift_positions(value: Any, positions: list[_Position], rest: Wire | None) -> list[Any]:
    """Read a list up to its first absent position."""
    known = {item.key for item in positions} | ({REST} if rest is not None else set())
    if not isinstance(value, dict) or value.keys() - known or (rest is not None and REST not in value):
        raise MismatchError("an object by position", value)
    result: list[Any] = []
    for item in positions:
        if item.is_absent_in(value):
            if item.is_required:
                raise MismatchError("a value", None, (item.key,))
            return result
        result.append(at(item.key, item.wire.lift, value[item.key]))
    if rest is not None:
        result += each(rest.lift, as_list(value[REST]))
    return result


def _lower_positions(value: Any, positions: list[_Position], rest: Wire | None) -> dict[str, Any]:
    if not isinstance(value, list) or (rest is None and len(value) > len(positions)):
        raise MismatchError("a list of the right length", value)
    result: dict[str, Any] = {}
    for index, item in enumerate(positions):
        if index < len(value):
            result[item.key] = at(item.key, item.wire.lower, value[index])
        elif not item.may_be_left_out:
            result[item.key] = None
    if rest is not None:
        result[REST] = each(rest.lower, value[len(positions) :])
    return result


def _is_held_by_positions(shape: Array, keyword: str, value: Any) -> bool:
    """Tell whether the keys of the object say what a constraint on the list says."""
    if keyword == "minItems":
        return shape.shortest <= len(shape.prefix)
    if keyword == "maxItems":
        return shape.items is None
    return keyword == "uniqueItems" and value is not True


def _native_tuple(encoder: Encoder, shape: Array) -> Wire:
    wires = [encoder.edge(edge) for edge in shape.prefix]
    rest = None if shape.items is None else encoder.edge(shape.items)
    schema: Schema = {
        "type": "array",
        "prefixItems": [wire.schema for wire in wires],
        **_lengths(encoder, shape),
    }
    if rest is not None:
        schema["items"] = rest.schema
    else:
        schema["items"] = wires[-1].schema
        schema["maxItems"] = min(len(wires), schema.get("maxItems", len(wires)))

    def convert(value: Any, pick: str) -> Any:
        if not isinstance(value, list) or (rest is None and len(value) > len(wires)):
            raise MismatchError("a list of the right length", value)
        used = [getattr(wire, pick) for wire in wires]
        more: Any = getattr(rest, pick, None)
        return [at(i, used[i] if i < len(used) else more, item) for i, item in enumerate(value)]

    is_identity = all(wire.is_identity for wire in (*wires, *([rest] if rest else [])))
    return Wire(
        schema,
        lambda value: convert(value, "lift"),
        lambda value: convert(value, "lower"),
        encoder.accepts(shape),
        frozenset({"array"}),
        is_identity,
    )
