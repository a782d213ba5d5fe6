"""What Anthropic's Messages API checks: tools, betas, choices, and that results follow their calls."""

from __future__ import annotations

import re
from typing import Any, get_args

import anthropic.types.beta as beta
from anthropic.types.anthropic_beta_param import AnthropicBetaParam
from anthropic.types.beta.message_create_params import MessageCreateParamsStreaming

from tests.loopback.anthropic_schemas import (
    MAX_OPTIONAL,
    MAX_TOOLS,
    MAX_UNIONS,
    lenient_problems,
    optionals,
    strict_problems,
    unions,
)
from tests.loopback.message_turns import turn_problems
from tests.loopback.requests import Choice, Declared, Problem, Problems, Request
from tests.loopback.schemas import nodes
from tests.loopback.scripts import Ceiling, Json
from tests.loopback.shapes import misshapen, unknown_keys

NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}\Z")
STRUCTURED_OUTPUTS = "structured-outputs-2025-11-13"
TOOLS: dict[str, tuple[Any, str, str | None]] = {
    # type: the SDK's shape, the only name it may have, and the beta that it needs
    "bash_20241022": (beta.BetaToolBash20241022Param, "bash", "computer-use-2024-10-22"),
    "bash_20250124": (beta.BetaToolBash20250124Param, "bash", "computer-use-2025-01-24"),
    "code_execution_20250522": (beta.BetaCodeExecutionTool20250522Param, "code_execution", "code-execution-2025-05-22"),
    "code_execution_20250825": (beta.BetaCodeExecutionTool20250825Param, "code_execution", "code-execution-2025-08-25"),
    "computer_20241022": (beta.BetaToolComputerUse20241022Param, "computer", "computer-use-2024-10-22"),
    "computer_20250124": (beta.BetaToolComputerUse20250124Param, "computer", "computer-use-2025-01-24"),
    "computer_20251124": (beta.BetaToolComputerUse20251124Param, "computer", "computer-use-2025-11-24"),
    "memory_20250818": (beta.BetaMemoryTool20250818Param, "memory", "context-management-2025-06-27"),
    "text_editor_20241022": (beta.BetaToolTextEditor20241022Param, "str_replace_editor", "computer-use-2024-10-22"),
    "text_editor_20250124": (beta.BetaToolTextEditor20250124Param, "str_replace_editor", "computer-use-2025-01-24"),
    "text_editor_20250429": (beta.BetaToolTextEditor20250429Param, "str_replace_based_edit_tool", "computer-use-2025-01-24"),
    "text_editor_20250728": (beta.BetaToolTextEditor20250728Param, "str_replace_based_edit_tool", None),
    "tool_search_tool_regex_20251119": (beta.BetaToolSearchToolRegex20251119Param, "tool_search_tool_regex", None),
    "tool_search_tool_bm25_20251119": (beta.BetaToolSearchToolBm25_20251119Param, "tool_search_tool_bm25", "advanced-tool-use-2025-11-20"),
    "web_fetch_20250910": (beta.BetaWebFetchTool20250910Param, "web_fetch", "web-fetch-2025-09-10"),
    "web_search_20250305": (beta.BetaWebSearchTool20250305Param, "web_search", None),
}  # fmt: skip
BETAS = {*get_args(get_args(AnthropicBetaParam)[1]), *(needed for _, _, needed in TOOLS.values() if needed)}
CHOICES: dict[object, Any] = {
    "auto": beta.BetaToolChoiceAutoParam,
    "any": beta.BetaToolChoiceAnyParam,
    "tool": beta.BetaToolChoiceToolParam,
    "none": beta.BetaToolChoiceNoneParam,
}


def request_problems(request: Request) -> Problems:
    """List what the API refuses about a request."""
    body = request.body
    for key in unknown_keys(body, MessageCreateParamsStreaming):
        yield Problem(key, f"{key}: Extra inputs are not permitted")
    for key in ("model", "max_tokens", "messages"):
        if key not in body:
            yield Problem(key, f"{key}: Field required")
    for name in request.betas:
        if name not in BETAS:
            yield Problem("", f"Unexpected value(s) `{name}` for the `anthropic-beta` header")
    if len({*request.betas}) < len(request.betas):
        yield Problem("", "a value stands twice in the `anthropic-beta` header")
    for index, tool in enumerate(body.get("tools", [])):
        yield from _tool_problems(tool, f"tools.{index}", request.betas)
    yield from _choice_problems(body)
    yield from _output_problems(body, request.betas)
    yield from _budget_problems(request)
    yield from turn_problems(body.get("messages", []), request)


def _tool_problems(tool: Json, at: str, betas: list[str]) -> Problems:
    kind = tool.get("type") or "custom"
    if kind != "custom":
        yield from _built_in_problems(tool, at, betas)
        return
    if reason := misshapen(tool, beta.BetaToolParam):
        yield Problem(at, f"{at}.custom.{reason}")
        return
    if not NAME.match(tool["name"]):
        yield Problem(at, f"{at}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{{1,128}}$'")
    if tool.get("strict") and STRUCTURED_OUTPUTS not in betas:
        yield Problem(
            at, f"{at}.custom.strict: Extra inputs are not permitted (beta {STRUCTURED_OUTPUTS} is missing)"
        )
    schema = tool["input_schema"]
    found = strict_problems(schema, is_tool=True) if tool.get("strict") else lenient_problems(schema)
    yield from (Problem(at, f"{at}.custom: {message}") for message in found)


