"""`tool-core lock`: a server's tools as a Python module that type checkers read. Edge."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Annotated

import typer

from tool_core.cli.arguments import EnvOption, HeaderOption, McpOption, TargetArgument
from tool_core.cli.complaints import complaint
from tool_core.cli.live_servers import server_of
from tool_core.cli.printing import warn
from tool_core.cli.saved_lists import read_definitions
from tool_core.cli.targets import load_target
from tool_core.errors import ToolConfigurationError
from tool_core.mcp import lock as locked_module
from tool_core.mcp.locking import locked_fingerprint


def lock(
    target: TargetArgument = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The module to write; standard output without it.")
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit 1 where the module would be another.")
    ] = False,
    mcp: McpOption = None,
    env: EnvOption = None,
    header: HeaderOption = None,
) -> int:
    """Write the tools of a server as a typed Python module, with their fingerprint.

    Exit code: 0 written or the same, 1 another with --check, 2 misuse.
    """
    server = server_of(mcp, env, header)
    if check and output is None:
        raise complaint("there is no module to check", "name it with --output")
    if server is not None and target is not None:
        raise complaint("there are two targets", f"give {target!r} or --mcp, not both")
    if server is not None:
        name, definitions = asyncio.run(server.definitions())
        text = locked_module(definitions, server=name)
    elif target is not None and target.endswith(".json"):
        text = locked_module(read_definitions(Path(target)))
    else:
        text = locked_module(load_target(target).toolkit)
    if output is None:
        sys.stdout.write(text)
        return 0
    return _compared(output, text) if check else _written(output, text)


def _compared(path: Path, text: str) -> int:
    if path.is_file() and path.read_text(encoding="utf-8") == text:
        return 0
    warn(f"{path} is not what is offered now: tool-core drift {path} with the same target says why")
    return 1


def _written(path: Path, text: str) -> int:
    if path.is_file():
        try:
            locked_fingerprint(path.read_text(encoding="utf-8"))
        except (ToolConfigurationError, UnicodeDecodeError):
            raise complaint(f"{path} is there and is no lock", "choose another file") from None
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise complaint(f"{str(path)!r} cannot be written", error.strerror or str(error)) from error
    warn(f"locked in {path}")
    return 0
