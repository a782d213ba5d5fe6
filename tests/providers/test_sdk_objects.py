"""The official SDKs' own objects: read like dicts, and repeated so that the next request takes them."""

from __future__ import annotations

import base64
import json
from typing import Any, cast

import pytest
from anthropic.types import Message
from anthropic.types.beta import BetaMessage
from google.genai import types
from openai.types.chat import ChatCompletion
from openai.types.responses import Response

from tests.loopback.shapes import misshapen
from tests.providers.kits import prepared
from tests.providers.responses import APIS, WRITERS
from tests.providers.test_sdk_types import message_faults
from tool_core import ToolConfigurationError

CALLS: list[Any] = [("c1", "Now", {}), ("c2", "search", {"q": "cats"})]


def sdk_response(api: str) -> Any:
    """Build a whole response and let the SDK read it."""
    body = WRITERS[api](CALLS)
    if api == "responses":
        reasoning = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "secret"}
        said = {
            "type": "message",
            "id": "m",
            "role": "assistant",
            "status": "completed",
            "content": [{"type": "output_text", "text": "Hm", "annotations": []}],
        }
        more = {
            "created_at": 1,
            "model": "gpt-5",
            "parallel_tool_calls": True,
            "tool_choice": "auto",
            "tools": [],
        }
        return Response.model_validate({**body, **more, "output": [reasoning, said, *body["output"]]})
    if api == "chat":
        return ChatCompletion.model_validate(
            {**body, "object": "chat.completion", "created": 1, "model": "gpt-5"}
        )
    if api == "messages":
        thought = {"type": "thinking", "thinking": "hm", "signature": "sig"}
        empty: Any = {"type": "text", "text": "", "citations": None}
        usage = {"input_tokens": 1, "output_tokens": 1}
        return Message.model_validate(
            {
                **body,
                "content": [thought, empty, *body["content"]],
                "model": "claude",
                "stop_sequence": None,
                "usage": usage,
            }
        )
    body["candidates"][0]["content"]["parts"][0]["thoughtSignature"] = base64.b64encode(
        b"\xff\x00sig"
    ).decode()
    return types.GenerateContentResponse.model_validate_json(json.dumps(body))


@pytest.mark.parametrize("api", APIS)
def test_an_object_is_read_like_the_json_it_came_from(api: str) -> None:
    plan = prepared(api)
    assert plan.read_calls(sdk_response(api)) == plan.read_calls(WRITERS[api](CALLS))


@pytest.mark.parametrize("api", APIS)
def test_the_turn_of_an_object_has_the_shape_of_a_request(api: str) -> None:
    messages = prepared(api).assistant_turn(sdk_response(api))
    assert messages
    assert [fault for message in messages if (fault := message_faults(api, message))] == []


def test_reasoning_and_messages_stay_in_openais_turn() -> None:
    turn = prepared("responses").assistant_turn(sdk_response("responses"))
    assert [item["type"] for item in turn] == ["reasoning", "message", "function_call", "function_call"]
    assert turn[0]["encrypted_content"] == "secret"


def test_thoughts_stay_and_empty_texts_go_in_anthropics_turn() -> None:
    [message] = prepared("messages").assistant_turn(sdk_response("messages"))
    assert [block["type"] for block in message["content"]] == ["thinking", "tool_use", "tool_use"]
    assert message["content"][0]["signature"] == "sig"


def test_the_beta_sdks_message_is_read_too() -> None:
    body = WRITERS["messages"](CALLS)
    usage = {"input_tokens": 1, "output_tokens": 1}
    message = BetaMessage.model_validate({**body, "model": "claude", "stop_sequence": None, "usage": usage})
    assert len(prepared("messages").read_calls(message)) == 2


def test_googles_thought_signatures_keep_their_bytes() -> None:
    [content] = prepared("generate").assistant_turn(sdk_response("generate"))
    assert content["parts"][0]["thought_signature"] == b"\xff\x00sig"
    again = types.Content.model_validate(content)
    assert again.parts is not None and again.parts[0].thought_signature == b"\xff\x00sig"
    plain = WRITERS["generate"](CALLS)
    plain["candidates"][0]["content"]["parts"][0]["thoughtSignature"] = "c2ln"
    assert prepared("generate").assistant_turn(plain)[0]["parts"][0]["thoughtSignature"] == "c2ln"


def test_what_the_sdks_parsing_helpers_add_is_not_sent_back() -> None:
    item = {
        "type": "function_call",
        "call_id": "c",
        "name": "Now",
        "arguments": "{}",
        "parsed_arguments": {"a": 1},
    }
    said = {"type": "message", "id": "m", "content": [{"type": "output_text", "text": "{}", "parsed": {}}]}
    turn = prepared("responses").assistant_turn({"output": [item, said]})
    assert "parsed" not in str(turn)
    message: Any = {
        "role": "assistant",
        "content": "{}",
        "parsed": {},
        "refusal": None,
        "annotations": [],
        "audio": None,
    }
    [turn] = prepared("chat").assistant_turn({"choices": [{"message": message}]})
    assert turn == {"role": "assistant", "content": "{}"}


