"""What changed between two JSON Schemas, and whether more is accepted than before. Layer 3.

The law: where the second schema accepts a value that the first refused, some change widens or may
widen. Keywords mostly hold side by side, so each is judged alone; those that depend on others
(`$ref`, `oneOf`, `not`, `if` and their like) are never said to narrow.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, TypeAlias

from tool_core.json_text import canonical_json
from tool_core.strict.lenient import subschemas

Effect: TypeAlias = Literal["widens", "may widen", "narrows", "text", "results"]
"""More is accepted or allowed; perhaps; less; words that the model reads; what comes back."""

_ABSENT: Final = object()
_LEAST = frozenset({"minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"})
_MOST = frozenset({"maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"})
_PLAIN = frozenset(
    {"pattern", "format", "multipleOf", "uniqueItems", "contentEncoding", "contentMediaType",
     "dependentRequired"}
)  # fmt: skip
_ALL = frozenset({"allOf", "dependentSchemas", "propertyNames"})
_DEPENDENT = frozenset(
    {"oneOf", "not", "if", "then", "else", "contains", "prefixItems", "dependencies", "contentSchema",
     "unevaluatedProperties", "unevaluatedItems", "additionalItems"}
)  # fmt: skip
_OPAQUE = frozenset(
    {"$ref", "$schema", "$id", "id", "$anchor", "$dynamicRef", "$dynamicAnchor", "$recursiveRef",
     "$recursiveAnchor", "$vocabulary", "minContains", "maxContains"}
)  # fmt: skip
_INVERTING = frozenset({"oneOf", "not", "if", "contains"})
_UNEVALUATED = frozenset({"unevaluatedProperties", "unevaluatedItems"})
_DEFINITIONS = ("$defs", "definitions")


@dataclass(frozen=True, slots=True)
class Change:
    """One difference: where, what it does, and both sides as JSON text (None where there is nothing)."""

    pointer: str
    effect: Effect
    before: str | None
    after: str | None


def schema_changes(old: object, new: object, pointer: str = "") -> list[Change]:
    """List the differences between two schemas.

    >>> old = {"type": "object", "properties": {"unit": {"enum": ["C", "F"]}}}
    >>> new = {"type": "object", "properties": {"unit": {"enum": ["C", "F", "K"]}}}
    >>> [(change.pointer, change.effect) for change in schema_changes(old, new)]
    [('/properties/unit/enum', 'widens')]
    """
    parts = [part for schema in (old, new) for part in subschemas(schema)]
    keywords = {keyword for part in parts for keyword in part}
    targets = {str(part["$ref"]) for part in parts if "$ref" in part}
    inverts = bool(keywords & _INVERTING and targets)
    strays = any(not target.startswith(("#/$defs/", "#/definitions/")) for target in targets)
    reader = _Comparison(is_exact=not keywords & _UNEVALUATED and not (inverts and strays), inverts=inverts)
    return list(reader.between(old, new, pointer))


@dataclass(frozen=True, slots=True)
class _Comparison:
    """Compares part by part; where it is not exact, less here may be more for the whole."""

    is_exact: bool
    inverts: bool

    def between(self, old: object, new: object, pointer: str) -> Iterator[Change]:
        if _text(old) == _text(new):
            return
        if old is False or new is False:
            yield self._change(pointer, "widens" if old is False else "narrows", old, new)
            return
        before, after = (part if isinstance(part, Mapping) else {} for part in (old, new))
        for keyword in sorted(before.keys() | after.keys()):
            place = f"{pointer}/{_escaped(keyword)}"
            a, b = before.get(keyword, _ABSENT), after.get(keyword, _ABSENT)
            if _text(a) != _text(b):
                found = list(self._of_keyword(keyword, a, b, place, (before, after)))
                yield from found or [self._change(place, "text", a, b)]

    def _of_keyword(self, keyword: str, a: Any, b: Any, place: str, both: Any) -> Iterator[Change]:
        match keyword:
            case "properties" if _are(dict, a, b):
                yield from self._properties(a, b, place, both)
            case "patternProperties" if _are(dict, a, b):
                yield from self._entries(a, b, place, "may widen", "may widen")
            case "$defs" | "definitions" if _are(dict, a, b):
                inside = replace(self, is_exact=self.is_exact and not self.inverts)
                yield from inside._entries(a, b, place, "text", "text")
            case "items" | "additionalProperties" if not isinstance(a, list) and not isinstance(b, list):
                yield from self.between(_schema(a), _schema(b), place)
            case "anyOf" if _are(list, a, b):
                yield from self._members(a, b, place, "widens", "narrows")
            case "allOf" if _are(list, a, b):
                yield from self._members(a, b, place, "narrows", "widens")
            case _ if keyword in _DEPENDENT:
                yield from self._dependent(a, b, place)
            case _:
                yield self._change(place, _effect(keyword, a, b), a, b)

    def _properties(self, a: Any, b: Any, place: str, both: Any) -> Iterator[Change]:
        """A property that is new is something more to do; one that is gone is so only if keys are free."""
        is_closed = all(
            part.get("additionalProperties") is False and not part.get("patternProperties") for part in both
        )
        yield from self._entries(a, b, place, "widens", "narrows" if is_closed else "may widen")

    def _entries(self, a: Any, b: Any, place: str, added: Effect, removed: Effect) -> Iterator[Change]:
        before, after = ({} if side is _ABSENT else side for side in (a, b))
        for name in sorted(before.keys() | after.keys()):
            inner = f"{place}/{_escaped(name)}"
            if name not in before:
                yield self._change(inner, added, _ABSENT, after[name])
            elif name not in after:
                yield self._change(inner, removed, before[name], _ABSENT)
            else:
                yield from self.between(before[name], after[name], inner)

    def _members(self, a: Any, b: Any, place: str, added: Effect, removed: Effect) -> Iterator[Change]:
        """Compare lists of schemas: what was put in or left out, else member by member."""
        if a is _ABSENT or b is _ABSENT:
            yield self._change(place, "narrows" if a is _ABSENT else "widens", a, b)
            return
        before, after = [_text(item) for item in a], [_text(item) for item in b]
        if len(a) == len(b) and set(before) != set(after):
            for index, (one, other) in enumerate(zip(a, b, strict=True)):
                yield from self.between(one, other, f"{place}/{index}")
            return
        for index, item in enumerate(b):
            if after[index] not in before:
                yield self._change(f"{place}/{index}", added, _ABSENT, item)
        for index, item in enumerate(a):
            if before[index] not in after:
                yield self._change(f"{place}/{index}", removed, item, _ABSENT)

    def _dependent(self, a: Any, b: Any, place: str) -> Iterator[Change]:
        """Find at least where words changed; of anything else it is only said that it may widen."""
        inside = replace(self, is_exact=False)
        if _are(list, a, b) and _ABSENT not in (a, b) and len(a) == len(b):
            for index, (one, other) in enumerate(zip(a, b, strict=True)):
                yield from inside.between(one, other, f"{place}/{index}")
        elif isinstance(a, Mapping) and isinstance(b, Mapping):
            yield from inside.between(a, b, place)
        else:
            yield self._change(place, "may widen", a, b)

    def _change(self, pointer: str, effect: Effect, a: object, b: object) -> Change:
        is_sure = self.is_exact or effect not in ("widens", "narrows")
        return Change(pointer, effect if is_sure else "may widen", _text(a), _text(b))


def _effect(keyword: str, a: Any, b: Any) -> Effect:
    """Judge a keyword that holds a plain value."""
    if keyword in _LEAST | _MOST | _PLAIN | _ALL | {"type", "enum", "const", "required", "anyOf"}:
        if a is _ABSENT or b is _ABSENT:
            return "narrows" if a is _ABSENT else "widens"
        return _changed_effect(keyword, a, b)
    is_known = keyword in _OPAQUE or keyword in ("properties", "patternProperties", "items", *_DEFINITIONS)
    return "may widen" if is_known or keyword == "additionalProperties" else "text"


def _changed_effect(keyword: str, a: Any, b: Any) -> Effect:
    if keyword in _LEAST | _MOST and _is_number(a) and _is_number(b):
        return "widens" if (b < a) == (keyword in _LEAST) else "narrows"
    if keyword == "required" and _are(list, a, b):
        return "narrows" if set(map(_text, a)) <= set(map(_text, b)) else "widens"
    if keyword == "type":
        return "narrows" if _types(b) <= _types(a) else "widens"
    if keyword == "enum" and _are(list, a, b):
        return "narrows" if set(map(_text, b)) <= set(map(_text, a)) else "widens"
    return "widens" if keyword == "const" else "may widen"


def _types(named: object) -> set[object]:
    names = set(named) if isinstance(named, list) else {named}
    return names | {"integer"} if "number" in names else names


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _are(kind: type, *values: object) -> bool:
    return all(value is _ABSENT or isinstance(value, kind) for value in values)


def _schema(value: object) -> object:
    return True if value is _ABSENT else value


def _text(value: object) -> str | None:
    return None if value is _ABSENT else canonical_json(value)


def _escaped(step: str) -> str:
    return step.replace("~", "~0").replace("/", "~1")
