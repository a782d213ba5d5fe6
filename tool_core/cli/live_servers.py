"""A live MCP server as a target: started by a command, or reached at an address. Edge; the extra `mcp`."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tool_core.cli.complaints import complaint
from tool_core.cli.targets import Target, load_target
from tool_core.errors import ToolConnectionError

if TYPE_CHECKING:
    from tool_core.mcp import Remote


@dataclass(frozen=True, slots=True)
class Server:
    """Where a server is and what it must be told; secrets are not shown."""

    address: str = field(repr=False)
    env: dict[str, str] | None = field(repr=False)
    headers: dict[str, str] | None = field(repr=False)

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[Remote]:
        """Connect; where that fails, the last thing that the server said is part of the reason."""
        from tool_core.mcp import connect

        with tempfile.TemporaryFile("w+", errors="replace") as said:
            try:
                async with connect(self.address, env=self.env, headers=self.headers, stderr=said) as remote:
                    yield remote
            except ToolConnectionError as error:
                said.seek(0)
                lines = [line for line in said.read().splitlines() if line.strip()]
                raise complaint(str(error), f"it said {lines[-1]!r}" if lines else "") from error

    async def definitions(self) -> tuple[str, Sequence[object]]:
        """Ask the server for its name and its tools, each definition as it was sent."""
        async with self.connected() as remote:
            return remote.server, await remote.session.list_tools()


def server_of(
    mcp: str | None, env: Sequence[str] | None = None, header: Sequence[str] | None = None
) -> Server | None:
    """Read the options that name a server.

    >>> server_of("python server.py", ["KEY=value"]).env
    {'KEY': 'value'}
    """
    if mcp is None:
        if env or header:
            raise complaint("--env and --header are for a server", "name it with --mcp")
        return None
    return Server(mcp, _pairs(env, "=", "--env NAME=VALUE"), _pairs(header, ":", "--header NAME:VALUE"))


def chosen_target(target: str | None, server: Server | None) -> Target:
    """Load a target, or the tools of a server in its place."""
    if server is None:
        return load_target(target)
    if target is not None:
        raise complaint("there are two targets", f"give {target!r} or --mcp, not both")
    from tool_core.cli.saved_lists import target_of_definitions

    name, definitions = asyncio.run(server.definitions())
    return target_of_definitions(name, definitions)


def _pairs(texts: Sequence[str] | None, sign: str, shape: str) -> dict[str, str] | None:
    pairs = [text.partition(sign) for text in texts or ()]
    if wrong := [name for name, found, _ in pairs if not found]:
        raise complaint(f"{wrong[0]!r} is no pair", f"write {shape}")
    return {name.strip(): value.strip() for name, _, value in pairs} or None
