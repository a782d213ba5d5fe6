"""The schemas inside a schema. Layer 3."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tool_core.strict.references import Pointer

_NAMED = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies")
_LISTED = ("anyOf", "oneOf", "allOf", "prefixItems", "items")
_SINGLE = (
    "items", "additionalProperties", "additionalItems", "not", "if", "then", "else", "contains",
    "propertyNames", "unevaluatedItems", "unevaluatedProperties",
)  # fmt: skip


def subschemas(schema: Any) -> Iterator[dict[str, Any]]:
    """Walk a schema and the schemas inside it; what is not an object is passed over.

    >>> [part["type"] for part in subschemas({"type": "array", "items": {"type": "string"}})]
    ['array', 'string']
    """
    return (node for _, node in placed_subschemas(schema))


def placed_subschemas(schema: Any) -> Iterator[tuple[Pointer, dict[str, Any]]]:
    """Walk a schema and the schemas inside it, each with its pointer."""
    pending: list[tuple[Pointer, Any]] = [((), schema)]
    while pending:
        pointer, node = pending.pop()
        if not isinstance(node, dict):
            continue
        yield pointer, node
        for key in _NAMED:
            if isinstance(node.get(key), dict):
                pending += [((*pointer, key, name), child) for name, child in node[key].items()]
        for key in _LISTED:
            if isinstance(node.get(key), list):
                pending += [((*pointer, key, index), child) for index, child in enumerate(node[key])]
        for key in _SINGLE:
            if isinstance(node.get(key), dict):
                pending.append(((*pointer, key), node[key]))
