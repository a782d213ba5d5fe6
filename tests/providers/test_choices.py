"""Tool choices in each API's own form, and what a request without tools looks like."""

from __future__ import annotations

from typing import Any, cast

import pytest

from tests.providers.catalogue import ANTHROPIC, OPENAI
from tests.providers.kits import KIT, NOW, PLAN, prepared
from tests.providers.responses import APIS
from tool_core import ToolConfigurationError, Toolkit
from tool_core.providers import openai

SOME: Any = {"one_of": ["Now", "trips.plan"]}
MUST: Any = {"one_of": ["Now"], "mode": "required"}


def allowed(mode: str, *names: str) -> dict[str, Any]:
    return {
        "type": "allowed_tools",
        "mode": mode,
        "tools": [{"type": "function", "name": name} for name in names],
    }


def mode(name: str, **more: Any) -> dict[str, Any]:
    return {"function_calling_config": {"mode": name, **more}}


FORMS: list[tuple[str, Any, Any]] = [
    ("responses", None, None), ("responses", "auto", "auto"), ("responses", "none", "none"), ("responses", "required", "required"),
    ("responses", {"tool": "trips.plan"}, {"type": "function", "name": "trips_plan"}),
    ("responses", SOME, allowed("auto", "Now", "trips_plan")), ("responses", MUST, allowed("required", "Now")),
    ("chat", None, None), ("chat", "auto", "auto"), ("chat", "none", "none"), ("chat", "required", "required"),
    ("chat", {"tool": "trips.plan"}, {"type": "function", "function": {"name": "trips_plan"}}),
    ("chat", SOME, "auto"), ("chat", MUST, "required"),
    ("messages", None, None), ("messages", "auto", {"type": "auto"}), ("messages", "none", {"type": "none"}), ("messages", "required", {"type": "any"}),
    ("messages", {"tool": "trips.plan"}, {"type": "tool", "name": "trips_plan"}),
    ("messages", SOME, {"type": "auto"}), ("messages", MUST, {"type": "any"}),
    ("generate", None, mode("VALIDATED")), ("generate", "auto", mode("VALIDATED")), ("generate", "none", mode("NONE")), ("generate", "required", mode("ANY")),
    ("generate", {"tool": "trips.plan"}, mode("ANY", allowed_function_names=["trips.plan"])),
    ("generate", SOME, mode("VALIDATED")), ("generate", MUST, mode("ANY")),
]  # fmt: skip


@pytest.mark.parametrize(("api", "choice", "wire"), FORMS, ids=str)
def test_a_choice_in_the_apis_own_form(api: str, choice: Any, wire: Any) -> None:
    assert prepared(api, tool_choice=choice).tool_choice == wire


@pytest.mark.parametrize("api", ["chat", "messages", "generate"])
def test_one_of_leaves_the_others_out(api: str) -> None:
    assert list(prepared(api, tool_choice=SOME).names) == ["trips.plan", "Now"]


def test_on_responses_all_tools_stay_so_that_the_prompt_cache_holds() -> None:
    assert list(prepared("responses", tool_choice=SOME).names) == [tool.name for tool in KIT]


@pytest.mark.parametrize("api", APIS)
def test_none_keeps_the_tools_that_the_history_speaks_of(api: str) -> None:
    assert len(prepared(api, tool_choice="none").names) == len(KIT)


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("choice", [None, "auto", "none"])
def test_without_tools_there_is_nothing_to_send(api: str, choice: Any) -> None:
    assert prepared(api, Toolkit.empty, tool_choice=choice).request == {}


@pytest.mark.parametrize("api", APIS)
def test_a_call_cannot_be_demanded_without_tools(api: str) -> None:
    with pytest.raises(
        ToolConfigurationError, match="the tool choice demands a call, but there is no tool to call"
    ):
        prepared(api, Toolkit.empty, tool_choice="required")


@pytest.mark.parametrize("api", APIS)
def test_a_choice_of_an_unknown_tool_names_the_likely_one(api: str) -> None:
    with pytest.raises(ToolConfigurationError, match="not in the toolkit, did you mean 'Now'"):
        prepared(api, tool_choice={"tool": "Nwo"})
    with pytest.raises(ToolConfigurationError, match="a tool choice is 'auto', 'none', 'required'"):
        prepared(api, tool_choice="any")


FORCED = [
    ("ApplyPatch", {"type": "apply_patch"}), ("CodeInterpreter", {"type": "code_interpreter"}), ("FileSearch", {"type": "file_search"}),
    ("ImageGeneration", {"type": "image_generation"}), ("Mcp", {"type": "mcp", "server_label": "docs"}), ("Shell", {"type": "shell"}),
    ("WebSearchPreview", {"type": "web_search_preview"}),
    ("WebSearch", {"type": "allowed_tools", "mode": "required", "tools": [{"type": "web_search"}]}),
    ("LocalShell", {"type": "allowed_tools", "mode": "required", "tools": [{"type": "local_shell"}]}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "wire"), FORCED)
def test_openais_own_tools_are_forced_by_their_type(name: str, wire: Any) -> None:
    tool = OPENAI[name]
    assert prepared("responses", Toolkit.make(tool, NOW), tool_choice={"tool": tool.name}).tool_choice == wire


