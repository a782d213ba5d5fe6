"""Places that so many calls may take at once. Edge."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

_HELD: ContextVar[frozenset[int]] = ContextVar("tool_core_turnstiles", default=frozenset())


@dataclass(frozen=True, slots=True, eq=False)
class Turnstile:
    """Lets so many in at once and makes the others wait.

    A semaphore belongs to one event loop, so each loop has its own. Whoever is in already passes: a
    tool that calls itself would wait for its own end.
    """

    limit: int
    places: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = field(
        default_factory=WeakKeyDictionary
    )

    @asynccontextmanager
    async def entered(self) -> AsyncIterator[None]:
        """Take a place, waiting for one, and leave it at the end."""
        held = _HELD.get()
        if id(self) in held:
            yield
            return
        async with self.places.setdefault(asyncio.get_running_loop(), asyncio.Semaphore(self.limit)):
            _HELD.set(held | {id(self)})
            try:
                yield
            finally:
                _HELD.set(held)
