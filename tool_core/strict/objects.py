"""Reading the objects of a schema: which keys they declare and which others they allow. Layer 3."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from tool_core.strict.patterns import matches
from tool_core.strict.references import Pointer
from tool_core.strict.shapes import Constraint, Edge, Object, Property, Shape

if TYPE_CHECKING:
    from tool_core.strict.reading import Reader

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
    residue += tuple(_unevaluated(parts, required))
    tail, key_pattern, lost, is_narrowed = _tail(reader, parts, bool(properties))
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


def _unevaluated(parts: dict[Pointer, dict[str, Any]], required: list[str]) -> Iterator[Constraint]:
    """Find what is said of the rest beside patterns, or beside a required name that is declared nowhere."""
    for atom, part in parts.items():
        is_declared = all(any(_schemas_for(atom, part, name)) for name in required)
        if "unevaluatedProperties" in part and ("patternProperties" in part or not is_declared):
            yield atom, "unevaluatedProperties", part["unevaluatedProperties"]


def _tail(
    reader: Reader, parts: dict[Pointer, dict[str, Any]], has_properties: bool
) -> tuple[Edge | None, Constraint | None, tuple[Constraint, ...], bool]:
    """Say what other keys may hold: nothing, or values of one kind; silence means nothing."""
    patterns = [(atom, text) for atom, part in parts.items() for text in _mapping(part, "patternProperties")]
    explicit = [(*atom, key) for atom, part in parts.items() if (key := _says(part)) is not None]
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
    return reader.edge(naming), lost if has_properties else ()


def _says(part: dict[str, Any]) -> str | None:
    for key in ("additionalProperties", "unevaluatedProperties"):
        if isinstance(part.get(key), dict | bool):
            return key
    return None


def _mapping(part: dict[str, Any], key: str) -> dict[str, Any]:
    value = part.get(key)
    return value if isinstance(value, dict) else {}
