"""Faults that other tool layers have or had, each shown not to be ours."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Literal, NotRequired, cast

import pytest
from pydantic import Field
from typing_extensions import TypedDict

from tests.providers.kits import prepared
from tests.providers.responses import APIS, WRITERS
from tool_core import DatetimeFromMillis, Fail, Tool, Toolkit


def answered(
    api: str, kit: Toolkit[Any], handlers: Any, *calls: tuple[str, Any], **options: Any
) -> list[Any]:
    """Let a model call tools as it was asked to, resolve the calls, and return the parts."""
    plan = prepared(api, kit, **options)
    written = [
        (f"c{number}", plan.names[name], plan.plan.by_name[name].form.lower(value))
        for number, (name, value) in enumerate(calls)
    ]
    return cast("list[Any]", asyncio.run(kit.bind(handlers).resolve(plan.read_calls(WRITERS[api](written)))))


class Meeting(TypedDict):
    at: DatetimeFromMillis
    lasts: timedelta


@pytest.mark.parametrize("api", APIS)
def test_parameters_are_decoded_once(api: str) -> None:
    """Encoded and decoded types differ here, so decoding twice would fail."""
    kit = Toolkit.make(Tool.make("Meet", parameters=Meeting, success=str))
    [part] = answered(
        api, kit, {"Meet": lambda params: f"{params['at'].isoformat()} {params['lasts']}"}, ("Meet", {"at": 0, "lasts": "PT1H"})
    )  # fmt: skip
    assert part["result"] == f"{datetime(1970, 1, 1, tzinfo=UTC).isoformat()} {timedelta(hours=1)}"


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("model", [None, "nobody-knows-it"])
def test_tools_with_a_raw_schema_or_none_can_be_called(api: str, model: str | None) -> None:
    raw = Tool.dynamic(
        "raw",
        parameters={"type": "object", "properties": {"q": {"type": "string"}}, "additionalProperties": True},
    )
    kit = Toolkit.make(raw, Tool.dynamic("any"))
    options = {} if model is None else {"model": model}
    parts = answered(
        api, kit, {"raw": lambda params: params, "any": lambda params: params}, ("raw", {"q": "a", "more": [1]}), ("any", {"x": None}), **options
    )  # fmt: skip
    assert [part["result"] for part in parts] == [{"q": "a", "more": [1]}, {"x": None}]


class Query(TypedDict):
    text: str
    limit: NotRequired[int]


@pytest.mark.parametrize("api", ["responses", "chat"])
def test_a_null_that_stands_for_an_absent_key_does_not_reach_the_handler(api: str) -> None:
    kit = Toolkit.make(Tool.make("Find", parameters=Query, success=list[str]))
    plan = prepared(api, kit)
    for arguments in ({"text": "a", "limit": None}, {"text": "a"}):
        [part] = plan.read_calls(WRITERS[api]([("c1", "Find", arguments)]))
        assert cast(Any, part)["params"] == {"text": "a"}


@pytest.mark.parametrize("api", APIS)
def test_members_of_one_of_are_rewritten_too(api: str) -> None:
    branch = {
        "type": "object",
        "properties": {"kind": {"const": "a"}, "n": {"type": "integer"}},
        "required": ["kind"],
    }
    other = {
        "type": "object",
        "properties": {
            "kind": {"const": "b"},
            "map": {"type": "object", "additionalProperties": {"type": "string"}},
        },
        "required": ["kind"],
    }
    kit = Toolkit.make(
        Tool.dynamic(
            "pick",
            parameters={
                "type": "object",
                "properties": {"it": {"oneOf": [branch, other]}},
                "required": ["it"],
            },
        )
    )
    values = [{"it": {"kind": "a"}}, {"it": {"kind": "b", "map": {"x": "y"}}}]
    parts = answered(api, kit, {"pick": lambda params: params}, *(("pick", value) for value in values))
    assert [part["result"] for part in parts] == values


class Options(TypedDict):
    headers: NotRequired[dict[str, str]]
    point: NotRequired[tuple[int, int]]


@pytest.mark.parametrize("api", APIS)
def test_optional_mappings_and_tuples_come_back(api: str) -> None:
    kit = Toolkit.make(Tool.make("Send", parameters=Options, success=str))
    values: list[Any] = [{}, {"headers": {"a": "1"}}, {"point": [1, 2]}, {"headers": {}, "point": [3, 4]}]
    parts = answered(api, kit, {"Send": lambda params: repr(params)}, *(("Send", value) for value in values))
    assert [part["result"] for part in parts] == [
        "{}",
        "{'headers': {'a': '1'}}",
        "{'point': (1, 2)}",
        "{'headers': {}, 'point': (3, 4)}",
    ]


def test_numbers_do_not_advertise_what_is_no_number() -> None:
    kit = Toolkit.make(Tool.make("Half", parameters=Annotated[float, Field(ge=0)], success=float))
    for api in APIS:
        text = str(prepared(api, kit).request)
        assert "NaN" not in text and "Infinity" not in text
    [part] = answered("chat", kit, {"Half": lambda value: value / 2}, ("Half", 3.0))
    assert math.isclose(part["result"], 1.5)


def test_an_empty_record_is_an_object() -> None:
    class Nothing(TypedDict):
        pass

    for api in ("responses", "messages"):
        for tool in (Tool.make("a"), Tool.make("a", parameters=Nothing)):
            [sent] = prepared(api, Toolkit.make(tool)).tools
            schema = sent["parameters" if api == "responses" else "input_schema"]
            assert (schema["type"], schema["properties"], schema["additionalProperties"]) == (
                "object",
                {},
                False,
            )


class Denied(TypedDict):
    code: Literal["denied"]
    why: str


@pytest.mark.parametrize("api", APIS)
def test_a_failure_is_told_to_every_model_with_its_words(api: str) -> None:
    kit = Toolkit.make(Tool.make("Pay", success=int, failure=Denied, failure_mode="return"))
    plan = prepared(api, kit)
    bound = kit.bind({"Pay": lambda _: Fail(Denied(code="denied", why="no funds"))})
    [message] = plan.tool_results(
        asyncio.run(bound.resolve(plan.read_calls(WRITERS[api]([("c1", "Pay", {})]))))
    )
    assert "no funds" in str(message)
    flags: dict[str, Callable[[], bool]] = {
        "responses": lambda: message["output"].startswith("The tool call failed: "),
        "chat": lambda: message["content"].startswith("The tool call failed: "),
        "messages": lambda: message["content"][0]["is_error"] is True,
        "generate": lambda: "error" in message["parts"][0]["function_response"]["response"],
    }
    assert flags[api]()


@pytest.mark.parametrize("api", ["responses", "chat"])
def test_arguments_that_a_gateway_sends_as_a_value_are_not_taken_for_none(api: str) -> None:
    kit = Toolkit.make(Tool.make("Find", parameters=Query, success=str))
    response = WRITERS[api]([("c1", "Find", {})])
    holder = (
        response["output"][0]
        if api == "responses"
        else response["choices"][0]["message"]["tool_calls"][0]["function"]
    )
    holder["arguments"] = {"text": "a"}
    [part] = prepared(api, kit).read_calls(response)
    assert cast(Any, part)["params"] == {"text": "a"}


def test_an_old_claudes_cut_off_call_is_not_run() -> None:
    """Without streaming, a call at the limit of tokens may hold a part of its arguments only."""
    response = WRITERS["messages"]([("c1", "Now", {}), ("c2", "Now", {})])
    response["stop_reason"] = "max_tokens"
    first, last = cast("list[Any]", prepared("messages").read_calls(response))
    assert first["type"] == "tool-call"
    assert last["is_failure"] and "cut off" in last["result"]["message"]


@pytest.mark.parametrize("api", APIS)
def test_a_history_of_parts_round_trips_as_json(api: str) -> None:
    kit = Toolkit.make(Tool.make("Meet", parameters=Meeting, success=str))
    plan = prepared(api, kit)
    written = [("c1", "Meet", plan.plan.by_name["Meet"].form.lower({"at": 0, "lasts": "PT1H"}))]
    parts = plan.read_calls(WRITERS[api](written))
    again = json.loads(json.dumps(parts))
    assert again == parts
    bound = kit.bind({"Meet": lambda params: params["at"].isoformat()})
    assert asyncio.run(bound.resolve(again)) == asyncio.run(bound.resolve(parts))
