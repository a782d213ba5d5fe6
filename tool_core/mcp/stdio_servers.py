"""Serving over this process's stdin and stdout, and how it ends. Edge."""

from __future__ import annotations

import asyncio
import io
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
        with lines_of_stdin() as lines, _stdout() as answers:
            async with stdio_server(cast(Any, lines), answers) as (read, write):
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
    if not _is_descriptor(sys.stdin, 0):
        yield partial(cast(Any, sys.stdin.buffer).read1, _CHUNK)
        return
    wire = os.dup(0)
    _lead_nowhere(0)
    try:
        yield partial(os.read, wire, _CHUNK)
    finally:
        os.dup2(wire, 0)  # and `wire` stays open, for the thread may still read it


@contextmanager
def _stdout() -> Iterator[anyio.AsyncFile[str] | None]:
    """Write stdout alone: what anybody else prints goes to stderr. None where the SDK must see to it."""
    if not (_is_descriptor(sys.stdout, 1) and _is_descriptor(sys.stderr, 2)):
        yield None
        return
    wire = os.dup(1)
    os.dup2(2, 1)
    answers = io.TextIOWrapper(os.fdopen(wire, "wb", closefd=False), encoding="utf-8")
    try:
        yield anyio.wrap_file(answers)
    finally:
        os.dup2(wire, 1)
        try:
            answers.flush()
        except OSError:  # nobody reads what is left, and it would be written again when it is freed
            _lead_nowhere(wire)


def _lead_nowhere(descriptor: int) -> None:
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)


def _is_descriptor(stream: Any, number: int) -> bool:
    try:
        return bool(stream.fileno() == number)
    except (AttributeError, OSError, ValueError):
        return False
