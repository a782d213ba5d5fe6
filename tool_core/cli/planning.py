"""`tool-core plan`: within a provider's budget, who is strict, who is not, and why. Edge."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

from rich import box
from rich.table import Table
from rich.text import Text

from tool_core.cli.arguments import (
    EnvOption,
    HeaderOption,
    JsonOption,
    McpOption,
    ModelOption,
    ProviderOption,
    TargetArgument,
)
from tool_core.cli.assessments import ColumnResult, assess
from tool_core.cli.columns import columns_for
from tool_core.cli.documents import budget_document
from tool_core.cli.live_servers import chosen_target, server_of
from tool_core.cli.printing import print_json
from tool_core.cli.screens import output, show
from tool_core.cli.tables import STYLES, budget_text
from tool_core.cli.texts import fit
from tool_core.queries import get_strict_mode
from tool_core.toolkits import Toolkit


def plan(
    target: TargetArgument = None,
    provider: ProviderOption = None,
    model: ModelOption = None,
    mcp: McpOption = None,
    env: EnvOption = None,
    header: HeaderOption = None,
    as_json: JsonOption = False,
) -> int:
    """Show which tools of one request are strict; Anthropic has the budget, so it is the default."""
    columns = columns_for(provider or ([] if model else ["anthropic"]), model or ())
    loaded = chosen_target(target, server_of(mcp, env, header))
    results = assess(loaded.toolkit, columns).results
    if as_json:
        print_json([_plan_document(result) for result in results])
        return 0
    console = output()
    for result in results:
        show(console, _plan_table(result, loaded.toolkit))
        show(console, Text(f"budget: {budget_text(result)}".replace("\n", ", "), "bold"))
    return 0


def _plan_table(result: ColumnResult, toolkit: Toolkit[object]) -> Table:
    title = f"{result.column.label} {fit(result.column.model)}"
    table = Table(title=title, box=box.SIMPLE_HEAD, pad_edge=False, title_justify="left")
    table.add_column("Tool", overflow="fold")
    table.add_column("State")
    for heading in ("Priority", "Optional", "Unions"):
        table.add_column(heading, justify="right")
    table.add_column("Why", overflow="fold")
    for tool in toolkit:
        verdict = result.verdicts[tool.name]
        uses = verdict.usage
        table.add_row(
            fit(tool.name),
            Text(verdict.state, STYLES[verdict.state]),
            _priority(get_strict_mode(tool)),
            *((str(uses.optionals), str(uses.unions)) if uses.tools else ("", "")),
            Text(fit(verdict.reason)),
        )
    return table


def _priority(wish: bool | float | None) -> str:
    if isinstance(wish, bool):
        return "required" if wish else "never"
    return f"{1 if wish is None else wish:g}"


def _plan_document(result: ColumnResult) -> Mapping[str, object]:
    tools = {
        name: {"state": verdict.state, "reason": verdict.reason, "uses": asdict(verdict.usage)}
        for name, verdict in result.verdicts.items()
    }
    return {**budget_document(result), "tools": tools}
