"""`strictify`: a schema in a dialect, with the way back and the list of what is lost. Layer 3."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, cast

from tool_core.errors import ToolConfigurationError, UnsupportedSchemaError
from tool_core.problems import mismatch, problem
from tool_core.strict.descriptors import FormatDescriptor
from tool_core.strict.documents import Document, schema_text
from tool_core.strict.encoding import AS_TEXT, Encoder
from tool_core.strict.lenient import lenient_wire
from tool_core.strict.reading import Reader
from tool_core.strict.references import written
from tool_core.strict.rewrites import RewriteKind, Rewrites
from tool_core.strict.shapes import Array, Constraint, Edge, Node, Object, edges_of
from tool_core.strict.sizes import Size, measured
from tool_core.strict.wires import MismatchError, Wire
from tool_core.strict.words import in_words

_SMALLER_ENUMS = (250, 100, 40, 1)


@dataclass(frozen=True, slots=True)
class Loss:
    """A constraint that the dialect cannot hold: where it stands, and what the model is told instead."""

    pointer: str
    keyword: str
    detail: str


@dataclass(frozen=True, slots=True)
class Note:
    """Something the author should know: a part that the rewriting narrowed or had to guess."""

    pointer: str
    text: str


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A place where a value looks different on the wire: what kind of change, and how it is written."""

    pointer: str
    kind: RewriteKind
    detail: str


@dataclass(frozen=True, slots=True)
class StrictForm:
    """A schema on the wire, the conversions both ways, and what is checked locally instead.

    Where `rewrites` is empty, values travel as they are.

    >>> from tool_core.strict import OPENAI_STRICT, strictify
    >>> form = strictify({"type": "object", "additionalProperties": {"type": "integer"}}, OPENAI_STRICT)
    >>> form.lower({"a": 1})
    {'value': [{'key': 'a', 'value': 1}]}
    >>> form.lift({"value": [{"key": "a", "value": 1}]})
    {'a': 1}
    """

    descriptor: FormatDescriptor
    text: str
    losses: tuple[Loss, ...]
    notes: tuple[Note, ...]
    rewrites: tuple[Rewrite, ...]
    _lift: Callable[[Any], Any] = field(repr=False, compare=False)
    _lower: Callable[[Any], Any] = field(repr=False, compare=False)

    @property
    def schema(self) -> dict[str, object]:
        """The schema to send; a copy."""
        return cast("dict[str, object]", json.loads(self.text))

    def lift(self, wire: object) -> object:
        """Turn what the model sent into a value of the original schema."""
        return _converted(self._lift, wire)

    def lower(self, value: object) -> object:
        """Turn a value of the original schema into what the model would have sent."""
        return _converted(self._lower, value)


def strictify(schema: Mapping[str, object] | bool, descriptor: FormatDescriptor) -> StrictForm:
    """Rewrite any JSON Schema into a dialect, or say where and why that cannot be done.

    Gotchas:
        `lift` undoes the rewriting and nothing more: what is listed as a loss must be checked with
        the original schema, as decoding a tool's parameters does.

    >>> from tool_core.strict import OPENAI_STRICT
    >>> form = strictify({"type": "object", "properties": {"n": {"type": "integer"}}}, OPENAI_STRICT)
    >>> form.schema["properties"], form.lift({"n": None})
    ({'n': {'type': ['integer', 'null']}}, {})
    """
    if not isinstance(descriptor, FormatDescriptor):
        raise ToolConfigurationError(
            None, f"a dialect is a FormatDescriptor such as OPENAI_STRICT, not {descriptor!r}"
        )
    return _strictified(schema_text(schema), descriptor)


@lru_cache(maxsize=4096)
def _strictified(text: str, descriptor: FormatDescriptor) -> StrictForm:
    document = Document(json.loads(text))
    try:
        if not descriptor.strict:
            wire, rewrites, lost = lenient_wire(document, descriptor)
            written_text = json.dumps(wire.schema)
            return StrictForm(
                descriptor, written_text, losses_of(lost), (), rewrites_of(rewrites), wire.lift, wire.lower
            )
        return _rewritten(document, descriptor)
    except RecursionError:
        raise UnsupportedSchemaError("", "the schema nests too deeply") from None


