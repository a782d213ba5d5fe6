"""The threads of plain functions: used again, never waited for, and few."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
from typing import Any

import pytest

from tool_core import BoundToolkit, Tool, ToolDefectError, Toolkit
from tool_core import threads as threads_module
from tool_core.threads import Threads

NUMBER = Tool.make("T", parameters=int, success=int, failure_mode="return")

HANGS = """
import asyncio, threading
from tool_core import Tool, Toolkit

tool = Tool.make("T", parameters=int, success=int, failure_mode="return")
bound = Toolkit.make(tool).bind({"T": lambda n: threading.Event().wait()}, timeout=0.1)
print(type(asyncio.run(bound.call("T", 1)).result).__name__)
"""


FORKS = """
import asyncio, os
from tool_core import Tool, Toolkit

bound = Toolkit.make(Tool.make("T", parameters=int, success=int)).bind({"T": lambda n: n})
print(asyncio.run(bound.call("T", 1)).result, flush=True)
child = os.fork()
if child == 0:
    print(asyncio.run(bound.call("T", 2)).result, flush=True)
    os._exit(0)
os.waitpid(child, 0)
"""


def test_a_handler_that_hangs_does_not_keep_the_process_from_ending() -> None:
    shown = subprocess.run([sys.executable, "-c", HANGS], capture_output=True, text=True, timeout=60)
    assert (shown.stdout.strip(), shown.returncode) == ("ToolTimeoutError", 0)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_process_starts_threads_of_its_own() -> None:
    shown = subprocess.run([sys.executable, "-c", FORKS], capture_output=True, text=True, timeout=60)
    assert shown.stdout.split() == ["1", "2"]


def test_an_idle_thread_is_used_again() -> None:
    bound: BoundToolkit[Any] = Toolkit.make(NUMBER).bind({"T": lambda n: threading.get_ident()})

    async def run() -> set[object]:
        return {(await bound.call("T", 1)).result for _ in range(50)}

    assert len(asyncio.run(run())) == 1


def test_threads_without_work_end() -> None:
    pool = Threads()
    before = set(threading.enumerate())
    assert list(pool.map(abs, range(-8, 0))) == [8, 7, 6, 5, 4, 3, 2, 1]
    started = set(threading.enumerate()) - before
    pool.shutdown()
    for thread in started:
        thread.join(30)
    assert not set(threading.enumerate()) & started


def test_a_thread_waits_for_work_only_so_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads_module, "_IDLE_SECONDS", 0.01)
    pool = Threads()
    first = pool.submit(threading.current_thread).result()
    first.join(30)
    assert not first.is_alive()
    assert pool.submit(threading.current_thread).result() is not first


def test_more_hanging_functions_than_threads_are_refused_and_not_queued(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(threads_module, "MOST", 3)
    ends = threading.Event()
    bound: BoundToolkit[Any] = Toolkit.make(NUMBER).bind({"T": lambda n: ends.wait() and n}, timeout=0.05)

    async def run() -> list[object]:
        return [(await bound.call("T", 1)).result for _ in range(4)]

    try:
        results = asyncio.run(run())
    finally:
        ends.set()
    assert [type(item).__name__ for item in results] == ["ToolTimeoutError"] * 3 + ["ToolDefectError"]
    assert "3 plain functions run, and none of them ends" in caplog.text


def test_a_thread_that_cannot_be_started_costs_its_own_call_only(monkeypatch: pytest.MonkeyPatch) -> None:
    bound: BoundToolkit[Any] = Toolkit.make(NUMBER).bind({"T": lambda n: n})

    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    async def run() -> list[Any]:
        monkeypatch.setattr(threads_module, "MOST", 1)  # which does not count towards the threads there are
        with monkeypatch.context() as patched:
            patched.setattr(threading.Thread, "start", refuse)
            first = await bound.call("T", 1)
        return [first.result, (await bound.call("T", 2)).result]

    refused, answered = asyncio.run(run())
    assert isinstance(refused, ToolDefectError)
    assert answered == 2
