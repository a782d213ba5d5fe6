"""Refusals: which are about strictness, and how a request gives it up piece by piece."""

from __future__ import annotations

from typing import Any

import anthropic
import httpx2
import openai
import pytest
from google.genai.errors import ClientError

from tests.providers.kits import KIT, NOW, PLAN, Trip, prepared
from tool_core import Strict, StrictUnavailableError, Tool, Toolkit
from tool_core.providers import is_refusal
from tool_core.strict import StrictDowngradeWarning

REFUSALS = [
    "Schemas contains too many optional parameters (87), which would make grammar compilation inefficient. Reduce the number of optional parameters in your tool schemas (limit: 24).",
    "Schemas contains too many parameters with union types (23 parameters with type arrays or anyOf). This causes exponential compilation cost. Reduce the number (limit: 16).",
    "The compiled grammar is too large, which would cause performance issues. Simplify your tool schemas or reduce the number of strict tools.",
    "Schema is too complex for compilation.",
    "Too many strict tools (25). The maximum number of strict tools supported is 20.",
    "tools.0.custom: For 'integer' type, properties maximum, minimum are not supported",
    "Circular reference detected in schema definitions: X -> X. Self-referencing or mutually-referencing definitions are not supported.",
    "Invalid schema for function 'trips_plan': In context=(), 'required' is required to be supplied and to be an array including every key in properties.",
    "Invalid schema for response_format 'Trip': In context=(), 'oneOf' is not permitted.",
    "6 levels of nesting exceeds limit of 5.",
    "The specified schema produces a constraint that has too many states for serving. Typical causes of this error are schemas with lots of text.",
]  # fmt: skip
OTHERS = [
    "max_tokens: Field required",
    "Your credit balance is too low to access the Anthropic API.",
    "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1.",
    "This model's maximum context length is 128000 tokens.",
    "Rate limit reached for gpt-5",
    "API key not valid. Please pass a valid API key.",
    "tools: Tool names must be unique.",
]


def body(message: str) -> dict[str, Any]:
    return {"error": {"message": message, "type": "invalid_request_error"}}


def sdk_errors(message: str, status: int = 400) -> list[Exception]:
    """Raise the message as each SDK does."""
    response = httpx2.Response(
        status, json=body(message), request=httpx2.Request("POST", "http://localhost/")
    )
    return [
        openai.APIStatusError(
            f"Error code: {status} - {body(message)}", response=response, body=body(message)["error"]
        ),
        anthropic.APIStatusError(
            f"Error code: {status}", response=response, body={"type": "error", **body(message)}
        ),
        ClientError(status, {"error": {"code": status, "message": message, "status": "INVALID_ARGUMENT"}}),
    ]


@pytest.mark.parametrize("message", REFUSALS)
def test_refusals_of_strictness_are_recognised(message: str) -> None:
    assert is_refusal(body(message), 400)
    assert is_refusal(message)
    assert [is_refusal(error) for error in sdk_errors(message)] == [True, True, True]


@pytest.mark.parametrize("message", OTHERS)
def test_other_errors_are_not(message: str) -> None:
    assert not is_refusal(body(message), 400)
    assert [is_refusal(error) for error in sdk_errors(message)] == [False, False, False]


@pytest.mark.parametrize("status", [401, 429, 500, 529])
def test_only_a_bad_request_is_a_refusal(status: int) -> None:
    assert not is_refusal(body(REFUSALS[0]), status)
    assert [is_refusal(error) for error in sdk_errors(REFUSALS[0], status)] == [False, False, False]


@pytest.mark.parametrize(
    "value", [None, 3, object(), [], b"x", ValueError("no"), {"error": None}, '{"error": "x"}']
)
def test_anything_can_be_asked_about(value: object) -> None:
    assert is_refusal(value) is False


def strict_names(made: Any) -> list[str]:
    return [item.tool.name for item in made.plan.decisions if item.is_strict]


