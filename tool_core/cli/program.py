"""The program: its commands, and what becomes of every error. Edge."""

from __future__ import annotations

import io
import logging
import sys
import traceback
from collections.abc import Callable, Sequence
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
_COMMANDS: dict[Callable[..., int], str] = {
    check: "Every tool against every provider, and the handlers.",
    report: "The same as one HTML page.",
    schema: "The schemas, or the tools of a provider's request.",
    plan: "Which tools of one request are strict, and why.",
    call: "Run one tool as a model would.",
    serve: "Offer tools to MCP clients.",
    lock: "A server's tools as a typed Python module.",
    drift: "How tools differ from what they were.",
    init: "A small project to start from.",
}
for command, words in _COMMANDS.items():
    app.command(command.__name__, short_help=words)(command)


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
        return _told(_explained(error), 2)
    if not given:
        return 2
    return code if isinstance(code, int) else 0


def _explained(error: Exception) -> str:
    usage = getattr(error, "format_message", None)  # what the argument parser raises
    if usage is not None:
        where = getattr(getattr(error, "ctx", None), "command_path", "tool-core")
        return f"{usage()} (see {where} --help)"
    if isinstance(error, ToolError):
        return str(error)
    if isinstance(error, OSError) and error.filename is None:  # a full disk, most likely
        return f"the output cannot be written: {error.strerror or error}"
    return f"unexpected {type(error).__name__}: {error}; --debug shows where"


def _told(message: str, code: int) -> int:
    warn(message)
    return code
