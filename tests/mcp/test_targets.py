"""Where a server is said to be: what is wrong is told by its name, and no secret by its value."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import sys
import traceback
from contextlib import suppress
from typing import Any

import pytest

from tests.mcp.serving import served
from tool_core import ToolConfigurationError, ToolConnectionError
from tool_core.mcp import connect
from tool_core.mcp.targets import target_of

SECRET = "hunter2"
HTTP = "http://127.0.0.1:9/mcp"
NO_TARGET = "a server is a command or an address that begins with http"
NO_NAME = "the name of header 1 must be one word, without a colon"
NO_VARIABLE = "the name of variable 1 must be one line, without an equals sign"
NO_LINE = "the header 'A' must be one line of plain text"
NO_TEXT = "the variable 'KEY' must be a text without null characters and lone surrogates"

WRONG: list[tuple[Any, dict[str, Any], str]] = [
    (["true"], {"env": [("KEY", SECRET)]}, "variables are a mapping of names to texts, not list"),
    (["true"], {"env": f"KEY={SECRET}"}, "variables are a mapping of names to texts, not str"),
    (["true"], {"env": {"KEY": SECRET.encode()}}, "the variable 'KEY' must be a text, not bytes"),
    (["true"], {"env": {"KEY": [SECRET]}}, "the variable 'KEY' must be a text, not list"),
    (["true"], {"env": {f"KEY={SECRET}": ""}}, NO_VARIABLE),
    (["true"], {"env": {"": SECRET}}, NO_VARIABLE),
    (["true"], {"env": {5: SECRET}}, NO_VARIABLE),
    (["true"], {"env": {"KEY": f"{SECRET}\0"}}, NO_TEXT),
    (["true"], {"env": {"KEY": f"{SECRET}\ud800"}}, NO_TEXT),
    (HTTP, {"headers": [("A", SECRET)]}, "headers are a mapping of names to texts, not list"),
    (HTTP, {"headers": f"A: {SECRET}"}, "headers are a mapping of names to texts, not str"),
    (HTTP, {"headers": {"A": SECRET.encode()}}, "the header 'A' must be a text, not bytes"),
    (HTTP, {"headers": {"A": None, "B": SECRET}}, "the header 'A' must be a text, not NoneType"),
    (HTTP, {"headers": {"A": f"{SECRET}\nB: c"}}, NO_LINE),
    (HTTP, {"headers": {"A": f"{SECRET}\r"}}, NO_LINE),
    (HTTP, {"headers": {"A": f"{SECRET}é"}}, NO_LINE),
    (HTTP, {"headers": {"A": f"{SECRET}\ud800"}}, NO_LINE),
    (HTTP, {"headers": {f"Authorization: {SECRET}": ""}}, NO_NAME),
    (HTTP, {"headers": {f"A\n{SECRET}": ""}}, NO_NAME),
    (HTTP, {"headers": {"": SECRET}}, NO_NAME),
    *(
        (address, {}, "the address of the server is malformed")
        for address in (
            f"http://user:{SECRET}@host:99999/",
            f"http://user:{SECRET}@host:port/",
            f"http://user:{SECRET}@[::1/",
            f"http://user:{SECRET}@/mcp?token={SECRET}",
            f"HTTPS://user:{SECRET}/x@host/",
            f"http://host/\n{SECRET}",
        )
    ),
    *(
        (server, {}, NO_TARGET)
        for server in (
            f"ws://user:{SECRET}@host",
            f"user:{SECRET}@host:80",
            [f"https://user:{SECRET}@host"],
            {"command": "true", "token": SECRET},
            {SECRET},
            [SECRET.encode()],
            f"true '{SECRET}",
            None,
            [],
            [" "],
        )
    ),
    (f"TOKEN={SECRET} true", {}, "a command begins with a program: give variables as env"),
    (["true", f"{SECRET}\0"], {}, "a command holds no null character"),
    (["true", SECRET], {"cwd": 5}, "cwd is a path, not int"),
]
UNUSABLE: list[tuple[Any, dict[str, Any], str]] = [
    (f" http://user:{SECRET}@127.0.0.1:9/?token={SECRET}", {}, "Server '127.0.0.1:9/': it could not be reached (ConnectError)"),
    (f"http://127.0.0.1:9#{SECRET}", {}, "Server '127.0.0.1:9': it could not be reached (ConnectError)"),
    (HTTP, {"headers": {"Authorization": SECRET}}, "Server '127.0.0.1:9/mcp': it could not be reached (ConnectError)"),
    (["/no/such", f"--token={SECRET}"], {}, "Server 'such': it could not be started: No such file or directory"),
    ([f"/no/such --path=/{SECRET}"], {}, "Server 'such': it could not be started: No such file or directory"),
    (["true", SECRET], {"cwd": f"/no/{SECRET}"}, "Server 'true': it could not be started: No such file or directory"),
    (["true", SECRET], {"env": {"KEY": SECRET}}, "Server 'true': it ended before it answered"),
    (["true", f"{SECRET}\ud800"], {}, "Server 'true': it could not be used (UnicodeEncodeError)"),
]  # fmt: skip


def told(server: Any, **options: Any) -> str:
    """Connect in vain, and return the error's message; no traceback shows the secret."""

    async def run() -> None:
        async with connect(server, connect_timeout=30, **options):
            pass

    with pytest.raises((ToolConfigurationError, ToolConnectionError)) as caught:
        asyncio.run(run())
    assert SECRET not in "".join(traceback.format_exception(caught.value))
    return str(caught.value)


