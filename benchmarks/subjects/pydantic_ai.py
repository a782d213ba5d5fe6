"""pydantic-ai: a function toolset behind the tool manager of an agent run."""

from __future__ import annotations

import asyncio
from typing import Any

from pydantic_ai import FunctionToolset, RunContext, Tool
from pydantic_ai.messages import ToolCallPart, ToolReturnPart
from pydantic_ai.models.test import TestModel
from pydantic_ai.tool_manager import ToolManager
from pydantic_ai.usage import RunUsage

IMPORT = "from pydantic_ai import FunctionToolset, Tool"
PACKAGE = "pydantic-ai-slim"


def _openai(schema: Any) -> Any:
    from pydantic_ai.profiles.openai import OpenAIJsonSchemaTransformer

    return OpenAIJsonSchemaTransformer(schema, strict=True).walk()


def _google(schema: Any) -> Any:
    from pydantic_ai.profiles.google import GoogleJsonSchemaTransformer

    return GoogleJsonSchemaTransformer(schema, strict=True).walk()


CONVERTERS = {"openai": _openai, "google": _google}


def define(functions: Any) -> Any:
    return FunctionToolset([Tool(function) for function in functions])


def wire(kit: Any) -> Any:
    async def listed() -> Any:
        tools = await kit.get_tools(_context())
        return [
            {"name": item.tool_def.name, "parameters": item.tool_def.parameters_json_schema}
            for item in tools.values()
        ]

    return asyncio.run(listed())


def sync_call(kit: Any) -> None:  # noqa: ARG001
    return None


def async_call(kit: Any) -> Any:
    manager: list[Any] = []

    async def call(name: str, text: str) -> object:
        if not manager:
            manager.append(await ToolManager(kit).for_run_step(_context()))
        part = ToolCallPart(tool_name=name, args=text, tool_call_id="1")
        answer = await manager[0].handle_call(part)
        return ToolReturnPart(tool_name=name, content=answer, tool_call_id="1").model_response_str()

    return call


def dynamic(schema: Any, handler: Any) -> Any:
    async def search(**arguments: Any) -> Any:
        return handler(arguments)

    tool = Tool.from_schema(search, "search", "Search", schema)
    call = async_call(FunctionToolset([tool]))

    async def run(text: str) -> object:
        return await call("search", text)

    return run


def _context() -> Any:
    return RunContext(deps=None, model=TestModel(), usage=RunUsage())
