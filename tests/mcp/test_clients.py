"""Connecting to servers: what they send becomes results, and what they do wrong stays theirs."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import os
import sys
import time
import types
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

import tool_core.mcp
from tests.mcp.serving import until
from tool_core import (
    BoundToolkit,
    Call,
    Context,
    HandlerContext,
    HandlerResult,
    InvalidToolResultError,
    Key,
    Next,
    Progress,
    Timeout,
    Tool,
    ToolConfigurationError,
    ToolConnectionError,
    Toolkit,
    ToolTimeoutError,
    Wrap,
)
from tool_core.mcp import Remote, connect, fingerprint, from_mcp_tool, merge, to_mcp_tool

SERVER = [sys.executable, str(Path(__file__).with_name("sloppy_server.py"))]


GROWING = """
from mcp.server.mcpserver import Context, MCPServer
server = MCPServer("growing")
async def grown() -> str:
    return "grown"
@server.tool()
async def grow(ctx: Context) -> str:
    server.add_tool(grown)
    await ctx.notify_tools_changed()
    return "done"
server.run("stdio")
"""


def with_remote(action: Callable[[Remote], Awaitable[Any]], *habit: str, **options: Any) -> Any:
    async def run() -> Any:
        async with connect([*SERVER, *habit], **options) as remote:
            return await action(remote)

    return asyncio.run(run())


def called(name: str, params: object = None, **options: Any) -> HandlerResult[object]:
    async def action(remote: Remote) -> object:
        return await remote.bound.call(name, params or {})

    result: HandlerResult[object] = with_remote(action, **options)
    return result


def test_all_pages_are_listed_and_one_bad_definition_costs_only_itself(caplog: Any) -> None:
    async def action(remote: Remote) -> None:
        names = list(remote.toolkit.tools)
        assert names[:5] == ["echo", "die", "hang", "garbage", "malformed"]
        assert {"odd", "untyped", "bare", "find_it_now"} <= set(names)
        assert (remote.server, remote.instructions, remote.changed) == ("sloppy", "Be kind.", False)
        assert dict(remote.refused) == {
            "scalar": "server 'sloppy' sent an unusable definition: inputSchema describes 'string', but arguments are an object",
            "": "server 'sloppy' sent an unusable definition: the definition has no name",
            "echo": "server 'sloppy' lists two tools of this name",
        }
        odd: Any = to_mcp_tool(remote.toolkit.tools["odd"])
        assert odd["annotations"]["category"] == "strange" and odd["outputSchema"]["required"] == ["n"]

    with_remote(action)
    assert "a tool is left out: Invalid configuration for tool 'scalar'" in caplog.text


@pytest.mark.parametrize(
    ("name", "params", "is_failure", "result"),
    [
        ("echo", {"a": 1}, False, '{"name": "echo", "a": 1}'),
        ("find_it_now", {}, False, '{"name": "find it/now"}'),
        ("bare", {"anything": [1]}, False, '{"name": "bare", "anything": [1]}'),
        ("even", {}, False, {"n": 4}),
        ("empty", {}, False, []),
        ("fail", {}, True, "no such page"),
        ("refuse", {}, True, "n must be even (code -32602)"),
        ("full", {}, True, "disk full (code -32000)"),
        ("garbage", {}, False, '{"name": "garbage"}'),
    ],
)
def test_what_a_server_answers_is_the_result(
    name: str, params: object, is_failure: bool, result: object
) -> None:
    got = called(name, params)
    assert (got.is_failure, got.result) == (is_failure, result)


def test_images_sounds_and_resources_come_as_the_blocks_that_they_are() -> None:
    blocks: Any = called("media").result
    assert [block["type"] for block in blocks] == ["text", "image", "audio", "resource", "resource_link"]
    assert blocks[0]["annotations"] == {"priority": 0.5}
    assert blocks[1]["mimeType"] == "image/png" and blocks[3]["resource"]["text"] == "hello"
    failed = called("fail_twice")
    assert failed.is_failure and [block["type"] for block in failed.encoded_result] == ["text", "image"]  # type: ignore[attr-defined]  # pyright: ignore[reportGeneralTypeIssues]


@pytest.mark.parametrize(
    ("name", "description"),
    [
        ("odd", "$.n: expected an integer, got the string 'three'"),
        ("silent", "the tool has an output schema, but the server sent no structured content"),
        ("malformed", "the server's answer is not MCP"),
    ],
)
def test_an_answer_that_breaks_the_tools_promise_is_our_error(name: str, description: str) -> None:
    got = called(name)
    assert isinstance(got.result, InvalidToolResultError) and got.is_failure
    assert (got.result.tool_name, got.result.description) == (name, description)


def test_a_pattern_that_takes_exponential_time_elsewhere_does_not_stop_us() -> None:
    begun = time.process_time()
    assert isinstance(called("evil").result, InvalidToolResultError)
    assert time.process_time() - begun < 10  # a backtracking engine would need hours


def test_arguments_are_checked_before_the_server_sees_them() -> None:
    got = called("untyped", {"q": 3})
    assert "$.q: expected a string, got the integer 3" in str(got.result)


def test_progress_becomes_preliminary_results() -> None:
    async def action(remote: Remote) -> list[object]:
        return [result.result async for result in remote.bound.handle("steps", {})]

    assert with_remote(action) == [Progress(1, 3), Progress(2, 3), Progress(3, 3), '{"name": "steps"}']


def test_progress_keeps_a_call_alive_beyond_its_idle_limit() -> None:
    assert called("alive", timeout=Timeout(30, idle=1)).result == '{"name": "alive"}'


def test_a_flood_of_progress_does_not_break_the_call() -> None:
    assert called("flood", timeout=60).result == '{"name": "flood"}'


def test_a_hanging_server_costs_a_call_its_timeout_and_is_told_to_stop() -> None:
    async def action(remote: Remote) -> object:
        begun = time.monotonic()
        results = await asyncio.gather(*(remote.bound.call("hang", {}) for _ in range(3)))
        assert time.monotonic() - begun < 10
        assert all(isinstance(result.result, ToolTimeoutError) for result in results)
        return (await remote.bound.call("cancelled", {})).result

    assert len(json.loads(with_remote(action, timeout={"hang": 0.5}))) == 3


def test_cancelling_a_call_cancels_it_at_the_server() -> None:
    async def action(remote: Remote) -> object:
        task = asyncio.create_task(remote.bound.call("hang", {}))
        await asyncio.sleep(0.3)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return (await remote.bound.call("cancelled", {})).result

    assert len(json.loads(with_remote(action))) == 1


def test_a_dying_server_fails_every_pending_call_and_can_be_opened_again() -> None:
    async def action(remote: Remote) -> None:
        bound = remote.bound
        pending = [asyncio.create_task(bound.call("hang", {})) for _ in range(5)]
        await asyncio.sleep(0.3)
        results = [
            await bound.call("die", {}),
            *[await task for task in pending],
            await bound.call("echo", {}),
        ]
        for result in results:
            assert isinstance(result.result, ToolConnectionError) and result.is_failure
        assert str(results[-1].result) == (
            "Tool 'echo' is out of reach: server 'sloppy': it closed the connection; "
            "`await remote.reconnect()` opens a new one"
        )
        assert results[-1].encoded_result == {
            "type": "ToolConnectionError",
            "message": "Tool 'echo' is out of reach at the moment",
            "is_retryable": True,
        }
        assert await remote.reconnect() is remote.bound
        for kit in (bound, remote.bound):
            assert (await kit.call("echo", {})).result == '{"name": "echo"}'

    with_remote(action, timeout=20)


def test_a_changed_list_is_announced_and_becomes_a_new_toolkit_only_when_asked_for() -> None:
    async def action(remote: Remote) -> None:
        before = remote.bound
        await before.call("grow", {})
        await until(lambda: remote.changed)
        assert remote.bound is before and "grown" not in remote.toolkit
        after = await remote.refresh()
        assert "grown" in after.toolkit and "grown" not in before.toolkit
        assert remote.bound is after and not remote.changed
        assert (await after.call("grown", {})).result == '{"name": "grown"}'

    with_remote(action)


def test_a_server_of_the_new_era_announces_changes_too() -> None:
    async def run() -> None:
        async with connect([sys.executable, "-c", GROWING]) as remote:
            assert remote.session.client.protocol_version == "2026-07-28"
            await remote.bound.call("grow", {})
            await until(lambda: remote.changed)
            assert list((await remote.refresh()).toolkit.tools) == ["grow", "grown"]

    asyncio.run(run())


def test_a_server_without_tools_has_an_empty_toolkit() -> None:
    async def action(remote: Remote) -> int:
        return len(remote.toolkit)

    assert with_remote(action, "toolless") == 0


def test_a_server_starts_also_where_stderr_is_no_file(monkeypatch: Any) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    monkeypatch.setattr(sys, "__stderr__", None)
    assert called("echo").result == '{"name": "echo"}'


def test_servers_are_merged_by_prefix_and_a_collision_is_an_error() -> None:
    async def run() -> None:
        async with (
            connect(SERVER, prefix="a_") as one,
            connect(SERVER, prefix="b_", timeout={"b_hang": 0.2}) as two,
        ):
            local = Toolkit.make(Tool.make("now", success=int)).bind({"now": lambda params: 12})
            both = merge(one, two, local)
            assert [(await both.call(name, {})).result for name in ("a_echo", "b_echo", "now")] == [
                '{"name": "echo"}', '{"name": "echo"}', 12,
            ]  # fmt: skip
            assert isinstance((await both.call("b_hang", {})).result, ToolTimeoutError)
            with pytest.raises(ToolConfigurationError, match="two tools have this name"):
                merge(one, one)

    asyncio.run(run())


def test_merging_loses_no_middleware_service_or_limit() -> None:
    heard: list[str] = []
    rate = Key("rate", int)

    def hearing(name: str) -> Wrap:
        async def hear(call: Call, next_: Next) -> HandlerResult[object]:
            heard.append(f"{name} {call.name}")
            return await next_(call)

        return hear

    def priced(params: object, ctx: HandlerContext[int, int]) -> int:
        return ctx.get(rate)

    def kit(name: str, **options: Any) -> BoundToolkit:
        return Toolkit.make(Tool.make(name, success=int, dependencies=[rate])).bind({name: priced}, **options)

    one = kit("one", wrap=hearing("first"), context=Context().add(rate, 1), timeout=5, concurrency={"one": 2})
    two = kit("two", context=Context().add(rate, 2))
    both = merge(one, two, wrap=hearing("outer"))
    assert [both.call_sync(name, {}).result for name in ("one", "two")] == [1, 2]
    assert both.call_sync("two", {}, context=Context().add(rate, 3)).result == 3
    assert heard == ["outer one", "first one", "outer two", "outer two"]
    assert (both.entries["one"].timeout, both.entries["one"].concurrency) == (Timeout(5), 2)
    inline = kit("inline", run_sync="inline")
    assert merge(inline).runner.run_sync == "inline"
    with pytest.raises(ToolConfigurationError, match="give merge executor and run_sync"):
        merge(one, inline)
    assert list(merge(one, inline, executor=None, run_sync="thread").entries) == ["one", "inline"]


def test_a_connection_serves_other_threads_and_loops() -> None:
    async def action(remote: Remote) -> None:
        def elsewhere() -> list[object]:
            async def stream() -> list[object]:
                return [item.result async for item in remote.bound.handle("steps", {})]

            return [remote.bound.call_sync("echo", {}).result, *asyncio.run(stream())]

        async with asyncio.timeout(20):
            answers = await asyncio.gather(*(asyncio.to_thread(elsewhere) for _ in range(3)))
        assert (
            answers
            == [['{"name": "echo"}', Progress(1, 3), Progress(2, 3), Progress(3, 3), '{"name": "steps"}']] * 3
        )

    with_remote(action)


def test_a_toolkit_whose_loop_has_ended_says_so() -> None:
    async def action(remote: Remote) -> Remote:
        return remote

    remote = with_remote(action)
    error = remote.bound.call_sync("echo", {}).result
    assert isinstance(error, ToolConnectionError) and error.reason == "its event loop has ended"


def test_handlers_can_be_bound_to_tools_that_somebody_changed() -> None:
    async def action(remote: Remote) -> None:
        careful = Toolkit.make(*(tool.set_needs_approval(True) for tool in remote.toolkit))
        bound = careful.bind(remote.handlers)
        parts = await bound.resolve([{"type": "tool-call", "id": "1", "name": "echo", "params": {}}])
        assert parts[0]["type"] == "tool-approval-request"

    with_remote(action)


def test_a_server_with_other_tools_than_expected_is_refused_by_what_differs() -> None:
    async def agreed(remote: Remote) -> tuple[str, list[dict[str, object]]]:
        return fingerprint(remote.toolkit), [to_mcp_tool(tool) for tool in remote.toolkit]

    seal, saved = with_remote(agreed)
    locked = types.ModuleType("locked")
    locked.__dict__.update(FINGERPRINT=seal, toolkit=Toolkit.make(*(from_mcp_tool(item) for item in saved)))
    older = types.ModuleType("older")
    older.__dict__.update(FINGERPRINT="v1:sha256:0", toolkit=Toolkit.make(from_mcp_tool(saved[0])))

    async def nothing(remote: Remote) -> None:
        pass

    for expected in (seal, saved, locked):
        with_remote(nothing, expect=expected, prefix="any_")
    for expected, words in (
        (
            "v1:sha256:0",
            f"; their fingerprint is {seal}, not v1:sha256:0; `tool-core drift` shows what changed",
        ),
        (saved[1:], ":\n+ echo: a new tool"),
        (older, ":\n+ alive: a new tool\n+ bare: a new tool\n"),
    ):
        with pytest.raises(ToolConfigurationError) as caught:
            with_remote(nothing, expect=expected)
        start = "Invalid configuration: server 'sloppy' offers other tools than expected"
        assert str(caught.value).startswith(start + words)


def test_an_expected_server_that_changes_is_not_called_any_more() -> None:
    async def action(remote: Remote) -> None:
        await remote.bound.call("grow", {})
        await until(lambda: remote.changed)
        for _ in range(2):
            results = await asyncio.gather(*(remote.bound.call("echo", {}) for _ in range(3)))
            for error in (result.result for result in results):
                assert isinstance(error, ToolConnectionError)
                assert (
                    error.reason
                    == "its tools are no longer the expected ones; `await remote.refresh()` says what differs"
                )
            with pytest.raises(ToolConfigurationError, match=r"\+ grown: a new tool"):
                await remote.refresh()

    async def agreed(remote: Remote) -> list[dict[str, object]]:
        return [to_mcp_tool(tool) for tool in remote.toolkit]

    with_remote(action, expect=with_remote(agreed))


def test_an_expected_server_that_only_says_that_it_changed_is_called_all_the_same() -> None:
    async def action(remote: Remote) -> None:
        for name in ("rumour", "echo", "echo"):
            assert not (await remote.bound.call(name, {})).is_failure
            await asyncio.sleep(0.1)
        assert not remote.changed

    async def agreed(remote: Remote) -> str:
        return fingerprint(remote.toolkit)

    with_remote(action, expect=with_remote(agreed))


@pytest.mark.parametrize(
    ("server", "options", "message"),
    [
        (["/no/such/program", "--key=hunter2"], {}, "Server 'program': it could not be started: No such file or directory"),
        ([sys.executable, "-c", "'hunter2'"], {}, f"Server '{Path(sys.executable).name}': it ended before it answered"),
        ([*SERVER, "mute"], {"connect_timeout": 1}, f"Server '{Path(sys.executable).name}': it did not answer within 1 seconds"),
        ("http://user:hunter2@127.0.0.1:9/mcp?key=hunter2", {}, "Server '127.0.0.1:9/mcp': it could not be reached (ConnectError)"),
        ([*SERVER, "listless"], {"connect_timeout": 1.5}, "Server 'sloppy': it did not list its tools within 1.5 seconds"),
        ([*SERVER, "endless"], {}, "Invalid configuration: server 'sloppy' lists its tools on pages without end"),
        ("", {}, "Invalid configuration: a server is a command or an address that begins with http"),
        ("'", {}, "Invalid configuration: a server is a command or an address that begins with http"),
        ("http://127.0.0.1:9/mcp", {"env": {"A": "1"}}, "Invalid configuration: env and cwd are for a command; an address takes headers"),
        ("true", {"headers": {"A": "1"}}, "Invalid configuration: headers are for an address; a command takes env"),
    ],
)  # fmt: skip
def test_a_server_that_cannot_be_used_is_said_to_be_so(server: Any, options: Any, message: str) -> None:
    async def run() -> None:
        async with connect(server, **options):
            pass

    with pytest.raises((ToolConnectionError, ToolConfigurationError)) as caught:
        asyncio.run(run())
    assert str(caught.value) == message


def test_environment_and_arguments_are_never_logged_or_shown(caplog: Any, monkeypatch: Any) -> None:
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("HUNTER3", "hunter3")

    async def action(remote: Remote) -> None:
        environment = json.loads(str((await remote.bound.call("environment", {})).result))
        assert environment["KEY"] == "hunter2" and "HUNTER3" not in environment
        shown = [repr(remote), repr(remote.session), repr(remote.target), repr(remote.bound)]
        assert "hunter" not in "".join(shown)
        await remote.bound.call("die", {})

    with_remote(action, "--token=hunter2", env={"KEY": "hunter2"})
    quiet = [record.getMessage() for record in caplog.records if record.name.startswith("tool_core")]
    assert "hunter" not in "".join(quiet)


def test_nothing_is_left_of_a_connection() -> None:
    children = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children")
    if not children.exists():
        pytest.skip("this system does not list the children of a process")

    async def run() -> tuple[int, int, int]:
        for _ in range(3):
            async with connect(SERVER) as remote:
                task = asyncio.create_task(remote.bound.call("hang", {}))
                await asyncio.sleep(0.1)
            assert isinstance((await task).result, ToolConnectionError)
        with pytest.raises(ToolConnectionError):
            async with connect([*SERVER, "mute"], connect_timeout=0.5):
                pass
        return len(asyncio.all_tasks()), len(children.read_text().split()), len(os.listdir("/proc/self/fd"))

    async def count() -> tuple[int, int, int]:
        return len(asyncio.all_tasks()), len(children.read_text().split()), len(os.listdir("/proc/self/fd"))

    assert asyncio.run(run()) == asyncio.run(count())


def test_the_body_of_a_connection_raises_as_it_is() -> None:
    async def action(remote: Remote) -> None:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        with_remote(action)


def test_without_the_sdk_the_error_says_what_to_install(monkeypatch: Any) -> None:
    for module in [name for name in sys.modules if name.startswith(("mcp.", "tool_core.mcp."))]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "mcp", None)
    with pytest.raises(ToolConfigurationError) as caught:
        tool_core.mcp.__getattr__("connect")
    assert str(caught.value) == (
        "Invalid configuration: tool_core.mcp.connect needs the MCP SDK: pip install 'tool-core[mcp]'"
    )
    with pytest.raises(AttributeError):
        tool_core.mcp.__getattr__("conect")
