"""Serving over this process's stdin and stdout, and how it ends. Edge."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Self, cast

import anyio
from mcp.server import Server
from mcp.server.stdio import stdio_server

logger = logging.getLogger("tool_core")

_CHUNK = 65_536
_WAITING_CHUNKS = 16


async def serve_stdio(
    server: Server[Any], *, drain: Callable[[], Awaitable[None]], on_stop: Callable[[], None]
) -> None:
    """Serve until the client leaves, or until cancelled; then let the running calls finish.

    What anybody prints meanwhile goes to stderr. `on_stop` is called once no more calls run: only a
    client that does not read its last answers can then keep us.
    """
    cancelled: list[asyncio.CancelledError] = []
    try:
        with lines_of_stdin() as lines:
            async with stdio_server(stdin=cast(Any, lines)) as (read, write):
                sys.stdout.flush()
                wanted = server.create_initialization_options()
                serving = asyncio.create_task(server.run(read, cast(Any, _Whole(write)), wanted))
                try:
                    await asyncio.shield(serving)
                except asyncio.CancelledError as error:
                    cancelled.append(error)
                    with suppress(asyncio.CancelledError):  # somebody is in a hurry
                        await drain()
                    on_stop()
                    lines.close()
                    await asyncio.wait([serving])
                finally:
                    serving.cancel()
                    sys.stdout.flush()
    except* BrokenPipeError:
        cancelled.clear()
        logger.debug("the client reads no answers any more")
    if cancelled:  # raised only now, when the last answers are on their way
        raise cancelled[0]


@dataclass(frozen=True, slots=True, eq=False)
class _Whole:
    """A stream of answers, each of which is sent once it has begun to be, whoever is in a hurry."""

    stream: Any

    async def send(self, item: object) -> None:
        with anyio.CancelScope(shield=True):
            await self.stream.send(item)

    async def aclose(self) -> None:
        await self.stream.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *raised: object) -> None:
        await self.aclose()


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """The lines that a thread reads, until the end of its source or until `close`.

    Nothing can interrupt the thread, so it is left behind where the source does not end.
    """

    read: Callable[[], bytes]
    loop: asyncio.AbstractEventLoop
    chunks: asyncio.Queue[bytes] = field(default_factory=asyncio.Queue)
    room: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(_WAITING_CHUNKS))

    def close(self) -> None:
        """End the lines here."""
        self.chunks.put_nowait(b"")

    def read_all(self) -> None:
        """Read the source to its end; runs in the thread."""
        with suppress(RuntimeError):  # the event loop has ended
            chunk = b"?"
            while chunk:
                self.room.acquire()
                chunk = self._next()
                self.loop.call_soon_threadsafe(self.chunks.put_nowait, chunk)

    def _next(self) -> bytes:
        try:
            return self.read()
        except (OSError, ValueError):  # a terminal that is gone, a file that somebody closed
            return b""

    async def __aiter__(self) -> AsyncIterator[str]:
        begun: list[bytes] = []
        while chunk := await self.chunks.get():
            self.room.release()
            head, *tails = chunk.split(b"\n")
            begun.append(head)
            for tail in tails:
                yield _text(begun)
                begun = [tail]
        if any(begun):
            yield _text(begun)


def _text(pieces: list[bytes]) -> str:
    return b"".join(pieces).decode("utf-8", "replace")


@contextmanager
def lines_of_stdin() -> Iterator[Lines]:
    """Read stdin, which is empty for everybody else meanwhile."""
    with _stdin() as read:
        lines = Lines(read, asyncio.get_running_loop())
        threading.Thread(target=lines.read_all, name="mcp-stdin", daemon=True).start()
        yield lines


@contextmanager
def _stdin() -> Iterator[Callable[[], bytes]]:
    if not _is_descriptor_0():
        yield partial(cast(Any, sys.stdin.buffer).read1, _CHUNK)
        return
    wire = os.dup(0)
    nowhere = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nowhere, 0)
    os.close(nowhere)
    try:
        yield partial(os.read, wire, _CHUNK)
    finally:
        os.dup2(wire, 0)  # and `wire` stays open, for the thread may still read it


def _is_descriptor_0() -> bool:
    try:
        return sys.stdin.fileno() == 0
    except (AttributeError, OSError, ValueError):
        return False
