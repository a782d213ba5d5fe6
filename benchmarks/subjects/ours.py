"""tool-core."""

from __future__ import annotations

from typing import Any

from tool_core import Tool, Toolkit, get_json_schema

IMPORT = "from tool_core import Tool, Toolkit"
PACKAGE = "tool-core"
CONVERTERS: dict[str, Any] = {}


def define(functions: Any) -> Any:
    made = [Tool.from_function(function) for function in functions]
    return made, Toolkit.make(*(item.tool for item in made))


def wire(kit: Any) -> Any:
    return [
        {"name": tool.name, "description": tool.description, "parameters": get_json_schema(tool)}
        for tool in kit[1]
    ]


def sync_call(kit: Any) -> Any:
    bound = kit[1].bind(*kit[0])
    return lambda name, text: bound.call_json_sync(name, text).text


def async_call(kit: Any) -> Any:
    bound = kit[1].bind(*kit[0])

    async def call(name: str, text: str) -> object:
        return (await bound.call_json(name, text)).text

    return call


def dynamic(schema: Any, handler: Any) -> Any:
    bound = Toolkit.make(Tool.dynamic("search", parameters=schema)).bind({"search": handler})
    return lambda text: bound.call_json_sync("search", text).text
