"""Serving over HTTP: who is let in, what a thousand calls cost, and what a vanished client leaves."""

from __future__ import annotations

import asyncio
import gc
import hmac
import json
import logging
import os
import socket
import threading
from typing import Any

import httpx2
import pytest
from mcp import Client

from tests.mcp.offered import offered, running
from tests.mcp.serving import served, until
from tests.mcp.test_servers import INITIALIZE, process
from tool_core import Tool, ToolConnectionError, Toolkit
from tool_core.mcp import connect
from tool_core.mcp.http_servers import Address, Guard

TOKEN = "a-token-that-nobody-guesses"
ACCEPT = {"accept": "application/json, text/event-stream"}


def answered(headers: dict[str, str], **options: Any) -> int:
    """Send one request and return the status of the answer."""

    async def run() -> int:
        async with served(**options) as address, httpx2.AsyncClient() as client:
            port = address.split(":")[2].split("/")[0]
            given = {key: value.replace("PORT", port) for key, value in headers.items()}
            return (await client.post(address, json=INITIALIZE, headers={**ACCEPT, **given})).status_code

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("headers", "options", "status"),
    [
        ({}, {}, 200),
        ({"host": "localhost:PORT"}, {}, 200),
        ({"host": "evil.example.com:PORT"}, {}, 421),
        ({"host": "127.0.0.1:1"}, {}, 421),
        ({"host": "127.0.0.1.evil.example.com:PORT"}, {}, 421),
        ({"host": "tools.example.com"}, {"allowed_hosts": ["tools.example.com"]}, 200),
        ({"origin": "http://localhost:PORT"}, {}, 200),
        ({"origin": "https://evil.example.com"}, {}, 403),
        ({"origin": "null"}, {}, 403),
        ({"origin": "null"}, {"token": TOKEN}, 401),
        ({"origin": "null", "authorization": f"Bearer {TOKEN}"}, {"token": TOKEN}, 403),
        ({"origin": "http://[::1]:PORT", "host": "[::1]:PORT"}, {}, 200),
        ({"origin": "http://localhost:PORT.evil.example.com"}, {}, 403),
        ({"origin": "file://"}, {}, 403),
        ({"host": ""}, {}, 421),
        ({"host": "localhost"}, {}, 421),
        ({"origin": "http://localhost:1"}, {}, 403),
        ({"origin": "https://app.example.com"}, {"allowed_origins": ["https://app.example.com"]}, 200),
        ({}, {"token": TOKEN}, 401),
        ({"authorization": f"Bearer {TOKEN}x"}, {"token": TOKEN}, 401),
        ({"authorization": TOKEN}, {"token": TOKEN}, 401),
        ({"authorization": f"Bearer {TOKEN}"}, {"token": TOKEN}, 200),
        ({"authorization": f"Bearer {TOKEN}", "origin": "https://evil.example.com"}, {"token": TOKEN}, 403),
    ],
)
def test_only_who_should_gets_in(headers: dict[str, str], options: Any, status: int) -> None:
    assert answered(headers, **options) == status


@pytest.mark.parametrize(
    ("host", "names"),
    [
        ("127.0.0.1", ["127.0.0.1", "localhost", "[::1]"]),
        ("localhost", ["127.0.0.1", "localhost", "[::1]"]),
        ("::1", ["127.0.0.1", "localhost", "[::1]"]),
        ("0:0:0:0:0:0:0:1", ["127.0.0.1", "localhost", "[::1]", "[0:0:0:0:0:0:0:1]"]),
        ("127.0.0.2", ["127.0.0.1", "localhost", "[::1]", "127.0.0.2"]),
    ],
)
def test_an_address_lets_in_what_clients_call_it(host: str, names: list[str]) -> None:
    address = Address(host, 0, "/mcp", None, ("tools.example.com",), ("https://app.example.com",))
    for port, hosts in (
        (8000, [f"{name}:8000" for name in names]),
        (80, [*(f"{name}:80" for name in names), *names]),  # which is the port that nobody writes
        (443, [f"{name}:443" for name in names]),
    ):
        let_in = address.security(port)
        hosts = [*hosts, "tools.example.com"]
        assert let_in.enable_dns_rebinding_protection
        assert sorted(let_in.allowed_hosts) == sorted(hosts)
        origins = [f"{scheme}://{name}" for name in hosts for scheme in ("http", "https")]
        assert sorted(let_in.allowed_origins) == sorted([*origins, "https://app.example.com"])


