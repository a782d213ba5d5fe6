"""What changed between two JSON Schemas, and whether more or less is accepted than before. Layer 3.

The law: where the second schema accepts a value that the first refused, some change widens or may
widen; where it refuses what the first accepted, some change narrows or may widen. Keywords mostly
hold side by side, so each is judged alone, and one that replaces values both widens and narrows.
Those that depend on others (`$ref`, `oneOf`, `not`, `if` and their like) are only said to perhaps
do either, and so is whatever references lead through that is no schema by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, TypeAlias

from mypy_plugin.schema_documents import draft_of, has_inner_id
from tool_core.json_text import canonical_json, with_whole_numbers
from tool_core.mcp.schema_parts import ANNOTATIONS, references_in, schema_parts, steps_of

Effect: TypeAlias = Literal["widens", "may widen", "narrows", "text", "results"]
"""More is accepted or allowed; perhaps; less; words that the model reads; what comes back."""

_ABSENT: Final = object()
_LEAST = frozenset({"minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"})
_MOST = frozenset({"maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"})
_PLAIN = frozenset(
    {"pattern", "format", "multipleOf", "uniqueItems", "contentEncoding", "contentMediaType",
     "dependentRequired"}
)  # fmt: skip
_SETS = frozenset({"enum", "required", "type"})
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
_MAPS = frozenset({"$defs", "definitions", "dependentSchemas", "patternProperties", "properties"})
_DEFINITION = re.compile(r"#/(\$defs|definitions)/[^/]+\Z")


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
    return list(dict.fromkeys(_comparison(old, new).between(old, new, pointer)))


def _comparison(old: object, new: object) -> _Comparison:
    """Find out from where else the parts of two schemas are read."""
    parts = [part for schema in (old, new) for part in schema_parts(schema)]
    keywords = {keyword for part in parts for keyword in part}
    targets = {target for part in parts for target in references_in(part)}
    far = {target for target in targets if not _DEFINITION.match(target)}
    inverts = bool(keywords & _INVERTING and targets)
    roams = any(has_inner_id(schema, draft_of(schema)) for schema in (old, new))
    roams = roams or any(target != "#" and not target.startswith("#/") for target in far)
    is_exact = not (keywords & _UNEVALUATED or (inverts and far) or roams)
    return _Comparison(
        is_exact, inverts, roams, frozenset(step for target in far for step in steps_of(target))
    )


@dataclass(frozen=True, slots=True)
class _Comparison:
    """Compares part by part; where it is not exact, less here may be more for the whole."""

    is_exact: bool
    inverts: bool
    roams: bool
    """Whether references go by names, so that what is referred to may stand anywhere."""
    steps: frozenset[str]
    """The keys that references other than to definitions lead through."""

    def between(self, old: object, new: object, pointer: str) -> Iterator[Change]:
        if _text(old) == _text(new):
            return
        if old is False or new is False:
            yield self._change(pointer, "widens" if old is False else "narrows", old, new)
            return
        if not _are(Mapping | bool, old, new):
            yield self._change(pointer, "may widen", old, new)
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
            case "dependentSchemas" if _are(dict, a, b):
                yield from self._entries(a, b, place, "narrows", "widens")
            case "dependencies" if _are(dict, a, b):
                inside = replace(self, is_exact=False)
                yield from inside._entries(a, b, place, "may widen", "may widen")
            case "$defs" | "definitions" if _are(dict, a, b):
                inside = replace(self, is_exact=self.is_exact and not self.inverts)
                effect: Effect = "may widen" if self.roams else "text"
                yield from inside._entries(a, b, place, effect, effect)
            case "items" | "additionalProperties" | "propertyNames" if _are(Mapping | bool, a, b):
                yield from self.between(_schema(a), _schema(b), place)
            case "anyOf" | "allOf" if _are(list, a, b) and keyword not in self.steps:
                yield from self._members(keyword, a, b, place)
            case _ if keyword in _DEPENDENT or keyword in ("anyOf", "allOf"):
                yield from self._dependent(a, b, place)
            case _:
                for effect in self._effects(keyword, a, b):
                    yield self._change(place, effect, a, b)

    def _effects(self, keyword: str, a: Any, b: Any) -> tuple[Effect, ...]:
        """Judge a keyword that holds a plain value, or that is not known."""
        if keyword in self.steps or (self.roams and (_holds_schemas(a) or _holds_schemas(b))):
            return ("may widen", "text")
        return _effects(keyword, a, b)

    def _properties(self, a: Any, b: Any, place: str, both: Any) -> Iterator[Change]:
        """A property that is new is something more to do, though any value may have been free before.

        One that is gone is something more only if keys are free.
        """
        is_closed = all(
            part.get("additionalProperties") is False and not part.get("patternProperties") for part in both
        )
        removed: Effect = "narrows" if is_closed else "may widen"
        yield from self._entries(a, b, place, "widens", removed, limits=not is_closed)

    def _entries(
        self, a: Any, b: Any, place: str, added: Effect, removed: Effect, limits: bool = False
    ) -> Iterator[Change]:
        """Compare schemas by name; a new one may limit what had no name before."""
        before, after = ({} if side is _ABSENT else side for side in (a, b))
        for name in sorted(before.keys() | after.keys()):
            inner = f"{place}/{_escaped(name)}"
            if name not in before:
                yield self._change(inner, added, _ABSENT, after[name])
                if limits and not _says_nothing(after[name]):
                    yield self._change(inner, "narrows", _ABSENT, after[name])
            elif name not in after:
                yield self._change(inner, removed, before[name], _ABSENT)
            else:
                yield from self.between(before[name], after[name], inner)

    def _members(self, keyword: str, a: Any, b: Any, place: str) -> Iterator[Change]:
        """Compare lists of schemas: what was put in or left out, else member by member."""
        added: Effect = "widens" if keyword == "anyOf" else "narrows"
        removed: Effect = "narrows" if keyword == "anyOf" else "widens"
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


def _effects(keyword: str, a: Any, b: Any) -> tuple[Effect, ...]:
    if keyword in _LEAST | _MOST | _PLAIN | _SETS | {"const"}:
        if a is _ABSENT or b is _ABSENT:
            return ("narrows",) if a is _ABSENT else ("widens",)
        return _changed_effects(keyword, a, b)
    is_known = keyword in _OPAQUE | _MAPS | {"additionalProperties", "dependencies", "items", "propertyNames"}
    return ("may widen",) if is_known else ("text",)


def _changed_effects(keyword: str, a: Any, b: Any) -> tuple[Effect, ...]:
    if keyword in _LEAST | _MOST and _are_numbers(a, b):
        return () if a == b else ("widens",) if (b < a) == (keyword in _LEAST) else ("narrows",)
    if keyword == "required" and _are(list, a, b):
        return _of_sets(_texts(b), _texts(a))
    if keyword == "type":
        return _of_sets(_types(a), _types(b))
    if keyword == "enum" and _are(list, a, b):
        return _of_sets(_texts(a), _texts(b))
    return _of_sets(_texts([a]), _texts([b])) if keyword == "const" else ("may widen",)


def _of_sets(old: set[str], new: set[str]) -> tuple[Effect, ...]:
    """Compare sets of what is allowed; one that is replaced allows both more and less."""
    more: tuple[Effect, ...] = ("widens",) if new - old else ()
    return (*more, "narrows") if old - new else more


def _texts(values: list[object]) -> set[str]:
    return {canonical_json(with_whole_numbers(value)) for value in values}


def _types(named: object) -> set[str]:
    names = {str(name) for name in (named if isinstance(named, list) else [named])}
    return names | {"integer"} if "number" in names else names


def _says_nothing(schema: object) -> bool:
    return schema is True or (isinstance(schema, Mapping) and schema.keys() <= ANNOTATIONS)


def _holds_schemas(value: object) -> bool:
    return isinstance(value, Mapping | list)


def _are_numbers(*values: object) -> bool:
    return all(isinstance(value, int | float) and not isinstance(value, bool) for value in values)


def _are(kind: Any, *values: object) -> bool:
    return all(value is _ABSENT or isinstance(value, kind) for value in values)


def _schema(value: object) -> object:
    return True if value is _ABSENT else value


def _text(value: object) -> str | None:
    return None if value is _ABSENT else canonical_json(value)


def _escaped(step: str) -> str:
    return step.replace("~", "~0").replace("/", "~1")
