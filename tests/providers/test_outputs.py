"""Structured output: from the same rewriting, lifted, decoded, and refused in words."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest
from typing_extensions import TypedDict

from tests.providers.kits import KIT, NOW, Trip, prepared
from tests.providers.responses import APIS
from tool_core import InvalidOutputError, ToolConfigurationError, Toolkit, schema_of

TRIP = {"city": "Oslo", "budget": {"food": 3}}


def said(api: str, text: str, **more: Any) -> dict[str, Any]:
    """Answer with a text, in the shape of an API."""
    if api == "responses":
        content = [{"type": "output_text", "text": text, "annotations": []}]
        message = {
            "type": "message",
            "id": "m",
            "role": "assistant",
            "status": "completed",
            "content": content,
        }
        return {
            "status": "completed",
            "output": [{"type": "reasoning", "id": "r", "summary": []}, message],
            **more,
        }
    if api == "chat":
        return {
            "choices": [
                {
                    "index": 0,
                    "finish_reason": "stop",
                    "message": {"role": "assistant", "content": text},
                    **more,
                }
            ]
        }
    if api == "messages":
        return {
            "content": [
                {"type": "thinking", "thinking": "{", "signature": "s"},
                {"type": "text", "text": text},
            ],
            "stop_reason": "end_turn",
            **more,
        }
    parts = [{"text": "{", "thought": True}, {"text": text[:3]}, {"text": text[3:]}]
    return {
        "responseId": "r",
        "candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": "STOP", **more}],
    }


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("kit", [KIT, Toolkit.empty], ids=["tools", "none"])
@pytest.mark.parametrize("config", [None, False])
def test_what_the_model_writes_comes_back_as_a_value(
    api: str, kit: Toolkit[Any], config: bool | None
) -> None:
    plan = prepared(api, kit, output_schema=Trip, strict_json_schema=config)
    output = plan.draft.output
    assert output is not None
    assert plan.read_output(said(api, json.dumps(output.form.lower(TRIP)))) == TRIP


FORMS: list[tuple[Any, Any, Any]] = [
    (list[int], [1, 2], [1, 2]),
    (date, "2026-11-18", date(2026, 11, 18)),
    (int | None, None, None),
    (schema_of(dict[str, int]), {"a": 1}, {"a": 1}),
    ({"type": "array", "items": {"type": "integer"}}, [3], [3]),
    ({"type": "object", "additionalProperties": {"type": "string"}}, {"k": "v"}, {"k": "v"}),
]


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize(("form", "encoded", "value"), FORMS, ids=str)
def test_any_form_can_be_an_output(api: str, form: Any, encoded: Any, value: Any) -> None:
    plan = prepared(api, Toolkit.empty, output_schema=form)
    assert plan.draft.output is not None
    assert plan.read_output(said(api, json.dumps(plan.draft.output.form.lower(encoded)))) == value


WRONG: list[tuple[str, str]] = [
    ("", "the response holds no text"),
    ("Sure! {", "it is not JSON: Expecting value at line 1 column 1"),
    ('{"city": 3, "days": null, "budget": []}', "$.city: expected a value of type string, got the integer 3"),
]


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize(("text", "words"), WRONG)
def test_what_does_not_fit_says_why(api: str, text: str, words: str) -> None:
    plan = prepared(api, Toolkit.empty, output_schema=Trip)
    with pytest.raises(InvalidOutputError) as caught:
        plan.read_output(said(api, text))
    assert caught.value.description == words
    assert caught.value.is_retryable and not caught.value.is_refusal


REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("responses", {"status": "completed", "output": [{"type": "message", "content": [{"type": "refusal", "refusal": "I cannot"}]}]}, "the model refused: I cannot"),
    ("chat", {"choices": [{"finish_reason": "stop", "message": {"content": None, "refusal": "I cannot"}}]}, "the model refused: I cannot"),
    ("messages", {"content": [], "stop_reason": "refusal"}, "the model refused to answer"),
    ("generate", {"responseId": "r", "candidates": [{"finishReason": "SAFETY"}]}, "the model refused to answer: SAFETY"),
    ("generate", {"promptFeedback": {"blockReason": "SAFETY"}}, "the model refused to answer: the prompt was blocked"),
]  # fmt: skip


@pytest.mark.parametrize(("api", "response", "words"), REFUSED)
def test_a_refusal_is_told_apart(api: str, response: dict[str, Any], words: str) -> None:
    plan = prepared(api, output_schema=Trip)
    with pytest.raises(InvalidOutputError) as caught:
        plan.read_output(response)
    assert (caught.value.description, caught.value.is_refusal) == (words, True)


CUT: list[tuple[str, dict[str, Any], str]] = [
    ("responses", said("responses", '{"ci', status="incomplete", incomplete_details={"reason": "max_output_tokens"}), "it was cut off: max_output_tokens"),
    ("chat", said("chat", '{"ci', finish_reason="length"), "it was cut off: max_tokens"),
    ("messages", said("messages", '{"ci', stop_reason="max_tokens"), "it was cut off: max_tokens"),
    ("generate", said("generate", '{"ci', finishReason="MAX_TOKENS"), "it was cut off: MAX_TOKENS"),
]  # fmt: skip


@pytest.mark.parametrize(("api", "response", "words"), CUT)
def test_an_output_that_was_cut_off_says_by_what(api: str, response: dict[str, Any], words: str) -> None:
    with pytest.raises(InvalidOutputError) as caught:
        prepared(api, output_schema=Trip).read_output(response)
    assert (caught.value.description, caught.value.is_refusal) == (words, False)


def test_commentary_is_no_output() -> None:
    text = '{"city": "Oslo", "days": null, "budget": []}'
    commentary = {
        "type": "message",
        "phase": "commentary",
        "content": [{"type": "output_text", "text": "Hm"}],
    }
    response = said("responses", text)
    response["output"].insert(0, commentary)
    assert prepared("responses", output_schema=Trip).read_output(response) == {"city": "Oslo", "budget": {}}


def test_text_before_anthropics_own_tools_is_no_output() -> None:
    response = said("messages", '{"city": "Oslo", "budget": []}')
    response["content"][:0] = [
        {"type": "text", "text": "Searching"},
        {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}},
    ]
    assert prepared("messages", output_schema=Trip).read_output(response) == {"city": "Oslo", "budget": {}}


# --- models without structured output ----------------------------------------------------------

OLD = {"messages": "claude-3-7-sonnet", "generate": "gemini-2.5-pro"}


def answer(api: str, name: str, arguments: Any) -> dict[str, Any]:
    if api == "messages":
        return {
            "content": [{"type": "tool_use", "id": "t", "name": name, "input": arguments}],
            "stop_reason": "tool_use",
        }
    return {
        "responseId": "r",
        "candidates": [{"content": {"parts": [{"functionCall": {"name": name, "args": arguments}}]}}],
    }


def test_an_old_claude_answers_through_a_tool_with_and_without_other_tools() -> None:
    plan = prepared("messages", Toolkit.empty, model=OLD["messages"], output_schema=Trip)
    assert [tool["name"] for tool in plan.tools] == ["Trip"]
    assert plan.tools[0]["description"] == "Give the answer by calling this tool, once."
    assert plan.tool_choice == {"type": "tool", "name": "Trip", "disable_parallel_tool_use": True}
    assert "output_config" not in plan.request
    both = prepared("messages", Toolkit.make(NOW), model=OLD["messages"], output_schema=Trip)
    assert [tool["name"] for tool in both.tools] == ["Now", "Trip"]
    assert both.tool_choice == {"type": "any"}
    silent = prepared(
        "messages", Toolkit.make(NOW), model=OLD["messages"], output_schema=Trip, tool_choice="none"
    )
    assert silent.tool_choice == plan.tool_choice


def test_an_old_gemini_with_functions_answers_through_one() -> None:
    plan = prepared("generate", Toolkit.make(NOW), model=OLD["generate"], output_schema=Trip)
    [tool] = plan.tools
    assert [item["name"] for item in tool["function_declarations"]] == ["Now", "Trip"]
    assert plan.tool_choice == {"function_calling_config": {"mode": "ANY"}}
    assert "response_json_schema" not in plan.request
    silent = prepared(
        "generate", Toolkit.make(NOW), model=OLD["generate"], output_schema=Trip, tool_choice="none"
    )
    assert silent.tool_choice["function_calling_config"]["allowed_function_names"] == ["Trip"]
    assert (
        "response_json_schema"
        in prepared("generate", Toolkit.empty, model=OLD["generate"], output_schema=Trip).request
    )


@pytest.mark.parametrize("api", list(OLD))
def test_the_answer_is_an_output_and_no_call(api: str) -> None:
    plan = prepared(api, Toolkit.make(NOW), model=OLD[api], output_schema=Trip)
    assert plan.draft.output is not None
    response = answer(api, "Trip", plan.draft.output.form.lower(TRIP))
    assert plan.read_calls(response) == []
    assert plan.read_output(response) == TRIP
    with pytest.raises(InvalidOutputError, match="the model did not call 'Trip' to answer"):
        plan.read_output(answer(api, "Now", {}))


def test_the_tool_for_the_answer_never_takes_the_name_of_another() -> None:
    class Now(TypedDict):
        hour: int

    plan = prepared("messages", Toolkit.make(NOW), model=OLD["messages"], output_schema=Now)
    assert [tool["name"] for tool in plan.tools] == ["Now", "Now_answer"]
    assert plan.read_output(answer("messages", "Now_answer", {"hour": 3})) == {"hour": 3}


def test_an_output_beyond_anthropics_budget_is_asked_for_through_a_tool() -> None:
    properties = {
        f"p{number}": {"type": "array", "items": {"type": "object", "properties": {"a": {"type": "string"}}}}
        for number in range(60)
    }
    plan = prepared(
        "messages",
        Toolkit.empty,
        output_schema={"type": "object", "properties": properties, "additionalProperties": False},
    )
    assert "output_config" not in plan.request
    assert [tool["name"] for tool in plan.tools] == ["output"]


def test_reading_an_output_that_was_not_asked_for_is_a_mistake() -> None:
    with pytest.raises(ToolConfigurationError, match="no output_schema was given to prepare_tools"):
        prepared("responses").read_output(said("responses", "{}"))
