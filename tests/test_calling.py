"""What happens in every situation, in both failure modes, by every way of calling."""

from __future__ import annotations

import asyncio
import json
import logging
import threading
import time
from collections.abc import AsyncIterator, Callable
from typing import Any, cast

import pytest
from typing_extensions import TypedDict

from tool_core import (
    BoundToolkit,
    DatetimeFromMillis,
    Fail,
    Final,
    HandlerContext,
    HandlerResult,
    InvalidToolResultError,
    Preliminary,
    Progress,
    Tool,
    ToolConfigurationError,
    ToolDefectError,
    ToolError,
    ToolFailedError,
    Toolkit,
    ToolNotFoundError,
    ToolParameterValidationError,
    ToolResultEncodingError,
    ToolTimeoutError,
)


class Params(TypedDict):
    n: int


class Failure(TypedDict):
    code: int


SECRET = "/etc/secret-path"


def succeed(params: Params) -> int:
    return params["n"]


def fail(params: Params) -> Fail[Failure]:
    return Fail({"code": params["n"]})


def break_down(params: Params) -> int:
    raise RuntimeError(f"cannot open {SECRET}")


def lie(params: Params) -> int:
    return cast(int, SECRET)


def lie_about_failure(params: Params) -> Fail[Failure]:
    return Fail(cast(Failure, SECRET))


async def hang(params: Params) -> int:
    await asyncio.sleep(60)
    return 0


class BrokenSchema:
    def decode(self, value: object) -> int:
        return 1

    def decode_json(self, text: str | bytes) -> int:
        return 1

    def encode(self, value: object) -> object:
        raise RuntimeError(SECRET)

    def json_schema(self) -> dict[str, object]:
        return {}


def bound_with(handler: Any, mode: Any, **changes: Any) -> BoundToolkit:
    tool = Tool.make("T", parameters=Params, success=int, failure=Failure, failure_mode=mode)
    if "success" in changes:
        tool = tool.set_success(changes["success"])
    return Toolkit.make(tool).bind({"T": handler}, timeout=0.05 if handler is hang else None)


async def by_call(bound: BoundToolkit, params: object) -> HandlerResult[object]:
    return await bound.call("T", params)


async def by_call_json(bound: BoundToolkit, params: object) -> HandlerResult[object]:
    return await bound.call_json("T", json.dumps(params))


async def by_call_sync(bound: BoundToolkit, params: object) -> HandlerResult[object]:
    return await asyncio.to_thread(bound.call_sync, "T", params)


async def by_call_json_sync(bound: BoundToolkit, params: object) -> HandlerResult[object]:
    return await asyncio.to_thread(bound.call_json_sync, "T", json.dumps(params))


async def by_handle(bound: BoundToolkit, params: object) -> HandlerResult[object]:
    results = [result async for result in bound.handle("T", params)]
    assert len(results) == 1
    return results[0]


async def by_resolve(bound: BoundToolkit, params: object) -> HandlerResult[object]:
    [part] = await bound.resolve([{"type": "tool-call", "id": "1", "name": "T", "params": params}])
    assert part["type"] == "tool-result"
    return HandlerResult(None, json.dumps(part["result"]), part["is_failure"])


WAYS = [by_call, by_call_json, by_call_sync, by_call_json_sync, by_handle, by_resolve]

