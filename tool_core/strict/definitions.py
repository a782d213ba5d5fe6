"""The definitions of a wire schema: their names, who refers to them, and the order of properties. Layer 3."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from tool_core.strict.wires import Schema


def with_ordering(schema: Any) -> Any:
    """Write down the order of properties wherever there are some."""
    if isinstance(schema, list):
        return [with_ordering(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    is_object = schema.get("type") == "object" and isinstance(schema.get("properties"), dict)
    inner = {key: _ordered_inside(key, value) for key, value in schema.items()}
    return {**inner, "propertyOrdering": list(schema["properties"])} if is_object else inner


def _ordered_inside(key: str, value: Any) -> Any:
    if key in ("properties", "$defs"):
        return {name: with_ordering(child) for name, child in value.items()}
    return with_ordering(value) if key in ("items", "anyOf", "prefixItems") else value


def reachable(schema: Schema, definitions: dict[str, Schema]) -> dict[str, Schema]:
    """Keep the definitions that are referred to, in the order in which they were written."""
    found: set[str] = set()
    pending: list[Schema] = [schema]
    while pending:
        named = {name for name in _references(pending.pop()) if name in definitions} - found
        found |= named
        pending += [definitions[name] for name in named]
    return {name: body for name, body in definitions.items() if name in found}


def reference_counts(schema: Schema) -> Mapping[str, int]:
    """Count how often each definition is referred to."""
    return Counter(_references(schema))


def _references(schema: Any) -> Iterator[str]:
    pending: list[Any] = [schema]
    while pending:
        part = pending.pop()
        if isinstance(part, list):
            pending += part
        elif isinstance(part, dict):
            if isinstance(part.get("$ref"), str):
                yield part["$ref"].removeprefix("#/$defs/")
            pending += part.values()


def definition_name(wanted: str) -> str:
    """Make a legal name of what the author calls a definition."""
    return re.sub(r"[^A-Za-z0-9_]", "_", wanted)[:60] or "Definition"
