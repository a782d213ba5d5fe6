"""The tables of `check` and `plan`: a screen that says what every provider makes of every tool. Edge."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from rich import box
from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from tool_core.cli.assessments import Assessment, ColumnResult, State, Verdict
from tool_core.cli.columns import Column, labels_of
from tool_core.cli.findings import Finding, Kind
from tool_core.cli.texts import counted, fit, place
from tool_core.cli.type_checks import TypeCheck, TypeProblem

STYLES: dict[State, str] = {
    "strict": "green",
    "lenient": "yellow",
    "impossible": "bold red",
    "built-in": "cyan",
    "absent": "dim",
}
Row: TypeAlias = "tuple[str, str, str, str]"
"""A tool, a place in it, what is said of it, and of which providers."""

_MOST_TOOLS = 40
"""How many tools get a line each."""

_MOST_LINES = 14
"""How many lines a section may have before it is summed up."""

_SECTIONS: tuple[tuple[Kind, str, str], ...] = (
    ("impossible", "Cannot be sent", "bold red"),
    ("lenient", "Not strict, and why", "yellow"),
    ("lost", "- Not held by the grammar: said in the description, checked here", "magenta"),
    ("narrowed", "Narrowed: what the author left open is closed", "magenta"),
    ("mended", "Mended: what the server wrote was read as what it must mean", "magenta"),
    ("rewritten", "~ Rewritten, and turned back when the model answers", "blue"),
    ("renamed", "Named differently on the wire", "blue"),
)


_NARROW = 16
"""How many columns of the screen each column of the table needs."""


def matrix(assessment: Assessment, width: int, *, show_all: bool = False) -> RenderableType:
    """Draw the tools against the providers, with the use of each budget below.

    Of very many tools those that fare alike share a line; a narrow screen gets a list.
    """
    rows = list(_rows_of(assessment, show_all))
    if width < _NARROW * (len(assessment.results) + 1):
        return Group(*_listed(assessment, rows))
    table = Table(box=box.SIMPLE_HEAD, show_footer=True, pad_edge=False, footer_style="dim")
    table.add_column("Tool", footer="budget", overflow="fold", min_width=12)
    for result in assessment.results:
        header = Text.assemble((result.column.label, "bold"), "\n", (fit(result.column.model), "dim"))
        table.add_column(header, footer=budget_text(result), overflow="fold")
    for title, cells in rows:
        table.add_row(Text(title), *cells)
    return table


def _listed(assessment: Assessment, rows: Iterable[tuple[str, list[Text]]]) -> Iterator[RenderableType]:
    """Write the same as the table, one below the other."""
    titles = [f"{result.column.label} {fit(result.column.model)}" for result in assessment.results]
    uses = [Text(budget_text(result).replace("\n", ", "), "dim") for result in assessment.results]
    for name, cells in [*rows, ("budget", uses)]:
        yield Text(name, "bold")
        for title, words in zip(titles, cells, strict=True):
            yield Padding(Text.assemble((f"{title}: ", "dim"), words), (0, 0, 0, 2))
    yield Text()


def _rows_of(assessment: Assessment, show_all: bool) -> Iterator[tuple[str, list[Text]]]:
    names = list(assessment.toolkit.tools)
    rows = [[result.verdicts[name] for result in assessment.results] for name in names]
    if show_all or len(names) <= _MOST_TOOLS:
        for name, row in zip(names, rows, strict=True):
            yield fit(name), [cell([verdict]) for verdict in row]
        return
    alike: dict[tuple[State, ...], list[int]] = {}
    for index, row in enumerate(rows):
        alike.setdefault(tuple(verdict.state for verdict in row), []).append(index)
    for indices in alike.values():
        title = fit(names[indices[0]]) if len(indices) == 1 else counted(len(indices), "tool")
        together = zip(*(rows[index] for index in indices), strict=True)
        yield title, [cell(verdicts) for verdicts in together]


def cell(verdicts: Sequence[Verdict]) -> Text:
    """Write verdicts that are alike: the state, how much is rewritten (~) and how much is not held (-)."""
    state = verdicts[0].state
    forms = [verdict.form for verdict in verdicts if verdict.form is not None]
    rewrites, losses = sum(len(form.rewrites) for form in forms), sum(len(form.losses) for form in forms)
    text = Text(state, STYLES[state])
    text.append(f"  ~{rewrites}" if rewrites else "", "blue")
    text.append(f"  -{losses}" if losses else "", "magenta")
    return text


def budget_text(result: ColumnResult) -> str:
    """Say what of the budget is used."""
    uses = (
        ("tools", result.usage.tools, result.budget.tools),
        ("optional", result.usage.optionals, result.budget.optionals),
        ("unions", result.usage.unions, result.budget.unions),
    )
    return (
        "\n".join(f"{used}/{limit} {noun}" for noun, used, limit in uses if limit is not None) or "no limit"
    )


def sections(findings: Sequence[Finding], columns: Sequence[Column], width: int) -> Iterator[RenderableType]:
    """Write what was found, kind by kind, in columns that line up; a long section is summed up."""
    listed = [(title, style, _rows(findings, kind, columns)) for kind, title, style in _SECTIONS]
    everything = [row for _, _, rows in listed for row in rows]
    longest = [max((cell_len(row[index]) for row in everything), default=0) for index in range(4)]
    tool, where, text, who = map(min, longest, (width // 4, width // 4, width, 26))
    tool = min(tool, width // 5) if tool + where > width * 2 // 5 else tool
    widths = (tool, where, min(text, max(12, width - tool - where - who - 8)), who)
    for title, style, rows in listed:
        if rows:
            yield Text(title, style)
            is_narrow = width < 4 * _NARROW
            yield Padding(_stacked(rows) if is_narrow else _grid(rows, widths), (0, 0, 1, 2))


def _rows(findings: Sequence[Finding], kind: Kind, columns: Sequence[Column]) -> list[Row]:
    found = [finding for finding in findings if finding.kind == kind]
    if len(found) > _MOST_LINES or kind == "narrowed":
        return list(_summed(found, columns))
    return list(_lines(found, columns))


def _lines(findings: Iterable[Finding], columns: Sequence[Column]) -> Iterator[Row]:
    last, written = None, set[Row]()
    for item in findings:
        where = place(item.pointer) if item.pointer or item.kind in ("rewritten", "lost") else ""
        row = fit(item.tool), where, fit(item.text), labels_of(item.columns, columns)
        if row not in written:  # several keywords of one place may be lost in the same words
            yield ("", *row[1:]) if item.tool == last else row
        written.add(row)
        last = item.tool


def _summed(findings: Iterable[Finding], columns: Sequence[Column]) -> Iterator[Row]:
    groups: dict[tuple[str, str], list[Finding]] = {}
    for item in findings:
        groups.setdefault((item.topic, labels_of(item.columns, columns)), []).append(item)
    ranked = sorted(groups.items(), key=lambda group: -len(group[1]))
    for (what, where), items in ranked[:_MOST_LINES]:
        tools = list(dict.fromkeys(item.tool for item in items))
        named = fit(tools[0]) if len(tools) == 1 else counted(len(tools), "tool")
        places = counted(len(items), "place") if len(items) > len(tools) else ""
        yield named, places, fit(what), where
    if len(ranked) > _MOST_LINES:
        rest = sum(len(items) for _, items in ranked[_MOST_LINES:])
        yield "...", "", f"and {rest} more: see --json, or --explain TOOL", ""


def _stacked(rows: Iterable[Row]) -> Group:
    """Write rows for a narrow screen: each in lines of its own."""
    written: list[RenderableType] = []
    for tool, where, words, who in rows:
        written += [Text(tool)] if tool else []
        said = Text.assemble(
            (where, "bold"), ": " if where else "", words, (f" ({who})" if who else "", "dim")
        )
        written.append(Padding(said, (0, 0, 0, 2)))
    return Group(*written)


def _grid(rows: Iterable[Row], widths: Sequence[int]) -> Table:
    grid = Table.grid(padding=(0, 2, 0, 0), pad_edge=False)
    for width, style in zip(widths, ("", "bold", "", "dim"), strict=True):
        grid.add_column(overflow="fold", min_width=width, max_width=width, style=style)
    for row in rows:
        grid.add_row(*(Text(text) for text in row))
    return grid


def type_section(check: TypeCheck) -> RenderableType:
    """Write what mypy says of the handlers."""
    if check.skipped is not None:
        return Text(f"Handlers: not checked, {fit(check.skipped)}", "yellow")
    if not check.problems:
        return Text("Handlers: mypy with the plugin finds nothing wrong", "green")
    title = f"Handlers: mypy with the plugin finds {counted(len(check.problems), 'problem')}"
    return Group(Text(title, "bold red"), *(_type_problem(item) for item in check.problems))


def _type_problem(item: TypeProblem) -> RenderableType:
    title = Text.assemble(
        (f"{fit(item.file)}:{item.line}", "bold"), (f"  [{item.code}]" if item.code else "", "dim")
    )
    message = Text("\n".join(fit(line) for line in item.message.splitlines()))
    return Group(Padding(title, (0, 0, 0, 2)), Padding(message, (0, 0, 0, 4)))
