"""The one hook: retry, cache, audit, redaction and spans are written on it."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from typing_extensions import TypedDict

from tool_core import (
    BoundToolkit,
    Call,
    Context,
    Fail,
    HandlerResult,
    Key,
    Next,
    Tool,
    ToolDefectError,
    ToolFailedError,
    Toolkit,
    ToolParameterValidationError,
    compose,
)
from tool_core.telemetry import execute_tool_spans


class Params(TypedDict):
    n: int


USER = Key("user", str)
TOOL = Tool.make("T", description="Does it", parameters=Params, success=int, failure=str)


def bound(handler: Any, wrap: Any, mode: Any = "error") -> BoundToolkit:
    context = Context().add(USER, "ann")
    return Toolkit.make(TOOL.set_failure_mode(mode)).bind({"T": handler}, wrap=wrap, context=context)


def test_it_sees_the_call_the_tool_the_services_and_the_outcome() -> None:
    seen: list[Any] = []

    async def audit(call: Call, next_: Next) -> HandlerResult[object]:
        result = await next_(call)
        seen.append((call.name, call.params, call.context.get(USER), result.result, result.is_failure))
        return result

    toolkit = bound(lambda params: params["n"], audit)
    assert toolkit.call_sync("T", {"n": 1}).result == 1
    assert toolkit.call_json_sync("T", '{"n": 2}').result == 2
    asyncio.run(toolkit.resolve([{"type": "tool-call", "id": "c", "name": "T", "params": {"n": 3}}]))
    assert seen == [("T", {"n": n}, "ann", n, False) for n in (1, 2, 3)]


def test_it_can_retry_because_failures_are_values_in_both_modes() -> None:
    attempts: list[int] = []

    def flaky(params: Params) -> int | Fail[str]:
        attempts.append(1)
        return 1 if len(attempts) == 3 else Fail("busy")

    async def retry(call: Call, next_: Next) -> HandlerResult[object]:
        result = await next_(call)
        while result.is_failure and len(attempts) < 3:
            result = await next_(call)
        return result

    assert bound(flaky, retry).call_sync("T", {"n": 1}).result == 1
    assert len(attempts) == 3


def test_it_can_answer_without_running_and_change_the_parameters() -> None:
    async def cache(call: Call, next_: Next) -> HandlerResult[object]:
        if call.params == {"n": 0}:
            return HandlerResult(99, "99")
        return await next_(Call(call.id, call.tool, {"n": 7}, call.context))

    toolkit = bound(lambda params: params["n"], cache)
    assert toolkit.call_sync("T", {"n": 0}).result == 99
    assert toolkit.call_sync("T", {"n": 1}).result == 7


def test_it_sees_arguments_that_do_not_decode() -> None:
    seen: list[bool] = []

    async def audit(call: Call, next_: Next) -> HandlerResult[object]:
        result = await next_(call)
        seen.append(result.is_failure)
        return result

    assert bound(lambda params: 1, audit, "return").call_sync("T", {"n": "x"}).is_failure
    assert seen == [True]


async def broken(call: Call, next_: Next) -> HandlerResult[object]:
    raise RuntimeError("middleware is code too")


async def nonsense(call: Call, next_: Next) -> Any:
    return 3


@pytest.mark.parametrize("wrap", [broken, nonsense])
def test_broken_middleware_is_a_defect_of_that_call(wrap: Any) -> None:
    with pytest.raises(ToolDefectError):
        bound(lambda params: 1, wrap).call_sync("T", {"n": 1})
    assert bound(lambda params: 1, wrap, "return").call_sync("T", {"n": 1}).is_failure


def test_composition_runs_the_first_outermost() -> None:
    order: list[str] = []

    def named(name: str) -> Any:
        async def wrap(call: Call, next_: Next) -> HandlerResult[object]:
            order.append(f"{name} in")
            result = await next_(call)
            order.append(f"{name} out")
            return result

        return wrap

    bound(lambda params: 1, compose(named("a"), named("b"))).call_sync("T", {"n": 1})
    assert order == ["a in", "b in", "b out", "a out"]


def spans_of(capture: bool, handler: Any) -> list[Any]:
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    wrap = execute_tool_spans(provider.get_tracer("test"), capture_content=capture)
    toolkit = bound(handler, wrap, "return")
    asyncio.run(toolkit.call("T", {"n": 1}, call_id="c1"))
    return list(exporter.get_finished_spans())


def test_a_span_names_the_tool_and_hides_the_content_unless_asked() -> None:
    [span] = spans_of(False, lambda params: 5)
    assert span.name == "execute_tool T"
    assert dict(span.attributes) == {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "T",
        "gen_ai.tool.type": "function",
        "gen_ai.tool.call.id": "c1",
        "gen_ai.tool.description": "Does it",
    }
    [open_span] = spans_of(True, lambda params: 5)
    assert json.loads(open_span.attributes["gen_ai.tool.call.arguments"]) == {"n": 1}
    assert open_span.attributes["gen_ai.tool.call.result"] == "5"


@pytest.mark.parametrize(
    ("handler", "kind"),
    [(lambda params: Fail("no"), ToolFailedError), (lambda params: 1 / 0, ToolDefectError)],
)
def test_a_span_says_how_a_call_failed(handler: Any, kind: type[Exception]) -> None:
    [span] = spans_of(False, handler)
    assert span.attributes["error.type"] == kind.__name__
    assert not span.status.is_ok


@pytest.mark.parametrize("params", [{1, 2}, {"n": float("nan")}, {(1, 2): 3}], ids=str)
def test_what_is_no_json_is_told_to_the_model_and_costs_no_span(params: object) -> None:
    bound = Toolkit.make(Tool.make("T", parameters=object, success=object)).bind(
        {"T": lambda params: params}, wrap=execute_tool_spans(capture_content=True)
    )
    with pytest.raises(ToolParameterValidationError):
        bound.call_sync("T", params)


def test_a_text_that_is_no_json_never_reaches_it() -> None:
    async def unused(call: Call, next_: Next) -> HandlerResult[object]:
        raise AssertionError(call)

    result = asyncio.run(bound(lambda params: 1, unused, "return").call_json("T", "{"))
    assert isinstance(result.result, ToolParameterValidationError)
    assert "at line 1 column 2" in str(result.result)
