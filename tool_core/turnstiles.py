"""Places that so many calls may take at once. Edge."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary


@dataclass(slots=True, eq=False)
class _Place:
    """A place that was taken, which its holder lends to what it calls, one at a time.

    It goes back when the last of them has left: a task that outlives the call that began it
    stays in the place of that call.
    """

    loop: asyncio.AbstractEventLoop
    source: asyncio.Semaphore
    lender: _Place | None
    users: int = 1
    lent: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(1))

    def leave(self) -> None:
        self.users -= 1
        if self.users:
            return
        self.source.release()
        if self.lender is not None:
            self.lender.leave()


@dataclass(frozen=True, slots=True, eq=False)
class Turnstile:
    """Lets so many in at once and makes the others wait.

    A semaphore belongs to one event loop, so each loop has its own. A call made by whoever is in
    already takes a free place, or else its caller's: a tool that calls itself would wait for its
    own end. Many such calls at once take turns, so they are never more than the limit.
    """

    limit: int
    places: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = field(
        default_factory=WeakKeyDictionary
    )

    @asynccontextmanager
    async def entered(self) -> AsyncIterator[None]:
        """Take a place, waiting for one, and leave it at the end."""
        held = _HELD.get()
        place = await self._taken(held.get(self))
        _HELD.set({**held, self: place})
        try:
            yield
        finally:
            _HELD.set(held)
            place.leave()

    async def _taken(self, caller: _Place | None) -> _Place:
        loop = asyncio.get_running_loop()
        free = self.places.setdefault(loop, asyncio.Semaphore(self.limit))
        if caller is None or caller.loop is not loop or not caller.users or not free.locked():
            await free.acquire()
            return _Place(loop, free, None)
        caller.users += 1
        try:
            await caller.lent.acquire()
        except BaseException:
            caller.leave()
            raise
        return _Place(loop, caller.lent, caller)


_HELD: ContextVar[Mapping[Turnstile, _Place]] = ContextVar("tool_core_turnstiles", default={})  # noqa: B039
