"""Several toolkits as one: each keeps how many of its calls run at once."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import pytest

from tool_core import BoundToolkit, HandlerContext, Tool, ToolConfigurationError, Toolkit
from tool_core.mcp import merge


class Crowd:
    """Handlers that stay until as many are in as are expected."""

    def __init__(self, expected: int) -> None:
        self.expected = expected
        self.inside: Counter[str] = Counter()
        self.most: Counter[str] = Counter()
        self.complete = asyncio.Event()

    async def enter(self, params: object, ctx: HandlerContext[str]) -> str:
        self.inside[ctx.tool_name] += 1
        self.most |= self.inside
        if self.inside.total() == self.expected:
            self.complete.set()
        await self.complete.wait()
        for _ in range(100):  # time for others to come in, if they may
            await asyncio.sleep(0)
        self.inside[ctx.tool_name] -= 1
        return ctx.tool_name

    def kit(self, *names: str, **options: Any) -> BoundToolkit[Any]:
        kit = Toolkit.make(*(Tool.make(name, success=str) for name in names))
        return kit.bind(dict.fromkeys(names, self.enter), **options)


def crowded(expected: int, make: Any, *names: str) -> dict[str, int]:
    """Call each tool many times at once, and return how many of each ran at once."""

    async def run() -> dict[str, int]:
        crowd = Crowd(expected)
        bound = make(crowd)
        async with asyncio.timeout(30):
            results = await asyncio.gather(*(bound.call(name, {}) for name in names for _ in range(10)))
        assert [result.result for result in results] == [name for name in names for _ in range(10)]
        return dict(crowd.most)

    return asyncio.run(run())


def test_every_toolkit_keeps_its_own_limit() -> None:
    def both(crowd: Crowd) -> BoundToolkit[Any]:
        return merge(crowd.kit("one", concurrency=2), crowd.kit("two", concurrency=3))

    assert crowded(5, both, "one", "two") == {"one": 2, "two": 3}


def test_the_limit_of_a_toolkit_is_one_for_all_its_tools_and_survives_a_second_merge() -> None:
    def nested(crowd: Crowd) -> BoundToolkit[Any]:
        return merge(merge(crowd.kit("one", "two", concurrency=3)), crowd.kit("three", concurrency=1))

    most = crowded(4, nested, "one", "two", "three")
    assert most["three"] == 1 and most["one"] <= 3
    assert most["one"] + most.get("two", 0) >= 3


def test_a_limit_for_all_leaves_those_of_single_tools() -> None:
    def limited(crowd: Crowd) -> BoundToolkit[Any]:
        return merge(crowd.kit("one", concurrency={"one": 2}), concurrency=20)

    assert crowded(2, limited, "one") == {"one": 2}
    bound = merge(Crowd(1).kit("one", concurrency={"one": 2}), concurrency={"one": 4, "*": 7})
    assert (bound.entries["one"].concurrency, bound.concurrency) == (4, 7)


def test_a_tool_may_call_another_of_its_toolkit_through_the_merged_one() -> None:
    merged: list[BoundToolkit[Any]] = []

    async def outer(params: object) -> str:
        return str((await merged[0].call("inner", {})).result)

    async def inner(params: object) -> str:
        return "inner"

    kit = Toolkit.make(Tool.make("outer", success=str), Tool.make("inner", success=str))
    merged.append(merge(kit.bind({"outer": outer, "inner": inner}, concurrency=1)))

    async def run() -> object:
        async with asyncio.timeout(30):
            return (await merged[0].call("outer", {})).result

    assert asyncio.run(run()) == "inner"


def test_a_limit_that_is_none_is_refused() -> None:
    with pytest.raises(ToolConfigurationError, match="concurrency is a number of calls above 0, not 0"):
        merge(Crowd(1).kit("one"), concurrency=0)


def test_nothing_merged_is_an_empty_toolkit() -> None:
    assert list(merge().entries) == []
