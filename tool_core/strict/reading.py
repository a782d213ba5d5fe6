"""Reading a schema document into its normal form. Layer 3."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from tool_core.errors import UnsupportedSchemaError
from tool_core.strict.documents import Document, as_schema
from tool_core.strict.json_types import (
    LISTS,
    TYPES,
    in_order,
    is_of_type,
    is_within,
    listed_values,
    lists_values,
    named_types,
)
from tool_core.strict.lists import ARRAY, read_array
from tool_core.strict.objects import read_object
from tool_core.strict.references import REFERENCES, Pointer, written
from tool_core.strict.shapes import (
    Constraint,
    Edge,
    Free,
    Link,
    Node,
    Number,
    Plain,
    Shape,
    Text,
    Values,
)

Conjunction: TypeAlias = "tuple[tuple[Pointer, ...], tuple[tuple[Pointer, str], ...]]"
"""Schemas that must all hold, and combinators of them that were not multiplied out exactly."""

MAX_ALTERNATIVES = 64
"""More alternatives at one place are not written out; the union is then checked locally."""

MAX_NODES = 20_000
"""More distinct places than this are refused; the largest real schema has 2,200."""

_LINK = "\x00link"
_OBJECT = frozenset(
    {
        "properties", "required", "additionalProperties", "patternProperties", "propertyNames",
        "minProperties", "maxProperties", "dependencies", "dependentRequired",
        "dependentSchemas", "unevaluatedProperties",
    }
)  # fmt: skip
_STRING = frozenset({"minLength", "maxLength", "pattern", "format"})
_NUMBER = frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"})
_LOGIC = frozenset({"not", "if"})
_BASE = _OBJECT | ARRAY | _STRING | _NUMBER | _LOGIC | LISTS | {"type"}
_COMBINED = REFERENCES | {"allOf", "anyOf", "oneOf"}
_SAYING = _BASE | _COMBINED
"""What a schema can say beside notes to its reader."""
_BESIDE_VALUES = _SAYING - LISTS - {"type"}


@dataclass(slots=True, eq=False)
class Reader:
    """Builds the graph of nodes; each distinct set of alternatives becomes one node."""

    document: Document
    nodes: dict[tuple[Conjunction, ...], Node] = field(default_factory=dict)
    notes: dict[tuple[str, str], None] = field(default_factory=dict)
    parts: dict[Pointer, dict[str, Any]] = field(default_factory=dict)
    expansions: dict[tuple[Pointer, bool], list[Conjunction]] = field(default_factory=dict)

    def edge(self, pointers: Sequence[Pointer], *more: Sequence[Pointer]) -> Edge:
        """Read the use of schemas that must all hold, or of several such alternatives."""
        alternatives = [item for group in (pointers, *more) for item in self._multiplied(group)]
        unique = tuple(dict.fromkeys(alternatives))
        places = tuple(pointer for group in (pointers, *more) for pointer in group)
        said = (self.part(pointer).get("description") for pointer in pointers)
        own = next((text for text in said if isinstance(text, str)), None)
        inherited = next((text for pointer in pointers if (text := self.description(pointer))), None)
        return Edge(self._node(unique, places), places, own, inherited)

    def note(self, pointer: Pointer, text: str) -> None:
        """Remember something that the author should know."""
        self.notes[written(pointer), text] = None

    def part(self, pointer: Pointer) -> dict[str, Any]:
        """Return the schema at a pointer as an object schema."""
        found = self.parts.get(pointer)
        if found is None:
            found = self.parts[pointer] = as_schema(self.document.at(pointer))
        return found

    def beside(self, atoms: Iterable[Pointer]) -> Iterator[Constraint]:
        """Find the constraints that stand beside a list of values and were used up in filtering it."""
        return self.found(atoms, _STRING | _NUMBER)

    def _node(self, alternatives: tuple[Conjunction, ...], pointers: Sequence[Pointer]) -> Node:
        refers = any(self.document.targets(pointer) for pointer in pointers)
        known = self.nodes.get(alternatives)
        if known is not None:
            known.from_reference |= refers
            return known
        if len(self.nodes) >= MAX_NODES:
            raise UnsupportedSchemaError("", f"the schema has more than {MAX_NODES} distinct places")
        node = self.nodes[alternatives] = Node(self._name(pointers))
        node.from_reference = refers
        shapes = (shape for conjunction in alternatives for shape in self._shapes(*conjunction))
        node.branches = [item for item in _without_repetition(shapes) if not _leads_to(item, node)]
        node.is_complete = True
        return node

    def _name(self, pointers: Sequence[Pointer]) -> str:
        """Name a node as its author named the definition, or by its place."""
        for pointer in pointers:
            for target in self.document.targets(pointer):
                return str(target[-1]) if target else "Root"
        steps = [str(step) for pointer in pointers for step in reversed(pointer) if isinstance(step, str)]
        return steps[0] if steps else "Root"

    def description(self, pointer: Pointer, seen: frozenset[Pointer] = frozenset()) -> str | None:
        """Return what is said of a schema, where it stands or where it leads."""
        text = self.part(pointer).get("description")
        if isinstance(text, str):
            return text
        targets = self.document.targets(pointer) if pointer not in seen else []
        said = (self.description(target, seen | {pointer}) for target in targets)
        return next((text for text in said if text), None)

    def _multiplied(self, pointers: Iterable[Pointer]) -> list[Conjunction]:
        listed = list(pointers)
        found: list[Conjunction] = [((), ())]
        for pointer in listed:
            found = _product(found, self._expanded(pointer, frozenset(), may_link=len(listed) == 1))
        return found

    def _expanded(
        self, pointer: Pointer, seen: frozenset[Pointer], may_link: bool = False
    ) -> list[Conjunction]:
        """Multiply a schema out once, however often it is used."""
        key = pointer, may_link
        if key not in self.expansions:
            self.expansions[key] = self._multiplied_out(pointer, seen, may_link)
        return self.expansions[key]

    def _multiplied_out(
        self, pointer: Pointer, seen: frozenset[Pointer], may_link: bool
    ) -> list[Conjunction]:
        """List the alternatives of one schema, each as the simple schemas that must hold.

        Where nothing else must hold, an alternative that is a reference may stay a link.
        """
        if pointer in seen:
            raise UnsupportedSchemaError(written(pointer), "the reference leads back to itself")
        part, seen = self.part(pointer), seen | {pointer}
        if self.document.at(pointer) is False or part.get("not") in ({}, True):
            return []
        if _COMBINED.isdisjoint(part):
            return [((pointer,) if not _BASE.isdisjoint(part) else (), ())]
        targets = self.document.targets(pointer)
        if targets and self.document.ignores_ref_siblings:
            return self._expanded(targets[0], seen, may_link)
        lost = tuple((pointer, keyword) for keyword in self.document.undecided(pointer))
        found: list[Conjunction] = [((pointer,) if _BASE & part.keys() else (), lost)]
        may_link = may_link and len(part.keys() & _SAYING) == 1
        for target in targets:
            found = _product(found, self._expanded(target, seen, may_link))
        for member in self._members(part, pointer, "allOf"):
            found = _product(found, self._expanded(member, seen))
        for keyword in ("anyOf", "oneOf"):
            found = self._with_union(found, pointer, part, keyword, seen, may_link)
        return found

    def _with_union(
        self,
        found: list[Conjunction],
        pointer: Pointer,
        part: dict[str, Any],
        keyword: str,
        seen: frozenset[Pointer],
        may_link: bool,
    ) -> list[Conjunction]:
        members = list(self._members(part, pointer, keyword))
        if not members:
            return found
        lost = ((pointer, keyword),)
        choices = [item for member in members for item in self._alternatives(member, seen, may_link)]
        if len(found) * len(choices) > MAX_ALTERNATIVES:
            return [(atoms, residue + lost) for atoms, residue in found]
        if keyword == "oneOf" and len(members) > 1:
            choices = [(atoms, residue + lost) for atoms, residue in choices]
        return _product(found, choices)

    def _alternatives(self, member: Pointer, seen: frozenset[Pointer], may_link: bool) -> list[Conjunction]:
        part = self.part(member)
        targets = self.document.targets(member) if may_link else []
        if len(targets) == 1 and len(part.keys() & _SAYING) == 1:
            return [(((_LINK, *targets[0]),), ())]
        return self._expanded(member, seen, may_link)

    def _members(self, part: dict[str, Any], pointer: Pointer, keyword: str) -> Iterator[Pointer]:
        members = part.get(keyword)
        if isinstance(members, list):
            yield from ((*pointer, keyword, index) for index in range(len(members)))

    def _shapes(self, atoms: tuple[Pointer, ...], lost: tuple[tuple[Pointer, str], ...]) -> Iterator[Shape]:
        """Read schemas without combinators, all of which must hold, type by type."""
        if atoms and atoms[0][:1] == (_LINK,):
            yield from self._link(atoms[0][1:], lost)
            return
        parts = [self.part(atom) for atom in atoms]
        unmultiplied = ((pointer, keyword, self.part(pointer)[keyword]) for pointer, keyword in lost)
        residue = (*unmultiplied, *self.found(atoms, _LOGIC))
        is_listed = any(lists_values(part) for part in parts)
        types = self._types(atoms, parts, is_listed)
        if is_listed:
            yield from self._values(atoms, parts, types, residue)
        elif types is None:
            yield Free(atoms, residue)
        else:
            for kind in types:
                yield from self._typed(kind, atoms, residue)

    def _link(self, target: Pointer, lost: tuple[tuple[Pointer, str], ...]) -> Iterator[Shape]:
        edge = self.edge([target])
        edge.node.from_reference = True
        residue = tuple((pointer, keyword, self.part(pointer)[keyword]) for pointer, keyword in lost)
        if not edge.node.is_impossible:
            yield Link((target,), residue, replace(edge, description=None))

    def _types(
        self, atoms: tuple[Pointer, ...], parts: list[dict[str, Any]], listed: bool
    ) -> list[str] | None:
        """Intersect the types that the schemas name; where none does, infer them from the keywords."""
        named = [item for part in parts if (item := named_types(part)) is not None]
        if named:
            if len(named) == 1 and len(named[0]) == 1:
                return named[0]
            allowed = [kind for kind in TYPES if all(is_within(kind, item) for item in named)]
            return [
                kind
                for kind in in_order(allowed, named[0])
                if not (kind == "integer" and "number" in allowed)
            ]
        if listed:
            return None
        keywords = {keyword for part in parts for keyword in part}
        groups = (("object", _OBJECT), ("array", ARRAY), ("string", _STRING), ("number", _NUMBER))
        inferred = [kind for kind, group in groups if group & keywords]
        if inferred and atoms:
            self.note(atoms[0], f"no type is named; {' or '.join(inferred)} is inferred from the keywords")
        return inferred or None

    def _values(
        self,
        atoms: tuple[Pointer, ...],
        parts: list[dict[str, Any]],
        types: list[str] | None,
        residue: tuple[Constraint, ...],
    ) -> Iterator[Shape]:
        listed = [(atom, part) for atom, part in zip(atoms, parts, strict=True) if lists_values(part)]
        keywords = [
            (atom, "enum" if isinstance(part.get("enum"), list) else "const") for atom, part in listed
        ]
        first, *more = [table for _, part in listed for table in listed_values(part)]
        saying = [atom for atom in atoms if self.part(atom).keys() & _BESIDE_VALUES]
        fitting = [
            value
            for key, value in first.items()
            if all(key in table for table in more)
            and (types is None or any(is_of_type(value, kind) for kind in types))
            and all(self.document.accepts(atom, value, LISTS) for atom in saying)
        ]
        if None in fitting:
            yield from self._null(atoms, residue)
        others = tuple(value for value in fitting if value is not None)
        if others:
            yield Values(atoms, residue, others, tuple(keywords))

    def _typed(
        self, kind: str, atoms: tuple[Pointer, ...], residue: tuple[Constraint, ...]
    ) -> Iterator[Shape]:
        if kind == "null":
            yield from self._null(atoms, residue)
        elif kind == "boolean":
            yield Plain(atoms, residue, "boolean")
        elif kind == "string":
            yield Text(atoms, residue, tuple(self.found(atoms, _STRING)))
        elif kind in ("number", "integer"):
            yield Number(atoms, residue, kind == "integer", tuple(self.found(atoms, _NUMBER)))
        elif kind == "array":
            yield from read_array(self, atoms, residue)
        else:
            yield from read_object(self, atoms, residue)

    def _null(self, atoms: tuple[Pointer, ...], residue: tuple[Constraint, ...]) -> Iterator[Shape]:
        """Read null, of which all is known: it satisfies what no shape can hold, or it is not there."""
        beside = {pointer for pointer, _, _ in residue}
        if all(self.document.accepts(pointer, None) for pointer in beside):
            yield Plain(atoms, (), "null")

    def found(self, atoms: Iterable[Pointer], keywords: frozenset[str]) -> Iterator[Constraint]:
        """Find the constraints with certain keywords."""
        for atom in atoms:
            for keyword, value in self.part(atom).items():
                if keyword in keywords:
                    yield atom, keyword, value


def _product(left: list[Conjunction], right: list[Conjunction]) -> list[Conjunction]:
    found: dict[Conjunction, None] = {}
    for a, ra in left:
        for b, rb in right:
            found[tuple(dict.fromkeys(a + b)), tuple(dict.fromkeys(ra + rb))] = None
            if len(found) > MAX_ALTERNATIVES:
                raise UnsupportedSchemaError(
                    "", f"its unions multiply to more than {MAX_ALTERNATIVES} alternatives"
                )
    return list(found)


def _leads_to(shape: Shape, node: Node) -> bool:
    return isinstance(shape, Link) and shape.edge is not None and shape.edge.node is node


def _without_repetition(shapes: Iterable[Shape]) -> list[Shape]:
    """Merge what is the same: one `null`, one boolean; and any value swallows all others."""
    found: list[Shape] = []
    for shape in shapes:
        if isinstance(shape, Free) and not shape.residue:
            return [shape]
        is_known = isinstance(shape, Plain) and any(
            isinstance(old, Plain) and old.kind == shape.kind and not old.residue for old in found
        )
        if not is_known:
            found.append(shape)
    return sorted(found, key=lambda shape: isinstance(shape, Plain) and shape.kind == "null")