GOOD, BAD = {"n": 3}, {"n": "3"}
INVALID = "Invalid parameters for tool 'T': $.n: expected an integer, got the string '3'"
SITUATIONS: list[tuple[Any, object, type[ToolError], dict[str, object]]] = [
    (fail, GOOD, ToolFailedError, {"code": 3}),
    (succeed, BAD, ToolParameterValidationError, {"type": "ToolParameterValidationError", "message": INVALID, "is_retryable": True}),
    (break_down, GOOD, ToolDefectError, {"type": "ToolDefectError", "message": "Tool 'T' could not complete because of an internal error", "is_retryable": False}),
    (lie, GOOD, InvalidToolResultError, {"type": "InvalidToolResultError", "message": "Tool 'T' returned an invalid result", "is_retryable": False}),
    (lie_about_failure, GOOD, InvalidToolResultError, {"type": "InvalidToolResultError", "message": "Tool 'T' returned an invalid result", "is_retryable": False}),
    (hang, GOOD, ToolTimeoutError, {"type": "ToolTimeoutError", "message": "Tool 'T' timed out after 0.05 seconds", "is_retryable": True}),
]  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("mode", ["error", "return"])
def test_success_is_the_same_in_both_modes(way: Any, mode: Any) -> None:
    result = asyncio.run(way(bound_with(succeed, mode), GOOD))
    assert (result.encoded_result, result.is_failure, result.preliminary, result.to_json()) == (
        3,
        False,
        False,
        "3",
    )


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("handler", "params", "error", "_"), SITUATIONS)
def test_mode_error_raises_one_error_per_situation(
    way: Any, handler: Any, params: object, error: type[ToolError], _: object
) -> None:
    with pytest.raises(error) as caught:
        asyncio.run(way(bound_with(handler, "error"), params))
    assert type(caught.value) is error
    assert caught.value.tool_name == "T"
    if error is ToolFailedError:
        assert cast(ToolFailedError, caught.value).value == {"code": 3}
    if error is ToolDefectError:
        assert isinstance(caught.value.__cause__, RuntimeError)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("handler", "params", "_", "encoded"), SITUATIONS)
def test_mode_return_tells_the_model_and_nothing_of_the_insides(
    way: Any,
    handler: Any,
    params: object,
    _: object,
    encoded: dict[str, object],
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.ERROR, "tool_core"):
        result = asyncio.run(way(bound_with(handler, "return"), params))
    assert result.is_failure
    assert result.encoded_result == encoded
    assert SECRET not in result.to_json()
    if handler is break_down:
        assert any(record.exc_info and SECRET in str(record.exc_info[1]) for record in caplog.records)


def test_a_strangers_schema_that_cannot_encode_is_an_encoding_error() -> None:
    with pytest.raises(ToolResultEncodingError) as caught:
        bound_with(succeed, "error", success=BrokenSchema()).call_sync("T", GOOD)
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize("way", [by_call, by_call_json, by_call_sync, by_call_json_sync, by_handle])
@pytest.mark.parametrize("mode", ["error", "return"])
def test_an_unknown_tool_is_an_error_that_names_the_closest_first(way: Any, mode: Any) -> None:
    tools = [Tool.make(name, failure_mode=mode) for name in ("Search", "Tt", "Other")]
    bound = Toolkit.make(*tools).bind({tool.name: lambda params: None for tool in tools})
    with pytest.raises(ToolNotFoundError) as caught:
        asyncio.run(way(bound, {}))
    assert str(caught.value) == "Tool 'T' not found. Available tools: Tt, Other, Search"


def test_calling_without_a_loop_inside_one_is_an_error_and_not_a_deadlock() -> None:
    async def inside() -> None:
        bound_with(succeed, "error").call_sync("T", GOOD)

    with pytest.raises(ToolConfigurationError) as caught:
        asyncio.run(inside())
    assert (
        caught.value.description
        == "call_sync would block the event loop that runs in this thread: await call"
    )


def test_the_handler_receives_decoded_values_and_the_model_encoded_ones() -> None:
    Moment = TypedDict("Moment", {"at": DatetimeFromMillis})
    tool = Tool.make("Later", parameters=Moment, success=Moment)
    bound = Toolkit.make(tool).bind({"Later": lambda params: params})
    result = cast(Any, bound.call_sync("Later", {"at": 1000}))
    assert result.result["at"].timestamp() == 1
    assert result.encoded_result == {"at": 1000}


