"""Reading JSON Schemas, for the rules of every provider."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError

from tests.loopback.scripts import Json

KINDS = {"object", "array", "string", "number", "integer", "boolean", "null"}
NAMED = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
LISTED = ("anyOf", "oneOf", "allOf", "prefixItems")
SINGLE = ("items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames",
          "unevaluatedProperties", "unevaluatedItems")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Node:
    """A schema inside a schema, and the way to it."""

    path: tuple[str, ...]
    schema: Any

    @property
    def is_root(self) -> bool:
        return not self.path

    @property
    def kinds(self) -> list[str]:
        kinds = self.schema.get("type") if isinstance(self.schema, dict) else None
        return kinds if isinstance(kinds, list) else [kinds] if isinstance(kinds, str) else []


def nodes(schema: Any, path: tuple[str, ...] = ()) -> Iterator[Node]:
    """Walk over every schema in a schema; a property that is called like a keyword is no keyword."""
    yield Node(path, schema)
    if not isinstance(schema, dict):
        return
    for keyword in NAMED:
        if isinstance(named := schema.get(keyword), dict):
            for name, child in named.items():
                yield from nodes(child, (*path, keyword, name))
    for keyword in LISTED:
        if isinstance(listed := schema.get(keyword), list):
            for index, child in enumerate(listed):
                yield from nodes(child, (*path, keyword, str(index)))
    for keyword in SINGLE:
        if isinstance(single := schema.get(keyword), dict):
            yield from nodes(single, (*path, keyword))


def target(root: Json, reference: object) -> Any:
    """Follow a local reference; None where it leads nowhere."""
    if not isinstance(reference, str) or not reference.startswith("#"):
        return None
    found: Any = root
    for step in reference[1:].split("/")[1:]:
        step = step.replace("~1", "/").replace("~0", "~")
        found = found.get(step) if isinstance(found, dict) else None
    return found


def depth(root: Json, schema: Any, seen: tuple[int, ...] = ()) -> int:
    """Count the levels of objects and arrays; a cycle is not followed twice."""
    if not isinstance(schema, dict) or id(schema) in seen:
        return 0
    within = (*seen, id(schema))
    if "$ref" in schema:
        return depth(root, target(root, schema["$ref"]), within)
    level = int("properties" in schema or "items" in schema)
    inner = [*schema.get("properties", {}).values(), *schema.get("anyOf", []), schema.get("items")]
    return level + max((depth(root, child, within) for child in inner), default=0)


def cycles(root: Json, schema: Any, through: Any, seen: tuple[str, ...] = ()) -> Iterator[str]:
    """Find the references that lead back to themselves; `through` chooses the properties to follow."""
    if not isinstance(schema, dict):
        return
    reference = schema.get("$ref")
    if isinstance(reference, str):
        if reference in seen:
            yield reference
        else:
            yield from cycles(root, target(root, reference), through, (*seen, reference))
    inner = [child for name, child in schema.get("properties", {}).items() if through(schema, name)]
    inner += [*schema.get("anyOf", []), *schema.get("prefixItems", []), schema.get("items")]
    for child in inner:
        yield from cycles(root, child, through, seen)


def not_2020_12(schema: Json) -> str | None:
    """Say why a schema is not valid JSON Schema draft 2020-12, if it is not."""
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        return error.message
    return None


def misfit(value: Any, schema: Json) -> str | None:
    """Say why a value does not fit a schema, if it does not."""
    error = next(Draft202012Validator(schema).iter_errors(value), None)
    return None if error is None else f"{error.json_path}: {error.message}"


def json_kind(value: object) -> str:
    """Name the JSON type of a value."""
    names = {bool: "boolean", int: "integer", float: "number", str: "string", list: "array", dict: "object"}
    return names.get(type(value), "null")


def looks_around(pattern: str) -> bool:
    """Tell whether a regular expression looks ahead or behind."""
    return re.search(r"\(\?<?[=!]", pattern) is not None