@pytest.mark.parametrize(("server", "options", "message"), WRONG)
def test_what_cannot_be_a_server_is_refused_without_its_secrets(
    server: Any, options: Any, message: str
) -> None:
    assert told(server, **options) == f"Invalid configuration: {message}"


@pytest.mark.parametrize(("server", "options", "message"), UNUSABLE)
def test_a_server_out_of_reach_is_named_without_its_secrets(
    server: Any, options: Any, message: str, caplog: Any
) -> None:
    caplog.set_level(logging.DEBUG, logger="tool_core")
    assert told(server, **options) == message
    assert SECRET not in caplog.text


def test_a_server_that_refuses_the_secret_is_named_without_it() -> None:
    async def run() -> None:
        async with served(token="a-token-that-nobody-guesses") as address:
            with pytest.raises(ToolConnectionError) as caught:
                async with connect(
                    f"{address}?token={SECRET}", headers={"Authorization": f"Bearer {SECRET}"}
                ):
                    pass
        assert SECRET not in "".join(traceback.format_exception(caught.value))

    asyncio.run(run())


def test_a_listing_that_fails_shows_no_secret() -> None:
    server = """
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    info = {"protocolVersion": "2025-06-18", "serverInfo": {"name": "s", "version": "0"}, "capabilities": {"tools": {}}}
    if request.get("method") == "initialize":
        print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": info}), flush=True)
    elif "id" in request:
        error = {"code": -32000, "message": "no"}
        print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "error": error}), flush=True)
"""
    message = told([sys.executable, "-c", server, SECRET], env={"KEY": SECRET})
    assert message == "Server 's': it refused: no (code -32000)"


@pytest.mark.parametrize(
    ("server", "label"),
    [
        ("HTTP://example.com:80/a/b?c", "example.com:80/a/b"),
        ("https://user:p@ss@[::1]:1/", "[::1]:1/"),
        ("  http://example.com  ", "example.com"),
        ("uvx mcp-server-time --local-timezone=UTC", "uvx"),
        (["/opt/node@20/bin/npx", "-y", "@scope/server"], "npx"),
        (["node@20"], "node@20"),
    ],
)
def test_a_target_is_shown_by_its_label(server: Any, label: str) -> None:
    assert repr(target_of(server)) == f"Target(label={label!r})"


INITIALIZED = {
    "protocolVersion": "2025-06-18",
    "serverInfo": {"name": "slow", "version": "0"},
    "capabilities": {"tools": {}},
}
ANSWERS: dict[str, object] = {
    "initialize": INITIALIZED,
    "tools/list": {"tools": [{"name": "long", "inputSchema": {"type": "object"}}]},
}


async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Serve the bare protocol over HTTP, with an answer that never ends and no word of farewell."""
    with suppress(asyncio.IncompleteReadError, ConnectionError):
        while True:
            head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
            if head.startswith("delete"):
                await reader.read()
            length = re.search(r"content-length: (\d+)", head)
            message: dict[str, Any] = json.loads(await reader.readexactly(int(length[1]))) if length else {}
            if message.get("method") == "tools/call":
                writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n")
                while True:
                    writer.write(b" " * 100_000)
                    await writer.drain()
            result = ANSWERS.get(str(message.get("method")), {})
            body = json.dumps({"jsonrpc": "2.0", "id": message.get("id"), "result": result})
            status = "200 OK" if "id" in message else "405 No" if head.startswith("get") else "202 Accepted"
            writer.write(
                f"HTTP/1.1 {status}\r\ncontent-type: application/json\r\nmcp-session-id: 1\r\n"
                f"content-length: {len(body)}\r\n\r\n{body}".encode()
            )
    writer.close()


def test_an_answer_without_end_and_a_farewell_without_answer_are_given_up(monkeypatch: Any) -> None:
    monkeypatch.setattr("tool_core.mcp.targets._FAREWELL", 0.1)

    async def run() -> None:
        server = await asyncio.start_server(talk, "127.0.0.1", 0)
        address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/mcp"
        async with asyncio.timeout(60):
            async with connect(address) as remote:
                endless = (await remote.bound.call("long", {})).result
                assert isinstance(endless, ToolConnectionError)
                await remote.reconnect()
        server.close()

    asyncio.run(run())