def test_a_raw_schema_passes_parameters_through_as_they_are() -> None:
    schema: dict[str, object] = {
        "type": "object",
        "properties": {"query": {"type": "string"}, "limit": {"type": "number"}},
    }
    bound = Toolkit.make(Tool.dynamic("Search", parameters=schema, success=list[str])).bind(
        {"Search": lambda params: [f"{params['query']}-{i}" for i in range(params["limit"])]}
    )
    assert bound.call_sync("Search", {"query": "test", "limit": 3}).result == ["test-0", "test-1", "test-2"]
    with pytest.raises(ToolParameterValidationError) as caught:
        bound.call_sync("Search", {"query": 1})
    assert caught.value.description == "$.query: expected a string, got the integer 1"


# --- preliminary results -----------------------------------------------------------------------


async def stream(params: Params) -> AsyncIterator[Preliminary[int] | Final[int]]:
    for n in range(params["n"]):
        yield Preliminary(n)
    yield Final(100)


async def report(params: Params, ctx: HandlerContext[int]) -> int:
    for n in range(params["n"]):
        await ctx.preliminary(n)
    return 100


async def report_without_awaiting(params: Params, ctx: HandlerContext[int]) -> int:
    for n in range(params["n"]):
        ctx.preliminary(n)
    return 100


def report_from_thread(params: Params, ctx: HandlerContext[int]) -> int:
    for n in range(params["n"]):
        ctx.preliminary(n)
    return 100


REPORTERS = [stream, report, report_without_awaiting, report_from_thread]


async def collect(bound: BoundToolkit, n: int) -> list[tuple[object, bool]]:
    return [(result.encoded_result, result.preliminary) async for result in bound.handle("T", {"n": n})]


@pytest.mark.parametrize("handler", REPORTERS)
def test_preliminary_results_come_in_order_and_the_final_one_last(handler: Any) -> None:
    results = asyncio.run(collect(bound_with(handler, "error"), 200))
    assert results == [*((n, True) for n in range(200)), (100, False)]


@pytest.mark.parametrize("handler", REPORTERS)
@pytest.mark.parametrize("way", [by_call, by_call_sync, by_resolve])
def test_a_caller_of_one_result_gets_the_final_one(handler: Any, way: Any) -> None:
    assert asyncio.run(way(bound_with(handler, "error"), GOOD)).encoded_result == 100


def test_progress_is_reported_whatever_the_tool_returns() -> None:
    async def work(params: Params, ctx: HandlerContext[int]) -> int:
        await ctx.preliminary(Progress(1, 4, "a quarter"))
        return 4

    assert asyncio.run(collect(bound_with(work, "error"), 1)) == [
        ({"progress": 1, "total": 4, "message": "a quarter"}, True),
        (4, False),
    ]


def test_a_preliminary_result_arrives_while_the_handler_works() -> None:
    async def slow(params: Params, ctx: HandlerContext[int]) -> int:
        await ctx.preliminary(1)
        await asyncio.sleep(0.2)
        return 2

    async def timings() -> list[float]:
        started = time.perf_counter()
        return [time.perf_counter() - started async for _ in bound_with(slow, "error").handle("T", GOOD)]

    first, last = asyncio.run(timings())
    assert first < 0.15 < 0.2 <= last


def test_a_failure_after_preliminary_results_comes_last() -> None:
    async def progress_then_fail(params: Params, ctx: HandlerContext[int]) -> Fail[Failure]:
        await ctx.preliminary(1)
        return Fail({"code": 7})

    async def flags() -> list[tuple[bool, bool]]:
        bound = bound_with(progress_then_fail, "return")
        return [(result.preliminary, result.is_failure) async for result in bound.handle("T", GOOD)]

    assert asyncio.run(flags()) == [(True, False), (False, True)]


async def no_final(params: Params) -> AsyncIterator[Preliminary[int] | Final[int]]:
    yield Preliminary(1)


async def after_final(params: Params) -> AsyncIterator[Preliminary[int] | Final[int]]:
    yield Final(1)
    yield Preliminary(2)


async def bare_value(params: Params) -> AsyncIterator[Preliminary[int] | Final[int]]:
    yield cast(Any, 3)


