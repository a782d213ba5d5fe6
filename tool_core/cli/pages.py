"""The report as one page: no network, no text of a stranger as markup. Edge."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files
from string import Template

import tool_core
from tool_core.cli.assessments import Assessment, ColumnResult, State, Verdict
from tool_core.cli.columns import Column
from tool_core.cli.entries import ToolEntry
from tool_core.cli.tables import budget_text
from tool_core.cli.texts import counted

_FILTERS = {
    "strict": "strict everywhere",
    "lenient": "lenient somewhere",
    "impossible": "impossible somewhere",
    "rewritten": "rewritten",
    "lost": "not fully held",
    "renamed": "renamed",
    "mended": "mended",
}
_STATES: tuple[State, ...] = ("strict", "lenient", "impossible", "built-in", "absent")


def page(title: str, assessment: Assessment, entries: Sequence[ToolEntry], alerts: Iterable[str] = ()) -> str:
    """Write the page; the policy in its head lets nothing run but its own script and style."""
    style, script = _part("page.css"), _part("page.js")
    columns = assessment.columns
    return Template(_part("page.html")).substitute(
        title=escape(title),
        lead=escape(f"{counted(len(entries), 'tool')} held against {_listed(columns)}"),
        providers="".join(_provider(result) for result in assessment.results),
        alerts="".join(f'<p class="alert">{escape(text)}</p>' for text in alerts),
        filters=_filters(entries),
        count=counted(len(entries), "tool"),
        columns=min(len(columns), 6),
        headings="".join(
            f'<span role="columnheader" class="cell">{_heading(column)}</span>' for column in columns
        ),
        rows="".join(
            _row(index, entry, [result.verdicts[entry["name"]] for result in assessment.results], columns)
            for index, entry in enumerate(entries)
        ),
        footer=escape(f"Made by tool-core {tool_core.__version__}. This page holds everything it shows."),
        data=_embedded(entries),
        style=style,
        style_hash=_hash(style),
        script=script,
        script_hash=_hash(script),
    )


def _part(name: str) -> str:
    return (files("tool_core.cli") / "page" / name).read_text(encoding="utf-8").strip()


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _embedded(entries: Sequence[ToolEntry]) -> str:
    """Write JSON that can stand inside a script element: nothing in it ends the element."""
    text = json.dumps(entries, ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _listed(columns: Sequence[Column]) -> str:
    return ", ".join(f"{column.label} {column.model}" for column in columns)


def _heading(column: Column) -> str:
    return f"{escape(column.label)} <code>{escape(column.model)}</code>"


def _provider(result: ColumnResult) -> str:
    states = "".join(
        f'<li><b>{len(names)}</b> <span class="state {state}">{state}</span></li>'
        for state in _STATES
        if (names := result.tools_in(state))
    )
    uses = ", ".join(budget_text(result).splitlines())
    budget = "" if uses == "no limit" else f'<p class="budget">budget: {escape(uses)}</p>'
    return (
        f'<article class="provider"><h2>{escape(result.column.label)}</h2>'
        f'<p class="model">{escape(result.column.model)}</p><ul>{states}</ul>{budget}</article>'
    )


def _filters(entries: Sequence[ToolEntry]) -> str:
    counts = {trait: sum(trait in entry["traits"] for entry in entries) for trait in _FILTERS}
    return "".join(
        f'<button type="button" class="chip" data-filter="{trait}" aria-pressed="false">'
        f"{label} <span>{counts[trait]}</span></button>"
        for trait, label in _FILTERS.items()
        if counts[trait]
    )


def _row(index: int, entry: ToolEntry, verdicts: Sequence[Verdict], columns: Sequence[Column]) -> str:
    cells = "".join(
        f'<span role="cell" class="cell"><span class="short">{escape(column.label)}</span>'
        f"{_cell(verdict)}</span>"
        for column, verdict in zip(columns, verdicts, strict=True)
    )
    about = " ".join((entry["description"] or "").split())
    return (
        '<div role="rowgroup" class="tool"><div role="row" class="row">'
        '<span role="rowheader" class="cell name">'
        f'<button type="button" class="disclose" aria-expanded="false" aria-controls="detail-{index}">'
        f"<strong>{escape(entry['name'])}</strong><small>{escape(about[:160])}</small></button></span>"
        f"{cells}</div>"
        f'<div class="detail" id="detail-{index}" hidden></div></div>'
    )


def _cell(verdict: Verdict) -> str:
    marks = ""
    if verdict.form is not None:
        for kind, sign, number in (
            ("rewritten", "~", len(verdict.form.rewrites)),
            ("lost", "−", len(verdict.form.losses)),  # noqa: RUF001
        ):
            marks += (
                f'<span class="mark {kind}" title="{number} {kind}">{sign}{number}</span>' if number else ""
            )
    return f'<span class="state {verdict.state}">{verdict.state}</span>{marks}'
