"""Tools that a provider defines: those it runs itself, and those that run here under its names."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from tests.loopback.scripts import Call, Item, turn
from tests.loopback.server import Loopback
from tests.providers.conversations import (
    CHANNELS,
    GENERATE,
    MESSAGES,
    RESPONSES,
    Channel,
    by_api,
    converse,
    ids_of,
    names_of,
    params_of,
    results_of,
)
from tool_core import Strict, Tool, Toolkit
from tool_core.providers import anthropic, google, openai

IN_RESPONSES = [channel for channel in CHANNELS if channel.api.startswith("responses")]
IN_MESSAGES = [channel for channel in CHANNELS if channel.family == "anthropic"]
IN_GENERATE = [channel for channel in CHANNELS if channel.model == "gemini-3-pro"]
now = Tool.make("Now", success=str)
NOW: Any = {"Now": lambda _: "noon"}


def executed(parts: Any) -> list[tuple[str, str, object]]:
    """Read what the provider ran: the kind of part, the name, and the parameters or the result."""
    return [
        (part["type"], part["name"], part.get("params", part.get("result")))
        for part in parts
        if part.get("provider_executed")
    ]


SEARCHED = {"type": "search", "query": "news", "sources": [{"type": "url", "url": "https://example.org"}]}
OPENAI_RAN: list[dict[str, Any]] = [
    {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": SEARCHED},
    {"type": "file_search_call", "id": "fs_1", "status": "completed", "queries": ["q"], "results": [{"file_id": "f", "filename": "a.txt", "score": 0.5, "text": "t"}]},
    {"type": "code_interpreter_call", "id": "ci_1", "status": "completed", "code": "1+1", "container_id": "c", "outputs": [{"type": "logs", "logs": "2"}]},
    {"type": "image_generation_call", "id": "ig_1", "status": "completed", "result": "aGk="},
    {"type": "mcp_list_tools", "id": "ml_1", "server_label": "docs", "tools": [{"name": "find", "input_schema": {}}]},
    {"type": "mcp_call", "id": "mc_1", "status": "completed", "server_label": "docs", "name": "find", "arguments": '{"q": 1}', "output": "found"},
]  # fmt: skip
openai_kit = Toolkit.make(
    now,
    openai.WebSearch({"search_context_size": "low"}),
    openai.FileSearch({"vector_store_ids": ["vs_1"]}),
    openai.CodeInterpreter({"container": {"type": "auto"}}),
    openai.ImageGeneration({}),
    openai.Mcp({"server_label": "docs", "server_url": "https://example.org/mcp"}),
)


@pytest.mark.parametrize("channel", IN_RESPONSES, ids=by_api)
def test_what_openai_ran_itself_is_read_and_not_answered(channel: Channel) -> None:
    script = [turn(*map(Item, OPENAI_RAN), Call("Now", {}), "Done so far."), turn("Done.")]
    with Loopback(*script) as server:
        shown = converse(channel, server, openai_kit.bind(NOW))
    found = executed(shown.calls[0])
    assert [(kind, name) for kind, name, _ in found] == [
        (kind, f"OpenAi{name}")
        for name in ("WebSearch", "FileSearch", "CodeInterpreter", "ImageGeneration", "Mcp")
        for kind in ("tool-call", "tool-result")
    ]
    assert found[0][2] == {"action": SEARCHED}
    assert found[5][2] == {"outputs": [{"type": "logs", "logs": "2"}]}
    assert found[8][2] == {"q": 1}
    assert [item.get("type") for item in server.bodies[1]["input"]].count("function_call_output") == 1
    assert [item["id"] for item in server.bodies[1]["input"] if item.get("id") in ("ws_1", "mc_1")] == [
        "ws_1",
        "mc_1",
    ]


def test_openai_asks_to_approve_a_call_to_an_mcp_server() -> None:
    ask = {
        "type": "mcp_approval_request",
        "id": "mcpr_1",
        "server_label": "docs",
        "name": "drop",
        "arguments": "{}",
    }
    ran = {**OPENAI_RAN[5], "approval_request_id": "mcpr_1"}
    bound = openai_kit.bind(NOW)
    prepared = RESPONSES.prepared(bound)
    messages = [RESPONSES.opening("Drop it.")]
    with Loopback(turn(Item(ask), Call("Now", {})), turn(Item(ran), "Dropped.")) as server:
        response = RESPONSES.reply(server, prepared, messages)
        parts = prepared.read_calls(response)
        [request] = [part for part in parts if part["type"] == "tool-approval-request"]
        results = asyncio.run(bound.resolve(parts))
        decision: Any = {
            "type": "tool-approval-response",
            "approval_id": request["approval_id"],
            "approved": True,
        }
        messages += [*prepared.assistant_turn(response), *prepared.tool_results([*results, decision])]
        last = RESPONSES.reply(server, prepared, messages)
    assert executed(prepared.read_calls(last))[1][2] == {
        "type": "mcp_call", "name": "find", "arguments": '{"q": 1}', "output": "found", "server_label": "docs",
    }  # fmt: skip
    assert server.bodies[1]["input"][-1] == {
        "type": "mcp_approval_response",
        "approval_request_id": "mcpr_1",
        "approve": True,
    }


SHELL = {
    "type": "shell_call",
    "id": "sh_1",
    "call_id": "call_s",
    "status": "completed",
    "action": {"commands": ["ls", "boom"], "timeout_ms": 1000, "max_output_length": 99},
}
PATCH = {
    "type": "apply_patch_call",
    "id": "ap_1",
    "call_id": "call_p",
    "status": "completed",
    "operation": {"type": "update_file", "path": "a.py", "diff": "@@"},
}
GONE = {
    "type": "apply_patch_call",
    "id": "ap_2",
    "call_id": "call_q",
    "status": "completed",
    "operation": {"type": "delete_file", "path": "gone"},
}
LOCAL = {"type": "local_shell_call", "id": "ls_1", "call_id": "call_l", "status": "completed", "action": {"type": "exec", "command": ["ls"], "env": {}}}  # fmt: skip


@pytest.mark.parametrize("channel", IN_RESPONSES, ids=by_api)
def test_openais_shells_and_patches_run_here_and_are_answered_in_kind(channel: Channel) -> None:
    def shell(params: Any) -> Any:
        ran = [
            ("ok", "", 0) if command == "ls" else ("", "no", 127) for command in params["action"]["commands"]
        ]
        return {
            "output": [
                {"stdout": out, "stderr": err, "outcome": {"type": "exit", "exit_code": code}}
                for out, err, code in ran
            ]
        }

    def patch(params: Any) -> Any:
        if params["operation"]["path"] == "gone":
            raise FileNotFoundError("gone")
        return {"status": "completed", "output": "patched"}

    kit = Toolkit.make(
        now,
        openai.Shell(),
        openai.ApplyPatch(failure_mode="return"),
        openai.LocalShell(failure_mode="return"),
    )
    handlers: Any = {
        "OpenAiShell": shell,
        "OpenAiApplyPatch": patch,
        "OpenAiLocalShell": lambda params: {"output": " ".join(params["action"]["command"])},
    }
    with Loopback(turn(*map(Item, (SHELL, PATCH, GONE, LOCAL)), Call("Now", {})), turn("Done.")) as server:
        shown = converse(channel, server, kit.bind({**NOW, **handlers}))
    assert ids_of(shown.calls[0]) == ["call_s", "call_p", "call_q", "call_l", "call_1x4"]
    outputs = {
        item["type"]: item for item in server.bodies[1]["input"] if str(item.get("type")).endswith("_output")
    }
    assert [chunk["outcome"]["exit_code"] for chunk in outputs["shell_call_output"]["output"]] == [0, 127]
    assert json.loads(outputs["local_shell_call_output"]["output"]) == {"output": "ls"}
    patches = [item for item in server.bodies[1]["input"] if item.get("type") == "apply_patch_call_output"]
    assert [item["status"] for item in patches] == ["completed", "failed"]
    assert outputs["function_call_output"]["output"] == "noon"


FORCED: list[tuple[Any, str, dict[str, Any]]] = [
    (openai.Shell(), "OpenAiShell", SHELL),
    (openai.ApplyPatch(), "OpenAiApplyPatch", PATCH),
    (openai.LocalShell(), "OpenAiLocalShell", LOCAL),
    (openai.WebSearch({}), "OpenAiWebSearch", OPENAI_RAN[0]),
    (openai.FileSearch({"vector_store_ids": []}), "OpenAiFileSearch", OPENAI_RAN[1]),
    (openai.CodeInterpreter({"container": "c"}), "OpenAiCodeInterpreter", OPENAI_RAN[2]),
    (openai.ImageGeneration({}), "OpenAiImageGeneration", OPENAI_RAN[3]),
]


@pytest.mark.parametrize(("tool", "name", "item"), FORCED, ids=[name for _, name, _ in FORCED])
def test_a_tool_of_openai_can_be_forced(tool: Any, name: str, item: dict[str, Any]) -> None:
    kit = Toolkit.make(now, tool)
    handlers: dict[str, Any] = {**NOW, **({name: lambda _: None} if tool.requires_handler else {})}
    prepared = RESPONSES.prepared(kit.bind(handlers), tool_choice={"tool": name})
    with Loopback(turn(Item(item))) as server:
        response = RESPONSES.reply(server, prepared, [RESPONSES.opening("Go on.")])
    assert names_of(prepared.read_calls(response))[0] == name


def server_use(call_id: str, name: str, **arguments: Any) -> dict[str, Any]:
    return {
        "type": "server_tool_use",
        "id": call_id,
        "name": name,
        "input": arguments,
        "caller": {"type": "direct"},
    }


def server_result(kind: str, call_id: str, content: Any) -> dict[str, Any]:
    return {"type": f"{kind}_tool_result", "tool_use_id": call_id, "content": content}


HIT = {
    "type": "web_search_result",
    "url": "https://example.org",
    "title": "T",
    "encrypted_content": "e",
    "page_age": None,
}
BASH = {"type": "bash_code_execution_result", "stdout": "2", "stderr": "", "return_code": 0, "content": []}
PAGE = {
    "type": "web_fetch_result", "url": "https://example.org", "retrieved_at": None,
    "content": {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "x"}},
}  # fmt: skip
FOUND = {
    "type": "tool_search_tool_search_result",
    "tool_references": [{"type": "tool_reference", "tool_name": "Now"}],
}
ANTHROPIC_RAN = [
    server_use("srv_1", "web_search", query="news"),
    server_result("web_search", "srv_1", [HIT]),
    server_use("srv_2", "bash_code_execution", command="echo 2"),
    server_result("bash_code_execution", "srv_2", BASH),
    server_use("srv_3", "web_fetch", url="https://example.org"),
    server_result("web_fetch", "srv_3", PAGE),
    server_use("srv_4", "tool_search_tool_regex", query="now"),
    server_result("tool_search", "srv_4", FOUND),
    server_use("srv_5", "web_search", query="more"),
    server_result(
        "web_search", "srv_5", {"type": "web_search_tool_result_error", "error_code": "max_uses_exceeded"}
    ),
]
anthropic_kit = Toolkit.make(
    now,
    anthropic.WebSearch_20250305({"max_uses": 1}),
    anthropic.CodeExecution_20250825(),
    anthropic.WebFetch_20250910({}),
    anthropic.ToolSearchRegex_20251119(),
)


@pytest.mark.parametrize("channel", IN_MESSAGES, ids=by_api)
def test_what_anthropic_ran_itself_is_read_and_stays_in_its_turn(channel: Channel) -> None:
    script = [turn("Let me see.", *map(Item, ANTHROPIC_RAN), Call("Now", {})), turn("Done.")]
    with Loopback(*script) as server:
        shown = converse(channel, server, anthropic_kit.bind(NOW))
    found = executed(shown.calls[0])
    assert [(kind, name) for kind, name, _ in found] == [
        (kind, f"Anthropic{name}")
        for name in ("WebSearch", "CodeExecution", "WebFetch", "ToolSearchRegex", "WebSearch")
        for kind in ("tool-call", "tool-result")
    ]
    assert found[2][2] == {"type": "bash_code_execution", "command": "echo 2"}
    assert anthropic_kit.tools["AnthropicCodeExecution"].parameters_schema.decode(found[2][2]) == found[2][2]
    flags = [part["is_failure"] for part in shown.calls[0] if part["type"] == "tool-result"]
    assert flags == [False, False, False, False, True]
    assert list(channel.answers(server.bodies[1])) == [("toolu_01T1x1fJ34qAmk2tNTrN7U1x11", "noon", False)]


PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


@pytest.mark.parametrize("channel", IN_MESSAGES, ids=by_api)
def test_anthropics_handled_tools_run_here_under_their_wire_names(channel: Channel) -> None:
    kit = Toolkit.make(
        anthropic.Bash_20250124(),
        anthropic.TextEditor_20250728({"max_characters": 100}, failure_mode="return"),
        anthropic.ComputerUse_20251124({"display_width_px": 1280, "display_height_px": 800}),
        anthropic.Memory_20250818(),
        now,
    )
    screenshot = [{"type": "image", "data": PIXEL, "mimeType": "image/png"}]
    seen: list[Any] = []

    def editor(params: Any) -> str:
        seen.append(params)
        if params["path"] == "gone":
            raise FileNotFoundError("gone")
        return "1: x"

    handlers: Any = {
        "AnthropicBash": lambda params: f"ran {params['command']}",
        "AnthropicTextEditor": editor,
        "AnthropicComputerUse": lambda params: screenshot if params["action"] == "screenshot" else "clicked",
        "AnthropicMemory": lambda params: f"{params['command']} {params['path']}",
    }
    calls = [
        Call("bash", {"command": "ls"}),
        Call("str_replace_based_edit_tool", {"command": "view", "path": "a.py", "view_range": [1, 2]}),
        Call("str_replace_based_edit_tool", {"command": "view", "path": "gone"}),
        Call("computer", {"action": "left_click", "coordinate": [10, 20]}),
        Call("computer", {"action": "screenshot"}),
        Call("memory", {"command": "view", "path": "/memories"}),
        Call("Now", {}),
    ]
    with Loopback(turn(*calls), turn("Done.")) as server:
        shown = converse(channel, server, kit.bind({**NOW, **handlers}))
    assert params_of(shown.calls[0]) == [call.arguments for call in calls]
    told = list(channel.answers(server.bodies[1]))
    assert [flag for _, _, flag in told] == [False, False, True, False, False, False, False]
    assert [told[index][1] for index in (0, 1, 3, 5, 6)] == [
        "ran ls",
        "1: x",
        "clicked",
        "view /memories",
        "noon",
    ]
    assert told[4][1] == [
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PIXEL}}
    ]
    assert set(server.requests[0].betas) == {
        "structured-outputs-2025-11-13",
        "computer-use-2025-01-24",
        "computer-use-2025-11-24",
        "context-management-2025-06-27",
    }
    assert server.bodies[0]["tools"][0]["name"] == "Now"


@pytest.mark.parametrize("name", ["AnthropicBash", "Now"])
def test_a_handled_tool_of_anthropic_can_be_forced_by_our_name(name: str) -> None:
    kit = Toolkit.make(anthropic.Bash_20250124(), now)
    prepared = MESSAGES.prepared(kit.bind({**NOW, "AnthropicBash": lambda _: ""}), tool_choice={"tool": name})
    call = Call("bash", {"command": "ls"}) if name == "AnthropicBash" else Call("Now", {})
    with Loopback(turn(call)) as server:
        response = MESSAGES.reply(server, prepared, [MESSAGES.opening("Go on.")])
    assert server.bodies[0]["tool_choice"] == {"type": "tool", "name": call.name}
    assert names_of(prepared.read_calls(response))[0] == name


GOOGLE_RAN: list[dict[str, Any]] = [
    {"executableCode": {"language": "PYTHON", "code": "print(1+1)", "id": "x1"}},
    {"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "2", "id": "x1"}},
    {"toolCall": {"toolType": "GOOGLE_SEARCH_WEB", "args": {"queries": ["news"]}, "id": "g1"}},
    {"toolResponse": {"toolType": "GOOGLE_SEARCH_WEB", "response": {"hits": 3}, "id": "g1"}},
]


@pytest.mark.parametrize("channel", IN_GENERATE, ids=by_api)
def test_what_google_ran_itself_is_read_and_stays_in_its_turn(channel: Channel) -> None:
    kit = Toolkit.make(now, google.CodeExecution(), google.GoogleSearch({}), google.UrlContext())
    with Loopback(turn(*map(Item, GOOGLE_RAN), Call("Now", {})), turn("Done.")) as server:
        shown = converse(channel, server, kit.bind(NOW))
    assert executed(shown.calls[0]) == [
        ("tool-call", "GoogleCodeExecution", {"code": "print(1+1)", "language": "PYTHON"}),
        ("tool-result", "GoogleCodeExecution", {"outcome": "OUTCOME_OK", "output": "2"}),
        ("tool-call", "GoogleSearch", {"queries": ["news"]}),
        ("tool-result", "GoogleSearch", {"hits": 3}),
    ]
    assert results_of(shown.results[0]) == ["noon"]
    kept = server.bodies[1]["contents"][1]["parts"]
    assert [next(iter(part)) for part in kept if "thoughtSignature" not in part] == [
        "executableCode",
        "codeExecutionResult",
        "toolCall",
        "toolResponse",
    ]


def test_google_runs_its_tools_also_without_functions_and_with_lenient_ones() -> None:
    alone = Toolkit.make(google.GoogleSearch({}))
    lenient = Toolkit.make(google.GoogleSearch({}), now.annotate(Strict, False))
    with Loopback(turn("Found."), turn(Call("Now", {})), turn("Done.")) as server:
        converse(GENERATE, server, alone.bind({}))
        converse(GENERATE, server, lenient.bind(NOW))
    assert "toolConfig" not in server.bodies[0]
