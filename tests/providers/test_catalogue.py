"""Provider-defined tools: their wire form, their betas, their arguments, and those that run here."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest

from tests.providers.catalogue import ANTHROPIC, GOOGLE, OPENAI
from tests.providers.kits import NOW, prepared
from tests.providers.responses import messages, responses
from tool_core import Tool, ToolConfigurationError, Toolkit
from tool_core.providers import DeferLoading, anthropic, google, openai

HANDLED = {"ApplyPatch", "LocalShell", "Shell", "Bash", "ComputerUse", "Memory", "TextEditor"}


@pytest.mark.parametrize(("name", "tool"), [*OPENAI.items(), *ANTHROPIC.items(), *GOOGLE.items()])
def test_who_runs_a_tool(name: str, tool: Any) -> None:
    assert tool.requires_handler is (name.split("_")[0] in HANDLED)


OPENAI_WIRE = [
    ("ApplyPatch", "apply_patch", "OpenAiApplyPatch"), ("CodeInterpreter", "code_interpreter", "OpenAiCodeInterpreter"),
    ("FileSearch", "file_search", "OpenAiFileSearch"), ("ImageGeneration", "image_generation", "OpenAiImageGeneration"),
    ("LocalShell", "local_shell", "OpenAiLocalShell"), ("Mcp", "mcp", "OpenAiMcp"), ("Shell", "shell", "OpenAiShell"),
    ("WebSearch", "web_search", "OpenAiWebSearch"), ("WebSearchPreview", "web_search_preview", "OpenAiWebSearchPreview"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "wire", "custom"), OPENAI_WIRE)
def test_openais_tools_on_the_wire(name: str, wire: str, custom: str) -> None:
    tool = OPENAI[name]
    assert (tool.id, tool.name) == (f"openai.{wire}", custom)
    assert prepared("responses", Toolkit.make(tool)).tools == [{"type": wire, **tool.args}]


ANTHROPIC_WIRE = [
    # factory, custom name, type, name, beta
    ("Bash_20241022", "AnthropicBash", "bash_20241022", "bash", "computer-use-2024-10-22"),
    ("Bash_20250124", "AnthropicBash", "bash_20250124", "bash", "computer-use-2025-01-24"),
    ("CodeExecution_20250522", "AnthropicCodeExecution", "code_execution_20250522", "code_execution", "code-execution-2025-05-22"),
    ("CodeExecution_20250825", "AnthropicCodeExecution", "code_execution_20250825", "code_execution", "code-execution-2025-08-25"),
    ("ComputerUse_20241022", "AnthropicComputerUse", "computer_20241022", "computer", "computer-use-2024-10-22"),
    ("ComputerUse_20250124", "AnthropicComputerUse", "computer_20250124", "computer", "computer-use-2025-01-24"),
    ("ComputerUse_20251124", "AnthropicComputerUse", "computer_20251124", "computer", "computer-use-2025-11-24"),
    ("Memory_20250818", "AnthropicMemory", "memory_20250818", "memory", "context-management-2025-06-27"),
    ("TextEditor_20241022", "AnthropicTextEditor", "text_editor_20241022", "str_replace_editor", "computer-use-2024-10-22"),
    ("TextEditor_20250124", "AnthropicTextEditor", "text_editor_20250124", "str_replace_editor", "computer-use-2025-01-24"),
    ("TextEditor_20250429", "AnthropicTextEditor", "text_editor_20250429", "str_replace_based_edit_tool", "computer-use-2025-01-24"),
    ("TextEditor_20250728", "AnthropicTextEditor", "text_editor_20250728", "str_replace_based_edit_tool", None),
    ("ToolSearchRegex_20251119", "AnthropicToolSearchRegex", "tool_search_tool_regex_20251119", "tool_search_tool_regex", "advanced-tool-use-2025-11-20"),
    ("ToolSearchBM25_20251119", "AnthropicToolSearchBM25", "tool_search_tool_bm25_20251119", "tool_search_tool_bm25", "advanced-tool-use-2025-11-20"),
    ("WebFetch_20250910", "AnthropicWebFetch", "web_fetch_20250910", "web_fetch", "web-fetch-2025-09-10"),
    ("WebSearch_20250305", "AnthropicWebSearch", "web_search_20250305", "web_search", None),
]  # fmt: skip


@pytest.mark.parametrize(("factory", "custom", "kind", "name", "beta"), ANTHROPIC_WIRE)
def test_anthropics_tools_on_the_wire(
    factory: str, custom: str, kind: str, name: str, beta: str | None
) -> None:
    tool = ANTHROPIC[factory]
    made = prepared("messages", Toolkit.make(tool))
    assert tool.name == custom
    assert made.tools == [{"type": kind, "name": name, **tool.args}]
    assert made.headers == ({} if beta is None else {"anthropic-beta": beta})
    assert made.names == {custom: name}


def test_googles_tools_on_the_wire() -> None:
    for tool in GOOGLE.values():
        assert prepared("generate", Toolkit.make(tool)).tools == [{tool.provider_name: tool.args}]


def test_our_tools_come_first_and_betas_once() -> None:
    kit = Toolkit.make(ANTHROPIC["Bash_20250124"], NOW, ANTHROPIC["ComputerUse_20250124"])
    made = prepared("messages", kit)
    assert [tool["name"] for tool in made.tools] == ["Now", "bash", "computer"]
    assert made.headers["anthropic-beta"] == "structured-outputs-2025-11-13,computer-use-2025-01-24"


def test_what_a_response_would_leave_out_is_asked_for() -> None:
    assert prepared("responses", Toolkit.make(OPENAI["CodeInterpreter"])).include == [
        "code_interpreter_call.outputs"
    ]
    kit = Toolkit.make(OPENAI["WebSearch"], OPENAI["WebSearchPreview"], OPENAI["FileSearch"])
    made = prepared("responses", kit, include=["reasoning.encrypted_content"])
    assert made.include == [
        "web_search_call.action.sources", "file_search_call.results", "reasoning.encrypted_content",
    ]  # fmt: skip
    assert prepared("responses", Toolkit.make(NOW)).include == []


BAD_ARGS: list[tuple[Any, Any, str]] = [
    (openai.WebSearch, {"search_context_size": "huge"}, "args: $.search_context_size: expected 'low', 'medium' or 'high', got the string 'huge'"),
    (openai.FileSearch, {}, "args: $.vector_store_ids: "),
    (openai.Mcp, {"server_label": "a", "url": "b"}, "args: $.url: expected no such key"),
    (anthropic.ComputerUse_20250124, {"display_width_px": 100}, "args: $.display_height_px: "),
    (anthropic.WebSearch_20250305, {"maxUses": 1}, "args: $.maxUses: expected no such key"),
    (anthropic.Bash_20250124, {"shell": "zsh"}, "the tool takes no args"),
    (google.FileSearch, {"file_search_store_names": "a"}, "args: $.file_search_store_names: expected an array, got the string 'a'"),
]  # fmt: skip


@pytest.mark.parametrize(("factory", "args", "message"), BAD_ARGS, ids=lambda item: str(item)[:40])
def test_bad_arguments_are_refused_when_the_tool_is_made(factory: Any, args: Any, message: str) -> None:
    with pytest.raises(ToolConfigurationError) as caught:
        factory(args)
    assert caught.value.description.startswith(message)


def test_another_providers_tool_is_refused_by_name() -> None:
    for api, tool, text in (
        ("responses", ANTHROPIC["Bash_20250124"], "OpenAI has no tool 'anthropic.bash_20250124'; it has openai.apply_patch, "),
        ("messages", OPENAI["Shell"], "Anthropic has no tool 'openai.shell'; it has anthropic.bash_20241022, "),
        ("generate", OPENAI["WebSearch"], "Google has no tool 'openai.web_search'; it has google.code_execution, "),
    ):  # fmt: skip
        with pytest.raises(ToolConfigurationError) as caught:
            prepared(api, Toolkit.make(tool))
        assert caught.value.description.startswith(text)
        assert caught.value.tool_name == tool.name


def test_an_unknown_tool_of_the_provider_is_refused_with_the_likely_one() -> None:
    unknown = Tool.provider_defined(id="openai.web_serch", custom_name="Web", provider_name="web_serch")()
    with pytest.raises(
        ToolConfigurationError, match=r"no tool 'openai\.web_serch', did you mean 'openai\.web_search'\?"
    ):
        prepared("responses", Toolkit.make(unknown))


def test_chat_completions_has_no_tools_of_its_own() -> None:
    with pytest.raises(ToolConfigurationError) as caught:
        prepared("chat", Toolkit.make(OPENAI["WebSearch"]))
    assert caught.value.description == (
        "Chat Completions has no provider-defined tools; use api='responses', or define the tool with Tool.make"
    )


def test_two_versions_need_two_names_and_a_request_takes_one() -> None:
    with pytest.raises(ToolConfigurationError, match="two tools have this name"):
        Toolkit.make(ANTHROPIC["Bash_20241022"], ANTHROPIC["Bash_20250124"])
    old = Toolkit.make(ANTHROPIC["Bash_20241022"]).rename({"AnthropicBash": "OldBash"})
    both = Toolkit.merge(old, Toolkit.make(ANTHROPIC["Bash_20250124"]))
    with pytest.raises(ToolConfigurationError) as caught:
        prepared("messages", both)
    assert caught.value.description == (
        "'OldBash' and 'AnthropicBash' would both be 'bash' to the provider; a request takes one of them: "
        "leave the other out with `toolkit.filter` or the tool choice"
    )
    made = prepared("messages", both, tool_choice={"one_of": ["OldBash"]})
    assert [tool["type"] for tool in made.tools] == ["bash_20241022"]


def test_several_mcp_servers_in_one_request() -> None:
    def server(label: str) -> Toolkit[Any]:
        tool = openai.Mcp({"server_label": label, "server_url": f"https://{label}.example.org"})
        return Toolkit.make(tool).rename({"OpenAiMcp": label.title()})

    made = prepared("responses", Toolkit.merge(server("docs"), server("mail")), tool_choice={"tool": "Mail"})
    assert [tool["server_label"] for tool in made.tools] == ["docs", "mail"]
    assert made.tool_choice == {"type": "mcp", "server_label": "mail"}
    item = {
        "type": "mcp_call",
        "id": "m1",
        "server_label": "mail",
        "name": "send",
        "arguments": "{}",
        "output": "ok",
    }
    assert [cast(Any, part)["name"] for part in made.read_calls({"output": [item]})] == ["Mail", "Mail"]


def test_deferred_tools_are_deferred_only_where_they_can_be_found() -> None:
    rare = NOW.annotate(DeferLoading, True)
    assert "defer_loading" not in prepared("messages", Toolkit.make(rare)).tools[0]
    for search in ("ToolSearchRegex_20251119", "ToolSearchBM25_20251119"):
        made = prepared("messages", Toolkit.make(rare, Tool.make("Often"), ANTHROPIC[search]))
        assert [tool.get("defer_loading", False) for tool in made.tools] == [True, False, False]


# --- tools that run here -----------------------------------------------------------------------

BASH = Toolkit.make(ANTHROPIC["Bash_20250124"], NOW)


def test_a_handled_tool_is_called_under_its_wire_name_and_answered_under_ours() -> None:
    made = prepared("messages", BASH, tool_choice={"tool": "AnthropicBash"})
    assert made.tool_choice == {"type": "tool", "name": "bash"}
    bound = BASH.bind({"AnthropicBash": lambda params: f"$ {params.get('command')}", "Now": lambda _: 1.0})
    parts = asyncio.run(
        bound.resolve(
            made.read_calls(messages([("t1", "bash", {"command": "ls"}), ("t2", "bash", {"restart": True})]))
        )
    )
    assert made.tool_results(parts) == [
        {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "t1", "content": "$ ls"},
            {"type": "tool_result", "tool_use_id": "t2", "content": "$ None"},
        ]}
    ]  # fmt: skip
    only = prepared("messages", BASH, tool_choice={"one_of": ["AnthropicBash"], "mode": "required"})
    assert [tool["name"] for tool in only.tools] == ["bash"]
    assert only.tool_choice == {"type": "any"}


ACTIONS: list[tuple[str, Any]] = [
    ("ComputerUse_20251124", {"action": "left_click", "coordinate": [10, 20]}),
    ("ComputerUse_20251124", {"action": "screenshot"}),
    ("ComputerUse_20251124", {"action": "scroll", "coordinate": [1, 2], "scroll_direction": "down", "scroll_amount": 3}),
    ("ComputerUse_20251124", {"action": "zoom", "region": [0, 0, 10, 10]}),
    ("ComputerUse_20241022", {"action": "type", "text": "hi"}),
    ("Memory_20250818", {"command": "rename", "old_path": "/a", "new_path": "/b"}),
    ("Memory_20250818", {"command": "create", "path": "/a", "file_text": "x"}),
    ("TextEditor_20250728", {"command": "view", "path": "/a", "view_range": [1, 5]}),
    ("TextEditor_20250728", {"command": "insert", "path": "/a", "insert_line": 0, "insert_text": "x"}),
    ("TextEditor_20241022", {"command": "undo_edit", "path": "/a"}),
]  # fmt: skip


@pytest.mark.parametrize(("factory", "action"), ACTIONS, ids=str)
def test_every_action_reaches_its_handler(factory: str, action: Any) -> None:
    kit = Toolkit.make(ANTHROPIC[factory])
    seen: list[Any] = []

    def handle(params: Any) -> str:
        seen.append(params)
        return "done"

    bound = kit.bind({ANTHROPIC[factory].name: handle})
    made = prepared("messages", kit)
    parts = asyncio.run(
        bound.resolve(made.read_calls(messages([("t1", ANTHROPIC[factory].provider_name, action)])))
    )
    assert [cast(Any, part)["result"] for part in parts] == ["done"]
    assert seen[0].keys() == action.keys()


WRONG: list[tuple[str, Any]] = [
    ("ComputerUse_20241022", {"action": "zoom", "region": [0, 0, 10, 10]}),
    ("TextEditor_20250728", {"command": "undo_edit", "path": "/a"}),
    ("Bash_20250124", {"cmd": "ls"}),
]


@pytest.mark.parametrize(("factory", "action"), WRONG, ids=str)
def test_an_action_that_the_version_does_not_have_is_told_to_the_model(factory: str, action: Any) -> None:
    tool = ANTHROPIC[factory].set_failure_mode("return")
    kit = Toolkit.make(tool)
    made = prepared("messages", kit)
    bound = kit.bind({tool.name: lambda _: "done"})
    parts = asyncio.run(bound.resolve(made.read_calls(messages([("t1", tool.provider_name, action)]))))
    [block] = made.tool_results(parts)[0]["content"]
    assert block["is_error"] is True and "Invalid parameters" in block["content"]


def test_a_screenshot_is_shown_as_an_image() -> None:
    kit = Toolkit.make(ANTHROPIC["ComputerUse_20251124"])
    shot = [
        {"type": "text", "text": "the screen"},
        {"type": "image", "data": "aGk=", "mimeType": "image/png"},
    ]
    bound = kit.bind({"AnthropicComputerUse": lambda _: shot})
    made = prepared("messages", kit)
    parts = asyncio.run(
        bound.resolve(made.read_calls(messages([("t1", "computer", {"action": "screenshot"})])))
    )
    [block] = made.tool_results(parts)[0]["content"]
    assert block["content"] == [
        {"type": "text", "text": "the screen"},
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGk="}},
    ]


SHELLS = Toolkit.make(OPENAI["Shell"], OPENAI["LocalShell"], OPENAI["ApplyPatch"], NOW)
CALLS: list[dict[str, Any]] = [
    {"type": "shell_call", "id": "sh_1", "call_id": "c1", "status": "completed", "action": {"commands": ["ls"], "timeout_ms": None, "max_output_length": 100}},
    {"type": "local_shell_call", "id": "lsh_1", "call_id": "c2", "status": "completed", "action": {"type": "exec", "command": ["ls"], "env": {}}},
    {"type": "apply_patch_call", "id": "ap_1", "call_id": "c3", "status": "completed", "operation": {"type": "delete_file", "path": "a.txt"}},
    {"type": "function_call", "id": "fc_1", "call_id": "c4", "status": "completed", "name": "Now", "arguments": "{}"},
]  # fmt: skip
CHUNK = {"stdout": "a.txt", "stderr": "", "outcome": {"type": "exit", "exit_code": 0}}


def test_openais_shells_and_patches_run_here_and_are_answered_once_each() -> None:
    made = prepared("responses", SHELLS)
    bound = SHELLS.bind(
        {
            "OpenAiShell": lambda params: {"output": [CHUNK]},
            "OpenAiLocalShell": lambda params: {"output": " ".join(params["action"]["command"])},
            "OpenAiApplyPatch": lambda params: {"status": "completed", "output": params["operation"]["path"]},
            "Now": lambda params: 12.5,
        }
    )
    parts = asyncio.run(bound.resolve(made.read_calls({"output": CALLS})))
    assert made.tool_results(parts) == [
        {"type": "shell_call_output", "call_id": "c1", "output": [CHUNK]},
        {"type": "local_shell_call_output", "id": "c2", "output": '{"output": "ls"}'},
        {"type": "apply_patch_call_output", "call_id": "c3", "status": "completed", "output": "a.txt"},
        {"type": "function_call_output", "call_id": "c4", "output": "12.5"},
    ]


def test_failures_of_openais_shells_and_patches_have_their_own_forms() -> None:
    made = prepared("responses", SHELLS)

    def broken(params: object) -> Any:
        raise OSError("disk full")

    kit = Toolkit.make(*(tool.set_failure_mode("return") for tool in SHELLS))
    bound = kit.bind(dict.fromkeys(["OpenAiShell", "OpenAiLocalShell", "OpenAiApplyPatch", "Now"], broken))
    items = made.tool_results(asyncio.run(bound.resolve(made.read_calls({"output": CALLS}))))
    assert items[0]["output"][0]["outcome"] == {"type": "exit", "exit_code": 1}
    assert "could not complete" in items[0]["output"][0]["stderr"]
    assert "could not complete" in items[1]["output"]
    assert items[2]["status"] == "failed" and "could not complete" in items[2]["output"]
    assert items[3]["output"].startswith("The tool call failed: ")
    assert "disk full" not in str(items)


def test_a_shell_in_openais_container_is_not_run_again() -> None:
    made = prepared("responses", SHELLS)
    output = {
        "type": "shell_call_output",
        "id": "so_1",
        "call_id": "c1",
        "status": "completed",
        "output": [CHUNK],
    }
    call, result = made.read_calls({"output": [CALLS[0], output]})
    assert call["type"] == "tool-call" and call.get("provider_executed") is True
    assert result["type"] == "tool-result" and result["result"] == {"output": [CHUNK]}


def test_a_function_that_happens_to_be_named_like_a_shell_is_a_function() -> None:
    kit = Toolkit.make(Tool.make("shell", success=str))
    made = prepared("responses", kit)
    bound = kit.bind({"shell": lambda _: "ok"})
    parts = asyncio.run(bound.resolve(made.read_calls(responses([("c1", "shell", {})]))))
    assert made.tool_results(parts) == [{"type": "function_call_output", "call_id": "c1", "output": "ok"}]
