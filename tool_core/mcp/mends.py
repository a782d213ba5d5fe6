"""Mistakes in a JSON Schema that have one likely meaning, keyword by keyword. Layer 3.

Each mend changes one keyword and nothing else: what it says is read as what it must mean, and where
no meaning can be read, an annotation is left out and a limit is left to the server. What a schema
is made of (`properties`, `items`, `$ref` and their like) is never left out.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final
from urllib.parse import quote

from tool_core.errors import ToolConfigurationError
from tool_core.json_schemas import JsonSchema
from tool_core.mcp.schema_parts import (
    KEYWORDS,
    ONE_SCHEMA,
    REFERENCES,
    SCHEMA_LISTS,
    SCHEMA_MAPS,
    schema_parts,
)

TYPE_NAMES = {
    "bool": "boolean", "boolean": "boolean", "int": "integer", "integer": "integer", "long": "integer",
    "float": "number", "double": "number", "number": "number", "str": "string", "string": "string",
    "list": "array", "array": "array", "dict": "object", "map": "object", "object": "object",
    "none": "null", "null": "null",
}  # fmt: skip

_TEXTS = frozenset({"$comment", "contentEncoding", "contentMediaType", "description", "format", "title"})
_MARKS = frozenset({"deprecated", "readOnly", "writeOnly"})
_COUNTS = frozenset(
    {"maxContains", "maxItems", "maxLength", "maxProperties", "minContains", "minItems", "minLength",
     "minProperties"}
)  # fmt: skip
_BOUNDS = frozenset({"exclusiveMaximum", "exclusiveMinimum", "maximum", "minimum", "multipleOf"})
_ANCHORS = frozenset({"$anchor", "$dynamicAnchor"})
_MAY_BE_NULL = frozenset({"const", "default", "examples"})

_LEFT_OUT: Final = object()
_UNCHECKED: Final = object()
_ANCHOR = re.compile(r"[A-Za-z_][-A-Za-z0-9._]*\Z")
_LONE_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
_URI_SIGNS = "!$&'()*+,;=:@/?-._~%"
_LONGEST = 80


def mend(schema: dict[str, Any]) -> list[str]:
    """Mend a schema in place, and say how each mistake was read.

    >>> schema = {"type": "str", "minLength": "3", "title": 5, "enum": ["abc"]}
    >>> for remark in mend(schema): print(remark)
    has the type 'str': read as 'string'
    has minLength: "3", read as 3
    has title: 5, which is left out
    >>> schema
    {'type': 'string', 'minLength': 3, 'enum': ['abc']}
    """
    remarks = (remark for part in schema_parts(schema) for remark in _mended_part(part))
    return list(dict.fromkeys(remarks))


def with_plain_bounds(schema: dict[str, Any]) -> list[str]:
    """Say the exclusive bounds of draft-04 as all later drafts do, in place.

    >>> schema = {"minimum": 3, "exclusiveMinimum": True}
    >>> with_plain_bounds(schema), schema
    (['has exclusiveMinimum: true, as draft-04 says it: read as 3'], {'exclusiveMinimum': 3})
    """
    remarks = []
    for part in schema_parts(schema):
        for bound, flag in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
            if part.get(flag) is True and bound in part:
                part[flag] = part.pop(bound)
                remarks.append(f"has {flag}: true, as draft-04 says it: read as {_shown(part[flag])}")
            elif isinstance(part.get(flag), bool):
                remarks.append(f"has {flag}: {_shown(part.pop(flag))}, which is left out")
    return remarks


def with_prefix_items(schema: dict[str, Any]) -> list[str]:
    """Say what the older drafts say of tuples and of anchors as draft 2020-12 does, in place.

    >>> schema = {"items": [{"type": "string"}], "additionalItems": False}
    >>> with_prefix_items(schema), schema
    (['has a list of items: read as prefixItems'], {'prefixItems': [{'type': 'string'}], 'items': False})
    """
    remarks = []
    for part in schema_parts(schema):
        if isinstance(part.get("items"), list) and "prefixItems" not in part:
            part["prefixItems"] = part.pop("items")
            if "additionalItems" in part:
                part["items"] = part.pop("additionalItems")
            remarks.append("has a list of items: read as prefixItems")
        if isinstance(name := part.get("$id"), str) and name.startswith("#") and "$anchor" not in part:
            part["$anchor"] = part.pop("$id")[1:]
            remarks.append(f"has $id: {_shown(name)}, read as an $anchor")
    return remarks


def _mended_part(part: dict[str, Any]) -> Iterator[str]:
    for keyword in [key for key in part if key in KEYWORDS]:
        value = part[keyword]
        meant = _meant(keyword, value)
        if meant is _LEFT_OUT or meant is _UNCHECKED:
            del part[keyword]
            yield _farewell(keyword, value, meant)
        elif not _is_same(meant, value):
            part[keyword] = meant
            is_type = keyword == "type" and isinstance(value, str)
            yield (
                f"has the type {_cut(repr(value))}: read as {meant!r}"
                if is_type
                else f"has {keyword}: {_shown(value)}, read as {_shown(meant)}"
            )
    yield from _flags_of_properties(part)
    yield from _unreadable_keys(part)


def _farewell(keyword: str, value: object, how: object) -> str:
    if value is None:
        return f"has {keyword}: null, which is left out"
    if keyword == "type":
        return f"has the unknown type {_cut(repr(value))}: read as any value"
    if keyword == "pattern":
        return f"has the pattern {_cut(repr(value))}, which only the server can check"
    fate = "is left out" if how is _LEFT_OUT else "only the server can check"
    return f"has {keyword}: {_shown(value)}, which {fate}"


def _meant(keyword: str, value: Any) -> Any:
    """Return what a keyword must mean: what it says, if that can be read."""
    if value is None and keyword not in _MAY_BE_NULL:
        return _LEFT_OUT
    if keyword in SCHEMA_MAPS or keyword == "dependentRequired":
        return _map(keyword, value)
    if keyword in SCHEMA_LISTS and isinstance(value, list):
        return [_schema(item) for item in value] if value else {} if keyword == "items" else _LEFT_OUT
    if keyword in ONE_SCHEMA:
        return _schema(value)
    if keyword in _TEXTS:
        return value if isinstance(value, str) else _LEFT_OUT
    if keyword in _MARKS or keyword == "uniqueItems":
        return _flag(value, _LEFT_OUT if keyword in _MARKS else _UNCHECKED)
    if keyword in _COUNTS | _BOUNDS:
        return _number(keyword, value)
    if keyword in REFERENCES or keyword == "$id":
        return _uri(value)
    if keyword in _ANCHORS:
        return value if isinstance(value, str) and _ANCHOR.match(value) else _LEFT_OUT
    reader = _READERS.get(keyword)
    return value if reader is None else reader(value)


def _map(keyword: str, value: Any) -> Any:
    if value == []:  # what PHP writes for an empty object
        return {}
    if not isinstance(value, dict):
        return value
    if keyword == "dependentRequired":
        read = {key: _names(item) for key, item in value.items()}
        return {key: names for key, names in read.items() if isinstance(names, list)}
    return {key: {} if item is None else _schema(item) for key, item in value.items()}


def _schema(value: Any) -> Any:
    if value == []:
        return {}
    if isinstance(value, str):
        word = value.lower()
        return word == "true" if word in ("true", "false") else {"type": value}
    return value


def _flag(value: Any, otherwise: object) -> Any:
    if isinstance(value, str) and value.lower() in ("true", "false"):
        return value.lower() == "true"
    return value if isinstance(value, bool) else otherwise


def _number(keyword: str, value: Any) -> Any:
    if isinstance(value, bool):
        return value if keyword.startswith("exclusive") else _UNCHECKED
    if isinstance(value, str):
        try:
            value = json.loads(value, parse_constant=str)
        except (ValueError, RecursionError):
            return _UNCHECKED
    if not isinstance(value, int | float) or isinstance(value, bool) or value in (math.inf, -math.inf):
        return _UNCHECKED
    is_count = value >= 0 and value == value // 1
    is_right = value > 0 if keyword == "multipleOf" else is_count if keyword in _COUNTS else True
    return value if is_right else _UNCHECKED


def _uri(value: Any) -> Any:
    """Escape what may not stand in an address; what is escaped already stays so."""
    if not isinstance(value, str):
        return value
    address, mark, fragment = value.partition("#")
    escaped = [
        quote(_LONE_PERCENT.sub("%25", part), safe=_URI_SIGNS, errors="replace")
        for part in (address, fragment)
    ]
    return mark.join(escaped) if mark else escaped[0]


def _type(value: Any) -> Any:
    meant = [_type_name(item) for item in (value if isinstance(value, list) else [value])]
    if None in meant or not meant:
        return _UNCHECKED
    return list(dict.fromkeys(meant)) if isinstance(value, list) else meant[0]


def _type_name(value: object) -> str | None:
    return TYPE_NAMES.get("null" if value is None else value.lower() if isinstance(value, str) else "")


def _names(value: Any) -> Any:
    if isinstance(value, bool):
        return _LEFT_OUT
    listed = _listed(value)
    if listed is _UNCHECKED:
        return _UNCHECKED
    return list(dict.fromkeys(item for item in listed if isinstance(item, str)))


def _listed(value: Any) -> Any:
    """Read one value, or values under keys, where a list is meant."""
    if isinstance(value, dict):
        return list(value.values()) or _UNCHECKED
    return value if isinstance(value, list) else [value]


def _examples(value: Any) -> Any:
    return _LEFT_OUT if value is None else value if isinstance(value, list) else [value]


def _pattern(value: Any) -> Any:
    return value if _compiles(value) else _UNCHECKED


_READERS: Mapping[str, Callable[[Any], Any]] = {
    "enum": _listed,
    "examples": _examples,
    "pattern": _pattern,
    "required": _names,
    "type": _type,
}


def _flags_of_properties(part: dict[str, Any]) -> Iterator[str]:
    """Draft-03 said of a property itself whether it is required."""
    properties = part.get("properties")
    wanted = []
    for name, child in properties.items() if isinstance(properties, dict) else ():
        if isinstance(child, dict) and isinstance(child.get("required"), bool):
            said = child.pop("required")
            wanted += [name] if said else []
            yield f"has required: {_shown(said)} in the property {_cut(repr(name))}: read as draft-03 does"
    if wanted and isinstance(names := part.get("required", []), list):
        part["required"] = list(dict.fromkeys([*names, *wanted]))


def _unreadable_keys(part: dict[str, Any]) -> Iterator[str]:
    """Without a pattern for keys it cannot be said either which keys are the other ones."""
    patterns = part.get("patternProperties")
    for pattern in [key for key in patterns if not _compiles(key)] if isinstance(patterns, dict) else ():
        del part["patternProperties"][pattern]
        for keyword in ("additionalProperties", "unevaluatedProperties"):
            part.pop(keyword, None)
        yield f"has the pattern {_cut(repr(pattern))} for keys, so that only the server can check them"


def _compiles(pattern: object) -> bool:
    try:
        JsonSchema.of({"pattern": pattern})
    except ToolConfigurationError:
        return False
    return True


def _is_same(one: object, other: object) -> bool:
    """Compare what was read with what was given; what was not touched is not looked into."""
    if one is other:
        return True
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_is_same(value, other[key]) for key, value in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_is_same, one, other))
    return type(one) is type(other) and one == other


def _shown(value: object) -> str:
    return _cut(json.dumps(value))


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
