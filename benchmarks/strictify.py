"""Strict conversion of real schemas: coverage, soundness and time, ours beside the peers' converters.

    python benchmarks/strictify.py [--peers PYTHON]

`--peers` names the interpreter of an environment with openai-agents, openai, anthropic, pydantic-ai-slim
and langchain-core (`make peers` makes one). The corpora lie beside the repository; without them there is
nothing to convert.

A schema counts as good where the output passes the independent checker of the dialect, what it accepts is
valid for the original (nulls of optional fields removed for the peers, which have no way back), and what the
original accepts can still be said.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import jsonschema_rs

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.strict.laws import CORPORA, broken_laws, corpus  # noqa: E402
from tool_core import UnsupportedSchemaError  # noqa: E402
from tool_core.samples import sample_values  # noqa: E402
from tool_core.strict import (  # noqa: E402
    ANTHROPIC_STRICT,
    GOOGLE_STRICT,
    OPENAI_STRICT,
    FormatDescriptor,
    dialect_violations,
    fitting_form,
    strictify,
)
from tool_core.strict.forms import _strictified  # noqa: E402

DIALECTS = (OPENAI_STRICT, ANTHROPIC_STRICT, GOOGLE_STRICT)
PEERS = [
    ("openai_agents", OPENAI_STRICT),
    ("openai_sdk", OPENAI_STRICT),
    ("langchain", OPENAI_STRICT),
    ("pydantic_ai", OPENAI_STRICT),
    ("anthropic_sdk", ANTHROPIC_STRICT),
    ("pydantic_ai_google", GOOGLE_STRICT),
]


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
        counts["passes"] += not any(item.startswith("violation") for item in broken)
        counts["good"] += not broken
    return counts, reasons


def theirs(schemas: list[Any], converted: list[Any], descriptor: FormatDescriptor) -> Counter[str]:
    counts: Counter[str] = Counter()
    for number, (schema, wire) in enumerate(zip(schemas, converted, strict=True)):
        if not isinstance(wire, dict):
            continue
        counts["converted"] += 1
        passes = not dialect_violations(_fairly(wire, descriptor), descriptor)
        counts["passes"] += passes
        counts["good"] += passes and _is_sound(schema, wire, number) and _is_complete(schema, wire, number)
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


def row(name: str, dialect: str, counts: Counter[str], total: int) -> None:
    shares = "".join(f"{100 * counts[key] / total:10.2f} %" for key in ("converted", "passes", "good"))
    print(f"  {name:20} {dialect:10} {shares}")


def speed(schemas: list[Any], peers: str | None, path: str) -> None:
    text = json.dumps(schemas)
    started = time.perf_counter()
    json.loads(text)
    loading = time.perf_counter() - started
    _strictified.cache_clear()
    started = time.perf_counter()
    for schema in schemas:
        for descriptor in DIALECTS:
            try:
                strictify(schema, descriptor)
            except UnsupportedSchemaError:
                continue
    each = (time.perf_counter() - started) / 3
    print(f"  one dialect, whole corpus: {each:.2f} s, {each / loading:.0f} x json.loads of the same text")
    if peers is not None:
        answer = subprocess.run(
            [peers, str(ROOT / "benchmarks/peers.py"), "openai_agents", path], capture_output=True
        )
        their = json.loads(answer.stdout)["seconds"] if answer.returncode == 0 else None
        print(
            f"  openai-agents, which does not convert back: {their:.2f} s"
            if their
            else "  openai-agents: not there"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--peers", help="the Python of an environment with the peers")
    peers = parser.parse_args().peers
    if not CORPORA.exists():
        print("strictify: the corpora are not beside this repository, so there is nothing to convert")
        return
    for name in ("mcp-tools", "json-schemas"):
        schemas = list(corpus(name))
        print(f"{name}: {len(schemas)} schemas")
        print(f"  {'converter':20} {'dialect':10} {'converted':>12}{'passes':>12}{'good':>12}")
        for descriptor in DIALECTS:
            counts, reasons = ours(schemas, descriptor)
            row("tool-core", str(descriptor.family), counts, len(schemas))
            for reason, count in reasons.items():
                print(f"    {count} not converted: {reason}")
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump(schemas, file)
            file.flush()
            for peer, descriptor in PEERS if peers is not None else ():
                command = [peers or "", str(ROOT / "benchmarks/peers.py"), peer, file.name]
                answer = subprocess.run(command, capture_output=True, text=True)
                if answer.returncode == 0:
                    found = json.loads(answer.stdout)["converted"]
                    row(peer, str(descriptor.family), theirs(schemas, found, descriptor), len(schemas))
                else:
                    print(f"  {peer:20} not there: {answer.stderr.strip().splitlines()[-1:]}")
            speed(schemas, peers, file.name)
    print(f"time of 2,000 properties / time of 200: {_time_of(2000) / _time_of(200):.1f} (linear: 10)")
    fits = sum(_fits(schema) for schema in corpus("mcp-tools"))
    print(f"mcp-tools within Anthropic's budget when alone: {fits}")


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
        started = time.perf_counter()
        strictify(schema, OPENAI_STRICT)
        best = min(best, time.perf_counter() - started)
    return best


def _fits(schema: Any) -> bool:
    try:
        _, usage = fitting_form(schema, ANTHROPIC_STRICT)
    except UnsupportedSchemaError:
        return False
    return usage.excess(ANTHROPIC_STRICT.budget) is None


if __name__ == "__main__":
    main()
