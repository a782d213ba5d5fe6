"""Make a pydantic core schema agree with its JSON Schema: records that do not say so are closed. Layer 1.

As pydantic builds them, records drop the keys they do not know, may read a field under other names
than they write it, and numbers may be infinite.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, cast

from pydantic_core import CoreSchema

from tool_core.keys import Node, key_schema

_CHILDREN = frozenset(
    {
        "schema", "fields", "items_schema", "keys_schema", "values_schema", "choices", "steps", "definitions",
        "extras_schema", "json_schema", "python_schema", "lax_schema", "strict_schema", "arguments_schema",
    }
)  # fmt: skip
_RECORDS = ("typed-dict", "model-fields", "dataclass-args")
_FIELDS = ("typed-dict-field", "model-field", "dataclass-field")
_SPELLINGS = ("validate_by_", "serialize_by_", "populate_by_", "ser_json_")
_NOT_JSON = ("generator", "complex", "is-subclass")
"""What pydantic describes in JSON Schema and then does not read, or does not write, as described."""


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
    if "config" in node:
        node["config"] = _with_one_spelling(node["config"])
    if kind == "float":
        node.setdefault("allow_inf_nan", False)
    elif "keys_schema" in node:
        node["keys_schema"] = key_schema(node["keys_schema"])
    elif kind in _FIELDS:
        return _with_one_name(node)
    elif kind in _NOT_JSON:
        raise TypeError(f"a {kind} has no JSON form")
    elif kind in ("typed-dict", "model", "dataclass") and not node.get("root_model"):
        return _with_record(node, "allow" if _says_open(node) else "forbid")
    return node


def _with_one_name(field: Node) -> Node:
    """Write a field under the name that it is read by, and not at all where it is not read."""
    read = field.get("validation_alias")
    kept = {key: value for key, value in field.items() if not key.endswith("_alias")}
    if field.get("init") is False:
        return {**kept, "serialization_exclude": True}
    if read is None:
        return field if "serialization_alias" not in field else kept
    name = _first_name(read)
    return {**kept, "validation_alias": name, "serialization_alias": name}


def _with_one_spelling(config: Mapping[str, Any]) -> Node:
    """Forget the other names and spellings that a model may read or write: only one of each is described."""
    kept = {key: value for key, value in config.items() if not key.startswith(_SPELLINGS)}
    return {**kept, "ser_json_bytes": kept["val_json_bytes"]} if "val_json_bytes" in kept else kept


def _first_name(alias: str | list[Any]) -> str:
    """Take the first of several names; a path into a value is none that a JSON Schema could say."""
    paths = [[alias]] if isinstance(alias, str) else alias if isinstance(alias[0], list) else [alias]
    name = next((path[0] for path in paths if len(path) == 1), None)
    if not isinstance(name, str):
        raise TypeError("a field that is read from a path has no JSON form")
    return name


def _with_record(node: Mapping[str, Any], behaviour: str) -> Node:
    """Settle what the record inside does with other keys, in a copy: a model's own schema is its own."""
    if node["type"] not in _RECORDS:
        inner = node.get("schema")
        return {**node} if inner is None else {**node, "schema": _with_record(inner, behaviour)}
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
