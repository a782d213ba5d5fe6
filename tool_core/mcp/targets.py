"""Where a server is: a command to start, or an address. Edge.

Commands, environments, headers and addresses hold secrets, so a target shows only its label.
"""

from __future__ import annotations

import io
import os
import shlex
import sys
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any, TextIO
from urllib.parse import urlsplit

import httpx2
from mcp import StdioServerParameters, stdio_client
from mcp.client import Transport
from mcp.client.streamable_http import streamable_http_client

from tool_core.errors import ToolConfigurationError
from tool_core.json_text import MAX_CHARACTERS


@dataclass(frozen=True, slots=True)
class Target:
    """A server that can be connected to, any number of times."""

    label: str
    transport: Callable[[], Transport] = field(repr=False)


def target_of(
    server: str | Sequence[str],
    *,
    env: Mapping[str, str] | None = None,
    headers: Mapping[str, str] | None = None,
    cwd: str | None = None,
    stderr: TextIO | None = None,
) -> Target:
    """Take a text that begins with http as an address, and anything else as a command.

    >>> target_of("https://user:secret@example.com:8443/mcp?key=secret")
    Target(label='example.com:8443/mcp')
    >>> target_of(["/opt/bin/server", "--token", "secret"])
    Target(label='server')
    """
    if isinstance(server, str) and server.startswith(("http://", "https://")):
        if env is not None or cwd is not None:
            raise ToolConfigurationError(None, "env and cwd are for a command; an address takes headers")
        return Target(_shown_address(server), lambda: _over_http(server, headers))
    if headers is not None:
        raise ToolConfigurationError(None, "headers are for an address; a command takes env")
    words = _words(server)
    started = StdioServerParameters(command=words[0], args=words[1:], env=dict(env or {}), cwd=cwd)
    return Target(PurePath(words[0]).name, lambda: stdio_client(started, errlog=_writable(stderr)))


def _words(server: str | Sequence[str]) -> list[str]:
    try:
        words = shlex.split(server) if isinstance(server, str) else list(server)
    except (TypeError, ValueError):
        words = []
    if not words or not all(isinstance(word, str) and word for word in words[:1]):
        raise ToolConfigurationError(None, "a server is a command or an address that begins with http")
    return [str(word) for word in words]


def _shown_address(address: str) -> str:
    parts = urlsplit(address)
    return f"{parts.netloc.rpartition('@')[2]}{parts.path}"


@asynccontextmanager
async def _over_http(address: str, headers: Mapping[str, str] | None) -> AsyncIterator[tuple[Any, Any]]:
    """Connect with no time limit on reading: how long a call may take is the toolkit's decision."""
    patience = httpx2.Timeout(30.0, read=None, pool=None)
    retrying = httpx2.AsyncHTTPTransport(retries=2)  # of connecting only: nothing is ever sent twice
    async with (
        httpx2.AsyncClient(headers=dict(headers or {}), timeout=patience, transport=retrying) as client,
        streamable_http_client(address, http_client=client, max_sse_event_size=MAX_CHARACTERS) as streams,
    ):
        yield streams


def _writable(stderr: TextIO | None) -> TextIO:
    """Return a file that a process can write to; notebooks replace `sys.stderr` with what is none."""
    for stream in (stderr, sys.stderr, sys.__stderr__):
        try:
            if stream is not None and stream.fileno() >= 0:
                return stream
        except (AttributeError, ValueError, io.UnsupportedOperation):
            continue
    return open(os.devnull, "w")
