"""The official MCP SDK: a server's own `call_tool`, without a transport."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from mcp.server.mcpserver import MCPServer

IMPORT = "from mcp.server.mcpserver import MCPServer"
PACKAGE = "mcp"
CONVERTERS: dict[str, Any] = {}


def define(functions: Any) -> Any:
    server = MCPServer("benchmark")
    for function in functions:
        server.add_tool(function)
    return server


def wire(kit: Any) -> Any:
    async def listed() -> Any:
        return [tool.model_dump(mode="json") for tool in await kit.list_tools()]

    return asyncio.run(listed())


def sync_call(kit: Any) -> None:  # noqa: ARG001
    return None


def async_call(kit: Any) -> Any:
    async def call(name: str, text: str) -> object:
        result = await kit.call_tool(name, json.loads(text))
        return result.content[0].text

    return call


def dynamic(schema: Any, handler: Any) -> None:
    """A server of this SDK takes raw schemas on its lowest level only, where the author checks."""
