"""A server's tools as a bound toolkit whose handlers call the server. Edge."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, TextIO, TypeVar

import anyio
from typing_extensions import Unpack

from tool_core.binding import BindOptions
from tool_core.bound_toolkits import BoundToolkit
from tool_core.errors import ToolConfigurationError, ToolConnectionError
from tool_core.limits import Timeout
from tool_core.mcp.arrivals import name_of
from tool_core.mcp.definitions import from_mcp_tool
from tool_core.mcp.expectations import check_expected
from tool_core.mcp.forwarders import Forwarder, awaited_in
from tool_core.mcp.imports import import_tools
from tool_core.mcp.sessions import Session, logger, open_session
from tool_core.mcp.targets import Target, target_of
from tool_core.toolkits import Toolkit

_ENDED = "its `async with` block has ended"
_NO_LOOP = "its event loop has ended"

T = TypeVar("T")

DEFAULT_TIMEOUT = Timeout(300, idle=60)
"""A minute without a sign of life, or five minutes in all, and a call has failed."""


@dataclass(slots=True, eq=False)
class Remote:
    """A connected server: `bound` is its tools, ready to be called.

    Everything here may be used from any thread and event loop.

    `bound` never changes under a running turn. When the server announces other tools, `changed`
    becomes True, and `await remote.refresh()` makes the new toolkit. A lost server is opened again
    by `await remote.reconnect()`; toolkits made before go on working. `refused` says which tools
    were left out, and why.

    >>> Remote(target_of("uvx mcp-server-time")).bound
    Traceback (most recent call last):
        ...
    tool_core.errors.ToolConnectionError: Server 'uvx': it is not connected
    """

    target: Target
    prefix: str | None = None
    connect_timeout: float = 60.0
    options: BindOptions = field(default_factory=lambda: BindOptions(), repr=False)
    expect: object = None
    changed: bool = False
    refused: Mapping[str, str] = field(default_factory=dict)
    _announced: int = field(default=0, repr=False)
    _checking: asyncio.Lock = field(default_factory=asyncio.Lock, repr=False)
    _opening: asyncio.Lock = field(default_factory=asyncio.Lock, repr=False)
    _attempt: anyio.CancelScope | None = field(default=None, repr=False)
    _has_ended: bool = field(default=False, repr=False)
    _home: asyncio.AbstractEventLoop | None = field(default=None, repr=False)
    _session: Session | None = field(default=None, repr=False)
    _bound: BoundToolkit | None = field(default=None, repr=False)

    @property
    def server(self) -> str:
        """What the server calls itself."""
        return self.session.server

    @property
    def instructions(self) -> str | None:
        """What the server says about how to use its tools, for the system prompt."""
        return self.session.client.instructions

    @property
    def session(self) -> Session:
        """The present connection."""
        if self._session is None:
            raise ToolConnectionError(None, self.target.label, "it is not connected")
        return self._session

    @property
    def bound(self) -> BoundToolkit:
        """The tools of the server, ready to be called."""
        if self._bound is None:
            raise ToolConnectionError(None, self.target.label, "it is not connected")
        return self._bound

    @property
    def toolkit(self) -> Toolkit:
        """The tools of the server."""
        return self.bound.toolkit

    @property
    def handlers(self) -> Mapping[str, Callable[..., object]]:
        """The handlers by tool name, to bind to tools that you have typed or changed yourself."""
        return {name: entry.handler for name, entry in self.bound.entries.items()}

    async def refresh(self) -> BoundToolkit:
        """Ask the server for its tools again, and make a new toolkit of them."""
        return await self.at_home(self._refreshed)

    async def reconnect(self) -> BoundToolkit:
        """Open a new connection in place of the present one, which may be lost.

        Whoever asks while another does gets the connection that the other opens.
        """
        known = self._session
        if self._home is None or self._home.is_closed():
            self._home = asyncio.get_running_loop()
        return await self.at_home(lambda: self._reconnected(known))

    async def close(self) -> None:
        """End the connection; calls that still run fail."""
        if self._home is not None and self._home.is_running():
            await self.at_home(self._closed)

    async def end(self) -> None:
        """End the connection for good, and whatever tries to open another."""
        self._has_ended = True
        if self._attempt is not None:
            self._attempt.cancel()
        await self.close()

    async def at_home(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Await something where the connection lives, which need not be the event loop that asks."""
        home = self._home
        if home is None:
            raise ToolConnectionError(None, self.target.label, "it is not connected")
        if not home.is_running():
            raise ToolConnectionError(None, self.target.label, _NO_LOOP)
        try:
            return await awaited_in(home, work)
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if home is asyncio.get_running_loop() or task is None or task.cancelling():
                raise
            raise ToolConnectionError(None, self.target.label, _NO_LOOP) from None

    async def _reconnected(self, known: Session | None) -> BoundToolkit:
        async with self._opening:
            if self._session is not known and not self.session.is_lost:
                return self.bound
            with anyio.CancelScope() as self._attempt:
                if not self._has_ended:
                    return await self._opened()
        raise ToolConnectionError(None, self.target.label, _ENDED)

    async def _opened(self) -> BoundToolkit:
        await self._end_session()
        self._session = await open_session(self.target, self.connect_timeout, self._note_change)
        try:
            return await self._refreshed()
        except BaseException:
            await self._end_session()
            raise

    async def _closed(self) -> None:
        async with self._opening:
            await self._end_session()

    async def _end_session(self) -> None:
        if self._session is not None:
            await self._session.close()

    async def _refreshed(self) -> BoundToolkit:
        announced = self._announced
        definitions = await self.session.list_tools()
        found = import_tools(definitions, prefix=self.prefix, server=self.server)
        for error in found.refused.values():
            logger.warning("a tool is left out: %s", error)
        self.refused = {name: error.description for name, error in found.refused.items()}
        self._check([definition for definition, _ in found.tools.values()])
        handlers = {
            name: Forwarder(self, str(name_of(sent)), tool) for name, (sent, tool) in found.tools.items()
        }
        kit = Toolkit.make(*(tool for _, tool in found.tools.values()))
        self._bound = kit.bind(handlers, **self.options)
        self.changed = self._announced != announced
        return self._bound

    async def check_again(self) -> None:
        """Where certain tools are expected and others were announced: see whether it is true."""
        if self.expect is None or not self.changed:
            return
        async with self._checking:
            if self.changed:
                announced = self._announced
                found = import_tools(await self.session.list_tools(), server=self.server)
                self._check([definition for definition, _ in found.tools.values()])
                self.changed = self._announced != announced

    def _check(self, definitions: Sequence[object]) -> None:
        """Refuse tools that are not the expected ones; toolkits made before are then refused too."""
        if self.expect is None:
            return
        try:
            check_expected(self.server, self.expect, [from_mcp_tool(item) for item in definitions])
        except ToolConfigurationError:
            self.changed = True
            raise

    def _note_change(self) -> None:
        self._announced += 1
        self.changed = True