@pytest.mark.parametrize("host", ["localhost", "::1", "127.0.0.2"])
def test_every_name_of_this_machine_can_be_served_and_called(host: str) -> None:
    async def run() -> None:
        async with served(host=host) as address, connect(address) as remote:
            assert address.startswith(f"http://[{host}]:" if ":" in host else f"http://{host}:")
            assert (await remote.bound.call("double", {"n": 2})).result == {"n": 4}

    try:
        with socket.create_server((host, 0), family=socket.AF_INET6 if ":" in host else socket.AF_INET):
            pass
    except OSError:
        pytest.skip(f"this machine has no {host}")
    asyncio.run(run())


def test_a_token_is_compared_in_constant_time_and_given_once(monkeypatch: Any) -> None:
    compared: list[tuple[bytes, bytes]] = []

    def compare(one: bytes, other: bytes) -> bool:
        compared.append((one, other))
        return one == other

    monkeypatch.setattr(hmac, "compare_digest", compare)
    right = f"Bearer {TOKEN}".encode()

    async def asked(*given: bytes) -> int:
        sent: list[Any] = []

        async def app(scope: Any, receive: Any, send: Any) -> None:
            await send({"type": "http.response.start", "status": 200})

        async def send(message: Any) -> None:
            sent.append(message)

        async def receive() -> Any:
            raise AssertionError("nobody reads the body of a stranger")

        headers = [(b"authorization", value) for value in given]
        await Guard(app, TOKEN)({"type": "http", "headers": headers}, receive, send)
        status: int = sent[0]["status"]
        return status

    wrong = [b"Bearer", b"", b"bearer " + TOKEN.encode(), right + b" ", right[:-1], b"\xff" * 40]
    statuses = [asyncio.run(asked(value)) for value in (right, *wrong)]
    assert statuses == [200] + [401] * len(wrong)
    assert compared == [(value, right) for value in (right, *wrong)]
    assert asyncio.run(asked()) == asyncio.run(asked(right, right)) == 401


def test_the_new_era_is_guarded_as_the_old_one() -> None:
    headers = {"mcp-protocol-version": "2026-07-28", "origin": "https://evil.example.com"}
    assert answered(headers) == 403
    assert answered({"mcp-protocol-version": "2026-07-28"}, token=TOKEN) == 401


def test_a_server_listens_to_this_machine_only_by_default() -> None:
    async def run() -> str:
        async with served() as address:
            return address

    assert asyncio.run(run()).startswith("http://127.0.0.1:")


def test_our_client_sends_the_token_and_nobody_logs_it(caplog: Any) -> None:
    caplog.set_level(logging.DEBUG)

    async def run() -> None:
        async with served(token=TOKEN) as address:
            async with connect(address, headers={"Authorization": f"Bearer {TOKEN}"}) as remote:
                assert (await remote.bound.call("double", {"n": 2})).result == {"n": 4}
                assert TOKEN not in repr(remote)
            with pytest.raises(ToolConnectionError) as caught:
                async with connect(address, headers={"Authorization": f"Bearer {TOKEN}x"}):
                    pass
            assert TOKEN not in str(caught.value)

    asyncio.run(run())
    assert TOKEN not in caplog.text


def test_a_server_that_stops_fails_the_calls_of_our_client_and_a_new_one_can_be_reached() -> None:
    async def run() -> None:
        async with served(grace=0.1) as address:
            port = int(address.split(":")[2].split("/")[0])
            context = connect(address, timeout=20)
            remote = await context.__aenter__()
            pending = [asyncio.create_task(remote.bound.call("wait", {"n": 60})) for _ in range(3)]
            await until(lambda: len(running) == 3)
        for task in pending:
            assert (await task).result == "the server is shutting down (code -32603)"
        assert isinstance((await remote.bound.call("double", {"n": 1})).result, ToolConnectionError)
        async with served(port=port):
            await remote.reconnect()
            assert (await remote.bound.call("double", {"n": 1})).result == {"n": 2}
            await context.__aexit__(None, None, None)

    asyncio.run(run())


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (None, "it did not answer within 1 seconds"),
        (b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n", "it refused: Not Found (code -32601)"),
        (
            b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 2\r\n\r\nhi",
            "it refused: Unexpected content type: text/html (code -32600)",
        ),
        (b"hello\r\n\r\n", "it could not be reached (RemoteProtocolError)"),
    ],
)
def test_what_is_no_mcp_server_is_said_to_be_none(answer: bytes | None, reason: str) -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1000)
        if answer is not None:
            writer.write(answer)
            await writer.drain()
        else:
            await reader.read()
        writer.close()

    async def run() -> None:
        server = await asyncio.start_server(talk, "127.0.0.1", 0)
        address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/mcp"
        try:
            with pytest.raises(ToolConnectionError) as caught:
                async with connect(address, connect_timeout=1 if answer is None else 10):
                    pass
            assert caught.value.reason == reason
        finally:
            server.close()

    asyncio.run(run())


