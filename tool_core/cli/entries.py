"""What the page shows of each tool when it is opened: text only, ready to be drawn. Edge."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from typing_extensions import TypedDict

from tool_core.cli.assessments import Assessment, ColumnResult, Verdict
from tool_core.cli.comparisons import Pair, compared, pretty
from tool_core.cli.texts import fit, place, visible
from tool_core.errors import ToolError
from tool_core.mcp import Notes
from tool_core.queries import get_description, get_json_schema
from tool_core.testing import example_arguments
from tool_core.tools import AnyTool

_EXAMPLES = 12
_LONGEST_EXAMPLE = 1500


class VerdictEntry(TypedDict):
    """One tool at one provider."""

    title: str
    state: str
    reason: str
    name: str | None
    lost: list[tuple[str, str]]
    rewritten: list[tuple[str, str]]
    narrowed: list[tuple[str, str]]
    pairs: list[list[str | None]] | None
    """The mark and both lines; the second only where it differs from the first."""
    schema: str | None
    example: tuple[str, str] | None


class ToolEntry(TypedDict):
    """One tool: what is searched (`text`), what is filtered by (`traits`), and what is drawn."""

    name: str
    description: str | None
    text: str
    traits: list[str]
    mended: list[tuple[str, str]]
    verdicts: list[VerdictEntry]


def entries_of(assessment: Assessment) -> list[ToolEntry]:
    """Prepare every tool."""
    return [_entry(tool, assessment) for tool in assessment.toolkit]


def _entry(tool: AnyTool, assessment: Assessment) -> ToolEntry:
    schema, description = get_json_schema(tool), get_description(tool)
    verdicts = [result.verdicts[tool.name] for result in assessment.results]
    notes = tool.annotations.get(Notes)
    examples = _examples(tool) if any(verdict.form for verdict in verdicts) else []
    return {
        "name": tool.name,
        "description": None if description is None else visible_lines(description),
        "text": " ".join([tool.name, description or "", *dict.fromkeys(_words(schema))]).lower(),
        "traits": _traits(tool, verdicts) + (["mended"] if notes else []),
        "mended": [("", fit(note)) for note in notes],
        "verdicts": [
            _verdict_entry(tool, schema, examples, result, verdict)
            for result, verdict in zip(assessment.results, verdicts, strict=True)
        ],
    }


def _traits(tool: AnyTool, verdicts: Sequence[Verdict]) -> list[str]:
    states = {verdict.state for verdict in verdicts}
    forms = [verdict.form for verdict in verdicts if verdict.form is not None]
    found = {
        "strict": states == {"strict"},
        "lenient": "lenient" in states,
        "impossible": "impossible" in states,
        "rewritten": any(form.rewrites for form in forms),
        "lost": any(form.losses for form in forms),
        "renamed": any(verdict.wire_name not in (None, tool.name) for verdict in verdicts),
    }
    return [trait for trait, holds in found.items() if holds]


def _verdict_entry(
    tool: AnyTool, schema: dict[str, object], examples: list[object], result: ColumnResult, verdict: Verdict
) -> VerdictEntry:
    form = verdict.form
    wire = None if form is None else form.schema
    is_same = wire == schema
    return {
        "title": f"{result.column.label} {result.column.model}",
        "state": verdict.state,
        "reason": fit(verdict.reason),
        "name": verdict.wire_name if verdict.wire_name != tool.name else None,
        "lost": [(place(item.pointer), fit(item.detail)) for item in (form.losses if form else ())],
        "rewritten": [(place(item.pointer), fit(item.detail)) for item in (form.rewrites if form else ())],
        "narrowed": [(place(item.pointer), fit(item.text)) for item in (form.notes if form else ())],
        "pairs": None if wire is None or is_same else [_drawn(pair) for pair in compared(schema, wire)],
        "schema": visible_lines(pretty(schema)) if is_same else None,
        "example": _example(verdict, examples),
    }


def _drawn(pair: Pair) -> list[str | None]:
    left, right = (None if side is None else visible(side) for side in (pair.left, pair.right))
    return [pair.mark, left] if left == right else [pair.mark, left, right]


def _words(value: object) -> Iterator[str]:
    """List the names and texts in a schema."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield str(key)
            yield from _words(item)
    elif isinstance(value, list):
        for item in value:
            yield from _words(item)
    elif isinstance(value, str):
        yield value


def visible_lines(text: str) -> str:
    """Write out what would act on the reader's screen, line by line."""
    return "\n".join(visible(line) for line in text.splitlines())


def _examples(tool: AnyTool) -> list[object]:
    """Find a few calls that the tool takes; the plainest comes first, and of those the richest."""
    try:
        found = example_arguments(tool, _EXAMPLES)
    except ToolError:
        return []
    short = [value for value in found if len(json.dumps(value)) <= _LONGEST_EXAMPLE]
    return sorted(short, key=lambda value: (_oddity(json.dumps(value)), -len(json.dumps(value))))


def _oddity(text: str) -> int:
    """Count what samples hold to test with, and what reads badly as an example."""
    return sum(text.count(odd) for odd in ('""', '"3"', '"null"', '"{', '"[', "x y"))


def _example(verdict: Verdict, examples: list[object]) -> tuple[str, str] | None:
    """Show the first call that can be written in the wire's shape; some are narrowed away."""
    for value in examples if verdict.form is not None else ():
        assert verdict.form is not None
        try:
            return visible_lines(pretty(value)), visible_lines(pretty(verdict.form.lower(value)))
        except ToolError:
            continue
    return None
