"""From the normal form to a dialect: the wire schema, the way back, and what is lost. Layer 3."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tool_core.errors import JsonTextError, UnsupportedSchemaError
from tool_core.json_text import secure_json_loads
from tool_core.strict.cycles import breakers, strong_components
from tool_core.strict.descriptors import FormatDescriptor
from tool_core.strict.documents import written
from tool_core.strict.reading import Reader
from tool_core.strict.records import (
    lift_any,
    lift_pairs,
    lower_any,
    lower_pairs,
    object_wire,
    tuple_wire,
)
from tool_core.strict.scalars import label_of, member_of, number_schema, text_schema, values_schema
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
)
from tool_core.strict.wires import (
    MismatchError,
    Schema,
    Wire,
    checked,
    closed_object,
    each,
    tagged,
    union,
    union_schema,
)
from tool_core.strict.words import in_words, joined

AS_TEXT = object()
"""Stands for the value of a constraint whose whole place travels as JSON text."""

_ALL_TYPES = frozenset({"object", "array", "string", "number", "integer", "boolean", "null"})
_CONSTRAINING = frozenset(
    {
        "$ref",
        "type",
        "enum",
        "const",
        "properties",
        "required",
        "items",
        "prefixItems",
        "anyOf",
        "oneOf",
        "allOf",
    }
)


@dataclass(slots=True, eq=False)
class Encoder:
    """Writes nodes in one dialect; definitions are shared and losses gathered on the way."""

    reader: Reader
    descriptor: FormatDescriptor
    as_text: set[int] = field(default_factory=set)
    losses: dict[tuple[str, str], Constraint] = field(default_factory=dict)
    definitions: dict[str, Schema] = field(default_factory=dict)
    named: dict[int, tuple[str, Wire | None]] = field(default_factory=dict)
    uses: dict[int, int] = field(default_factory=dict)
    loops: dict[int, int] = field(default_factory=dict)
    cut: dict[int, int] = field(default_factory=dict)
    shared: set[int] = field(default_factory=set)
    single: set[int] = field(default_factory=set)
    current: list[Node] = field(default_factory=list)
    optionals: int = 0
    any_name: str = ""

    def root(self, edge: Edge) -> Wire:
        """Write the whole schema, wrapped where the dialect wants an object at the root."""
        self._survey(edge.node)
        if edge.node.is_impossible:
            raise UnsupportedSchemaError("", "no value satisfies the schema")
        wire = self._node(edge.node)
        schema = self._described(wire, edge.description or edge.inherited).schema
        if "$ref" in schema:
            schema = dict(self.definitions[schema["$ref"].removeprefix("#/$defs/")])
        wire = _with_schema(wire, schema)
        if self.descriptor.root_object and not _is_plain_object(schema):
            wire = tagged(self._described(wire, None), "value")
        if used := _reachable(wire.schema, self.definitions):
            wire = _with_schema(wire, {**wire.schema, "$defs": used})
        return _with_schema(wire, _ordered(wire.schema)) if self.descriptor.property_ordering else wire

    def edge(self, edge: Edge) -> Wire:
        """Write a use of a node: in place, by reference, or as JSON text where a cycle must be cut."""
        node = edge.node
        if id(node) in self.as_text or self._must_cut(node):
            return self._text(edge)
        wire = self._node(node, edge.inherited)
        if "$ref" not in wire.schema:
            return self._described(wire, edge.description or edge.inherited)
        if edge.description and self.descriptor.family == "openai":
            return _with_schema(wire, {"anyOf": [wire.schema], "description": edge.description})
        return self._described(wire, edge.description)

    def used_once(self, schema: Schema) -> set[int]:
        """Find the definitions, none of a cycle, that the finished schema refers to only once."""
        counts = _references(schema)
        return {
            key for key, (name, _) in self.named.items() if counts.get(name, 0) < 2 and key not in self.shared
        }

    def lose(self, constraint: Constraint) -> None:
        """Record a constraint that is checked locally instead."""
        pointer, keyword, _ = constraint
        self.losses[written(pointer), keyword] = constraint

    def accepts(self, shape: Shape) -> Callable[[Any], bool]:
        """Make the test whether a value belongs to a shape, by its original schemas."""
        document = self.reader.document
        return lambda value: (
            _is_kind(shape, value) and all(document.accepts(item, value) for item in shape.origins)
        )

    def optional(self, edge: Edge) -> tuple[Wire, bool]:
        """Write a property that may be absent; the answer says whether it may be left out on the wire."""
        limit = self.descriptor.native_optionals
        if self.descriptor.optional == "omitted" and (limit is None or self.optionals < limit):
            self.optionals += 1
            return self._without_null(edge), True
        return self._nullable(edge), False

    # --- nodes ----------------------------------------------------------------------------------

    def _node(self, node: Node, description: str | None = None) -> Wire:
        if not self._is_shared(node):
            return self._branches(node)
        if id(node) not in self.named:
            name = _unique_name(node.name, self.definitions, self.named)
            self.named[id(node)] = (name, None)
            wire = self._described(self._branches(node), description)
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

        types = _ALL_TYPES if len(node.branches) != 1 else _wire_types(node.branches[0], self.descriptor)
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
        wires = self._alternatives(node.branches, node)
        self.current.pop()
        return wires[0] if len(wires) == 1 else union(wires)

    def _alternatives(self, shapes: Sequence[Shape], node: Node) -> list[Wire]:
        """Write branches, each with what is said of it alone."""
        common = set.intersection(*(set(shape.origins) for shape in node.branches))
        wires: list[Wire] = []
        for shape in shapes:
            own = (item for item in shape.origins if item not in common)
            text = next((found for item in own if (found := self.reader.description(item))), None)
            wires += [self._described(wire, text) for wire in self._shape(shape)]
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
                wires = [_plain(kind, self.accepts(shape))]
            case Text():
                wires = [self._scalar(shape, text_schema(shape, self.descriptor, self.lose), "string")]
            case Number():
                kind = "integer" if shape.is_integer else "number"
                wires = [self._scalar(shape, number_schema(shape, self.descriptor, self.lose), kind)]
            case Values():
                wires = self._values(shape)
            case Array():
                wires = [self._array(shape)]
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
        lost = [
            item
            for item in found
            if (written(item[0]), item[1]) in self.losses and item[1] not in wire.schema
        ]
        words = list(dict.fromkeys(text for _, keyword, value in lost if (text := in_words(keyword, value))))
        return self._described(wire, ", ".join(words)) if words else wire

    def _described(self, wire: Wire, text: str | None) -> Wire:
        """Say what a schema is for; what the schema says of itself comes after it."""
        if not text or (wire.schema.get("description") or "").startswith(text):
            return wire
        if "$ref" in wire.schema and not self.descriptor.ref_description:
            return wire
        described = joined(text, wire.schema.get("description"))
        return _with_schema(wire, {**wire.schema, "description": described})

    # --- shapes ---------------------------------------------------------------------------------

    def _scalar(self, shape: Shape, schema: Schema, kind: str) -> Wire:
        convert = checked(f"a value of type {kind}", lambda value: _is_kind(shape, value))
        return Wire(schema, convert, convert, self.accepts(shape), frozenset({kind}))

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
            wires.append(
                Wire(
                    schema,
                    member_of(table, is_too_long),
                    label_of(table, is_too_long),
                    self._accepts_one_of(shape, table),
                    frozenset({schema["type"]}),
                    is_identity=not labels,
                    tag="__option__",
                )
            )
        return wires

    def _accepts_one_of(self, shape: Values, table: dict[str, Any]) -> Callable[[Any], bool]:
        known = {json.dumps(value, sort_keys=True) for value in table.values()}
        return lambda value: json.dumps(value, sort_keys=True) in known

    def _any(self, shape: Free) -> Wire:
        accepts = self.accepts(shape)
        if self.descriptor.any_value == "native":
            return Wire({}, _same, _same, accepts, _ALL_TYPES)
        if self.descriptor.any_value == "text":
            return Wire(
                {"type": "string", "description": "any JSON value, written as JSON text"},
                _from_text,
                json.dumps,
                accepts,
                frozenset({"string"}),
                is_identity=False,
                tag="__json__",
            )
        if not self.any_name:
            self.any_name = _unique_name("Any", self.definitions, self.named)
            self.definitions[self.any_name] = _any_schema(self.any_name)
        return Wire(
            {"$ref": f"#/$defs/{self.any_name}"}, lift_any, lower_any, accepts, _ALL_TYPES, is_identity=False
        )

    def _text(self, edge: Edge) -> Wire:
        """Let a part travel as JSON text in the author's own shape, checked locally."""
        for pointer in edge.pointers:
            for keyword in self.reader.part(pointer):
                if keyword in _CONSTRAINING or keyword in ("additionalProperties", "patternProperties"):
                    self.lose((pointer, keyword, AS_TEXT))
        wire = Wire(
            {"type": "string", "description": "written as JSON text"},
            _from_text,
            json.dumps,
            lambda value: all(self.reader.document.accepts(item, value) for item in edge.pointers),
            frozenset({"string"}),
            is_identity=False,
            tag="__json__",
        )
        return self._described(wire, edge.description or edge.inherited)

    def _array(self, shape: Array) -> Wire:
        if shape.prefix:
            return tuple_wire(self, shape)
        if shape.items is None:
            schema: Schema = {"type": "array", "items": {"type": "string"}}
            if "maxItems" in self.descriptor.array_keywords:
                schema["maxItems"] = 0
            convert = checked("an empty array", lambda value: isinstance(value, list))
            return Wire(
                schema,
                lambda value: convert(value) and [],
                convert,
                self.accepts(shape),
                frozenset({"array"}),
                False,
            )
        items = self.edge(shape.items)
        schema = {"type": "array", "items": items.schema, **self.lengths(shape)}
        return Wire(
            schema,
            lambda value: each(items.lift, _list(value)),
            lambda value: each(items.lower, _list(value)),
            self.accepts(shape),
            frozenset({"array"}),
            items.is_identity,
        )

    def lengths(self, shape: Array) -> Schema:
        """Write the lengths that the dialect holds, and lose the other constraints."""
        schema: Schema = {}
        for constraint in shape.constraints:
            _, keyword, value = constraint
            if keyword == "uniqueItems" and value is not True:
                continue
            is_held = keyword in self.descriptor.array_keywords and keyword != "uniqueItems"
            largest = self.descriptor.largest_min_items
            if keyword == "minItems" and largest is not None and shape.shortest > largest:
                is_held = False
            if not is_held:
                self.lose(constraint)
            elif keyword in ("minItems", "maxItems"):
                schema[keyword] = shape.shortest if keyword == "minItems" else shape.longest
        return schema

    def pairs(self, shape: Object) -> Wire:
        """Write an object with free keys as an array of pairs, or as itself."""
        assert shape.tail is not None
        key = self._key(shape)
        value = self.edge(shape.tail)
        schema: Schema = {
            "type": "array",
            "items": closed_object({"key": key.schema, "value": value.schema}, ["key", "value"]),
            "description": "a mapping, written as an array of key/value pairs",
        }
        return Wire(
            schema,
            lambda wire: lift_pairs(wire, key.lift, value.lift),
            lambda mapping: lower_pairs(mapping, key.lower, value.lower),
            self.accepts(shape),
            frozenset({"array"}),
            is_identity=False,
            tag="__object__",
        )

    def _key(self, shape: Object) -> Wire:
        plain = Text(())
        if shape.keys is not None and all(
            isinstance(item, Text | Values) for item in shape.keys.node.branches
        ):
            return self.edge(shape.keys)
        if shape.keys is not None:
            for pointer in shape.keys.pointers:
                self.lose((pointer[:-1], "propertyNames", self.reader.part(pointer)))
        if shape.key_pattern is None:
            return self._scalar(plain, {"type": "string"}, "string")
        pointer, keyword, pattern = shape.key_pattern
        schema = text_schema(Text((), (), ((pointer, "pattern", pattern),)), self.descriptor, lambda _: None)
        if "pattern" not in schema:
            self.lose((pointer, keyword, False))
        return self._scalar(plain, schema, "string")

    # --- optional properties --------------------------------------------------------------------

    def _without_null(self, edge: Edge) -> Wire:
        if (
            self.descriptor.null_of_optional == "kept"
            or id(edge.node) in self.as_text
            or self._must_cut(edge.node)
        ):
            return self.edge(edge)
        others = [shape for shape in edge.node.branches if not _is_null(shape)]
        if len(others) == len(edge.node.branches) or not others or self._is_shared(edge.node):
            return self.edge(edge)
        for pointer in edge.pointers:
            self.reader.note(pointer, "null is left out: the property can be absent")
        wires = self._alternatives(others, edge.node)
        return self._described(
            wires[0] if len(wires) == 1 else union(wires), edge.description or edge.inherited
        )

    def _nullable(self, edge: Edge) -> Wire:
        """Let null mean "absent"; a null of the author's own gets a form of its own."""
        node = edge.node
        admits_null = _admits_null(node)
        hidden = any(not _is_null(shape) and _admits_null_itself(shape) for shape in node.branches)
        is_opaque = self._is_shared(node) or hidden
        if id(node) in self.as_text or self._must_cut(node) or not admits_null:
            return self._or_absent(self.edge(edge))
        if is_opaque:
            return self._or_absent(tagged(self.edge(edge), "value"))
        wires = self._alternatives([shape for shape in node.branches if not _is_null(shape)], node)
        if self.descriptor.null_of_optional == "kept":
            wires.append(_EXPLICIT_NULL)
        else:
            for pointer in edge.pointers:
                self.reader.note(pointer, "null is left out: the property can be absent")
        inner = wires[0] if len(wires) == 1 else union(wires) if wires else _EXPLICIT_NULL
        return self._or_absent(self._described(inner, edge.description or edge.inherited))

    def _or_absent(self, wire: Wire) -> Wire:
        """Add null to a schema; its description moves to the outside, where it is read first."""
        body = {key: value for key, value in wire.schema.items() if key != "description"}
        schema = union_schema([body, {"type": "null"}])
        if "description" in wire.schema:
            schema = {**schema, "description": wire.schema["description"]}
        return _with_schema(wire, schema)

    # --- sharing and cycles ---------------------------------------------------------------------

    def _survey(self, root: Node) -> None:
        """Count uses and find cycles before anything is written."""
        graph: dict[int, list[tuple[int, bool]]] = {}
        nodes: dict[int, Node] = {}
        pending = [root]
        while pending:
            node = pending.pop()
            if id(node) in graph:
                continue
            edges = [
                (edge.node, is_optional) for shape in node.branches for edge, is_optional in edges_of(shape)
            ]
            graph[id(node)] = [(id(target), is_optional) for target, is_optional in edges]
            nodes[id(node)] = node
            pending += [target for target, _ in edges]
        self.loops = strong_components({key: [item for item, _ in found] for key, found in graph.items()})
        solid = {
            key: [item for item, is_optional in found if not is_optional] for key, found in graph.items()
        }
        self.cut = self.loops if self.descriptor.recursion == "text" else strong_components(solid)
        _check_links(nodes)
        kept = {
            key: [item for item, _ in found if not self._is_cut(key, item)] for key, found in graph.items()
        }
        for targets in kept.values():
            for target in targets:
                self.uses[target] = self.uses.get(target, 0) + 1
        loops = strong_components(kept)
        self.shared = breakers(kept, {key for key in loops if nodes[key].from_reference})

    def _is_shared(self, node: Node) -> bool:
        is_large = len(node.branches) > 1 or any(isinstance(shape, Array | Object) for shape in node.branches)
        is_repeated = (
            node.from_reference
            and is_large
            and self.uses.get(id(node), 0) > 1
            and id(node) not in self.single
        )
        return id(node) in self.shared or is_repeated

    def _must_cut(self, target: Node) -> bool:
        return bool(self.current) and self._is_cut(id(self.current[-1]), id(target))

    def _is_cut(self, here: int, target: int) -> bool:
        if self.descriptor.recursion == "kept":
            return False
        return here in self.cut and self.cut[here] == self.cut.get(target)


