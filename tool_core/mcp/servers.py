"""A bound toolkit as an MCP server. Edge."""

from __future__ import annotations

import asyncio
import math
import os
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Literal, Self

import mcp_types
from mcp.server import Server, ServerRequestContext
from typing_extensions import TypedDict, Unpack

from tool_core.bound_toolkits import BoundToolkit
from tool_core.errors import ToolConfigurationError
from tool_core.mcp.definitions import to_mcp_tool
from tool_core.mcp.exchanges import Exchanges
from tool_core.mcp.http_servers import Address, serve_http
from tool_core.mcp.stdio_servers import serve_stdio
from tool_core.tools import AnyTool

_FLUSH = 3.0
"""Seconds for the last answers to reach a client over stdio, after the calls have ended."""


class ServeOptions(TypedDict, total=False):
    """How a toolkit is served; all have defaults."""

    host: str
    """Where to listen: this machine only (`"127.0.0.1"`) by default."""
    port: int
    """8000 by default; 0 takes a free one, which `on_ready` learns."""
    path: str
    """`"/mcp"` by default."""
    token: str | None
    """The secret that clients send as `Authorization: Bearer ...`; needed beyond this machine."""
    allowed_hosts: Sequence[str]
    """Further values of the Host header, such as the name of a proxy: `"tools.example.com"`."""
    allowed_origins: Sequence[str]
    """Further origins of browser pages that may call: `"https://app.example.com"`."""
    session_idle: float
    """Seconds after which the session of a client that has gone is forgotten. 300 by default."""
    grace: float
    """Seconds that running calls have to finish when the server is told to stop. 5 by default."""
    name: str
    """What the server calls itself. `"tool-core"` by default."""
    version: str
    """The version that clients read."""
    instructions: str | None
    """How to use the tools, for the client's system prompt."""
    on_ready: Callable[[str], None] | None
    """Called with the address once the HTTP server listens."""


async def serve(
    bound: BoundToolkit[Any],
    transport: Literal["stdio", "http"] = "stdio",
    **options: Unpack[ServeOptions],
) -> None:
    """Offer a bound toolkit to MCP clients until the client leaves (stdio) or the task is cancelled.

    Calls run with the toolkit's limits and middleware. Approval is asked for through elicitation;
    a client that cannot ask is refused, with the reason. Failures are results with `isError` and
    hold nothing of a handler's insides.

    Gotchas:
        Over stdio a thread waits for the client's next line. It is left behind when the task is
        cancelled, and takes that line with it.

    >>> from tool_core import Tool, Toolkit
    >>> from tool_core.mcp import connect
    >>> bound = Toolkit.make(Tool.make("now", success=int)).bind({"now": lambda params: 12})
    >>> async def main():
    ...     ready = asyncio.get_running_loop().create_future()
    ...     serving = asyncio.create_task(serve(bound, "http", port=0, on_ready=ready.set_result))
    ...     async with connect(await ready) as remote:
    ...         print((await remote.bound.call("now", {})).result)
    ...     serving.cancel()
    >>> asyncio.run(main())
    12
    """
    await _serve(bound, transport, options, on_stop=lambda: None)


async def _serve(
    bound: BoundToolkit[Any], transport: str, options: ServeOptions, on_stop: Callable[[], None]
) -> None:
    _check(bound, transport, options)
    exchanges = Exchanges(bound, asyncio.Semaphore(bound.concurrency))
    server, grace = _server(bound, exchanges, options), options.get("grace", 5.0)
    if transport == "stdio":
        await serve_stdio(server, drain=lambda: exchanges.drain(grace), on_stop=on_stop)
        return
    await serve_http(
        server,
        _address(options),
        session_idle=options.get("session_idle", 300.0),
        drain=lambda: exchanges.drain(grace),
        on_ready=options.get("on_ready"),
    )


def serve_sync(
    bound: BoundToolkit[Any],
    transport: Literal["stdio", "http"] = "stdio",
    **options: Unpack[ServeOptions],
) -> None:
    """Serve from a script: returns when the client has left, or on SIGINT or SIGTERM.

    Gotchas:
        It owns the process: a handler that still runs in a thread after the grace period, or a
        client that does not read what it is sent, does not keep the process alive.

    >>> serve_sync("no toolkit")
    Traceback (most recent call last):
        ...
    tool_core.errors.ToolConfigurationError: Invalid configuration: serve takes a bound toolkit, not str
    """
    grace = options.get("grace", 5.0)
    with _Deadline() as deadline:
        asyncio.run(_until_told(bound, transport, options, partial(deadline.set, _FLUSH)))
        bound.runner.close()
        deadline.set(grace)
        for thread in threading.enumerate():
            if thread.name.startswith("tool_core"):
                thread.join()


