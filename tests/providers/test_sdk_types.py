"""Every fragment of a request has the shape that the official SDK's own types describe."""

from __future__ import annotations

import json
from typing import Any

import anthropic.types.beta as beta
import pytest
from anthropic.types import MessageParam, ToolParam, ToolResultBlockParam
from anthropic.types.beta.beta_tool_choice_param import BetaToolChoiceParam
from google.genai import types
from openai.types.chat import (
    ChatCompletionAssistantMessageParam,
    ChatCompletionFunctionToolParam,
    ChatCompletionToolChoiceOptionParam,
    ChatCompletionToolMessageParam,
    ChatCompletionUserMessageParam,
)
from openai.types.responses import ResponseIncludable, ResponseTextConfigParam
from openai.types.responses.response_create_params import ToolChoice as ResponseToolChoice
from openai.types.responses.response_input_item_param import ResponseInputItemParam
from openai.types.responses.tool_param import ToolParam as ResponsesToolParam
from openai.types.shared_params import ResponseFormatJSONSchema

from tests.loopback.shapes import misshapen
from tests.providers.catalogue import ANTHROPIC, CATALOGUE, GOOGLE, OPENAI, kit_of
from tests.providers.kits import KIT, MODELS, NOW, Trip, prepared
from tests.providers.responses import APIS, WRITERS
from tool_core import Strict, Toolkit
from tool_core.parts import tool_result

CHOICES: list[Any] = [
    None, "auto", "none", "required", {"tool": "trips.plan"}, {"one_of": ["Now", "Book"]}, {"mode": "required", "one_of": ["Now"]},
]  # fmt: skip
OLD = {
    "responses": "gpt-3.5-turbo",
    "chat": "gpt-3.5-turbo",
    "messages": "claude-3-7-sonnet",
    "generate": "gemini-2.5-pro",
}
SHAPES: dict[str, dict[str, Any]] = {
    "responses": {
        "tools": list[ResponsesToolParam], "tool_choice": ResponseToolChoice, "text": ResponseTextConfigParam,
        "include": list[ResponseIncludable], "parallel_tool_calls": bool,
    },
    "chat": {
        "tools": list[ChatCompletionFunctionToolParam], "tool_choice": ChatCompletionToolChoiceOptionParam,
        "response_format": ResponseFormatJSONSchema, "parallel_tool_calls": bool,
    },
    "messages": {
        "tools": list[beta.BetaToolUnionParam], "tool_choice": BetaToolChoiceParam, "output_config": beta.BetaOutputConfigParam,
        "extra_headers": dict[str, str],
    },
}  # fmt: skip


def faults(api: str, request: dict[str, Any]) -> list[str]:
    if api == "generate":
        fault = misshapen(request, types.GenerateContentConfig)
        return [] if fault is None else [fault]
    unknown = [f"{key}: unknown" for key in request.keys() - SHAPES[api].keys()]
    found = [misshapen(value, SHAPES[api].get(key, object)) for key, value in request.items()]
    return [*unknown, *(fault for fault in found if fault is not None)]


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("models", [MODELS, OLD], ids=["strict", "old"])
@pytest.mark.parametrize("choice", CHOICES, ids=str)
@pytest.mark.parametrize("output", [None, Trip, list[int], {"type": "object", "title": "Any thing"}], ids=str)
def test_a_request_has_the_sdks_shape(api: str, models: dict[str, str], choice: Any, output: Any) -> None:
    request = prepared(api, model=models[api], tool_choice=choice, output_schema=output).request
    assert faults(api, request) == []


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("wish", [True, False])
def test_a_request_with_every_wish_has_the_sdks_shape(api: str, wish: bool) -> None:
    kit = Toolkit.make(*(tool.annotate(Strict, wish) for tool in KIT))
    for config in (True, False, None):
        assert faults(api, prepared(api, kit, strict_json_schema=config).request) == []


def test_a_wrong_shape_would_be_found() -> None:
    assert faults("responses", {"tools": [{"type": "function", "name": 3}]}) != []
    assert faults("messages", {"strict_json_schema": True}) == ["strict_json_schema: unknown"]
    assert faults("generate", {"tools": [{"google_search": {"nonsense": 1}}]}) != []


@pytest.mark.parametrize(("api", "tool"), CATALOGUE, ids=lambda item: getattr(item, "id", item))
def test_every_provider_tool_has_the_sdks_shape(api: str, tool: Any) -> None:
    request = prepared(api, kit_of(tool)).request
    assert len(request["tools"]) == 1
    assert faults(api, request) == []
    for choice in ({"tool": tool.name}, {"one_of": [tool.name]}, "required"):
        assert faults(api, prepared(api, kit_of(tool), tool_choice=choice).request) == []


def test_the_catalogues_are_complete() -> None:
    assert (len(OPENAI), len(ANTHROPIC), len(GOOGLE)) == (9, 16, 7)


RESULTS: list[Any] = [
    "noon", 12.5, None, {"hour": 12}, [1, 2], "",
    [{"type": "text", "text": "look"}, {"type": "image", "data": "aGk=", "mimeType": "image/png"}],
    [{"type": "resource", "resource": {"uri": "file:///a.pdf", "blob": "aGk=", "mimeType": "application/pdf"}}],
    [{"type": "resource_link", "uri": "https://example.org/a.png", "name": "a", "mimeType": "image/png"}],
    [{"type": "resource_link", "uri": "https://example.org/a.pdf", "name": "a", "mimeType": "application/pdf"}],
    [{"type": "audio", "data": "aGk=", "mimeType": "audio/wav"}],
]  # fmt: skip


def message_faults(api: str, message: Any) -> str | None:
    if api == "responses":
        return misshapen(message, ResponseInputItemParam)
    if api == "messages":
        return misshapen(message, MessageParam)
    if api == "generate":
        return misshapen_content(message)
    roles = {
        "assistant": ChatCompletionAssistantMessageParam, "tool": ChatCompletionToolMessageParam, "user": ChatCompletionUserMessageParam,
    }  # fmt: skip
    return misshapen(message, roles[message["role"]])


def misshapen_content(message: Any) -> str | None:
    """Google's contents hold bytes, so they are checked as Python and not as JSON."""
    try:
        types.Content.model_validate(message, extra="forbid")
    except ValueError as error:
        return str(error)
    return None


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("is_failure", [False, True])
@pytest.mark.parametrize("result", RESULTS, ids=str)
def test_the_messages_to_append_have_the_sdks_shape(api: str, is_failure: bool, result: Any) -> None:
    plan = prepared(api)
    response = WRITERS[api]([("c1", plan.names["Now"], {}), ("c2", plan.names["Now"], {})])
    parts = [tool_result("c1", "Now", result, is_failure=is_failure), tool_result("c2", "Now", 12.5)]
    messages = [*plan.assistant_turn(response), *plan.tool_results(parts)]
    assert len(messages) >= 2
    assert [fault for message in messages if (fault := message_faults(api, message))] == []


def test_anthropics_stable_types_take_what_needs_no_beta() -> None:
    request = prepared("messages", Toolkit.make(NOW, *KIT.filter(["Book"]))).request
    assert [misshapen(tool, ToolParam) for tool in request["tools"]] == [None, None]
    [message] = prepared("messages").tool_results([tool_result("c1", "Now", 1)])
    assert misshapen(message["content"][0], ToolResultBlockParam) is None


@pytest.mark.parametrize("api", APIS)
def test_requests_are_json(api: str) -> None:
    request = prepared(api, output_schema=Trip).request
    assert json.loads(json.dumps(request)) == request
