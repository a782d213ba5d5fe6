"""Schemas and values by dice: keywords that belong together, in every draft."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

NAMES = ["a", "b", "x y"]
TYPES = ["object", "array", "string", "integer", "number", "boolean", "null"]
SCALARS = [None, True, False, 0, 1, 1.0, 2.5, -0.0, 1e300, "", "a", "b", "1"]
TARGETS = ["#", "#/$defs/a", "#/$defs/b", "#/properties/a", "#/items"]
DRAFTS = [
    "http://json-schema.org/draft-04/schema#",
    "http://json-schema.org/draft-06/schema#",
    "http://json-schema.org/draft-07/schema#",
    "https://json-schema.org/draft/2019-09/schema",
    "https://json-schema.org/draft/2020-12/schema",
    "https://example.com/unknown",
]


@dataclass(frozen=True)
class Author:
    """Writes schemas, and values for them, by dice."""

    dice: random.Random

    def document(self) -> dict[str, Any]:
        draft = {"$schema": self.dice.choice(DRAFTS)} if self.dice.random() < 0.7 else {}
        return {**draft, **self.part(0), "$defs": {name: self.schema(1) for name in "ab"}}

    def schema(self, depth: int) -> Any:
        if depth > 3 or self.dice.random() < 0.2:
            return self.dice.choice([True, False, {}, *({"type": kind} for kind in TYPES)])
        return self.part(depth)

    def part(self, depth: int) -> dict[str, Any]:
        writers = [self.keys, self.items, self.listed, self.combined, self.referred, self.typed]
        chosen = self.dice.sample(writers, self.dice.choice([1, 1, 2]))
        return {key: value for write in chosen for key, value in write(depth + 1).items()}

    def keys(self, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {"properties": {name: self.schema(depth) for name in self.some(NAMES)}}
        return self.thinned(
            {
                "type": "object",
                **found,
                "required": self.some(NAMES),
                "additionalProperties": self.schema(depth),
                "patternProperties": {name: self.schema(depth) for name in self.some(["^a", "y$"])},
            }
        )

    def items(self, depth: int) -> dict[str, Any]:
        several = [self.schema(depth) for _ in range(2)]
        return self.thinned(
            {
                "type": "array",
                "items": self.dice.choice([self.schema(depth), several]),
                "prefixItems": several,
                "additionalItems": self.schema(depth),
                "maxItems": self.dice.randint(0, 2),
            }
        )

    def listed(self, depth: int) -> dict[str, Any]:
        values = [self.value(depth) for _ in range(2)]
        return self.dice.choice(
            [{"enum": values}, {"const": values[0]}, {"enum": values, "const": values[0]}]
        )

    def combined(self, depth: int) -> dict[str, Any]:
        keyword = self.dice.choice(["anyOf", "oneOf", "allOf", "allOf", "not"])
        members = [self.schema(depth) for _ in range(self.dice.randint(1, 3))]
        return {keyword: members[0] if keyword == "not" else members}

    def referred(self, _depth: int) -> dict[str, Any]:
        return {"$ref": self.dice.choice(TARGETS)}

    def typed(self, _depth: int) -> dict[str, Any]:
        return {"type": self.some(TYPES) or "string", "nullable": True}

    def thinned(self, part: dict[str, Any]) -> dict[str, Any]:
        return {key: value for key, value in part.items() if self.dice.random() < 0.6}

    def some(self, names: list[str]) -> list[str]:
        return self.dice.sample(names, self.dice.randint(0, min(3, len(names))))

    def value(self, depth: int) -> Any:
        kind = self.dice.random() if depth < 4 else 1
        if kind < 0.25:
            return [self.value(depth + 1) for _ in range(self.dice.randint(0, 2))]
        if kind < 0.6:
            return {name: self.value(depth + 1) for name in self.some(NAMES)}
        return self.dice.choice(SCALARS)