def test_the_least_important_tools_go_first_and_the_request_is_written_again() -> None:
    kit = Toolkit.make(
        *(Tool.make(f"T{number}", success=int).annotate(Strict, 9 - number) for number in range(8))
    )
    made = prepared("messages", kit)
    less = made.degrade(sdk_errors(REFUSALS[2])[1])
    assert strict_names(less) == [f"T{number}" for number in range(6)]
    assert [tool["strict"] for tool in less.tools] == [True] * 6 + [False] * 2
    assert less.plan.decisions[7].reason.startswith(
        "given up after a refusal: The compiled grammar is too large"
    )
    assert strict_names(made) == [f"T{number}" for number in range(8)]


def test_degrading_ends() -> None:
    made, steps = prepared("messages", output_schema=Trip), 0
    while strict_names(made) or (made.draft.output is not None and made.draft.output.is_strict):
        made, steps = made.degrade(REFUSALS[2]), steps + 1
    assert 2 <= steps <= len(KIT) + 1
    with pytest.raises(StrictUnavailableError) as caught:
        made.degrade(REFUSALS[2])
    assert str(caught.value).startswith(
        "Nothing is left to be sent without strict mode to model 'claude-opus-4-5': The"
    )


def test_a_tool_that_the_refusal_names_goes_first() -> None:
    made = prepared("responses", Toolkit.make(NOW, PLAN, Tool.make("Other")))
    less = made.degrade(
        body("Invalid schema for function 'trips_plan': 12 levels of nesting exceeds limit of 10.")
    )
    assert strict_names(less) == ["Now", "Other"]
    numbered = prepared("messages", Toolkit.make(NOW, PLAN)).degrade(
        body("tools.1.custom: For 'integer' type, property minimum is not supported")
    )
    assert strict_names(numbered) == ["Now"]


def test_giving_up_what_is_required_warns() -> None:
    made = prepared("responses", Toolkit.make(PLAN.annotate(Strict, True)))
    with pytest.warns(
        StrictDowngradeWarning, match=r"tool 'trips\.plan' requires strict mode but is sent lenient"
    ):
        assert made.degrade("The compiled grammar is too large").tools[0]["strict"] is False


def test_google_gives_up_the_mode_of_the_request() -> None:
    made = prepared("generate", Toolkit.make(NOW, PLAN))
    less = made.degrade(sdk_errors(REFUSALS[-1])[2])
    assert (made.tool_choice, less.tool_choice) == ({"function_calling_config": {"mode": "VALIDATED"}}, None)


@pytest.mark.parametrize("api", ["responses", "chat", "messages", "generate"])
def test_the_output_gives_up_its_strictness_last_and_still_reads(api: str) -> None:
    made = prepared(api, Toolkit.empty, output_schema=Trip)
    less = made.degrade(REFUSALS[-1])
    assert made.draft.output is not None and less.draft.output is not None
    assert (made.draft.output.is_strict, less.draft.output.is_strict) == (True, False)
    assert less.draft.output.lifted({"city": "Oslo", "budget": {"food": 3}}) == {
        "city": "Oslo",
        "budget": {"food": 3},
    }
    if api == "messages":
        assert "output_config" not in less.request and less.tools[0]["name"] == "Trip"


def test_a_degraded_request_reads_the_calls_it_asks_for() -> None:
    made = prepared("responses", Toolkit.make(PLAN))
    wire = {
        "output": [
            {
                "type": "function_call",
                "call_id": "c",
                "name": "trips_plan",
                "arguments": '{"city": "Oslo", "budget": {"food": 3}}',
            }
        ]
    }
    [refused] = made.read_calls(wire)
    [read] = made.degrade("The compiled grammar is too large").read_calls(wire)
    assert (refused["type"], read["type"]) == ("tool-result", "tool-call")


@pytest.mark.parametrize(
    "message", [REFUSALS[8], "output_config.format.schema: Schema is too complex for compilation."]
)
def test_an_output_that_the_refusal_names_goes_before_the_tools(message: str) -> None:
    made = prepared("responses", output_schema=Trip)
    less = made.degrade(body(message))
    assert less.draft.output is not None and not less.draft.output.is_strict
    assert strict_names(less) == strict_names(made) != []
