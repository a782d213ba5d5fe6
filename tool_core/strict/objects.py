"""Reading the objects of a schema: which keys they declare and which others they allow. Layer 3."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tool_core.strict.patterns import matches
from tool_core.strict.references import Pointer
from tool_core.strict.shapes import Constraint, Edge, Free, Link, Node, Object, Property, Shape, Text, Values

if TYPE_CHECKING:
    from tool_core.strict.reading import Reader

_CONDITIONAL = frozenset({"if", "then", "else", "dependentSchemas", "dependencies"})
_EVALUATING = _CONDITIONAL | {"additionalProperties", "patternProperties", "unevaluatedProperties"}
_UNHELD = (
    "minProperties", "maxProperties", "dependencies", "dependentRequired", "dependentSchemas",
)  # fmt: skip


def read_object(
    reader: Reader, atoms: tuple[Pointer, ...], residue: tuple[Constraint, ...]
) -> Iterator[Shape]:
    """Read schemas that must all hold as one object shape; nothing where no object satisfies them."""
    parts = {atom: reader.part(atom) for atom in atoms}
    required = _required(parts)
    properties: dict[str, Property] = {}
    forbidden: set[str] = set()
    for name in dict.fromkeys(
        [*(name for part in parts.values() for name in _mapping(part, "properties")), *required]
    ):
        pointers = [pointer for atom, part in parts.items() for pointer in _schemas_for(atom, part, name)]
        edge = reader.edge(pointers)
        if not edge.node.is_impossible:
            properties[name] = Property(edge, name in required)
        elif name in required:
            return
        else:
            forbidden.add(name)
    residue += tuple((atom, key, part[key]) for atom, part in parts.items() for key in _UNHELD if key in part)
    blurred = {atom for atom in parts if _is_blurred(reader, parts, atom)}
    residue += tuple(_unevaluated(reader, parts, required, blurred))
    tail, key_pattern, lost, is_narrowed = _tail(reader, parts, bool(properties), blurred)
    keys, more = _keys(reader, parts, tail, bool(properties))
    residue += lost + more
    if keys is not None and keys.node.is_impossible:  # no name is allowed, so there are no other keys
        tail, keys, key_pattern = None, None, None
    yield Object(atoms, residue, properties, tail, keys, key_pattern, frozenset(forbidden), is_narrowed)


def _required(parts: dict[Pointer, dict[str, Any]]) -> list[str]:
    """Collect what must be there, in the draft-4 spelling and in the draft-3 one."""
    found: list[str] = []
    for part in parts.values():
        listed = part.get("required")
        if isinstance(listed, list):
            found += [name for name in listed if isinstance(name, str)]
        for name, schema in _mapping(part, "properties").items():
            if isinstance(schema, dict) and schema.get("required") is True:
                found.append(name)
    return list(dict.fromkeys(found))


def _schemas_for(atom: Pointer, part: dict[str, Any], name: str) -> Iterator[Pointer]:
    """Point to what one schema applies to a property: its own, matching patterns, else the rest."""
    is_named = False
    if name in _mapping(part, "properties"):
        is_named = True
        yield (*atom, "properties", name)
    for pattern in _mapping(part, "patternProperties"):
        if matches(pattern, name):
            is_named = True
            yield (*atom, "patternProperties", pattern)
    if not is_named and isinstance(part.get("additionalProperties"), dict | bool):
        yield (*atom, "additionalProperties")


def _unevaluated(
    reader: Reader, parts: dict[Pointer, dict[str, Any]], required: list[str], blurred: set[Pointer]
) -> Iterator[Constraint]:
    """Find what is said of the rest where the rest is not just what the object does not declare.

    That is so beside patterns, where a required name is declared nowhere, and where a schema that
    it does not see declares properties.
    """
    for atom, part in parts.items():
        if "unevaluatedProperties" not in part:
            continue
        seen = _applied_by(reader, atom)
        visible = [(pointer, other) for pointer, other in parts.items() if pointer in seen]
        is_declared = all(any(any(_schemas_for(*item, name)) for item in visible) for name in required)
        is_seen = not any("properties" in other for pointer, other in parts.items() if pointer not in seen)
        if "patternProperties" in part or atom in blurred or not (is_declared and is_seen):
            yield atom, "unevaluatedProperties", part["unevaluatedProperties"]


def _is_blurred(reader: Reader, parts: dict[Pointer, dict[str, Any]], atom: Pointer) -> bool:
    """Tell whether what a schema calls unevaluated depends on more than which properties are declared."""
    if "unevaluatedProperties" not in parts[atom]:
        return False
    inner = [parts[pointer] for pointer in _applied_by(reader, atom) if pointer in parts and pointer != atom]
    return not _CONDITIONAL.isdisjoint(parts[atom]) or any(not _EVALUATING.isdisjoint(part) for part in inner)


def _applied_by(reader: Reader, atom: Pointer) -> set[Pointer]:
    """Find the schemas that a schema applies to the same object."""
    found, pending = {atom}, [atom]
    while pending:
        pointer = pending.pop()
        part = reader.part(pointer)
        beside = reader.document.targets(pointer)
        for keyword in ("allOf", "anyOf", "oneOf"):
            if isinstance(part.get(keyword), list):
                beside += [(*pointer, keyword, index) for index in range(len(part[keyword]))]
        pending += [pointer for pointer in beside if pointer not in found]
        found |= set(beside)
    return found


def _tail(
    reader: Reader, parts: dict[Pointer, dict[str, Any]], has_properties: bool, blurred: set[Pointer]
) -> tuple[Edge | None, Constraint | None, tuple[Constraint, ...], bool]:
    """Say what other keys may hold: nothing, or values of one kind; silence means nothing."""
    patterns = [(atom, text) for atom, part in parts.items() for text in _mapping(part, "patternProperties")]
    explicit = [(*atom, key) for atom, part in parts.items() if (key := _says(part, atom in blurred))]
    is_closed = any(reader.document.at(pointer) is False for pointer in explicit)
    opens = [pointer for pointer in explicit if reader.document.at(pointer) is not False]
    if is_closed and not all(
        _mapping(parts[pointer[:-1]], "patternProperties") for pointer in explicit if pointer not in opens
    ):
        return None, None, (), False
    if patterns:
        return _pattern_tail(reader, parts, patterns, opens, is_closed)
    if opens:
        edge = reader.edge(opens)
        return (None if edge.node.is_impossible else edge), None, (), False
    is_silent = not has_properties and not any("properties" in part for part in parts.values())
    if is_silent and not is_closed:
        return reader.edge([]), None, (), False
    return None, None, (), not is_closed


def _pattern_tail(
    reader: Reader,
    parts: dict[Pointer, dict[str, Any]],
    patterns: list[tuple[Pointer, str]],
    opens: list[Pointer],
    is_closed: bool,
) -> tuple[Edge | None, Constraint | None, tuple[Constraint, ...], bool]:
    groups: list[list[Pointer]] = [[(*atom, "patternProperties", text)] for atom, text in patterns]
    if opens and not is_closed:
        groups.append(opens)
    edge = reader.edge(groups[0], *groups[1:])
    atom, text = patterns[0]
    if not is_closed and not opens:
        reader.note(atom, "keys that match no pattern are not said to be allowed, so they are forbidden")
    tail = None if edge.node.is_impossible else edge
    if len(groups) > 1:  # which key goes with which kind of value is not kept
        lost = tuple((atom, "patternProperties", parts[atom]["patternProperties"]) for atom, _ in patterns)
        closing = tuple(
            (atom, "additionalProperties", part["additionalProperties"])
            for atom, part in parts.items()
            if "additionalProperties" in part
        )
        return tail, None, lost + closing, False
    return tail, (atom, "additionalProperties", text) if is_closed else None, (), False


def _keys(
    reader: Reader, parts: dict[Pointer, dict[str, Any]], tail: Edge | None, has_properties: bool
) -> tuple[Edge | None, tuple[Constraint, ...]]:
    naming = [(*atom, "propertyNames") for atom, part in parts.items() if "propertyNames" in part]
    lost = tuple((pointer[:-1], "propertyNames", reader.part(pointer)) for pointer in naming)
    if not naming or tail is None:
        return None, lost
    return _of_texts(reader.edge(naming)), lost if has_properties else ()


def _of_texts(edge: Edge) -> Edge:
    """Leave of what keys may be only texts: there are no other keys."""
    if not edge.node.is_complete:
        return edge
    branches: list[Shape] = []
    for shape in edge.node.branches:
        if isinstance(shape, Values):
            texts = tuple(value for value in shape.values if isinstance(value, str))
            branches += [replace(shape, values=texts)] if texts else []
        elif isinstance(shape, Free | Link | Text):
            branches.append(shape)
    return replace(edge, node=Node(edge.node.name, branches, True, edge.node.from_reference))


def _says(part: dict[str, Any], is_blurred: bool) -> str | None:
    keys = ("additionalProperties", "unevaluatedProperties")[: 1 if is_blurred else 2]
    return next((key for key in keys if isinstance(part.get(key), dict | bool)), None)


def _mapping(part: dict[str, Any], key: str) -> dict[str, Any]:
    value = part.get(key)
    return value if isinstance(value, dict) else {}
