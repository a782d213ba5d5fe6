"""A server's tools as a bound toolkit whose handlers call the server. Edge."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, TextIO

import mcp_types
from mcp import MCPError
from typing_extensions import Unpack

from tool_core.binding import BindOptions
from tool_core.bound_toolkits import BoundToolkit
from tool_core.errors import InvalidToolResultError, ToolConfigurationError, ToolConnectionError
from tool_core.implementations import HandlerContext
from tool_core.limits import Timeout
from tool_core.mcp.contents import CONTENT, content_of
from tool_core.mcp.definitions import from_mcp_tool
from tool_core.mcp.expectations import check_expected
from tool_core.mcp.imports import import_tools
from tool_core.mcp.listings import name_of
from tool_core.mcp.sessions import Session, logger, open_session
from tool_core.mcp.targets import Target, target_of
from tool_core.outcomes import Fail, Progress
from tool_core.toolkits import Toolkit
from tool_core.tools import AnyTool

_OTHERS = "its tools are no longer the expected ones; `await remote.refresh()` says what differs"

DEFAULT_TIMEOUT = Timeout(300, idle=60)
"""A minute without a sign of life, or five minutes in all, and a call has failed."""


@dataclass(slots=True, eq=False)
class Remote:
    """A connected server: `bound` is its tools, ready to be called, from any thread.

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
    _has_ended: bool = field(default=False, repr=False)
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
        announced = self._announced
        definitions = await self.session.list_tools()
        found = import_tools(definitions, prefix=self.prefix, server=self.server)
        for error in found.refused.values():
            logger.warning("a tool is left out: %s", error)
        self.refused = {name: error.description for name, error in found.refused.items()}
        self._check([definition for definition, _ in found.tools.values()])
        handlers = {
            name: _Handler(self, str(name_of(sent)), tool) for name, (sent, tool) in found.tools.items()
        }
        kit = Toolkit.make(*(tool for _, tool in found.tools.values()))
        self._bound = kit.bind(handlers, **self.options)
        self.changed = self._announced != announced
        return self._bound

    async def reconnect(self) -> BoundToolkit:
        """Open a new connection in place of the present one, which may be lost.

        Whoever asks while another does gets the connection that the other opens.
        """
        known = self._session
        async with self._opening:
            if self._has_ended:
                raise ToolConnectionError(None, self.target.label, "its `async with` block has ended")
            if self._session is not known and not self.session.is_lost:
                return self.bound
            await self._close()
            self._session = await open_session(self.target, self.connect_timeout, self._note_change)
            try:
                return await self.refresh()
            except BaseException:
                await self._close()
                raise

    async def close(self) -> None:
        """End the connection; calls that still run fail."""
        async with self._opening:
            await self._close()

    async def end(self) -> None:
        """End the connection for good."""
        self._has_ended = True
        await self.close()

    async def _close(self) -> None:
        if self._session is not None:
            await self._session.close()

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


@dataclass(frozen=True, slots=True)
class _Handler:
    """Calls one tool of a server; looks up the connection anew, so it survives a reconnect."""

    remote: Remote
    name: str
    tool: AnyTool

    async def __call__(self, params: Any, ctx: HandlerContext[Any, Any]) -> object:
        """Call where the connection lives, which need not be the event loop that asks."""
        loop = self.remote.session.loop
        if loop is asyncio.get_running_loop():
            return await self._called(params, ctx)
        if not loop.is_running():
            raise ToolConnectionError(ctx.tool_name, self.remote.server, "its event loop has ended")
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(self._called(params, ctx), loop))

    async def _called(self, params: Any, ctx: HandlerContext[Any, Any]) -> object:
        is_running = True

        async def report(progress: float, total: float | None, message: str | None) -> None:
            if is_running and math.isfinite(progress) and (total is None or math.isfinite(total)):
                await ctx.preliminary(Progress(progress, total, message))

        try:
            await self.remote.check_again()
            answer = await self.remote.session.call(self.name, params or {}, report)
        except ToolConfigurationError as error:
            raise ToolConnectionError(ctx.tool_name, self.remote.server, _OTHERS) from error
        except MCPError as error:
            return Fail(f"{error.message} (code {error.code})")
        except ToolConnectionError as error:
            raise error.for_tool(ctx.tool_name) from error.__cause__
        except (ValueError, RuntimeError) as error:  # pydantic's mismatch is a ValueError
            raise InvalidToolResultError(ctx.tool_name, "the server's answer is not MCP") from error
        finally:
            is_running = False
        return _value_of(answer, self.tool, ctx.tool_name)


def _value_of(answer: mcp_types.CallToolResult, tool: AnyTool, name: str) -> object:
    blocks = [block.model_dump(by_alias=True, exclude_none=True, mode="json") for block in answer.content]
    structured = answer.structured_content
    if answer.is_error:
        return Fail(content_of(blocks) if blocks or structured is None else json.dumps(structured))
    if tool.success_schema == CONTENT:
        return content_of(blocks) if blocks or structured is None else json.dumps(structured)
    if "structured_content" not in answer.model_fields_set:
        raise InvalidToolResultError(
            name, "the tool has an output schema, but the server sent no structured content"
        )
    return structured
