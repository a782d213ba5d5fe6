"""Strict conversion of real schemas: coverage, violations, wrong values and time, for every converter.

The corpora lie beside the repository; without them there is nothing to convert. A schema counts as good
where the output passes the independent checker of the dialect, what it accepts is valid for the original
(nulls of optional fields removed for the peers, which have no way back), and what the original accepts can
still be said.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import jsonschema_rs
from environments import is_there, measured

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.strict.laws import CORPORA, broken_laws, corpus
from tool_core import UnsupportedSchemaError
from tool_core.samples import sample_values
from tool_core.strict import (
    ANTHROPIC_STRICT,
    GOOGLE_STRICT,
    OPENAI_STRICT,
    FormatDescriptor,
    dialect_violations,
    strictify,
)
from tool_core.strict.forms import _strictified

DIALECTS = {"openai": OPENAI_STRICT, "anthropic": ANTHROPIC_STRICT, "google": GOOGLE_STRICT}
CONVERTERS = [
    ("openai_agents", "openai"),
    ("openai", "openai"),
    ("langchain", "openai"),
    ("pydantic_ai", "openai"),
    ("anthropic", "anthropic"),
    ("pydantic_ai", "google"),
]


def measure() -> dict[str, Any]:
    """Return, for each corpus and converter, the shares in per cent and the CPU time."""
    if not CORPORA.exists():
        print("  the corpora are not beside this repository, so there is nothing to convert", file=sys.stderr)
        return {}
    found: dict[str, Any] = {name: _corpus(list(corpus(name))) for name in ("mcp-tools", "json-schemas")}
    return {**found, "time of 2,000 properties / time of 200": _time_of(2000) / _time_of(200)}


def _corpus(schemas: list[Any]) -> dict[str, Any]:
    text = json.dumps(schemas)
    started = time.process_time()
    json.loads(text)
    loading = time.process_time() - started
    rows = [_our_row(schemas, dialect, loading) for dialect in DIALECTS]
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        file.write(text)
        file.flush()
        for name, dialect in CONVERTERS:
            answer = measured(name, "convert", dialect, file.name) if is_there(name) else None
            if answer is not None:
                counts = theirs(schemas, answer["converted"], DIALECTS[dialect])
                rows.append(_row(name, dialect, counts, len(schemas), answer["seconds"] / loading))
    return {"schemas": len(schemas), "rows": rows}


def _our_row(schemas: list[Any], dialect: str, loading: float) -> dict[str, Any]:
    _strictified.cache_clear()
    started = time.process_time()
    for schema in schemas:
        try:
            strictify(schema, DIALECTS[dialect])
        except UnsupportedSchemaError:
            continue
    seconds = time.process_time() - started
    counts, reasons = ours(schemas, DIALECTS[dialect])
    return {**_row("ours", dialect, counts, len(schemas), seconds / loading), "not converted": dict(reasons)}


def _row(name: str, dialect: str, counts: Counter[str], total: int, time_: float) -> dict[str, Any]:
    shares = {key: 100 * counts[key] / total for key in ("converted", "violations", "wrong", "good")}
    return {"converter": name, "dialect": dialect, **shares, "x json.loads": time_}


def ours(schemas: list[Any], descriptor: FormatDescriptor) -> tuple[Counter[str], Counter[str]]:
    counts: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    for number, schema in enumerate(schemas):
        try:
            strictify(schema, descriptor)
        except UnsupportedSchemaError as error:
            reasons[error.reason] += 1
            continue
        counts["converted"] += 1
        broken = broken_laws(schema, descriptor, 3, number)
        counts["violations"] += any(item.startswith("violation") for item in broken)
        counts["wrong"] += any(not item.startswith("violation") for item in broken)
        counts["good"] += not broken
    return counts, reasons


def theirs(schemas: list[Any], converted: list[Any], descriptor: FormatDescriptor) -> Counter[str]:
    counts: Counter[str] = Counter()
    for number, (schema, wire) in enumerate(zip(schemas, converted, strict=True)):
        if not isinstance(wire, dict):
            continue
        counts["converted"] += 1
        passes = not dialect_violations(_fairly(wire, descriptor), descriptor)
        right = _is_sound(schema, wire, number) and _is_complete(schema, wire, number)
        counts["violations"] += not passes
        counts["wrong"] += not right
        counts["good"] += passes and right
    return counts


def _fairly(wire: Any, descriptor: FormatDescriptor) -> Any:
    """Leave out what providers take though our checker does not expect it, and what only we write."""
    if isinstance(wire, list):
        return [_fairly(item, descriptor) for item in wire]
    if not isinstance(wire, dict):
        return wire
    kept = {
        key: {name: _fairly(child, descriptor) for name, child in value.items()}
        if key in ("properties", "$defs") and isinstance(value, dict)
        else _fairly(value, descriptor)
        for key, value in wire.items()
        if key not in ("default", "examples", "$schema", "$id", "$comment", "title", "minLength", "maxLength")
    }
    if descriptor.family == "google" and isinstance(kept.get("properties"), dict):
        kept |= {"propertyOrdering": list(kept["properties"]), "additionalProperties": False}
    return kept


def _is_sound(schema: Any, wire: Any, seed: int) -> bool:
    original = jsonschema_rs.validator_for(schema, validate_formats=False)
    return all(original.is_valid(_without_nulls(value)) for value in sample_values(wire, 3, seed))


def _is_complete(schema: Any, wire: Any, seed: int) -> bool:
    try:
        accepted = jsonschema_rs.validator_for(wire, validate_formats=False)
    except Exception:
        return False
    return all(accepted.is_valid(value) for value in sample_values(schema, 3, seed))


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nulls(child) for key, child in value.items() if child is not None}
    return [_without_nulls(child) for child in value] if isinstance(value, list) else value


def _time_of(count: int) -> float:
    """Take the best of several fresh conversions of a schema of so many properties."""
    item = {
        "type": "object",
        "properties": {"a": {"type": "string", "minLength": 2}, "b": {"type": "object"}},
    }
    schema = {"type": "object", "properties": {f"p{number}": item for number in range(count // 3)}}
    best = float("inf")
    for _ in range(5):
        _strictified.cache_clear()
        started = time.process_time()
        strictify(schema, OPENAI_STRICT)
        best = min(best, time.process_time() - started)
    return best