def test_a_large_result_arrives_whole() -> None:
    large = Toolkit.make(Tool.make("large", success=str)).bind({"large": lambda params: "x" * 5_000_000})

    async def run() -> None:
        async with served(large) as address, connect(address) as remote:
            assert len(str((await remote.bound.call("large", {})).result)) == 5_000_000

    asyncio.run(run())


def test_a_server_that_is_killed_fails_the_calls_of_our_client() -> None:
    async def run() -> None:
        with process("http") as (server, address):
            async with connect(address, timeout=20) as remote:
                pending = [asyncio.create_task(remote.bound.call("wait", {"n": 60})) for _ in range(3)]
                await asyncio.sleep(0.5)
                server.kill()
                for task in pending:
                    assert isinstance((await task).result, ToolConnectionError)
                assert isinstance((await remote.bound.call("double", {"n": 1})).result, ToolConnectionError)

    asyncio.run(run())


@pytest.mark.skipif(
    not os.path.exists("/proc/self/statm"), reason="this system does not say what memory is used"
)
@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_thousand_calls_at_once_get_their_own_answers_in_bounded_memory(mode: str) -> None:
    async def run() -> None:
        async with served() as address, Client(address, mode=mode) as client:
            await hundreds(client, 1)
            gc.collect()
            before, most = resident(), 0

            async def watch() -> None:
                nonlocal most
                while True:
                    most = max(most, resident())
                    await asyncio.sleep(0.02)

            watching = asyncio.create_task(watch())
            for _ in range(2):
                await hundreds(client, 10)
            watching.cancel()
        assert most - before < 200_000_000, f"{most - before} bytes more than at rest"

    asyncio.run(run())


def resident() -> int:
    """Return the bytes of memory that this process has: server, client and test together."""
    with open("/proc/self/statm") as said:
        return int(said.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


async def hundreds(client: Client, count: int) -> None:
    numbers = range(count * 100)
    answers = await asyncio.gather(*(client.call_tool("double", {"n": number}) for number in numbers))
    assert [answer.structured_content for answer in answers] == [{"n": number * 2} for number in numbers]


def descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


@pytest.mark.skipif(not os.path.exists("/proc/self/fd"), reason="this system does not list open files")
@pytest.mark.parametrize("version", ["2026-07-28", "2025-11-25"])
def test_a_client_that_vanishes_mid_call_leaves_nothing_behind(version: str) -> None:
    async def run() -> None:
        async with served(offered(timeout=None), session_idle=0.5) as address:
            async with Client(address) as client:
                await client.call_tool("block", {"n": 0})  # the threads of the toolkit are there to stay
            await vanishing(address, version)  # and so is what the SDK starts with its first stream
            await asyncio.sleep(1)
            before = (len(asyncio.all_tasks()), threading.active_count(), descriptors())
            for _ in range(5):
                await vanishing(address, version)
            await until(lambda: not running)
            await until(lambda: (len(asyncio.all_tasks()), threading.active_count(), descriptors()) <= before)

    asyncio.run(run())


async def vanishing(address: str, version: str) -> None:
    """Call a tool on a bare socket, and close it without a word while the tool runs."""
    head, body = call_without_session() if version == "2026-07-28" else await call_in_session(address)
    host, port = address.split("/")[2].split(":")
    _, writer = await asyncio.open_connection(host, int(port))
    payload = json.dumps(body).encode()
    lines = ["POST /mcp HTTP/1.1", f"host: {host}:{port}", f"content-length: {len(payload)}"]
    lines += [
        f"{name}: {value}" for name, value in {**ACCEPT, "content-type": "application/json", **head}.items()
    ]
    writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + payload)
    await until(lambda: bool(running))
    writer.close()
    await until(lambda: not running)


def call_without_session() -> tuple[dict[str, str], object]:
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    params = {"name": "wait", "arguments": {"n": 60}, "_meta": meta}
    head = {"mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "wait"}
    return head, {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params}


async def call_in_session(address: str) -> tuple[dict[str, str], object]:
    async with httpx2.AsyncClient() as client:
        opened = await client.post(address, json=INITIALIZE, headers=ACCEPT)
        head = {"mcp-session-id": opened.headers["mcp-session-id"]}
        ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}
        await client.post(address, json=ready, headers={**ACCEPT, **head})
    params = {"name": "wait", "arguments": {"n": 60}}
    return head, {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params}
