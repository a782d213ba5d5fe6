"""Whatever a literal schema accepts has the type that the plugin infers, judged by mypy itself."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from tests.schema_authors import Author
from tool_core import JsonSchema, SchemaMismatchError, ToolConfigurationError
from tool_core.samples import sample_values
from typetests.checkers import errors, mypy

HEAD = """
from typing import Any
from tool_core import Tool, Toolkit

def check(handlers: dict[str, Any]) -> None:
"""


def closed(schema: Any) -> Any:
    """Close every object with named keys: mypy takes no undeclared key in a dict that is written out."""
    if isinstance(schema, list):
        return [closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {key: closed(value) for key, value in schema.items() if key != "patternProperties"}
    return {**inner, "additionalProperties": False} if {"properties", "required"} & {*inner} else inner


def cases(count: int) -> list[tuple[dict[str, object], object]]:
    """Pair schemas by dice with values that they accept, as `decode` hands them on."""
    found: list[tuple[dict[str, object], object]] = []
    for seed in range(10 * count):
        author = Author(random.Random(seed))
        schema = closed(author.document())
        try:
            codec = JsonSchema.of(schema)
        except ToolConfigurationError:
            continue
        for value in [*sample_values(schema, 2, seed), *(author.value(1) for _ in range(4))]:
            try:
                found.append((schema, codec.decode(value)))
            except SchemaMismatchError:
                continue
        if len(found) >= count:
            break
    return found


def test_accepted_values_check_against_the_inferred_type(tmp_path: Path) -> None:
    drawn = cases(300)
    lines = [
        f'    Toolkit.make(Tool.dynamic("t", parameters={schema!r})).bind(handlers).call_sync("t", {value!r})'
        for schema, value in drawn
    ]
    (tmp_path / "accepted.py").write_text(HEAD + "\n".join(lines) + "\n")
    said = errors(mypy(["accepted.py"], cwd=tmp_path))
    assert len(drawn) >= 300
    assert said == []
