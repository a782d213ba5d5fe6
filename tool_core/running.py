"""Running one handler to its result: total, whatever the handler does. Edge."""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import logging
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any, Literal, cast
from uuid import uuid4

from tool_core.channels import Emitter, Sink
from tool_core.context import Context
from tool_core.entries import Entry, failed
from tool_core.errors import (
    InvalidToolResultError,
    ToolConfigurationError,
    ToolConnectionError,
    ToolDefectError,
    ToolTimeoutError,
)
from tool_core.implementations import HandlerContext
from tool_core.limits import Timeout
from tool_core.outcomes import Fail, Final, HandlerResult, Preliminary
from tool_core.threads import Threads
from tool_core.turnstiles import Turnstile

logger = logging.getLogger("tool_core")


@dataclass(frozen=True, slots=True, eq=False)
class Runner:
    """Where handlers run: coroutines on the loop, plain functions in an executor or inline."""

    executor: Executor | None
    run_sync: Literal["thread", "inline"]
    threads: Turnstile
    _own: dict[int, Threads] = field(default_factory=dict, repr=False)

    @property
    def executor_is_default(self) -> bool:
        """Whether plain functions run in this process, so that a caller's thread will do as well."""
        return self.executor is None

    def pool(self) -> Executor:
        """Return the executor; our own threads are started with the first call that needs one.

        A process that was forked has none of the threads of its parent, so it gets its own.
        """
        if self.executor is not None:
            return self.executor
        process = os.getpid()
        return self._own.get(process) or self._own.setdefault(process, Threads())

    def close(self) -> None:
        """Let our own threads end, those that run a handler soon after it. A later call starts new ones."""
        if (pool := self._own.pop(os.getpid(), None)) is not None:
            pool.shutdown()

    async def settle(self, entry: Entry, value: object) -> HandlerResult[object]:
        """Finish a plain function that returned a coroutine or a stream."""
        try:
            return entry.result_of(await settled(entry, value, Emitter(entry)))
        except BaseException as error:
            return raised(entry, error)

    async def run(
        self, entry: Entry, params: object, call_id: str, services: Context[Any], channel: Sink | None = None
    ) -> HandlerResult[object]:
        """Run a handler on decoded parameters and return its result or its failure."""
        emitter = Emitter(entry, asyncio.get_running_loop(), channel)
        try:
            entry.check_services(services)
            if entry.timeout is None:
                running = self._invoked(entry, params, call_id, services, emitter, None)
            else:
                running = self._limited(entry, params, call_id, services, emitter, entry.timeout)
            # It waits for one of our threads before the call's time begins.
            value = await (self.threads.passed(running) if self._takes_thread(entry) else running)
        except BaseException as error:  # a panic in an extension module, sys.exit: costs this call only
            return raised(entry, error)
        finally:
            emitter.end()
        return entry.result_of(value)

    def _takes_thread(self, entry: Entry) -> bool:
        return entry.shape.kind == "sync" and self.run_sync == "thread" and self.executor is None

    async def _limited(
        self,
        entry: Entry,
        params: object,
        call_id: str,
        services: Context[Any],
        emitter: Emitter,
        limit: Timeout,
    ) -> object:
        now, loop = time.monotonic(), asyncio.get_running_loop()
        end = None if limit.absolute is None else now + limit.absolute
        # The event loop's clock need not be time.monotonic, which is what handlers compare with.
        last = None if limit.absolute is None else loop.time() + limit.absolute

        def next_deadline() -> float | None:
            idle = None if limit.idle is None else loop.time() + limit.idle
            return min((item for item in (last, idle) if item is not None), default=None)

        scope = asyncio.timeout_at(next_deadline())
        try:
            async with scope:
                emitter.touch = lambda: None if scope.expired() else scope.reschedule(next_deadline())
                emitter.pause = lambda: None if scope.expired() else scope.reschedule(last)
                value = await self._invoked(entry, params, call_id, services, emitter, end)
        except (asyncio.CancelledError, Exception):  # a handler may raise anything while it is stopped
            if not scope.expired():
                raise
            if entry.shape.kind == "sync" and self.run_sync == "thread":
                logger.warning(
                    "tool %r timed out, but its handler still runs: a thread cannot be stopped", entry.name
                )
        else:
            if not scope.expired() and (last is None or loop.time() < last):
                return value  # a handler that would not be stopped, or held the loop, is late all the same
        is_absolute = last is not None and loop.time() >= last
        seconds = cast(float, limit.absolute if is_absolute else limit.idle)
        raise ToolTimeoutError(entry.name, seconds, "absolute" if is_absolute else "idle")

    async def _invoked(
        self,
        entry: Entry,
        params: object,
        call_id: str,
        services: Context[Any],
        emitter: Emitter,
        deadline: float | None,
    ) -> object:
        handler, shape = entry.handler, entry.shape
        if shape.takes_context:
            ctx = HandlerContext(entry.name, call_id, deadline, services, emitter)
            arguments: tuple[object, ...] = (params, ctx)
        else:
            arguments = (params,)
        if shape.kind == "async":
            return await handler(*arguments)
        if shape.kind == "stream":
            return await _drained(entry, handler(*arguments), emitter)
        value = (
            handler(*arguments) if self.run_sync == "inline" else await self._in_executor(handler, arguments)
        )
        return await settled(entry, value, emitter)

    def _in_executor(
        self, handler: Callable[..., object], arguments: tuple[object, ...]
    ) -> Awaitable[object]:
        pool = self.pool()
        if isinstance(pool, ThreadPoolExecutor | Threads):
            run: Any = contextvars.copy_context().run
            return asyncio.get_running_loop().run_in_executor(pool, run, run_here, handler, *arguments)
        # An executor that remembers answers, as Dask's does, must not take two equal calls for one.
        return asyncio.wrap_future(pool.submit(run_elsewhere, uuid4().hex, handler, *_portable(arguments)))


