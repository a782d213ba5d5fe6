"""`tool-core check`: every tool against every provider, and the handlers against their tools. Edge."""

from __future__ import annotations

from typing import Annotated

import typer
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
from tool_core.cli.assessments import Assessment, assess
from tool_core.cli.columns import columns_for
from tool_core.cli.documents import check_document
from tool_core.cli.explaining import explain_tool
from tool_core.cli.findings import Finding, Threshold, failing, findings_in
from tool_core.cli.live_servers import chosen_target, server_of
from tool_core.cli.printing import print_json
from tool_core.cli.screens import output, progress, show, waited
from tool_core.cli.tables import matrix, sections, type_section
from tool_core.cli.targets import Target, unusable_target
from tool_core.cli.texts import counted, fit
from tool_core.cli.type_checks import TypeCheck, start_type_check
from tool_core.errors import ToolConfigurationError


def check(
    target: TargetArgument = None,
    provider: ProviderOption = None,
    model: ModelOption = None,
    mcp: McpOption = None,
    env: EnvOption = None,
    header: HeaderOption = None,
    fail_on: Annotated[
        Threshold, typer.Option("--fail-on", help="The least finding that makes the run fail.")
    ] = "impossible",
    explain: Annotated[
        str | None,
        typer.Option("--explain", metavar="TOOL", help="Show one tool's schema beside each wire schema."),
    ] = None,
    types: Annotated[bool, typer.Option(help="Check the handlers with mypy and the plugin.")] = True,
    show_all: Annotated[bool, typer.Option("--all", help="Give every tool a line, however many.")] = False,
    as_json: JsonOption = False,
) -> int:
    """Hold every tool against every provider: strict, lenient or impossible, and why.

    Exit code: 0 clean, 1 findings at or above --fail-on, 2 misuse.
    """
    columns = columns_for(provider or (), model or ())
    try:
        loaded = chosen_target(target, server_of(mcp, env, header))
    except ToolConfigurationError as error:
        loaded = unusable_target(target or "", error)
    explained = None if explain is None else loaded.tool(explain)
    running = start_type_check(loaded.source) if types and loaded.source and not explain else None
    with progress("Rewriting schemas", len(columns)) as advance:
        assessment = assess(loaded.toolkit, columns, advance)
    if explained is not None:
        return explain_tool(assessment, explained, as_json)
    checked = running if running is None or isinstance(running, TypeCheck) else waited(running)
    findings = findings_in(assessment, loaded.refused)
    counted_in = failing(findings, fail_on)
    has_type_problems = fail_on != "never" and checked is not None and bool(checked.problems)
    exit_code = 1 if counted_in or has_type_problems else 0
    if as_json:
        print_json(check_document(loaded.name, assessment, findings, counted_in, checked, exit_code))
    else:
        _show(loaded, assessment, findings, checked, show_all)
        _conclude(len(counted_in) + len(checked.problems if checked else ()), fail_on)
    return exit_code


def _show(
    target: Target,
    assessment: Assessment,
    findings: list[Finding],
    types: TypeCheck | None,
    show_all: bool,
) -> None:
    console = output()
    title = Text(fit(target.name), "bold")
    title.append(f"  {counted(len(assessment.toolkit), 'tool')}", "dim")
    show(console, title)
    if len(assessment.toolkit):
        show(
            console,
            matrix(assessment, show_all=show_all),
            *sections(findings, assessment.columns, console.width),
        )
    else:
        show(
            console,
            Text("\n".join(fit(line) for _, why in target.refused for line in why.splitlines()), "red"),
        )
    if types is not None:
        show(console, type_section(types))


def _conclude(count: int, fail_on: Threshold) -> None:
    if fail_on == "never":
        return
    found = f"{counted(count, 'finding')} at or above {fail_on!r}" if count else "clean"
    show(output(), Text(f"Result: {found}", "bold red" if count else "bold green"))
