"""The ends of a wire schema: null, booleans, JSON text, any value. Layer 3."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from tool_core.errors import JsonTextError
from tool_core.json_text import secure_json_loads
from tool_core.strict.wires import Convert, MismatchError, Schema, Wire, checked, closed_object


def plain_wire(kind: str, accepts: Callable[[Any], bool]) -> Wire:
    """Write null, or a boolean."""

    def test(value: object) -> bool:
        return value is None if kind == "null" else isinstance(value, bool)

    convert = checked(f"a value of type {kind}", test)
    return Wire({"type": kind}, convert, convert, accepts, frozenset({kind}))


def as_list(value: Any) -> Sequence[Any]:
    """Take a list, or refuse."""
    if isinstance(value, list):
        return value
    raise MismatchError("an array", value)


def same(value: Any) -> Any:
    """Return the value itself."""
    return value


def whole(convert: Convert) -> Convert:
    """Read `3.0` as 3, which it is to all drafts but the fourth."""

    def lift(value: Any) -> Any:
        found = convert(value)
        return int(found) if isinstance(found, float) else found

    return lift


def text_wire(description: str, accepts: Callable[[Any], bool]) -> Wire:
    """Let any value travel as JSON text."""
    return Wire(
        {"type": "string", "description": description},
        from_text,
        to_text,
        accepts,
        frozenset({"string"}),
        is_identity=False,
        tag="__json__",
    )


def from_text(value: Any) -> Any:
    """Read JSON text; a text that is not JSON stands for itself, one that is forbidden is refused."""
    if not isinstance(value, str):
        raise MismatchError("JSON text", value)
    try:
        return secure_json_loads(value)
    except JsonTextError as error:
        if _is_json(value):
            raise MismatchError(f"JSON text that can be accepted ({error.description})", value) from None
        return value


def to_text(value: Any) -> str:
    """Write JSON text; what could not be read again is refused."""
    try:
        text = json.dumps(value)
        secure_json_loads(text)
    except JsonTextError as error:
        raise MismatchError(f"a value that can travel as JSON text ({error.description})", value) from None
    except (TypeError, ValueError):
        raise MismatchError("a JSON value", value) from None
    return text


def _is_json(text: str) -> bool:
    try:
        json.loads(text, parse_constant=_refused, parse_int=str)
    except ValueError:
        return False
    except RecursionError:
        return True
    return True


def _refused(name: str) -> NoReturn:
    raise ValueError(name)


def any_schema(name: str) -> Schema:
    """Write the definition of any JSON value: objects travel as tagged pairs."""
    reference: Schema = {"$ref": f"#/$defs/{name}"}
    pair = closed_object({"key": {"type": "string"}, "value": reference}, ["key", "value"])
    pairs: Schema = {"type": "array", "items": pair}
    return {
        "anyOf": [
            {"type": "string"},
            {"type": "number"},
            {"type": "boolean"},
            {"type": "array", "items": reference},
            closed_object({"__object__": pairs}, ["__object__"]),
            {"type": "null"},
        ]
    }


def _lift_null(value: Any) -> None:
    if value != {"__null__": True}:
        raise MismatchError("an explicit null", value)


def _lower_null(value: Any) -> Any:
    if value is not None:
        raise MismatchError("null", value)
    return {"__null__": True}


EXPLICIT_NULL = Wire(
    closed_object({"__null__": {"type": "boolean", "enum": [True]}}, ["__null__"]),
    _lift_null,
    _lower_null,
    lambda value: value is None,
    frozenset({"object"}),
    is_identity=False,
    keys=(frozenset({"__null__"}), frozenset({"__null__"})),
)
