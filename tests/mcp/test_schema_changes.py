"""Changes of schemas: every difference is found, and none that widens is called harmless."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from tests.schema_authors import Author
from tool_core import JsonSchema, SchemaMismatchError, ToolConfigurationError
from tool_core.mcp import drift
from tool_core.mcp.schema_changes import Change, Effect, schema_changes
from tool_core.mcp.schema_parts import schema_parts
from tool_core.samples import sample_values

S, I, N = {"type": "string"}, {"type": "integer"}, {"type": "number"}  # noqa: E741


def closed(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "additionalProperties": False}


CASES: list[tuple[str, Any, Any, list[tuple[str, Effect]]]] = [
    ("a word", {"description": "a"}, {"description": "b"}, [("/description", "text")]),
    ("an unknown keyword", {}, {"x-note": 1}, [("/x-note", "text")]),
    ("more types", S, {"type": ["string", "null"]}, [("/type", "widens")]),
    ("an integer for a number", N, I, [("/type", "narrows")]),
    ("a number for an integer", I, N, [("/type", "widens")]),
    ("a type given up", S, {}, [("/type", "widens")]),
    ("a new property", closed(a=S), closed(a=S, b=S), [("/properties/b", "widens")]),
    ("a property less", closed(a=S, b=S), closed(a=S), [("/properties/b", "narrows")]),
    ("a property less, keys free", {"properties": {"a": S}}, {}, [("/properties/a", "may widen")]),
    ("required", {"required": ["a"]}, {"required": ["a", "b"]}, [("/required", "narrows")]),
    ("not required", {"required": ["a", "b"]}, {"required": ["a"]}, [("/required", "widens")]),
    ("opened", closed(), {"type": "object", "properties": {}}, [("/additionalProperties", "widens")]),
    ("closed", {"type": "object"}, {"type": "object", "additionalProperties": False}, [("/additionalProperties", "narrows")]),
    ("another value", {"enum": ["a"]}, {"enum": ["a", "b"]}, [("/enum", "widens")]),
    ("fewer values", {"enum": ["a", 1]}, {"enum": ["a"]}, [("/enum", "narrows")]),
    ("true for one", {"enum": [1]}, {"enum": [True]}, [("/enum", "widens"), ("/enum", "narrows")]),
    ("another constant", {"const": "a"}, {"const": "b"}, [("/const", "widens"), ("/const", "narrows")]),
    ("a lower limit", {"minimum": 3}, {"minimum": 2}, [("/minimum", "widens")]),
    ("a higher limit", {"maxLength": 3}, {"maxLength": 30}, [("/maxLength", "widens")]),
    ("a stricter limit", {"maxLength": 3}, {"maxLength": 2}, [("/maxLength", "narrows")]),
    ("another pattern", {"pattern": "a"}, {"pattern": "b"}, [("/pattern", "may widen")]),
    ("another reference", {"$ref": "#/$defs/a"}, {"$ref": "#/$defs/b"}, [("/$ref", "may widen")]),
    ("items", {"items": S}, {"items": {**S, "minLength": 1}}, [("/items/minLength", "narrows")]),
    ("one more alternative", {"anyOf": [S]}, {"anyOf": [S, I]}, [("/anyOf/1", "widens")]),
    ("one alternative less", {"anyOf": [S, I]}, {"anyOf": [I]}, [("/anyOf/0", "narrows")]),
    ("a changed alternative", {"anyOf": [S, I]}, {"anyOf": [S, N]}, [("/anyOf/1/type", "widens")]),
    ("another order", {"anyOf": [S, I]}, {"anyOf": [I, S]}, [("/anyOf", "text")]),
    ("one more condition", {"allOf": [S]}, {"allOf": [S, {"minLength": 1}]}, [("/allOf/1", "narrows")]),
    ("one condition less", {"allOf": [S, I]}, {"allOf": [S]}, [("/allOf/1", "widens")]),
    ("exactly one of more", {"oneOf": [S]}, {"oneOf": [S, I]}, [("/oneOf", "may widen")]),
    ("a word in one of them", {"oneOf": [S]}, {"oneOf": [{**S, "title": "T"}]}, [("/oneOf/0/title", "text")]),
    ("less in one of them", {"oneOf": [N]}, {"oneOf": [I]}, [("/oneOf/0/type", "may widen")]),
    ("less under not", {"not": N}, {"not": I}, [("/not/type", "may widen")]),
    ("a definition", {"$ref": "#/$defs/a", "$defs": {"a": N}}, {"$ref": "#/$defs/a", "$defs": {"a": I}}, [("/$defs/a/type", "narrows")]),
    ("a definition that is negated", {"not": {"$ref": "#/$defs/a"}, "$defs": {"a": N}}, {"not": {"$ref": "#/$defs/a"}, "$defs": {"a": I}}, [("/$defs/a/type", "may widen")]),
    ("keys not evaluated", {"unevaluatedProperties": False}, {"unevaluatedProperties": False, "allOf": [{}]}, [("/allOf", "may widen")]),
    ("forbidden", {"items": S}, {"items": False}, [("/items", "narrows")]),
    ("true for nothing said", {"properties": {"a": {}}}, {"properties": {"a": True}}, [("/properties", "text")]),
    ("odd names", {"properties": {"a/b~": S}}, {"properties": {"a/b~": I}}, [("/properties/a~1b~0/type", "widens"), ("/properties/a~1b~0/type", "narrows")]),
    ("a value for another", {"enum": ["C", "F"]}, {"enum": ["C", "K"]}, [("/enum", "widens"), ("/enum", "narrows")]),
    ("values in another order", {"enum": [1, "F", 1]}, {"enum": ["F", 1.0]}, [("/enum", "text")]),
    ("a type for another", {"type": ["string", "null"]}, {"type": ["null", "number"]}, [("/type", "widens"), ("/type", "narrows")]),
    ("a type that another holds", N, {"type": ["number", "integer"]}, [("/type", "text")]),
    ("another key required", {"required": ["a"]}, {"required": ["b"]}, [("/required", "widens"), ("/required", "narrows")]),
    ("a limit written otherwise", {"minimum": 1}, {"minimum": 1.0}, [("/minimum", "text")]),
    ("a new property, keys free", {"type": "object"}, {"type": "object", "properties": {"a": S}}, [("/properties/a", "widens"), ("/properties/a", "narrows")]),
    ("a new property that says nothing, keys free", {}, {"properties": {"a": {"title": "A"}}}, [("/properties/a", "widens")]),
    ("a keyword that a reference leads through", {"$ref": "#/components/X", "components": {"X": N}}, {"$ref": "#/components/X", "components": {"X": I}}, [("/components", "may widen"), ("/components", "text")]),
    ("a keyword that no reference leads through", {"$ref": "#/$defs/X", "$defs": {"X": N}, "components": {"X": N}}, {"$ref": "#/$defs/X", "$defs": {"X": N}, "components": {"X": I}}, [("/components", "text")]),
    ("a group of definitions", {"$ref": "#/$defs/g/X", "$defs": {"g": {"X": N}}}, {"$ref": "#/$defs/g/X", "$defs": {"g": {"X": I}}}, [("/$defs/g/X", "may widen"), ("/$defs/g/X", "text")]),
    ("an escaped reference", {"$ref": "#/x~1y%20z", "x/y z": N}, {"$ref": "#/x~1y%20z", "x/y z": I}, [("/x~1y z", "may widen"), ("/x~1y z", "text")]),
    ("a reference from there", {"$ref": "#/x", "x": {"$ref": "#/y/0"}, "y": [N]}, {"$ref": "#/x", "x": {"$ref": "#/y/0"}, "y": [I]}, [("/y", "may widen"), ("/y", "text")]),
    ("a default that is referred to", {"$ref": "#/default", "default": N}, {"$ref": "#/default", "default": I}, [("/default", "may widen"), ("/default", "text")]),
    ("the order of values that are referred to", {"items": {"$ref": "#/enum/0"}, "enum": [{}, False]}, {"items": {"$ref": "#/enum/0"}, "enum": [False, {}]}, [("/enum", "may widen"), ("/enum", "text")]),
    ("the order of alternatives that are referred to", {"items": {"$ref": "#/anyOf/0"}, "anyOf": [S, I]}, {"items": {"$ref": "#/anyOf/0"}, "anyOf": [I, S]}, [("/anyOf/0/type", "may widen"), ("/anyOf/1/type", "may widen")]),
    ("the place of a name", {"$ref": "#n", "$defs": {"a": {"$anchor": "n", "type": "null"}}}, {"$ref": "#n", "$defs": {"b": {"$anchor": "n"}}}, [("/$defs/a", "may widen"), ("/$defs/b", "may widen")]),
    ("keys that need others", {"dependencies": {"a": ["b"], "title": I}}, {"dependencies": {"a": ["c"], "title": N}}, [("/dependencies/a", "may widen"), ("/dependencies/title/type", "may widen")]),
    ("a word in what a key needs", {"dependencies": {"a": {}}}, {"dependencies": {"a": {"title": "obey"}}}, [("/dependencies/a/title", "text")]),
    ("one key more that needs others", {}, {"dependencies": {"a": ["b"]}}, [("/dependencies/a", "may widen")]),
    ("less that a key needs", {"dependentSchemas": {"a": I}}, {"dependentSchemas": {"a": {**N, "title": "T"}}}, [("/dependentSchemas/a/title", "text"), ("/dependentSchemas/a/type", "widens")]),
    ("other keys", {"propertyNames": {"maxLength": 3}}, {"propertyNames": {"maxLength": 2, "title": "T"}}, [("/propertyNames/maxLength", "narrows"), ("/propertyNames/title", "text")]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "found"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)
def test_a_change_is_found_and_judged(old: Any, new: Any, found: list[tuple[str, Effect]]) -> None:
    assert [(change.pointer, change.effect) for change in schema_changes(old, new)] == found


def test_equal_schemas_do_not_differ() -> None:
    assert schema_changes(closed(a=S), {**closed(a=S)}) == []


def test_a_change_holds_both_sides_as_json() -> None:
    assert schema_changes({"enum": ["a"]}, {}) == [Change("/enum", "widens", '["a"]', None)]


TARGETS = [
    "#",
    "#/$defs/a",
    "#/$defs/b",
    "#/properties/a",
    "#/items",
    "#/components/a",
    "#/$defs/more/b",
    "#/anyOf/0",
    "#/enum/0",
    "#here",
]


class Architect(Author):
    """Writes also what references may lead to beside the definitions, and keys that need others."""

    def document(self) -> dict[str, Any]:
        holders: list[dict[str, Any]] = [
            {"components": {"a": self.schema(2)}},
            {"$defs": {"a": self.part(2), "b": self.schema(2), "more": {"b": self.schema(2)}}},
            {"definitions": {"c": {"$anchor": "here", **self.part(3)}}},
        ]
        return super().document() | {
            key: value for held in self.dice.sample(holders, 2) for key, value in held.items()
        }

    def referred(self, _depth: int) -> dict[str, Any]:
        return {"$ref": self.dice.choice(TARGETS)}

    def listed(self, depth: int) -> dict[str, Any]:
        return (
            {"enum": [self.part(3), self.value(depth)]} if self.dice.random() < 0.2 else super().listed(depth)
        )

    def keys(self, depth: int) -> dict[str, Any]:
        needed = {"a": ["b"], "b": self.schema(depth)}
        more = {
            "dependencies": needed,
            "dependentSchemas": {"a": self.schema(depth)},
            "propertyNames": {"maxLength": 1},
        }
        return {
            **super().keys(depth),
            **dict(self.dice.sample(sorted(more.items()), self.dice.choice([0, 0, 1]))),
        }


def mutated(document: dict[str, Any], author: Author) -> dict[str, Any]:
    """Change one keyword of one part: drop it, write it anew, or put what it holds into another order."""
    copied = copy.deepcopy(document)
    part = author.dice.choice(list(schema_parts(copied)))
    fresh = author.part(1)
    lists = [value for value in part.values() if isinstance(value, list)]
    if lists and author.dice.random() < 0.3:
        author.dice.shuffle(author.dice.choice(lists))
    elif part and author.dice.random() < 0.4:
        del part[author.dice.choice([key for key in part if key != "$defs"] or ["$defs"])]
    else:
        part.update(author.dice.sample(sorted(fresh.items(), key=repr), min(1, len(fresh))))
    return copied


def accepts(codec: JsonSchema[object], value: object) -> bool:
    try:
        codec.decode(value)
    except SchemaMismatchError:
        return False
    return True


def documents(
    count: int, authors: type[Author]
) -> Iterator[tuple[JsonSchema[object], JsonSchema[object], Author]]:
    """Write pairs of valid schemas that differ in one keyword."""
    for seed in range(count):
        author = authors(random.Random(seed))
        old = author.document()
        new = mutated(old, author)
        try:
            before, after = JsonSchema.of(old), JsonSchema.of(new)
        except ToolConfigurationError:
            continue
        yield before, after, author


@pytest.mark.parametrize("authors", [Author, Architect])
def test_what_is_newly_accepted_or_refused_is_never_called_harmless(authors: type[Author]) -> None:
    seen = dict.fromkeys(["more", "less", "neither more", "neither less"], 0)
    for before, after, author in documents(3000, authors):
        old, new = before.json_schema(), after.json_schema()
        changes = schema_changes(old, new)
        assert bool(changes) == (json.dumps(old, sort_keys=True) != json.dumps(new, sort_keys=True)), (
            old,
            new,
        )
        effects = {change.effect for change in changes}
        widens, narrows = bool(effects & {"widens", "may widen"}), bool(effects & {"narrows", "may widen"})
        seen["more" if widens else "neither more"] += 1
        seen["less" if narrows else "neither less"] += 1
        if widens and narrows:
            continue
        for value in [author.value(1) for _ in range(25)] + sample_values(old, 2) + sample_values(new, 2):
            was, is_now = accepts(before, value), accepts(after, value)
            assert widens or was or not is_now, (old, new, value)
            assert narrows or is_now or not was, (old, new, value)
    assert min(seen.values()) > 200


def test_drift_of_tools_keeps_the_law() -> None:
    """Through the canonical form, in which order and spelling are lost."""
    tried = 0
    for old, new, author in documents(800, Architect):
        schemas = [{**side.json_schema(), "type": "object"} for side in (old, new)]
        before, after = map(JsonSchema.of, schemas)
        entries = [{"name": "t", "inputSchema": schema} for schema in schemas]
        found = drift([entries[0]], [entries[1]])
        for value in [author.value(1) for _ in range(10)] + sample_values(schemas[1], 2):
            was, is_now = accepts(before, value), accepts(after, value)
            assert found.widens or was or not is_now, (old, new, value)
            assert found.breaks or is_now or not was, (old, new, value)
            tried += was or is_now
    assert tried > 500