def edges_of(shape: Shape) -> Iterable[tuple[Edge, bool]]:
    """List the uses inside a shape, and which of them stand below an optional property."""
    if isinstance(shape, Link) and shape.edge is not None:
        yield shape.edge, False
    elif isinstance(shape, Array):
        yield from ((edge, False) for edge in shape.prefix)
        if shape.items is not None:
            yield shape.items, False
    elif isinstance(shape, Object):
        yield from ((item.edge, not item.is_required) for item in shape.properties.values())
        if shape.tail is not None:
            yield shape.tail, False
        if shape.keys is not None:
            yield shape.keys, False


def _ordered(schema: Any) -> Any:
    """Write down the order of properties wherever there are some."""
    if isinstance(schema, list):
        return [_ordered(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    is_object = schema.get("type") == "object" and isinstance(schema.get("properties"), dict)
    inner = {key: _ordered_inside(key, value) for key, value in schema.items()}
    return {**inner, "propertyOrdering": list(schema["properties"])} if is_object else inner


def _ordered_inside(key: str, value: Any) -> Any:
    if key in ("properties", "$defs"):
        return {name: _ordered(child) for name, child in value.items()}
    return _ordered(value) if key in ("items", "anyOf", "prefixItems") else value


def _check_links(nodes: dict[int, Node]) -> None:
    """Refuse references that lead back to themselves without passing an object or an array."""
    links = {
        key: [
            id(item.edge.node) for item in node.branches if isinstance(item, Link) and item.edge is not None
        ]
        for key, node in nodes.items()
    }
    if strong_components(links):
        raise UnsupportedSchemaError("", "a reference leads back to itself")


def _reachable(schema: Schema, definitions: dict[str, Schema]) -> dict[str, Schema]:
    """Keep the definitions that are referred to, in the order in which they were written."""
    found: set[str] = set()
    pending: list[Any] = [schema]
    while pending:
        part = pending.pop()
        if isinstance(part, list):
            pending += part
        elif isinstance(part, dict):
            name = str(part.get("$ref", "")).removeprefix("#/$defs/")
            if name in definitions and name not in found:
                found.add(name)
                pending.append(definitions[name])
            pending += part.values()
    return {name: body for name, body in definitions.items() if name in found}


def _references(schema: Any) -> dict[str, int]:
    counts: dict[str, int] = {}
    pending: list[Any] = [schema]
    while pending:
        part = pending.pop()
        if isinstance(part, list):
            pending += part
        elif isinstance(part, dict):
            if isinstance(part.get("$ref"), str):
                name = part["$ref"].removeprefix("#/$defs/")
                counts[name] = counts.get(name, 0) + 1
            pending += part.values()
    return counts


def _unique_name(wanted: str, taken: dict[str, Schema], named: dict[int, tuple[str, Wire | None]]) -> str:
    used = {*taken, *(name for name, _ in named.values())}
    base = re.sub(r"[^A-Za-z0-9_]", "_", wanted)[:60] or "Definition"
    name, number = base, 2
    while name in used:
        name, number = f"{base}_{number}", number + 1
    return name


def _wire_types(shape: Shape, descriptor: FormatDescriptor) -> frozenset[str]:
    if isinstance(shape, Object):
        is_record = shape.tail is not None and not shape.properties and descriptor.records == "pairs"
        return frozenset({"array" if is_record else "object"})
    if isinstance(shape, Array):
        return frozenset({"object" if shape.prefix and descriptor.tuples == "object" else "array"})
    return _ALL_TYPES


def _with_schema(wire: Wire, schema: Schema) -> Wire:
    return replace(wire, schema=schema)


def _is_plain_object(schema: Schema) -> bool:
    return schema.get("type") == "object" and not {"anyOf", "enum", "$ref"} & schema.keys()


def _is_null(shape: Shape) -> bool:
    return isinstance(shape, Plain) and shape.kind == "null"


def _admits_null(node: Node, seen: frozenset[int] = frozenset()) -> bool:
    return id(node) not in seen and any(
        _admits_null_itself(item, seen | {id(node)}) for item in node.branches
    )


def _admits_null_itself(shape: Shape, seen: frozenset[int] = frozenset()) -> bool:
    if isinstance(shape, Link) and shape.edge is not None:
        return _admits_null(shape.edge.node, seen)
    return _is_null(shape) or isinstance(shape, Free)


def _is_kind(shape: Shape, value: object) -> bool:
    match shape:
        case Free() | Values():
            return True
        case Plain(kind=kind):
            return value is None if kind == "null" else isinstance(value, bool)
        case Text():
            return isinstance(value, str)
        case Number(is_integer=is_integer):
            is_number = isinstance(value, int | float) and not isinstance(value, bool)
            return is_number and (not is_integer or float(value) == int(value))  # type: ignore[arg-type]
        case Array():
            return isinstance(value, list)
        case _:
            return isinstance(value, dict)


def _plain(kind: str, accepts: Callable[[Any], bool]) -> Wire:
    def test(value: object) -> bool:
        return value is None if kind == "null" else isinstance(value, bool)

    convert = checked(f"a value of type {kind}", test)
    return Wire({"type": kind}, convert, convert, accepts, frozenset({kind}))


def _list(value: Any) -> Sequence[Any]:
    if isinstance(value, list):
        return value
    raise MismatchError("an array", value)


def _same(value: Any) -> Any:
    return value


def _from_text(value: Any) -> Any:
    """Read JSON text; a text that is not JSON stands for itself."""
    if not isinstance(value, str):
        raise MismatchError("JSON text", value)
    try:
        return secure_json_loads(value)
    except JsonTextError:
        return value


def _any_schema(name: str) -> Schema:
    reference: Schema = {"$ref": f"#/$defs/{name}"}
    pair = closed_object({"key": {"type": "string"}, "value": reference}, ["key", "value"])
    pairs: Schema = {"type": "array", "items": pair}
    return {
        "anyOf": [
            {"type": "string"},
            {"type": "number"},
            {"type": "boolean"},
            {"type": "array", "items": reference},
            closed_object({"__object__": pairs}, ["__object__"]),
            {"type": "null"},
        ]
    }


def _lift_null(value: Any) -> None:
    if value != {"__null__": True}:
        raise MismatchError("an explicit null", value)


def _lower_null(value: Any) -> Any:
    if value is not None:
        raise MismatchError("null", value)
    return {"__null__": True}


_EXPLICIT_NULL = Wire(
    closed_object({"__null__": {"type": "boolean", "enum": [True]}}, ["__null__"]),
    _lift_null,
    _lower_null,
    lambda value: value is None,
    frozenset({"object"}),
    is_identity=False,
    keys=(frozenset({"__null__"}), frozenset({"__null__"})),
)
