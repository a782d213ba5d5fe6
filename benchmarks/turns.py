"""Whole turns of many calls, and large toolkits: what the library adds to the sum of the calls."""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable
from typing import Any

from typing_extensions import TypedDict

from tool_core import Tool, Toolkit


class Add(TypedDict):
    a: int
    b: int


async def add(params: Add) -> int:
    return params["a"] + params["b"]


def measure() -> dict[str, float]:
    bound = Toolkit.make(Tool.make("Add", parameters=Add, success=int)).bind({"Add": add})
    loop = asyncio.new_event_loop()

    def turn(count: int) -> Callable[[], Awaitable[object]]:
        params = {"a": 1, "b": 2}
        calls: Any = [
            {"type": "tool-call", "id": str(n), "name": "Add", "params": params} for n in range(count)
        ]
        return lambda: bound.resolve(calls)

    async def one_by_one() -> None:
        for _ in range(10_000):
            await bound.call("Add", {"a": 1, "b": 2})

    def seconds(action: Callable[[], Awaitable[object]]) -> float:
        started = time.process_time()
        loop.run_until_complete(action())  # type: ignore[arg-type]
        return time.process_time() - started

    def ratio(first: Callable[[], Awaitable[object]], second: Callable[[], Awaitable[object]]) -> float:
        seconds(first), seconds(second)
        return statistics.median(seconds(first) / seconds(second) for _ in range(7))

    return {
        "resolve of 10,000 calls / the same calls one by one": ratio(turn(10_000), one_by_one),
        "resolve: cost a call, 10,000 calls / 1,000 calls": ratio(turn(10_000), turn(1_000)) / 10,
    }
