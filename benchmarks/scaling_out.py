"""The same CPU-bound toolkit on threads, processes and a Dask cluster: speed-up for each worker."""

from __future__ import annotations

import asyncio
import os
import statistics
import time
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from typing import Any

from typing_extensions import TypedDict

from tool_core import Tool, ToolCallPart, Toolkit

WORKERS = min(4, os.cpu_count() or 1)
CALLS = 16 * WORKERS
STEPS = 200_000


class Count(TypedDict):
    steps: int


COUNT = Tool.make("Count", parameters=Count, success=int)


def count(params: Count) -> int:
    total = 0
    for number in range(params["steps"]):
        total += number % 7
    return total


def measure() -> dict[str, Any]:
    """Compare a turn with one plain loop in this process, and with the bare executor on the same calls."""
    found: dict[str, Any] = {"workers": WORKERS, "calls": CALLS}
    with ThreadPoolExecutor(WORKERS) as threads:
        found["threads"] = _row(threads)
    with ProcessPoolExecutor(WORKERS) as processes:
        found["processes"] = _row(processes)
    found["Dask"] = _on_dask()
    return found


def _row(executor: Executor) -> dict[str, float]:
    bound = Toolkit.make(COUNT).bind({"Count": count}, executor=executor, concurrency=2 * WORKERS)
    calls: list[ToolCallPart] = [
        {"type": "tool-call", "id": str(number), "name": "Count", "params": {"steps": STEPS}}
        for number in range(CALLS)
    ]

    numbers = iter(range(10**9))

    def through() -> None:
        asyncio.run(bound.resolve(calls))

    def bare() -> None:
        # different arguments, because Dask would run equal calls once and remember the answer
        for future in [executor.submit(count, {"steps": STEPS + next(numbers)}) for _ in range(CALLS)]:
            future.result()

    def alone() -> None:
        for _ in range(CALLS):
            count({"steps": STEPS})

    bare()  # the workers start and import
    rounds = [(_seconds(through), _seconds(bare), _seconds(alone)) for _ in range(5)]
    speed_up = statistics.median(single / ours for ours, _, single in rounds)
    return {
        "x bare executor": statistics.median(ours / theirs for ours, theirs, _ in rounds),
        "speed-up": speed_up,
        "efficiency of a worker": speed_up / WORKERS,
    }


def _seconds(action: Callable[[], None]) -> float:
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def _on_dask() -> dict[str, float]:
    from distributed import Client, LocalCluster

    with (
        LocalCluster(
            n_workers=WORKERS, threads_per_worker=1, dashboard_address=None, scheduler_port=0
        ) as cluster,
        Client(cluster) as client,
    ):
        return _row(client.get_executor())