@asynccontextmanager
async def connect(
    server: str | Sequence[str],
    *,
    env: Mapping[str, str] | None = None,
    headers: Mapping[str, str] | None = None,
    cwd: str | None = None,
    stderr: TextIO | None = None,
    prefix: str | None = None,
    expect: object = None,
    connect_timeout: float = 60.0,
    **options: Unpack[BindOptions],
) -> AsyncIterator[Remote]:
    """Connect to a server: a command to start, or the address of one that runs.

    `env` is for a command (it inherits only what is harmless, such as PATH), `headers` are for an
    address. `expect` is what the server's tools must be: a fingerprint, a locked module, a toolkit
    or a saved `tools/list`; a server that differs is refused. The other options are those of
    `Toolkit.bind`; the time limit of calls is `Timeout(300, idle=60)` unless given.

    Gotchas:
        What a server says of itself is a stranger's word. Decide yourself which tools need
        approval: `remote.handlers` can be bound to tools that you have changed.

    >>> import asyncio, sys
    >>> script = '''
    ... from tool_core import Tool, Toolkit
    ... from tool_core.mcp import serve_sync
    ... serve_sync(Toolkit.make(Tool.make("now", success=int)).bind({"now": lambda params: 12}))
    ... '''
    >>> async def main():
    ...     async with connect([sys.executable, "-c", script], prefix="clock_") as remote:
    ...         print(remote.bound, (await remote.bound.call("clock_now", {})).result)
    >>> asyncio.run(main())
    BoundToolkit(clock_now) 12
    """
    target = target_of(server, env=env, headers=headers, cwd=cwd, stderr=stderr)
    limits: BindOptions = {"timeout": DEFAULT_TIMEOUT, **options}
    remote = Remote(target, prefix, connect_timeout, limits, expect)
    try:
        await remote.reconnect()
        yield remote
    finally:
        await remote.end()
