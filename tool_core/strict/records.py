"""Objects, records and free values on the wire. Layer 3."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tool_core.strict.free_names import FreeNames, wire_names
from tool_core.strict.optionals import optional_wire
from tool_core.strict.scalars import text_schema
from tool_core.strict.shapes import Object, Text, Values
from tool_core.strict.wires import Convert, MismatchError, Schema, Wire, at, closed_object, each

if TYPE_CHECKING:
    from tool_core.strict.encoding import Encoder

EXTRA = "__extra__"


def object_wire(encoder: Encoder, shape: Object) -> Wire:
    """Write an object: a record as pairs, any other closed, with its open end as pairs."""
    if shape.tail is not None and not shape.properties:
        return pairs_wire(encoder, shape)
    names = wire_names(shape.properties, encoder.descriptor.property_name)
    for name in (name for name in names if names[name] != name):
        encoder.rewrite(shape.properties[name].edge.pointers, "renamed", f"named {names[name]!r}")
    fields: dict[str, tuple[str, Wire, bool, bool]] = {}
    for name, item in shape.properties.items():
        if item.is_required:
            fields[name] = (names[name], encoder.edge(item.edge), True, False)
        else:
            wire, may_be_left_out = optional_wire(encoder, item.edge)
            fields[name] = (names[name], wire, False, may_be_left_out)
    extra = FreeNames(set(names.values())).free(EXTRA)
    tail = None if shape.tail is None else pairs_wire(encoder, shape)
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
        _lowerer(fields, extra, tail),
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
        if tail is not None and extra is not None:
            if extra not in value:
                raise MismatchError("a value", None, (extra,))
            further = at(extra, tail.lift, value[extra])
            result |= {key: item for key, item in further.items() if key not in fields}
        return result

    return lift


def _lowerer(fields: dict[str, tuple[str, Wire, bool, bool]], extra: str, tail: Wire | None) -> Convert:
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


def pairs_wire(encoder: Encoder, shape: Object) -> Wire:
    """Write an object with free keys as an array of pairs, or as itself."""
    assert shape.tail is not None
    encoder.rewrite(shape.origins, "pairs")
    key = _key(encoder, shape)
    value = encoder.edge(shape.tail)
    schema: Schema = {
        "type": "array",
        "items": closed_object({"key": key.schema, "value": value.schema}, ["key", "value"]),
        "description": "a mapping, written as an array of key/value pairs",
    }
    return Wire(
        schema,
        lambda wire: _without(shape.forbidden, lift_pairs(wire, key.lift, value.lift)),
        lambda mapping: lower_pairs(_allowed(shape.forbidden, mapping), key.lower, value.lower),
        encoder.accepts(shape),
        frozenset({"array"}),
        is_identity=False,
        tag="__object__",
    )


def _key(encoder: Encoder, shape: Object) -> Wire:
    plain = Text(())
    if shape.keys is not None and all(isinstance(item, Text | Values) for item in shape.keys.node.branches):
        if shape.key_pattern is not None:  # one schema of the keys is held, the other checked
            encoder.lose(shape.key_pattern)
        return encoder.edge(shape.keys)
    if shape.keys is not None:
        for pointer in shape.keys.pointers:
            encoder.lose((pointer[:-1], "propertyNames", encoder.reader.part(pointer)))
    if shape.key_pattern is None:
        return encoder.scalar(plain, {"type": "string"}, "string")
    pointer, _, pattern = shape.key_pattern
    schema = text_schema(Text((), (), ((pointer, "pattern", pattern),)), encoder.descriptor, lambda _: None)
    if "pattern" not in schema:
        encoder.lose(shape.key_pattern)
    return encoder.scalar(plain, schema, "string")


def _without(forbidden: frozenset[str], mapping: dict[str, Any]) -> dict[str, Any]:
    return {name: item for name, item in mapping.items() if name not in forbidden} if forbidden else mapping


def _allowed(forbidden: frozenset[str], mapping: Any) -> Any:
    if isinstance(mapping, dict):
        for name in forbidden & mapping.keys():
            raise MismatchError("no such key", mapping[name], (name,))
    return mapping


def lift_pairs(value: Any, key: Convert, item: Convert) -> dict[str, Any]:
    """Read an array of pairs; of a repeated key the last one counts, as in JSON."""
    if not isinstance(value, list):
        raise MismatchError("an array of key/value pairs", value)
    result: dict[str, Any] = {}
    for index, pair in enumerate(value):
        if not isinstance(pair, dict) or pair.keys() != {"key", "value"}:
            raise MismatchError("an object with the keys 'key' and 'value'", pair, (index,))
        result[at(index, key, pair["key"])] = at(index, item, pair["value"])
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
