"""Where a server is: a command to start, or an address. Edge.

Commands, environments, headers and addresses hold secrets, so a target shows only its label.
"""

from __future__ import annotations

import io
import os
import re
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

_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


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
    if isinstance(server, str) and server.lower().startswith(("http://", "https://")):
        if env is not None or cwd is not None:
            raise ToolConfigurationError(None, "env and cwd are for a command; an address takes headers")
        _check_texts("the header", headers)
        return Target(_shown_address(server), lambda: _over_http(server, headers))
    if headers is not None:
        raise ToolConfigurationError(None, "headers are for an address; a command takes env")
    _check_texts("the variable", env)
    words = _words(server)
    started = StdioServerParameters(
        command=words[0],
        args=words[1:],
        env=dict(env or {}),
        cwd=cwd,
        encoding_error_handler="replace",  # one stray byte would end the reader, and no call would be told
    )
    return Target(PurePath(words[0]).name, lambda: _over_stdio(started, stderr))


def _words(server: str | Sequence[str]) -> list[str]:
    try:
        words = shlex.split(server) if isinstance(server, str) else list(server)
    except (TypeError, ValueError):
        words = []
    if not words or not all(isinstance(word, str) and word for word in words[:1]):
        raise ToolConfigurationError(None, "a server is a command or an address that begins with http")
    if _ASSIGNMENT.match(words[0]):
        raise ToolConfigurationError(None, "a command begins with a program: give variables as env")
    return [str(word) for word in words]


def _shown_address(address: str) -> str:
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError:
        parts = None
    if parts is None or not parts.hostname:
        raise ToolConfigurationError(None, "the address of the server is malformed")
    return f"{parts.netloc.rpartition('@')[2]}{parts.path}"


def _check_texts(what: str, given: Mapping[str, str] | None) -> None:
    """Refuse what cannot be sent, by its name: the value may be a secret."""
    for name, value in (given or {}).items():
        if not isinstance(name, str) or not isinstance(value, str):
            raise ToolConfigurationError(None, f"{what} {name!r} must be a text, not {type(value).__name__}")
        if _CONTROL.search(value if what == "the header" else name):
            raise ToolConfigurationError(None, f"{what} {name!r} must be one line of plain text")
        if "\0" in value or "\0" in name:
            raise ToolConfigurationError(None, f"{what} {name!r} must not hold a null character")


@asynccontextmanager
async def _over_stdio(
    started: StdioServerParameters, stderr: TextIO | None
) -> AsyncIterator[tuple[Any, Any]]:
    """Start a server; what it writes to stderr goes where ours goes, if that is a real file."""
    with open(os.devnull, "w") as nowhere:
        written = next((item for item in (stderr, sys.stderr, sys.__stderr__) if _is_file(item)), nowhere)
        async with stdio_client(started, errlog=written or nowhere) as streams:
            yield streams


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


def _is_file(stream: TextIO | None) -> bool:
    """Whether a process can write to a stream; notebooks replace `sys.stderr` with one that is no file."""
    try:
        return stream is not None and stream.fileno() >= 0
    except (AttributeError, ValueError, io.UnsupportedOperation):
        return False
