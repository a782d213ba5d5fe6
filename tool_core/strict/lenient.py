"""Lenient forms: the author's schema, changed only where a provider refuses it anyway. Layer 3."""

from __future__ import annotations

import json
from collections.abc import Iterator, Set
from dataclasses import dataclass
from typing import Any

from tool_core.errors import UnsupportedSchemaError
from tool_core.strict.descriptors import FormatDescriptor
from tool_core.strict.documents import Document
from tool_core.strict.json_types import LISTS
from tool_core.strict.references import MAPPINGS, REFERENCES, Pointer, fragment
from tool_core.strict.renaming import NAMING, Renaming, rename_properties, renamed_properties
from tool_core.strict.rewrites import WORDS, Rewrites
from tool_core.strict.shapes import Constraint
from tool_core.strict.walks import placed_subschemas, subschemas
from tool_core.strict.wires import MismatchError, Wire

_COMBINATORS = ("anyOf", "oneOf", "allOf", "not", "enum", "const", "if", *REFERENCES)
_DEFINITIONS = ("$defs", "definitions")
_OF_DOCUMENT = (*_DEFINITIONS, "$schema", "$id", "id")
_WRAPPING = ("properties", "value")
_MODERN_TUPLE: dict[str | int, str] = {"items": "prefixItems", "additionalItems": "items"}
_BY_PATTERN = ("patternProperties", "additionalProperties", "unevaluatedProperties", "propertyNames")


@dataclass(frozen=True, slots=True)
class Moves:
    """Where the parts of a schema go."""

    names: dict[str, str]
    is_modern: bool
    is_wrapped: bool

    def of(self, root: Any, pointer: Pointer) -> Pointer:
        """Say where the part at a pointer will be."""
        part, mapping = root, ""
        steps: list[str | int] = []
        for step in pointer:
            is_tuple = isinstance(part, dict) and isinstance(part.get("items"), list)
            if mapping in NAMING:
                steps.append(self.names.get(str(step), step))
            elif not mapping and is_tuple and self.is_modern:
                steps.append(_MODERN_TUPLE.get(step, step))
            else:
                steps.append(step)
            mapping = str(step) if not mapping and isinstance(part, dict) and step in MAPPINGS else ""
            part = part[step]
        is_inside = self.is_wrapped and not (steps and steps[0] in _DEFINITIONS)
        return (*_WRAPPING, *steps) if is_inside else tuple(steps)


def lenient_wire(document: Document, descriptor: FormatDescriptor) -> tuple[Wire, Rewrites, list[Constraint]]:
    """Keep the schema, with an object at the root and property names that the provider takes."""
    if descriptor.family is not None:  # what its draft does not know must not come to mean something
        document = document.heeded()
    root = document.root if isinstance(document.root, dict) else ({} if document.root else {"not": {}})
    names = renamed_properties(root, descriptor.property_name)
    is_wrapped = descriptor.root_object and not _has_object_root(root)
    lost = list(_speaking_of_names(root, names)) if names else []
    if descriptor.family == "openai":
        lost += _evaluating_items(root)
    moves = Moves(names, descriptor.family is not None, is_wrapped)
    schema = _rewritten(document, root, descriptor, moves, lost)
    rewrites: Rewrites = {}
    if names:
        rewrites["", "renamed"] = ", ".join(f"{name!r} is named {wire!r}" for name, wire in names.items())
    if is_wrapped:
        rewrites["", "root"] = WORDS["root"]
    renaming = Renaming(document, names)

    def lift(value: Any) -> Any:
        if is_wrapped:
            if not isinstance(value, dict) or "value" not in value:
                raise MismatchError("an object with the key 'value'", value)
            value = value["value"]
        return renaming.lift(value) if names else value

    def lower(value: Any) -> Any:
        inner = renaming.lower(value) if names else value
        return {"value": inner} if is_wrapped else inner

    is_identity = not is_wrapped and not names
    return Wire(schema, lift, lower, lambda _: True, frozenset(), is_identity), rewrites, lost


def _rewritten(
    document: Document, root: Any, descriptor: FormatDescriptor, moves: Moves, lost: list[Constraint]
) -> Any:
    """Change a copy of the schema, references first: they are read where they stand."""
    schema = json.loads(json.dumps(root))
    for pointer, keyword, _ in lost:
        if keyword in LISTS:  # a value with the old names in it would mislead
            del _at(schema, pointer)[keyword]
    _redirect(schema, document, moves)
    if moves.is_modern:
        _modernise(schema, document.ignores_ref_siblings)
    if descriptor.family == "openai":
        _give_items(schema)
    for node in subschemas(schema) if moves.names else ():
        rename_properties(node, moves.names)
    if moves.is_wrapped:
        return _wrapped(schema)
    if descriptor.root_object:
        schema.setdefault("properties", {})
    return schema


def _has_object_root(schema: dict[str, Any]) -> bool:
    return schema.get("type") == "object" and not any(key in schema for key in _COMBINATORS)


def _wrapped(schema: dict[str, Any]) -> dict[str, Any]:
    """Wrap a root; what concerns the whole document stays outside."""
    outside = {key: schema.pop(key) for key in _OF_DOCUMENT if key in schema}
    return {"type": "object", "properties": {"value": schema}, "required": ["value"], **outside}


def _speaking_of_names(root: Any, names: dict[str, str]) -> Iterator[Constraint]:
    """Find what speaks of the keys of an object otherwise than by declaring them."""
    keys = names.keys() | set(names.values())
    for pointer, node in placed_subschemas(root):
        for keyword in _BY_PATTERN if "patternProperties" in node else ("propertyNames",):
            if keyword in node:
                yield pointer, keyword, node[keyword]
        for keyword in LISTS & node.keys():
            if _has_key(node[keyword], keys):
                yield pointer, keyword, node[keyword]


def _evaluating_items(root: Any) -> Iterator[Constraint]:
    """Find what asks for items that nothing else speaks of: once `items` are given, there are none."""
    for pointer, node in placed_subschemas(root):
        if "unevaluatedItems" in node:
            yield pointer, "unevaluatedItems", node["unevaluatedItems"]


def _has_key(value: Any, keys: Set[str]) -> bool:
    pending = [value]
    while pending:
        part = pending.pop()
        if isinstance(part, dict):
            if not keys.isdisjoint(part):
                return True
            pending += part.values()
        elif isinstance(part, list):
            pending += part
    return False


def _redirect(schema: Any, document: Document, moves: Moves) -> None:
    """Let references that count steps lead to where their targets will be."""

    def is_decided(pointer: Pointer) -> bool:
        is_recursive = "$recursiveRef" in node and document.references.draft == "2019-09"
        return is_recursive and not document.undecided(pointer)

    for pointer in document.references.referring:
        node = _at(schema, pointer)
        if moves.is_modern and "$ref" not in node and is_decided(pointer):
            node["$ref"] = node.pop("$recursiveRef")
        try:
            resource, target = document.references.counted(pointer, node.get("$ref"))
        except UnsupportedSchemaError:
            continue
        if target is not None:
            address = node["$ref"].partition("#")[0]
            base = moves.of(document.root, resource) if resource else ()
            steps = moves.of(document.root, target)[len(base) :]
            if steps != target[len(resource) :]:
                node["$ref"] = f"{address}#{fragment(steps)}"


def _at(schema: Any, pointer: Pointer) -> Any:
    for step in pointer:
        schema = schema[step]
    return schema


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
