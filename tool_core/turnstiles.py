"""Places that so many calls may take at once. Edge."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Coroutine, Mapping
from contextlib import asynccontextmanager, closing
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar
from weakref import WeakKeyDictionary, WeakSet

T = TypeVar("T")

_LOCK = threading.Lock()  # loops in several threads may learn at once who waits within whom


@dataclass(slots=True, eq=False)
class _Place:
    """A place that was taken, which its holder lends to what it calls, one at a time.

    It goes back when the last of them has left: a task that outlives the call that began it
    stays in the place of that call.
    """

    source: asyncio.Semaphore | None = None
    lender: _Place | None = None
    users: int = 1
    lent: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(1))

    def leave(self) -> None:
        self.users -= 1
        if self.users:
            return
        if self.source is not None:
            self.source.release()
        if self.lender is not None:
            self.lender.leave()


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Turnstile:
    """Lets so many in at once and makes the others wait.

    A semaphore belongs to one event loop, so each loop has its own. A call made by whoever is in
    already takes a free place, or else its caller's: a tool that calls itself would wait for its
    own end. Many such calls at once take turns, so they are never more than the limit.

    Who waits in one turnstile may be in others, `earlier` ones. Where that would close a circle, as of
    two tools that call each other, each would wait for the other's end: such a call is let through.
    """

    limit: int
    places: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = field(
        default_factory=WeakKeyDictionary
    )
    earlier: WeakSet[Turnstile] = field(default_factory=WeakSet)

    @asynccontextmanager
    async def entered(self) -> AsyncIterator[None]:
        """Take a place, waiting for one, and leave it at the end."""
        held, loop = _HELD.get(), asyncio.get_running_loop()
        place = await self._taken(held, loop)
        _HELD.set({**held, (self, loop): place})
        try:
            yield
        finally:
            _HELD.set(held)
            place.leave()

    async def passed(self, running: Coroutine[Any, Any, T]) -> T:
        """Await something inside; where it never gets in, it is closed unbegun."""
        with closing(running):
            async with self.entered():
                return await running

    async def _taken(self, held: _Held, loop: asyncio.AbstractEventLoop) -> _Place:
        free = self.places.setdefault(loop, asyncio.Semaphore(self.limit))
        if not free.locked():
            await free.acquire()
            return _Place(free)
        others = {each for (each, _), place in held.items() if each is not self and place.users}
        with _LOCK:
            if any(self._waits_within(each) for each in others):
                return _Place()
            self.earlier.update(others)
        caller = held.get((self, loop))
        if caller is None or not caller.users:
            await free.acquire()
            return _Place(free)
        caller.users += 1
        try:
            await caller.lent.acquire()
        except BaseException:
            caller.leave()
            raise
        return _Place(caller.lent, caller)

    def _waits_within(self, other: Turnstile) -> bool:
        """Tell whether somebody in this one has waited for the other, or for one within which that waits."""
        found, looked = list(other.earlier), set[Turnstile]()
        while found:
            if (each := found.pop()) is self:
                return True
            if each not in looked:
                looked.add(each)
                found += each.earlier
        return False


_Held: TypeAlias = Mapping[tuple[Turnstile, asyncio.AbstractEventLoop], _Place]
_HELD: ContextVar[_Held] = ContextVar("tool_core_turnstiles", default={})  # noqa: B039
