"""Twenty mistakes with pydantic-ai. Checked, never run; what follows `# wrong` in a section is the mistake."""

from typing import Any, Literal

from pydantic_ai import Agent, FunctionToolset, RunContext, Tool
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

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

toolset: FunctionToolset[None] = FunctionToolset()


def weather(location: str, days: int) -> Weather:
    """Weather."""
    return {"temperature": 3.5}



# M03
@toolset.tool_plain
def m03_right(location: str) -> Weather:
    """Weather."""
    return {"temperature": 3.5}
# wrong
@toolset.tool_plain
def m03(location: str) -> Weather:
    """Weather."""
    return "warm"


# M04
@toolset.tool_plain
def m04_right(location: str) -> Weather:
    """Weather."""
    return {"temperature": 3.5}
# wrong
@toolset.tool_plain
def m04(location: str) -> Weather:
    """Weather."""
    return {"temprature": 3.5}


# M05
@toolset.tool_plain
def m05_right(action: Code | Bash) -> str:
    """Run."""
    return action["code"] if action["kind"] == "code" else action["command"]
# wrong
@toolset.tool_plain
def m05(action: Code | Bash) -> str:
    """Run."""
    return action["code"]


# M01
Tool.from_schema(weather, "GetWeather", "Weather", SCHEMA)
# wrong
def m01(location: int, days: int) -> Weather:
    return {"temperature": 3.5}
Tool.from_schema(m01, "GetWeather", "Weather", SCHEMA)


# M02
Tool.from_schema(weather, "GetWeather", "Weather", SCHEMA)
# wrong
def m02(units: str) -> Weather:
    return {"temperature": 3.5}
Tool.from_schema(m02, "GetWeather", "Weather", SCHEMA)


# M06
def m06_right(action: Code | Bash) -> str:
    return action["kind"]
Tool.from_schema(m06_right, "Run", "Run", SCHEMA)
# wrong
def m06(action: Code) -> str:
    return action["code"]
Tool.from_schema(m06, "Run", "Run", SCHEMA)


# M07
toolset.tools["weather"]
# wrong
toolset.tools["wheather"]


# M08
Agent[None, str]("test", toolsets=[toolset])
# wrong
ToolDefinition(name="GetWeather", parameters_json_schema=SCHEMA)


# M09
FunctionToolset([weather])
# wrong
FunctionToolset([weather, weather])


# M10
def m10_right() -> str:
    return "ok"
FunctionToolset([m10_right])
# wrong
def m10() -> str:
    raise KeyError("full")
FunctionToolset([m10])


# M11
async def m11_right(agent: Agent[None, str]) -> str:
    return str((await agent.run("x")).output)
# wrong
async def m11(agent: Agent[None, str]) -> str:
    result = await agent.run("x")
    return result.new_messages()[-1].parts[0].content.upper()


# M12
def m12_right(**arguments: object) -> str:
    return str(arguments.get("query"))
Tool.from_schema(m12_right, "Raw", "Raw", SCHEMA)
# wrong
def m12(**arguments: Any) -> str:
    return str(arguments["query"])
Tool.from_schema(m12, "Raw", "Raw", SCHEMA)


# M13
Tool.from_schema(weather, "Fine", "Fine", {"type": "object"})
# wrong
Tool.from_schema(weather, "Broken", "Broken", {"type": "objekt"})


# M14
weather("Oslo", 1)
# wrong
weather("Oslo", "one")


# M15
ModelSettings(tool_choice=["weather"])
# wrong
ModelSettings(tool_choice=["wheather"])


# M16
async def m16_right(agent: Agent[None, Weather]) -> float:
    return (await agent.run("x")).output["temperature"]
# wrong
async def m16(agent: Agent[None, Weather]) -> str:
    return (await agent.run("x")).output["temperature"]


# M17
Tool(weather, metadata={"destructive": False})
# wrong
Tool(weather, metadata={"destructive": "no"})


# M18
async def m18_right(agent: Agent[None, str]) -> str:
    return (await agent.run("x")).output
# wrong
def m18(agent: Agent[None, str]) -> str:
    return agent.run("x").output


# M19
typed: Agent[Database, str] = Agent("test", deps_type=Database)
@typed.tool
def m19_tool(ctx: RunContext[Database], location: str) -> str:
    return ctx.deps.find(location)
typed.run_sync("x", deps=Database())
# wrong
typed.run_sync("x")


# M20
def m20_right(ctx: RunContext[None], location: str, days: int) -> None:
    return None
Tool[None](weather, args_validator=m20_right)
# wrong
def m20(ctx: int, location: str, days: int) -> None:
    return None
Tool[None](weather, args_validator=m20)
