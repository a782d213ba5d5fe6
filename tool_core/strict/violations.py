"""An independent checker of the dialects: what a provider would refuse, read off its documentation. Layer 3.

Written against the providers' rules, not against the rewriter: it shares no code with it and knows
the three families by name, so that a mistake in a descriptor does not hide itself here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from tool_core.strict.descriptors import FormatDescriptor

_SCALARS = ("string", "number", "integer", "boolean", "null")
_ANNOTATIONS = {"title", "description"}
_BOUNDS = {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}
_FORMATS = {"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}

_ALLOWED: dict[str, dict[str, set[str]]] = {
    "openai": {
        "object": {"properties", "required", "additionalProperties"},
        "array": {"items", "minItems", "maxItems"},
        "string": {"enum", "const", "pattern", "format"},
        "number": {"enum", "const", *_BOUNDS},
        "integer": {"enum", "const", *_BOUNDS},
        "boolean": {"enum", "const"},
        "null": {"enum", "const"},
    },
    "anthropic": {
        "object": {"properties", "required", "additionalProperties"},
        "array": {"items", "minItems"},
        "string": {"enum", "const", "pattern", "format"},
        "number": {"enum", "const"},
        "integer": {"enum", "const"},
        "boolean": {"enum", "const"},
        "null": {"enum", "const"},
    },
    "google": {
        "object": {"properties", "required", "additionalProperties", "propertyOrdering"},
        "array": {"items", "prefixItems", "minItems", "maxItems"},
        "string": {"enum", "format"},
        "number": {"enum", "minimum", "maximum"},
        "integer": {"enum", "minimum", "maximum"},
        "boolean": set(),
        "null": set(),
    },
}
_NAMES = {
    "anthropic": re.compile(r"[a-zA-Z0-9_.-]{1,64}\Z"),
    "google": re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}\Z"),
}


@dataclass(frozen=True, slots=True)
class Violation:
    """A place that the provider would refuse, and its rule."""

    pointer: str
    rule: str


def dialect_violations(schema: dict[str, Any], descriptor: FormatDescriptor) -> list[Violation]:
    """List everything for which the provider would refuse a schema.

    >>> from tool_core.strict import OPENAI_STRICT
    >>> dialect_violations({"type": "object", "properties": {"a": {"type": "string"}}}, OPENAI_STRICT)[0].rule
    'additionalProperties must be false'
    """
    family = descriptor.family or "openai"
    if not descriptor.strict:
        return list(_lenient_root(schema, family)) if descriptor.family else []
    found = [*_root(schema), *_walk(schema, "", family, schema)]
    found += _recursion(schema, family)
    return found + list(_limits(schema, descriptor))


def _lenient_root(schema: dict[str, Any], family: str) -> Iterator[Violation]:
    if schema.get("type") != "object":
        yield Violation("", "the root must be an object")
    for key in ("anyOf", "oneOf", "allOf", "$ref", "enum", "not"):
        if key in schema:
            yield Violation("", f"{key!r} is not allowed at the root")
    if "properties" not in schema:
        yield Violation("", "the root must have properties")
    if family == "anthropic":
        for name in schema.get("properties", {}):
            if not _NAMES["anthropic"].match(name):
                yield Violation(f"/properties/{name}", "the property name is not allowed")


def _root(schema: dict[str, Any]) -> Iterator[Violation]:
    if schema.get("type") != "object" or "anyOf" in schema or "$ref" in schema:
        yield Violation("", "the root must be an object without combinators")


def _walk(node: Any, at: str, family: str, root: dict[str, Any]) -> Iterator[Violation]:
    if not isinstance(node, dict):
        yield Violation(at, "a schema must be an object")
        return
    if "$ref" in node:
        yield from _reference(node, at, family, root)
    elif "anyOf" in node:
        yield from _any_of(node, at, family, root)
    elif family == "google" and not node.keys() - _ANNOTATIONS:
        return  # any value
    else:
        yield from _typed(node, at, family, root)
    for name, child in node.get("$defs", {}).items() if at == "" else ():
        yield from _walk(child, f"/$defs/{name}", family, root)
    if "$defs" in node and at != "":
        yield Violation(at, "definitions must stand at the root")


def _reference(node: dict[str, Any], at: str, family: str, root: dict[str, Any]) -> Iterator[Violation]:
    target = node["$ref"]
    name = target.removeprefix("#/$defs/") if isinstance(target, str) else None
    if target != "#" and name not in root.get("$defs", {}):
        yield Violation(at, f"the reference {target!r} points nowhere")
    others = node.keys() - {"$ref"} - (_ANNOTATIONS if family == "anthropic" else set())
    if others:
        yield Violation(at, f"{sorted(others)[0]!r} is not allowed beside $ref")


def _any_of(node: dict[str, Any], at: str, family: str, root: dict[str, Any]) -> Iterator[Violation]:
    others = node.keys() - {"anyOf", "$defs"} - _ANNOTATIONS
    if others:
        yield Violation(at, f"{sorted(others)[0]!r} is not allowed beside anyOf")
    if not node["anyOf"]:
        yield Violation(at, "anyOf must not be empty")
    for index, child in enumerate(node["anyOf"]):
        yield from _walk(child, f"{at}/anyOf/{index}", family, root)


def _typed(node: dict[str, Any], at: str, family: str, root: dict[str, Any]) -> Iterator[Violation]:
    kinds = node.get("type")
    listed: list[str] = kinds if isinstance(kinds, list) else [str(kinds)]
    known = _ALLOWED[family]
    if not listed or any(kind not in known for kind in listed):
        yield Violation(at, f"type must be a JSON type, not {kinds!r}")
        return
    allowed = set().union(*(known[kind] for kind in listed)) | _ANNOTATIONS | {"type", "$defs"}
    for keyword in sorted(node.keys() - allowed):
        yield Violation(at, f"{keyword!r} is not allowed for {kinds!r}")
    for kind in listed:
        check = _CHECKS.get(kind)
        if check is not None:
            yield from check(node, at, family, root)
    yield from _enum(node, at, family)


def _object(node: dict[str, Any], at: str, family: str, root: dict[str, Any]) -> Iterator[Violation]:
    properties = node.get("properties")
    if not isinstance(properties, dict):
        yield Violation(at, "an object must have properties")
        return
    if node.get("additionalProperties") is not False:
        yield Violation(at, "additionalProperties must be false")
    required = node.get("required", [])
    if family == "openai" and set(required) != set(properties):
        yield Violation(at, "every property must be required")
    for name in required:
        if name not in properties:
            yield Violation(at, f"the required property {name!r} is not declared")
    if family == "google" and list(node.get("propertyOrdering", [])) != list(properties):
        yield Violation(at, "propertyOrdering must list the properties in order")
    for name, child in properties.items():
        if family in _NAMES and not _NAMES[family].match(name):
            yield Violation(f"{at}/properties/{name}", "the property name is not allowed")
        yield from _walk(child, f"{at}/properties/{name}", family, root)


def _array(node: dict[str, Any], at: str, family: str, root: dict[str, Any]) -> Iterator[Violation]:
    if not isinstance(node.get("items"), dict):
        yield Violation(at, "an array must have items, as one schema")
    else:
        yield from _walk(node["items"], f"{at}/items", family, root)
    for index, child in enumerate(node.get("prefixItems", [])):
        yield from _walk(child, f"{at}/prefixItems/{index}", family, root)
    if family == "anthropic" and node.get("minItems", 0) not in (0, 1):
        yield Violation(at, "minItems must be 0 or 1")


def _string(node: dict[str, Any], at: str, family: str, _: dict[str, Any]) -> Iterator[Violation]:
    formats = {"openai": _FORMATS, "anthropic": _FORMATS | {"uri"}, "google": {"date-time", "date", "time"}}
    if "format" in node and node["format"] not in formats[family]:
        yield Violation(at, f"the format {node['format']!r} is not allowed")
    pattern = node.get("pattern", "")
    if family == "openai" and re.search(r"\(\?[=!<]", pattern):
        yield Violation(at, "a pattern must not look around")
    if family == "anthropic" and re.search(r"\(\?[=!<]|\\[bB1-9]", pattern):
        yield Violation(at, "a pattern must be simple")


def _enum(node: dict[str, Any], at: str, family: str) -> Iterator[Violation]:
    values = node.get("enum", [])
    if "enum" in node and not values:
        yield Violation(at, "enum must not be empty")
    if any(isinstance(value, dict | list) for value in values):
        yield Violation(at, "enum must hold scalars")
    if family == "google" and (any(isinstance(value, bool) for value in values) or len(values) > 40):
        yield Violation(at, "enum must hold at most 40 texts or numbers")


_CHECKS: dict[str, Callable[[dict[str, Any], str, str, dict[str, Any]], Iterator[Violation]]] = {
    "object": _object,
    "array": _array,
    "string": _string,
}


def _recursion(schema: dict[str, Any], family: str) -> Iterator[Violation]:
    """Look for reference cycles: Anthropic takes none, Google only below optional properties."""
    if family == "openai":
        return
    definitions = schema.get("$defs", {})
    links = {name: list(_links(body, family)) for name, body in definitions.items()}
    for name in definitions:
        seen: set[str] = set()
        pending = list(links[name])
        while pending:
            target = pending.pop()
            if target == name:
                yield Violation(f"/$defs/{name}", "a definition must not refer to itself")
                break
            if target not in seen:
                seen.add(target)
                pending += links.get(target, [])


def _links(node: Any, family: str) -> Iterator[str]:
    if not isinstance(node, dict):
        return
    if isinstance(node.get("$ref"), str):
        yield node["$ref"].removeprefix("#/$defs/")
    required = node.get("required", [])
    for name, child in node.get("properties", {}).items():
        if family == "anthropic" or name in required:
            yield from _links(child, family)
    for child in (*node.get("anyOf", []), *node.get("prefixItems", []), node.get("items")):
        yield from _links(child, family)


def _limits(schema: dict[str, Any], descriptor: FormatDescriptor) -> Iterator[Violation]:
    if descriptor.family != "openai":
        return
    from tool_core.strict.sizes import measured

    reason = measured(schema).excess(descriptor.limits)
    if reason:
        yield Violation("", reason)
