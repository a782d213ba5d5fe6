"""Serving a toolkit: the official client and FastMCP's read what the toolkit promises."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import mcp_types
import pytest
from fastmcp import Client as FastClient
from mcp import Client, MCPError

from tests.mcp.offered import SECRET, offered, paid, running
from tests.mcp.serving import ROOT, WAYS, in_process_of_its_own, official, served, until
from tool_core import Tool, ToolConfigurationError, Toolkit
from tool_core.mcp import connect, serve, to_mcp_tool

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
every_way = pytest.mark.parametrize("way", WAYS, ids="-".join)

OUTCOMES: list[tuple[str, dict[str, object], bool, object, str]] = [
    ("double", {"n": 2}, False, {"n": 4}, '{"n":4}'),
    ("total", {"value": [1, 2]}, False, None, "3"),
    ("shout", {"value": "hi"}, False, None, "HI!"),
    ("nothing", {}, False, None, "null"),
    ("listing", {}, False, None, "[1,2]"),
    ("short", {"n": 3}, True, None, '{"missing":3}'),
    ("shortly", {"n": 3}, True, None, '{"missing":3}'),
    ("double", {"n": "2"}, True, None, "Invalid parameters for tool 'double': $.n: expected an integer, got the string '2'"),
    ("total", {}, True, None, "Invalid parameters for tool 'total': $: expected an object with the key 'value', got an empty object"),
    ("broken", {}, True, None, "Tool 'broken' could not complete because of an internal error"),
    ("garbled", {}, True, None, "Tool 'garbled' returned an invalid result"),
]  # fmt: skip


@every_way
def test_the_official_client_reads_every_outcome(way: tuple[str, str]) -> None:
    async def run() -> None:
        async with official(way) as client:
            for name, arguments, is_error, structured, said in OUTCOMES:
                result = await client.call_tool(name, arguments)
                text = result.content[0].text  # type: ignore[union-attr]  # pyright: ignore[reportAttributeAccessIssue]
                if text.startswith('{"type":'):
                    text = json.loads(text)["message"]
                assert (result.is_error, result.structured_content, text) == (is_error, structured, said), (
                    name
                )
                assert SECRET not in str(result) and "Traceback" not in str(result)

    asyncio.run(run())


@every_way
def test_the_list_is_what_the_tools_say(way: tuple[str, str]) -> None:
    async def run() -> None:
        async with official(way) as client:
            listed = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert list(listed) == [tool.name for tool in offered().toolkit]
        for tool in offered().toolkit:
            sent = listed[tool.name].model_dump(by_alias=True, exclude_none=True, mode="json")
            assert sent == json.loads(json.dumps(to_mcp_tool(tool)))

    asyncio.run(run())


@every_way
def test_images_reach_the_client_as_images(way: tuple[str, str]) -> None:
    async def run() -> list[str]:
        async with official(way) as client:
            return [block.type for block in (await client.call_tool("chart", {})).content]

    assert asyncio.run(run()) == ["text", "image"]


@every_way
def test_preliminary_results_are_progress(way: tuple[str, str]) -> None:
    async def run() -> None:
        heard: list[tuple[float, float | None, str | None]] = []

        async def hear(progress: float, total: float | None, message: str | None) -> None:
            heard.append((progress, total, message))

        async with official(way) as client:
            await client.call_tool("count", {"n": 3}, progress_callback=hear)
            await client.call_tool("stages", {"n": 2}, progress_callback=hear)
            await client.call_tool("stages", {"n": 2})
        assert heard == [(1, None, "0"), (2, None, "1"), (3, None, "2"), (1, 2, "stage 1"), (2, 2, "stage 2")]

    asyncio.run(run())


@every_way
def test_an_unknown_tool_is_a_protocol_error_that_names_the_known_ones(way: tuple[str, str]) -> None:
    async def run() -> None:
        async with official(way) as client:
            with pytest.raises(MCPError) as caught:
                await client.call_tool("dubble", {})
        assert caught.value.code == mcp_types.INVALID_PARAMS
        assert str(caught.value).startswith("Tool 'dubble' not found. Available tools: double,")

    asyncio.run(run())


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_a_cancelled_call_stops_its_handler(mode: str) -> None:
    async def run() -> None:
        async with served() as address, Client(address, mode=mode) as client:
            task = asyncio.create_task(client.call_tool("wait", {"n": 60}))
            await until(lambda: bool(running))
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            await until(lambda: not running)
            assert (await client.call_tool("double", {"n": 1})).structured_content == {"n": 2}

    asyncio.run(run())


def test_a_timeout_of_the_toolkit_holds_for_clients() -> None:
    async def run() -> None:
        async with served(offered(timeout={"wait": 0.2})) as address, Client(address) as client:
            result = await client.call_tool("wait", {"n": 60})
        assert result.is_error and "timed out after 0.2 seconds" in str(result.content)

    asyncio.run(run())


def test_no_more_calls_run_at_once_than_the_toolkit_allows() -> None:
    most = 0

    async def watched(call: Any, next_: Any) -> Any:
        nonlocal most
        most = max(most, len(running))
        return await next_(call)

    async def run() -> None:
        async with served(offered(concurrency=3, wrap=watched)) as address, Client(address) as client:
            await asyncio.gather(*(client.call_tool("wait", {"n": 0}) for _ in range(30)))

    asyncio.run(run())
    assert most <= 3


# --- approval ------------------------------------------------------------------------------------


def answering(action: Any, content: Any = None, asked: list[str] | None = None) -> Any:
    async def answer(context: object, params: Any) -> mcp_types.ElicitResult:
        if asked is not None:
            asked.append(params.message)
        return mcp_types.ElicitResult(action=action, content=content)

    return answer


@every_way
@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (("accept", {"approve": True}), "paid 7"),
        (("accept", {"approve": False}), '{"type":"execution-denied","reason":"the user said no"}'),
        (("accept", None), '{"type":"execution-denied","reason":"the user said no"}'),
        (("decline", None), '{"type":"execution-denied","reason":"the user said no"}'),
        (("cancel", None), '{"type":"execution-denied","reason":"the question was dismissed"}'),
    ],
)
def test_approval_is_asked_for_through_elicitation(way: tuple[str, str], answer: Any, said: str) -> None:
    async def run() -> None:
        asked: list[str] = []
        async with official(way, elicitation_callback=answering(answer[0], answer[1], asked)) as client:
            result = await client.call_tool("pay", {"amount": 7})
            small = await client.call_tool("tip", {"amount": 7})
        assert (result.content[0].text, result.is_error) == (said, said != "paid 7")  # type: ignore[union-attr]  # pyright: ignore[reportAttributeAccessIssue]
        assert not small.is_error
        assert asked == ["May the tool 'pay' run with these arguments?\n{\"amount\":7}"]

    asyncio.run(run())


@every_way
def test_a_client_that_cannot_be_asked_is_refused_with_the_reason(way: tuple[str, str]) -> None:
    async def run() -> mcp_types.CallToolResult:
        async with official(way) as client:
            return await client.call_tool("pay", {"amount": 7})

    result = asyncio.run(run())
    assert result.is_error
    assert "this client cannot ask for it: it does not support elicitation" in str(result.content)


def test_a_client_that_fails_to_ask_has_not_approved() -> None:
    async def fail(context: object, params: Any) -> mcp_types.ErrorData:
        return mcp_types.ErrorData(code=-1, message="no screen")

    async def run() -> None:
        async with served() as address, Client(address, mode="legacy", elicitation_callback=fail) as client:
            result = await client.call_tool("pay", {"amount": 7})
        assert result.is_error and "the client did not answer the question" in str(result.content)

    asyncio.run(run())


def test_wrong_arguments_are_refused_before_anybody_is_asked() -> None:
    async def run() -> None:
        asked: list[str] = []
        async with (
            served() as address,
            Client(address, elicitation_callback=answering("accept", asked=asked)) as client,
        ):
            assert "expected an integer" in str(await client.call_tool("pay", {"amount": "7"}))
        assert asked == []

    asyncio.run(run())


def test_an_approval_fits_one_call_with_its_arguments_once() -> None:
    """A client of the new era carries the question itself, and may try to use the answer for more."""

    async def run() -> None:
        async with served() as address, Client(address, elicitation_callback=answering("accept")) as client:
            yes: Any = {"approval": mcp_types.ElicitResult(action="accept", content={"approve": True})}

            async def again(amount: int, state: str, responses: Any = yes) -> str:
                result = await client.session.call_tool(
                    "pay",
                    {"amount": amount},
                    input_responses=responses,
                    request_state=state,
                    allow_input_required=True,
                )
                return str(getattr(result, "content", result))

            asked: Any = await client.session.call_tool("pay", {"amount": 5}, allow_input_required=True)
            paid.clear()
            assert "not issued for this call and these arguments" in await again(5000, asked.request_state)
            assert "did not answer the question" in await again(5, asked.request_state, {})
            assert "paid 5" in await again(5, asked.request_state)
            assert "already used" in await again(5, asked.request_state)
            for forged in ("", "approval_0_1", "approval_" + "0" * 40 + "_x", "é_é_é"):
                assert "paid" not in await again(5, forged)
            assert paid == [5]

    asyncio.run(run())


# --- FastMCP -------------------------------------------------------------------------------------


def test_fastmcps_client_lists_calls_hears_progress_and_approves() -> None:
    async def run() -> None:
        heard: list[float] = []

        async def hear(progress: float, total: float | None, message: str | None) -> None:
            heard.append(progress)

        async def approve(message: str, response_type: Any, params: Any, context: Any) -> Any:
            return {"approve": True}

        async with served() as address, FastClient(address, elicitation_handler=approve) as client:
            assert [tool.name for tool in await client.list_tools()][:2] == ["double", "total"]
            assert (await client.call_tool("double", {"n": 4})).structured_content == {"n": 8}
            await client.call_tool("stages", {"n": 3}, progress_handler=hear)
            assert heard == [1, 2, 3]
            failed = await client.call_tool("short", {"n": 4}, raise_on_error=False)
            assert failed.is_error and '{"missing":4}' in str(failed.content)
            assert "paid 9" in str((await client.call_tool("pay", {"amount": 9})).content)

    asyncio.run(run())


def test_fastmcps_client_talks_to_a_process_of_its_own() -> None:
    async def run() -> None:
        config = {"mcpServers": {"mine": in_process_of_its_own().model_dump(exclude_none=True)}}
        async with FastClient(config) as client:
            assert (await client.call_tool("double", {"n": 4})).structured_content == {"n": 8}

    asyncio.run(run())


# --- ours to ours --------------------------------------------------------------------------------


def test_a_served_toolkit_comes_back_through_connect() -> None:
    async def run() -> None:
        async with served() as address, connect(address, prefix="far_") as remote:
            bound = remote.bound
            assert (await bound.call("far_double", {"n": 4})).result == {"n": 8}
            assert (await bound.call("far_total", {"value": [1, 2]})).result == "3"
            blocks: Any = (await bound.call("far_chart", {})).result
            assert [block["type"] for block in blocks] == ["text", "image"]
            assert (await bound.call("far_short", {"n": 3})).is_failure
            assert len([item async for item in bound.handle("far_stages", {"n": 3})]) == 4
            async with served(remote.bound) as proxy, Client(proxy) as client:
                image = (await client.call_tool("far_chart", {})).content[1]
                assert image.type == "image"
                heard: list[float] = []

                async def hear(progress: float, total: float | None, message: str | None) -> None:
                    heard.append(progress)

                await client.call_tool("far_stages", {"n": 3}, progress_callback=hear)
                assert heard == [1, 2, 3]

    asyncio.run(run())


# --- options and ends ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bound", "transport", "options", "message"),
    [
        ("kit", "http", {}, "serve takes a bound toolkit, not str"),
        (offered(), "tcp", {}, "transport is 'stdio' or 'http', not 'tcp'"),
        (offered(), "http", {"prot": 1}, "serve has no option 'prot'"),
        (offered(), "http", {"token": "short"}, "a token is a secret of at least 16 letters, digits and signs"),
        (offered(), "http", {"token": "read-from-a-file-with-its-end\n"}, "a token is a secret of at least 16 letters, digits and signs"),
        (offered(), "http", {"token": b"x" * 16}, "a token is a secret of at least 16 letters, digits and signs"),
        (offered(), "http", {"host": ""}, "serving on '' lets the network call the tools: give a token"),
        (offered(), "http", {"host": None}, "host is a text, not NoneType"),
        (offered(), "http", {"port": "80"}, "port is a number, not str"),
        (offered(), "http", {"port": 70_000}, "cannot listen on 127.0.0.1:70000: there is no such address"),
        (offered(), "http", {"host": "no.such.host.invalid", "token": "x" * 16, "port": 0}, "cannot listen on no.such.host.invalid:0: Name or service not known"),
        (offered(), "http", {"allowed_hosts": "tools.example.com"}, "allowed_hosts is a list of texts, not str"),
        (offered(), "http", {"grace": "5"}, "grace is a number of seconds, not '5'"),
        (offered(), "stdio", {"grace": -1}, "grace is a number of seconds, not -1"),
        (offered(), "http", {"host": "0.0.0.0"}, "serving on '0.0.0.0' lets the network call the tools: give a token"),
        (offered(), "http", {"path": "mcp"}, "path begins with a slash, unlike 'mcp'"),
        (offered(), "http", {"port": 1, "host": "127.0.0.1", "token": "x" * 16}, "cannot listen on 127.0.0.1:1: Permission denied"),
    ],
)  # fmt: skip
def test_what_cannot_be_served_is_said_at_once(
    bound: Any, transport: Any, options: Any, message: str
) -> None:
    if "cannot listen" in message and os.geteuid() == 0:
        pytest.skip("root may listen on any port")
    with pytest.raises(ToolConfigurationError) as caught:
        asyncio.run(serve(bound, transport, **options))
    assert caught.value.description == message


def test_a_taken_port_is_said_to_be_taken() -> None:
    async def run() -> None:
        async with served() as address:
            port = int(address.rpartition(":")[2].partition("/")[0])
            with pytest.raises(
                ToolConfigurationError, match=f"cannot listen on 127.0.0.1:{port}: Address already in use"
            ):
                await serve(offered(), "http", port=port)

    asyncio.run(run())


def test_a_provider_tool_without_a_handler_is_not_offered() -> None:
    search = Tool.provider_defined(
        id="openai.web_search", custom_name="WebSearch", provider_name="web_search"
    )()
    bound = Toolkit.make(search, Tool.make("now", success=int)).bind({"now": lambda params: 12})

    async def run() -> list[str]:
        async with served(bound) as address, Client(address) as client:
            return [tool.name for tool in (await client.list_tools()).tools]

    assert asyncio.run(run()) == ["now"]


def test_running_calls_may_finish_when_the_server_is_told_to_stop() -> None:
    async def run() -> None:
        ready: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        serving = asyncio.create_task(serve(offered(), "http", port=0, grace=10, on_ready=ready.set_result))
        async with Client(await ready) as client:
            await client.list_tools()  # or the client would do so after the call, when nobody answers
            task = asyncio.create_task(client.call_tool("wait", {"n": 1}))
            await until(lambda: bool(running))
            serving.cancel()
            assert not (await task).is_error
        await asyncio.wait([serving])

    asyncio.run(run())


async def called_for_ever(client: Client) -> None:
    while True:
        await client.call_tool("double", {"n": 1})


def test_a_server_that_is_told_to_stop_twice_does_not_wait_for_running_calls() -> None:
    async def run() -> None:
        ready: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        serving = asyncio.create_task(serve(offered(), "http", port=0, grace=600, on_ready=ready.set_result))
        async with asyncio.timeout(60), Client(await ready) as client:
            await client.list_tools()
            waiting = asyncio.create_task(client.call_tool("wait", {"n": 600}))
            await until(lambda: bool(running))
            serving.cancel()
            with pytest.raises(MCPError, match="the server is shutting down"):
                await called_for_ever(client)
            assert not waiting.done()
            serving.cancel()
            with pytest.raises(MCPError, match="the server is shutting down"):
                await waiting
            await asyncio.wait([serving])
        assert serving.cancelled() and not running

    asyncio.run(run())


INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "c", "version": "0"},
    },
}


@contextmanager
def process(*arguments: str) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """Start a server that answers, and let none survive the test."""
    command = [sys.executable, "-m", "tests.mcp.offered", *arguments]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, stderr=pipe) as started:
        try:
            assert started.stdout is not None
            if "http" not in arguments:
                tell(started, INITIALIZE)
            yield started, started.stdout.readline().decode().strip()
        finally:
            started.kill()


def tell(process: subprocess.Popen[bytes], *messages: object) -> None:
    assert process.stdin is not None
    for message in messages:
        process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")  # type: ignore[dict-item]  # pyright: ignore[reportGeneralTypeIssues]
    process.stdin.flush()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_a_signal_ends_the_process(number: int, transport: str) -> None:
    with process(transport) as (server, _):
        server.send_signal(number)
        assert server.wait(10) == 0
        assert server.stderr is not None and server.stderr.read() == b""


def test_a_client_that_vanishes_leaves_no_process_even_while_a_thread_works() -> None:
    with process() as (server, _):
        call = {"id": 2, "method": "tools/call", "params": {"name": "block", "arguments": {"n": 60}}}
        tell(server, {"method": "notifications/initialized"}, call)
        assert server.stdin is not None and server.stdout is not None and server.stderr is not None
        assert server.stderr.readline() == b"what handlers print must not reach the wire\n"
        server.stdin.close()
        assert server.wait(15) == 0
        assert b"what handlers print" not in server.stdout.read()


def test_garbage_from_a_client_does_not_stop_the_server() -> None:
    with process() as (server, _):
        assert server.stdin is not None and server.stdout is not None
        for line in (
            b"not json",
            b"[]",
            b"null",
            b'{"jsonrpc": "2.0"}',
            b"\xff\xfe",
            b"[" * 5000,
            b'{"id": {}}',
        ):
            server.stdin.write(line + b"\n")
        call = {"id": 9, "method": "tools/call", "params": {"name": "double", "arguments": {"n": 2}}}
        wrong = {"id": 8, "method": "tools/call", "params": {"name": "double", "arguments": [1]}}
        tell(server, {"method": "notifications/initialized"}, wrong, {"id": 7, "method": "nonsense"}, call)
        while b'"id":9' not in (line := server.stdout.readline()):
            assert b"Traceback" not in line
        assert json.loads(line)["result"]["structuredContent"] == {"n": 4}


def test_serving_from_a_script_returns_when_the_client_leaves() -> None:
    code = "from tests.mcp.offered import offered; from tool_core.mcp import serve_sync; serve_sync(offered()); print('after')"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, input=b"", capture_output=True, timeout=30)
    assert (done.returncode, done.stdout) == (0, b"after\n")
