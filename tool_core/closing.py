"""Make a pydantic core schema agree with its JSON Schema: records that do not say so are closed. Layer 1.

As pydantic builds them, records drop the keys they do not know, and numbers may be infinite.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias, cast

from pydantic_core import CoreSchema

Node: TypeAlias = dict[str, Any]

_CHILDREN = frozenset(
    {
        "schema", "fields", "items_schema", "keys_schema", "values_schema", "choices", "steps", "definitions",
        "extras_schema", "json_schema", "python_schema", "lax_schema", "strict_schema", "arguments_schema",
    }
)  # fmt: skip
_RECORDS = ("typed-dict", "model-fields", "dataclass-args")


def closed(schema: CoreSchema) -> CoreSchema:
    """Return the core schema with every record closed that does not say that it is open."""
    return cast(CoreSchema, rewritten(schema, _settled))


def rewritten(node: Any, settle: Callable[[Node], Node]) -> Any:
    """Pass each schema node through `settle`, from the leaves up; what does not change is shared."""
    if isinstance(node, list | tuple):
        items = [rewritten(item, settle) for item in node]
        return node if _are_same(items, node) else type(node)(items)
    if not isinstance(node, Mapping):
        return node
    if "type" not in node or isinstance(node["type"], Mapping):  # the fields of a record, by name
        fields = {key: rewritten(value, settle) for key, value in node.items()}
        return node if _are_same(fields.values(), node.values()) else fields
    copy = {**node, **{key: rewritten(node[key], settle) for key in node.keys() & _CHILDREN}}
    settled = settle(copy)
    is_same = settled is copy and copy.keys() == node.keys() and _are_same(copy.values(), node.values())
    return node if is_same else settled


def _are_same(new: Iterable[object], old: Iterable[object]) -> bool:
    return all(item is other for item, other in zip(new, old, strict=True))


def record_of(node: Mapping[str, Any]) -> Node:
    """Return the node that holds the fields of a model, a dataclass or a TypedDict."""
    while node["type"] not in _RECORDS and "schema" in node:
        node = node["schema"]
    return cast(Node, node)


def _settled(node: Node) -> Node:
    kind = node["type"]
    if kind == "float":
        node.setdefault("allow_inf_nan", False)
    elif kind in ("typed-dict", "model", "dataclass"):
        return _with_record(node, "allow" if _says_open(node) else "forbid")
    return node


def _with_record(node: Mapping[str, Any], behaviour: str) -> Node:
    """Settle what the record inside does with other keys, in a copy: a model's own schema is its own."""
    if node["type"] not in _RECORDS and "schema" in node:
        return {**node, "schema": _with_record(node["schema"], behaviour)}
    kept = {key: value for key, value in node.items() if key != "computed_fields"}  # written is what is read
    return kept if kept.get("extra_behavior") == "allow" else {**kept, "extra_behavior": behaviour}


def holds_any(schema: CoreSchema) -> bool:
    """Tell whether some part takes any JSON value, or fills in a default: then a text may hide keys."""
    found: list[bool] = []

    def look(node: Node) -> Node:
        found.append(node["type"] in ("any", "default"))
        return node

    rewritten(schema, look)
    return any(found)


def _says_open(node: Mapping[str, Any]) -> bool:
    says_allow = node.get("config", {}).get("extra_fields_behavior") == "allow"
    return says_allow or getattr(node.get("cls"), "__closed__", None) is False
