"""`tool-core check`: every tool against every provider, and the handlers against their tools. Edge."""

from __future__ import annotations

from collections.abc import Sequence
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
from tool_core.cli.columns import Column, columns_for
from tool_core.cli.documents import check_document
from tool_core.cli.explaining import explain_tool
from tool_core.cli.findings import Finding, Threshold, failing, findings_in
from tool_core.cli.live_servers import chosen_target, server_of
from tool_core.cli.printing import print_json
from tool_core.cli.screens import output, progress, show, waited
from tool_core.cli.tables import matrix, sections, type_section
from tool_core.cli.targets import Target, unusable_target
from tool_core.cli.texts import counted, fit
from tool_core.cli.type_checks import RunningCheck, TypeCheck, start_type_check
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
    schemas: Annotated[bool, typer.Option(help="Hold the schemas against the providers.")] = True,
    show_all: Annotated[bool, typer.Option("--all", help="Give every tool a line, however many.")] = False,
    as_json: JsonOption = False,
) -> int:
    """Hold every tool against every provider: strict, lenient or impossible, and why.

    Exit code: 0 clean, 1 findings at or above --fail-on, 2 misuse.
    """
    columns = columns_for(provider or (), model or ()) if schemas or explain else ()
    try:
        loaded = chosen_target(target, server_of(mcp, env, header))
    except ToolConfigurationError as error:
        loaded = unusable_target(target or "", error)
    if explain is not None:
        return explain_tool(assess(loaded.toolkit, columns), loaded.tool(explain), as_json)
    checked, assessment = _checked(loaded, columns, types)
    findings = findings_in(assessment, loaded.refused)
    fails = failing(findings, fail_on)
    problems = checked.problems if checked is not None and fail_on != "never" else ()
    exit_code = 1 if fails or problems else 0
    if as_json:
        print_json(check_document(loaded.name, assessment, findings, fails, checked, exit_code))
    else:
        _show(loaded, assessment, findings, checked, show_all)
        _conclude(len(fails) + len(problems), fail_on)
    return exit_code


def _checked(target: Target, columns: Sequence[Column], types: bool) -> tuple[TypeCheck | None, Assessment]:
    """Let mypy read the handlers while the schemas are rewritten."""
    running = start_type_check(target.source) if types and target.source else None
    with progress("Rewriting schemas", len(columns)) as advance:
        assessment = assess(target.toolkit, columns, advance)
    checked = waited(running) if isinstance(running, RunningCheck) else running
    return checked, assessment


def _show(
    target: Target,
    assessment: Assessment,
    findings: list[Finding],
    types: TypeCheck | None,
    show_all: bool,
) -> None:
    console = output()
    title = Text(fit(target.name), "bold")
    title.append(f"  {counted(len(assessment.toolkit), 'tool')}" if len(assessment.toolkit) else "", "dim")
    show(console, title)
    if not len(assessment.toolkit):
        reasons = (fit(line) for _, why in target.refused for line in why.splitlines())
        show(console, Text("\n".join(reasons), "red"))
    elif assessment.results:
        blocks = sections(findings, assessment.columns, console.width)
        show(console, matrix(assessment, console.width, show_all=show_all), *blocks)
    if types is not None:
        show(console, type_section(types))


def _conclude(count: int, fail_on: Threshold) -> None:
    if fail_on == "never":
        return
    found = f"{counted(count, 'finding')} at or above {fail_on!r}" if count else "clean"
    show(output(), Text(f"Result: {found}", "bold red" if count else "bold green"))
