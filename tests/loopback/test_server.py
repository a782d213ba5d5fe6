"""The server as the official clients see it."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import anthropic
import openai
import pytest
from google import genai
from google.genai import types

from tests.loopback.scripts import Call, Ceiling, Item, Refusal, Turn, turn
from tests.loopback.server import Loopback

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}
FUNCTION: Any = {"type": "function", "name": "weather", "parameters": SCHEMA, "strict": True}
CHAT_FUNCTION: Any = {
    "type": "function",
    "function": {"name": "weather", "parameters": SCHEMA, "strict": True},
}
TOOL: Any = {"name": "weather", "input_schema": SCHEMA}
CITY = {"city": "Øslo"}
CALLING = turn("Let me look.", Call("weather", CITY), Call("weather", CITY))


def of_openai(server: Loopback) -> openai.OpenAI:
    return openai.OpenAI(base_url=f"{server.url}/v1", api_key="none", max_retries=0)


def of_anthropic(server: Loopback) -> anthropic.Anthropic:
    return anthropic.Anthropic(base_url=server.url, api_key="none", max_retries=0)


def of_google(server: Loopback) -> genai.Client:
    return genai.Client(api_key="none", http_options=types.HttpOptions(base_url=server.url))


def test_responses_whole_and_streamed() -> None:
    with Loopback(CALLING, CALLING) as server, of_openai(server) as client:
        whole = client.responses.create(model="gpt-5", input="Weather?", tools=[FUNCTION])
        with client.responses.stream(model="gpt-5", input="Weather?", tools=[FUNCTION]) as stream:
            streamed = stream.get_final_response()
    assert whole.output_text == "Let me look."
    assert [item.type for item in whole.output] == ["message", "function_call", "function_call"]
    for shown in (whole.output[1], streamed.output[1]):
        assert shown.type == "function_call"
        assert (shown.name, shown.arguments) == ("weather", '{"city": "Øslo"}')
    assert server.bodies[0]["tools"] == [FUNCTION]


def test_chat_completions_whole_and_streamed() -> None:
    messages: Any = [{"role": "user", "content": "Weather?"}]
    with Loopback(CALLING, CALLING) as server, of_openai(server) as client:
        whole = client.chat.completions.create(model="gpt-5", messages=messages, tools=[CHAT_FUNCTION])
        with client.chat.completions.stream(
            model="gpt-5", messages=messages, tools=[CHAT_FUNCTION]
        ) as stream:
            streamed = stream.get_final_completion()
    for shown in (whole, streamed):
        calls: Any = shown.choices[0].message.tool_calls
        assert [call.function.arguments for call in calls] == ['{"city": "Øslo"}'] * 2
        assert shown.choices[0].finish_reason == "tool_calls"


def test_messages_whole_and_streamed() -> None:
    messages: Any = [{"role": "user", "content": "Weather?"}]
    asked: Any = {"model": "claude-opus-4-5", "max_tokens": 99, "messages": messages, "tools": [TOOL]}
    with Loopback(CALLING, CALLING) as server, of_anthropic(server) as client:
        whole = client.messages.create(**asked)
        with client.messages.stream(**asked) as stream:
            streamed = stream.get_final_message()
    for shown in (whole, streamed):
        assert [block.type for block in shown.content] == ["text", "tool_use", "tool_use"]
        assert shown.stop_reason == "tool_use"
        assert [dict(block)["input"] for block in shown.content[1:]] == [CITY, CITY]


@pytest.mark.parametrize(
    ("model", "ids"), [("gemini-3-pro", ["fn1x1", "fn1x2"]), ("gemini-2.5-pro", [None, None])]
)
def test_generate_content_whole_and_streamed(model: str, ids: list[str | None]) -> None:
    tools: Any = [{"function_declarations": [{"name": "weather", "parameters_json_schema": SCHEMA}]}]
    config = types.GenerateContentConfig(tools=tools)
    with Loopback(CALLING, CALLING) as server, of_google(server) as client:
        whole = client.models.generate_content(model=model, contents="Weather?", config=config)
        streamed = list(
            client.models.generate_content_stream(model=model, contents="Weather?", config=config)
        )
    calls = whole.function_calls
    assert calls is not None
    assert [call.args for call in calls] == [CITY, CITY]
    assert [call.id for call in calls] == ids
    assert [call.args for chunk in streamed for call in chunk.function_calls or []] == [CITY, CITY]


def test_a_violation_is_answered_in_the_providers_words_and_fails_the_test() -> None:
    wrong: Any = {**FUNCTION, "parameters": {**SCHEMA, "required": []}}
    words = (
        "Invalid schema for function 'weather': In context=(), 'required' is required to be supplied and to "
        "be an array including every key in properties. Missing 'city'."
    )
    with of_openai(server := Loopback(CALLING)) as client, pytest.raises(AssertionError) as caught, server:
        client.responses.create(model="gpt-5", input="Weather?", tools=[wrong])
    refused = caught.value.__cause__
    assert isinstance(refused, openai.BadRequestError)
    assert (refused.code, refused.param) == ("invalid_function_parameters", "tools[0].parameters")
    assert str(caught.value) == f"the provider refuses:\ntools[0].parameters: {words}"


def test_a_refusal_in_the_script_is_no_violation() -> None:
    messages: Any = [{"role": "user", "content": "Weather?"}]
    with (
        Loopback(Refusal("Overloaded", 529)) as server,
        of_anthropic(server) as client,
        pytest.raises(anthropic.APIStatusError) as refused,
    ):
        client.messages.create(model="claude-opus-4-5", max_tokens=9, messages=messages)
    assert refused.value.body == {
        "type": "error",
        "error": {"type": "api_error", "message": "Overloaded"},
        "request_id": "req_011CSHoEeqs5C35K2UUqR7Fy",
    }
    assert server.refusals == ["Overloaded"]


def test_a_ceiling_is_met_at_run_time() -> None:
    with Loopback(ceiling=Ceiling(properties=1)) as server, of_anthropic(server) as client:
        beta = {"anthropic-beta": "structured-outputs-2025-11-13"}
        tools: Any = [{**TOOL, "strict": True}, {**TOOL, "name": "climate", "strict": True}]
        with pytest.raises(anthropic.BadRequestError, match="The compiled grammar is too large"):
            client.messages.create(
                model="claude-opus-4-5",
                max_tokens=9,
                messages=[{"role": "user", "content": "Weather?"}],
                tools=tools,
                extra_headers=beta,
            )
    assert len(server.refusals) == 1


LIES: list[tuple[Turn, Any, str]] = [
    (turn(Call("weather", {"town": "Oslo"})), "auto", "the arguments of 'weather' do not fit the schema"),
    (turn(Call("weather", {"city": 3}, honest=False)), "auto", "the arguments of 'weather' do not fit"),
    (turn(Call("weather", raw="{", honest=False)), "auto", "the arguments of 'weather' are complete JSON"),
    (turn(Call("climate")), "auto", "'climate' is not a tool that may be called here"),
    (turn(Call("weather", CITY)), "none", "'weather' is not a tool that may be called here"),
    (turn(Item({"type": "shell_call"})), "auto", "'shell' is not a tool that may be called here"),
    (turn("No."), "required", "the model must call a tool"),
]


@pytest.mark.parametrize(("script", "choice", "words"), LIES)
def test_a_script_cannot_lie_about_strict_mode(script: Turn, choice: Any, words: str) -> None:
    with (
        pytest.raises(AssertionError, match=f"the script lies: {words}"),
        Loopback(script) as server,
        of_openai(server) as client,
    ):
        client.responses.create(model="gpt-5", input="Weather?", tools=[FUNCTION], tool_choice=choice)


def test_a_script_may_misbehave_where_a_provider_does_not_prevent_it() -> None:
    lenient: Any = {**FUNCTION, "strict": False}
    wrong = [Call("weather", {"city": 3}, honest=False), Call("nobody", honest=False)]
    cut = turn(Call("weather", raw='{"city": "Os', honest=False), stop="length")
    with Loopback(turn(*wrong), cut) as server, of_openai(server) as client:
        client.responses.create(model="gpt-5", input="Weather?", tools=[lenient])
        assert (
            client.responses.create(model="gpt-5", input="Weather?", tools=[FUNCTION]).status == "incomplete"
        )


def test_an_answer_must_fit_the_output_schema() -> None:
    shape: Any = {"format": {"type": "json_schema", "name": "city", "schema": SCHEMA, "strict": True}}
    with (
        pytest.raises(AssertionError, match="the answer does not fit the output schema"),
        Loopback(turn('{"town": 1}')) as server,
        of_openai(server) as client,
    ):
        client.responses.create(model="gpt-5", input="City?", text=shape)


def test_turns_that_nobody_asks_for_and_missing_ones_fail_the_test() -> None:
    with pytest.raises(AssertionError, match="1 turns of the script were not asked for"), Loopback(CALLING):
        pass
    with (
        pytest.raises(AssertionError, match="the script has no further turn"),
        Loopback() as server,
        of_openai(server) as client,
    ):
        client.responses.create(model="gpt-5", input="Weather?")


def test_a_stream_can_be_cut() -> None:
    with Loopback(turn("A long answer.", cut=5)) as server, of_openai(server) as client:
        events = list(client.responses.create(model="gpt-5", input="Weather?", stream=True))
    assert [event.type for event in events][-1] == "response.output_text.delta"


def test_an_unknown_endpoint_and_a_request_that_cannot_be_read() -> None:
    with (
        pytest.raises(AssertionError, match="/v1/embeddings: no such endpoint"),
        Loopback() as server,
        of_openai(server) as client,
    ):
        client.embeddings.create(model="e", input="x")
    with (
        pytest.raises(AssertionError, match="the request cannot be read"),
        Loopback() as server,
        of_openai(server) as client,
    ):
        client.post("/responses", body={"model": "m", "input": [3]}, cast_to=object)


def test_the_rules_know_nothing_of_what_they_check() -> None:
    for path in Path(__file__).parent.glob("*.py"):
        if not path.name.startswith("test_"):
            for node in ast.walk(ast.parse(path.read_text())):
                names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
                names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
                assert not any(name.startswith("tool_core") for name in names), path.name
