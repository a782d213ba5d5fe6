"""A turn there and back: names mapped, wire values lifted, failures for single calls, results in order."""

from __future__ import annotations

import asyncio
import json
from typing import Any, cast

import pytest

from tests.providers.kits import KIT, bound, prepared
from tests.providers.responses import APIS, WRITERS
from tool_core import ToolCallPart, ToolConfigurationError
from tool_core.parts import tool_result

CALLS = [
    ("c1", "trips.plan", {"city": "Oslo", "budget": {"food": 3}}),
    ("c2", "Book", [1, 2]),
    ("c3", "Wake", "2026-11-18T07:00:00Z"),
    ("c4", "search", {"q": "cats"}),
    ("c5", "Now", {}),
]


def response(api: str, plan: Any) -> dict[str, Any]:
    """Let a model answer as the prepared request asks it to."""
    decisions = plan.plan.by_name
    return WRITERS[api](
        [(call_id, plan.names[name], decisions[name].form.lower(value)) for call_id, name, value in CALLS]
    )


@pytest.mark.parametrize("api", APIS)
def test_calls_come_back_under_our_names_with_encoded_params(api: str) -> None:
    plan = prepared(api)
    parts = cast("list[ToolCallPart]", plan.read_calls(response(api, plan)))
    assert [(part["id"], part["name"], part["params"]) for part in parts] == CALLS
    assert all(part.get("provider_executed") is False for part in parts)


@pytest.mark.parametrize("api", APIS)
def test_the_parts_are_ready_to_be_resolved(api: str) -> None:
    plan = prepared(api)
    results = asyncio.run(bound().resolve(plan.read_calls(response(api, plan))))
    assert [cast(Any, part)["result"] for part in results] == [
        "Oslo for 1: {'food': 3}", {"booked": [1, 2]}, 2026, {"q": "cats"}, 12.5,
    ]  # fmt: skip


@pytest.mark.parametrize("api", APIS)
def test_a_call_that_cannot_be_read_is_a_failure_of_its_own(api: str) -> None:
    plan = prepared(api)
    written = WRITERS[api](
        [
            ("c1", plan.names["Now"], {}),
            ("c2", "Nowt", {}),
            ("c3", plan.names["Book"], {"no": 1}),
            ("c4", plan.names["Now"], {}),
        ]
    )
    parts = cast(Any, plan.read_calls(written))
    assert [(part["type"], part["id"]) for part in parts] == [
        ("tool-call", "c1"), ("tool-result", "c2"), ("tool-result", "c3"), ("tool-call", "c4"),
    ]  # fmt: skip
    assert parts[1]["result"]["message"].startswith("Tool 'Nowt' not found. Available tools: Now, ")
    assert plan.names["trips.plan"] in parts[1]["result"]["message"]
    assert parts[2]["result"]["message"].startswith("Invalid parameters for tool 'Book': $")
    results = asyncio.run(bound().resolve(parts))
    assert [cast(Any, part)["is_failure"] for part in results] == [False, True, True, False]
    assert len(str(plan.tool_results(results)).split("c4")) == 2


@pytest.mark.parametrize("api", APIS)
def test_the_same_preparation_is_remembered(api: str) -> None:
    assert prepared(api) is prepared(api)
    assert prepared(api, KIT.filter(["Now"])) is prepared(api, KIT.filter(["Now"]))
    assert prepared(api, tool_choice="required") is not prepared(api)


@pytest.mark.parametrize("api", APIS)
def test_what_a_caller_changes_in_a_request_stays_with_the_caller(api: str) -> None:
    prepared(api).request["tools"].clear()
    assert prepared(api).request["tools"] == prepared(api).tools != []


@pytest.mark.parametrize("api", APIS)
def test_results_are_a_list_of_parts_and_may_leave_out_what_is_usual(api: str) -> None:
    plan = prepared(api)
    for wrong in (None, 3, "text", {"type": "tool-result"}):
        with pytest.raises(ToolConfigurationError, match="tool_results takes a list of parts, not "):
            plan.tool_results(cast(Any, wrong))
    short: Any = [{"type": "tool-result", "id": "c1", "name": "Now", "result": 1.5}]
    assert "1.5" in str(plan.tool_results(short)) and "error" not in str(plan.tool_results(short)).lower()


@pytest.mark.parametrize("api", APIS)
def test_null_arguments_are_none(api: str) -> None:
    plan = prepared(api)
    [part] = cast("list[ToolCallPart]", plan.read_calls(WRITERS[api]([("c1", "Now", None)])))
    assert part["params"] == {}


@pytest.mark.parametrize("api", APIS)
def test_half_a_character_of_a_model_does_not_stop_the_conversation(api: str) -> None:
    plan = prepared(api)
    response = WRITERS[api]([("c\ud800", "search", {"q": "cut \ud83d"})])
    turn = plan.assistant_turn(response)
    answers = plan.tool_results([tool_result("c\ud800", "search", "none")])
    json.dumps([turn, answers], ensure_ascii=False).encode()  # as the clients do it
    assert "c\ufffd" in str(turn) and "c\ufffd" in str(answers)


def test_the_last_call_of_an_incomplete_response_is_cut_off_where_it_does_not_say_otherwise() -> None:
    call = {"type": "function_call", "call_id": "c1", "name": "search", "arguments": ""}
    items = [call, {**call, "call_id": "c2"}]
    response = {"incomplete_details": {"reason": "max_output_tokens"}, "output": items}
    parts = cast("list[Any]", prepared("responses").read_calls(response))
    assert [part["type"] for part in parts] == ["tool-call", "tool-result"]
    assert "cut off" in parts[1]["result"]["message"]
    streamed = {"type": "response.output_item.done", "output_index": 0, "item": call}
    assert [part["type"] for part in prepared("responses").stream().feed(streamed)] == ["tool-call"]
