"""The keys of a dict: texts in JSON, whatever they are in Python. Layer 1.

Pydantic reads "01", " 1" and "+1" as the key 1, and its JSON Schema says nothing of such keys.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any, TypeAlias, cast

from pydantic_core import core_schema, to_jsonable_python

Node: TypeAlias = dict[str, Any]

NUMBER = r"^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$"
"""The pattern of a number that is written as a text."""

_NUMBERS: Mapping[str, tuple[Callable[[str], object], str, str]] = {
    "int": (int, r"^(0|-[1-9][0-9]*|[1-9][0-9]*)$", "a whole number as the key"),
    "float": (float, NUMBER, "a number as the key"),
    "decimal": (Decimal, NUMBER, "a number as the key"),
}
_NO_TEXTS = frozenset(
    {"tuple", "list", "set", "frozenset", "dict", "typed-dict", "model", "dataclass", "named-tuple"}
)


def key_schema(node: Node) -> Node:
    """Return the core schema of a key as one of the text that it is written as.

    >>> key_schema({"type": "int"})["steps"][0]["schema"]["pattern"]
    '^(0|-[1-9][0-9]*|[1-9][0-9]*)$'
    """
    kind = node["type"]
    if kind in _NO_TEXTS:
        raise TypeError(f"a {kind} cannot be a key")
    if kind == "nullable":
        node = {"type": "union", "choices": [node["schema"], core_schema.none_schema()]}
    if node["type"] == "union":
        return {**node, "choices": [_choice(item) for item in node["choices"]]}
    if kind in _NUMBERS:
        return cast(Node, _number(node, *_NUMBERS[kind]))
    members = _members(node)
    if all(isinstance(member, str) for member in members):
        return node
    texts: dict[str, object] = {}
    for member in members:
        if texts.setdefault(written_key(member), member) is not member:
            raise TypeError("two keys that are written as the same text")
    read = core_schema.no_info_plain_validator_function(texts.__getitem__)
    return cast(Node, core_schema.chain_schema([core_schema.literal_schema(list(texts)), read]))


def _choice(item: Any) -> Any:
    return (key_schema(item[0]), item[1]) if isinstance(item, tuple) else key_schema(item)


def _number(node: Node, read: Callable[[str], object], pattern: str, expected: str) -> Any:
    spelt = core_schema.custom_error_schema(
        core_schema.str_schema(pattern=pattern), "key", custom_error_message=expected
    )
    return core_schema.chain_schema(
        [spelt, core_schema.no_info_plain_validator_function(read), cast(Any, node)]
    )


def _members(node: Node) -> list[Any]:
    """List the values of a type that has only so many; of any other, none."""
    kind = node["type"]
    if kind in ("bool", "none"):
        return [True, False] if kind == "bool" else [None]
    return list(node.get("expected" if kind == "literal" else "members", ()))


def written_key(key: object) -> str:
    """Write a key as pydantic does.

    >>> written_key(True), written_key("a")
    ('true', 'a')
    """
    return key if isinstance(key, str) else next(iter(cast("dict[str, int]", to_jsonable_python({key: 0}))))
