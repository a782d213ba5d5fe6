"""Changes of schemas: every difference is found, and none that widens is called harmless."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

import pytest

from tests.schema_authors import Author
from tool_core import JsonSchema, SchemaMismatchError, ToolConfigurationError
from tool_core.mcp.schema_changes import Change, Effect, schema_changes
from tool_core.samples import sample_values
from tool_core.strict.lenient import subschemas

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
    ("true for one", {"enum": [1]}, {"enum": [True]}, [("/enum", "widens")]),
    ("another constant", {"const": "a"}, {"const": "b"}, [("/const", "widens")]),
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
    ("odd names", {"properties": {"a/b~": S}}, {"properties": {"a/b~": I}}, [("/properties/a~1b~0/type", "widens")]),
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


def mutated(document: dict[str, Any], author: Author) -> dict[str, Any]:
    """Change one keyword of one part: drop it, or write it anew."""
    copied = copy.deepcopy(document)
    part = author.dice.choice(list(subschemas(copied)))
    fresh = author.part(1)
    if part and author.dice.random() < 0.4:
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


def test_what_is_newly_accepted_is_never_called_harmless() -> None:
    harmless = widened = 0
    for seed in range(2500):
        author = Author(random.Random(seed))
        old = author.document()
        new = mutated(old, author)
        try:
            before, after = JsonSchema.of(old), JsonSchema.of(new)
        except ToolConfigurationError:
            continue
        changes = schema_changes(old, new)
        assert bool(changes) == (json.dumps(old, sort_keys=True) != json.dumps(new, sort_keys=True)), (
            old,
            new,
        )
        if any(change.effect in ("widens", "may widen") for change in changes):
            widened += 1
            continue
        harmless += 1
        for value in [author.value(1) for _ in range(25)] + sample_values(new, 2, seed):
            assert accepts(before, value) or not accepts(after, value), (old, new, value)
    assert harmless > 200 and widened > 200
