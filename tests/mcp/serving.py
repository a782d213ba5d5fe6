"""Serving `offered` to clients, over either transport and in either era of the protocol."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from tests.mcp.offered import offered
from tool_core import BoundToolkit
from tool_core.mcp import serve

ROOT = str(Path(__file__).parents[2])
WAYS = [(transport, mode) for transport in ("stdio", "http") for mode in ("legacy", "auto")]


@asynccontextmanager
async def served(bound: BoundToolkit[Any] | None = None, **options: Any) -> AsyncIterator[str]:
    """Serve over HTTP in this process, and end it as an application would."""
    ready: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    settings = {"port": 0, "grace": 1, **options}
    task = asyncio.create_task(serve(bound or offered(), "http", on_ready=ready.set_result, **settings))
    task.add_done_callback(lambda ended: ready.done() or ready.cancel(str(ended)))
    try:
        yield await ready
    finally:
        task.cancel()
        await asyncio.wait([task])


def in_process_of_its_own() -> StdioServerParameters:
    return StdioServerParameters(command=sys.executable, args=["-m", "tests.mcp.offered"], cwd=ROOT)


@asynccontextmanager
async def official(way: tuple[str, str], **options: Any) -> AsyncIterator[Client]:
    """Open the official client on a served toolkit."""
    transport, mode = way
    if transport == "stdio":
        async with Client(in_process_of_its_own(), mode=mode, **options) as client:
            yield client
    else:
        async with served() as address, Client(address, mode=mode, **options) as client:
            yield client


async def until(condition: Any) -> None:
    async with asyncio.timeout(30):
        while not condition():
            await asyncio.sleep(0.01)


def children() -> list[str]:
    """List the processes that this one has started and that live."""
    tasks = Path(f"/proc/{os.getpid()}/task")
    if not (tasks / str(os.getpid()) / "children").exists():
        pytest.skip("this system does not list the children of a process")
    return [child for task in tasks.iterdir() for child in (task / "children").read_text().split()]