async def _until_told(
    bound: BoundToolkit[Any], transport: str, options: ServeOptions, on_stop: Callable[[], None]
) -> None:
    serving = asyncio.ensure_future(_serve(bound, transport, options, on_stop))
    for number in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError, RuntimeError, ValueError):
            asyncio.get_running_loop().add_signal_handler(number, serving.cancel)
    with suppress(asyncio.CancelledError):
        await serving


class _Deadline:
    """Ends the process where a thread that cannot be stopped would keep it."""

    def __init__(self) -> None:
        self._timer: threading.Timer | None = None

    def set(self, seconds: float) -> None:
        """End the process so many seconds from now, unless this block has ended by then."""
        self.lift()
        self._timer = threading.Timer(seconds, _leave)
        self._timer.daemon = True
        self._timer.start()

    def lift(self) -> None:
        """Let the process live."""
        if self._timer is not None:
            self._timer.cancel()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.lift()


def _leave() -> None:
    sys.stderr.flush()
    os._exit(0)


def _server(bound: BoundToolkit[Any], exchanges: Exchanges, options: ServeOptions) -> Server[Any]:
    tools = [_listed(entry.tool) for entry in bound.entries.values()]
    schemas = {tool.name: tool.input_schema for tool in tools}

    async def list_tools(
        ctx: ServerRequestContext[Any, Any],  # noqa: ARG001
        params: mcp_types.PaginatedRequestParams | None,  # noqa: ARG001
    ) -> mcp_types.ListToolsResult:
        return mcp_types.ListToolsResult(tools=tools)

    return Server(
        options.get("name", "tool-core"),
        version=options.get("version", ""),
        instructions=options.get("instructions"),
        on_list_tools=list_tools,
        on_call_tool=exchanges.call,
        get_tool_input_schema=schemas.get,
    )


def _listed(tool: AnyTool) -> mcp_types.Tool:
    """Describe a tool, but for how another server runs it: here it runs as every tool does.

    Clients of the older revisions refuse the whole list for results that are announced as no object.
    """
    said: dict[str, Any] = to_mcp_tool(tool)
    is_object = said.get("outputSchema", {}).get("type") == "object"
    left_out = {"execution"} if is_object else {"execution", "outputSchema"}
    entry = {key: value for key, value in said.items() if key not in left_out}
    try:
        listed = mcp_types.Tool.model_validate(entry)
        listed.model_dump_json()
    except ValueError:
        raise ToolConfigurationError(tool.name, "its definition cannot be written as JSON") from None
    return listed


def _address(options: ServeOptions) -> Address:
    return Address(
        options.get("host", "127.0.0.1"),
        options.get("port", 8000),
        options.get("path", "/mcp"),
        options.get("token"),
        _several(options, "allowed_hosts"),
        _several(options, "allowed_origins"),
    )


def _several(options: ServeOptions, name: str) -> tuple[str, ...]:
    given = options.get(name, ())
    if isinstance(given, str) or not isinstance(given, Sequence):
        raise ToolConfigurationError(None, f"{name} is a list of texts, not {type(given).__name__}")
    return tuple(given)


def _check(bound: object, transport: object, options: ServeOptions) -> None:
    if not isinstance(bound, BoundToolkit):
        raise ToolConfigurationError(None, f"serve takes a bound toolkit, not {type(bound).__name__}")
    if transport not in ("stdio", "http"):
        raise ToolConfigurationError(None, f"transport is 'stdio' or 'http', not {transport!r}")
    if unknown := sorted(set(options) - set(ServeOptions.__annotations__)):
        raise ToolConfigurationError(None, f"serve has no option {unknown[0]!r}")
    for name in ("grace", "session_idle"):
        seconds = options.get(name, 1)
        if not isinstance(seconds, int | float) or not 0 <= seconds < math.inf:
            raise ToolConfigurationError(None, f"{name} is a number of seconds, not {seconds!r}")
