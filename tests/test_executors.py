"""The same toolkit on threads, on processes and on a Dask cluster."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from typing import Any, cast

import pytest

from tests.elsewhere import RATE, WORK, double, draw, work
from tool_core import BoundToolkit, Context, Tool, ToolDefectError, ToolFailedError, Toolkit


@pytest.fixture(params=["threads", "processes", "dask"], scope="module")
def executor(request: pytest.FixtureRequest) -> Iterator[Executor]:
    if request.param == "threads":
        with ThreadPoolExecutor(2) as pool:
            yield pool
    elif request.param == "processes":
        with ProcessPoolExecutor(2) as processes:
            yield processes
    else:
        distributed = pytest.importorskip("distributed")
        with (
            distributed.LocalCluster(
                n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0"
            ) as cluster,
            distributed.Client(cluster) as client,
        ):
            yield client.get_executor()


def bound(executor: Executor) -> BoundToolkit:
    kit = Toolkit.make(WORK, double.tool)
    context = Context().add(RATE, 10)
    return kit.bind({"Work": work, "double": double.handler}, executor=executor, context=context)


def test_results_cross_the_border(executor: Executor) -> None:
    result = cast(Any, asyncio.run(bound(executor).call("Work", {"n": 4})))
    assert result.result["result"] == 40
    is_here = result.result["process"] == os.getpid()
    assert is_here is isinstance(executor, ThreadPoolExecutor)
    assert bound(executor).call_sync("double", {"n": 4}).result == 8


def test_failures_and_defects_cross_the_border(executor: Executor) -> None:
    with pytest.raises(ToolFailedError) as declared:
        asyncio.run(bound(executor).call("Work", {"n": -1}))
    assert declared.value.value == "negative"
    with pytest.raises(ToolDefectError) as defect:
        asyncio.run(bound(executor).call("Work", {"n": 13}))
    assert isinstance(defect.value.__cause__, ValueError)
    assert str(defect.value.__cause__) == "unlucky"
    with pytest.raises(ToolDefectError) as odd:
        asyncio.run(bound(executor).call("Work", {"n": 14}))
    assert "cannot travel" in str(odd.value.__cause__)


def test_thousands_of_calls_stream_through_in_order(executor: Executor) -> None:
    async def run() -> list[int]:
        calls = (
            cast(Any, {"type": "tool-call", "id": str(n), "name": "double", "params": {"n": n}})
            for n in range(2000)
        )
        return [cast(Any, part)["result"] async for part in bound(executor).stream(calls, batch=500)]

    assert asyncio.run(run()) == [2 * n for n in range(2000)]


def test_equal_calls_run_once_each(executor: Executor) -> None:
    toolkit = Toolkit.make(draw.tool).bind(draw, executor=executor)
    calls: Any = [{"type": "tool-call", "id": str(n), "name": "draw", "params": {"n": 1}} for n in range(20)]
    parts = cast(Any, asyncio.run(toolkit.resolve(calls)))
    assert len({part["result"] for part in parts}) == 20


def test_a_pool_that_breaks_costs_the_calls_that_need_it_and_no_others() -> None:
    async def here(params: dict[str, int]) -> int:
        return params["n"]

    dies = double.tool.set_failure_mode("return")
    lives = Tool.make("Here", parameters=dict[str, int], success=int)
    with ProcessPoolExecutor(1) as pool:
        toolkit = Toolkit.make(dies, lives).bind({"double": _die, "Here": here}, executor=pool)
        calls: Any = [
            {"type": "tool-call", "id": str(n), "name": name, "params": {"n": n}}
            for n, name in enumerate(["Here", "double", "Here", "double"])
        ]
        for _ in range(2):
            parts: Any = asyncio.run(toolkit.resolve(calls))
            assert [part["is_failure"] for part in parts] == [False, True, False, True]


def _die(params: object) -> int:
    os._exit(1)
