"""What a toolkit leaves behind: tasks, threads, open files, sockets, memory."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import threading
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Traces:
    threads: int
    files: int

    @staticmethod
    def now() -> Traces:
        gc.collect()
        return Traces(threading.active_count(), len(os.listdir("/proc/self/fd")))


@contextlib.contextmanager
def nothing_left() -> Iterator[None]:
    """Wait a little for what is ending, then insist that no thread and no file is left."""
    before = Traces.now()
    yield
    deadline = time.monotonic() + 5
    while (after := Traces.now()) != before and time.monotonic() < deadline:
        time.sleep(0.02)
    assert after.threads <= before.threads
    assert after.files <= before.files


@contextlib.asynccontextmanager
async def no_task_left() -> AsyncIterator[None]:
    """Insist that every task that was started has ended."""
    before = asyncio.all_tasks()
    yield
    for _ in range(50):
        if not asyncio.all_tasks() - before:
            break
        await asyncio.sleep(0.01)
    assert asyncio.all_tasks() - before == set()


def held() -> int:
    """Count the objects that Python's collector knows."""
    gc.collect()
    return len(gc.get_objects())
