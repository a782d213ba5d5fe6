"""`tool-core serve`: bound tools as an MCP server. Edge; the extra `mcp`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tool_core.cli.arguments import BoundTargetArgument
from tool_core.cli.complaints import complaint
from tool_core.cli.printing import warn
from tool_core.cli.targets import load_target


def serve(
    target: BoundTargetArgument = None,
    http: Annotated[bool, typer.Option("--http", help="Listen on HTTP instead of standard input.")] = False,
    host: Annotated[
        str, typer.Option(help="Where to listen; beyond this machine a token is needed.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes a free one.")] = 8000,
    token: Annotated[
        str | None, typer.Option(envvar="TOOL_CORE_TOKEN", help="The secret that clients must send.")
    ] = None,
    name: Annotated[
        str | None, typer.Option(help="What the server calls itself; TARGET's own name by default.")
    ] = None,
) -> int:
    """Offer bound tools to MCP clients, on standard input and output or on HTTP."""
    from tool_core.mcp import merge, serve_sync

    bound = load_target(target).bound
    if not bound:
        raise complaint(f"{target} binds no toolkit", "serve needs handlers: kit.bind({...})")
    offered = bound[0] if len(bound) == 1 else merge(*bound)
    label = name or Path(target or "").stem
    if not http:
        serve_sync(offered, name=label)
        return 0
    serve_sync(
        offered,
        "http",
        name=label,
        host=host,
        port=port,
        token=token,
        on_ready=lambda address: warn(f"serving {len(offered.entries)} tools at {address}"),
    )
    return 0
