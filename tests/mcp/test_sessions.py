"""Connections that are lost, opened again, given up: nothing is left of them."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from tests.mcp.serving import children, until
from tests.mcp.test_clients import SERVER, with_remote
from tool_core import ToolConnectionError
from tool_core.mcp import Remote, connect

STUBBORN = """
import json, signal, sys
signal.signal(signal.SIGTERM, signal.SIG_IGN)
for line in sys.stdin:
    number = json.loads(line).get("id")
    print(json.dumps({"jsonrpc": "2.0", "id": number, "error": {"code": -32000, "message": "no"}}), flush=True)
while True:
    signal.pause()
"""


def reason(error: object) -> str:
    assert isinstance(error, ToolConnectionError), error
    return error.reason


def test_whoever_reconnects_while_another_does_gets_the_same_connection() -> None:
    async def action(remote: Remote) -> None:
        before, count = remote.session, len(children())
        made = await asyncio.gather(*(remote.reconnect() for _ in range(8)))
        assert len(children()) == count
        assert remote.session is not before and all(bound is remote.bound for bound in made)
        assert (await remote.bound.call("echo", {})).result == '{"name": "echo"}'

    with_remote(action)
    assert children() == []


def test_a_lost_server_that_many_miss_is_started_once() -> None:
    async def action(remote: Remote) -> None:
        await remote.bound.call("die", {})
        await asyncio.gather(*(remote.reconnect() for _ in range(8)))
        assert len(children()) == 1

    with_remote(action)


def test_a_connection_whose_block_has_ended_is_not_opened_again() -> None:
    async def run() -> None:
        async with connect(SERVER) as remote:
            pass
        for _ in range(2):
            with pytest.raises(ToolConnectionError) as caught:
                await remote.reconnect()
            assert caught.value.reason == "its `async with` block has ended"
        assert isinstance((await remote.bound.call("echo", {})).result, ToolConnectionError)
        await remote.close()
        await until(lambda: not children())

    asyncio.run(run())


def test_reconnecting_fails_the_calls_that_run_and_serves_those_that_follow() -> None:
    async def action(remote: Remote) -> None:
        bound = remote.bound
        pending = [asyncio.create_task(bound.call("hang", {})) for _ in range(5)]
        await bound.call("echo", {})
        again = asyncio.create_task(remote.reconnect())
        for task in pending:
            assert reason((await task).result).startswith("it closed the connection")
        assert await again is remote.bound
        assert (await bound.call("echo", {})).result == '{"name": "echo"}'

    with_remote(action)


def moody(action: Callable[[Remote, Path], Awaitable[None]], flag: Path) -> None:
    """Connect to a server that, once the flag is there, says nothing when it is started."""

    async def run() -> None:
        async with asyncio.timeout(90):
            async with connect([*SERVER, "moody", str(flag)]) as remote:
                await action(remote, flag)
        await until(lambda: not children())
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(run())


def test_reconnecting_can_be_cancelled_and_tried_again(tmp_path: Path) -> None:
    async def action(remote: Remote, flag: Path) -> None:
        flag.touch()
        others = [asyncio.create_task(remote.reconnect()) for _ in range(3)]
        first = others.pop(0)
        await remote.session.keeper
        await until(lambda: len(children()) == 1)
        for task in (first, *others):
            task.cancel()
        assert {type(error) for error in await asyncio.gather(first, *others, return_exceptions=True)} == {
            asyncio.CancelledError
        }
        await until(lambda: not children())
        flag.unlink()
        await remote.reconnect()
        assert (await remote.bound.call("echo", {})).result == '{"name": "echo"}'

    moody(action, tmp_path / "flag")


def test_a_block_that_ends_stops_whoever_reconnects_in_it(tmp_path: Path) -> None:
    pending: list[asyncio.Task[Any]] = []

    async def action(remote: Remote, flag: Path) -> None:
        flag.touch()
        lost = remote.session.keeper
        pending.extend(asyncio.create_task(remote.reconnect()) for _ in range(2))
        await lost
        await until(lambda: len(children()) == 1)

    async def run() -> None:
        async with asyncio.timeout(30):  # and not the minute that connecting may take
            async with connect([*SERVER, "moody", str(tmp_path / "flag")]) as remote:
                await action(remote, tmp_path / "flag")
            ended = await asyncio.gather(*pending, return_exceptions=True)
        assert [reason(error) for error in ended] == ["its `async with` block has ended"] * 2
        await until(lambda: not children())

    asyncio.run(run())


def test_a_block_in_a_task_that_is_cancelled_leaves_no_server() -> None:
    async def run() -> None:
        opened = asyncio.Event()

        async def use() -> None:
            async with connect(SERVER) as remote:
                opened.set()
                await remote.bound.call("hang", {})

        for _ in range(2):
            task = asyncio.create_task(use())
            await opened.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            await until(lambda: not children())
        begun = asyncio.create_task(use())
        await until(lambda: len(children()) == 1)
        begun.cancel()
        with pytest.raises(asyncio.CancelledError):
            await begun
        await until(lambda: not children())
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(run())


def test_a_server_that_will_not_end_is_ended_though_nobody_waits_so_long() -> None:
    async def run() -> str:
        with pytest.raises(ToolConnectionError) as caught:
            async with connect([sys.executable, "-c", STUBBORN], connect_timeout=1):
                pass
        await until(lambda: not children())
        return caught.value.reason

    assert asyncio.run(run()) == "it did not answer within 1 seconds"
