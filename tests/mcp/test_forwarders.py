"""Calls of a server from other threads and event loops than its own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from typing import Any

from tests.mcp.serving import children, until
from tests.mcp.test_clients import SERVER, with_remote
from tests.mcp.test_sessions import reason
from tool_core import Progress
from tool_core.mcp import Remote, connect


async def elsewhere(work: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
    """Await something in an event loop of another thread."""

    async def in_time() -> Any:
        async with asyncio.timeout(60):
            return await work()

    return await asyncio.to_thread(asyncio.run, in_time())


def test_a_connection_is_refreshed_opened_again_and_closed_from_elsewhere() -> None:
    async def action(remote: Remote) -> None:
        async def echoed() -> object:
            return (await remote.bound.call("echo", {})).result

        before = remote.bound
        assert await elsewhere(remote.refresh) is remote.bound is not before
        session = remote.session
        assert await elsewhere(remote.reconnect) is remote.bound
        assert remote.session is not session and len(children()) == 1
        assert await echoed() == await elsewhere(echoed) == '{"name": "echo"}'
        made = await asyncio.gather(remote.reconnect(), *(elsewhere(remote.reconnect) for _ in range(3)))
        assert remote.bound in made and len(children()) == 1
        await elsewhere(remote.close)
        await until(lambda: not children())
        assert reason(await echoed()).startswith("it closed the connection")

    with_remote(action)


def test_a_slow_reader_of_progress_elsewhere_holds_up_nobody() -> None:
    async def action(remote: Remote) -> None:
        async def read_slowly() -> list[object]:
            stream = remote.bound.handle("flood", {})
            first = (await anext(stream)).result
            between = (await remote.bound.call("echo", {})).result
            *_, last = [item.result async for item in stream]
            return [type(first), between, last]

        assert await elsewhere(read_slowly) == [Progress, '{"name": "echo"}', '{"name": "flood"}']

    with_remote(action)


def test_a_call_that_is_cancelled_elsewhere_is_cancelled_at_the_server() -> None:
    async def action(remote: Remote) -> None:
        async def give_up() -> None:
            task = asyncio.create_task(remote.bound.call("hang", {}))
            await remote.bound.call("echo", {})
            task.cancel()
            await asyncio.wait([task])
            assert task.cancelled()

        async def told() -> object:
            return (await remote.bound.call("cancelled", {})).result

        await elsewhere(give_up)
        async with asyncio.timeout(30):
            while await told() == "[]":
                await asyncio.sleep(0.01)

    with_remote(action)


def test_a_call_from_elsewhere_fails_when_the_connections_event_loop_ends() -> None:
    results: list[object] = []

    async def hung(remote: Remote) -> None:
        results.append((await remote.bound.call("hang", {})).result)

    async def run() -> threading.Thread:
        remote = await connect(SERVER).__aenter__()  # and nobody leaves
        thread = threading.Thread(target=lambda: asyncio.run(hung(remote)))
        thread.start()
        await until(lambda: len(asyncio.all_tasks()) > 3)
        await remote.bound.call("echo", {})
        return thread

    asyncio.run(run()).join(60)
    assert reason(results[0]).startswith(("its event loop has ended", "it closed the connection"))
