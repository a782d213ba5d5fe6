"""Cancellation at any moment, and long runs: every handler stops, nothing is left, nothing grows."""

from __future__ import annotations

import asyncio
import random
import time
import tracemalloc
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.endurance.traces import held, no_task_left, nothing_left
from tool_core import (
    Context,
    Fail,
    Final,
    HandlerContext,
    Key,
    Preliminary,
    Timeout,
    Tool,
    ToolError,
    Toolkit,
    secure_json_loads,
)
from tool_core.strict import OPENAI_STRICT, strictify

SECONDS = 3.0
"""How long the loops of this file run; each passes through thousands of calls."""

RATE = Key("rate", int)


def kit(running: set[int]) -> Any:
    """Bind tools that do everything a handler may do, and say while they do it."""

    async def slow(params: Any) -> object:
        running.add(mine := object().__hash__())
        try:
            await asyncio.sleep(params["s"])
            return params
        finally:
            running.discard(mine)

    async def steps(params: Any) -> AsyncIterator[Preliminary[object] | Final[object]]:
        running.add(mine := object().__hash__())
        try:
            for number in range(3):
                yield Preliminary(number)
                await asyncio.sleep(params["s"])
            yield Final("done")
        finally:
            running.discard(mine)

    async def talks(params: Any, ctx: HandlerContext[object]) -> object:
        for number in range(5):
            await ctx.preliminary(number)
            await asyncio.sleep(0)
        return Fail("no") if params["s"] > 0.001 else 1

    def blocks(params: Any) -> object:
        time.sleep(params["s"])
        return params

    async def raises(params: Any) -> object:
        raise RuntimeError(params)

    handlers: dict[str, Any] = {
        "Slow": slow,
        "Steps": steps,
        "Talks": talks,
        "Blocks": blocks,
        "Raises": raises,
    }
    tools = [
        Tool.make(name, parameters=object, success=object, failure=str, failure_mode="return")
        for name in handlers
    ]
    return Toolkit.make(*tools).bind(
        handlers, timeout=Timeout(0.05, idle=0.02), concurrency={"Slow": 4, "*": 16}
    )


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_turns_cancelled_at_any_moment_stop_every_handler(seed: int, caplog: Any) -> None:
    caplog.set_level("CRITICAL", logger="tool_core")
    chance, running = random.Random(seed), set[int]()
    bound = kit(running)
    names = list(bound.entries)

    async def consumed(name: str, params: Any) -> None:
        async for _ in bound.handle(name, params):
            pass

    async def storm() -> int:
        cancelled, end = 0, time.monotonic() + SECONDS
        while time.monotonic() < end:
            calls = [
                {"type": "tool-call", "id": str(n), "name": chance.choice(names), "params": {"s": chance.random() * 0.01}}
                for n in range(10)
            ]  # fmt: skip
            work = (
                bound.resolve(calls)
                if chance.random() < 0.6
                else consumed(chance.choice(names), {"s": 0.003})
            )
            task = asyncio.ensure_future(work)
            await asyncio.sleep(chance.random() * 0.008)
            task.cancel()
            try:
                await task
            except asyncio.CancelledError:
                cancelled += 1
            except ToolError:
                pass
        async with no_task_left():
            pass
        return cancelled

    with nothing_left():
        pool = bound.runner.pool()
        assert asyncio.run(storm()) > 20
        pool.shutdown()
    assert running == set()


def schema(number: int) -> Any:
    return {"type": "object", "properties": {f"p{number}": {"type": "string"}}}


def test_what_is_remembered_of_schemas_is_bounded() -> None:
    for number in range(4200):
        strictify(schema(number), OPENAI_STRICT)
    before = held()
    for number in range(4200, 4700):
        strictify(schema(number), OPENAI_STRICT)
    assert held() - before < 500


def test_a_long_run_does_not_grow() -> None:
    """An hour of calls in seconds: the second half of the run holds no more than the first."""
    tool = Tool.make(
        "X", parameters=object, success=object, failure_mode="return", needs_approval=lambda p, c: False
    )
    raw = Tool.dynamic("Raw", parameters={"type": "object", "properties": {"a": {"type": "string"}}})
    bound = Toolkit.make(tool, raw).bind({"X": lambda params: params, "Raw": lambda params: params})
    numbers = iter(range(10_000_000))

    async def turn() -> None:
        calls: Any = [
            {"type": "tool-call", "id": str(next(numbers)), "name": "X", "params": {"n": next(numbers)}}
            for _ in range(20)
        ]
        await bound.resolve(calls, context=Context().add(RATE, next(numbers)))
        await bound.call("Raw", {"a": str(next(numbers))})
        for text in (f'{{"n": {next(numbers)}}}', "{", '{"a": 1, "a": 2}'):
            await bound.call_json("X", text)
        strictify(schema(next(numbers) % 50), OPENAI_STRICT)
        secure_json_loads(f'{{"k{next(numbers)}": 1}}')

    async def turns(seconds: float) -> int:
        count, end = 0, time.monotonic() + seconds
        while time.monotonic() < end or count < 300:
            await turn()
            count += 1
        return count

    asyncio.run(turns(SECONDS))  # the caches fill
    before = held()
    tracemalloc.start()
    first, _ = tracemalloc.get_traced_memory()
    done = asyncio.run(turns(SECONDS))
    growth = held() - before
    memory = tracemalloc.get_traced_memory()[0] - first
    tracemalloc.stop()
    assert growth < done  # not even one object a turn of twenty-five calls
    assert memory < 4_000_000


def test_thousands_of_short_lived_toolkits_are_collected() -> None:
    def once() -> None:
        tool = Tool.make("X", parameters=dict[str, int], success=int)
        bound = Toolkit.make(tool).bind({"X": lambda params: len(params)})
        assert asyncio.run(bound.call("X", {"a": 1})).result == 1

    with nothing_left():
        for _ in range(30):
            once()
        before = held()
        for _ in range(60):
            once()
        assert held() - before < 600


def test_a_reader_that_leaves_early_stops_the_handler() -> None:
    running: set[int] = set()
    bound = kit(running)

    async def leave() -> None:
        async with no_task_left():
            for _ in range(50):
                results = bound.handle("Steps", {"s": 0.001})
                await anext(results)
                await results.aclose()

    with nothing_left():
        asyncio.run(leave())
    assert running == set()
