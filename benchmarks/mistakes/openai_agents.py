"""Twenty mistakes with the OpenAI Agents SDK. Checked, never run; what follows `# wrong` in a section is the mistake."""

from typing import Any, Literal

from agents import Agent, FunctionTool, ModelSettings, RunContextWrapper, Runner, function_tool
from agents.tool_context import ToolContext
from pydantic import BaseModel

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


class Params(BaseModel):
    location: str
    days: int


class WrongParams(BaseModel):
    location: int
    days: int


class OtherParams(BaseModel):
    units: str


@function_tool
def weather(location: str, days: int) -> Weather:
    """Weather."""
    return {"temperature": 3.5}



# M03
@function_tool
def m03_right(location: str) -> Weather:
    """Weather."""
    return {"temperature": 3.5}
# wrong
@function_tool
def m03(location: str) -> Weather:
    """Weather."""
    return "warm"


# M04
@function_tool
def m04_right(location: str) -> Weather:
    """Weather."""
    return {"temperature": 3.5}
# wrong
@function_tool
def m04(location: str) -> Weather:
    """Weather."""
    return {"temprature": 3.5}


# M05
@function_tool
def m05_right(action: Code | Bash) -> str:
    """Run."""
    return action["code"] if action["kind"] == "code" else action["command"]
# wrong
@function_tool
def m05(action: Code | Bash) -> str:
    """Run."""
    return action["code"]


# M01
async def m01_right(ctx: ToolContext[Any], text: str) -> str:
    return Params.model_validate_json(text).location
FunctionTool("GetWeather", "Weather", SCHEMA, m01_right)
# wrong
async def m01(ctx: ToolContext[Any], text: str) -> str:
    return str(WrongParams.model_validate_json(text).location)
FunctionTool("GetWeather", "Weather", SCHEMA, m01)


# M02
FunctionTool("GetWeather", "Weather", SCHEMA, m01_right)
# wrong
async def m02(ctx: ToolContext[Any], text: str) -> str:
    return OtherParams.model_validate_json(text).units
FunctionTool("GetWeather", "Weather", SCHEMA, m02)


# M06
@function_tool
def m06_right(action: Code | Bash) -> str:
    """Run."""
    return action["kind"]
# wrong
async def m06(ctx: ToolContext[Any], text: str) -> str:
    action: Code = __import__("json").loads(text)
    return action["code"]
FunctionTool("Run", "Run", SCHEMA, m06)


# M07
Agent(name="a", tools=[weather])
# wrong
next(tool for tool in Agent(name="a", tools=[weather]).tools if tool.name == "wheather")


# M09
Agent(name="a", tools=[weather])
# wrong
Agent(name="a", tools=[weather, weather])


# M10
@function_tool
def m10_right() -> str:
    """Risky."""
    return "ok"
# wrong
@function_tool
def m10() -> str:
    """Risky."""
    raise KeyError("full")


# M11
async def m11_right(agent: Agent[Any]) -> str:
    return str((await Runner.run(agent, "x")).final_output)
# wrong
async def m11(agent: Agent[Any]) -> str:
    return (await Runner.run(agent, "x")).new_items[-1].output.upper()


# M12
async def m12_right(ctx: ToolContext[Any], text: str) -> str:
    found: object = __import__("json").loads(text)
    return str(found.get("query")) if isinstance(found, dict) else ""
FunctionTool("Raw", "Raw", SCHEMA, m12_right)
# wrong
async def m12(ctx: ToolContext[Any], text: str) -> str:
    return str(__import__("json").loads(text)["query"])
FunctionTool("Raw", "Raw", SCHEMA, m12)


# M13
FunctionTool("Fine", "Fine", {"type": "object"}, m01_right)
# wrong
FunctionTool("Broken", "Broken", {"type": "objekt"}, m01_right)


# M15
ModelSettings(tool_choice="weather")
# wrong
ModelSettings(tool_choice="wheather")


# M16
async def m16_right(agent: Agent[Any]) -> str:
    return str((await Runner.run(agent, "x")).final_output)
# wrong
async def m16(agent: Agent[Any]) -> Weather:
    return (await Runner.run(agent, "x")).final_output["temperature"]


# M18
async def m18_right(agent: Agent[Any]) -> Any:
    return (await Runner.run(agent, "x")).final_output
# wrong
def m18(agent: Agent[Any]) -> Any:
    return Runner.run(agent, "x").final_output


# M19
typed: Agent[Database] = Agent(name="a", tools=[weather])
async def m19_right() -> object:
    return await Runner.run(typed, "x", context=Database())
# wrong
async def m19() -> object:
    return await Runner.run(typed, "x")


# M20
async def m20_right(ctx: RunContextWrapper[Any], arguments: dict[str, Any], call_id: str) -> bool:
    return True
function_tool(needs_approval=m20_right)
# wrong
async def m20(ctx: int, arguments: dict[str, Any], call_id: str) -> bool:
    return True
function_tool(needs_approval=m20)
