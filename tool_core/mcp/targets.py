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
from typing import Any, TextIO, cast
from urllib.parse import urlsplit

import httpx2
from mcp import StdioServerParameters, stdio_client
from mcp.client import Transport
from mcp.client.streamable_http import streamable_http_client

from tool_core.errors import ToolConfigurationError
from tool_core.json_text import MAX_CHARACTERS

_FAREWELL = 5.0
"""Seconds that a server has to hear that its session is over."""

_NEITHER = "a server is a command or an address that begins with http"
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
_ADDRESS = re.compile(r"\w+://|[^/\\]*:[^/\\]*@")  # of another kind, or with a user's secret
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class _Rule:
    """What can be sent as a header, or given to a process as a variable."""

    one: str
    name: re.Pattern[str]
    name_must: str
    value: re.Pattern[str]
    value_must: str


_HEADER = _Rule(
    "header",
    re.compile(r"[\w!#$%&'*+.^`|~-]+\Z", re.ASCII),
    "be one word, without a colon",
    re.compile(r"[\t\x20-\x7e]*\Z"),
    "be one line of plain text",
)
_VARIABLE = _Rule(
    "variable",
    re.compile(r"[^=\x00-\x1f\x7f\ud800-\udfff]+\Z"),
    "be one line, without an equals sign",
    re.compile(r"[^\x00\ud800-\udc7f\udd00-\udfff]*\Z"),  # what the system's own are read as may be among it
    "be a text without null characters and lone surrogates",
)


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
    address = server.strip() if isinstance(server, str) else ""
    if address.lower().startswith(("http://", "https://")):
        if env is not None or cwd is not None:
            raise ToolConfigurationError(None, "env and cwd are for a command; an address takes headers")
        sent = _checked(_HEADER, headers)
        return Target(_shown_address(address), lambda: _over_http(address, sent))
    if headers is not None:
        raise ToolConfigurationError(None, "headers are for an address; a command takes env")
    if not isinstance(cwd, str | os.PathLike | None):
        raise ToolConfigurationError(None, f"cwd is a path, not {type(cwd).__name__}")
    words = _words(server)
    started = StdioServerParameters(
        command=words[0],
        args=words[1:],
        env=_checked(_VARIABLE, env),
        cwd=cwd,
        encoding_error_handler="replace",  # one stray byte would end the reader, and no call would be told
    )
    # A whole command in one word cannot be started, and its later parts may be secrets.
    return Target(PurePath(words[0].split()[0]).name, lambda: _over_stdio(started, stderr))


def _words(server: object) -> list[str]:
    try:
        words = shlex.split(server) if isinstance(server, str) else server
    except ValueError:
        words = None
    if not isinstance(words, Sequence) or not words or not isinstance(words[0], str) or not words[0].strip():
        raise ToolConfigurationError(None, _NEITHER)
    if _ADDRESS.match(words[0].strip()):
        raise ToolConfigurationError(None, _NEITHER)
    if _ASSIGNMENT.match(words[0].strip()):
        raise ToolConfigurationError(None, "a command begins with a program: give variables as env")
    if any("\0" in str(word) for word in words):
        raise ToolConfigurationError(None, "a command holds no null character")
    return [str(word) for word in words]


def _shown_address(address: str) -> str:
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError:
        parts = None
    if parts is None or not parts.hostname or _CONTROL.search(address):
        raise ToolConfigurationError(None, "the address of the server is malformed")
    return f"{parts.netloc.rpartition('@')[2]}{parts.path}"


def _checked(rule: _Rule, given: object) -> dict[str, str]:
    """Refuse what cannot be sent, without showing a value or a name that is none: it may be a secret."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise ToolConfigurationError(
            None, f"{rule.one}s are a mapping of names to texts, not {type(given).__name__}"
        )
    for number, (name, value) in enumerate(given.items(), 1):
        if not isinstance(name, str) or not rule.name.match(name):
            raise ToolConfigurationError(None, f"the name of {rule.one} {number} must {rule.name_must}")
        if not isinstance(value, str):
            raise ToolConfigurationError(
                None, f"the {rule.one} {name!r} must be a text, not {type(value).__name__}"
            )
        if not rule.value.match(value):
            raise ToolConfigurationError(None, f"the {rule.one} {name!r} must {rule.value_must}")
    return dict(given)


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
async def _over_http(address: str, headers: Mapping[str, str]) -> AsyncIterator[tuple[Any, Any]]:
    """Connect with no time limit on reading: how long a call may take is the toolkit's decision."""
    patience = httpx2.Timeout(30.0, read=None, pool=None)
    transport = _Transport(retries=2)  # of connecting only: nothing is ever sent twice
    async with (
        httpx2.AsyncClient(headers=dict(headers), timeout=patience, transport=transport) as client,
        streamable_http_client(address, http_client=client, max_sse_event_size=MAX_CHARACTERS) as streams,
    ):
        yield streams


class _Transport(httpx2.AsyncHTTPTransport):
    """Waits only so long for a farewell, and reads only so much of an answer."""

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        if request.method == "DELETE":
            request.extensions["timeout"] = httpx2.Timeout(_FAREWELL).as_dict()
        response = await super().handle_async_request(request)
        if not response.headers.get("content-type", "").lower().startswith("text/event-stream"):
            response.stream = _Bounded(cast(httpx2.AsyncByteStream, response.stream))
        return response


@dataclass(frozen=True, slots=True)
class _Bounded(httpx2.AsyncByteStream):
    """The bytes of an answer, up to the length that any JSON text may have."""

    stream: httpx2.AsyncByteStream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for chunk in self.stream:
            size += len(chunk)
            if size > MAX_CHARACTERS:
                raise httpx2.RemoteProtocolError("the answer is too long")
            yield chunk

    async def aclose(self) -> None:
        await self.stream.aclose()


def _is_file(stream: TextIO | None) -> bool:
    """Whether a process can write to a stream; notebooks replace `sys.stderr` with one that is no file."""
    try:
        return stream is not None and stream.fileno() >= 0
    except (AttributeError, ValueError, io.UnsupportedOperation):
        return False
