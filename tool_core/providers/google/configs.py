"""The configuration of Google's generateContent: tools, modes and formats. Layer 3."""

from __future__ import annotations

import re
from typing import Any

from tool_core.provider_tools import ProviderTool
from tool_core.providers.answers import answer_words
from tool_core.providers.apis import Choice, Draft
from tool_core.providers.output_formats import OutputFormat
from tool_core.queries import get_description
from tool_core.strict import StrictPlan
from tool_core.tools import AnyTool

_BEFORE_3 = re.compile(r"gemini-[12][.-]")
_MODES = {"none": "NONE", "required": "ANY"}


def adjusted(plan: StrictPlan, choice: Choice | None) -> StrictPlan:
    """Google enforces the schemas of all tools of a request or of none, and where it must call, of all."""
    lenient = [item.tool.name for item in plan.decisions if not item.is_strict]
    is_forced = choice is not None and choice.mode == "required"
    if is_forced or not lenient or len(lenient) == len(plan.decisions):
        return plan
    names = {item.tool.name for item in plan.decisions}
    return plan.relax(names, f"Google enforces all tools of a request or none, and {lenient[0]!r} is lenient")


def config_of(draft: Draft) -> dict[str, Any]:
    """Write a draft as the `config` of a request."""
    config: dict[str, Any] = {}
    declarations = [_declaration(tool, draft) for tool in draft.tools if not isinstance(tool, ProviderTool)]
    if draft.output is not None and answers_by_tool(draft):
        declarations.append(_answer_declaration(draft.output))
    tools: list[dict[str, Any]] = [{"function_declarations": declarations}] if declarations else []
    tools += [{tool.provider_name: tool.args} for tool in draft.provider_tools]
    if tools:
        config["tools"] = tools
    tool_config = _tool_config(draft) if declarations else {}
    if declarations and draft.provider_tools and draft.options.get("server_side_tool_invocations", True):
        tool_config["include_server_side_tool_invocations"] = True
    if tool_config:
        config["tool_config"] = tool_config
    if draft.output is not None and not answers_by_tool(draft):
        config["response_mime_type"] = "application/json"
        config["response_json_schema"] = draft.output.form.schema
    return config


def _declaration(tool: AnyTool, draft: Draft) -> dict[str, Any]:
    schema, description = draft.decisions[tool.name].form.schema, get_description(tool)
    written: dict[str, Any] = {"name": draft.names[tool.name]}
    if description is not None:
        written["description"] = description
    if schema.get("properties"):  # Google refuses an object without properties
        written["parameters_json_schema"] = schema
    return written


def answers_by_tool(draft: Draft) -> bool:
    """Tell whether the answer comes as a call: before Gemini 3, functions and formats exclude each other."""
    has_both = draft.output is not None and bool(draft.decisions)
    return has_both and _BEFORE_3.search(draft.plan.model.id) is not None


def _answer_declaration(output: OutputFormat) -> dict[str, Any]:
    schema = output.form.schema
    return {"name": output.name, "description": answer_words(output), "parameters_json_schema": schema}


def _tool_config(draft: Draft) -> dict[str, Any]:
    mode, names = _mode(draft)
    if mode is None:
        return {}
    allowed = {"allowed_function_names": names} if names else {}
    return {"function_calling_config": {"mode": mode, **allowed}}


def _mode(draft: Draft) -> tuple[str | None, list[str]]:
    """Find the mode; none means AUTO, VALIDATED is AUTO with the schemas enforced, ANY enforces them too."""
    choice = draft.choice
    if draft.output is not None and answers_by_tool(draft) and (choice is None or choice.mode != "required"):
        return "ANY", [draft.output.name] if choice is not None and choice.mode == "none" else []
    if choice is not None and choice.tool is not None:
        return "ANY", [draft.names[choice.tool]]
    if choice is not None and choice.mode != "auto":
        return _MODES[choice.mode], []
    return ("VALIDATED" if draft.plan.is_all_strict else None), []
