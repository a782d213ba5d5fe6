"""From the normal form to a dialect: the wire schema, the way back, and what is lost. Layer 3."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tool_core.errors import UnsupportedSchemaError
from tool_core.strict.arrays import array_wire
from tool_core.strict.definitions import definition_name, reachable, reference_counts, with_ordering
from tool_core.strict.descriptors import FormatDescriptor
from tool_core.strict.free_names import FreeNames
from tool_core.strict.json_types import value_key
from tool_core.strict.leaves import any_schema, plain_wire, same, text_wire, whole
from tool_core.strict.reading import Reader
from tool_core.strict.records import lift_any, lower_any, object_wire
from tool_core.strict.references import Pointer, written
from tool_core.strict.rewrites import WORDS, RewriteKind, Rewrites
from tool_core.strict.scalars import (
    label_of,
    member_of,
    number_schema,
    text_schema,
    values_schema,
)
from tool_core.strict.shapes import (
    Array,
    Constraint,
    Edge,
    Free,
    Link,
    Node,
    Number,
    Object,
    Plain,
    Shape,
    Text,
    Values,
    is_kind,
)
from tool_core.strict.sharing import Sharing
from tool_core.strict.wires import (
    Schema,
    Wire,
    checked,
    tagged,
    told_apart,
    union,
)
from tool_core.strict.words import in_words, joined

AS_TEXT = object()
"""Stands for the value of a constraint whose whole place travels as JSON text."""

_ALL_TYPES = frozenset({"object", "array", "string", "number", "integer", "boolean", "null"})
_ANNOTATIONS = frozenset(
    {
        "$anchor", "$comment", "$defs", "$id", "$schema", "default", "definitions", "deprecated",
        "description", "examples", "id", "readOnly", "title", "writeOnly",
    }
)  # fmt: skip


@dataclass(slots=True, eq=False)
class Encoder:
    """Writes nodes in one dialect; definitions are shared and losses gathered on the way."""

    reader: Reader
    descriptor: FormatDescriptor
    as_text: set[int] = field(default_factory=set)
    losses: dict[tuple[Pointer, str], Constraint] = field(default_factory=dict)
    rewrites: Rewrites = field(default_factory=dict)
    definitions: dict[str, Schema] = field(default_factory=dict)
    named: dict[int, tuple[str, Wire | None]] = field(default_factory=dict)
    names: FreeNames = field(default_factory=lambda: FreeNames(set()))
    single: set[int] = field(default_factory=set)
    sharing: Sharing = field(init=False)
    current: list[Node] = field(default_factory=list)
    places: list[Pointer] = field(default_factory=lambda: [()])
    optionals: int = 0
    any_name: str = ""

    def root(self, edge: Edge) -> Wire:
        """Write the whole schema, wrapped where the dialect wants an object at the root."""
        self.sharing = Sharing.of(edge.node, self.descriptor, self.single)
        if edge.node.is_impossible:
            raise UnsupportedSchemaError("", "no value satisfies the schema")
        wire = self._node(edge.node)
        schema = self.described(wire, edge.description or edge.inherited).schema
        if "$ref" in schema:
            schema = dict(self.definitions[schema["$ref"].removeprefix("#/$defs/")])
        wire = _with_schema(wire, schema)
        if self.descriptor.root_object and not _is_plain_object(schema):
            wire = tagged(self.described(wire, None), "value")
            self.rewrite([()], "root")
        if self.definitions and (used := reachable(wire.schema, self.definitions)):
            wire = _with_schema(wire, {**wire.schema, "$defs": used})
        return _with_schema(wire, with_ordering(wire.schema)) if self.descriptor.property_ordering else wire

    def edge(self, edge: Edge) -> Wire:
        """Write a use of a node: in place, by reference, or as JSON text where a cycle must be cut."""
        node = edge.node
        if self.is_text(node):
            return self._text(edge)
        self.places.append(next(iter(edge.pointers), self.places[-1]))
        wire = self._node(node, edge.inherited)
        self.places.pop()
        if "$ref" not in wire.schema:
            return self.described(wire, edge.description or edge.inherited)
        if edge.description and self.descriptor.family == "openai":
            return _with_schema(wire, {"anyOf": [wire.schema], "description": edge.description})
        return self.described(wire, edge.description)

    def used_once(self, schema: Schema) -> set[int]:
        """Find the definitions, none of a cycle, that the finished schema refers to only once."""
        counts = reference_counts(schema) if self.named else {}
        return {
            key
            for key, (name, _) in self.named.items()
            if counts.get(name, 0) < 2 and key not in self.sharing.loops
        }

    def is_text(self, target: Node) -> bool:
        """Whether a node travels as JSON text: too deep, or closing a cycle that must be cut."""
        closes = bool(self.current) and self.sharing.is_cut(self.current[-1], target)
        return closes or id(target) in self.as_text

    def lose(self, constraint: Constraint) -> None:
        """Record a constraint that is checked locally instead."""
        pointer, keyword, _ = constraint
        self.losses[pointer, keyword] = constraint

    def rewrite(self, places: Sequence[Pointer], kind: RewriteKind, detail: str = "") -> None:
        """Record that values look different on the wire; a place without a pointer is that around it."""
        pointer = places[0] if places else self.places[-1]
        self.rewrites[written(pointer), kind] = detail or WORDS[kind]

    def united(self, wires: Sequence[Wire], places: Sequence[Pointer]) -> Wire:
        """Make one wire form of several, and record where some had to be told apart by a tag."""
        if any(found is not given for found, given in zip(told_apart(wires), wires, strict=True)):
            self.rewrite(places, "option")
        return union(wires)

    def accepts(self, shape: Shape) -> Callable[[Any], bool]:
        """Make the test whether a value belongs to a shape, by its original schemas."""
        document = self.reader.document
        return lambda value: (
            is_kind(shape, value) and all(document.accepts(item, value) for item in shape.origins)
        )

    def _node(self, node: Node, description: str | None = None) -> Wire:
        if not self.sharing.is_shared(node):
            return self._branches(node)
        if id(node) not in self.named:
            name = self.names.free(definition_name(node.name))
            self.named[id(node)] = (name, None)
            wire = self.described(self._branches(node), description)
            self.definitions[name] = wire.schema
            self.named[id(node)] = (name, wire)
        name, done = self.named[id(node)]
        reference: Schema = {"$ref": f"#/$defs/{name}"}
        if done is not None:
            return _with_schema(done, reference)
        return self._pending(node, reference)

    def _pending(self, node: Node, reference: Schema) -> Wire:
        """Refer to a definition that is being written: its converters are looked up when they run."""

        def later() -> Wire:
            wire = self.named[id(node)][1]
            assert wire is not None
            return wire

        tags: frozenset[str] = frozenset() if len(node.branches) == 1 else frozenset({"object"})
        types = tags.union(*(_wire_types(shape, self.descriptor) for shape in node.branches))
        return Wire(
            reference,
            lambda value: later().lift(value),
            lambda value: later().lower(value),
            lambda value: later().accepts(value),
            types,
            is_identity=False,
        )

    def _branches(self, node: Node) -> Wire:
        self.current.append(node)
        wires = self.alternatives(node.branches, node)
        wire = self.united(wires, node.branches[0].origins)
        self.current.pop()
        return wire

    def alternatives(self, shapes: Sequence[Shape], node: Node) -> list[Wire]:
        """Write branches, each with what is said of it alone."""
        if len(node.branches) == 1:  # what is said of it is said of the node
            return [wire for shape in shapes for wire in self._shape(shape)]
        common = set.intersection(*(set(shape.origins) for shape in node.branches))
        wires: list[Wire] = []
        for shape in shapes:
            own = (item for item in shape.origins if item not in common)
            text = next((found for item in own if (found := self.reader.description(item))), None)
            wires += [self.described(wire, text) for wire in self._shape(shape)]
        return wires

    def _shape(self, shape: Shape) -> list[Wire]:
        for constraint in shape.residue:
            self.lose(constraint)
        match shape:
            case Link(edge=Edge() as edge):
                return [self.edge(edge)]
            case Free():
                wires = [self._any(shape)]
            case Plain(kind=kind):
                wires = [plain_wire(kind, self.accepts(shape))]
            case Text():
                wires = [self.scalar(shape, text_schema(shape, self.descriptor, self.lose), "string")]
            case Number():
                named = "integer" if shape.is_integer else "number"
                wires = [self.scalar(shape, number_schema(shape, self.descriptor, self.lose), named)]
            case Values():
                wires = self._values(shape)
            case Array():
                wires = [array_wire(self, shape)]
            case Object():
                wires = [object_wire(self, shape)]
            case _:
                raise TypeError(shape)
        return [self._explained(wire, shape) for wire in wires]

    def _explained(self, wire: Wire, shape: Shape) -> Wire:
        """Put dropped constraints into the description, in words."""
        if not self.descriptor.describe_losses:
            return wire
        found = (*shape.residue, *getattr(shape, "constraints", ()))
        if not found:
            return wire
        lost = [item for item in found if item[:2] in self.losses and item[1] not in wire.schema]
        words = list(dict.fromkeys(text for _, keyword, value in lost if (text := in_words(keyword, value))))
        return self.described(wire, ", ".join(words)) if words else wire

    def described(self, wire: Wire, text: str | None) -> Wire:
        """Say what a schema is for; what the schema says of itself comes after it."""
        if not text or (wire.schema.get("description") or "").startswith(text):
            return wire
        if "$ref" in wire.schema and not self.descriptor.ref_description:
            return wire
        described = joined(text, wire.schema.get("description"))
        return _with_schema(wire, {**wire.schema, "description": described})

    def scalar(self, shape: Shape, schema: Schema, kind: str) -> Wire:
        """Write a value that travels as itself."""
        convert = checked(f"a value of type {kind}", lambda value: is_kind(shape, value))
        lift = whole(convert) if kind == "integer" else convert
        return Wire(schema, lift, convert, self.accepts(shape), frozenset({kind}))

    def _values(self, shape: Values) -> list[Wire]:
        groups, is_too_long = values_schema(shape, self.descriptor)
        if is_too_long:
            for pointer, keyword in shape.where:
                self.lose((pointer, keyword, list(shape.values)))
            for constraint in self.reader.beside(shape.origins):
                self.lose(constraint)
        wires: list[Wire] = []
        for schema, table in groups:
            if is_too_long and self.descriptor.describe_losses:
                schema = {**schema, "description": in_words("enum", list(table.values())) or ""}
            labels = any(json.loads(key) != value for key, value in table.items())
            if labels:
                self.rewrite(shape.origins, "values")
            wires.append(
                Wire(
                    schema,
                    member_of(table, is_too_long),
                    label_of(table, is_too_long),
                    _accepts_one_of(table),
                    frozenset({schema["type"]}),
                    is_identity=not labels,
                    tag="__option__",
                )
            )
        return wires

    def _any(self, shape: Free) -> Wire:
        accepts = self.accepts(shape)
        if self.descriptor.any_value == "native":
            return Wire({}, same, same, accepts, _ALL_TYPES)
        if self.descriptor.any_value == "text":
            self.rewrite(shape.origins, "text")
            return text_wire("any JSON value, written as JSON text", accepts)
        self.rewrite(shape.origins, "any")
        if not self.any_name:
            self.any_name = self.names.free("Any")
            self.definitions[self.any_name] = any_schema(self.any_name)
        return Wire(
            {"$ref": f"#/$defs/{self.any_name}"}, lift_any, lower_any, accepts, _ALL_TYPES, is_identity=False
        )

    def _text(self, edge: Edge) -> Wire:
        """Let a part travel as JSON text in the author's own shape, checked locally."""
        self.rewrite(edge.pointers, "text")
        for pointer in edge.pointers:
            for keyword in self.reader.part(pointer).keys() - _ANNOTATIONS:
                self.lose((pointer, keyword, AS_TEXT))
        document = self.reader.document
        wire = text_wire(
            "written as JSON text",
            lambda value: all(document.accepts(item, value) for item in edge.pointers),
        )
        return self.described(wire, edge.description or edge.inherited)


def _wire_types(shape: Shape, descriptor: FormatDescriptor) -> frozenset[str]:
    if isinstance(shape, Object):
        is_record = shape.tail is not None and not shape.properties
        return frozenset({"array" if is_record else "object"})
    if isinstance(shape, Plain):
        return frozenset({shape.kind})
    if isinstance(shape, Text):
        return frozenset({"string"})
    if isinstance(shape, Number):
        return frozenset({"integer" if shape.is_integer else "number"})
    if isinstance(shape, Array):
        return frozenset({"object" if shape.prefix and descriptor.tuples == "object" else "array"})
    return _ALL_TYPES


def _with_schema(wire: Wire, schema: Schema) -> Wire:
    return wire if schema is wire.schema else replace(wire, schema=schema)


def _is_plain_object(schema: Schema) -> bool:
    return schema.get("type") == "object" and not {"anyOf", "enum", "$ref"} & schema.keys()


def _accepts_one_of(table: dict[str, Any]) -> Callable[[Any], bool]:
    known = {value_key(value) for value in table.values()}
    return lambda value: value_key(value) in known
