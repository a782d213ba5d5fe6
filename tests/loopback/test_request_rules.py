"""What each API refuses about a request: tools, choices, betas, and the order of a conversation."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from tests.loopback.chat_wire import CHAT
from tests.loopback.generate import SIGNATURE
from tests.loopback.generate_wire import GENERATE
from tests.loopback.messages_wire import MESSAGES
from tests.loopback.requests import Dialect, Issued, Request
from tests.loopback.responses_wire import RESPONSES

Change = Callable[[dict[str, Any]], object]

SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}
LOOSE = {"type": "object", "properties": {"city": {"minLength": 3}}}
ARGUMENTS = {"city": "Oslo"}
TEXT = json.dumps(ARGUMENTS)
BETA = {"anthropic-beta": "structured-outputs-2025-11-13"}


def messages_of(dialect: Dialect, request: Request) -> list[str]:
    return [problem.message for problem in dialect.problems(request)]


def changed(body: dict[str, Any], change: Change) -> dict[str, Any]:
    copied = copy.deepcopy(body)
    change(copied)
    return copied


RESPONSES_BODY: dict[str, Any] = {
    "model": "gpt-5",
    "tools": [
        {"type": "function", "name": "weather", "parameters": SCHEMA, "strict": True, "description": "d"},
        {"type": "function", "name": "climate", "parameters": LOOSE, "strict": False},
        {"type": "web_search", "search_context_size": "low"},
        {"type": "shell"},
    ],
    "tool_choice": {"type": "allowed_tools", "mode": "auto", "tools": [{"type": "function", "name": "weather"}]},
    "include": ["web_search_call.action.sources"],
    "text": {"format": {"type": "json_schema", "name": "answer", "schema": SCHEMA, "strict": True}},
    "input": [
        {"role": "user", "content": "Weather?"},
        {"type": "function_call", "call_id": "a", "name": "weather", "arguments": TEXT},
        {"type": "function_call", "call_id": "b", "name": "weather", "arguments": TEXT},
        {"type": "shell_call", "call_id": "c", "action": {"commands": ["ls"]}},
        {"type": "function_call_output", "call_id": "b", "output": "12"},
        {"type": "function_call_output", "call_id": "a", "output": [{"type": "input_text", "text": "12"}]},
        {
            "type": "shell_call_output",
            "call_id": "c",
            "output": [{"stdout": "x", "stderr": "", "outcome": {"type": "exit", "exit_code": 0}}],
        },
    ],
}  # fmt: skip
ISSUED: Mapping[str, Issued] = {"a": Issued("weather", TEXT), "b": Issued("weather", TEXT)}

RESPONSES_BAD: list[tuple[Change, str]] = [
    (lambda body: body.pop("model"), "Missing required parameter: 'model'."),
    (lambda body: body.update(strict_json_schema=True), "Unknown parameter: 'strict_json_schema'."),
    (lambda body: body["tools"][1].pop("strict"), "'strict' must be sent explicitly."),
    (lambda body: body["tools"][0].update(strict=None), "'strict' must be sent explicitly."),
    (lambda body: body["tools"][1].update(strict=True), "Invalid schema for function 'climate': In context=()"),
    (lambda body: body["tools"][0].update(name="a.b"), "Invalid 'name': 'a.b'"),
    (lambda body: body["tools"][0].update(name="x" * 65), "of at most 64 characters"),
    (lambda body: body["tools"][1].update(name="weather"), "Duplicate function name: 'weather'."),
    (lambda body: body["tools"][0].update(input_schema={}), "Extra inputs are not permitted"),
    (lambda body: body["tools"][2].update(search_context_size="tiny"), "Invalid tool: search_context_size"),
    (lambda body: body["tools"][3].update(type="bash"), "Invalid value: 'bash'."),
    (lambda body: body.update(tools=body["tools"] * 40), "array too long. Expected an array with maximum length 128"),
    (lambda body: body.update(tool_choice="any"), "Invalid value: 'any'."),
    (lambda body: body.update(tool_choice={"type": "function", "name": "gone"}), "Tool choice 'gone' not found"),
    (lambda body: body.update(tools=[]), "only allowed when 'tools' are specified"),
    (lambda body: body.update(include=["everything"]), "Invalid value: 'everything'."),
    (lambda body: body["text"]["format"].update(name="a b"), "Invalid 'text.format.name': 'a b'."),
    (lambda body: body["text"]["format"].update(schema=LOOSE), "Invalid schema for response_format 'answer'"),
    (lambda body: body["input"].pop(4), "No tool output found for function call b."),
    (lambda body: body["input"].pop(6), "No tool output found for shell call c."),
    (lambda body: body["input"].pop(1), "No tool call found for function call output with call_id a."),
    (lambda body: body["input"].append(body["input"][4]), "Duplicate tool output for call_id b."),
    (lambda body: body["input"].insert(0, body["input"].pop(4)), "No tool call found for function call output"),
    (lambda body: body["input"][6].update(type="function_call_output", output=""), "No tool call found for function call"),
    (lambda body: body["input"][4].update(output=12), "Input should be a valid string"),
    (lambda body: body["input"][4].update(is_error=True), "Extra inputs are not permitted"),
    (lambda body: body["input"][6]["output"][0].pop("outcome"), "Field required"),
    (lambda body: body["input"][1].update(name="climate"), "the call 'a' was weather("),
    (lambda body: body["input"][1].update(arguments="{}"), "the call 'a' was weather("),
    (lambda body: body["input"][1].update(call_id="z"), "the model never made the call 'z'"),
    (lambda body: body["input"].append({"type": "web_search_call", "id": "w"}), "Field required"),
    (lambda body: body["input"][0].update(role="robot"), "Invalid value: 'robot'."),
]  # fmt: skip


def test_responses_takes_a_whole_conversation() -> None:
    assert messages_of(RESPONSES, Request("/v1/responses", {}, RESPONSES_BODY, ISSUED)) == []


@pytest.mark.parametrize(
    ("change", "words"), RESPONSES_BAD, ids=lambda value: value if isinstance(value, str) else ""
)
def test_responses_refuses(change: Change, words: str) -> None:
    request = Request("/v1/responses", {}, changed(RESPONSES_BODY, change), ISSUED)
    assert any(words in message for message in messages_of(RESPONSES, request))


def function(name: str, **fields: Any) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name, **fields}}


def call(call_id: str, name: str) -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": TEXT}}


CHAT_BODY: dict[str, Any] = {
    "model": "gpt-5",
    "tools": [function("weather", parameters=SCHEMA, strict=True), function("climate", parameters=LOOSE)],
    "tool_choice": {"type": "function", "function": {"name": "weather"}},
    "response_format": {
        "type": "json_schema",
        "json_schema": {"name": "answer", "schema": SCHEMA, "strict": True},
    },
    "messages": [
        {"role": "user", "content": "Weather?"},
        {"role": "assistant", "content": None, "tool_calls": [call("a", "weather"), call("b", "weather")]},
        {"role": "tool", "tool_call_id": "b", "content": "12"},
        {"role": "tool", "tool_call_id": "a", "content": "12"},
        {"role": "user", "content": "Thanks."},
    ],
}
CHAT_BAD: list[tuple[Change, str]] = [
    (lambda body: body.pop("messages"), "Missing required parameter: 'messages'."),
    (lambda body: body.update(include=[]), "Unknown parameter: 'include'."),
    (lambda body: body["tools"][1]["function"].update(strict=True), "Invalid schema for function 'climate'"),
    (lambda body: body["tools"][0].update(name="weather"), "Extra inputs are not permitted"),
    (lambda body: body["tools"][0]["function"].update(name=""), "Invalid 'name': ''"),
    (lambda body: body["tools"][1]["function"].update(name="weather"), "Duplicate function name: 'weather'."),
    (lambda body: body["tools"].append({"type": "web_search"}), "Invalid value: 'web_search'."),
    (lambda body: body.update(tools=body["tools"] * 65), "array too long"),
    (lambda body: body.update(tool_choice={"type": "function", "name": "weather"}), "not found in 'tools' parameter"),
    (lambda body: body.update(tool_choice="any"), "Invalid value: 'any'."),
    (lambda body: body.update(tools=[]), "only allowed when 'tools' are specified"),
    (lambda body: body["response_format"]["json_schema"].update(schema=LOOSE), "Invalid schema for response_format"),
    (lambda body: body["messages"].pop(2), "did not have response messages: b"),
    (lambda body: body.update(messages=body["messages"][:3]), "did not have response messages: a"),
    (lambda body: body["messages"].append(body["messages"][2]), "must be a response to a preceeding message"),
    (lambda body: body["messages"].insert(3, body["messages"][2]), "must be a response to a preceeding message"),
    (lambda body: body["messages"][2].update(tool_call_id="z"), "(tool_call_id z)"),
    (lambda body: body["messages"][2].update(content={"a": 1}), "Input should be"),
    (lambda body: body["messages"][2].update(is_error=True), "Extra inputs are not permitted"),
    (lambda body: body["messages"][1]["tool_calls"][0].pop("type"), "Field required"),
    (lambda body: body["messages"][1]["tool_calls"][0]["function"].update(arguments="{}"), "the call 'a' was weather("),
    (lambda body: body["messages"][4].update(role="function"), "Invalid value: 'function'."),
]  # fmt: skip


def test_chat_takes_a_whole_conversation() -> None:
    assert messages_of(CHAT, Request("/v1/chat/completions", {}, CHAT_BODY, ISSUED)) == []
    allowed = {"mode": "required", "tools": [{"type": "function", "function": {"name": "climate"}}]}
    body = {**CHAT_BODY, "tool_choice": {"type": "allowed_tools", "allowed_tools": allowed}}
    assert messages_of(CHAT, Request("/v1/chat/completions", {}, body, ISSUED)) == []


@pytest.mark.parametrize(
    ("change", "words"), CHAT_BAD, ids=lambda value: value if isinstance(value, str) else ""
)
def test_chat_refuses(change: Change, words: str) -> None:
    request = Request("/v1/chat/completions", {}, changed(CHAT_BODY, change), ISSUED)
    assert any(words in message for message in messages_of(CHAT, request))


def test_a_gateway_passes_the_rules_of_the_vendor_on() -> None:
    bounded = {
        **SCHEMA,
        "properties": {"city": {"type": "string"}, "days": {"type": "integer", "minimum": 1}},
    }
    body = {**CHAT_BODY, "tools": [function("weather", parameters=bounded, strict=True)]}
    for model, words in [
        ("openai/gpt-5", "Missing 'days'"),
        ("anthropic/claude-opus-4.5", "For 'integer' type, property minimum is not supported"),
    ]:
        found = messages_of(CHAT, Request("/v1/chat/completions", {}, {**body, "model": model}, ISSUED))
        assert [words in message for message in found] == [True], model
    google = Request("/v1/chat/completions", {}, {**body, "model": "google/gemini-3-pro"}, ISSUED)
    assert messages_of(CHAT, google) == []


def use(call_id: str) -> dict[str, Any]:
    return {"type": "tool_use", "id": call_id, "name": "weather", "input": ARGUMENTS}


def result(call_id: str) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": call_id, "content": "12", "is_error": False}


SEARCH = {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {"query": "x"}}
MESSAGES_BODY: dict[str, Any] = {
    "model": "claude-opus-4-5",
    "max_tokens": 100,
    "tools": [
        {"name": "weather", "input_schema": SCHEMA, "strict": True, "description": "d"},
        {"name": "climate", "input_schema": LOOSE},
        {"type": "text_editor_20250728", "name": "str_replace_based_edit_tool"},
        {"type": "web_search_20250305", "name": "web_search", "max_uses": 3},
    ],
    "tool_choice": {"type": "tool", "name": "weather", "disable_parallel_tool_use": True},
    "output_config": {"format": {"type": "json_schema", "schema": SCHEMA}},
    "messages": [
        {"role": "user", "content": "Weather?"},
        {"role": "assistant", "content": [{"type": "text", "text": "Yes."}, use("a"), use("b")]},
        {"role": "user", "content": [result("b")]},
        {"role": "user", "content": [result("a"), {"type": "text", "text": "Here."}]},
    ],
}
MESSAGES_ISSUED = {"a": Issued("weather", ARGUMENTS), "b": Issued("weather", ARGUMENTS)}


def optional_tool(name: str, count: int) -> dict[str, Any]:
    properties = {f"p{number}": {"type": "string"} for number in range(count)}
    schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return {"name": name, "input_schema": schema, "strict": True}


def union_tool(name: str, count: int) -> dict[str, Any]:
    properties = {f"p{number}": {"type": ["string", "null"]} for number in range(count)}
    schema = {
        "type": "object",
        "properties": properties,
        "required": [*properties],
        "additionalProperties": False,
    }
    return {"name": name, "input_schema": schema, "strict": True}


MESSAGES_BAD: list[tuple[Change, str]] = [
    (lambda body: body.pop("max_tokens"), "max_tokens: Field required"),
    (lambda body: body.update(strict_json_schema=True), "strict_json_schema: Extra inputs are not permitted"),
    (lambda body: body["tools"][1].update(strict=True), "tools.1.custom: For 'object' type"),
    (lambda body: body["tools"][0].update(name="a.b"), "tools.0.custom.name: String should match pattern"),
    (lambda body: body["tools"][0].update(parameters={}), "Extra inputs are not permitted"),
    (lambda body: body["tools"][0].pop("input_schema"), "tools.0.custom.input_schema: Field required"),
    (lambda body: body["tools"][1].update(name="weather"), "tools: Tool names must be unique."),
    (lambda body: body["tools"][2].update(name="editor"), "Input should be 'str_replace_based_edit_tool'"),
    (lambda body: body["tools"][2].update(type="text_editor_19700101"), "does not match any of the expected tags"),
    (lambda body: body["tools"][3].update(maxUses=3), "Extra inputs are not permitted"),
    (lambda body: body["tools"].append({"type": "bash_20250124", "name": "bash"}), "needs the beta header"),
    (lambda body: body["tools"].extend([optional_tool("x", 12), optional_tool("y", 13)]), "too many optional parameters (25)"),
    (lambda body: body["tools"].append(union_tool("x", 17)), "union types (17 parameters"),
    (lambda body: body["tools"].extend(optional_tool(f"t{number}", 0) for number in range(20)), "Too many strict tools (21)"),
    (lambda body: body.update(tool_choice="auto"), "does not match any of the expected tags"),
    (lambda body: body.update(tool_choice={"type": "tool", "name": "gone"}), "Tool 'gone' not found in provided tools"),
    (lambda body: body.update(tool_choice={"type": "tool"}), "tool_choice.tool.name: Field required"),
    (lambda body: body.update(tools=[]), "tool_choice may only be specified while providing tools."),
    (lambda body: body["output_config"]["format"].update(strict=True), "Extra inputs are not permitted"),
    (lambda body: body["output_config"]["format"].update(schema=LOOSE), "output_config.format.schema: For 'object'"),
    (lambda body: body["messages"].pop(0), "first message must use the \"user\" role"),
    (lambda body: body["messages"].pop(2), "without `tool_result` blocks immediately after: b."),
    (lambda body: body.update(messages=body["messages"][:2]), "without `tool_result` blocks immediately after: a, b."),
    (lambda body: body["messages"].insert(3, {"role": "assistant", "content": "Hm."}), "unexpected `tool_use_id`"),
    (lambda body: body["messages"][2]["content"].append(result("a")), "Found multiple `tool_result` blocks with id: a"),
    (lambda body: body["messages"][2]["content"].append({"type": "text", "text": "x"}), "must come first in the content"),
    (lambda body: body["messages"][2]["content"][0].update(tool_use_id="z"), "unexpected `tool_use_id` found"),
    (lambda body: body["messages"][2]["content"][0].update(content={"a": 1}), "tool_result.content.str: Input should be a valid string"),
    (lambda body: body["messages"][2]["content"][0].update(is_error="yes"), "tool_result.is_error"),
    (lambda body: body["messages"][2]["content"][0].update(content=[{"type": "text", "text": ""}]), "must be non-empty"),
    (lambda body: body["messages"][2].update(role="tool"), "Input should be 'user' or 'assistant'"),
    (lambda body: body["messages"][1].update(role="user"), "`tool_use` blocks cannot be in `user` messages"),
    (lambda body: body["messages"][1]["content"].append(result("a")), "cannot be in `assistant` messages"),
    (lambda body: body["messages"][1]["content"].append({"type": "video"}), "Input tag 'video' does not match"),
    (lambda body: body["messages"][1]["content"].append(SEARCH), "`server_tool_use` s was found without a corresponding"),
    (lambda body: body["messages"][1]["content"][0].update(text=""), "text content blocks must be non-empty"),
    (lambda body: body["messages"][1]["content"][1].update(input=TEXT), "tool_use.input: Input should be an object"),
    (lambda body: body["messages"][1]["content"][1].update(name="climate"), "the call 'a' was weather("),
]  # fmt: skip


def messages_request(body: dict[str, Any], headers: dict[str, str]) -> Request:
    return Request("/v1/messages", headers, body, MESSAGES_ISSUED)


def test_messages_takes_a_whole_conversation() -> None:
    assert messages_of(MESSAGES, messages_request(MESSAGES_BODY, BETA)) == []


@pytest.mark.parametrize(
    ("change", "words"), MESSAGES_BAD, ids=lambda value: value if isinstance(value, str) else ""
)
def test_messages_refuses(change: Change, words: str) -> None:
    found = messages_of(MESSAGES, messages_request(changed(MESSAGES_BODY, change), BETA))
    assert any(words in message for message in found)


@pytest.mark.parametrize(
    ("header", "words"),
    [
        ("", "tools.0.custom.strict: Extra inputs are not permitted"),
        ("", "output_config: Extra inputs are not permitted"),
        ("structured-outputs-2099-01-01", "Unexpected value(s) `structured-outputs-2099-01-01`"),
        (f"{BETA['anthropic-beta']},{BETA['anthropic-beta']}", "a value stands twice"),
    ],
)
def test_messages_reads_the_beta_header(header: str, words: str) -> None:
    found = messages_of(MESSAGES, messages_request(MESSAGES_BODY, {"anthropic-beta": header}))
    assert any(words in message for message in found)


def declaration(name: str, schema: object) -> dict[str, Any]:
    return {"name": name, "parametersJsonSchema": schema}


def made(call_id: str) -> dict[str, Any]:
    return {"functionCall": {"id": call_id, "name": "weather", "args": ARGUMENTS}}


def answered(call_id: str) -> dict[str, Any]:
    return {"functionResponse": {"id": call_id, "name": "weather", "response": {"output": 12}}}


GENERATE_BODY: dict[str, Any] = {
    "tools": [
        {"functionDeclarations": [declaration("weather", SCHEMA), declaration("weather.now", SCHEMA)]},
        {"googleSearch": {}},
    ],
    "toolConfig": {
        "functionCallingConfig": {"mode": "VALIDATED", "allowedFunctionNames": ["weather"]},
        "includeServerSideToolInvocations": True,
    },
    "generationConfig": {"responseMimeType": "application/json", "responseJsonSchema": SCHEMA},
    "contents": [
        {"role": "user", "parts": [{"text": "Weather?"}]},
        {"role": "model", "parts": [{**made("a"), "thoughtSignature": SIGNATURE}, made("b")]},
        {"role": "user", "parts": [answered("b"), answered("a")]},
    ],
}
PLAIN_GENERATE: dict[str, Any] = {
    "tools": [{"functionDeclarations": [declaration("weather", LOOSE)]}],
    "contents": [
        {"role": "user", "parts": [{"text": "Weather?"}]},
        {"role": "model", "parts": [{"functionCall": {"name": name, "args": {}}} for name in "ab"]},
        {"role": "user", "parts": [{"functionResponse": {"name": name, "response": {}}} for name in "ab"]},
    ],
}
CONFIG = "functionCallingConfig"
GENERATE_BAD: list[tuple[Change, str]] = [
    (lambda body: body.update(tool_config={}), 'Unknown name "tool_config"'),
    (lambda body: body["tools"][0]["functionDeclarations"][0].update(name="1"), "Invalid function name."),
    (lambda body: body["tools"][0]["functionDeclarations"][0].update(name="x" * 129), "Invalid function name."),
    (lambda body: body["tools"][0]["functionDeclarations"][0].update(strict=True), "Extra inputs are not permitted"),
    (lambda body: body["tools"][0]["functionDeclarations"][0].update(parameters={"type": "STRING"}), "mutually exclusive"),
    (lambda body: body["tools"][0]["functionDeclarations"][0].update(parameters={"type": "OBJECT"}), "should be non-empty"),
    (lambda body: body["tools"][0]["functionDeclarations"][1].update(name="weather"), "Duplicate function declaration"),
    (lambda body: body["tools"][0]["functionDeclarations"][1].update(parametersJsonSchema=LOOSE), "'minLength' without a type"),
    (lambda body: body["tools"][0].update(functionDeclarations=[declaration(f"f{n}", SCHEMA) for n in range(513)]), "At most 512"),
    (lambda body: body["toolConfig"].pop("includeServerSideToolInvocations"), "Please enable tool_config.include_server_side"),
    (lambda body: body["toolConfig"].update({CONFIG: {"mode": "AUTO"}}), "AUTO is not supported"),
    (lambda body: body["toolConfig"][CONFIG].update(mode="AUTO"), "only when the function calling mode is ANY or VALIDATED"),
    (lambda body: body["toolConfig"][CONFIG].update(mode="MAYBE"), "Invalid value at 'tool_config'"),
    (lambda body: body["toolConfig"][CONFIG].update(allowedFunctionNames=["gone"]), "Function gone is not declared."),
    (lambda body: body["tools"].pop(0), "Function calling config is set without function_declarations."),
    (lambda body: body["generationConfig"].pop("responseMimeType"), "needs the response mime type"),
    (lambda body: body["generationConfig"].update(responseJsonSchema=LOOSE), "'minLength' without a type"),
    (lambda body: body["contents"][2]["parts"].pop(), "number of function response parts is equal"),
    (lambda body: body["contents"].pop(), "number of function response parts is equal"),
    (lambda body: body["contents"][2]["parts"].append(answered("a")), "number of function response parts is equal"),
    (lambda body: body["contents"][2]["parts"][0]["functionResponse"].update(id="a"), "do not match the ids"),
    (lambda body: body["contents"][2]["parts"][0]["functionResponse"].update(name="climate"), "do not match the ids"),
    (lambda body: body["contents"][2]["parts"][0]["functionResponse"].update(response=12), "Invalid value at 'contents[2]'"),
    (lambda body: body["contents"][2].update(role="function"), "Please use a valid role: user, model."),
    (lambda body: body["contents"].append({"role": "user", "parts": []}), "contents.parts must not be empty"),
    (lambda body: body["contents"][0]["parts"].append({"text": ""}), "it has an empty text parameter"),
    (lambda body: body["contents"][1]["parts"][0].pop("thoughtSignature"), "missing a thought_signature"),
    (lambda body: body["contents"][1].update(role="user"), "belong into a model turn"),
    (lambda body: body["contents"].pop(0), "immediately after a user turn"),
    (lambda body: body["contents"][1]["parts"][1]["functionCall"].update(args={}), "the call 'b' was weather("),
]  # fmt: skip


def generate_request(body: dict[str, Any], model: str = "gemini-3-pro") -> Request:
    return Request(f"/v1beta/models/{model}:generateContent", {}, body, MESSAGES_ISSUED)


def test_generate_content_takes_a_whole_conversation() -> None:
    assert messages_of(GENERATE, generate_request(GENERATE_BODY)) == []
    assert messages_of(GENERATE, generate_request(PLAIN_GENERATE, "gemini-2.5-pro")) == []


@pytest.mark.parametrize(
    ("change", "words"), GENERATE_BAD, ids=lambda value: value if isinstance(value, str) else ""
)
def test_generate_content_refuses(change: Change, words: str) -> None:
    found = messages_of(GENERATE, generate_request(changed(GENERATE_BODY, change)))
    assert any(words in message for message in found)


def test_calls_without_ids_are_answered_in_their_order() -> None:
    swapped = changed(PLAIN_GENERATE, lambda body: body["contents"][2]["parts"].reverse())
    found = messages_of(GENERATE, generate_request(swapped, "gemini-2.5-pro"))
    assert found == ["The function responses do not match the ids, names and order of the function calls."]


def test_an_older_gemini_takes_neither_built_in_tools_nor_a_format_beside_functions() -> None:
    body = {**GENERATE_BODY, "contents": [{"role": "user", "parts": [{"text": "Weather?"}]}]}
    assert messages_of(GENERATE, generate_request(body, "gemini-2.5-pro")) == [
        "Tool use with function calling is unsupported by the model.",
        "Function calling with a response mime type: 'application/json' is unsupported",
    ]


def test_google_takes_its_fields_in_two_spellings_and_the_users_names_as_they_are() -> None:
    schema = {"type": "object", "properties": {"page_size": {"type": "integer"}}}
    sent = {
        "tools": [{"function_declarations": [{"name": "f", "parameters_json_schema": schema}]}],
        "tool_config": {"function_calling_config": {"allowed_function_names": ["f_g"]}},
        "contents": [{"parts": [{"function_call": {"args": {"page_size": 1}}, "thought_signature": "x"}]}],
    }
    assert GENERATE.spelled(sent) == {
        "tools": [{"functionDeclarations": [{"name": "f", "parametersJsonSchema": schema}]}],
        "toolConfig": {"functionCallingConfig": {"allowedFunctionNames": ["f_g"]}},
        "contents": [{"parts": [{"functionCall": {"args": {"page_size": 1}}, "thoughtSignature": "x"}]}],
    }
