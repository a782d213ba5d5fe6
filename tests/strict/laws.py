"""The laws of strict forms, as checks that tests and benchmarks share."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs

from tool_core import ToolError
from tool_core.samples import sample_values
from tool_core.strict import FormatDescriptor, Loss, StrictForm, dialect_violations, strictify

CORPORA = Path(__file__).parents[3] / "shared" / "corpora"


def corpus(name: str) -> Iterator[dict[str, Any]]:
    """Read the schemas of a corpus that may lie beside the repository."""
    for line in (CORPORA / f"{name}.jsonl").read_text().splitlines():
        item = json.loads(line)
        yield item["tool"]["inputSchema"] if "tool" in item else item["schema"]


def relaxed(schema: Any, losses: tuple[Loss, ...]) -> Any:
    """Remove from a schema what a form lists as lost: the rest must hold for every lifted value."""
    copy = json.loads(json.dumps(schema))
    for loss in sorted(losses, key=lambda item: -item.pointer.count("/")):
        part = copy
        for step in loss.pointer.split("/")[1:]:
            step = step.replace("~1", "/").replace("~0", "~")
            part = part[int(step)] if isinstance(part, list) else part[step]
        if loss.keyword == "oneOf" and "JSON text" not in loss.detail:
            part["allOf"] = [*part.get("allOf", []), {"anyOf": part.pop("oneOf")}]
        else:
            part.pop(loss.keyword, None)
    return copy


def broken_laws(schema: Any, descriptor: FormatDescriptor, count: int = 4, seed: int = 0) -> list[str]:
    """Say which laws a form breaks: the dialect, soundness, the round trip, determinism."""
    form = strictify(schema, descriptor)
    found = [
        f"violation at {item.pointer}: {item.rule}" for item in dialect_violations(form.schema, descriptor)
    ]
    original, rest = _validator(schema), _validator(relaxed(schema, form.losses))
    for wire in sample_values(form.schema, count, seed):
        try:
            value = form.lift(wire)
        except ToolError as error:
            found.append(f"{wire!r} is allowed but cannot be lifted: {error}")
            continue
        if not rest.is_valid(value):
            found.append(f"{wire!r} lifts to {value!r}, which breaks more than the listed losses")
    return found + _broken_round_trips(schema, form, original, count, seed)


def _broken_round_trips(schema: Any, form: StrictForm, original: Any, count: int, seed: int) -> list[str]:
    """Lower and lift values of the original; a value that strict mode narrows away is passed over."""
    found: list[str] = []
    wire_validator = jsonschema_rs.validator_for(form.schema)
    for value in sample_values(schema, count, seed):
        assert original.is_valid(value)
        try:
            wire = form.lower(value)
        except ToolError as error:
            if not form.notes:
                found.append(
                    f"{value!r} cannot be lowered, and nothing says that it is narrowed away: {error}"
                )
            continue
        if form.lift(wire) != value:
            found.append(f"{value!r} comes back as {form.lift(wire)!r}")
        if wire != value and not form.rewrites:
            found.append(f"{value!r} is lowered to {wire!r}, and no rewrite says so")
        if not wire_validator.is_valid(wire):
            found.append(f"{value!r} is lowered to {wire!r}, which the wire schema refuses")
    return found


def _validator(schema: Any) -> Any:
    return jsonschema_rs.validator_for(schema, validate_formats=False)
