"""Servers that break the protocol: each fault costs at most its own call, and at once."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.mcp.hostile_server import ANSWERS, DEADLY
from tool_core import InvalidToolResultError, ToolConnectionError
from tool_core.mcp import Remote, connect

SERVER = [sys.executable, str(Path(__file__).with_name("hostile_server.py"))]
NO_ANSWER = "the server's answer is not MCP"
RESULTS: dict[str, object] = {
    "with a stray byte": "fin\N{REPLACEMENT CHARACTER}",
    "a lone surrogate": "fin\N{REPLACEMENT CHARACTER}",
    "no result": NO_ANSWER,
    "nothing": NO_ANSWER,
    "a number in place of a result": NO_ANSWER,
    "result and error": "both (code 1)",
    "a long line": "x" * 2_000_000,
}


async def answered(remote: Remote, how: str) -> object:
    """Call, and let nobody wait for the timeout of the call."""
    async with asyncio.timeout(60):
        result: Any = (await remote.bound.call("answer", {"how": how})).result
    return result.description if isinstance(result, InvalidToolResultError) else result


def test_whatever_a_server_answers_the_next_call_works() -> None:
    async def run() -> None:
        async with connect(SERVER, timeout=600) as remote:
            session = remote.session
            for how in ANSWERS:
                assert await answered(remote, how) == RESULTS.get(how, "fine"), how
                assert await answered(remote, "fine") == "fine", how
            assert remote.session is session and not session.is_lost

    asyncio.run(run())


@pytest.mark.parametrize("how", DEADLY)
def test_a_server_that_dies_in_its_answer_is_opened_again(how: str) -> None:
    async def run() -> None:
        async with connect(SERVER, timeout=600) as remote:
            lost = await answered(remote, how)
            assert isinstance(lost, ToolConnectionError)
            assert lost.reason == "it closed the connection; `await remote.reconnect()` opens a new one"
            await remote.reconnect()
            assert await answered(remote, "fine") == "fine"

    asyncio.run(run())
