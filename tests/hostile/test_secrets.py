"""Secrets in services, the environment, arguments and exceptions stay where they are."""

from __future__ import annotations

import asyncio
import json
import logging
import pickle
from dataclasses import dataclass
from typing import Any

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from typing_extensions import TypedDict

from tool_core import (
    Context,
    HandlerContext,
    Key,
    Tool,
    ToolConfigurationError,
    ToolError,
    Toolkit,
    compose,
)
from tool_core.telemetry import execute_tool_spans

SECRET = "s3cr3t-hunter2"


class Params(TypedDict):
    token: str
    n: int


@dataclass
class Database:
    password: str


DATABASE = Key("database", Database)


def tools(mode: Any) -> list[Any]:
    shared = {"parameters": Params, "success": int, "failure_mode": mode, "dependencies": [DATABASE]}
    return [Tool.make(name, **shared) for name in ("Raises", "Lies", "Slow", "Fine")]


def raises(params: Params, ctx: HandlerContext[int, Any]) -> int:
    raise ConnectionError(f"cannot log in as admin:{ctx.get(DATABASE).password} with {params['token']}")


def lies(params: Params, ctx: HandlerContext[int, Any]) -> Any:
    return [ctx.get(DATABASE).password]


async def slow(params: Params, ctx: HandlerContext[int, Any]) -> int:
    await asyncio.sleep(5)
    return 1


HANDLERS: dict[str, Any] = {"Raises": raises, "Lies": lies, "Slow": slow, "Fine": lambda params: 1}


def bound(mode: Any, **options: Any) -> Any:
    context = Context().add(DATABASE, Database(SECRET))
    return Toolkit.make(*tools(mode)).bind(HANDLERS, context=context, timeout={"Slow": 0.05}, **options)


def calls(params: Any) -> Any:
    return [{"type": "tool-call", "id": name, "name": name, "params": params} for name in HANDLERS]


@pytest.mark.parametrize("name", ["Raises", "Slow"])
def test_an_error_holds_no_secret_of_the_handler(name: str) -> None:
    with pytest.raises(ToolError) as caught:
        bound("error").call_sync(name, {"token": SECRET, "n": 1})
    error = caught.value
    assert SECRET not in str(error) + repr(error.to_dict()) + json.dumps(error.for_model())
    assert SECRET.encode() not in pickle.dumps(error)


def test_what_the_model_reads_holds_no_secret_of_the_handler() -> None:
    parts = asyncio.run(bound("return").resolve(calls({"token": "harmless", "n": 1})))
    assert [part["is_failure"] for part in parts] == [True, True, True, False]
    told = json.dumps([part for part in parts if part["name"] != "Lies"])
    assert SECRET not in told
    assert "Traceback" not in told
    assert "admin" not in told


def test_the_log_holds_the_exception_but_neither_services_nor_arguments(
    caplog: pytest.LogCaptureFixture,
) -> None:
    kit = Toolkit.make(Tool.make("Raises", parameters=Params, success=int, dependencies=[DATABASE]))

    def broken(params: Params, ctx: HandlerContext[int, Any]) -> int:
        raise ValueError("something else")

    toolkit = kit.bind({"Raises": broken}, context=Context().add(DATABASE, Database(SECRET)))
    with caplog.at_level(logging.DEBUG), pytest.raises(ToolError):
        toolkit.call_sync("Raises", {"token": SECRET, "n": 1})
    assert "something else" in caplog.text
    assert SECRET not in caplog.text


def recorded(capture: bool) -> str:
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    spans = execute_tool_spans(provider.get_tracer("test"), capture_content=capture)
    asyncio.run(bound("return", wrap=compose(spans)).resolve(calls({"token": SECRET, "n": 1})))
    return "".join(span.to_json() for span in exporter.get_finished_spans())


def test_spans_hold_arguments_only_where_asked() -> None:
    assert SECRET not in recorded(capture=False)
    assert SECRET in recorded(capture=True)


def test_descriptions_of_toolkits_and_contexts_show_no_values(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("API_KEY", SECRET)
    toolkit = bound("error", approval_key=SECRET + "-and-more")
    context = Context().add(DATABASE, Database(SECRET))
    assert SECRET not in repr(toolkit) + repr(context) + str(context) + repr(toolkit.toolkit)
    with pytest.raises(ToolConfigurationError) as caught:
        Toolkit.make(*tools("error")).bind(HANDLERS).call_sync("Fine", {"token": SECRET, "n": 1})
    assert SECRET not in str(caught.value)


def test_a_wrong_argument_is_quoted_to_the_model_that_sent_it_and_cut_short() -> None:
    result = bound("return").call_sync("Fine", {"token": 5, "n": "x" * 5000})
    assert result.is_failure
    assert len(result.to_json()) < 1000