def test_parallel_calls_are_switched_off_where_each_api_has_the_switch() -> None:
    for api in ("responses", "chat"):
        assert prepared(api, parallel_tool_calls=False).request["parallel_tool_calls"] is False
        assert "parallel_tool_calls" not in prepared(api).request
    quiet = prepared("messages", parallel_tool_calls=False)
    assert quiet.tool_choice == {"type": "auto", "disable_parallel_tool_use": True}
    forced = prepared("messages", parallel_tool_calls=False, tool_choice="required")
    assert forced.tool_choice == {"type": "any", "disable_parallel_tool_use": True}
    assert prepared("messages", parallel_tool_calls=False, tool_choice="none").tool_choice == {"type": "none"}


def test_google_needs_to_be_asked_for_its_own_tools_beside_functions() -> None:
    from tests.providers.catalogue import GOOGLE

    both = Toolkit.make(PLAN, GOOGLE["GoogleSearch"])
    assert prepared("generate", both).tool_choice["include_server_side_tool_invocations"] is True
    vertex = prepared("generate", both, server_side_tool_invocations=False)
    assert "include_server_side_tool_invocations" not in vertex.tool_choice
    assert prepared("generate", Toolkit.make(GOOGLE["GoogleSearch"])).tool_choice is None


def test_a_choice_may_be_any_mapping_and_sequence() -> None:
    from types import MappingProxyType

    choice: Any = MappingProxyType({"one_of": ("Now",)})
    assert prepared("chat", tool_choice=choice).tool_choice == "auto"


@pytest.mark.parametrize("kit", [KIT.bind, [NOW], {"Now": NOW}, None, ANTHROPIC])
def test_only_a_toolkit_can_be_prepared(kit: Any) -> None:
    with pytest.raises(ToolConfigurationError, match="prepare_tools takes a Toolkit, not "):
        openai.prepare_tools(kit, model="gpt-5")


def test_a_bound_toolkit_is_told_apart() -> None:
    bound = Toolkit.make(NOW).bind({"Now": lambda _: 1.0})
    with pytest.raises(ToolConfigurationError) as caught:
        cast(Any, openai).prepare_tools(bound, model="gpt-5")
    assert caught.value.description == (
        "prepare_tools takes a Toolkit, not BoundToolkit; for a bound one pass `bound.toolkit`"
    )


def test_an_unknown_api_is_refused() -> None:
    with pytest.raises(ToolConfigurationError, match="api is 'responses' or 'chat', not 'completions'"):
        cast(Any, openai).prepare_tools(KIT, model="gpt-5", api="completions")
    with pytest.raises(ToolConfigurationError, match=r"api is 'responses' or 'chat', not \['chat'\]"):
        cast(Any, openai).prepare_tools(KIT, model="gpt-5", api=["chat"])


WRONG_CHOICES = [
    {"one_of": "Now"}, {"one_of": ["Now"], "mode": "none"}, {"one_of": ["Now"], "mode": "often"},
    {"tool": "Now", "one_of": ["Now"]}, {"tool": "Now", "mode": "auto"}, {"type": "function", "name": "Now"}, 5, [],
]  # fmt: skip


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("choice", WRONG_CHOICES)
def test_a_choice_of_another_form_is_refused_whole(api: str, choice: Any) -> None:
    with pytest.raises(ToolConfigurationError) as caught:
        prepared(api, tool_choice=choice)
    assert caught.value.description == (
        "a tool choice is 'auto', 'none', 'required', {'tool': name} or "
        f"{{'one_of': [...], 'mode': 'auto' or 'required'}}, not {choice!r}"
    )


@pytest.mark.parametrize("api", APIS)
def test_a_choice_names_some_tool_and_each_once(api: str) -> None:
    with pytest.raises(ToolConfigurationError, match="the tool choice names no tool; for that say 'none'"):
        prepared(api, tool_choice={"one_of": []})
    twice = prepared(api, tool_choice={"one_of": ["Now", "Now"]})
    assert twice.request == prepared(api, tool_choice={"one_of": ["Now"]}).request


NO_MODELS: list[Any] = [None, 3, "", [], b"gpt-5"]
WRONG_OPTIONS: list[tuple[str, dict[str, Any], str]] = [
    *((api, {"model": model}, f"model is the id of a model or a ModelInfo, not {model!r}") for api in APIS for model in NO_MODELS),
    *((api, {"strict_json_schema": "yes"}, "strict_json_schema is True, False or None, not 'yes'") for api in APIS),
    *((api, {"parallel_tool_calls": 1}, "parallel_tool_calls is True, False or None, not 1") for api in APIS[:3]),
    ("generate", {"server_side_tool_invocations": []}, "server_side_tool_invocations is True, False or None, not []"),
    ("chat", {"include": ["usage"]}, "Chat Completions has no include; use api='responses'"),
    *(("responses", {"include": wrong}, f"include is a list of texts, not {wrong!r}") for wrong in ("usage", 3, [3], None, {"usage"})),
]  # fmt: skip


@pytest.mark.parametrize(("api", "options", "words"), WRONG_OPTIONS)
def test_an_option_of_a_wrong_type_is_a_mistake_that_is_named(
    api: str, options: dict[str, Any], words: str
) -> None:
    with pytest.raises(ToolConfigurationError) as caught:
        prepared(api, **options)
    assert caught.value.description == words
