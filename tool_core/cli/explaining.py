"""`tool-core check --explain TOOL`: the author's schema beside each provider's. Edge."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from tool_core.cli.assessments import Assessment, ColumnResult, Verdict
from tool_core.cli.comparisons import Mark, Pair, compared
from tool_core.cli.documents import tool_document
from tool_core.cli.printing import print_json
from tool_core.cli.screens import output, show
from tool_core.cli.tables import STYLES
from tool_core.cli.texts import fit, place, visible
from tool_core.queries import get_json_schema
from tool_core.tools import AnyTool

_STYLES: dict[Mark, tuple[str, str]] = {
    "same": ("dim", "dim"),
    "changed": ("yellow", "yellow"),
    "removed": ("red", ""),
    "added": ("", "green"),
}
_SIGNS: dict[Mark, str] = {"same": " ", "changed": "~", "removed": "-", "added": "+"}


def explain_tool(assessment: Assessment, tool: AnyTool, as_json: bool) -> int:
    """Show one tool in every dialect."""
    if as_json:
        print_json(tool_document(tool, assessment))
        return 0
    console = output()
    for result in assessment.results:
        show(console, _one(tool, result, result.verdicts[tool.name]))
    return 0


def _one(tool: AnyTool, result: ColumnResult, verdict: Verdict) -> RenderableType:
    title = Text.assemble(
        (f"{result.column.label} ", "bold"),
        (f"{fit(result.column.model)}  ", "dim"),
        (verdict.state, STYLES[verdict.state]),
        f"  {fit(verdict.reason)}",
    )
    if verdict.form is None:
        return Group(title, Text(""))
    original, wire = get_json_schema(tool), verdict.form.schema
    body = Text("  as the author wrote it", "dim") if original == wire else _side_by_side(original, wire)
    said = [f"~ {place(item.pointer)}: {fit(item.detail)}" for item in verdict.form.rewrites]
    said += [f"- {place(item.pointer)}: {item.keyword}, {fit(item.detail)}" for item in verdict.form.losses]
    said += [f"! {place(item.pointer)}: {fit(item.text)}" for item in verdict.form.notes]
    return Group(title, body, *(Text(f"  {line}") for line in said), Text(""))


def _side_by_side(original: dict[str, object], wire: dict[str, object]) -> Table:
    table = Table(box=None, pad_edge=False, expand=True, padding=(0, 1))
    table.add_column("the author's", ratio=1, overflow="fold", header_style="bold dim")
    table.add_column("", width=1)
    table.add_column("on the wire", ratio=1, overflow="fold", header_style="bold dim")
    for pair in compared(original, wire):
        left, right = _STYLES[pair.mark]
        table.add_row(_line(pair.left, left), _sign(pair), _line(pair.right, right))
    return table


def _line(text: str | None, style: str) -> Text:
    return Text("" if text is None else visible(text), style)


def _sign(pair: Pair) -> Text:
    return Text(_SIGNS[pair.mark], "bold")
