"""Strings, numbers and lists of values on the wire. Layer 3."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias, cast

from tool_core.strict.descriptors import FormatDescriptor
from tool_core.strict.json_types import value_key
from tool_core.strict.patterns import is_pattern
from tool_core.strict.shapes import Constraint, Number, Text, Values
from tool_core.strict.wires import MismatchError, Schema

Lose: TypeAlias = Callable[[Constraint], None]

_LOOKAROUND = re.compile(r"\(\?[=!<]")
_NOT_SIMPLE = re.compile(r"\(\?|\\[bB1-9]|\\[pP]|\{\d{3,}|\{\d*,\d{3,}")
_FLAGS = {"minimum": "exclusiveMinimum", "maximum": "exclusiveMaximum"}
_FLAGGED = {flag: bound for bound, flag in _FLAGS.items()}
_LOWER = ("minimum", "exclusiveMinimum", "minLength")


def text_schema(shape: Text, descriptor: FormatDescriptor, lose: Lose) -> Schema:
    """Write a string with the constraints that the dialect holds."""
    schema: Schema = {"type": "string"}
    for constraint in shape.constraints:
        _, keyword, value = constraint
        if keyword not in schema and _holds_text(keyword, value, descriptor):
            schema[keyword] = value
        elif schema.get(keyword) != value:
            lose(constraint)
    return schema


def number_schema(shape: Number, descriptor: FormatDescriptor, lose: Lose) -> Schema:
    """Write a number with the tightest bounds that the dialect holds."""
    schema: Schema = {"type": "integer" if shape.is_integer else "number"}
    for constraint in _modern(shape.constraints):
        pointer, keyword, value = constraint
        if keyword not in descriptor.number_keywords or not _is_bound(keyword, value):
            lose(constraint)
            if constraint not in shape.constraints:  # draft 4 wrote it as a bound with a flag
                lose((pointer, _FLAGGED[keyword], value))
        elif keyword not in schema:
            schema[keyword] = value
        elif keyword != "multipleOf":
            tightest = max if keyword in _LOWER else min
            schema[keyword] = tightest(schema[keyword], value)
        elif schema[keyword] != value:
            lose(constraint)
    return schema


def values_schema(
    shape: Values, descriptor: FormatDescriptor
) -> tuple[list[tuple[Schema, dict[str, Any]]], bool]:
    """Write a list of values, one schema for each JSON type, with the table from wire text to value.

    The second answer is whether the list was too long to be kept. The keys of the tables are the
    JSON texts of the values on the wire.
    """
    groups: dict[str, list[Any]] = {}
    for value in shape.values:
        groups.setdefault(_group(value, descriptor), []).append(value)
    written: list[tuple[Schema, dict[str, Any]]] = []
    is_too_long = descriptor.largest_enum is not None and len(shape.values) > descriptor.largest_enum
    for kind, values in groups.items():
        if kind == "label":
            labels = _labels(values)
            schema: Schema = {"type": "string", "enum": list(labels)}
            if any(not isinstance(value, bool) for value in values):
                schema["description"] = "; ".join(
                    f"{key}: {json.dumps(value)}" for key, value in labels.items()
                )
            written.append((schema, {json.dumps(key): value for key, value in labels.items()}))
        else:
            schema = {"type": kind} if is_too_long else {"type": kind, "enum": values}
            written.append((schema, {value_key(value): value for value in values}))
    return written, is_too_long


def member_of(table: dict[str, Any], is_open: bool) -> Callable[[Any], Any]:
    """Read a value on the wire by its table; the case of a text is repaired where that is unambiguous."""
    folded: dict[str, list[Any]] = {}
    for key, value in table.items():
        folded.setdefault(key.casefold(), []).append(value)

    def lift(value: Any) -> Any:
        key = value_key(value)
        if key in table:
            return table[key]
        alike = folded.get(key.casefold(), [])
        if isinstance(value, str) and len(alike) == 1:
            return alike[0]
        if is_open:
            return value
        raise MismatchError(f"one of {', '.join(table)}", value)

    return lift


def label_of(table: dict[str, Any], is_open: bool) -> Callable[[Any], Any]:
    """Write a value by its table."""
    inverse = {value_key(value): json.loads(key) for key, value in table.items()}

    def lower(value: Any) -> Any:
        key = value_key(value)
        if key in inverse:
            return inverse[key]
        if is_open:
            return value
        raise MismatchError(f"one of {', '.join(inverse)}", value)

    return lower


def holds_pattern(pattern: object, descriptor: FormatDescriptor) -> bool:
    """Tell whether a dialect takes a regular expression."""
    if not isinstance(pattern, str) or descriptor.patterns == "none" or not is_pattern(pattern):
        return False
    return not (_LOOKAROUND if descriptor.patterns == "no-lookaround" else _NOT_SIMPLE).search(pattern)


def _holds_text(keyword: str, value: object, descriptor: FormatDescriptor) -> bool:
    if keyword == "pattern":
        return holds_pattern(value, descriptor)
    if keyword == "format":
        return value in descriptor.formats if isinstance(value, str) else False
    return keyword in descriptor.string_keywords and _is_number(value)


def _modern(constraints: Iterable[Constraint]) -> list[Constraint]:
    """Turn draft-4's boolean `exclusiveMinimum` into the number that it modifies."""
    listed = list(constraints)
    found: list[Constraint] = []
    for pointer, keyword, value in listed:
        flag = _FLAGS.get(keyword)
        if flag is not None and any(p == pointer and k == flag and v is True for p, k, v in listed):
            found.append((pointer, flag, value))
        elif not isinstance(value, bool):
            found.append((pointer, keyword, value))
    return found


def _group(value: object, descriptor: FormatDescriptor) -> str:
    if isinstance(value, bool):
        return "boolean" if descriptor.boolean_enums else "label"
    if isinstance(value, str):
        return "string"
    if isinstance(value, int):
        return "integer"
    return "number" if isinstance(value, float) else "label"


def _labels(values: list[Any]) -> dict[str, Any]:
    if all(isinstance(value, bool) for value in values):
        return {json.dumps(value): value for value in values}
    return {f"option_{index}": value for index, value in enumerate(values)}


def _is_bound(keyword: str, value: object) -> bool:
    """Tell whether a limit means anything: nothing is a multiple of zero or less."""
    return _is_number(value) and (keyword != "multipleOf" or cast(float, value) > 0)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
