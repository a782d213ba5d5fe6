"""Properties that may be absent: left out on the wire, or null. Layer 3."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tool_core.strict.leaves import EXPLICIT_NULL
from tool_core.strict.shapes import Edge, admits_null, is_null, shape_admits_null
from tool_core.strict.wires import Wire, tagged, union_schema

if TYPE_CHECKING:
    from tool_core.strict.encoding import Encoder


def optional_wire(encoder: Encoder, edge: Edge) -> tuple[Wire, bool]:
    """Write a property that may be absent; the answer says whether it may be left out on the wire."""
    limit = encoder.descriptor.native_optionals
    if encoder.descriptor.optional == "omitted" and (limit is None or encoder.optionals < limit):
        encoder.optionals += 1
        return without_null(encoder, edge), True
    return nullable(encoder, edge), False


def without_null(encoder: Encoder, edge: Edge) -> Wire:
    """Write a property that is left out when absent; its null may be dropped to save a union."""
    if encoder.descriptor.null_of_optional == "kept" or encoder.is_text(edge.node):
        return encoder.edge(edge)
    others = [shape for shape in edge.node.branches if not is_null(shape)]
    if len(others) == len(edge.node.branches) or not others or encoder.sharing.is_shared(edge.node):
        return encoder.edge(edge)
    for pointer in edge.pointers:
        encoder.reader.note(pointer, "null is left out: the property can be absent")
    return encoder.described(
        encoder.united(encoder.alternatives(others, edge.node), edge.pointers),
        edge.description or edge.inherited,
    )


def nullable(encoder: Encoder, edge: Edge) -> Wire:
    """Let null mean "absent"; a null of the author's own gets a form of its own."""
    node = edge.node
    encoder.rewrite(edge.pointers, "optional")
    may_be_null = admits_null(node)
    hidden = any(not is_null(shape) and shape_admits_null(shape) for shape in node.branches)
    is_opaque = encoder.sharing.is_shared(node) or hidden
    if encoder.is_text(node) or not may_be_null:
        return _or_absent(encoder.edge(edge))
    if is_opaque:
        encoder.rewrite(edge.pointers, "null", 'a value, also null, is {"value": ...}')
        return _or_absent(tagged(encoder.edge(edge), "value"))
    wires = encoder.alternatives([shape for shape in node.branches if not is_null(shape)], node)
    if encoder.descriptor.null_of_optional == "kept":
        wires.append(EXPLICIT_NULL)
        encoder.rewrite(edge.pointers, "null")
    else:
        for pointer in edge.pointers:
            encoder.reader.note(pointer, "null is left out: the property can be absent")
    inner = encoder.united(wires, edge.pointers) if wires else EXPLICIT_NULL
    return _or_absent(encoder.described(inner, edge.description or edge.inherited))


def _or_absent(wire: Wire) -> Wire:
    """Add null to a schema; its description moves to the outside, where it is read first."""
    body = {key: value for key, value in wire.schema.items() if key != "description"}
    schema = union_schema([body, {"type": "null"}])
    if "description" in wire.schema:
        schema = {**schema, "description": wire.schema["description"]}
    return replace(wire, schema=schema)
