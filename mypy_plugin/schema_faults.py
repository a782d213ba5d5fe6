"""What is wrong with a JSON Schema that is written out: the pure check. Imports neither mypy nor tool_core.

The law: what is a fault here, the metaschema of the draft refuses when the tool is made. Not all
that it refuses is known here: patterns, addresses and draft-04 are left to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeGuard

from mypy_plugin.schema_documents import draft_of

_TYPES: Final = ("array", "boolean", "integer", "null", "number", "object", "string")


@dataclass(frozen=True, slots=True)
class _Rule:
    """What a keyword holds, since which draft."""

    expected: str
    holds: Callable[[Any], bool]
    since: int = 6


def schema_fault(schema: object) -> str | None:
    """Say what is wrong with a schema, or nothing.

    >>> schema_fault({"type": "object", "properties": {"city": {"type": "strng"}}})
    "$.properties.city.type: expected array, boolean, integer, null, number, object or string, not 'strng'"
    >>> schema_fault({"type": "object", "required": ["city"]})
    """
    draft = draft_of(schema)
    return next(_faults(schema, draft, "$"), None) if draft >= 6 else None


def _faults(schema: object, draft: int, path: str) -> Iterator[str]:
    if not _is_schema(schema):
        yield f"{path}: expected a schema, not {schema!r}"
    if not isinstance(schema, Mapping) or ("$schema" in schema and path != "$"):
        return
    for keyword, value in schema.items():
        place = path + _step(keyword)
        rule = _RULES.get(keyword)
        if rule is not None and draft >= rule.since and not rule.holds(value):
            yield f"{place}: expected {rule.expected}, not {value!r}"
        for step, inner in _inner(keyword, value, draft):
            yield from _faults(inner, draft, place + step)


def _inner(keyword: str, value: object, draft: int) -> Iterator[tuple[str, object]]:
    """List the schemas that a keyword holds, with the way to each."""
    if keyword in _NAMED and draft >= _NAMED[keyword] and isinstance(value, Mapping):
        yield from ((_step(name), inner) for name, inner in value.items())
    is_tuple = keyword == "items" and draft < 2020
    if (is_tuple or (keyword in _LISTED and draft >= _LISTED[keyword])) and isinstance(value, list):
        yield from ((f"[{index}]", inner) for index, inner in enumerate(value))
    elif keyword in _NESTED and draft >= _NESTED[keyword]:
        yield "", value


def _step(name: str) -> str:
    return f".{name}" if name.isidentifier() else f"[{name!r}]"


def _is_schema(value: object) -> bool:
    return isinstance(value, Mapping | bool)


def _is_number(value: object) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_list_of_schemas(value: object) -> bool:
    return isinstance(value, list) and bool(value)


def _are_names(value: object) -> bool:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        return False
    return len(set(value)) == len(value)


def _are_types(value: object) -> bool:
    named = value if isinstance(value, list) else [value]
    return bool(named) and _are_names(named) and set(named) <= set(_TYPES)


_NAMED: Final = {
    "properties": 6, "patternProperties": 6, "definitions": 6, "$defs": 2019, "dependentSchemas": 2019,
}  # fmt: skip
_LISTED: Final = {"allOf": 6, "anyOf": 6, "oneOf": 6, "prefixItems": 2020}
_NESTED: Final = {
    "items": 6, "additionalProperties": 6, "contains": 6, "not": 6, "propertyNames": 6, "if": 7, "then": 7,
    "else": 7, "unevaluatedItems": 2019, "unevaluatedProperties": 2019,
}  # fmt: skip
_TEXT: Final = _Rule("a text", lambda value: isinstance(value, str))
_COUNT: Final = _Rule(
    "a whole number that is not negative",
    lambda value: _is_number(value) and value >= 0 and value == value // 1,
)
_NUMBER: Final = _Rule("a number", _is_number)
_LIST: Final = _Rule("a list", lambda value: isinstance(value, list))
_SWITCH: Final = _Rule("True or False", lambda value: isinstance(value, bool))
_RULES: Final[Mapping[str, _Rule]] = {
    "type": _Rule(f"{', '.join(_TYPES[:-1])} or {_TYPES[-1]}", _are_types),
    "required": _Rule("a list of different names", _are_names),
    "multipleOf": _Rule("a number above 0", lambda value: _is_number(value) and value > 0),
    **dict.fromkeys(("title", "description", "format", "pattern", "$ref"), _TEXT),
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems"), _COUNT),
    **dict.fromkeys(("minProperties", "maxProperties"), _COUNT),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), _NUMBER),
    **dict.fromkeys(("enum", "examples"), _LIST),
    **dict.fromkeys(("uniqueItems",), _SWITCH),
    **{
        keyword: _Rule("an object of schemas", lambda value: isinstance(value, Mapping), since)
        for keyword, since in _NAMED.items()
    },
    **{
        keyword: _Rule("a list of at least one schema", _is_list_of_schemas, since)
        for keyword, since in _LISTED.items()
    },
}
