"""What the tools of MCP servers are to a type checker, and ours to a server; never executed."""

from __future__ import annotations

from typing import Literal, Never, assert_type

from tool_core import BoundToolkit, DynamicTool, Tool, Toolkit
from tool_core.mcp import (
    CONTENT,
    Content,
    Remote,
    connect,
    from_mcp_tool,
    merge,
    serve,
    serve_sync,
    to_mcp_tool,
)

imported = from_mcp_tool({"name": "search"}, prefix="web_", server="web")
assert_type(imported, DynamicTool[object, object, Content, Literal["return"], Never, str])
assert_type(to_mcp_tool(imported), dict[str, object])
to_mcp_tool({"name": "search"})  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]

chart = Tool.make("chart", success=CONTENT)
assert_type(chart.success_schema.decode("a text"), Content)
chart.implement(lambda params: [{"type": "image", "data": "", "mimeType": "image/png"}])
chart.implement(lambda params: 3)  # type: ignore[arg-type, return-value]  # pyright: ignore[reportArgumentType, reportCallIssue]


async def connected() -> None:
    async with connect("uvx mcp-server-time", env={"KEY": "secret"}, timeout=5, prefix="time_") as remote:
        assert_type(remote, Remote)
        assert_type(remote.bound, BoundToolkit)
        assert_type(remote.toolkit, Toolkit)
        assert_type(await remote.refresh(), BoundToolkit)
        merge(remote, remote.bound, concurrency=4)
    connect("uvx mcp-server-time", time_out=5)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    connect(3)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


async def served(bound: BoundToolkit) -> None:
    await serve(bound)
    await serve(bound, "http", port=0, token="secret")
    await serve(bound, "tcp")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    await serve(bound, "http", prot=0)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    serve_sync(Toolkit.make(chart))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
