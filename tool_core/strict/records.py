"""Objects, tuples, records and free values on the wire. Layer 3."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tool_core.strict.shapes import Array, Object
from tool_core.strict.wires import Convert, MismatchError, Schema, Wire, at, closed_object, each

if TYPE_CHECKING:
    from tool_core.strict.encoding import Encoder

EXTRA = "__extra__"
REST = "__rest__"


def object_wire(encoder: Encoder, shape: Object) -> Wire:
    """Write an object: a record as pairs, any other closed, with its open end as pairs."""
    if shape.tail is not None and not shape.properties:
        return encoder.pairs(shape)
    names = wire_names(shape.properties, encoder.descriptor.property_name)
    fields: dict[str, tuple[str, Wire, bool, bool]] = {}
    for name, item in shape.properties.items():
        if item.is_required:
            fields[name] = (names[name], encoder.edge(item.edge), True, False)
        else:
            wire, may_be_left_out = encoder.optional(item.edge)
            fields[name] = (names[name], wire, False, may_be_left_out)
    extra = _free_name(EXTRA, set(names.values()))
    tail = None if shape.tail is None else encoder.pairs(shape)
    properties: Schema = {wire_name: wire.schema for wire_name, wire, _, _ in fields.values()}
    required = [wire_name for wire_name, _, _, left_out in fields.values() if not left_out]
    if tail is not None:
        properties[extra] = {**tail.schema, "description": "further entries, as an array of key/value pairs"}
        required.append(extra)
    schema = closed_object(properties, required)
    if shape.is_narrowed:
        for pointer in shape.origins:
            encoder.reader.note(pointer, "other keys are not said to be allowed, so they are forbidden")
    return Wire(
        schema,
        _lifter(fields, extra if tail is not None else None, tail),
        _lowerer(fields, extra, tail, shape),
        encoder.accepts(shape),
        frozenset({"object"}),
        _is_identity(fields, tail),
        (frozenset(properties), frozenset(required)),
        _marks(properties, required),
        tag="__option__",
    )


def _lifter(fields: dict[str, tuple[str, Wire, bool, bool]], extra: str | None, tail: Wire | None) -> Convert:
    known = {wire_name for wire_name, _, _, _ in fields.values()} | ({extra} if extra else set())

    def lift(value: Any) -> Any:
        if not isinstance(value, dict):
            raise MismatchError("an object", value)
        if unknown := value.keys() - known:
            raise MismatchError("no such key", value[min(unknown)], (min(unknown),))
        result: dict[str, Any] = {}
        for name, (wire_name, wire, is_required, left_out) in fields.items():
            if wire_name in value:
                if is_required or left_out or value[wire_name] is not None:
                    result[name] = at(wire_name, wire.lift, value[wire_name])
            elif is_required:
                raise MismatchError("a value", None, (wire_name,))
        if tail is not None and extra is not None and extra in value:
            further = at(extra, tail.lift, value[extra])
            result |= {key: item for key, item in further.items() if key not in fields}
        return result

    return lift


def _lowerer(
    fields: dict[str, tuple[str, Wire, bool, bool]], extra: str, tail: Wire | None, shape: Object
) -> Convert:
    def lower(value: Any) -> Any:
        if not isinstance(value, dict):
            raise MismatchError("an object", value)
        result: dict[str, Any] = {}
        for name, (wire_name, wire, is_required, left_out) in fields.items():
            if name in value:
                result[wire_name] = at(name, wire.lower, value[name])
            elif is_required:
                raise MismatchError("a value", None, (name,))
            elif not left_out:
                result[wire_name] = None
        further = {key: item for key, item in value.items() if key not in fields}
        if tail is not None:
            result[extra] = tail.lower(further)
        elif further:
            raise MismatchError("no such key", further[min(further)], (min(further),))
        return result

    return lower


def tuple_wire(encoder: Encoder, shape: Array) -> Wire:
    """Write a tuple: natively, or as an object with the keys "0", "1", ... and the rest as a list."""
    if encoder.descriptor.tuples == "native":
        return _native_tuple(encoder, shape)
    for constraint in shape.constraints:
        if not _is_held_by_positions(shape, constraint[1], constraint[2]):
            encoder.lose(constraint)
    positions: list[tuple[str, Wire, bool, bool]] = []
    for index, edge in enumerate(shape.prefix):
        if index < shape.shortest:
            positions.append((str(index), encoder.edge(edge), True, False))
        else:
            wire, left_out = encoder.optional(edge)
            positions.append((str(index), wire, False, left_out))
    rest = None if shape.items is None else encoder.edge(shape.items)
    properties: Schema = {key: wire.schema for key, wire, _, _ in positions}
    required = [key for key, _, _, left_out in positions if not left_out]
    if rest is not None:
        properties[REST] = {"type": "array", "items": rest.schema, "description": "the remaining items"}
        required.append(REST)
    schema = {
        **closed_object(properties, required),
        "description": "a list, written as an object by position",
    }

    def lift(value: Any) -> Any:
        if not isinstance(value, dict) or value.keys() - properties.keys():
            raise MismatchError("an object by position", value)
        result: list[Any] = []
        for key, wire, is_required, left_out in positions:
            if key not in value or (value[key] is None and not is_required and not left_out):
                if is_required:
                    raise MismatchError("a value", None, (key,))
                return result
            result.append(at(key, wire.lift, value[key]))
        if rest is not None and isinstance(value.get(REST), list):
            result += each(rest.lift, value[REST])
        return result

    def lower(value: Any) -> Any:
        if not isinstance(value, list) or (rest is None and len(value) > len(positions)):
            raise MismatchError("a list of the right length", value)
        result: dict[str, Any] = {}
        for index, (key, wire, _, left_out) in enumerate(positions):
            if index < len(value):
                result[key] = at(key, wire.lower, value[index])
            elif not left_out:
                result[key] = None
        if rest is not None:
            result[REST] = each(rest.lower, value[len(positions) :])
        return result

    keys = (frozenset(properties), frozenset(required))
    return Wire(
        schema, lift, lower, encoder.accepts(shape), frozenset({"object"}), False, keys, tag="__tuple__"
    )


def _is_held_by_positions(shape: Array, keyword: str, value: Any) -> bool:
    """Tell whether the keys of the object say what a constraint on the list says."""
    if keyword == "minItems":
        return shape.shortest <= len(shape.prefix)
    if keyword == "maxItems":
        return shape.items is None
    return keyword == "unevaluatedItems" or (keyword == "uniqueItems" and value is not True)


def _native_tuple(encoder: Encoder, shape: Array) -> Wire:
    wires = [encoder.edge(edge) for edge in shape.prefix]
    rest = None if shape.items is None else encoder.edge(shape.items)
    schema: Schema = {
        "type": "array",
        "prefixItems": [wire.schema for wire in wires],
        **encoder.lengths(shape),
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
        more = getattr(rest, pick) if rest is not None else None
        return [at(str(i), used[i] if i < len(used) else more, item) for i, item in enumerate(value)]

    is_identity = all(wire.is_identity for wire in (*wires, *([rest] if rest else [])))
    return Wire(
        schema,
        lambda value: convert(value, "lift"),
        lambda value: convert(value, "lower"),
        encoder.accepts(shape),
        frozenset({"array"}),
        is_identity,
    )


def lift_pairs(value: Any, key: Convert, item: Convert) -> dict[str, Any]:
    """Read an array of pairs; of a repeated key the last one counts, as in JSON."""
    if not isinstance(value, list):
        raise MismatchError("an array of key/value pairs", value)
    result: dict[str, Any] = {}
    for index, pair in enumerate(value):
        if not isinstance(pair, dict) or pair.keys() != {"key", "value"}:
            raise MismatchError("an object with the keys 'key' and 'value'", pair, (index,))
        result[at(str(index), key, pair["key"])] = at(str(index), item, pair["value"])
    return result


def lower_pairs(value: Any, key: Convert, item: Convert) -> list[Any]:
    """Write an object as an array of pairs."""
    if not isinstance(value, dict):
        raise MismatchError("an object", value)
    return [{"key": at(name, key, name), "value": at(name, item, child)} for name, child in value.items()]


def lift_any(value: Any) -> Any:
    """Read any value: objects arrive as `{"__object__": pairs}`."""
    if isinstance(value, list):
        return each(lift_any, value)
    if not isinstance(value, dict):
        return value
    if value.keys() != {"__object__"}:
        raise MismatchError("an object with the key '__object__'", value)
    return lift_pairs(value["__object__"], _text, lift_any)


def lower_any(value: Any) -> Any:
    """Write any value."""
    if isinstance(value, list):
        return each(lower_any, value)
    return {"__object__": lower_pairs(value, _text, lower_any)} if isinstance(value, dict) else value


def wire_names(properties: dict[str, Any], pattern: str | None) -> dict[str, str]:
    """Give each property a name that the dialect takes; those already legal keep theirs.

    >>> wire_names({"a": 0, "$a": 0, "a-b": 0}, "[a-z_]+")
    {'a': 'a', '$a': '_a', 'a-b': 'a_b'}
    """
    legal = re.compile(pattern) if pattern is not None else None
    names = {name: name for name in properties if legal is None or legal.fullmatch(name)}
    for name in properties:
        if name not in names and legal is not None:
            names[name] = _legal_name(name, legal, set(names.values()))
    return {name: names[name] for name in properties}


def _legal_name(name: str, legal: re.Pattern[str], taken: set[str]) -> str:
    base = re.sub(r"[^A-Za-z0-9_]", "_", name)[:50] or "_"
    if not legal.fullmatch(base):
        base = f"_{base}"
    return _free_name(base, taken)


def _free_name(base: str, taken: set[str]) -> str:
    name, number = base, 2
    while name in taken:
        name, number = f"{base}_{number}", number + 1
    return name


def _is_identity(fields: dict[str, tuple[str, Wire, bool, bool]], tail: Wire | None) -> bool:
    return tail is None and all(
        name == wire_name and wire.is_identity and (is_required or left_out)
        for name, (wire_name, wire, is_required, left_out) in fields.items()
    )


def _marks(properties: Schema, required: list[str]) -> dict[str, frozenset[str]]:
    """Find the properties by whose text an object can be told from others."""
    return {
        name: frozenset(text.casefold() for text in properties[name]["enum"])
        for name in required
        if properties[name].get("type") == "string" and "enum" in properties[name]
    }


def _text(value: Any) -> Any:
    if isinstance(value, str):
        return value
    raise MismatchError("a string", value)
