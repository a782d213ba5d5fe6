"""Serving over this process's stdin and stdout, and how it ends. Edge."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Awaitable, Callable
from typing import Any

from mcp.server import Server
from mcp.server.stdio import stdio_server

logger = logging.getLogger("tool_core")

_FLUSH = 0.1
"""Seconds for the last answers to reach the pipe, after the calls have ended."""


async def serve_stdio(
    server: Server[Any], *, drain: Callable[[], Awaitable[None]], on_stop: Callable[[], None]
) -> None:
    """Serve until the client leaves, or until cancelled; then let the running calls finish.

    What anybody prints meanwhile goes to stderr. `on_stop` is called where the client has not left:
    a thread still waits for its next line, and only the end of the process ends that.
    """
    async with stdio_server() as (read, write):
        sys.stdout.flush()
        serving = asyncio.create_task(server.run(read, write, server.create_initialization_options()))
        try:
            await asyncio.shield(serving)
        except BaseException:
            await _stopped(serving, drain)
            on_stop()
            raise
        finally:
            sys.stdout.flush()


async def _stopped(serving: asyncio.Task[None], drain: Callable[[], Awaitable[None]]) -> None:
    if serving.done():
        logger.error("the server failed", exc_info=None if serving.cancelled() else serving.exception())
        return
    try:
        await drain()
        await asyncio.sleep(_FLUSH)
    finally:
        serving.cancel()
        await asyncio.wait([serving])
