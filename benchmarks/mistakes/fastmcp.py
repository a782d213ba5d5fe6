"""Twenty mistakes with FastMCP. Checked, never run; what follows `# wrong` in a section is the mistake."""

from typing import Any, Literal

from fastmcp import FastMCP
from fastmcp.dependencies import Depends
from fastmcp.tools import FunctionTool, Tool, ToolResult
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

server = FastMCP("weather")


def plain(location: str, days: int) -> Weather:
    """Weather."""
    return {"temperature": 3.5}


def database() -> Database:
    return Database()



# M03
@server.tool
def m03_right(location: str) -> Weather:
    """Weather."""
    return {"temperature": 3.5}
# wrong
@server.tool
def m03(location: str) -> Weather:
    """Weather."""
    return "warm"


# M04
@server.tool
def m04_right(location: str) -> Weather:
    """Weather."""
    return {"temperature": 3.5}
# wrong
@server.tool
def m04(location: str) -> Weather:
    """Weather."""
    return {"temprature": 3.5}


# M05
@server.tool
def m05_right(action: Code | Bash) -> str:
    """Run."""
    return action["code"] if action["kind"] == "code" else action["command"]
# wrong
@server.tool
def m05(action: Code | Bash) -> str:
    """Run."""
    return action["code"]


# M01
FunctionTool(name="GetWeather", parameters=SCHEMA, fn=plain)
# wrong
def m01(location: int, days: int) -> Weather:
    return {"temperature": 3.5}
FunctionTool(name="GetWeather", parameters=SCHEMA, fn=m01)


# M02
FunctionTool(name="GetWeather", parameters=SCHEMA, fn=plain)
# wrong
def m02(units: str) -> Weather:
    return {"temperature": 3.5}
FunctionTool(name="GetWeather", parameters=SCHEMA, fn=m02)


# M06
@server.tool
def m06_right(action: Code | Bash) -> str:
    """Run."""
    return action["kind"]
# wrong
def m06(action: Code) -> str:
    return action["code"]
FunctionTool(name="Run", parameters=SCHEMA, fn=m06)


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
@server.tool
def m10_right() -> str:
    """Risky."""
    return "ok"
# wrong
@server.tool
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
    return (await server.call_tool("weather", {})).structured_content
# wrong
async def m16() -> float:
    return (await server.call_tool("weather", {})).structured_content


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


# M08
FunctionTool(name="GetWeather", parameters=SCHEMA, fn=plain)
# wrong
Tool(name="GetWeather", parameters=SCHEMA)


# M12
class Raw(Tool):
    async def run(self, arguments: dict[str, Any]) -> ToolResult:
        return ToolResult(content=str(arguments.get("query")))
# wrong
class RawWrong(Tool):
    async def run(self, arguments: dict[str, Any]) -> ToolResult:
        return ToolResult(content=str(arguments["query"]))


# M13
FunctionTool(name="Fine", parameters={"type": "object"}, fn=plain)
# wrong
FunctionTool(name="Broken", parameters={"type": "objekt"}, fn=plain)


# M19
@server.tool
def m19_right(location: str, database: Database = Depends(database)) -> str:
    """Find."""
    return database.find(location)
# wrong
@server.tool
def m19(location: str, database: Database) -> str:
    """Find."""
    return database.find(location)
