"""Sample values for a JSON Schema: what a tool could be called with. Layer 3.

Values are drawn from what the schema says and then checked against it, so a sample is either valid
or not given at all.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from tool_core.errors import UnsupportedSchemaError
from tool_core.patterns import matching_text
from tool_core.strict.documents import Document, as_schema
from tool_core.strict.references import Pointer

_DEEP = 6
_LONG = 10_000
"""No text and no list is drawn longer; where a longer one is asked for, there is no sample."""
_FORMATS = {
    "date-time": "2024-05-06T07:08:09Z",
    "date": "2024-05-06",
    "time": "07:08:09Z",
    "duration": "P1DT2H",
    "email": "ann@example.com",
    "hostname": "example.com",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "uri": "https://example.com/",
    "uuid": "123e4567-e89b-12d3-a456-426614174000",
}
_WORDS = ("", "a", "Oslo", "two words", "naïve", "3", "null", '{"a": 1}', "[]", "{}")


def sample_values(schema: Mapping[str, object] | bool, count: int = 10, seed: int = 0) -> list[object]:
    """Draw valid values for a schema; fewer than `count` where they are hard to find.

    >>> sample_values({"type": "integer", "minimum": 3, "maximum": 3}, 1)
    [3]
    """
    document = Document.of(schema).heeded()
    drawer = Drawer(document, random.Random(seed))
    found: list[object] = []
    for _ in range(count * 20):
        try:
            value = drawer.draw((), 0)
        except (ArithmeticError, RecursionError, TypeError, UnsupportedSchemaError, ValueError):
            continue  # the schema asks for what cannot be, or for more than can be drawn
        if document.accepts((), value):
            found.append(value)
        if len(found) == count:
            break
    return found


@dataclass(frozen=True, slots=True)
class Drawer:
    """Draws values without looking back; the caller checks them."""

    document: Document
    random: random.Random

    def draw(self, pointer: Pointer, depth: int) -> Any:
        """Draw a value for the schema at a pointer."""
        if depth > 40:
            raise RecursionError
        part = as_schema(self.document.at(pointer))
        if "const" in part:
            return part["const"]
        if isinstance(part.get("enum"), list) and part["enum"]:
            return self.random.choice(part["enum"])
        if targets := self.document.targets(pointer):
            return self._merged(pointer, part, targets, depth)
        for keyword in ("anyOf", "oneOf"):
            if isinstance(part.get(keyword), list) and part[keyword]:
                chosen = self._branch(part[keyword], depth)
                return self._merged(pointer, part, [(*pointer, keyword, chosen)], depth)
        if isinstance(part.get("allOf"), list):
            members = [(*pointer, "allOf", index) for index in range(len(part["allOf"]))]
            return self._merged(pointer, part, members, depth)
        return self._typed(pointer, part, depth)

    def _branch(self, branches: list[Any], depth: int) -> int:
        """Choose a branch; far from the root one that ends there."""
        indices = list(range(len(branches)))
        if depth > _DEEP:
            flat = [i for i in indices if as_schema(branches[i]).get("type") not in ("object", "array", None)]
            indices = flat or indices
        return self.random.choice(indices)

    def _merged(self, pointer: Pointer, part: dict[str, Any], members: list[Pointer], depth: int) -> Any:
        values = [self.draw(member, depth + 1) for member in members]
        if "properties" in part or "required" in part:
            values.append(self._object(pointer, part, depth))
        if values and all(isinstance(value, dict) for value in values):
            return {key: item for value in values for key, item in value.items()}
        return values[0] if values else self._typed(pointer, part, depth)

    def _typed(self, pointer: Pointer, part: dict[str, Any], depth: int) -> Any:
        named = part.get("type")
        kinds = (
            [named]
            if isinstance(named, str)
            else named
            if isinstance(named, list) and named
            else self._inferred(part)
        )
        if depth > _DEEP and "null" in kinds:
            return None
        draw: dict[str, Callable[[], Any]] = {
            "null": lambda: None,
            "boolean": lambda: self.random.random() < 0.5,
            "string": lambda: self._text(part),
            "integer": lambda: self._number(part, whole=True),
            "number": lambda: self._number(part, whole=self.random.random() < 0.5),
            "array": lambda: self._array(pointer, part, depth),
            "object": lambda: self._object(pointer, part, depth),
        }
        return draw.get(str(self.random.choice(kinds)), lambda: None)()

    def _inferred(self, part: dict[str, Any]) -> list[str]:
        if "properties" in part or "required" in part or "additionalProperties" in part:
            return ["object"]
        if "items" in part or "prefixItems" in part:
            return ["array"]
        return ["string", "integer", "boolean", "null"]

    def _text(self, part: dict[str, Any]) -> str:
        if isinstance(part.get("pattern"), str):
            text = matching_text(part["pattern"], self.random)
        else:
            text = _FORMATS.get(str(part.get("format"))) or self.random.choice(_WORDS)
        shortest, longest = part.get("minLength", 0), part.get("maxLength")
        text += "x" * min(_LONG, max(0, int(shortest) - len(text)))
        return text[:longest] if isinstance(longest, int) else text

    def _number(self, part: dict[str, Any], whole: bool) -> int | float:
        low = max(_number(part, "minimum", -math.inf), _number(part, "exclusiveMinimum", -math.inf))
        high = min(_number(part, "maximum", math.inf), _number(part, "exclusiveMaximum", math.inf))
        low = low if low > -math.inf else min(high, 100) - 100
        high = high if high < math.inf else low + 100
        step = part.get("multipleOf")
        if isinstance(step, int | float) and not isinstance(step, bool) and step > 0:
            return step * self.random.randint(
                math.ceil(low / step), max(math.ceil(low / step), math.floor(high / step))
            )
        if whole:
            return self.random.randint(math.ceil(low), max(math.ceil(low), math.floor(high)))
        return round(self.random.uniform(low, high), 3)

    def _array(self, pointer: Pointer, part: dict[str, Any], depth: int) -> list[Any]:
        keyword = "prefixItems" if isinstance(part.get("prefixItems"), list) else "items"
        prefix = part[keyword] if isinstance(part.get(keyword), list) else []
        rest = "additionalItems" if keyword == "items" and prefix else "items"
        shortest = min(_LONG, int(_number(part, "minItems", 0)))
        longest = int(min(_number(part, "maxItems", shortest + 3), shortest + 3))
        count = shortest if depth > _DEEP else self.random.randint(shortest, max(shortest, longest))
        return list(self._items(pointer, part, keyword, len(prefix), rest, count, depth))

    def _items(
        self,
        pointer: Pointer,
        part: dict[str, Any],
        keyword: str,
        fixed: int,
        rest: str,
        count: int,
        depth: int,
    ) -> Iterator[Any]:
        for index in range(count):
            if index < fixed:
                yield self.draw((*pointer, keyword, index), depth + 1)
            elif part.get(rest) is False:
                return
            else:
                yield self.draw((*pointer, rest), depth + 1) if isinstance(part.get(rest), dict) else index

    def _object(self, pointer: Pointer, part: dict[str, Any], depth: int) -> dict[str, Any]:
        properties = part.get("properties") if isinstance(part.get("properties"), dict) else {}
        required = part.get("required") if isinstance(part.get("required"), list) else []
        chance = 0.0 if depth > _DEEP else 0.5
        result: dict[str, Any] = {}
        for name in cast("dict[str, Any]", properties):
            if name in cast("list[str]", required) or self.random.random() < chance:
                result[name] = self.draw((*pointer, "properties", name), depth + 1)
        for name in cast("list[str]", required):
            if name not in result:
                result[name] = self._other(pointer, part, depth)
        extra = part.get("additionalProperties")
        if (extra is True or isinstance(extra, dict)) and self.random.random() < chance:
            result[self.random.choice(("extra", "x y", "key", "value"))] = self._other(pointer, part, depth)
        return result

    def _other(self, pointer: Pointer, part: dict[str, Any], depth: int) -> Any:
        if isinstance(part.get("additionalProperties"), dict):
            return self.draw((*pointer, "additionalProperties"), depth + 1)
        return self.random.choice((None, 1, "x", [1], {"a": None}))


def _number(part: dict[str, Any], keyword: str, default: float) -> float:
    value = part.get(keyword, default)
    return value if isinstance(value, int | float) and not isinstance(value, bool) else default
