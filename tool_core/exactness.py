"""Make a pydantic validator accept one spelling of a value: the one that its JSON Schema names. Layer 1.

Even in strict mode pydantic takes `true` for the literal 1, the digits "1704067200" for a moment
and a repeated item for a set. And each branch of a union gets a mark that no JSON key can be
mistaken for, so that the locations of errors can be turned into true JSON paths.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, cast

from pydantic_core import CoreSchema, SchemaValidator, ValidationError, core_schema, to_jsonable_python

from tool_core.closing import rewritten
from tool_core.errors import JsonTextError
from tool_core.json_text import canonical_json, secure_json_loads, with_whole_numbers
from tool_core.keys import Node

BRANCH = "\x00branch"
"""How the marks of union branches begin in the location of an error."""

_SPELLINGS: Mapping[str, tuple[re.Pattern[str], str]] = {
    "date": (re.compile(r"\d{4}-\d\d-\d\d\Z"), "a date such as 2024-12-31"),
    "datetime": (re.compile(r"\d{4}-\d\d-\d\d[Tt ]"), "a moment such as 2024-12-31T23:59:59Z"),
    "timedelta": (re.compile(r"[-+]?P"), "a duration such as P1DT2H"),
    "uuid": (re.compile(r"[0-9a-fA-F]{8}-"), "a UUID such as 123e4567-e89b-12d3-a456-426614174000"),
}


def exact(schema: CoreSchema) -> CoreSchema:
    """Return a core schema for validation that accepts one spelling of each value."""
    return cast(CoreSchema, rewritten(schema, _settled))


def _settled(node: Node) -> Node:
    kind = node["type"]
    if kind == "union":
        return {**node, "choices": [_marked(choice, index) for index, choice in enumerate(node["choices"])]}
    if kind in _SPELLINGS:
        return _referable(node, _spelt(node))
    if kind in ("literal", "enum") and _may_be_mistaken(node):
        return _referable(node, core_schema.no_info_plain_validator_function(_member_of(node)))
    if kind in ("set", "frozenset"):
        return _referable(node, _distinct(node))
    if kind == "json":
        return _referable(node, _read_securely(node))
    if kind == "named-tuple":
        return _referable(node, _by_position(node))
    return node


def _marked(choice: Any, index: int) -> tuple[Any, str]:
    return choice[0] if isinstance(choice, tuple) else choice, f"{BRANCH}{index}"


def _referable(old: Node, new: CoreSchema) -> Node:
    """Keep the reference by which other nodes find the old node."""
    return {**new, "ref": old["ref"]} if "ref" in old else {**new}


def _spelt(node: Node) -> CoreSchema:
    pattern, expected = _SPELLINGS[node["type"]]
    parser = SchemaValidator(cast(CoreSchema, {key: value for key, value in node.items() if key != "ref"}))

    def parse(text: str) -> object:
        try:
            return parser.validate_python(text, strict=False) if pattern.match(text) else _refuse(expected)
        except ValidationError:
            return _refuse(expected)

    return core_schema.no_info_after_validator_function(parse, core_schema.str_schema(strict=True))


def _distinct(node: Node) -> CoreSchema:
    kept = {key: node[key] for key in ("min_length", "max_length") if key in node}
    items = core_schema.list_schema(node.get("items_schema"), **kept)
    make = set if node["type"] == "set" else frozenset

    def parse(values: list[object]) -> object:
        try:
            unique = make(values)
        except TypeError:
            return _refuse("items that can be compared")
        return unique if len(unique) == len(values) else _refuse("items that all differ")

    return core_schema.no_info_after_validator_function(parse, items)


def _read_securely(node: Node) -> CoreSchema:
    """Hold a text inside JSON to the rules of JSON text that a stranger wrote."""

    def checked(text: str) -> str:
        try:
            secure_json_loads(text)
        except JsonTextError as error:
            _refuse(f"a text that is sound JSON ({error.description})")
        return text

    plain = core_schema.no_info_after_validator_function(checked, core_schema.str_schema(strict=True))
    return core_schema.chain_schema(
        [plain, cast(CoreSchema, {key: value for key, value in node.items() if key != "ref"})]
    )


def _by_position(node: Node) -> CoreSchema:
    """Read a named tuple from an array only; pydantic would take an object as well."""
    items = core_schema.tuple_schema([item["schema"] for item in node["fields"]])
    make = node["cls"]
    return core_schema.no_info_after_validator_function(lambda values: make(*values), items)


def _may_be_mistaken(node: Node) -> bool:
    """Tell whether a member is 0 or 1, which equal booleans in Python, or is written as another value."""
    members = node.get("expected") or node.get("members", ())
    values = members if node["type"] == "literal" else [member.value for member in members]
    return not all(type(value) is str or (type(value) is int and value not in (0, 1)) for value in values)


def _member_of(node: Node) -> Callable[[object], object]:
    """Read a member from the JSON that it is written as."""
    members = node.get("expected") or node.get("members", ())
    values = [with_whole_numbers(to_jsonable_python(member)) for member in members]
    written = {canonical_json(value): member for value, member in zip(values, members, strict=True)}
    expected = " or ".join(dict.fromkeys(map(repr, values)))

    def parse(value: object) -> object:
        try:
            return written[canonical_json(with_whole_numbers(value))]
        except (KeyError, TypeError, ValueError):
            return _refuse(expected)

    return parse


def _refuse(expected: str) -> object:
    raise ValueError(expected)
