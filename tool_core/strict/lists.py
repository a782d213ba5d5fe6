"""Reading the lists of a schema: their leading positions, their items and their lengths. Layer 3."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from tool_core.strict.references import REFERENCES, Pointer
from tool_core.strict.shapes import Array, Constraint, Edge, Shape

if TYPE_CHECKING:
    from tool_core.strict.reading import Reader

ARRAY = frozenset(
    {
        "items", "prefixItems", "additionalItems", "minItems", "maxItems", "uniqueItems", "contains",
        "minContains", "maxContains", "unevaluatedItems",
    }
)  # fmt: skip

_EVALUATING = REFERENCES | {
    "allOf", "anyOf", "oneOf", "if", "then", "else", "dependentSchemas", "contains",
}  # fmt: skip


def read_array(
    reader: Reader, atoms: tuple[Pointer, ...], residue: tuple[Constraint, ...]
) -> Iterator[Shape]:
    """Read schemas that must all hold as one list shape; nothing where no list satisfies them."""
    constraints = tuple(
        constraint
        for constraint in reader.found(atoms, ARRAY - {"items", "prefixItems", "additionalItems"})
        if constraint[1] != "unevaluatedItems" or _is_blurred(reader.part(constraint[0]))
    )
    shortest = max(
        (0, *(int(v) for _, k, v in constraints if k == "minItems" and isinstance(v, int | float)))
    )
    limits = [int(v) for _, k, v in constraints if k == "maxItems" and isinstance(v, int | float)]
    length = max((len(_prefix_of(reader.part(atom))[1]) for atom in atoms), default=0)
    prefix = [reader.edge(_items_at(reader, atoms, index)) for index in range(length)]
    rest_pointers = [pointer for atom in atoms if (pointer := _rest(reader, atom)) is not None]
    rest: Edge | None = reader.edge(rest_pointers)
    if rest is not None and rest.node.is_impossible:
        rest, limits = None, [*limits, length]
    possible = next((index for index, edge in enumerate(prefix) if edge.node.is_impossible), length)
    if possible < length:
        prefix, rest, limits = prefix[:possible], None, [*limits, possible]
    longest = min(limits, default=None)
    if longest is not None and longest <= len(prefix):
        prefix, rest = prefix[:longest], None
    if longest is None or shortest <= longest:
        yield Array(atoms, residue, tuple(prefix), rest, shortest, longest, constraints)


def _items_at(reader: Reader, atoms: tuple[Pointer, ...], index: int) -> list[Pointer]:
    """Point to the schemas that apply to one position of a tuple."""
    found: list[Pointer] = []
    for atom in atoms:
        keyword, members = _prefix_of(reader.part(atom))
        rest = _rest(reader, atom)
        if index < len(members):
            found.append((*atom, keyword, index))
        elif rest is not None:
            found.append(rest)
    return found


def _rest(reader: Reader, atom: Pointer) -> Pointer | None:
    part = reader.part(atom)
    keyword = "additionalItems" if isinstance(part.get("items"), list) else "items"
    if keyword in part:
        return (*atom, keyword)
    if "unevaluatedItems" in part and not _is_blurred(part):
        return (*atom, "unevaluatedItems")
    return None


def _is_blurred(part: dict[str, Any]) -> bool:
    """Tell whether which items are evaluated depends on more than on the positions of a schema."""
    return not _EVALUATING.isdisjoint(part) and not isinstance(part.get("items"), dict | bool)


def _prefix_of(part: dict[str, Any]) -> tuple[str, list[Any]]:
    for keyword in ("prefixItems", "items"):
        if isinstance(part.get(keyword), list):
            return keyword, part[keyword]
    return "prefixItems", []
