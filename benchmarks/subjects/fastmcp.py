"""FastMCP: a server's own `call_tool`, without a transport."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from fastmcp import FastMCP
from fastmcp.tools import Tool, ToolResult

IMPORT = "from fastmcp import FastMCP"
PACKAGE = "fastmcp"
CONVERTERS: dict[str, Any] = {}


def define(functions: Any) -> Any:
    server = FastMCP("benchmark")
    for function in functions:
        server.tool(function)
    return server


def wire(kit: Any) -> Any:
    async def listed() -> Any:
        return [tool.to_mcp_tool().model_dump(mode="json") for tool in await kit.list_tools()]

    return asyncio.run(listed())


def sync_call(kit: Any) -> None:  # noqa: ARG001
    return None


def async_call(kit: Any) -> Any:
    async def call(name: str, text: str) -> object:
        result = await kit.call_tool(name, json.loads(text))
        return result.content[0].text

    return call


def dynamic(schema: Any, handler: Any) -> Any:
    class Search(Tool):
        async def run(self, arguments: Any) -> ToolResult:
            return ToolResult(structured_content=handler(arguments))

    server = FastMCP("benchmark", strict_input_validation=True)
    server.add_tool(Search(name="search", parameters=schema))
    call = async_call(server)

    async def run(text: str) -> object:
        return await call("search", text)

    return run
