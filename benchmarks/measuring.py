"""Ratios of two things measured side by side in one process, by CPU time. Standard library only."""

from __future__ import annotations

import asyncio
import gc
import statistics
import time
from collections.abc import Awaitable, Callable
from typing import Any

ROUNDS = 15
"""How many pairs of measurements a ratio is the median of."""

AIM = 0.02
"""How many seconds one measurement should last: long enough for the clock, short enough to alternate."""


def ratio(ours: Callable[[int], float], theirs: Callable[[int], float], rounds: int = ROUNDS) -> float:
    """Return the median of ours / theirs, each round measured back to back.

    Both take a number of repetitions and return the seconds of one.
    """
    first, second = _count(ours), _count(theirs)
    gc.collect()
    return statistics.median(ours(first) / theirs(second) for _ in range(rounds))


def _count(action: Callable[[int], float]) -> int:
    action(1)
    return max(1, min(20_000, int(AIM / max(action(3), 1e-7))))


def timed(action: Callable[[], object]) -> Callable[[int], float]:
    """Measure a plain function."""

    def run(count: int) -> float:
        started = time.process_time()
        for _ in range(count):
            action()
        return (time.process_time() - started) / count

    return run


def timed_async(
    loop: asyncio.AbstractEventLoop, action: Callable[[], Awaitable[object]], clock: Any = time.process_time
) -> Callable[[int], float]:
    """Measure a coroutine function, awaited again and again in one run of the loop."""

    async def repeated(count: int) -> float:
        started = clock()
        for _ in range(count):
            await action()
        return float(clock() - started) / count

    return lambda count: loop.run_until_complete(repeated(count))


def resident() -> int:
    """Return the bytes of memory that this process holds."""
    gc.collect()
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096
