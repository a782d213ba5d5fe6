"""What a provider ran itself: calls and results as parts, in order, flagged, and never run again."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest

from tests.providers.catalogue import ANTHROPIC, GOOGLE, OPENAI
from tests.providers.kits import NOW, prepared
from tool_core import Toolkit
from tool_core.providers import anthropic

OPENAI_KIT = Toolkit.make(*OPENAI.values(), NOW)
SEARCH = {"type": "search", "query": "cats", "sources": [{"type": "url", "url": "https://example.org"}]}

OPENAI_ITEMS: list[tuple[dict[str, Any], str, Any, Any, bool]] = [
    # item, our name, params, result, is_failure
    ({"type": "web_search_call", "id": "i", "status": "completed", "action": SEARCH}, "OpenAiWebSearch", {"action": SEARCH}, {"action": SEARCH, "status": "completed"}, False),
    ({"type": "web_search_call", "id": "i", "status": "failed", "action": SEARCH}, "OpenAiWebSearch", {"action": SEARCH}, {"action": SEARCH, "status": "failed"}, True),
    ({"type": "file_search_call", "id": "i", "status": "completed", "queries": ["q"], "results": [{"file_id": "f", "text": "t"}]}, "OpenAiFileSearch", None, {"status": "completed", "queries": ["q"], "results": [{"file_id": "f", "text": "t"}]}, False),
    ({"type": "code_interpreter_call", "id": "i", "status": "completed", "code": "1+1", "container_id": "c", "outputs": [{"type": "logs", "logs": "2"}]}, "OpenAiCodeInterpreter", {"code": "1+1", "container_id": "c"}, {"outputs": [{"type": "logs", "logs": "2"}]}, False),
    ({"type": "code_interpreter_call", "id": "i", "status": "failed", "code": None, "container_id": "c", "outputs": None}, "OpenAiCodeInterpreter", {"code": None, "container_id": "c"}, {"outputs": None}, True),
    ({"type": "image_generation_call", "id": "i", "status": "completed", "result": "aGk="}, "OpenAiImageGeneration", None, {"result": "aGk="}, False),
    ({"type": "mcp_call", "id": "i", "server_label": "docs", "name": "read", "arguments": '{"a": 1}', "output": "ok"}, "OpenAiMcp", {"a": 1}, {"type": "mcp_call", "name": "read", "arguments": '{"a": 1}', "output": "ok", "server_label": "docs"}, False),
    ({"type": "mcp_call", "id": "i", "server_label": "docs", "name": "read", "arguments": "{}", "error": {"type": "protocol_error", "code": 1, "message": "x"}}, "OpenAiMcp", {}, {"type": "mcp_call", "name": "read", "arguments": "{}", "error": {"type": "protocol_error", "code": 1, "message": "x"}, "server_label": "docs"}, True),
]  # fmt: skip


@pytest.mark.parametrize(
    ("item", "name", "params", "result", "is_failure"), OPENAI_ITEMS, ids=lambda item: str(item)[:50]
)
def test_openais_own_tools(
    item: dict[str, Any], name: str, params: Any, result: Any, is_failure: bool
) -> None:
    call, answer = cast("list[Any]", prepared("responses", OPENAI_KIT).read_calls({"output": [item]}))
    assert (call["type"], call["id"], call["name"], call["params"]) == ("tool-call", "i", name, params)
    assert (answer["type"], answer["id"], answer["name"], answer["result"]) == (
        "tool-result",
        "i",
        name,
        result,
    )
    assert call["provider_executed"] is answer["provider_executed"] is True
    assert answer["is_failure"] is is_failure
    tool: Any = cast(Any, OPENAI_KIT.tools)[name]
    assert tool.parameters_schema.encode(tool.parameters_schema.decode(params)) == params
    assert tool.success_schema.encode(tool.success_schema.decode(result)) == result


def test_a_preview_search_is_named_after_the_tool_that_is_there() -> None:
    item = OPENAI_ITEMS[0][0]
    only = Toolkit.make(OPENAI["WebSearchPreview"])
    assert [
        cast(Any, part)["name"] for part in prepared("responses", only).read_calls({"output": [item]})
    ] == ["OpenAiWebSearchPreview"] * 2


def test_what_the_provider_ran_is_not_run_here_and_not_answered() -> None:
    plan = prepared("responses", OPENAI_KIT)
    handlers: Any = dict.fromkeys(
        ["OpenAiShell", "OpenAiLocalShell", "OpenAiApplyPatch"], lambda _: pytest.fail("ran")
    )
    bound = OPENAI_KIT.bind({**handlers, "Now": lambda _: 12.5})
    items = [item for item, *_ in OPENAI_ITEMS]
    items.append({"type": "function_call", "call_id": "c1", "name": "Now", "arguments": ""})
    parts = asyncio.run(bound.resolve(plan.read_calls({"output": items})))
    assert plan.tool_results(parts) == [{"type": "function_call_output", "call_id": "c1", "output": "12.5"}]
    assert plan.tool_results(plan.read_calls({"output": items[:-1]})) == []


APPROVAL = {
    "type": "mcp_approval_request",
    "id": "mcpr_1",
    "server_label": "docs",
    "name": "delete",
    "arguments": '{"path": "a"}',
}


def test_openai_asks_before_it_runs_a_remote_tool() -> None:
    plan = prepared("responses", OPENAI_KIT)
    call, request = cast("list[Any]", plan.read_calls({"output": [APPROVAL]}))
    assert (call["name"], call["params"], call["provider_executed"]) == ("OpenAiMcp", {"path": "a"}, True)
    assert call["metadata"] == {"mcp_tool": "delete", "server_label": "docs"}
    assert request == {"type": "tool-approval-request", "approval_id": "mcpr_1", "tool_call_id": "mcpr_1"}
    handlers: Any = dict.fromkeys(
        ["OpenAiShell", "OpenAiLocalShell", "OpenAiApplyPatch", "Now"], lambda _: pytest.fail("ran")
    )
    assert asyncio.run(OPENAI_KIT.bind(handlers).resolve([call, request])) == [request]
    yes: Any = {"type": "tool-approval-response", "approval_id": "mcpr_1", "approved": True}
    no: Any = {"type": "tool-approval-response", "approval_id": "mcpr_2", "approved": False, "reason": "mine"}
    assert plan.tool_results([yes, no]) == [
        {"type": "mcp_approval_response", "approval_request_id": "mcpr_1", "approve": True},
        {
            "type": "mcp_approval_response",
            "approval_request_id": "mcpr_2",
            "approve": False,
            "reason": "mine",
        },
    ]
    assert plan.assistant_turn({"output": [APPROVAL]}) == [APPROVAL]


# --- Anthropic ---------------------------------------------------------------------------------

SERVER_KIT = Toolkit.make(
    ANTHROPIC["CodeExecution_20250825"], ANTHROPIC["WebSearch_20250305"], ANTHROPIC["WebFetch_20250910"], ANTHROPIC["ToolSearchBM25_20251119"],
)  # fmt: skip
RAN = {"content": [], "return_code": 0, "stderr": "", "stdout": "a"}
HIT = {
    "type": "web_search_result",
    "url": "https://example.org",
    "title": "t",
    "encrypted_content": "e",
    "page_age": None,
}

ANTHROPIC_BLOCKS: list[tuple[str, Any, str, Any, str, Any, bool]] = [
    # wire name, input, result block, content, our name, params, is_failure
    ("web_search", {"query": "q"}, "web_search_tool_result", [HIT], "AnthropicWebSearch", {"query": "q"}, False),
    ("web_search", {"query": "q"}, "web_search_tool_result", {"type": "web_search_tool_result_error", "error_code": "unavailable"}, "AnthropicWebSearch", {"query": "q"}, True),
    ("web_fetch", {"url": "u"}, "web_fetch_tool_result", {"type": "web_fetch_result", "url": "u", "content": {"type": "document"}}, "AnthropicWebFetch", {"url": "u"}, False),
    ("bash_code_execution", {"command": "ls"}, "bash_code_execution_tool_result", {"type": "bash_code_execution_result", **RAN}, "AnthropicCodeExecution", {"type": "bash_code_execution", "command": "ls"}, False),
    ("text_editor_code_execution", {"command": "view", "path": "/a"}, "text_editor_code_execution_tool_result", {"type": "text_editor_code_execution_view_result", "content": "x", "file_type": "text"}, "AnthropicCodeExecution", {"type": "text_editor_code_execution", "command": "view", "path": "/a"}, False),
    ("text_editor_code_execution", {"command": "create", "path": "/a", "file_text": "x"}, "text_editor_code_execution_tool_result", {"type": "text_editor_code_execution_create_result", "is_file_update": False}, "AnthropicCodeExecution", {"type": "text_editor_code_execution", "command": "create", "path": "/a", "file_text": "x"}, False),
    ("text_editor_code_execution", {"command": "str_replace", "path": "/a", "old_str": "x", "new_str": "y"}, "text_editor_code_execution_tool_result", {"type": "text_editor_code_execution_tool_result_error", "error_code": "file_not_found", "error_message": None}, "AnthropicCodeExecution", {"type": "text_editor_code_execution", "command": "str_replace", "path": "/a", "old_str": "x", "new_str": "y"}, True),
    ("tool_search_tool_bm25", {"query": "q"}, "tool_search_tool_result", {"type": "tool_search_tool_search_result", "tool_references": [{"type": "tool_reference", "tool_name": "a"}]}, "AnthropicToolSearchBM25", {"query": "q"}, False),
]  # fmt: skip


def blocks(name: str, arguments: Any, kind: str, content: Any) -> list[dict[str, Any]]:
    use = {"type": "server_tool_use", "id": "s", "name": name, "input": arguments}
    return [use, {"type": kind, "tool_use_id": "s", "content": content}]


def streamed(listed: list[dict[str, Any]]) -> list[dict[str, Any]]:
    import json

    events: list[dict[str, Any]] = []
    for index, block in enumerate(listed):
        opening = {**block, "input": {}} if "input" in block else block
        events.append({"type": "content_block_start", "index": index, "content_block": opening})
        if "input" in block:
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
            events.append({"type": "content_block_delta", "index": index, "delta": delta})
        events.append({"type": "content_block_stop", "index": index})
    return events


@pytest.mark.parametrize(
    ("wire", "arguments", "kind", "content", "name", "params", "is_failure"),
    ANTHROPIC_BLOCKS,
    ids=lambda item: str(item)[:40],
)
def test_anthropics_own_tools_streamed_or_not(
    wire: str, arguments: Any, kind: str, content: Any, name: str, params: Any, is_failure: bool
) -> None:
    plan, listed = prepared("messages", SERVER_KIT), blocks(wire, arguments, kind, content)
    call, answer = cast("list[Any]", plan.read_calls({"content": listed}))
    assert (call["id"], call["name"], call["params"]) == ("s", name, params)
    assert (answer["id"], answer["name"], answer["result"]) == ("s", name, content)
    assert call["provider_executed"] is answer["provider_executed"] is True
    assert answer["is_failure"] is is_failure
    assert plan.read_calls(streamed(listed)) == [call, answer]
    assert plan.assistant_turn({"content": listed})[0]["content"] == listed
    tool: Any = cast(Any, SERVER_KIT.tools)[name]
    assert tool.parameters_schema.encode(tool.parameters_schema.decode(params)) == params
    schema = tool.failure_schema if is_failure else tool.success_schema
    assert schema.encode(schema.decode(content)) == content


def test_the_parameters_of_code_execution_are_a_union() -> None:
    tool = anthropic.CodeExecution_20250825()
    schema = tool.parameters_schema.json_schema()
    assert len(cast(Any, schema["anyOf"])) == 5
    assert tool.parameters_schema.decode({"type": "programmatic-tool-call", "code": "x"}) == {
        "type": "programmatic-tool-call",
        "code": "x",
    }
    assert anthropic.CodeExecution_20250522().parameters_schema.decode({"code": "x"}) == {"code": "x"}


def test_tools_of_anthropics_mcp_connector_keep_their_own_names() -> None:
    listed = [
        {"type": "mcp_tool_use", "id": "m", "name": "read", "server_name": "docs", "input": {"a": 1}},
        {
            "type": "mcp_tool_result",
            "tool_use_id": "m",
            "is_error": True,
            "content": [{"type": "text", "text": "no"}],
        },
    ]
    call, answer = cast("list[Any]", prepared("messages").read_calls({"content": listed}))
    assert (call["name"], call["metadata"], answer["name"], answer["is_failure"]) == (
        "read",
        {"server_name": "docs"},
        "read",
        True,
    )


# --- Google ------------------------------------------------------------------------------------

GOOGLE_KIT = Toolkit.make(NOW, *GOOGLE.values())


def candidate(*parts: Any, **more: Any) -> dict[str, Any]:
    return {
        "responseId": "r",
        "candidates": [{"content": {"role": "model", "parts": list(parts)}, "finishReason": "STOP", **more}],
    }


@pytest.mark.parametrize(("outcome", "is_failure"), [("OUTCOME_OK", False), ("OUTCOME_FAILED", True)])
def test_googles_code_execution(outcome: str, is_failure: bool) -> None:
    response = candidate(
        {"executableCode": {"code": "1+1", "language": "PYTHON"}}, {"codeExecutionResult": {"outcome": outcome, "output": "2"}}, {"functionCall": {"id": "c", "name": "Now", "args": {}}}
    )  # fmt: skip
    call, answer, now = cast("list[Any]", prepared("generate", GOOGLE_KIT).read_calls(response))
    assert (call["name"], call["params"]) == ("GoogleCodeExecution", {"code": "1+1", "language": "PYTHON"})
    assert (answer["id"], answer["result"], answer["is_failure"]) == (
        call["id"],
        {"outcome": outcome, "output": "2"},
        is_failure,
    )
    assert (now["id"], now["provider_executed"]) == ("c", False)


def test_googles_tools_that_say_what_they_did() -> None:
    response = candidate(
        {"toolCall": {"id": "t1", "toolType": "GOOGLE_SEARCH_WEB", "args": {"queries": ["q"]}}},
        {"toolResponse": {"id": "t1", "toolType": "GOOGLE_SEARCH_WEB", "response": {"x": 1}}},
        {"toolCall": {"id": "t2", "toolType": "URL_CONTEXT", "args": {"urls": ["u"]}}},
    )
    parts = cast("list[Any]", prepared("generate", GOOGLE_KIT).read_calls(response))
    assert [(part["type"], part["id"], part["name"]) for part in parts] == [
        ("tool-call", "t1", "GoogleSearch"), ("tool-result", "t1", "GoogleSearch"), ("tool-call", "t2", "GoogleUrlContext"),
    ]  # fmt: skip


def test_googles_grounding_is_a_search_that_was_run() -> None:
    grounding = {"webSearchQueries": ["cats"], "groundingChunks": []}
    pages = {
        "urlMetadata": [
            {"retrievedUrl": "https://example.org", "urlRetrievalStatus": "URL_RETRIEVAL_STATUS_SUCCESS"}
        ]
    }
    parts = cast(
        "list[Any]",
        prepared("generate", GOOGLE_KIT).read_calls(
            candidate({"text": "Yes"}, groundingMetadata=grounding, urlContextMetadata=pages)
        ),
    )
    assert [(part["type"], part["name"]) for part in parts] == [
        ("tool-call", "GoogleSearch"), ("tool-result", "GoogleSearch"), ("tool-call", "GoogleUrlContext"), ("tool-result", "GoogleUrlContext"),
    ]  # fmt: skip
    assert parts[0]["params"] == {"queries": ["cats"]} and parts[2]["params"] == {
        "urls": ["https://example.org"]
    }


def test_a_call_of_google_without_an_id_is_answered_without_one() -> None:
    plan = prepared("generate", Toolkit.make(NOW))
    response = candidate({"functionCall": {"name": "Now"}}, {"functionCall": {"name": "Now"}})
    bound = Toolkit.make(NOW).bind({"Now": lambda _: 12.5})
    calls = plan.read_calls(response)
    assert len({cast(Any, call)["id"] for call in calls}) == 2
    assert plan.read_calls(response) == calls
    [content] = plan.tool_results(asyncio.run(bound.resolve(calls)))
    assert content == {
        "role": "user",
        "parts": [{"function_response": {"name": "Now", "response": {"output": 12.5}}}] * 2,
    }
    other = cast(Any, plan.read_calls({**response, "responseId": "other"}))
    assert other[0]["id"] != cast(Any, calls[0])["id"]


def test_a_call_that_google_could_not_write_is_answered_in_words() -> None:
    plan = prepared("generate", Toolkit.make(NOW))
    response = {
        "responseId": "r",
        "candidates": [
            {"finishReason": "MALFORMED_FUNCTION_CALL", "finishMessage": "Malformed function call: Now("}
        ],
    }
    [part] = plan.read_calls(response)
    [content] = plan.tool_results([part])
    assert cast(Any, part)["is_failure"] is True
    assert content["parts"][0]["text"].startswith("The tool call failed: ")
    assert "Malformed function call: Now(" in content["parts"][0]["text"]


def test_a_result_after_a_pause_is_named_without_its_call() -> None:
    plan = prepared("messages", SERVER_KIT)
    for kind, name in (
        ("bash_code_execution_tool_result", "AnthropicCodeExecution"), ("code_execution_tool_result", "AnthropicCodeExecution"),
        ("web_search_tool_result", "AnthropicWebSearch"), ("tool_search_tool_result", "AnthropicToolSearchBM25"),
    ):  # fmt: skip
        block = {"type": kind, "tool_use_id": "earlier", "content": {"type": "x"}}
        [part] = cast("list[Any]", plan.read_calls({"content": [{"type": "text", "text": "a"}, block]}))
        assert (part["id"], part["name"], part["provider_executed"]) == ("earlier", name, True)


def test_a_shell_in_a_container_is_known_before_its_output_streams_in() -> None:
    plan = prepared("responses", Toolkit.make(OPENAI["Shell"]))
    place = {"type": "container_reference", "container_id": "cntr_1"}
    call = {"type": "shell_call", "call_id": "c1", "action": {"commands": ["ls"]}, "environment": place}
    output = {"type": "shell_call_output", "call_id": "c1", "output": []}
    reader = plan.stream()
    given = [
        (part["type"], part.get("provider_executed"))
        for number, item in enumerate([call, output])
        for part in cast("list[Any]", reader.feed({"type": "response.output_item.done", "output_index": number, "item": item}))
    ]  # fmt: skip
    assert given == [("tool-call", True), ("tool-result", True)]
