"""Servers as people install them: connect, list, call, lose, open again."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from tool_core import Progress, ToolConfigurationError, ToolConnectionError, ToolTimeoutError
from tool_core.mcp import Remote, connect, drift, fingerprint, from_mcp_tool, merge, to_mcp_tool


def test_the_time_server_tells_the_time_and_says_what_is_wrong(from_pypi: Path) -> None:
    async def run() -> None:
        async with connect([str(from_pypi / "mcp-server-time")]) as remote:
            assert list(remote.toolkit.tools) == ["get_current_time", "convert_time"]
            oslo: Any = (await remote.bound.call("get_current_time", {"timezone": "Europe/Oslo"})).result
            assert "Europe/Oslo" in str(oslo)
            nowhere = await remote.bound.call("get_current_time", {"timezone": "Europe/Nowhere"})
            assert nowhere.is_failure and "Invalid timezone" in nowhere.to_json()
            assert (await remote.bound.call("get_current_time", {})).is_failure

    asyncio.run(run())


def test_the_git_server_reads_a_repository(from_pypi: Path, tmp_path: Path) -> None:
    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@example.com"]
    for command in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", "begin here"]):
        subprocess.run([*git, *command], check=True)

    async def run() -> None:
        async with connect([str(from_pypi / "mcp-server-git"), "--repository", str(tmp_path)]) as remote:
            log = await remote.bound.call("git_log", {"repo_path": str(tmp_path)})
            assert "begin here" in log.to_json()
            wrong = await remote.bound.call("git_log", {"repo_path": str(tmp_path), "max_count": "ten"})
            assert wrong.is_failure

    asyncio.run(run())


@contextmanager
def website() -> Iterator[str]:
    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = b"<html><body><h1>Hello</h1><p>from the loopback</p></body></html>"
            self.send_response(404 if "robots" in self.path else 200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    server = HTTPServer(("127.0.0.1", 0), Page)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/page"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_the_fetch_server_reads_a_page(from_pypi: Path) -> None:
    async def run(address: str) -> None:
        async with connect([str(from_pypi / "mcp-server-fetch"), "--ignore-robots-txt"]) as remote:
            assert list(remote.toolkit.tools) == ["fetch"]
            result = await remote.bound.call("fetch", {"url": address})
            assert "from the loopback" in result.to_json() or "loopback" in result.to_json()

    with website() as address:
        asyncio.run(run(address))


def test_the_server_with_everything_gives_everything(from_npm: Path) -> None:
    async def run() -> None:
        async with connect([str(from_npm / "mcp-server-everything")]) as remote:
            bound = remote.bound
            assert (await bound.call("echo", {"message": "hi"})).result == "Echo: hi"
            assert (await bound.call("echo", {})).is_failure
            image: Any = (await bound.call("get-tiny-image", {})).result
            assert "image" in [block["type"] for block in image]
            links: Any = (await bound.call("get-resource-links", {"count": 2})).result
            assert [block["type"] for block in links].count("resource_link") == 2
            resource: Any = (
                await bound.call("get-resource-reference", {"resourceType": "Blob", "resourceId": 1})
            ).result
            assert "resource" in [block["type"] for block in resource]
            weather: Any = (await bound.call("get-structured-content", {"location": "Chicago"})).result
            assert set(weather) >= {"temperature", "conditions"}
            steps = [
                item.result
                async for item in bound.handle(
                    "trigger-long-running-operation", {"duration": 0.5, "steps": 2}
                )
            ]
            assert steps[:2] == [Progress(1, 2), Progress(2, 2)]

    asyncio.run(run())


def test_a_published_server_that_takes_too_long_costs_one_call_only(from_npm: Path) -> None:
    async def run() -> None:
        async with connect([str(from_npm / "mcp-server-everything")], timeout=1.5) as remote:
            stopped = await remote.bound.call("trigger-long-running-operation", {"duration": 60, "steps": 1})
            assert isinstance(stopped.result, ToolTimeoutError)
            assert (await remote.bound.call("echo", {"message": "still here"})).result == "Echo: still here"

    asyncio.run(run())


def test_the_file_server_stays_in_its_folder(from_npm: Path, tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("remember the milk")

    async def run() -> None:
        async with connect(
            [str(from_npm / "mcp-server-filesystem"), str(tmp_path)], prefix="files_"
        ) as remote:
            read = await remote.bound.call("files_read_text_file", {"path": str(tmp_path / "note.txt")})
            assert "remember the milk" in read.to_json() and not read.is_failure
            outside = await remote.bound.call("files_read_text_file", {"path": "/etc/passwd"})
            assert outside.is_failure and "denied" in outside.to_json()

    asyncio.run(run())


def test_the_memory_server_remembers_what_it_was_told(from_npm: Path, tmp_path: Path) -> None:
    env = {"MEMORY_FILE_PATH": str(tmp_path / "memory.jsonl")}
    entity = {"name": "Oslo", "entityType": "city", "observations": ["has a fjord"]}

    async def run() -> None:
        async with connect([str(from_npm / "mcp-server-memory")], env=env) as remote:
            await remote.bound.call("create_entities", {"entities": [entity]})
            graph = await remote.bound.call("read_graph", {})
            assert "has a fjord" in graph.to_json()
            assert isinstance(graph.result, dict)

    asyncio.run(run())


def killed(remote: Remote) -> None:
    """Kill what we started, as the system does when memory runs out."""
    children = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()
    for child in children:
        if Path(f"/proc/{child}/cmdline").read_bytes().find(b"mcp-server-memory") >= 0:
            os.kill(int(child), signal.SIGKILL)


def test_a_killed_server_is_missed_at_once_and_opened_again(from_npm: Path, tmp_path: Path) -> None:
    if not Path("/proc/self/task").exists():
        pytest.skip("this system does not list the children of a process")
    env = {"MEMORY_FILE_PATH": str(tmp_path / "memory.jsonl")}

    async def run() -> None:
        async with connect([str(from_npm / "mcp-server-memory")], env=env, timeout=20) as remote:
            killed(remote)
            lost = await remote.bound.call("read_graph", {})
            assert isinstance(lost.result, ToolConnectionError)
            await remote.reconnect()
            assert not (await remote.bound.call("read_graph", {})).is_failure

    asyncio.run(run())


def test_servers_live_together_and_are_held_to_their_fingerprints(from_pypi: Path, from_npm: Path) -> None:
    commands = {
        "time_": [str(from_pypi / "mcp-server-time")],
        "any_": [str(from_npm / "mcp-server-everything")],
    }

    async def run() -> None:
        async with (
            connect(commands["time_"], prefix="time_") as time,
            connect(commands["any_"], prefix="any_") as everything,
        ):
            both = merge(time, everything)
            assert (await both.call("any_echo", {"message": "hi"})).result == "Echo: hi"
            assert not (await both.call("time_get_current_time", {"timezone": "UTC"})).is_failure
            definitions = await time.session.list_tools()
        async with connect(commands["time_"], expect=fingerprint(definitions)) as again:
            assert not drift(definitions, again.toolkit)
            assert [to_mcp_tool(tool)["name"] for tool in again.toolkit] == [
                "get_current_time",
                "convert_time",
            ]
        with pytest.raises(ToolConfigurationError, match="offers other tools than expected"):
            async with connect(commands["any_"], expect=[from_mcp_tool(item) for item in definitions]):
                pass

    asyncio.run(run())


def test_a_locked_server_that_announces_the_same_tools_again_can_be_called(from_npm: Path) -> None:
    """This server announces a change right after the handshake, and then lists what it listed before."""

    async def run() -> None:
        command = [str(from_npm / "mcp-server-everything")]
        async with connect(command) as remote:
            agreed = fingerprint(remote.toolkit)
        async with connect(command, expect=agreed) as remote:
            await asyncio.sleep(0.5)
            assert (await remote.bound.call("echo", {"message": "hi"})).result == "Echo: hi"

    asyncio.run(run())
