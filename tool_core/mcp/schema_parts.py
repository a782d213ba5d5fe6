"""The parts of a JSON Schema: what its keywords hold, and what only references lead to. Layer 3."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

from mypy_plugin.schema_documents import resolved

ONE_SCHEMA = frozenset(
    {"additionalItems", "additionalProperties", "contains", "contentSchema", "else", "if", "items", "not",
     "propertyNames", "then", "unevaluatedItems", "unevaluatedProperties"}
)  # fmt: skip
SCHEMA_LISTS = frozenset({"allOf", "anyOf", "items", "oneOf", "prefixItems"})
SCHEMA_MAPS = frozenset(
    {"$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties"}
)
KEYWORDS = frozenset([
    "$anchor", "$comment", "$defs", "$dynamicAnchor", "$dynamicRef", "$id", "$ref", "$schema",
    "$vocabulary", "additionalItems", "additionalProperties", "allOf", "anyOf", "const", "contains",
    "contentEncoding", "contentMediaType", "contentSchema", "default", "definitions", "dependencies",
    "dependentRequired", "dependentSchemas", "deprecated", "description", "else", "enum", "examples",
    "exclusiveMaximum", "exclusiveMinimum", "format", "if", "items", "maxContains", "maxItems", "maxLength",
    "maxProperties", "maximum", "minContains", "minItems", "minLength", "minProperties", "minimum",
    "multipleOf", "not", "oneOf", "pattern", "patternProperties", "prefixItems", "properties",
    "propertyNames", "readOnly", "required", "then", "title", "type", "unevaluatedItems",
    "unevaluatedProperties", "uniqueItems", "writeOnly",
])  # fmt: skip
ANNOTATIONS = frozenset(
    {"$comment", "default", "deprecated", "description", "examples", "readOnly", "title", "writeOnly"}
)
"""Keywords that say something of values, and refuse none."""
REFERENCES = frozenset({"$dynamicRef", "$recursiveRef", "$ref"})


def schema_parts(schema: Any) -> Iterator[dict[str, Any]]:
    """Walk a schema and the schemas inside it, each once and before its own parts.

    >>> document = {"items": {"$ref": "#/components/A"}, "components": {"A": {"type": "string"}}}
    >>> [sorted(part) for part in schema_parts(document)]
    [['components', 'items'], ['$ref'], ['type']]
    """
    pending: list[Any] = [schema]
    seen: set[int] = set()
    while pending:
        part = pending.pop()
        if isinstance(part, dict) and id(part) not in seen:
            seen.add(id(part))
            yield part
            pending += _inside(part)
            pending += [found[1] for target in references_in(part) if (found := resolved(schema, target))]


def references_in(part: dict[str, Any]) -> Iterator[str]:
    """List where the references of one part lead.

    >>> list(references_in({"$ref": "#/$defs/A", "items": {"$ref": "#"}}))
    ['#/$defs/A']
    """
    yield from (part[key] for key in REFERENCES if isinstance(part.get(key), str))


def steps_of(target: str) -> list[str]:
    """List the keys that a reference leads through; it gives meaning to whatever they hold.

    >>> steps_of("#/components/a%20b"), steps_of("#name")
    (['components', 'a b'], [])
    """
    return [step.replace("~1", "/").replace("~0", "~") for step in unquote(target).split("/")[1:]]


def _inside(part: dict[str, Any]) -> Iterator[Any]:
    for keyword, value in part.items():
        if keyword in SCHEMA_MAPS and isinstance(value, dict):
            yield from value.values()
        elif keyword in SCHEMA_LISTS and isinstance(value, list):
            yield from value
        elif keyword in ONE_SCHEMA:
            yield value
