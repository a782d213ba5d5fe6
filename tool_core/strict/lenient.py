"""Lenient forms: the author's schema, changed only where a provider refuses it anyway. Layer 3."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from tool_core.strict.descriptors import FormatDescriptor
from tool_core.strict.documents import Document
from tool_core.strict.rewrites import WORDS, Rewrites
from tool_core.strict.wires import MismatchError, Wire

_COMBINATORS = ("anyOf", "oneOf", "allOf", "not", "enum", "const", "if", "$ref")
_DEFINITIONS = ("$defs", "definitions")
_DATA = ("const", "default", "enum", "examples")


def lenient_wire(document: Document, descriptor: FormatDescriptor) -> tuple[Wire, Rewrites]:
    """Keep the schema, with an object at the root and property names that the provider takes."""
    root = document.root if isinstance(document.root, dict) else ({} if document.root else {"not": {}})
    schema: Any = json.loads(json.dumps(root))
    rewrites: Rewrites = {}
    if descriptor.family in ("anthropic", "openai", "google"):
        _modernise(schema, document.ignores_ref_siblings)
    if descriptor.family == "openai":
        _give_items(schema)
    names = _renamed(schema, descriptor.property_name)
    if names:
        rewrites["", "renamed"] = ", ".join(f"{name!r} is named {wire!r}" for name, wire in names.items())
    is_wrapped = descriptor.root_object and not _has_object_root(schema)
    if is_wrapped:
        schema = _wrapped(schema)
        rewrites["", "root"] = WORDS["root"]
    elif descriptor.root_object:
        schema.setdefault("properties", {})
    back = {wire: name for name, wire in names.items()}

    def lift(value: Any) -> Any:
        if is_wrapped:
            if not isinstance(value, dict) or "value" not in value:
                raise MismatchError("an object with the key 'value'", value)
            value = value["value"]
        return _with_keys(value, back) if back else value

    def lower(value: Any) -> Any:
        inner = _with_keys(value, names) if names else value
        return {"value": inner} if is_wrapped else inner

    return Wire(schema, lift, lower, lambda _: True, frozenset(), not is_wrapped and not names), rewrites


def _has_object_root(schema: dict[str, Any]) -> bool:
    return schema.get("type") == "object" and not any(key in schema for key in _COMBINATORS)


def _wrapped(schema: dict[str, Any]) -> dict[str, Any]:
    """Wrap a root; references to it or into it must then lead one step further."""
    lifted = {key: schema.pop(key) for key in (*_DEFINITIONS, "$schema") if key in schema}
    _redirect([schema, *lifted.values()])
    return {"type": "object", "properties": {"value": schema}, "required": ["value"], **lifted}


def _redirect(parts: list[Any]) -> None:
    pending = list(parts)
    while pending:
        part = pending.pop()
        if isinstance(part, dict):
            reference = part.get("$ref")
            if isinstance(reference, str) and _points_into_root(reference):
                part["$ref"] = "#/properties/value" + reference.removeprefix("#")
            pending += [
                child for key, child in part.items() if key not in ("const", "enum", "default", "examples")
            ]
        elif isinstance(part, list):
            pending += part


def _points_into_root(reference: str) -> bool:
    if reference == "#":
        return True
    return reference.startswith("#/") and reference.split("/")[1] not in _DEFINITIONS


def _modernise(schema: Any, ref_stands_alone: bool) -> None:
    """Spell draft-4 and draft-7 tuples and bounds as draft 2020-12 does, which providers check against."""
    for node in subschemas(schema):
        if ref_stands_alone and "$ref" in node:
            for key in node.keys() - {"$ref", "description", "title", *_DEFINITIONS}:
                del node[key]
        if isinstance(node.get("items"), list):
            node["prefixItems"] = node.pop("items")
            if "additionalItems" in node:
                node["items"] = node.pop("additionalItems")
        if isinstance(node.get("required"), bool):
            del node["required"]
        _modernise_bounds(node)
    if isinstance(schema.get("$schema"), str):
        del schema["$schema"]


def _give_items(schema: Any) -> None:
    """Say that an array holds anything: without `items` OpenAI refuses the request, strict or not."""
    for node in subschemas(schema):
        kinds = node.get("type")
        if kinds == "array" or (isinstance(kinds, list) and "array" in kinds):
            node.setdefault("items", {})


def _modernise_bounds(node: dict[str, Any]) -> None:
    for bound, flag in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
        if node.get(flag) is True and bound in node:
            node[flag] = node.pop(bound)
        elif isinstance(node.get(flag), bool):
            del node[flag]


def subschemas(schema: Any) -> Iterator[dict[str, Any]]:
    """Walk a schema and the schemas inside it; what is not an object is passed over.

    >>> [part["type"] for part in subschemas({"type": "array", "items": {"type": "string"}})]
    ['array', 'string']
    """
    pending = [schema]
    while pending:
        node = pending.pop()
        if not isinstance(node, dict):
            continue
        yield node
        for key in ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas"):
            pending += node[key].values() if isinstance(node.get(key), dict) else []
        for key in ("anyOf", "oneOf", "allOf", "prefixItems", "items"):
            pending += node[key] if isinstance(node.get(key), list) else []
        for key in (
            "items",
            "additionalProperties",
            "additionalItems",
            "not",
            "if",
            "then",
            "else",
            "contains",
            "propertyNames",
            "unevaluatedItems",
            "unevaluatedProperties",
        ):
            pending.append(node.get(key))


def _renamed(schema: Any, pattern: str | None) -> dict[str, str]:
    """Replace illegal property names throughout; each gets a name that occurs nowhere else."""
    if pattern is None:
        return {}
    legal = re.compile(pattern)
    taken = {name for node in subschemas(schema) for name in _properties(node)}
    names: dict[str, str] = {}
    for name in sorted(taken):
        if not legal.fullmatch(name):
            base = wire = re.sub(r"[^A-Za-z0-9_]", "_", name)[:50] or "_"
            number = 2
            while wire in taken or wire in names.values():
                wire, number = f"{base}_{number}", number + 1
            names[name] = wire
    for node in subschemas(schema) if names else ():
        if _properties(node):
            node["properties"] = {names.get(name, name): child for name, child in node["properties"].items()}
        if isinstance(node.get("required"), list):
            node["required"] = [names.get(name, name) for name in node["required"]]
    return names


def _properties(node: dict[str, Any]) -> dict[str, Any]:
    found = node.get("properties")
    return found if isinstance(found, dict) else {}


def _with_keys(value: Any, names: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {names.get(key, key): _with_keys(child, names) for key, child in value.items()}
    return [_with_keys(child, names) for child in value] if isinstance(value, list) else value
