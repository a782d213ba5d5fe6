"""`tool-core report`: the same as `check`, as a page to look at. Edge."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from tool_core.cli.arguments import (
    EnvOption,
    HeaderOption,
    McpOption,
    ModelOption,
    ProviderOption,
    TargetArgument,
)
from tool_core.cli.assessments import assess
from tool_core.cli.columns import columns_for
from tool_core.cli.complaints import complaint
from tool_core.cli.entries import entries_of
from tool_core.cli.live_servers import chosen_target, server_of
from tool_core.cli.pages import page
from tool_core.cli.screens import errors, progress
from tool_core.cli.texts import counted


def report(
    target: TargetArgument = None,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The file to write; - is standard output.")
    ] = Path("report.html"),
    provider: ProviderOption = None,
    model: ModelOption = None,
    mcp: McpOption = None,
    env: EnvOption = None,
    header: HeaderOption = None,
) -> int:
    """Write one self-contained HTML page: tools, providers, schemas side by side, example calls."""
    columns = columns_for(provider or (), model or ())
    loaded = chosen_target(target, server_of(mcp, env, header))
    with progress("Rewriting schemas", len(columns) + 1) as advance:
        assessment = assess(loaded.toolkit, columns, advance)
        entries = entries_of(assessment)
        advance()
    alerts = [f"{name}: {why}" for name, why in loaded.refused]
    text = page(loaded.name, assessment, entries, alerts)
    if str(output) == "-":
        sys.stdout.write(text)
        return 0
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        raise complaint(f"{str(output)!r} cannot be written", error.strerror or str(error)) from error
    errors().print(f"{counted(len(entries), 'tool')} in {output}", soft_wrap=True)
    return 0
