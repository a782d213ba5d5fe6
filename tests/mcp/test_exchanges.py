"""One call each: whatever a handler does, it costs its own call and nothing else."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from tests.mcp.breaking import breaking, cases
from tests.mcp.serving import ROOT, WAYS, served
from tool_core import HandlerContext, Meta, Progress, Title, Tool, ToolConfigurationError, Toolkit
from tool_core.mcp import serve


@pytest.mark.parametrize("way", WAYS, ids="-".join)
def test_whatever_a_handler_does_the_next_call_works(way: tuple[str, str], caplog: Any) -> None:
    transport, mode = way

    async def survive(client: Client) -> None:
        heard: list[float] = []

        async def hear(progress: float, total: float | None, message: str | None) -> None:
            heard.append(progress)

        for name, arguments in cases():
            async with asyncio.timeout(30):
                broken = await client.call_tool(name, arguments, progress_callback=hear)
                fine = await client.call_tool("fine", {})
            assert broken.is_error or broken.content[0].text == "reported", (name, arguments)  # type: ignore[union-attr]  # pyright: ignore[reportAttributeAccessIssue]
            assert fine.content[0].text == "fine", (name, arguments)  # type: ignore[union-attr]  # pyright: ignore[reportAttributeAccessIssue]
        assert heard == []

    async def run() -> None:
        if transport == "stdio":
            program = StdioServerParameters(
                command=sys.executable, args=["-m", "tests.mcp.breaking"], cwd=ROOT
            )
            async with Client(program, mode=mode) as client:
                await survive(client)
        else:
            async with served(breaking()) as address, Client(address, mode=mode) as client:
                await survive(client)

    asyncio.run(run())


def test_progress_that_does_not_grow_is_left_out() -> None:
    async def count(params: object, ctx: HandlerContext[str]) -> str:
        for progress in (0, 0, -1, 0.5, 0.25, 2):
            await ctx.preliminary(Progress(progress))
        await ctx.preliminary("a text counts on")
        return "done"

    async def run() -> list[float]:
        heard: list[float] = []

        async def hear(progress: float, total: float | None, message: str | None) -> None:
            heard.append(progress)

        bound = Toolkit.make(Tool.make("count", success=str)).bind({"count": count})
        async with served(bound) as address, Client(address) as client:
            await client.call_tool("count", {}, progress_callback=hear)
        return heard

    assert asyncio.run(run()) == [0, 0.5, 2, 3]


@pytest.mark.parametrize(
    "tool",
    [
        Tool.make("odd", description="\ud800"),
        Tool.make("odd").annotate(Title, "\ud800"),
        Tool.make("odd").annotate(Meta, {"a": "\ud800"}),
    ],
)
def test_a_tool_that_no_client_could_read_is_refused_before_serving(tool: Tool) -> None:
    bound = Toolkit.make(tool).bind({"odd": lambda params: None})
    with pytest.raises(ToolConfigurationError) as caught:
        asyncio.run(serve(bound, "http", port=0))
    assert str(caught.value) == (
        "Invalid configuration for tool 'odd': its definition cannot be written as JSON"
    )
