"""LangChain: structured tools, invoked with a tool call."""

from __future__ import annotations

import json
from typing import Any

from langchain_core.tools import StructuredTool
from langchain_core.utils.function_calling import convert_to_openai_function, convert_to_openai_tool

IMPORT = "from langchain_core.tools import tool"
PACKAGE = "langchain-core"


def _openai(schema: Any) -> Any:
    titled = {**schema, "title": "tool", "description": schema.get("description", "d")}
    return convert_to_openai_function(titled, strict=True)["parameters"]


CONVERTERS = {"openai": _openai}


def define(functions: Any) -> Any:
    made = {}
    for function in functions:
        is_async = function.__code__.co_flags & 0x80
        given = {"coroutine": function} if is_async else {"func": function}
        made[function.__name__] = StructuredTool.from_function(**given, parse_docstring=True)
    return made


def wire(kit: Any) -> Any:
    return [convert_to_openai_tool(tool) for tool in kit.values()]


def _call(name: str, text: str) -> Any:
    return {"type": "tool_call", "id": "1", "name": name, "args": json.loads(text)}


def sync_call(kit: Any) -> Any:
    return lambda name, text: kit[name].invoke(_call(name, text)).content


def async_call(kit: Any) -> Any:
    async def call(name: str, text: str) -> object:
        return (await kit[name].ainvoke(_call(name, text))).content

    return call


def dynamic(schema: Any, handler: Any) -> Any:
    tool = StructuredTool(
        name="search", description="Search", args_schema=schema, func=lambda **arguments: handler(arguments)
    )
    return lambda text: tool.invoke(_call("search", text)).content