async def wrong_preliminary(params: Params, ctx: HandlerContext[int]) -> int:
    await ctx.preliminary(cast(int, "no"))
    return 1


@pytest.mark.parametrize(
    ("handler", "message"),
    [
        (no_final, "Tool 'T' returned invalid result: the stream ended without a Final"),
        (after_final, "Tool 'T' returned invalid result: the stream went on after its Final"),
        (bare_value, "Tool 'T' returned invalid result: a stream yields Preliminary and Final, not int"),
        (
            wrong_preliminary,
            "Tool 'T' returned invalid result: $: expected an integer, got the string 'no'",
        ),
    ],
)
def test_a_stream_that_breaks_the_rules_is_an_invalid_result(handler: Any, message: str) -> None:
    with pytest.raises(InvalidToolResultError) as caught:
        bound_with(handler, "error").call_sync("T", GOOD)
    assert str(caught.value) == message


def test_a_handler_that_never_awaits_is_stopped_before_it_fills_the_memory() -> None:
    async def flood(params: Params, ctx: HandlerContext[int]) -> int:
        for _ in range(20_000):
            ctx.preliminary(1)
        return 1

    async def read() -> None:
        async for _ in bound_with(flood, "error").handle("T", GOOD):
            pass

    with pytest.raises(ToolDefectError) as caught:
        asyncio.run(read())
    assert "await ctx.preliminary" in str(caught.value.__cause__)


def test_a_handler_waits_for_a_slow_reader() -> None:
    emitted: list[int] = []

    async def eager(params: Params, ctx: HandlerContext[int]) -> int:
        for n in range(1000):
            await ctx.preliminary(n)
            emitted.append(n)
        return 1

    async def read_one() -> int:
        results = bound_with(eager, "error").handle("T", GOOD)
        await anext(results)
        await asyncio.sleep(0.05)
        count = len(emitted)
        await cast(Any, results).aclose()
        return count

    assert asyncio.run(read_one()) < 100


# --- timeouts and cancellation -----------------------------------------------------------------


def test_progress_extends_the_idle_limit_but_not_the_absolute_one() -> None:
    from tool_core import Timeout

    async def steady(params: Params, ctx: HandlerContext[int]) -> int:
        for n in range(params["n"]):
            await asyncio.sleep(0.03)
            await ctx.preliminary(n)
        return 1

    tool = Tool.make("T", parameters=Params, success=int)
    patient = Toolkit.make(tool).bind({"T": steady}, timeout=Timeout(idle=0.2))
    strict = Toolkit.make(tool).bind({"T": steady}, timeout={"T": Timeout(0.1, idle=0.2)})
    assert patient.call_sync("T", {"n": 12}).result == 1
    with pytest.raises(ToolTimeoutError) as absolute:
        strict.call_sync("T", {"n": 12})
    assert (absolute.value.kind, absolute.value.seconds) == ("absolute", 0.1)
    idle = Toolkit.make(tool).bind({"T": hang}, timeout=Timeout(60, idle=0.05))
    with pytest.raises(ToolTimeoutError) as silent:
        idle.call_sync("T", GOOD)
    assert str(silent.value) == "Tool 'T' timed out after 0.05 seconds without progress"


def test_a_handler_that_takes_too_long_is_stopped_or_reported(caplog: pytest.LogCaptureFixture) -> None:
    returns, stopped = threading.Event(), threading.Event()

    def stubborn(params: Params) -> int:
        returns.wait(30)
        return 1

    async def slow(params: Params) -> int:
        try:
            await asyncio.sleep(30)
        finally:
            stopped.set()
        return 1

    kit = Toolkit.make(Tool.make("T", parameters=Params, success=int))
    with caplog.at_level(logging.WARNING, "tool_core"), pytest.raises(ToolTimeoutError):
        kit.bind({"T": stubborn}, timeout=0.05).call_sync("T", GOOD)
    assert not returns.is_set()
    returns.set()
    report = "tool 'T' timed out, but its handler still runs: a thread cannot be stopped"
    assert caplog.messages == [report]
    with pytest.raises(ToolTimeoutError):
        kit.bind({"T": slow}, timeout=0.05).call_sync("T", GOOD)
    assert stopped.is_set()
    assert caplog.messages == [report]


