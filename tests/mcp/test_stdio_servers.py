"""Serving over stdio: how it ends, and what a client has read by then."""

from __future__ import annotations

import asyncio
import io
import json
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.mcp.serving import ROOT
from tests.mcp.test_servers import INITIALIZE, tell
from tool_core import Toolkit
from tool_core.mcp import serve

SERVER = """
import asyncio, sys
from typing import Any
from tool_core import Tool, Toolkit
from tool_core.mcp import serve, serve_sync

async def wait(params: Any) -> str:
    print("begun", flush=True)
    try:
        await asyncio.sleep(params[0])
    finally:
        print("ended", flush=True)
    return "x" * int(params[1])

def stop(params: object) -> str:
    asyncio.get_running_loop().call_soon(serving.cancel)
    return "stopped"

kit = Toolkit.make(
    Tool.make("wait", parameters=list[float], success=str),
    Tool.make("now", success=str),
    Tool.make("stop", success=str),
)
bound = kit.bind({"wait": wait, "now": lambda params: "now", "stop": stop}, run_sync=sys.argv[2])
"""
SCRIPT = SERVER + "serve_sync(bound, grace=float(sys.argv[1]))\nprint('after')"


@contextmanager
def started(
    *, code: str = SCRIPT, grace: float = 60, run_sync: str = "inline"
) -> Iterator[subprocess.Popen[bytes]]:
    """Start a server that a client has greeted, and let none survive the test."""
    command = [sys.executable, "-c", code, str(grace), run_sync]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, stderr=pipe) as server:
        watchdog = threading.Timer(120, server.kill)  # or a test that fails would wait for ever
        watchdog.start()
        try:
            tell(server, INITIALIZE)
            assert answer(server)["id"] == 1
            tell(server, {"method": "notifications/initialized"})
            yield server
        finally:
            watchdog.cancel()
            server.kill()


def call(number: int, name: str, params: list[float] | None = None) -> dict[str, object]:
    arguments = {} if params is None else {"value": params}
    return {"id": number, "method": "tools/call", "params": {"name": name, "arguments": arguments}}


def answer(server: subprocess.Popen[bytes]) -> Any:
    assert server.stdout is not None
    return json.loads(server.stdout.readline())


def heard(server: subprocess.Popen[bytes]) -> bytes:
    """Read what a handler printed."""
    assert server.stderr is not None
    return server.stderr.readline().strip()


def rest(server: subprocess.Popen[bytes]) -> tuple[int, bytes]:
    """Wait for the end, and return the exit code with what the client had not read."""
    assert server.stdout is not None
    left = server.stdout.read()
    return server.wait(60), left


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_call_that_runs_at_a_signal_is_answered_in_full(number: int) -> None:
    with started() as server:
        tell(server, call(2, "wait", [1, 1_000_000]))
        assert heard(server) == b"begun"
        server.send_signal(number)
        assert len(answer(server)["result"]["content"][0]["text"]) == 1_000_000
        assert rest(server) == (0, b"after\n")


def test_a_call_that_outlives_the_grace_is_stopped_and_told_so() -> None:
    with started(grace=0.1) as server:
        tell(server, call(2, "wait", [600, 1]))
        assert heard(server) == b"begun"
        server.send_signal(signal.SIGTERM)
        assert answer(server)["error"]["message"] == "the server is shutting down"
        assert rest(server) == (0, b"after\n") and heard(server) == b"ended"


def test_a_server_that_is_stopping_takes_no_calls_and_a_second_signal_stops_those_that_run() -> None:
    with started(grace=600) as server:
        tell(server, call(2, "wait", [600, 1]))
        assert heard(server) == b"begun"
        server.send_signal(signal.SIGTERM)
        number, said = 3, {}
        while "error" not in said:
            tell(server, call(number, "now"))
            number, said = number + 1, answer(server)
        assert said["error"]["message"] == "the server is shutting down"
        server.send_signal(signal.SIGTERM)
        last = answer(server)
        assert (last["id"], last["error"]["message"]) == (2, "the server is shutting down")
        assert rest(server) == (0, b"after\n") and heard(server) == b"ended"


def test_a_client_that_does_not_read_cannot_keep_a_server_that_was_told_to_stop() -> None:
    with started(grace=0.1) as server:
        tell(server, call(2, "wait", [0, 1_000_000]))
        assert (heard(server), heard(server)) == (b"begun", b"ended")
        server.send_signal(signal.SIGTERM)
        assert server.wait(60) == 0


def test_a_client_that_leaves_stops_what_runs_for_it() -> None:
    with started() as server:
        tell(server, call(2, "wait", [600, 1]))
        assert heard(server) == b"begun"
        assert server.stdin is not None
        server.stdin.close()
        assert heard(server) == b"ended"
        code, left = rest(server)
        assert code == 0 and left.endswith(b"after\n")


def test_a_task_that_serves_ends_when_it_is_cancelled() -> None:
    code = (
        SERVER
        + """
async def main() -> None:
    global serving
    serving = asyncio.create_task(serve(bound))
    await asyncio.wait([serving])
    print("cancelled", serving.cancelled(), flush=True)
asyncio.run(main())
"""
    )
    with started(code=code) as server:
        tell(server, call(2, "stop"))
        assert answer(server)["result"]["content"][0]["text"] == "stopped"
        assert rest(server) == (0, b"cancelled True\n")


def test_what_a_script_does_after_serving_takes_as_long_as_it_takes() -> None:
    code = SCRIPT.replace("print('after'", "import time; time.sleep(1); print('after'")
    with started(code=code, grace=0.1, run_sync="thread") as server:
        tell(server, call(2, "now"))
        assert answer(server)["id"] == 2
        assert server.stdin is not None
        server.stdin.close()
        assert rest(server) == (0, b"after\n")


def test_lines_of_any_length_and_the_last_one_without_an_end_are_read() -> None:
    with started() as server:
        assert server.stdin is not None
        padded = json.dumps({"jsonrpc": "2.0", **call(2, "now"), "pad": "é" * 300_000}, ensure_ascii=False)
        server.stdin.write(b"\n\xff\n" + padded.encode() + b"\n")
        server.stdin.flush()
        assert answer(server)["id"] == 2


@pytest.mark.parametrize("is_silent", [True, False])
def test_a_client_that_reads_no_answers_any_more_ends_the_server_without_a_word(is_silent: bool) -> None:
    with started(code=SCRIPT.replace("print('after'", "sys.exit(3")) as server:
        tell(server, call(2, "wait", [600, 1]))
        assert heard(server) == b"begun"
        assert server.stdin is not None and server.stdout is not None and server.stderr is not None
        server.stdout.close()
        if is_silent:
            server.stdin.close()
        else:
            tell(server, call(3, "now"))
        assert heard(server) == b"ended"
        assert (server.wait(60), server.stderr.read()) == (3, b"")


def test_any_streams_will_do_for_stdin_and_stdout(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = json.dumps({"jsonrpc": "2.0", **INITIALIZE})
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(asked.encode())))
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written))
    asyncio.run(serve(Toolkit.empty.bind({}), name="streams"))
    assert json.loads(written.getvalue())["result"]["serverInfo"]["name"] == "streams"
