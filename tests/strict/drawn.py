"""Schemas drawn at random, with keywords of all kinds beside each other, in any draft."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jsonschema_rs

DRAFTS = (
    None,
    "http://json-schema.org/draft-04/schema#",
    "http://json-schema.org/draft-07/schema#",
    "https://json-schema.org/draft/2019-09/schema",
    "https://json-schema.org/draft/2020-12/schema",
)
_NAMES = ("a", "b", "c", "a b", "$x", "é", "a_b", "__extra__", "key", "value", "0")
_PATTERNS = ("^a", "b$", "^x", ".", "(?=a)")
_TYPES = ("string", "integer", "number", "boolean", "null", "object", "array")
_REFERENCES = ("#", "#/$defs/d0", "#/$defs/d1")
_NAMED = ("#n0", "#n1", "urn:r", "urn:r#/$defs/e")
"""References that only newer drafts can resolve."""
_COMMON = ("properties", "properties", "required", "additionalProperties", "$ref", "anyOf", "items")


def drawn_schema(seed: int) -> Any:
    """Draw a schema that is valid in its draft, or the next one that is."""
    while True:
        schema = _document(random.Random(seed))
        try:
            jsonschema_rs.validator_for(schema, validate_formats=False)
        except Exception:
            seed += 1_000_003
        else:
            return schema


def _document(dice: random.Random) -> Any:
    draft = dice.choice(DRAFTS)
    author = Author(dice, draft or DRAFTS[-1] or "")
    schema = author.schema(4)
    if not isinstance(schema, dict):
        return schema
    definitions = {f"d{number}": author.object_schema(3) for number in range(2)}
    if author.has_anchors:
        for number in range(2):
            definitions[f"d{number}"]["$dynamicAnchor" if author.is_latest else "$anchor"] = f"n{number}"
        inner = {"e": {"$ref": "#/$defs/e"}, "r": {"$ref": "#"}}
        embedded = {"$id": "urn:r", "$defs": {"e": {"type": dice.choice(_TYPES)}}}
        definitions["r"] = {"type": "object", "properties": inner, **embedded}
    schema["$defs"] = definitions
    return schema if draft is None else {"$schema": draft, **schema}


@dataclass(frozen=True, slots=True)
class Author:
    """Draws the parts of one document."""

    dice: random.Random
    draft: str

    @property
    def is_latest(self) -> bool:
        """Whether the draft is 2020-12."""
        return "2020" in self.draft

    @property
    def has_anchors(self) -> bool:
        """Whether the draft knows anchors."""
        return "2019" in self.draft or self.is_latest

    def schema(self, depth: int) -> Any:
        """Draw a schema, now and then a boolean one."""
        if self.dice.random() < 0.05 and "draft-04" not in self.draft:
            return self.dice.random() < 0.7
        return self.object_schema(depth)

    def object_schema(self, depth: int) -> dict[str, Any]:
        """Draw some keywords with values."""
        if depth <= 0 or self.dice.random() < 0.3:
            return {"type": self.dice.choice(_TYPES)} if self.dice.random() < 0.8 else {}
        schema: dict[str, Any] = {}
        if self.dice.random() < 0.6:
            kinds = self.dice.sample(_TYPES, 2)
            schema["type"] = self.dice.choice((*_TYPES, "object", "object", "array", kinds))
        keywords = self._keywords(depth - 1)
        for keyword in self.dice.choices((*keywords, *_COMMON * 4), k=self.dice.randint(1, 4)):
            schema[keyword] = keywords[keyword]()
        if schema.get("exclusiveMinimum") is True:
            schema.setdefault("minimum", 0)
        return schema

    def value(self, depth: int = 2) -> Any:
        """Draw a JSON value."""
        draw = self.dice.random()
        if depth and draw < 0.15:
            return {self._name(): self.value(depth - 1) for _ in range(self.dice.randint(0, 2))}
        if depth and draw < 0.3:
            return [self.value(depth - 1) for _ in range(self.dice.randint(0, 2))]
        return self.dice.choice((None, True, False, 0, 1, 2.0, -1, 3.5, "", "a", "x", "A", "1"))

    def _keywords(self, depth: int) -> dict[str, Callable[[], Any]]:
        def schema() -> Any:
            return self.schema(depth)

        def schemas() -> list[Any]:
            return [schema() for _ in range(self.dice.randint(1, 3))]

        def named() -> dict[str, Any]:
            return {self._name(): schema() for _ in range(self.dice.randint(0, 3))}

        def patterned() -> dict[str, Any]:
            return {self.dice.choice(_PATTERNS): schema() for _ in range(self.dice.randint(0, 2))}

        def rest() -> Any:
            return schema() if self.dice.random() < 0.4 else self.dice.random() < 0.4

        def few() -> int:
            return self.dice.randint(0, 3)

        def names() -> list[str]:
            return sorted({self._name() for _ in range(self.dice.randint(1, 2))})

        def number() -> float:
            return self.dice.choice((0, 1, 2, -1, 0.5))

        found: dict[str, Callable[[], Any]] = {
            **dict.fromkeys(("not", "if", "then", "else", "contains", "propertyNames"), schema),
            **dict.fromkeys(("anyOf", "oneOf", "allOf", "prefixItems"), schemas),
            **dict.fromkeys(("properties", "dependentSchemas"), named),
            **dict.fromkeys(("additionalProperties", "unevaluatedProperties", "unevaluatedItems"), rest),
            **dict.fromkeys(("minItems", "maxItems", "minLength", "maxLength"), few),
            **dict.fromkeys(("minProperties", "maxProperties", "minContains"), few),
            **dict.fromkeys(("minimum", "maximum"), number),
            "exclusiveMinimum": lambda: True if "draft-04" in self.draft else number(),
            "multipleOf": lambda: self.dice.choice((1, 2, 0.5)),
            "items": lambda: schemas() if not self.is_latest and self.dice.random() < 0.5 else schema(),
            "patternProperties": patterned,
            "dependentRequired": lambda: {self._name(): names()},
            "dependencies": lambda: {self._name(): names(), self._name(): schema()},
            "required": names,
            "uniqueItems": lambda: self.dice.random() < 0.5,
            "enum": lambda: list({repr(v): v for v in (self.value() for _ in range(few() + 1))}.values()),
            "const": self.value,
            "pattern": lambda: self.dice.choice(_PATTERNS),
            "format": lambda: self.dice.choice(("date", "uri")),
            "description": lambda: self.dice.choice(("one", "other")),
            "default": self.value,
            "$ref": lambda: self.dice.choice((*_REFERENCES, *_NAMED) if self.has_anchors else _REFERENCES),
        }
        if self.is_latest:
            return {**found, "$dynamicRef": lambda: self.dice.choice(("#n0", "#n1"))}
        return {**found, "additionalItems": rest, "$recursiveRef": lambda: "#"}

    def _name(self) -> str:
        return self.dice.choice(_NAMES)
