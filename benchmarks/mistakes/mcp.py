"""Twenty mistakes with the MCP SDK. Checked, never run; what follows `# wrong` in a section is the mistake."""

from typing import Any, Literal

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.tools import Tool
from mcp.types import ToolAnnotations

from typing_extensions import TypedDict


class Weather(TypedDict):
    temperature: float


class Code(TypedDict):
    kind: Literal["code"]
    code: str


class Bash(TypedDict):
    kind: Literal["bash"]
    command: str


class Database:
    def find(self, key: str) -> str:
        return key


SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"location": {"type": "string"}, "days": {"type": "integer"}},
    "required": ["location", "days"],
}

server = MCPServer("weather")


def plain(location: str, days: int) -> Weather:
    """Weather."""
    return {"temperature": 3.5}



# M03
@server.tool()
def m03_right(location: str) -> Weather:
    """Weather."""
    return {"temperature": 3.5}
# wrong
@server.tool()
def m03(location: str) -> Weather:
    """Weather."""
    return "warm"


# M04
@server.tool()
def m04_right(location: str) -> Weather:
    """Weather."""
    return {"temperature": 3.5}
# wrong
@server.tool()
def m04(location: str) -> Weather:
    """Weather."""
    return {"temprature": 3.5}


# M05
@server.tool()
def m05_right(action: Code | Bash) -> str:
    """Run."""
    return action["code"] if action["kind"] == "code" else action["command"]
# wrong
@server.tool()
def m05(action: Code | Bash) -> str:
    """Run."""
    return action["code"]


# M01
Tool.from_function(plain).model_copy(update={"parameters": SCHEMA})
# wrong
def m01(location: int, days: int) -> Weather:
    return {"temperature": 3.5}
Tool.from_function(m01).model_copy(update={"parameters": SCHEMA})


# M02
Tool.from_function(plain).model_copy(update={"parameters": SCHEMA})
# wrong
def m02(units: str) -> Weather:
    return {"temperature": 3.5}
Tool.from_function(m02).model_copy(update={"parameters": SCHEMA})


# M06
@server.tool()
def m06_right(action: Code | Bash) -> str:
    """Run."""
    return action["kind"]
# wrong
def m06(action: Code) -> str:
    return action["code"]
Tool.from_function(m06).model_copy(update={"parameters": SCHEMA})


# M07
async def m07_right() -> object:
    return await server.call_tool("weather", {"location": "Oslo", "days": 1})
# wrong
async def m07() -> object:
    return await server.call_tool("wheather", {"location": "Oslo", "days": 1})


# M09
server.add_tool(plain)
# wrong
server.add_tool(plain)
server.add_tool(plain)


# M10
@server.tool()
def m10_right() -> str:
    """Risky."""
    return "ok"
# wrong
@server.tool()
def m10() -> str:
    """Risky."""
    raise KeyError("full")


# M11
async def m11_right() -> str:
    return str(await server.call_tool("weather", {}))
# wrong
async def m11() -> str:
    return (await server.call_tool("weather", {})).content[0].text.upper()


# M14
plain("Oslo", 1)
# wrong
plain("Oslo", "one")


# M16
async def m16_right() -> object:
    return await server.call_tool("weather", {})
# wrong
async def m16() -> float:
    return await server.call_tool("weather", {})


# M17
ToolAnnotations(destructive_hint=False)
# wrong
ToolAnnotations(destructive_hint="no")


# M18
async def m18_right() -> object:
    return await server.call_tool("weather", {})
# wrong
def m18() -> object:
    return server.call_tool("weather", {}).content


# M13
Tool.from_function(plain).model_copy(update={"parameters": {"type": "object"}})
# wrong
Tool.from_function(plain).model_copy(update={"parameters": {"type": "objekt"}})
