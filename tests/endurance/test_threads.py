"""One bound toolkit, many threads and event loops at once."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any, cast

import pytest
from typing_extensions import TypedDict

from tests.endurance.traces import no_task_left, nothing_left
from tool_core import Context, HandlerContext, Key, Tool, Toolkit, get_json_schema

RATE = Key("rate", int)


class Params(TypedDict):
    n: int


def kit() -> Any:
    tools = Toolkit.make(
        Tool.make("Sync", parameters=Params, success=int, dependencies=[RATE]),
        Tool.make("Async", parameters=Params, success=int, dependencies=[RATE]),
        Tool.make("Guarded", parameters=Params, success=int, needs_approval=True),
    )

    def sync(params: Params, ctx: HandlerContext[int, Any]) -> int:
        return params["n"] * ctx.get(RATE)

    async def later(params: Params, ctx: HandlerContext[int, Any]) -> int:
        await asyncio.sleep(0)
        ctx.preliminary(0)
        return params["n"] * ctx.get(RATE)

    handlers: dict[str, Any] = {"Sync": sync, "Async": later, "Guarded": lambda params: params["n"]}
    return tools.bind(handlers, concurrency={"Async": 3, "*": 8})


def in_threads(count: int, work: Callable[[int], None]) -> None:
    """Run work in so many threads that start together; the first error is raised here."""
    start, errors = threading.Barrier(count), []

    def run(number: int) -> None:
        start.wait()
        try:
            work(number)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def test_threads_and_loops_share_a_toolkit_and_keep_their_own_services() -> None:
    bound = kit()
    bound.call_sync("Sync", {"n": 1}, context=Context().add(RATE, 1))

    def work(number: int) -> None:
        context = Context().add(RATE, number)

        async def turn() -> None:
            async with no_task_left():
                calls = [
                    {"type": "tool-call", "id": f"{number}-{n}", "name": name, "params": {"n": n}}
                    for n in range(20)
                    for name in ("Sync", "Async")
                ]
                for call in calls:
                    call["id"] += call["name"]  # type: ignore[operator]
                parts = await bound.resolve(calls, context=context)
                assert [part["result"] for part in parts] == [number * n for n in range(20) for _ in range(2)]

        for n in range(20):
            assert bound.call_sync("Sync", {"n": n}, context=context).result == n * number
            assert bound.call_json_sync("Async", f'{{"n": {n}}}', context=context).result == n * number
        asyncio.run(turn())

    in_threads(8, work)


def test_the_first_uses_of_a_schema_may_come_from_many_threads_at_once() -> None:
    for _ in range(20):
        form: Any = cast(Any, TypedDict)("Fresh", {"a": int, "b": list[str]})
        tool = Tool.make("X", parameters=form, success=str)
        found: list[object] = []

        def work(_: int, tool: Any = tool, found: list[object] = found) -> None:
            found.append(get_json_schema(tool))
            assert tool.parameters_schema.decode_json('{"a": 1, "b": ["x"]}') == {"a": 1, "b": ["x"]}

        in_threads(6, work)
        assert all(item == found[0] for item in found)


def test_an_approval_is_good_for_one_of_many_threads() -> None:
    ran: list[object] = []
    tool = Tool.make("Pay", parameters=object, success=object, needs_approval=True)
    bound = Toolkit.make(tool).bind({"Pay": ran.append}, run_sync="inline")
    call: Any = {"type": "tool-call", "id": "1", "name": "Pay", "params": {"amount": 5}}
    requests: Any = asyncio.run(bound.resolve([call]))
    quoted = requests[0]["approval_id"]
    answer: Any = {"type": "tool-approval-response", "approval_id": quoted, "approved": True}

    def work(_: int) -> None:
        asyncio.run(bound.resolve([call], approvals=[answer]))

    in_threads(8, work)
    assert ran == [{"amount": 5}]


@pytest.mark.parametrize("policy", ["asyncio", "uvloop"])
def test_every_kind_of_loop_runs_a_turn_and_leaves_nothing(policy: str) -> None:
    uvloop = pytest.importorskip("uvloop") if policy == "uvloop" else None
    bound = kit()

    async def turn() -> None:
        async with no_task_left():
            context = Context().add(RATE, 2)
            calls: Any = [
                {"type": "tool-call", "id": str(n), "name": "Async", "params": {"n": n}} for n in range(100)
            ]
            parts: Any = await bound.resolve(calls, context=context)
            assert [part["result"] for part in parts] == [2 * n for n in range(100)]
            streamed = [item async for item in bound.handle("Async", {"n": 3}, context=context)]
            assert [item.result for item in streamed] == [0, 6]

    def run() -> None:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop if uvloop else None) as runner:
            runner.run(turn())

    run()  # what the loop's own library keeps for ever is opened here
    with nothing_left():
        for _ in range(3):
            run()