async def settled(entry: Entry, value: object, emitter: Emitter) -> object:
    """Await what a plain function returned instead of a value: a coroutine, or a stream."""
    if inspect.isawaitable(value):
        return await value
    if isinstance(value, AsyncIterator):
        return await _drained(entry, value, emitter)
    return value


def raised(entry: Entry, error: BaseException) -> HandlerResult[object]:
    """Make a result of what a handler raised: our own errors as they are, all others as a defect.

    Raises only what is not the handler's: Ctrl-C, and a cancellation that came from outside.
    """
    if comes_from_outside(error):
        if entry.shape.kind == "sync":
            logger.warning("tool %r was cancelled, but its handler may still run in its thread", entry.name)
        raise error
    ours = (ToolTimeoutError, ToolConnectionError, InvalidToolResultError, ToolConfigurationError)
    if isinstance(error, ours) and error.tool_name == entry.name:
        return failed(error)
    logger.error("the handler of tool %r raised", entry.name, exc_info=error)
    defect = ToolDefectError(entry.name)
    defect.__cause__ = error
    return failed(defect)


def run_here(handler: Callable[..., object], *arguments: object) -> object:
    """Run a handler in a thread; a future cannot carry what ends a generator, and would wait for ever."""
    try:
        return handler(*arguments)
    except (StopIteration, GeneratorExit) as error:
        raise RuntimeError(f"the handler raised {type(error).__name__}") from error


def run_elsewhere(token: str, handler: Callable[..., object], *arguments: object) -> object:  # noqa: ARG001
    """Run a handler in another process; an exception that cannot travel becomes one that can."""
    import pickle

    try:
        return run_here(handler, *arguments)
    except Exception as error:
        try:
            pickle.loads(pickle.dumps(error))
        except Exception:
            raise RuntimeError(f"{type(error).__name__}: {error}") from None
        raise


def _portable(arguments: tuple[object, ...]) -> tuple[object, ...]:
    """Leave behind what cannot cross a process border: nobody there hears preliminary results."""
    if len(arguments) == 1:
        return arguments
    params, ctx = arguments[0], cast("HandlerContext[Any, Any]", arguments[1])
    return params, HandlerContext(ctx.tool_name, ctx.call_id, ctx.deadline, ctx.services)


def comes_from_outside(error: BaseException) -> bool:
    """Tell what is not the fault of the code that raised it, and must pass.

    >>> comes_from_outside(KeyboardInterrupt()), comes_from_outside(SystemExit())
    (True, False)
    """
    if not isinstance(error, asyncio.CancelledError):
        return isinstance(error, KeyboardInterrupt)
    task = None if asyncio._get_running_loop() is None else asyncio.current_task()
    return task is not None and task.cancelling() > 0


async def _drained(entry: Entry, stream: AsyncIterator[object], emitter: Emitter) -> object:
    """Read a stream to its `Final`, handing preliminary results on."""
    final: list[object] = []
    async with aclosing(cast(Any, stream)):
        async for item in stream:
            if final:
                raise InvalidToolResultError(entry.name, "the stream went on after its Final")
            if isinstance(item, Preliminary):
                await emitter(item.value)
            elif isinstance(item, Final | Fail):
                final.append(item.value if isinstance(item, Final) else item)
            else:
                raise InvalidToolResultError(
                    entry.name, f"a stream yields Preliminary and Final, not {type(item).__name__}"
                )
    if not final:
        raise InvalidToolResultError(entry.name, "the stream ended without a Final")
    return final[0]
