"""Cycles in a graph. Layer 3."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def breakers(graph: Mapping[int, Sequence[int]], wanted: set[int]) -> set[int]:
    """Choose nodes so that every cycle passes through one: those wanted, and first ones where need be.

    >>> breakers({1: [2], 2: [1], 3: [3]}, {2})
    {2, 3}
    """
    chosen = set(wanted)
    while True:
        rest = {
            node: [item for item in targets if item not in chosen]
            for node, targets in graph.items()
            if node not in chosen
        }
        loops = strong_components(rest)
        if not loops:
            return chosen
        first: dict[int, int] = {}
        for node in rest:
            if node in loops:
                first.setdefault(loops[node], node)
        chosen |= set(first.values())


def strong_components(graph: Mapping[int, Sequence[int]]) -> dict[int, int]:  # noqa: C901
    """Number the nodes that lie on a cycle; nodes of one number reach each other.

    Without recursion, for the graph may be as deep as a hostile schema makes it.

    >>> strong_components({1: [2], 2: [1, 3], 3: []})
    {2: 1, 1: 1}
    """
    order: dict[int, int] = {}
    lowest: dict[int, int] = {}
    stack: list[int] = []
    on_stack: set[int] = set()
    found: dict[int, int] = {}
    for root in graph:
        if root in order:
            continue
        work: list[tuple[int, int]] = [(root, 0)]
        while work:
            node, index = work.pop()
            if index == 0:
                order[node] = lowest[node] = len(order)
                stack.append(node)
                on_stack.add(node)
            targets = graph.get(node, ())
            if index < len(targets):
                work.append((node, index + 1))
                target = targets[index]
                if target not in order:
                    work.append((target, 0))
                elif target in on_stack:
                    lowest[node] = min(lowest[node], order[target])
                continue
            if lowest[node] == order[node]:
                component = [stack.pop()]
                while component[-1] != node:
                    component.append(stack.pop())
                on_stack.difference_update(component)
                if len(component) > 1 or node in targets:
                    found |= dict.fromkeys(component, node)
            if work:
                parent = work[-1][0]
                lowest[parent] = min(lowest[parent], lowest[node])
    return found
