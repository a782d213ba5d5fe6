"""The program: its commands, and what becomes of every error. Edge."""

from __future__ import annotations

import io
import logging
import sys
import traceback
from collections.abc import Sequence
from typing import Annotated

import typer

import tool_core
from tool_core.cli.calling import call
from tool_core.cli.checking import check
from tool_core.cli.drifting import drift
from tool_core.cli.locking import lock
from tool_core.cli.planning import plan
from tool_core.cli.printing import warn
from tool_core.cli.reporting import report
from tool_core.cli.schemas import schema
from tool_core.cli.serving import serve
from tool_core.cli.starting import init
from tool_core.errors import ToolError

app = typer.Typer(
    help="Typed tools for LLM agents, held against what each provider accepts.",
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in (check, report, schema, plan, call, serve, lock, drift, init):
    app.command(command.__name__)(command)


def _show_version(is_asked: bool) -> None:
    if is_asked:
        typer.echo(f"tool-core {tool_core.__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option("--version", help="Print the version.", callback=_show_version, is_eager=True),
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False,
) -> None:
    """Take the options that stand before a command."""


def run(arguments: Sequence[str]) -> int:
    """Run a command line and return its exit code; an error is one line, `--debug` shows all of it."""
    is_debugging = "--debug" in arguments
    given = [text for text in arguments if text != "--debug"]
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal may not know every character
            stream.reconfigure(errors="backslashreplace")
    if not is_debugging and given[:1] != ["serve"]:  # what a handler raised is for its developer's log
        logging.getLogger("tool_core").setLevel(logging.CRITICAL)
    try:
        code = app(args=given or ["--help"], prog_name="tool-core", standalone_mode=False)
    except typer.Abort:
        return _told("aborted", 1)
    except Exception as error:
        if is_debugging:
            traceback.print_exc()
        usage = getattr(error, "format_message", None)  # what the argument parser raises
        if usage is not None:
            return _told(f"{usage()} (see tool-core --help)", 2)
        if isinstance(error, ToolError):
            return _told(str(error), 2)
        kind = f"{type(error).__name__}: {error}"
        return _told(f"unexpected {kind}; --debug shows where", 2)
    if not given:
        return 2
    return code if isinstance(code, int) else 0


def _told(message: str, code: int) -> int:
    warn(message)
    return code
