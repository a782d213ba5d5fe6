"""How large a schema is, by the measures that providers limit. Layer 3."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tool_core.strict.descriptors import SizeLimits


@dataclass(frozen=True, slots=True)
class Size:
    """What a provider counts in a schema.

    >>> measured({"type": "object", "properties": {"a": {"type": "string", "enum": ["x", "y"]}}})
    Size(properties=1, depth=1, name_characters=3, enum_values=2, enums=((2, 2),))
    """

    properties: int
    depth: int
    name_characters: int
    enum_values: int
    enums: tuple[tuple[int, int], ...]

    def has_enums_within(self, limits: SizeLimits) -> bool:
        """Whether the lists of values are short enough."""
        if limits.enum_values is not None and self.enum_values > limits.enum_values:
            return False
        large = limits.large_enum
        return large is None or not any(
            count > large[0] and length > large[1] for count, length in self.enums
        )

    def is_shallow_enough(self, limits: SizeLimits) -> bool:
        """Whether the nesting is within the limit."""
        return limits.depth is None or self.depth <= limits.depth

    def excess(self, limits: SizeLimits) -> str | None:
        """Say which limit the schema breaks, if any."""
        if limits.properties is not None and self.properties > limits.properties:
            return f"it has {self.properties} properties; the limit is {limits.properties}"
        if not self.is_shallow_enough(limits):
            return f"it nests {self.depth} levels deep; the limit is {limits.depth}"
        if limits.name_characters is not None and self.name_characters > limits.name_characters:
            return f"its names have {self.name_characters} characters; the limit is {limits.name_characters}"
        if not self.has_enums_within(limits):
            return f"it lists {self.enum_values} values; the limit is {limits.enum_values}"
        return None


def measured(schema: Any) -> Size:
    """Measure a wire schema; definitions count once, and depth follows references once each."""
    nodes = list(_nodes(schema))
    named = [name for node in nodes for name in node.get("properties", {})]
    defined = list(schema.get("$defs", {}))
    enums = [node["enum"] for node in nodes if isinstance(node.get("enum"), list)]
    lengths = [(len(values), sum(len(item) for item in values if isinstance(item, str))) for values in enums]
    return Size(
        len(named),
        _depth(schema, schema.get("$defs", {}), {}),
        sum(map(len, named)) + sum(map(len, defined)) + sum(length for _, length in lengths),
        sum(count for count, _ in lengths),
        tuple(lengths),
    )


def _nodes(schema: Any) -> Any:
    pending = [schema]
    while pending:
        node = pending.pop()
        if isinstance(node, dict):
            yield node
            pending += children(node)
            pending += node.get("$defs", {}).values()


def children(node: dict[str, Any]) -> list[Any]:
    """List the schemas directly inside a wire schema."""
    found = [*node.get("properties", {}).values(), *node.get("anyOf", []), *node.get("prefixItems", [])]
    if isinstance(node.get("items"), dict):
        found.append(node["items"])
    if isinstance(node.get("additionalProperties"), dict):
        found.append(node["additionalProperties"])
    return found


def _depth(node: Any, definitions: dict[str, Any], known: dict[str, int]) -> int:
    """Count how deeply objects and arrays nest; a definition counts once, however often it is used."""
    if not isinstance(node, dict):
        return 0
    reference = node.get("$ref")
    if isinstance(reference, str):
        name = reference.removeprefix("#/$defs/")
        if name not in known:
            known[name] = 0  # a reference back to itself adds nothing
            known[name] = _depth(definitions.get(name), definitions, known)
        return known[name]
    own = 1 if node.get("type") in ("object", "array") else 0
    return own + max((_depth(child, definitions, known) for child in children(node)), default=0)
