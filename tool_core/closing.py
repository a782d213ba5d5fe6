"""Make a pydantic core schema agree with its JSON Schema: records that do not say so are closed. Layer 1.

As pydantic builds them, records drop the keys they do not know, and numbers may be infinite.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, cast

from pydantic_core import CoreSchema

Node: TypeAlias = dict[str, Any]

_CHILDREN = frozenset(
    {
        "schema", "fields", "items_schema", "keys_schema", "values_schema", "choices", "steps", "definitions",
        "extras_schema", "json_schema", "python_schema", "lax_schema", "strict_schema", "arguments_schema",
    }
)  # fmt: skip


def closed(schema: CoreSchema) -> CoreSchema:
    """Return the core schema with every record closed that does not say that it is open."""
    return cast(CoreSchema, rewritten(schema, _settled))


def rewritten(node: Any, settle: Callable[[Node], Node]) -> Any:
    """Copy a core schema from the leaves up, passing each schema node through `settle`."""
    if isinstance(node, list):
        return [rewritten(item, settle) for item in node]
    if isinstance(node, tuple):
        return tuple(rewritten(item, settle) for item in node)
    if not isinstance(node, Mapping):
        return node
    if "type" not in node or isinstance(node["type"], Mapping):  # the fields of a record, by name
        return {key: rewritten(value, settle) for key, value in node.items()}
    inner = {key: rewritten(value, settle) for key, value in node.items() if key in _CHILDREN}
    return settle({**node, **inner})


def record_of(node: Mapping[str, Any]) -> Node:
    """Return the node that holds the fields of a model, a dataclass or a TypedDict."""
    while node["type"] not in ("typed-dict", "model-fields", "dataclass-args") and "schema" in node:
        node = node["schema"]
    return cast(Node, node)


def _settled(node: Node) -> Node:
    kind = node["type"]
    if kind == "float":
        node.setdefault("allow_inf_nan", False)
    elif kind in ("typed-dict", "model", "dataclass"):
        record = record_of(node)
        record.pop("computed_fields", None)  # what is written must be what is read
        if record.get("extra_behavior") != "allow":
            record["extra_behavior"] = "allow" if _says_open(node) else "forbid"
    return node


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
