"""Property names that a provider refuses, renamed where they are declared and nowhere else. Layer 3.

The place of a value is the set of schemas that may apply to it. Where one of them speaks of a name
that is renamed, the name and its replacement change places, so that no key meets another; all other
keys are the caller's own and travel as they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeAlias, cast

from tool_core.errors import UnsupportedSchemaError
from tool_core.strict.documents import Document
from tool_core.strict.free_names import wire_names
from tool_core.strict.patterns import matches
from tool_core.strict.references import Pointer
from tool_core.strict.walks import subschemas

Place: TypeAlias = "frozenset[Pointer]"

NAMING = ("properties", "dependentRequired", "dependentSchemas", "dependencies")
"""Keywords whose keys are the names of properties."""


def renamed_properties(schema: Any, pattern: str | None) -> dict[str, str]:
    """Choose a legal name for each illegal one of which a schema speaks; it occurs nowhere else."""
    if pattern is None:
        return {}
    named = {name for node in subschemas(schema) for name in properties_named_in(node)}
    return {name: wire for name, wire in wire_names(sorted(named), pattern).items() if name != wire}


def properties_named_in(node: dict[str, Any]) -> Iterator[str]:
    """List the properties of which one schema speaks by name."""
    yield from _texts(node.get("required"))
    for keyword in NAMING:
        for name, child in _mapping(node, keyword).items():
            yield name
            yield from _texts(child)


def rename_properties(node: dict[str, Any], names: dict[str, str]) -> None:
    """Rename the properties of which one schema speaks."""
    if isinstance(node.get("required"), list):
        node["required"] = [names.get(name, name) for name in _texts(node["required"])]
    for keyword in NAMING:
        if _mapping(node, keyword):
            node[keyword] = {
                names.get(name, name): [names.get(item, item) for item in _texts(child)]
                if isinstance(child, list)
                else child
                for name, child in node[keyword].items()
            }


@dataclass(frozen=True, slots=True, eq=False)
class Renaming:
    """Converts the keys of values."""

    document: Document
    names: dict[str, str]
    _whole: dict[Place, Place] = field(default_factory=dict)
    _swaps: dict[Place, dict[str, str]] = field(default_factory=dict)

    def lower(self, value: Any) -> Any:
        """Give the properties of a value the names that the provider takes."""
        return self._converted(value, frozenset({()}), is_wire=False)

    def lift(self, value: Any) -> Any:
        """Give the properties of a value on the wire the names that the author knows."""
        return self._converted(value, frozenset({()}), is_wire=True)

    def _converted(self, value: Any, place: Place, is_wire: bool) -> Any:
        if not place or not isinstance(value, dict | list):
            return value
        place = self._applying(place)
        if isinstance(value, list):
            return [
                self._converted(child, frozenset(self._items(place, index)), is_wire)
                for index, child in enumerate(value)
            ]
        swap = self._swap(place)
        result: dict[str, Any] = {}
        for key, child in cast("dict[str, Any]", value).items():
            other = swap.get(key, key)
            name: str = other if is_wire else key
            below = frozenset(self._values(place, name))
            result[other] = self._converted(child, below, is_wire)
        return result

    def _swap(self, place: Place) -> dict[str, str]:
        """Say which keys change places with which."""
        if place not in self._swaps:
            named = {name for pointer in place for name in properties_named_in(self._part(pointer))}
            names = {name: self.names[name] for name in named if name in self.names}
            self._swaps[place] = names | {wire: name for name, wire in names.items()}
        return self._swaps[place]

    def _applying(self, place: Place) -> Place:
        """Add the schemas that apply to the same value."""
        if place not in self._whole:
            found, pending = set(place), list(place)
            while pending:
                new = set(self._beside(pending.pop())) - found
                found |= new
                pending += new
            self._whole[place] = frozenset(found)
        return self._whole[place]

    def _beside(self, pointer: Pointer) -> Iterator[Pointer]:
        part = self._part(pointer)
        with suppress(UnsupportedSchemaError):  # what cannot be resolved speaks of nothing
            yield from self.document.targets(pointer)
        for keyword in ("allOf", "anyOf", "oneOf"):
            if isinstance(part.get(keyword), list):
                yield from ((*pointer, keyword, index) for index in range(len(part[keyword])))
        for keyword in ("not", "if", "then", "else"):
            if keyword in part:
                yield (*pointer, keyword)
        for keyword in ("dependentSchemas", "dependencies"):
            yield from ((*pointer, keyword, name) for name in _mapping(part, keyword))

    def _values(self, place: Place, key: str) -> Iterator[Pointer]:
        """Find the schemas that may apply to the value of a key."""
        for pointer in place:
            part = self._part(pointer)
            found = [
                (*pointer, "patternProperties", text)
                for text in _mapping(part, "patternProperties")
                if matches(text, key)
            ]
            if key in _mapping(part, "properties"):
                found.append((*pointer, "properties", key))
            rest = ("additionalProperties", "unevaluatedProperties") if not found else ()
            yield from found
            yield from ((*pointer, keyword) for keyword in rest if keyword in part)

    def _items(self, place: Place, index: int) -> Iterator[Pointer]:
        """Find the schemas that may apply to an item."""
        for pointer in place:
            part = self._part(pointer)
            for keyword in ("prefixItems", "items"):
                if isinstance(part.get(keyword), list) and index < len(part[keyword]):
                    yield (*pointer, keyword, index)
            for keyword in ("items", "additionalItems", "contains", "unevaluatedItems"):
                if isinstance(part.get(keyword), dict):
                    yield (*pointer, keyword)

    def _part(self, pointer: Pointer) -> dict[str, Any]:
        part = self.document.at(pointer)
        return part if isinstance(part, dict) else {}


def _mapping(part: dict[str, Any], keyword: str) -> dict[str, Any]:
    value = part.get(keyword)
    return value if isinstance(value, dict) else {}


def _texts(listed: Any) -> list[str]:
    return [item for item in listed if isinstance(item, str)] if isinstance(listed, list) else []
