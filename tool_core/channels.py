"""A bounded stream of preliminary results from one handler to one reader. Edge."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Awaitable, Callable, Generator
from dataclasses import dataclass, field
from typing import Protocol

from tool_core.entries import Entry
from tool_core.errors import InvalidToolResultError, ToolError
from tool_core.implementations import Unheard
from tool_core.outcomes import HandlerResult

CAPACITY = 64
"""How many results may wait for the reader before `await ctx.preliminary(...)` waits too."""

OVERFLOW = 10_000
"""How many may wait when a handler never awaits; one more is an error in the handler."""


class Sink(Protocol):
    """Whatever takes preliminary results."""

    def put(self, item: HandlerResult[object], /) -> Awaitable[None]:
        """Take one result; awaiting the answer waits until another is welcome."""
        ...

    def release(self) -> None:
        """Let whoever waits go on: the call has ended."""
        ...


class Channel:
    """Results in order, read by one task of the loop that made the channel."""

    def __init__(self) -> None:
        self._items: deque[HandlerResult[object]] = deque()
        self._filled = asyncio.Event()
        self._room = asyncio.Event()
        self._room.set()

    def put(self, item: HandlerResult[object]) -> Awaitable[None]:
        """Append a result at once; awaiting the answer waits until there is room again."""
        if len(self._items) >= OVERFLOW:
            raise RuntimeError("too many preliminary results wait for a reader: `await ctx.preliminary(...)`")
        self._items.append(item)
        self._filled.set()
        if len(self._items) < CAPACITY:
            return Unheard()
        self._room.clear()
        return _Waiting(self._room)

    def release(self) -> None:
        """Let a handler that waits for room go on."""
        self._room.set()

    async def get(self) -> HandlerResult[object]:
        """Take the next result, waiting for one."""
        while not self._items:
            self._filled.clear()
            await self._filled.wait()
        return self.take()

    def take(self) -> HandlerResult[object]:
        """Take the next result, which is known to be there."""
        item = self._items.popleft()
        if len(self._items) < CAPACITY:
            self._room.set()
        return item

    def __len__(self) -> int:
        return len(self._items)


@dataclass(frozen=True, slots=True)
class _Waiting:
    """An awaitable that need not be awaited, unlike a coroutine."""

    room: asyncio.Event

    def __await__(self) -> Generator[object, None, None]:
        yield from self.room.wait().__await__()


@dataclass(slots=True)
class Emitter:
    """What `ctx.preliminary` does: check, encode, extend the idle limit, hand on; from any thread."""

    entry: Entry
    loop: asyncio.AbstractEventLoop | None = None
    channel: Sink | None = None
    touch: Callable[[], None] | None = None
    pause: Callable[[], None] | None = None
    ended: bool = False
    thread: int = field(default_factory=threading.get_ident)

    def __call__(self, value: object) -> Awaitable[None]:
        """Emit one value; raises in the handler where the value is off its type or the call has ended."""
        result = self.entry.result_of(value, preliminary=True)
        if isinstance(result.result, ToolError):
            raise result.result
        if result.is_failure:
            raise InvalidToolResultError(self.entry.name, "a preliminary result cannot be a failure")
        if self.ended:
            raise RuntimeError(f"the call of {self.entry.name!r} has ended: nobody reads preliminary results")
        if self.loop is None or threading.get_ident() == self.thread:
            return self._hand_on(result)
        asyncio.run_coroutine_threadsafe(self._hand_on_from_thread(result), self.loop).result()
        return Unheard()

    def _hand_on(self, result: HandlerResult[object]) -> Awaitable[None]:
        if self.touch is not None:
            self.touch()
        return Unheard() if self.channel is None else _Unhurried(self, self.channel.put(result))

    async def _hand_on_from_thread(self, result: HandlerResult[object]) -> None:
        if not self.ended:
            await self._hand_on(result)
        if self.ended:
            raise RuntimeError(f"the call of {self.entry.name!r} has ended: nobody reads preliminary results")

    def end(self) -> None:
        """Refuse further results, and let a handler that waits find out."""
        self.ended = True
        if self.channel is not None:
            self.channel.release()


@dataclass(frozen=True, slots=True)
class _Unhurried:
    """Waits for a slow reader, which does not count as the handler's idleness."""

    emitter: Emitter
    waiting: Awaitable[None]

    def __await__(self) -> Generator[object, None, None]:
        if self.emitter.pause is not None:
            self.emitter.pause()
        yield from self.waiting.__await__()
        if self.emitter.touch is not None:
            self.emitter.touch()