def test_a_gateways_reasoning_is_kept() -> None:
    message = {
        "role": "assistant",
        "content": "x",
        "reasoning_details": [{"type": "reasoning.encrypted", "data": "s"}],
    }
    [turn] = prepared("chat").assistant_turn({"choices": [{"message": message}]})
    assert turn["reasoning_details"] == message["reasoning_details"]


def test_an_empty_turn_is_no_message() -> None:
    assert prepared("messages").assistant_turn({"content": []}) == []
    assert prepared("generate").assistant_turn({"candidates": [{}]}) == []
    assert prepared("chat").assistant_turn({"choices": []}) == []
    for api in APIS:
        assert prepared(api).tool_results([]) == []


@pytest.mark.parametrize("api", APIS)
def test_another_apis_response_is_a_mistake_that_is_named(api: str) -> None:
    other = {"responses": "chat", "chat": "messages", "messages": "generate", "generate": "responses"}[api]
    body = WRITERS[other](CALLS)
    body.pop("id", None)
    with pytest.raises(ToolConfigurationError) as caught:
        prepared(api).read_calls(body)
    assert caught.value.description.startswith("a response of ")
    assert f"this one has {', '.join(body)}" in caught.value.description


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("response", [None, "text", 3, b"bytes", object()])
def test_what_is_no_response_is_refused(api: str, response: object) -> None:
    with pytest.raises(
        ToolConfigurationError, match="is an SDK object, a dict or an iterable of events, not "
    ):
        prepared(api).read_calls(response)


NONSENSE: dict[str, list[Any]] = {
    "responses": [{"output": None}, {"output": [None, 3, {"type": "function_call"}, {"type": None}, {"type": "shell_call"}]}, {"output": [{"type": "function_call", "call_id": 3, "name": ["x"], "arguments": {}}]}],
    "chat": [{"choices": None}, {"choices": [{"message": None}]}, {"choices": [{"message": {"tool_calls": [None, {}, {"function": None}, {"id": 3, "function": {"name": 3, "arguments": []}}]}}]}],
    "messages": [{"content": None}, {"content": [None, {}, {"type": "tool_use"}, {"type": "tool_use", "input": "x"}, {"type": "server_tool_use"}, {"type": "x_tool_result"}]}],
    "generate": [{"candidates": None}, {"candidates": [{"content": {"parts": [None, {}, {"functionCall": None}, {"functionCall": {}}, {"functionCall": {"name": 3, "args": []}}, {"toolCall": {}}]}}]}],
}  # fmt: skip


@pytest.mark.parametrize(
    ("api", "response"), [(api, response) for api in APIS for response in NONSENSE[api]], ids=str
)
def test_nonsense_in_a_response_never_raises(api: str, response: Any) -> None:
    plan = prepared(api)
    for part in plan.read_calls(response):
        assert (
            part["type"] == "tool-call"
            or cast(Any, part)["is_failure"]
            or cast(Any, part)["provider_executed"]
        )
    plan.assistant_turn(response)
    plan.tool_results(plan.read_calls(response))


def test_a_call_is_the_sdks_own_shape_after_a_cut() -> None:
    """A broken input is repeated as an empty one, for the API takes nothing but objects there."""
    events = [
        {
            "type": "content_block_start",
            "index": 0,
            "content_block": {"type": "tool_use", "id": "t", "name": "Now", "input": {}},
        },
        {
            "type": "content_block_delta",
            "index": 0,
            "delta": {"type": "input_json_delta", "partial_json": '{"a'},
        },
    ]
    [message] = prepared("messages").assistant_turn(events)
    assert message["content"] == [{"type": "tool_use", "id": "t", "name": "Now", "input": {}}]
    from anthropic.types import MessageParam

    assert misshapen(message, MessageParam) is None


def test_nulls_go_where_the_api_would_refuse_them_and_stay_where_it_wants_them() -> None:
    reasoning: dict[str, Any] = {"type": "reasoning", "id": "r", "summary": [], "status": None}
    code = {
        "type": "code_interpreter_call",
        "id": "i",
        "code": None,
        "container_id": "c",
        "outputs": None,
        "status": "completed",
    }
    turn = prepared("responses").assistant_turn({"output": [reasoning, code]})
    assert turn == [{"type": "reasoning", "id": "r", "summary": []}, code]
    assert [message_faults("responses", item) for item in turn] == [None, None]


def test_an_empty_text_of_google_goes_unless_it_carries_a_signature() -> None:
    signed = {"text": "", "thoughtSignature": "c2ln"}
    body = {"candidates": [{"content": {"parts": [{"text": "Yes"}, {"text": ""}, signed]}}]}
    assert prepared("generate").assistant_turn(body) == [
        {"role": "model", "parts": [{"text": "Yes"}, signed]}
    ]