def _rewritten(document: Document, descriptor: FormatDescriptor) -> StrictForm:
    reader = Reader(document.heeded())
    edge = reader.edge([()])
    encoder, wire = _encoded(reader, edge, descriptor)
    size = measured(wire.schema)
    enums = [limit for limit in _SMALLER_ENUMS if not size.has_enums_within(descriptor.limits)]
    for limit in enums:
        encoder, wire = _encoded(reader, edge, replace(descriptor, largest_enum=limit))
        size = measured(wire.schema)
        if size.has_enums_within(descriptor.limits):
            break
    levels = {} if _is_flat_enough(size, descriptor) else _levels(edge.node)
    if descriptor.text_below is not None:
        deep = {key for key, value in levels.items() if value >= descriptor.text_below}
        encoder, wire = _encoded(reader, edge, encoder.descriptor, deep)
        size = measured(wire.schema)
    for level in range(max(levels.values(), default=0), 0, -1):
        if size.is_shallow_enough(descriptor.limits):
            break
        deep = {key for key, value in levels.items() if value >= level}
        encoder, wire = _encoded(reader, edge, encoder.descriptor, deep)
        size = measured(wire.schema)
    _check(size, descriptor)
    return StrictForm(
        descriptor,
        json.dumps(wire.schema),
        losses_of(encoder.losses.values()),
        notes_of(reader.notes),
        rewrites_of(encoder.rewrites),
        wire.lift,
        wire.lower,
    )


def _is_flat_enough(size: Size, descriptor: FormatDescriptor) -> bool:
    return descriptor.text_below is None and size.is_shallow_enough(descriptor.limits)


def _encoded(
    reader: Reader, edge: Edge, descriptor: FormatDescriptor, as_text: set[int] | None = None
) -> tuple[Encoder, Wire]:
    """Write the schema; a definition that turns out to be used once is written in its place instead."""
    single: set[int] = set()
    while True:
        encoder = Encoder(reader, descriptor, as_text or set(), single=single)
        wire = encoder.root(edge)
        lonely = encoder.used_once(wire.schema) - single
        if not lonely:
            return encoder, wire
        single = single | lonely


def _levels(root: Node) -> dict[int, int]:
    """Find how far below the root each structured node stands at least."""
    found: dict[int, int] = {id(root): 0}
    level, current = 0, [root]
    structured: dict[int, int] = {}
    while current:
        following: list[Node] = []
        for node in current:
            if level and any(isinstance(shape, Array | Object) for shape in node.branches):
                structured[id(node)] = level
            targets = [edge.node for shape in node.branches for edge, _ in edges_of(shape)]
            for target in targets:
                if id(target) not in found:
                    found[id(target)] = level + 1
                    following.append(target)
        level, current = level + 1, following
    return structured


def _detail(keyword: str, value: object) -> str:
    if value is AS_TEXT:
        return "travels as JSON text and is checked locally"
    return in_words(keyword, value) or f"{keyword} is checked locally"


def _check(size: Size, descriptor: FormatDescriptor) -> None:
    if reason := size.excess(descriptor.limits):
        raise UnsupportedSchemaError("", reason)


def _converted(convert: Callable[[Any], Any], value: object) -> object:
    try:
        return convert(value)
    except MismatchError as error:
        raise mismatch([problem(*error.path, expected=error.expected, got=error.got)]) from None
    except RecursionError:
        raise mismatch(
            [problem(expected="a value that does not nest too deeply", got="one that does")]
        ) from None


def losses_of(constraints: Iterable[Constraint]) -> tuple[Loss, ...]:
    """Put losses into the order of their places, each with its words."""
    found = {(written(pointer), keyword): value for pointer, keyword, value in constraints}
    return tuple(Loss(*key, _detail(key[1], found[key])) for key in sorted(found))


def notes_of(notes: Mapping[tuple[str, str], object]) -> tuple[Note, ...]:
    """Put notes into the order of their places."""
    return tuple(Note(pointer, text) for pointer, text in sorted(notes))


def rewrites_of(rewrites: Rewrites) -> tuple[Rewrite, ...]:
    """Put rewrites into the order of their places."""
    return tuple(Rewrite(pointer, kind, detail) for (pointer, kind), detail in sorted(rewrites.items()))
