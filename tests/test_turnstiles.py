"""Limits of calls at once: kept, waited for, and never a deadlock."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import Any, cast

from tool_core import BoundToolkit, HandlerResult, Tool, Toolkit
from tool_core.mcp import merge
from tool_core.middleware import Call, Next
from tool_core.turnstiles import Turnstile

NUMBER = Tool.make("T", parameters=int, success=int)
OTHER = Tool.make("Other", parameters=int, success=int)
LAST = Tool.make("Last", parameters=int, success=int)


def within(seconds: float, work: Any) -> Any:
    async def run() -> Any:
        async with asyncio.timeout(seconds):
            return await work()

    return asyncio.run(run())


def calls(count: int) -> list[Any]:
    return [{"type": "tool-call", "id": str(n), "name": "T", "params": n} for n in range(count)]


def test_no_more_are_in_than_the_limit_and_each_gets_in() -> None:
    turnstile, inside, most = Turnstile(3), 0, 0

    async def enter() -> None:
        nonlocal inside, most
        async with turnstile.entered():
            inside += 1
            most = max(most, inside)
            await asyncio.sleep(0)
            inside -= 1

    async def work() -> None:
        await asyncio.gather(*(enter() for _ in range(20)))

    within(10, work)
    assert (most, inside) == (3, 0)


def test_a_tool_with_a_limit_of_one_may_call_itself() -> None:
    async def count_down(params: int) -> int:
        return 0 if params == 0 else 1 + cast(int, (await bound.call("T", params - 1)).result)

    bound: BoundToolkit[Any] = Toolkit.make(NUMBER).bind({"T": count_down}, concurrency={"T": 1})
    assert within(10, lambda: bound.call("T", 5)).result == 5


def test_calls_that_a_handler_makes_at_once_keep_to_the_limit_too() -> None:
    inside, most = 0, 0

    async def fan_out(params: int) -> int:
        nonlocal inside, most
        if params:
            return len(await asyncio.gather(*(bound.call("T", 0) for _ in range(params))))
        inside += 1
        most = max(most, inside)
        await asyncio.sleep(0)
        inside -= 1
        return 0

    bound: BoundToolkit[Any] = Toolkit.make(NUMBER).bind({"T": fan_out}, concurrency={"T": 2})
    assert within(10, lambda: bound.call("T", 20)).result == 20
    assert 1 <= most <= 2


def test_tools_that_call_each_other_do_not_wait_for_each_others_end() -> None:
    async def on(params: int, other: str) -> int:
        if params == 0:
            return 1
        results = await asyncio.gather(bound.call(other, params - 1), bound.call("T", params - 1))
        return sum(cast(int, item.result) for item in results)

    bound: BoundToolkit[Any] = Toolkit.make(NUMBER, OTHER).bind(
        {"T": lambda params: on(params, "Other"), "Other": lambda params: on(params, "T")},
        concurrency={"T": 1, "Other": 1},
    )

    async def several() -> list[HandlerResult[object]]:
        names = ["T", "Other"] * 5
        return await asyncio.gather(*(bound.call(name, 4) for name in names))

    assert [item.result for item in within(20, several)] == [16] * 10


def test_what_a_tool_calls_keeps_its_own_limit_however_many_call_it() -> None:
    inside, most = 0, 0

    async def fan_out(params: int) -> int:
        return len(await asyncio.gather(*(bound.call("Other", 0) for _ in range(params))))

    async def guarded(params: int) -> int:
        nonlocal inside, most
        inside += 1
        most = max(most, inside)
        await asyncio.sleep(0)
        inside -= 1
        return params

    bound: BoundToolkit[Any] = Toolkit.make(NUMBER, OTHER).bind(
        {"T": fan_out, "Other": guarded}, concurrency={"T": 4, "Other": 2}
    )

    async def several() -> list[HandlerResult[object]]:
        return await asyncio.gather(*(bound.call("T", 20) for _ in range(8)))

    assert [item.result for item in within(20, several)] == [20] * 8
    assert most == 2


def test_a_limit_holds_at_the_end_of_a_chain_that_is_no_circle() -> None:
    inside, most = 0, 0

    async def guarded(params: int) -> int:
        nonlocal inside, most
        inside += 1
        most = max(most, inside)
        await asyncio.sleep(0.001)
        inside -= 1
        return params

    async def call_next(name: str, params: int) -> int:
        return cast(int, (await bound.call(name, params)).result)

    bound: BoundToolkit[Any] = Toolkit.make(NUMBER, OTHER, LAST).bind(
        {
            "T": lambda params: call_next("Other", params),
            "Other": lambda params: call_next("Last", params),
            "Last": guarded,
        },
        concurrency={"T": 8, "Other": 4, "Last": 1},
    )

    async def several() -> list[HandlerResult[object]]:
        return await asyncio.gather(*(bound.call("T", n) for n in range(24)))

    assert [item.result for item in within(20, several)] == list(range(24))
    assert most == 1


def test_a_call_that_comes_back_through_another_loop_finds_its_place() -> None:
    async def through(call: Call, next_: Next) -> HandlerResult[object]:
        return await next_(call)

    def onward(params: int) -> int:
        if params == 2:  # in a loop of this thread's own
            return cast(int, bound.call_sync("T", 1).result)
        if params == 1:
            return cast(int, asyncio.run_coroutine_threadsafe(bound.call("T", 0), loop).result(10).result)
        return 7

    bound: BoundToolkit[Any] = Toolkit.make(NUMBER).bind({"T": onward}, concurrency={"T": 1}, wrap=through)
    loop: asyncio.AbstractEventLoop

    async def work() -> HandlerResult[object]:
        nonlocal loop
        loop = asyncio.get_running_loop()
        return await bound.call("T", 2)

    assert within(20, work).result == 7


def test_a_task_that_outlives_its_call_is_counted_until_it_ends() -> None:
    turnstile, inside, most = Turnstile(2), 0, 0
    left: list[asyncio.Task[None]] = []

    async def work() -> None:
        nonlocal inside, most
        async with turnstile.entered():
            inside += 1
            most = max(most, inside)
            await asyncio.sleep(0.001)
            inside -= 1

    async def spawn() -> None:
        async with turnstile.entered():
            left.extend(asyncio.ensure_future(work()) for _ in range(5))
            await asyncio.sleep(0)

    async def run() -> None:
        await asyncio.gather(*(spawn() for _ in range(4)), *(work() for _ in range(10)))
        await asyncio.gather(*left)
        await asyncio.gather(*(work() for _ in range(10)))

    within(10, run)
    assert (len(left), inside, most) == (20, 0, 2)


def test_a_place_comes_back_from_whatever_ended_in_it() -> None:
    turnstile = Turnstile(1)

    async def enter(ends: BaseException | None, times: int) -> None:
        async with turnstile.entered():
            if times:
                await asyncio.gather(enter(ends, times - 1), enter(ends, times - 1), return_exceptions=True)
            await asyncio.sleep(0)
            if ends is not None:
                raise ends

    async def run() -> None:
        await asyncio.gather(*(enter(ValueError(), 2) for _ in range(3)), return_exceptions=True)
        for steps in range(30):
            tasks = [asyncio.ensure_future(enter(None, 2)) for _ in range(3)]
            for _ in range(steps):
                await asyncio.sleep(0)
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
            async with turnstile.entered():
                pass
        assert [item.locked() for item in turnstile.places.values()] == [False]

    within(10, run)


def test_a_plain_function_may_call_on_through_the_loop_however_many_do() -> None:
    def ask_again(params: int) -> int:
        if params < 0:
            return params
        return cast(int, asyncio.run_coroutine_threadsafe(bound.call("T", -1), loop).result(10).result)

    bound: BoundToolkit[Any] = Toolkit.make(NUMBER).bind({"T": ask_again}, concurrency=4)
    loop: asyncio.AbstractEventLoop

    async def work() -> list[Any]:
        nonlocal loop
        loop = asyncio.get_running_loop()
        return await bound.resolve(calls(12))

    assert [part["result"] for part in within(20, work)] == [-1] * 12


def test_plain_functions_may_call_each_other_without_a_loop_under_middleware() -> None:
    async def through(call: Call, next_: Next) -> HandlerResult[object]:
        return await next_(call)

    def ask_again(params: int) -> int:
        return -1 if params < 0 else cast(int, bound.call_sync("T", -1).result)

    bound: BoundToolkit[Any] = Toolkit.make(NUMBER).bind({"T": ask_again}, wrap=through, concurrency=4)
    parts = within(20, lambda: bound.resolve(calls(8)))
    assert [part["result"] for part in parts] == [-1] * 8


def test_functions_that_hang_cost_later_calls_nothing() -> None:
    ends = threading.Event()

    def hang_at_first(params: int) -> int:
        if params < 8:
            ends.wait(30)
        return params

    bound: BoundToolkit[Any] = Toolkit.make(NUMBER.set_failure_mode("return")).bind(
        {"T": hang_at_first}, concurrency=4, timeout=0.2
    )
    try:
        parts = within(20, lambda: bound.resolve(calls(16)))
    finally:
        ends.set()
    assert [part["is_failure"] for part in parts] == [True] * 8 + [False] * 8


def test_waiting_for_a_thread_is_not_the_handlers_time() -> None:
    def work_a_while(params: int) -> int:
        time.sleep(0.25)
        return params

    bound: BoundToolkit[Any] = Toolkit.make(NUMBER).bind({"T": work_a_while}, concurrency=4, timeout=2)

    async def all_at_once() -> list[HandlerResult[object]]:
        return await asyncio.gather(*(bound.call("T", n) for n in range(40)))

    assert [item.result for item in within(30, all_at_once)] == list(range(40))


def test_merged_toolkits_keep_how_many_of_their_calls_run_at_once() -> None:
    inside, most = 0, 0

    async def enter(params: int) -> int:
        nonlocal inside, most
        inside += 1
        most = max(most, inside)
        await asyncio.sleep(0.01)
        inside -= 1
        return params

    one: BoundToolkit[Any] = Toolkit.make(NUMBER).bind({"T": enter}, concurrency=2)
    parts = within(10, lambda: merge(one, concurrency=8).resolve(calls(10)))
    assert ([part["result"] for part in parts], most) == (list(range(10)), 2)
