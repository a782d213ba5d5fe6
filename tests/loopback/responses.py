"""What OpenAI's Responses API checks: tools, choices, formats, and that every call is answered once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias, get_args

from openai.types.responses import (
    ApplyPatchToolParam,
    FileSearchToolParam,
    FunctionShellToolParam,
    FunctionToolParam,
    ResponseIncludable,
    WebSearchPreviewToolParam,
    WebSearchToolParam,
)
from openai.types.responses import response_input_item_param as items
from openai.types.responses import tool_param as tools
from openai.types.responses.response_code_interpreter_tool_call_param import (
    ResponseCodeInterpreterToolCallParam,
)
from openai.types.responses.response_create_params import ResponseCreateParamsStreaming
from openai.types.responses.response_file_search_tool_call_param import ResponseFileSearchToolCallParam
from openai.types.responses.response_function_tool_call_param import ResponseFunctionToolCallParam
from openai.types.responses.response_function_web_search_param import ResponseFunctionWebSearchParam

from tests.loopback.openai_schemas import lenient_problems, limit_problems, strict_problems
from tests.loopback.requests import Choice, Declared, Problem, Problems, Request, same_calls
from tests.loopback.scripts import Ceiling, Json
from tests.loopback.shapes import misshapen, unknown_keys

NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}\Z")
MAX_TOOLS = 128
TOOLS: dict[object, Any] = {
    "function": FunctionToolParam,
    "apply_patch": ApplyPatchToolParam,
    "code_interpreter": tools.CodeInterpreter,
    "file_search": FileSearchToolParam,
    "image_generation": tools.ImageGeneration,
    "local_shell": tools.LocalShell,
    "mcp": tools.Mcp,
    "shell": FunctionShellToolParam,
    "web_search": WebSearchToolParam,
    "web_search_preview": WebSearchPreviewToolParam,
}
CALLS = ("function_call", "apply_patch_call", "shell_call", "local_shell_call", "mcp_approval_request")
"""What must be answered."""
EXECUTED: dict[object, tuple[Any, tuple[str, ...]]] = {
    # what the API itself writes: its shape in a history, and the tools it comes from
    "web_search_call": (ResponseFunctionWebSearchParam, ("web_search", "web_search_preview")),
    "file_search_call": (ResponseFileSearchToolCallParam, ("file_search",)),
    "code_interpreter_call": (ResponseCodeInterpreterToolCallParam, ("code_interpreter",)),
    "image_generation_call": (items.ImageGenerationCall, ("image_generation",)),
    "mcp_call": (items.McpCall, ("mcp",)),
    "mcp_list_tools": (items.McpListTools, ("mcp",)),
    "mcp_approval_request": (items.McpApprovalRequest, ("mcp",)),
    "apply_patch_call": (items.ApplyPatchCall, ("apply_patch",)),
    "shell_call": (items.ShellCall, ("shell",)),
    "local_shell_call": (items.LocalShellCall, ("local_shell",)),
}
OUTPUTS: dict[object, Any] = {
    "function_call_output": items.FunctionCallOutput,
    "apply_patch_call_output": items.ApplyPatchCallOutput,
    "shell_call_output": items.ShellCallOutput,
    "local_shell_call_output": items.LocalShellCallOutput,
    "mcp_approval_response": items.McpApprovalResponse,
}

Rules: TypeAlias = tuple[Callable[[Json], Iterator[str]], Callable[[Json], Iterator[str]]]
"""What is refused of a strict schema, and of a lenient one."""
RULES: Rules = (strict_problems, lenient_problems)


def request_problems(request: Request) -> Problems:
    """List what the API refuses about a request."""
    body = request.body
    for key in unknown_keys(body, ResponseCreateParamsStreaming):
        yield Problem(key, f"Unknown parameter: '{key}'.")
    for key in ("model", "input"):
        if key not in body:
            yield Problem(key, f"Missing required parameter: '{key}'.")
    yield from tool_problems(body.get("tools", []))
    yield from choice_problems(body)
    for value in body.get("include", []):
        if value not in get_args(ResponseIncludable):
            yield Problem("include", f"Invalid value: '{value}'.")
    if isinstance(body.get("text"), dict) and isinstance(body["text"].get("format"), dict):
        yield from format_problems(body["text"]["format"], "text.format")
    if isinstance(body.get("input"), list):
        yield from _input_problems(body["input"], request)


def list_problems(tools: list[Json]) -> Problems:
    """List what is wrong with the tools together, in either API of OpenAI."""
    if len(tools) > MAX_TOOLS:
        yield Problem(
            "tools",
            f"Invalid 'tools': array too long. Expected an array with maximum length {MAX_TOOLS}.",
        )
    names = [tool.get("name") for tool in tools if tool.get("type") == "function"]
    for name in {*names}:
        if names.count(name) > 1:
            yield Problem("tools", f"Duplicate function name: {name!r}.")


def tool_problems(declared: list[Json]) -> Problems:
    """List what is wrong with the tools of a request."""
    yield from list_problems(declared)
    for index, tool in enumerate(declared):
        at = f"tools[{index}]"
        kind = tool.get("type")
        if kind not in TOOLS:
            yield Problem(f"{at}.type", f"Invalid value: {kind!r}.")
            continue
        if kind == "function" and not isinstance(tool.get("strict"), bool):
            # Omitted, it would not be neutral: the API rewrites the schema into a strict one.
            yield Problem(f"{at}.strict", "'strict' must be sent explicitly.")
        if reason := misshapen(tool, TOOLS[kind]):
            yield Problem(at, f"Invalid tool: {reason}")
        elif kind == "function":
            yield from function_problems(tool, f"{at}.parameters")


def function_problems(function: Json, at: str, rules: Rules = RULES) -> Problems:
    """List what is wrong with one function, in either API of OpenAI."""
    name = str(function.get("name"))
    if not NAME.match(name):
        yield Problem(
            at, f"Invalid 'name': {name!r} does not match '^[a-zA-Z0-9_-]+$' of at most 64 characters."
        )
    schema = function.get("parameters") or {"type": "object", "properties": {}}
    found = rules[0](schema) if function.get("strict") else rules[1](schema)
    yield from (Problem(at, f"Invalid schema for function '{name}': {message}") for message in found)


def format_problems(sent: Json, at: str) -> Problems:
    """List what is wrong with the format of the answer, in either API of OpenAI."""
    if sent.get("type") != "json_schema":
        return
    name = str(sent.get("name"))
    if not NAME.match(name):
        yield Problem(at, f"Invalid '{at}.name': {name!r}.")
    schema = sent.get("schema", {})
    found = strict_problems(schema) if sent.get("strict") else lenient_problems(schema)
    yield from (Problem(at, f"Invalid schema for response_format '{name}': {message}") for message in found)


def choice_problems(body: Json) -> Problems:
    """List what is wrong with the tool choice, in either API of OpenAI."""
    choice = body.get("tool_choice")
    if choice is None:
        return
    if not body.get("tools"):
        yield Problem(
            "tool_choice",
            "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.",
        )
    elif isinstance(choice, str):
        if choice not in ("auto", "none", "required"):
            yield Problem("tool_choice", f"Invalid value: '{choice}'.")
    else:
        wanted = choice.get("tools", []) if choice.get("type") == "allowed_tools" else [choice]
        known = [(tool["type"], tool.get("name")) for tool in body["tools"]]
        for tool in wanted:
            if (tool.get("type"), tool.get("name")) not in known:
                yield Problem(
                    "tool_choice",
                    f"Tool choice '{tool.get('name', tool.get('type'))}' not found in 'tools' parameter.",
                )


def _input_problems(sent: list[Json], request: Request) -> Problems:
    open_calls: dict[str, str] = {}
    answered: set[str] = set()
    for index, item in enumerate(sent):
        at, kind = f"input[{index}]", item.get("type")
        shape = ResponseFunctionToolCallParam if kind == "function_call" else EXECUTED.get(kind, [None])[0]
        if shape is not None and (reason := misshapen(item, shape)):
            yield Problem(at, reason)
        if kind in CALLS:
            call_id = item["id"] if kind == "mcp_approval_request" else item["call_id"]
            open_calls[call_id] = str(kind)
            if kind == "function_call":
                yield from same_calls(at, call_id, item["name"], item["arguments"], request)
        elif kind in OUTPUTS:
            yield from _output_problems(item, at, open_calls, answered)
        elif kind in (None, "message") and item.get("role") not in (
            "user",
            "assistant",
            "system",
            "developer",
        ):
            yield Problem(at, f"Invalid value: {item.get('role')!r}.")
    for call_id, kind in open_calls.items():
        if call_id not in answered:
            what = "function call" if kind == "function_call" else kind.replace("_", " ")
            yield Problem("input", f"No tool output found for {what} {call_id}.")


def _output_problems(item: Json, at: str, open_calls: dict[str, str], answered: set[str]) -> Problems:
    kind = str(item["type"])
    if reason := misshapen(item, OUTPUTS[kind]):
        yield Problem(at, reason)
        return
    if kind == "mcp_approval_response":
        call_id, asked = item["approval_request_id"], "mcp_approval_request"
    else:
        # A local shell call is answered under the id of the call, which the API names `id` there.
        call_id = item["id"] if kind == "local_shell_call_output" else item["call_id"]
        asked = kind.removesuffix("_output")
    if open_calls.get(call_id) != asked:
        yield Problem(at, f"No tool call found for {asked.replace('_', ' ')} output with call_id {call_id}.")
    if call_id in answered:
        yield Problem(at, f"Duplicate tool output for call_id {call_id}.")
    answered.add(call_id)


def declared(request: Request) -> list[Declared]:
    """Read the functions that a request declares."""
    return [
        Declared(tool["name"], tool.get("parameters") or {}, bool(tool.get("strict")))
        for tool in request.body.get("tools", [])
        if tool["type"] == "function"
    ]


def undeclared(item: Json, request: Request) -> str | None:
    """Name the tool that an item comes from, where the request does not declare it."""
    _, sources = EXECUTED.get(item["type"], (None, ()))
    kinds = {tool["type"] for tool in request.body.get("tools", [])}
    return None if not sources or kinds & {*sources} else sources[0]


def output_schema(request: Request) -> Json | None:
    """Read the schema that the answer must fit."""
    sent = (request.body.get("text") or {}).get("format") or {}
    return sent.get("schema")


def choice(request: Request) -> Choice:
    """Read which functions the model may call."""
    sent = request.body.get("tool_choice", "auto")
    if isinstance(sent, str):
        return Choice(sent == "required", frozenset() if sent == "none" else None)
    if sent["type"] == "allowed_tools":
        names = frozenset(str(tool.get("name", tool["type"])) for tool in sent["tools"])
        return Choice(sent["mode"] == "required", names)
    return Choice(True, frozenset({str(sent.get("name", sent["type"]))}))


def beyond(request: Request, ceiling: Ceiling) -> str | None:
    """Refuse as a gateway does whose limits are lower than those that OpenAI documents."""
    return next(excess(declared(request), ceiling), None)


def excess(functions: list[Declared], ceiling: Ceiling) -> Iterator[str]:
    """List the strict functions that exceed a gateway's limits."""
    for function in functions:
        if function.strict:
            found = limit_problems(function.schema, ceiling.properties or 5000, ceiling.depth or 10)
            yield from (f"Invalid schema for function '{function.name}': {message}" for message in found)


def error(status: int, message: str, where: str) -> Json:
    """Write an error as OpenAI does."""
    code = "invalid_function_parameters" if "schema for function" in message else None
    kind = "invalid_request_error" if status < 500 else "server_error"
    return {"error": {"message": message, "type": kind, "param": where or None, "code": code}}
