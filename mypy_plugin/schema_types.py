"""JSON Schema to type shapes: the pure translation. Imports neither mypy nor tool_core.

The law: whatever a validator accepts has the shape. Keywords only ever narrow, so one that is not
read here costs precision, never truth; the exceptions are read with care (what a draft ignores
beside `$ref`, keywords that a draft does not know, keys that `patternProperties` lets in).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import reduce
from typing import Any, Final

from mypy_plugin.schema_documents import draft_of, has_inner_id, listed, resolved, text
from mypy_plugin.shape_graphs import leads_back, reachable
from mypy_plugin.shapes import (
    NEVER,
    UNKNOWN,
    ArrayShape,
    Field,
    LiteralShape,
    ObjectShape,
    PrimitiveShape,
    ReferenceShape,
    Shape,
    UnionShape,
    meet,
    union_of,
)

MAX_PLACES: Final = 20_000
"""More subschemas than this are not read; the largest real schema has 2,200."""

MAX_DEPTH: Final = 60
"""Deeper subschemas are not read; real ones stay below 30."""

MAX_CONJUNCTS: Final = 64
"""More members of an `allOf` are not read: what is left of them would be met with each further one."""

_KINDS: Final = frozenset({"object", "array", "string", "number", "integer", "boolean", "null"})
_LARGEST: Final = 2**63


@dataclass(frozen=True, slots=True)
class SchemaType:
    """The shape of a whole schema, and the shapes that its references lead to, by pointer."""

    root: Shape
    definitions: Mapping[str, Shape] = field(default_factory=dict)


def schema_type(schema: object) -> SchemaType:
    """Translate a JSON Schema; what it cannot say is `UNKNOWN` at that place.

    >>> schema_type({"type": "array", "items": {"type": ["integer", "null"]}}).root
    ArrayShape(item=UnionShape(members=(PrimitiveShape(kind='integer'), PrimitiveShape(kind='null'))))
    >>> schema_type({"properties": {"a": {}}}).root  # a string fits, too
    UnknownShape()
    """
    reader = _Reader(schema)
    root = reader.read(schema, _KINDS, 0)
    reader.definitions["#"] = root
    definitions = {
        pointer: UNKNOWN if leads_back(pointer, reader.definitions) else shape
        for pointer, shape in reader.definitions.items()
    }
    if isinstance(root, ReferenceShape) and definitions[root.pointer] == UNKNOWN:
        root = UNKNOWN
    used = reachable(root, definitions)
    return SchemaType(root, {pointer: definitions[pointer] for pointer in definitions if pointer in used})


class _Reader:
    """Reads one document; each definition is read once, whoever refers to it."""

    def __init__(self, document: object) -> None:
        self.document = document
        self.draft = draft_of(document)
        self.is_rebased = has_inner_id(document, self.draft)
        self.definitions: dict[str, Shape] = {}
        self.open: set[str] = {"#"}
        self.places = 0

    def read(self, schema: object, kinds: frozenset[str], depth: int) -> Shape:
        """Return the shape of the values of certain JSON types that a schema accepts."""
        self.places += 1
        if self.places > MAX_PLACES or depth > MAX_DEPTH:
            return UNKNOWN
        if schema is False:
            return NEVER
        part: Mapping[str, Any] = schema if isinstance(schema, Mapping) else {}
        if "$ref" in part and self.draft <= 7:
            return self._reference(part["$ref"], kinds, depth)
        for narrowing in (part, *listed(part, "allOf")):
            if isinstance(narrowing, Mapping) and not ("$ref" in narrowing and self.draft <= 7):
                kinds = _narrowed(kinds, narrowing.get("type"))
        return reduce(meet, self._conjuncts(part, kinds, depth + 1))

    def _conjuncts(self, part: Mapping[str, Any], kinds: frozenset[str], depth: int) -> Iterator[Shape]:
        """List shapes that all hold for what a schema accepts."""
        if kinds == _KINDS:
            yield UNKNOWN
        else:
            yield union_of(self._of_kind(kind, part, depth) for kind in _in_order(kinds, part))
        if isinstance(part.get("enum"), list):
            yield union_of(_constant(value, kinds) for value in part["enum"])
        if "const" in part and self.draft > 4:
            yield _constant(part["const"], kinds)
        if "$ref" in part:
            yield self._reference(part["$ref"], kinds, depth)
        for member in listed(part, "allOf")[:MAX_CONJUNCTS]:
            yield self.read(member, kinds, depth)
        for keyword in ("anyOf", "oneOf"):
            if members := listed(part, keyword):
                yield union_of(self.read(member, kinds, depth) for member in members)

    def _of_kind(self, kind: str, part: Mapping[str, Any], depth: int) -> Shape:
        if kind == "object":
            return self._object(part, depth)
        if kind == "array":
            return ArrayShape(self._item(part, depth))
        return PrimitiveShape(kind)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]

    def _object(self, part: Mapping[str, Any], depth: int) -> ObjectShape:
        properties = part.get("properties")
        declared: Mapping[str, object] = properties if isinstance(properties, Mapping) else {}
        required = dict.fromkeys(name for name in listed(part, "required") if isinstance(name, str))
        extra = self._extra(part, depth)
        fields = [
            Field(name, self.read(schema, _KINDS, depth), name in required, text(schema, "description"))
            for name, schema in declared.items()
            if isinstance(name, str)
        ]
        fields += [Field(name, extra, True) for name in required if name not in declared]
        return ObjectShape(tuple(fields), extra, text(part, "title"), text(part, "description"))

    def _extra(self, part: Mapping[str, Any], depth: int) -> Shape:
        """Say what undeclared keys hold: what a pattern gives them, else `additionalProperties`."""
        patterns = part.get("patternProperties")
        schemas = [*patterns.values()] if isinstance(patterns, Mapping) else []
        schemas.append(part.get("additionalProperties", True))
        return union_of(self.read(schema, _KINDS, depth) for schema in schemas)

    def _item(self, part: Mapping[str, Any], depth: int) -> Shape:
        """Say what items hold, leading ones of their own kinds included."""
        prefix, rest = part.get("prefixItems"), part.get("items", True)
        if self.draft < 2020:
            is_tuple = isinstance(rest, list)
            prefix, rest = (rest, part.get("additionalItems", True)) if is_tuple else (None, rest)
        leading = prefix if isinstance(prefix, list) else []
        longest = part.get("maxItems")
        schemas = leading if isinstance(longest, int) and longest <= len(leading) else [*leading, rest]
        return union_of(self.read(schema, _KINDS, depth) for schema in schemas)

    def _reference(self, target: object, kinds: frozenset[str], depth: int) -> Shape:
        """Keep a reference to anything that is worth a name, for the JSON types that it may have here."""
        found = None if self.is_rebased else resolved(self.document, target)
        if found is None:
            return UNKNOWN
        pointer, schema = found
        if pointer in self.open:
            return ReferenceShape(pointer)
        self.open.add(pointer)
        if pointer not in self.definitions:
            self.definitions[pointer] = self.read(schema, _KINDS, depth)
        shape = self.definitions[pointer]
        here = shape if kinds == _KINDS else self.read(schema, kinds, depth)
        self.open.discard(pointer)
        is_named = here == shape and isinstance(shape, ObjectShape | ArrayShape | UnionShape)
        return ReferenceShape(pointer) if is_named and shape != NEVER else here


def _narrowed(kinds: frozenset[str], named: object) -> frozenset[str]:
    """Keep the JSON types that a `type` keyword allows, too; an integer is a number."""
    names = {item for item in (named if isinstance(named, list) else [named]) if isinstance(item, str)}
    if not names or not names <= _KINDS:
        return kinds
    return kinds & (names | {"integer"} if "number" in names else names)


def _in_order(kinds: frozenset[str], part: Mapping[str, Any]) -> list[str]:
    """Keep the author's order of types."""
    named = part.get("type")
    written: list[object] = named if isinstance(named, list) else []
    rank = {kind: index for index, kind in enumerate(written) if isinstance(kind, str)}
    return sorted(kinds, key=lambda kind: (rank.get(kind, len(rank)), kind))


def _constant(value: object, kinds: frozenset[str]) -> Shape:
    """Return the shape of one value, if it has a JSON type that is allowed; `1.0` is the integer 1."""
    shape: Shape
    match value:
        case bool():
            kind, shape = "boolean", LiteralShape("boolean", value)
        case int() | float() if value == value // 1:
            whole = int(value)
            small = abs(whole) < _LARGEST
            kind, shape = "integer", LiteralShape("integer", whole) if small else PrimitiveShape("integer")
        case float():
            kind, shape = "number", PrimitiveShape("number")
        case str():
            kind, shape = "string", LiteralShape("string", value)
        case None:
            kind, shape = "null", PrimitiveShape("null")
        case list():
            kind, shape = "array", ArrayShape(UNKNOWN)
        case _:
            kind, shape = "object", ObjectShape()
    return shape if kind in kinds else NEVER
