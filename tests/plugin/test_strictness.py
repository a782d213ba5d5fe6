"""What the plugin calls inexpressible is refused by every strict dialect."""

from __future__ import annotations

import random
from typing import Any

import pytest

from mypy_plugin.strictness import strict_problem
from tests.schema_authors import Author
from tests.strict.laws import CORPORA, corpus
from tool_core import JsonSchema, SchemaMismatchError, ToolConfigurationError, UnsupportedSchemaError
from tool_core.samples import sample_values
from tool_core.strict import ANTHROPIC_STRICT, GOOGLE_STRICT, OPENAI_STRICT, strictify

DIALECTS = [OPENAI_STRICT, ANTHROPIC_STRICT, GOOGLE_STRICT]
IMPOSSIBLE: list[tuple[str, Any, str]] = [
    ("an empty enum that is required", {"type": "object", "properties": {"a": {"enum": []}}, "required": ["a"]}, "no value satisfies the schema"),
    ("false that is required", {"type": "object", "properties": {"a": False}, "required": ["a"]}, "no value satisfies the schema"),
    ("types that exclude each other", {"allOf": [{"type": "string"}, {"type": "object"}]}, "no value satisfies the schema"),
    ("constants of another type", {"type": "string", "enum": [1]}, "no value satisfies the schema"),
    ("impossible behind a reference", {"$ref": "#/$defs/a", "$defs": {"a": {"type": "object", "properties": {"b": False}, "required": ["b"]}}}, "no value satisfies the schema"),
    ("a remote reference", {"type": "object", "properties": {"a": {"items": {"$ref": "https://example.com/a"}}}}, "the reference 'https://example.com/a' is not local"),
]  # fmt: skip
POSSIBLE: list[Any] = [
    {"type": "object", "properties": {"a": {"enum": []}}},
    {"type": "array", "items": False},
    {"type": "object", "additionalProperties": True},
    {"$ref": "#/$defs/a", "$defs": {"a": {"type": "object", "properties": {"next": {"$ref": "#/$defs/a"}}}}},
    {},
]


@pytest.mark.parametrize(
    ("schema", "reason"), [case[1:] for case in IMPOSSIBLE], ids=[case[0] for case in IMPOSSIBLE]
)
def test_a_schema_that_no_dialect_holds_is_named(schema: Any, reason: str) -> None:
    assert strict_problem(schema) == reason
    for dialect in DIALECTS:
        with pytest.raises(UnsupportedSchemaError, match=reason.replace("'", ".")):
            strictify(schema, dialect)


@pytest.mark.parametrize("schema", POSSIBLE, ids=str)
def test_a_schema_that_some_dialect_holds_is_not(schema: Any) -> None:
    assert strict_problem(schema) is None
    assert any(strictify(schema, dialect) for dialect in DIALECTS)


def is_valid(schema: Any) -> bool:
    try:
        JsonSchema.of(schema)
    except ToolConfigurationError:
        return False
    return True


def is_refused(schema: Any, dialect: Any) -> bool:
    try:
        strictify(schema, dialect)
    except UnsupportedSchemaError:
        return True
    return False


def test_whatever_is_called_impossible_is_refused_or_accepts_no_value() -> None:
    refused = 0
    for seed in range(1000):
        author = Author(random.Random(seed))
        schema = author.document()
        if strict_problem(schema) is None or not is_valid(schema):
            continue
        if is_refused(schema, DIALECTS[seed % len(DIALECTS)]):
            refused += 1
        else:  # an enum and a const that contradict each other: one of the two is listed as a loss
            codec = JsonSchema.of(schema)
            for value in [*sample_values(schema, 3), *(author.value(1) for _ in range(20))]:
                with pytest.raises(SchemaMismatchError):
                    codec.decode(value)
    assert refused > 40


@pytest.mark.skipif(not CORPORA.exists(), reason="the corpora are not beside this repository")
def test_of_real_tools_only_the_impossible_one_is_named() -> None:
    named = [schema for schema in corpus("mcp-tools") if strict_problem(schema) is not None]
    assert len(named) <= 1
    for schema in named:
        with pytest.raises(UnsupportedSchemaError):
            strictify(schema, OPENAI_STRICT)
