"""Whatever a server sends, reading it gives parts and never an exception."""

from __future__ import annotations

import json
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.providers.catalogue import ANTHROPIC, GOOGLE, OPENAI
from tests.providers.kits import KIT, prepared
from tests.providers.responses import APIS
from tool_core import InvalidOutputError, Toolkit

WORDS = {
    "responses": ["output", "type", "function_call", "call_id", "id", "name", "arguments", "status", "incomplete", "message", "content", "shell_call", "action", "web_search_call", "mcp_call", "mcp_approval_request", "output_index", "item", "item_id", "delta", "response.output_item.added", "response.output_item.done", "response.function_call_arguments.delta", "response.completed", "response", "phase", "refusal", "output_text", "text", "Now"],
    "chat": ["choices", "message", "tool_calls", "function", "name", "arguments", "id", "index", "delta", "finish_reason", "content", "refusal", "chunk", "type", "length", "custom", "input", "Now"],
    "messages": ["content", "type", "tool_use", "server_tool_use", "web_search_tool_result", "id", "tool_use_id", "name", "input", "stop_reason", "max_tokens", "content_block_start", "content_block_delta", "content_block_stop", "index", "content_block", "delta", "input_json_delta", "partial_json", "message_start", "message", "message_delta", "text", "bash_code_execution", "Now"],
    "generate": ["candidates", "content", "parts", "functionCall", "function_call", "name", "args", "id", "finishReason", "MALFORMED_FUNCTION_CALL", "executableCode", "codeExecutionResult", "toolCall", "toolResponse", "groundingMetadata", "webSearchQueries", "urlContextMetadata", "urlMetadata", "partialArgs", "jsonPath", "$.a[0]", "willContinue", "stringValue", "responseId", "text", "thought", "Now"],
}  # fmt: skip
TOOLS: dict[str, list[Any]] = {
    "responses": list(OPENAI.values()),
    "chat": [],
    "messages": [
        ANTHROPIC[name] for name in ("Bash_20250124", "CodeExecution_20250825", "WebSearch_20250305")
    ],
    "generate": list(GOOGLE.values()),
}


def values(api: str) -> st.SearchStrategy[Any]:
    words = st.sampled_from(WORDS[api])
    leaves = st.one_of(
        st.none(), st.booleans(), st.integers(-2, 3), words, words, st.just("{}"), st.text(max_size=3)
    )
    return st.recursive(
        leaves, lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(words, inner, max_size=4)), max_leaves=25
    )  # fmt: skip


MARKERS = {"responses": "output", "chat": "choices", "messages": "content", "generate": "candidates"}


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("is_stream", [False, True])
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
@given(data=st.data())
def test_reading_never_raises(api: str, is_stream: bool, data: st.DataObject) -> None:
    plan = prepared(api, Toolkit.make(*KIT, *TOOLS[api]), output_schema=dict[str, int])
    events: Any = data.draw(st.lists(values(api), max_size=6))
    response = events if is_stream else {MARKERS[api]: events}
    parts = plan.read_calls(response)
    json.dumps(parts, default=repr)
    for part in parts:
        assert part["type"] in ("tool-call", "tool-result", "tool-approval-request")
        assert part["type"] == "tool-approval-request" or isinstance(cast(Any, part)["name"], str)
    plan.assistant_turn(response)
    plan.tool_results(parts)
    try:
        plan.read_output(response)
    except InvalidOutputError as error:
        assert error.description