def test_the_deadline_is_known_to_the_handler() -> None:
    def remaining(params: Params, ctx: HandlerContext[int]) -> int:
        assert ctx.deadline is not None
        return round(ctx.deadline - time.monotonic())

    tool = Tool.make("T", parameters=Params, success=int)
    assert Toolkit.make(tool).bind({"T": remaining}, timeout=30).call_sync("T", GOOD).result == 30


@pytest.mark.parametrize(
    "start", [lambda b: b.call("T", GOOD), lambda b: by_handle(b, GOOD), lambda b: by_resolve(b, GOOD)]
)
def test_cancellation_stops_the_handler_and_leaves_no_task(start: Callable[[BoundToolkit], Any]) -> None:
    stopped: list[bool] = []

    async def endless(params: Params) -> int:
        try:
            await asyncio.sleep(60)
        finally:
            stopped.append(True)
        return 1

    async def cancel() -> int:
        task = asyncio.ensure_future(start(bound_with(endless, "return")))
        await asyncio.sleep(0.02)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return len(asyncio.all_tasks())

    assert asyncio.run(cancel()) == 1
    assert stopped == [True]


def test_a_handler_that_cancels_itself_is_a_defect_and_does_not_vanish() -> None:
    async def suicidal(params: Params) -> int:
        raise asyncio.CancelledError

    with pytest.raises(ToolDefectError):
        bound_with(suicidal, "error").call_sync("T", GOOD)


def test_closing_a_stream_early_stops_the_handler() -> None:
    stopped: list[bool] = []

    async def endless(params: Params, ctx: HandlerContext[int]) -> int:
        try:
            await ctx.preliminary(1)
            await asyncio.sleep(60)
        finally:
            stopped.append(True)
        return 1

    async def read_one() -> None:
        results = bound_with(endless, "error").handle("T", GOOD)
        assert (await anext(results)).result == 1
        await cast(Any, results).aclose()

    asyncio.run(read_one())
    assert stopped == [True]


def test_a_plain_function_may_return_a_coroutine_or_a_stream() -> None:
    for handler in (
        lambda params: report(params, HandlerContext("", "", None)),
        lambda params: stream(params),
    ):
        assert bound_with(handler, "error").call_sync("T", GOOD).result == 100
        assert asyncio.run(bound_with(handler, "error").call("T", GOOD)).result == 100


def test_quick_functions_can_stay_on_the_loop() -> None:
    import threading

    tool = Tool.make("T", parameters=Params, success=bool)
    handlers = {"T": lambda params: threading.current_thread() is threading.main_thread()}
    inline = Toolkit.make(tool).bind(handlers, run_sync="inline")
    threaded = Toolkit.make(tool).bind(handlers)
    assert asyncio.run(inline.call("T", GOOD)).result is True
    assert asyncio.run(threaded.call("T", GOOD)).result is False


def test_a_preliminary_result_cannot_be_a_failure() -> None:
    tool = Tool.make("Count", parameters=Params, success=int, failure=str)
    heard: list[str] = []

    async def count(params: Params, ctx: HandlerContext[int]) -> int:
        try:
            await ctx.preliminary(cast(Any, Fail("no")))
        except InvalidToolResultError as error:
            heard.append(str(error))
        return params["n"]

    bound = Toolkit.make(tool).bind({"Count": count})
    assert asyncio.run(bound.call("Count", {"n": 1})).result == 1
    assert heard == ["Tool 'Count' returned invalid result: a preliminary result cannot be a failure"]


def test_a_bound_toolkit_shows_its_tools() -> None:
    tool = Tool.make("Count", parameters=Params, success=int)
    assert repr(Toolkit.make(tool).bind({"Count": lambda params: 1})) == "BoundToolkit(Count)"
