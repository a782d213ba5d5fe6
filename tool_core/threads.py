"""Threads for plain functions: started when none is idle, used again, ended with the process. Edge."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any, ParamSpec, TypeAlias

from typing_extensions import TypeVar

Ps = ParamSpec("Ps")
T = TypeVar("T")
Job: TypeAlias = "tuple[Future[Any], Callable[[], Any]] | None"

MOST = 10_000
"""Far more than run at once, for one that hangs cannot be stopped and must not cost a later call its own."""

_IDLE_SECONDS = 5.0


@dataclass(frozen=True, slots=True, eq=False)
class _Crew:
    """What the threads of one executor know: not the executor, which ends them when nobody needs it."""

    jobs: SimpleQueue[Job] = field(default_factory=SimpleQueue)
    idle: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    living: set[threading.Thread] = field(default_factory=set)

    def start(self) -> None:
        if len(self.living) >= MOST:
            raise RuntimeError(f"{MOST} plain functions run, and none of them ends")
        thread = threading.Thread(target=self.work, name="tool_core", daemon=True)
        self.living.add(thread)
        try:
            thread.start()
        except BaseException:
            self.living.discard(thread)
            raise

    def work(self) -> None:
        try:
            while (job := self.next()) is not None:
                self.run(*job)
                del job
        finally:
            self.living.discard(threading.current_thread())

    def next(self) -> Job:
        """Take the next job; none where none came in time, and none is on its way to this thread."""
        try:
            return self.jobs.get(timeout=_IDLE_SECONDS)
        except Empty:
            return None if self.idle.acquire(blocking=False) else self.jobs.get()

    def run(self, future: Future[Any], function: Callable[[], Any]) -> None:
        settle: Callable[[], object] = future.cancelled
        if future.set_running_or_notify_cancel():
            try:
                settle = partial(future.set_result, function())
            except BaseException as error:
                settle = partial(future.set_exception, error)
        self.idle.release()  # first, so that whoever waits for this answer finds this thread idle
        settle()
        del settle  # it may hold an error, whose traceback holds this frame


@dataclass(frozen=True, slots=True, eq=False)
class Threads(Executor):
    """An executor whose threads nobody waits for: one that hangs must not keep the process alive.

    `ThreadPoolExecutor` joins its threads when the interpreter ends, however long they take.

    >>> Threads().submit(max, 1, 2).result()
    2
    """

    _crew: _Crew = field(default_factory=_Crew)

    def submit(self, fn: Callable[Ps, T], /, *args: Ps.args, **kwargs: Ps.kwargs) -> Future[T]:
        """Run a function in an idle thread, or in a new one where none is idle."""
        future: Future[T] = Future()
        if not self._crew.idle.acquire(blocking=False):
            self._crew.start()  # before the job is queued: where no thread can be had, nothing is left behind
        self._crew.jobs.put((future, partial(fn, *args, **kwargs)))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG002
        """Let the idle threads end at once, and the others soon after their job; never waits."""
        while self._crew.idle.acquire(blocking=False):
            self._crew.jobs.put(None)

    def __del__(self) -> None:
        self.shutdown()
