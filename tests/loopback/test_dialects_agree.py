"""What strict mode writes, read by rules that know nothing of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.loopback import anthropic_schemas, google_schemas, openai_schemas
from tests.strict.laws import CORPORA, corpus
from tool_core import UnsupportedSchemaError
from tool_core.strict import (
    ANTHROPIC,
    ANTHROPIC_STRICT,
    GOOGLE,
    GOOGLE_STRICT,
    OPENAI,
    OPENAI_STRICT,
    FormatDescriptor,
    strictify,
)

RULES: list[tuple[FormatDescriptor, Callable[[Any], Iterator[str]]]] = [
    (OPENAI_STRICT, openai_schemas.strict_problems),
    (ANTHROPIC_STRICT, lambda schema: anthropic_schemas.strict_problems(schema, is_tool=True)),
    (GOOGLE_STRICT, google_schemas.strict_problems),
    (OPENAI, openai_schemas.lenient_problems),
    (ANTHROPIC, anthropic_schemas.lenient_problems),
    (GOOGLE, google_schemas.lenient_problems),
]
STEP = 25
"""Every so many schemas are read: enough to meet each kind of them, soon enough to run each time."""


@pytest.mark.skipif(not CORPORA.exists(), reason="the corpora lie beside the repository")
@pytest.mark.parametrize("name", ["mcp-tools", "json-schemas"])
@pytest.mark.parametrize(("descriptor", "rules"), RULES, ids=[descriptor.id for descriptor, _ in RULES])
def test_no_provider_refuses_what_strict_mode_writes_for_real_schemas(
    name: str, descriptor: FormatDescriptor, rules: Callable[[Any], Iterator[str]]
) -> None:
    for index, schema in enumerate(corpus(name)):
        if index % STEP == 0:
            try:
                form = strictify(schema, descriptor)
            except UnsupportedSchemaError:
                continue  # refused here, before any request
            assert list(rules(form.schema)) == [], index


@pytest.mark.parametrize("kind", ["array", ["array", "null"]])
def test_a_lenient_array_has_items_because_openai_refuses_it_without(kind: Any) -> None:
    schema = {"type": "object", "properties": {"rows": {"type": "array", "items": {"type": kind}}}}
    form = strictify(schema, OPENAI)
    rows: dict[str, Any] = {"type": "array", "items": {"type": kind}}
    assert form.schema["properties"] == {"rows": {**rows, "items": {"type": kind, "items": {}}}}
    assert list(openai_schemas.lenient_problems(form.schema)) == []
    assert form.losses == ()
    value = {"rows": [[1, "x"]]}
    assert form.lift(form.lower(value)) == value
    assert strictify(schema, ANTHROPIC).schema["properties"] == {"rows": rows}
