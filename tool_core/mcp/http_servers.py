"""Serving over HTTP: who may call, from where, and how it ends. Edge."""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import socket
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import uvicorn
from mcp.server import Server
from mcp.server.transport_security import TransportSecuritySettings
from starlette.types import ASGIApp, Receive, Scope, Send

from tool_core.errors import ToolConfigurationError

_SHORTEST_TOKEN = 16
_KINDS = {str: "a text", int: "a number"}
_HTTP_PORT = 80
_FLUSH = 3
"""Seconds for the last answers to reach their clients, after the calls have ended."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where to listen, and who is let in."""

    host: str
    port: int
    path: str
    token: str | None
    allowed_hosts: tuple[str, ...]
    allowed_origins: tuple[str, ...]

    def __post_init__(self) -> None:
        for name, kind in (("host", str), ("port", int), ("path", str)):
            if not isinstance(getattr(self, name), kind):
                raise ToolConfigurationError(
                    None, f"{name} is {_KINDS[kind]}, not {type(getattr(self, name)).__name__}"
                )
        if self.token is not None and not _is_secret(self.token):
            raise ToolConfigurationError(
                None, f"a token is a secret of at least {_SHORTEST_TOKEN} letters, digits and signs"
            )
        if self.token is None and not _is_loopback(self.host):
            raise ToolConfigurationError(
                None, f"serving on {self.host!r} lets the network call the tools: give a token"
            )
        if not self.path.startswith("/"):
            raise ToolConfigurationError(None, f"path begins with a slash, unlike {self.path!r}")

    def listening_socket(self) -> socket.socket:
        """Take the port now, so that a taken one is our error and 0 becomes a real one."""
        family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
        try:
            return socket.create_server((self.host, self.port), family=family, backlog=2048)
        except (OSError, OverflowError, UnicodeError) as error:
            reason = getattr(error, "strerror", None) or "there is no such address"
            raise ToolConfigurationError(
                None, f"cannot listen on {self.host}:{self.port}: {reason}"
            ) from None

    def security(self, port: int) -> TransportSecuritySettings:
        """Allow the names of this machine, at this port, and what the caller adds; nothing else."""
        names = list(dict.fromkeys(["127.0.0.1", "localhost", "[::1]", _named(self.host)]))
        known = [f"{name}:{port}" for name in names]
        implied = names if port == _HTTP_PORT else []  # clients do not send the port that goes without saying
        hosts = [*known, *implied, *self.allowed_hosts]
        origins = [*(f"{scheme}://{host}" for host in hosts for scheme in ("http", "https"))]
        return TransportSecuritySettings(
            allowed_hosts=hosts, allowed_origins=[*origins, *self.allowed_origins]
        )


@dataclass(frozen=True, slots=True)
class Guard:
    """Lets only requests with the token through."""

    app: ASGIApp
    token: str

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 401 unless the request carries the token."""
        if scope["type"] != "http" or self._is_known(scope["headers"]):
            await self.app(scope, receive, send)
            return
        headers = [(b"content-type", b"text/plain"), (b"www-authenticate", b"Bearer")]
        await send({"type": "http.response.start", "status": 401, "headers": headers})
        await send({"type": "http.response.body", "body": b"a valid token is required"})

    def _is_known(self, headers: Sequence[tuple[bytes, bytes]]) -> bool:
        expected = f"Bearer {self.token}".encode()
        given = [value for name, value in headers if name == b"authorization"]
        return len(given) == 1 and hmac.compare_digest(given[0], expected)


class _Uvicorn(uvicorn.Server):
    """Leaves signals to whoever owns the process."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


async def serve_http(
    server: Server[Any],
    address: Address,
    *,
    session_idle: float,
    drain: Callable[[], Awaitable[None]],
    on_ready: Callable[[str], None] | None,
) -> None:
    """Serve until cancelled; then take no more calls, let the running ones finish, and close."""
    with address.listening_socket() as listening:
        port: int = listening.getsockname()[1]
        app: ASGIApp = server.streamable_http_app(
            streamable_http_path=address.path,
            transport_security=address.security(port),
            session_idle_timeout=session_idle,
        )
        if address.token is not None:
            app = Guard(app, address.token)
        config = uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            server_header=False,
            ws="none",
            timeout_graceful_shutdown=_FLUSH,
        )
        web = _Uvicorn(config)
        serving = asyncio.create_task(web.serve(sockets=[listening]))
        try:
            if on_ready is not None:
                on_ready(f"http://{_named(address.host)}:{port}{address.path}")
            await asyncio.shield(serving)
        finally:
            try:
                if not serving.done():
                    await drain()
            finally:
                web.should_exit = True
                await asyncio.wait([serving])


def _is_secret(token: object) -> bool:
    """Whether a token can be guessed by nobody and sent by everybody."""
    return (
        isinstance(token, str) and len(token) >= _SHORTEST_TOKEN and token.isascii() and token.isprintable()
        and " " not in token
    )  # fmt: skip


def _named(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
