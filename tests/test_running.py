"""A handler, middleware or a rule that leaves by a strange door costs its own call only."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tool_core import (
    BoundToolkit,
    HandlerResult,
    Progress,
    Tool,
    ToolConfigurationError,
    ToolDefectError,
    Toolkit,
    ToolTimeoutError,
)

NUMBER = Tool.make("T", parameters=int, success=int)
MALFORMED: Any = [{"type": "text", "id": "1", "name": "T", "params": 1}]
NO_TEXT: Any = b"1"


class StrangeError(BaseException):
    pass


STRANGE = [SystemExit(3), GeneratorExit(), asyncio.CancelledError(), StrangeError()]
strange = pytest.mark.parametrize("error", STRANGE, ids=lambda error: type(error).__name__)


def calls(count: int = 3) -> list[Any]:
    return [{"type": "tool-call", "id": str(n), "name": "T", "params": n} for n in range(count)]


def bound_with(handler: Any, tool: Any = NUMBER, **options: Any) -> BoundToolkit[Any]:
    kit: BoundToolkit[Any] = Toolkit.make(replace(tool, failure_mode="return")).bind(
        {"T": handler}, **options
    )
    return kit


def failures(bound: BoundToolkit[Any]) -> list[bool]:
    parts: list[Any] = asyncio.run(bound.resolve(calls()))
    return [part["is_failure"] for part in parts]


def handlers(error: BaseException) -> list[Any]:
    async def on_the_loop(params: int) -> int:
        if params == 1:
            raise error
        return params

    def in_a_thread(params: int) -> int:
        if params == 1:
            raise error
        return params

    async def in_a_stream(params: int) -> Any:
        if params == 1:
            raise error
        from tool_core import Final

        yield Final(params)

    return [on_the_loop, in_a_thread, in_a_stream]


@strange
@pytest.mark.parametrize("number", range(3), ids=["coroutine", "thread", "stream"])
@pytest.mark.parametrize("options", [{}, {"timeout": 30}, {"run_sync": "inline"}], ids=str)
def test_whatever_a_handler_raises_costs_its_own_call_only(error: Any, number: int, options: Any) -> None:
    assert failures(bound_with(handlers(error)[number], **options)) == [False, True, False]


@strange
def test_whatever_a_handler_raises_is_a_defect_without_a_loop_too(error: Any) -> None:
    for handler in handlers(error)[:2]:
        result = bound_with(handler).call_sync("T", 1)
        assert isinstance(result.result, ToolDefectError)


def test_the_interrupt_of_the_user_passes() -> None:
    with pytest.raises(KeyboardInterrupt):
        bound_with(handlers(KeyboardInterrupt())[1]).call_sync("T", 1)


@strange
def test_whatever_middleware_raises_costs_its_own_call_only(error: Any) -> None:
    async def wrap(call: Any, next_: Any) -> Any:
        if call.params == 1:
            raise error
        return await next_(call)

    assert failures(bound_with(lambda params: params, wrap=wrap)) == [False, True, False]


@strange
def test_whatever_an_approval_rule_raises_means_that_somebody_is_asked(error: Any) -> None:
    def rule(params: int, _: object) -> bool:
        if params == 1:
            raise error
        return False

    tool = Tool.make("T", parameters=int, success=int, needs_approval=rule)
    parts: list[Any] = asyncio.run(bound_with(lambda params: params, tool).resolve(calls()))
    assert [part["type"] for part in parts] == ["tool-result", "tool-approval-request", "tool-result"]


class Panicking:
    """A schema that raises at the value 1, in one of its methods."""

    def __init__(self, method: str, error: BaseException) -> None:
        self.method, self.error = method, error

    def decode(self, value: object) -> object:
        return self.passed("decode", value)

    def decode_json(self, text: str | bytes) -> object:
        return self.decode(json.loads(text))

    def encode(self, value: object) -> object:
        return self.passed("encode", value)

    def passed(self, method: str, value: object) -> object:
        if (method, value) == (self.method, 1):
            raise self.error
        return value

    def json_schema(self) -> dict[str, object]:
        return {}


@strange
@pytest.mark.parametrize("method", ["decode", "encode"])
@pytest.mark.parametrize("rule", [False, lambda params, context: False], ids=["free", "ruled"])
def test_whatever_a_schema_raises_costs_its_own_call_only(error: Any, method: str, rule: Any) -> None:
    schema = Panicking(method, error)
    tool = Tool.make("T", parameters=schema, success=schema, needs_approval=rule)
    bound = bound_with(lambda params: params, tool)
    assert failures(bound) == [False, True, False]
    assert bound.call_sync("T", 1).is_failure
    assert bound.call_json_sync("T", "1").is_failure


@pytest.mark.parametrize("method", ["decode", "encode"])
def test_the_interrupt_of_the_user_passes_through_a_schema(method: str) -> None:
    schema = Panicking(method, KeyboardInterrupt())
    bound = bound_with(lambda params: params, Tool.make("T", parameters=schema, success=schema))
    with pytest.raises(KeyboardInterrupt):
        bound.call_sync("T", 1)


@strange
def test_whatever_on_part_raises_costs_nothing(error: Any, caplog: pytest.LogCaptureFixture) -> None:
    def raise_it(part: object) -> None:
        raise error

    parts: list[Any] = asyncio.run(bound_with(lambda params: params).resolve(calls(), on_part=raise_it))
    assert [part["result"] for part in parts] == [0, 1, 2]
    assert "on_part raised; the calls go on" in caplog.text


@pytest.mark.parametrize(
    ("answer", "is_failure", "encoded"),
    [
        (HandlerResult(1, " 1 "), False, 1),
        (HandlerResult(1, "1", preliminary=True), False, 1),
        (HandlerResult(1, "NaN"), True, None),
        (HandlerResult(1, "{"), True, None),
        (HandlerResult(1, NO_TEXT), True, None),
        (1, True, None),
    ],
    ids=repr,
)
def test_what_middleware_answers_with_is_checked(answer: Any, is_failure: bool, encoded: object) -> None:
    async def wrap(call: Any, next_: Any) -> Any:
        return answer

    part: Any = asyncio.run(bound_with(lambda params: params, wrap=wrap).resolve(calls(1)))[0]
    assert (part["is_failure"], part["preliminary"]) == (is_failure, False)
    assert is_failure or part["result"] == encoded


async def unstoppable(params: int) -> int:
    try:
        await asyncio.sleep(30)
    except asyncio.CancelledError:
        pass
    return params


async def blocking(params: int) -> int:
    time.sleep(0.2)
    return params


@pytest.mark.parametrize("handler", [unstoppable, blocking])
def test_a_handler_that_is_late_has_timed_out_whatever_it_returns(handler: Any) -> None:
    result = asyncio.run(bound_with(handler, timeout=0.1).call("T", 1))
    assert isinstance(result.result, ToolTimeoutError)


@pytest.mark.parametrize(
    "progress", [Progress(1, 2, "a\ud800"), Progress(float("nan")), Progress(1, message=NO_TEXT)]
)
def test_progress_that_is_not_json_is_an_invalid_result(progress: Progress) -> None:
    async def report(params: int, ctx: Any) -> int:
        await ctx.preliminary(progress)
        return params

    result = asyncio.run(bound_with(report).call("T", 1))
    assert str(result.result).startswith("Tool 'T' returned invalid result: its progress is not JSON: ")


@pytest.mark.parametrize("context", [{}, 5], ids=repr)
def test_a_context_is_a_context_however_a_tool_is_called(context: Any) -> None:
    bound = bound_with(lambda params: params)
    spellings: list[Callable[[], object]] = [
        lambda: asyncio.run(bound.call("T", 1, context=context)),
        lambda: asyncio.run(bound.call_json("T", "1", context=context)),
        lambda: bound.call_sync("T", 1, context=context),
    ]
    for call in spellings:
        with pytest.raises(ToolConfigurationError, match=r"context is a Context, not (dict|int)"):
            call()


@pytest.mark.parametrize("batch", [0, -1, "2"])
def test_a_batch_is_a_number_of_calls(batch: Any) -> None:
    async def run() -> list[Any]:
        return [part async for part in bound_with(lambda params: params).stream(calls(), batch=batch)]

    with pytest.raises(ToolConfigurationError, match="batch is a number of calls above 0, not"):
        asyncio.run(run())


ONE_CALL: Any = calls(1)[0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"calls": ONE_CALL}, "calls are a list of parts, not dict"),
        ({"calls": None}, "calls are a list of parts, not NoneType"),
        ({"calls": [], "messages": ONE_CALL}, "messages are a list of parts, not dict"),
        ({"calls": [], "approvals": None}, "approvals are a list of parts, not NoneType"),
        ({"calls": [], "on_part": 5}, "on_part is a function of a part, not int"),
    ],
    ids=lambda item: str(item)[:30],
)
def test_a_turn_is_given_lists(arguments: Any, message: str) -> None:
    async def streamed() -> list[Any]:
        return [part async for part in bound.stream(**arguments)]

    bound = bound_with(lambda params: params)
    for run in (lambda: bound.resolve(**arguments), streamed):
        with pytest.raises(ToolConfigurationError) as caught:
            asyncio.run(run())
        assert caught.value.description == message


def test_what_is_no_call_is_not_run() -> None:
    part: Any = asyncio.run(bound_with(lambda params: params).resolve(MALFORMED))[0]
    assert part["is_failure"]
    assert "a call has the type 'tool-call', not 'text'" in part["result"]["message"]


def test_a_history_may_nest_as_deeply_as_it_likes() -> None:
    message: dict[str, Any] = {"role": "user", "content": []}
    for _ in range(100_000):
        message = {"content": [message]}
    parts: list[Any] = asyncio.run(bound_with(lambda params: params).resolve(calls(1), messages=[message]))
    assert parts[0]["result"] == 0
    while message:  # taken apart by hand, for freeing it recurses
        message = (message.pop("content") or [{}])[0]


@pytest.mark.parametrize("choice", [{"one_of": [[]]}, {"one_of": [5]}])
def test_a_tool_choice_names_tools(choice: Any) -> None:
    with pytest.raises(
        ToolConfigurationError, match="the tool choice names a tool that is not in the toolkit"
    ):
        asyncio.run(bound_with(lambda params: params).resolve(calls(), tool_choice=choice))


def test_a_value_that_holds_itself_twice_is_refused_at_once() -> None:
    circle: list[object] = []
    circle += [circle, circle]
    tool = Tool.dynamic("T", parameters={"type": "array"})
    result = asyncio.run(bound_with(lambda params: params, tool).call("T", circle))
    assert "at most 100 levels of nesting" in str(result.result)


@pytest.mark.parametrize("is_plain", [True, False])
def test_only_a_plain_function_may_run_on_after_its_cancellation_and_the_log_says_so(
    is_plain: bool, caplog: pytest.LogCaptureFixture
) -> None:
    begun, ends = threading.Event(), threading.Event()

    def plain(params: int) -> int:
        begun.set()
        ends.wait(30)
        return params

    async def stopped(params: int) -> int:
        begun.set()
        await asyncio.sleep(30)
        return params

    async def run() -> None:
        task = asyncio.ensure_future(bound_with(plain if is_plain else stopped).call("T", 1))
        while not begun.is_set():
            await asyncio.sleep(0.001)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    try:
        asyncio.run(run())
    finally:
        ends.set()
    said = "tool 'T' was cancelled, but its handler may still run in its thread"
    assert (said in caplog.text) is is_plain
