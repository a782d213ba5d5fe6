"""Which parts of a schema become definitions, and where a cycle of references is cut. Layer 3."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tool_core.errors import UnsupportedSchemaError
from tool_core.strict.cycles import breakers, strong_components
from tool_core.strict.descriptors import FormatDescriptor
from tool_core.strict.shapes import Array, Link, Node, Object, edges_of


@dataclass(frozen=True, slots=True, eq=False)
class Sharing:
    """What is known of the graph of nodes before anything is written."""

    cut: Mapping[int, int]
    loops: set[int]
    single: set[int]

    @staticmethod
    def of(root: Node, descriptor: FormatDescriptor, single: set[int]) -> Sharing:
        """Find the cycles; `single` are nodes of which it turned out that they are used once."""
        nodes: dict[int, Node] = {}
        graph: dict[int, list[tuple[int, bool]]] = {}
        pending = [root]
        while pending:
            node = pending.pop()
            if id(node) not in graph:
                edges = [(edge.node, free) for shape in node.branches for edge, free in edges_of(shape)]
                graph[id(node)] = [(id(target), free) for target, free in edges]
                nodes[id(node)] = node
                pending += [target for target, _ in edges]
        if not strong_components({key: [item for item, _ in found] for key, found in graph.items()}):
            return Sharing({}, set(), single)
        _check_links(nodes)
        cut = _cut(graph, descriptor)
        kept = {
            key: [item for item, _ in found if key not in cut or cut[key] != cut.get(item)]
            for key, found in graph.items()
        }
        wanted = {key for key in strong_components(kept) if nodes[key].from_reference}
        return Sharing(cut, breakers(kept, wanted), single)

    def is_shared(self, node: Node) -> bool:
        """Whether a node is written once, as a definition: on a cycle, or large and used repeatedly."""
        if id(node) in self.loops:
            return True
        is_large = len(node.branches) > 1 or any(isinstance(shape, Array | Object) for shape in node.branches)
        return node.from_reference and is_large and id(node) not in self.single

    def is_cut(self, here: Node, target: Node) -> bool:
        """Whether the way from one node to another belongs to a cycle that the dialect does not take."""
        return id(here) in self.cut and self.cut[id(here)] == self.cut.get(id(target))


def _cut(graph: Mapping[int, list[tuple[int, bool]]], descriptor: FormatDescriptor) -> dict[int, int]:
    """Find the cycles to cut: none, all, or those that pass no optional property."""
    if descriptor.recursion == "kept":
        return {}
    is_loose = descriptor.recursion == "optional"
    return strong_components(
        {key: [item for item, free in found if not (is_loose and free)] for key, found in graph.items()}
    )


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