def _built_in_problems(tool: Json, at: str, betas: list[str]) -> Problems:
    kind = str(tool["type"])
    if kind not in TOOLS:
        yield Problem(
            at, f"{at}: Input tag '{kind}' found using 'type' does not match any of the expected tags"
        )
        return
    shape, name, needed = TOOLS[kind]
    if reason := misshapen(tool, shape):
        yield Problem(at, f"{at}.{kind}.{reason}")
    if tool.get("name") != name:
        yield Problem(at, f"{at}.{kind}.name: Input should be '{name}'")
    if needed and needed not in betas:
        yield Problem(at, f"{at}: '{kind}' needs the beta header '{needed}'")


def _choice_problems(body: Json) -> Problems:
    names = [tool.get("name") for tool in body.get("tools", [])]
    yield from (
        Problem("tools", "tools: Tool names must be unique.") for name in {*names} if names.count(name) > 1
    )
    choice = body.get("tool_choice")
    if choice is None:
        return
    kind = choice.get("type") if isinstance(choice, dict) else None
    if kind not in CHOICES:
        yield Problem(
            "tool_choice", f"tool_choice: Input tag {kind!r} does not match any of the expected tags"
        )
    elif reason := misshapen(choice, CHOICES[kind]):
        yield Problem("tool_choice", f"tool_choice.{kind}.{reason}")
    elif not names:
        yield Problem("tool_choice", "tool_choice may only be specified while providing tools.")
    elif kind == "tool" and choice["name"] not in names:
        yield Problem("tool_choice", f"Tool '{choice['name']}' not found in provided tools")


def _output_problems(body: Json, betas: list[str]) -> Problems:
    sent = (body.get("output_config") or {}).get("format")
    if sent is None:
        return
    if reason := misshapen(sent, beta.BetaJSONOutputFormatParam):
        yield Problem("output_config", f"output_config.format.{reason}")
        return
    if STRUCTURED_OUTPUTS not in betas:
        yield Problem(
            "output_config",
            f"output_config: Extra inputs are not permitted (beta {STRUCTURED_OUTPUTS} is missing)",
        )
    found = strict_problems(sent["schema"], is_tool=False)
    yield from (Problem("output_config", f"output_config.format.schema: {message}") for message in found)


def _strict_schemas(request: Request) -> list[Json]:
    schemas = [tool.schema for tool in declared(request) if tool.strict]
    output = output_schema(request)
    return schemas if output is None else [*schemas, output]


def _budget_problems(request: Request) -> Problems:
    schemas = _strict_schemas(request)
    tools = sum(tool.strict for tool in declared(request))
    optional, union = sum(map(optionals, schemas)), sum(map(unions, schemas))
    if tools > MAX_TOOLS:
        yield Problem(
            "tools",
            f"Too many strict tools ({tools}). The maximum number of strict tools supported is {MAX_TOOLS}.",
        )
    if optional > MAX_OPTIONAL:
        yield Problem(
            "tools",
            f"Schemas contains too many optional parameters ({optional}), which would make grammar compilation "
            f"inefficient. Reduce the number of optional parameters in your tool schemas (limit: {MAX_OPTIONAL}).",
        )
    if union > MAX_UNIONS:
        yield Problem(
            "tools",
            f"Schemas contains too many parameters with union types ({union} parameters with type arrays or "
            f"anyOf). This causes exponential compilation cost. Reduce the number (limit: {MAX_UNIONS}).",
        )


def undeclared(block: Json, request: Request) -> str | None:
    """Name the tool that a block comes from, where the request does not declare it."""
    if block["type"] != "server_tool_use":
        return None
    name = str(block["name"])
    source = "code_execution" if name.endswith("_code_execution") else name
    names = [tool.get("name") for tool in request.body.get("tools", [])]
    return None if source in names else source


def declared(request: Request) -> list[Declared]:
    """Read the tools that a request declares; the API keeps the schemas of its own to itself."""
    return [
        Declared(str(tool.get("name")), tool.get("input_schema", {}), bool(tool.get("strict")))
        for tool in request.body.get("tools", [])
    ]


def output_schema(request: Request) -> Json | None:
    """Read the schema that the answer must fit."""
    return ((request.body.get("output_config") or {}).get("format") or {}).get("schema")


def choice(request: Request) -> Choice:
    """Read which tools the model may call."""
    sent = request.body.get("tool_choice") or {"type": "auto"}
    if sent["type"] == "tool":
        return Choice(True, frozenset({str(sent["name"])}))
    return Choice(sent["type"] == "any", frozenset() if sent["type"] == "none" else None)


def beyond(request: Request, ceiling: Ceiling) -> str | None:
    """Refuse a grammar that is too large to compile."""
    schemas = _strict_schemas(request)
    properties = sum(len(node.schema.get("properties", {})) for schema in schemas for node in nodes(schema))
    tools = sum(tool.strict for tool in declared(request))
    if properties > (ceiling.properties or properties) or tools > (ceiling.strict_tools or tools):
        return (
            "The compiled grammar is too large, which would cause performance issues. Simplify your tool "
            "schemas or reduce the number of strict tools."
        )
    return None


def error(status: int, message: str, _where: str) -> Json:
    """Write an error as Anthropic does."""
    kind = "invalid_request_error" if status < 500 else "api_error"
    return {
        "type": "error",
        "error": {"type": kind, "message": message},
        "request_id": "req_011CSHoEeqs5C35K2UUqR7Fy",
    }
