"""The OpenAI Agents SDK: function tools, invoked as its runner does."""

from __future__ import annotations

import json
from typing import Any

from agents import FunctionTool, function_tool
from agents.strict_schema import ensure_strict_json_schema
from agents.tool import invoke_function_tool
from agents.tool_context import ToolContext

IMPORT = "from agents import function_tool"
PACKAGE = "openai-agents"
CONVERTERS = {"openai": ensure_strict_json_schema}


def define(functions: Any) -> Any:
    tools = [function_tool(function, failure_error_function=None) for function in functions]
    return {tool.name: tool for tool in tools}


def wire(kit: Any) -> Any:
    return [
        {"type": "function", "name": tool.name, "strict": True, "parameters": tool.params_json_schema}
        for tool in kit.values()
    ]


def sync_call(kit: Any) -> None:  # noqa: ARG001
    return None


def async_call(kit: Any) -> Any:
    async def call(name: str, text: str) -> object:
        context = ToolContext(context=None, tool_name=name, tool_call_id="1", tool_arguments=text)
        return str(await invoke_function_tool(function_tool=kit[name], context=context, arguments=text))

    return call


def dynamic(schema: Any, handler: Any) -> Any:
    async def invoke(context: Any, text: str) -> Any:  # noqa: ARG001
        return json.dumps(handler(json.loads(text)))

    tool = FunctionTool("search", "Search", schema, invoke, strict_json_schema=False)
    call = async_call({"search": tool})

    async def run(text: str) -> object:
        return await call("search", text)

    return run
