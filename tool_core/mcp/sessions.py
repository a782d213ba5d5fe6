"""One live connection to an MCP server. Edge.

A task of its own keeps the connection, because the SDK wants it closed by whoever opened it, and
because a connection outlives the call, the turn or the request that first needed it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import anyio
import httpx2
import mcp_types
from mcp import Client, MCPError
from mcp.client.subscriptions import ListenNotSupportedError, SubscriptionLost
from mcp.shared.dispatcher import ProgressFnT
from pydantic import ValidationError

from tool_core.errors import ToolConnectionError, ToolError
from tool_core.mcp.arrivals import UNREADABLE, Arrivals, observed
from tool_core.mcp.listings import listed
from tool_core.mcp.targets import Target

logger = logging.getLogger("tool_core")

_WATCHED_WITHIN = 5.0
"""How long a server has to confirm that it will announce changes; one that does not is used all the same."""

_UNREADABLE = (UNREADABLE, "Failed to parse JSON response", "Failed to parse SSE message")
_LOST = ("Connection closed", "Session terminated", "Session not found", "SSE stream")


@dataclass(slots=True, eq=False)
class Session:
    """A connection that is open until `close`, or until the server is lost."""

    server: str
    patience: float
    client: Client = field(repr=False)
    arrivals: Arrivals = field(repr=False)
    keeper: asyncio.Task[None] = field(repr=False)
    stop: asyncio.Event = field(repr=False)
    listing: asyncio.Lock = field(default_factory=asyncio.Lock, repr=False)

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        """The event loop that the connection lives on."""
        return self.keeper.get_loop()

    @property
    def is_lost(self) -> bool:
        """Whether no further call can succeed."""
        return self.keeper.done() or self.arrivals.ended

    async def list_tools(self) -> list[object]:
        """Fetch the definitions of all tools, as the server sent them."""
        try:
            async with asyncio.timeout(self.patience), self.listing:
                return await listed(self.client, self.arrivals, self.server)
        except ToolError:
            raise
        except TimeoutError:
            reason = f"it did not list its tools within {self.patience:g} seconds"
            raise ToolConnectionError(None, self.server, reason) from None
        except Exception as error:
            raise unreachable(self.server, error) from None  # its words may hold headers and addresses

    async def call(
        self, name: str, arguments: Mapping[str, Any], on_progress: ProgressFnT
    ) -> mcp_types.CallToolResult:
        """Call a tool; an answer that says no is an `MCPError`, a server that is gone is ours."""
        if self.is_lost:
            raise ToolConnectionError(None, self.server, _WHEN_LOST)
        try:
            return await self.client.call_tool(name, dict(arguments), progress_callback=on_progress)
        except MCPError as error:
            if self.is_lost or error.message.startswith(_LOST):
                raise ToolConnectionError(None, self.server, _WHEN_LOST) from error
            if error.message.startswith(_UNREADABLE):
                raise ValueError(UNREADABLE) from None  # as for an answer that is JSON-RPC, and not MCP
            raise

    async def close(self) -> None:
        """End the connection and, where we started it, the server."""
        self.stop.set()
        await _ended(self.keeper)


_WHEN_LOST = "it closed the connection; `await remote.reconnect()` opens a new one"


async def open_session(target: Target, seconds: float, on_change: Callable[[], None]) -> Session:
    """Connect, or say as our error why that is not possible."""
    ready: asyncio.Future[Client] = asyncio.get_running_loop().create_future()
    arrivals, stop = Arrivals(), asyncio.Event()
    scope = anyio.CancelScope()
    keeper = asyncio.create_task(_keep(target, arrivals, on_change, ready, stop, scope))
    keeper.add_done_callback(partial(_fail, ready))
    try:
        async with asyncio.timeout(seconds):
            client = await ready
    except TimeoutError:
        await _abandoned(keeper, scope)
        raise ToolConnectionError(
            None, target.label, f"it did not answer within {seconds:g} seconds"
        ) from None
    except BaseException:
        await _abandoned(keeper, scope)
        raise
    info = client.server_info
    return Session(info.name if info else target.label, seconds, client, arrivals, keeper, stop)


async def _keep(
    target: Target,
    arrivals: Arrivals,
    on_change: Callable[[], None],
    ready: asyncio.Future[Client],
    stop: asyncio.Event,
    scope: anyio.CancelScope,
) -> None:
    async def heed(message: object) -> None:
        if isinstance(message, mcp_types.ToolListChangedNotification):
            on_change()

    opened = Client(observed(target.transport(), arrivals), message_handler=heed, cache=None)
    try:
        with scope:
            async with opened as client:
                await _watched(client, on_change, ready, stop)
    except Exception as error:
        if not ready.done():
            raise unreachable(target.label, error) from None  # its words may hold headers and addresses
        logger.warning("the connection to server %r ended: %s", target.label, type(error).__name__)


async def _watched(
    client: Client, on_change: Callable[[], None], ready: asyncio.Future[Client], stop: asyncio.Event
) -> None:
    """Keep a connection that is open, hearing of changes, until told to stop."""
    heard = asyncio.Event()
    watcher = asyncio.create_task(_watch(client, on_change, heard))
    try:
        with suppress(TimeoutError):
            await asyncio.wait_for(heard.wait(), _WATCHED_WITHIN)
        ready.set_result(client)
        await stop.wait()
    finally:
        watcher.cancel()
        await asyncio.wait([watcher])


async def _watch(client: Client, on_change: Callable[[], None], heard: asyncio.Event) -> None:
    """Ask to be told of changes, where the protocol wants to be asked (2026-07-28 and later)."""
    tools = client.server_capabilities.tools
    try:
        if tools is not None and tools.list_changed:
            async with client.listen(tools_list_changed=True) as changes:
                heard.set()
                async for _ in changes:
                    on_change()
    except (ListenNotSupportedError, SubscriptionLost, MCPError, TimeoutError):
        logger.debug("the server does not announce changes of its tools")
    finally:
        heard.set()


def _fail(ready: asyncio.Future[Client], keeper: asyncio.Task[None]) -> None:
    """Hand on why a connection could not be opened."""
    error = None if keeper.cancelled() else keeper.exception()
    if error is not None and not ready.done():
        ready.set_exception(error)


async def _abandoned(keeper: asyncio.Task[None], scope: anyio.CancelScope) -> None:
    """Stop whoever opens a connection, but not where it already ends the server: that would live on."""
    scope.cancel()
    await _ended(keeper)


async def _ended(keeper: asyncio.Task[None]) -> None:
    with anyio.CancelScope(shield=True):
        await asyncio.wait([keeper])


def unreachable(server: str, error: BaseException) -> ToolConnectionError:
    """Say why a server cannot be reached, in words that hold no secrets."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if isinstance(error, ToolConnectionError):
        return error
    return ToolConnectionError(None, server, _reason(error))


def _reason(error: BaseException) -> str:
    if isinstance(error, MCPError) and error.message.startswith(_LOST):
        return "it ended before it answered"
    if isinstance(error, MCPError) and error.message.startswith(_UNREADABLE):
        return "it answered with something that is not MCP"
    if isinstance(error, MCPError):
        return f"it refused: {error.message} (code {error.code})"
    if isinstance(error, httpx2.HTTPError):
        return f"it could not be reached ({type(error).__name__})"
    if isinstance(error, OSError):
        return f"it could not be started: {error.strerror or type(error).__name__}"
    if isinstance(error, ValidationError):
        return "it answered with something that is not MCP"
    return f"it could not be used ({type(error).__name__})"
