"""Twenty mistakes with LangChain. Checked, never run; what follows `# wrong` in a section is the mistake."""

from typing import Annotated, Any, Literal

from langchain_core.language_models import BaseChatModel
from langchain_core.tools import InjectedToolArg, StructuredTool, tool
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


@tool
def weather(location: str, days: int) -> Weather:
    """Weather."""
    return {"temperature": 3.5}


def plain(location: str, days: int) -> Weather:
    return {"temperature": 3.5}



# M03
@tool
def m03_right(location: str) -> Weather:
    """Weather."""
    return {"temperature": 3.5}
# wrong
@tool
def m03(location: str) -> Weather:
    """Weather."""
    return "warm"


# M04
@tool
def m04_right(location: str) -> Weather:
    """Weather."""
    return {"temperature": 3.5}
# wrong
@tool
def m04(location: str) -> Weather:
    """Weather."""
    return {"temprature": 3.5}


# M05
@tool
def m05_right(action: Code | Bash) -> str:
    """Run."""
    return action["code"] if action["kind"] == "code" else action["command"]
# wrong
@tool
def m05(action: Code | Bash) -> str:
    """Run."""
    return action["code"]


# M01
StructuredTool.from_function(plain, name="GetWeather", description="d", args_schema=Params)
# wrong
def m01(location: int, days: int) -> Weather:
    return {"temperature": 3.5}
StructuredTool.from_function(m01, name="GetWeather", description="d", args_schema=Params)


# M02
StructuredTool.from_function(plain, name="GetWeather", description="d", args_schema=Params)
# wrong
def m02(units: str) -> Weather:
    return {"temperature": 3.5}
StructuredTool.from_function(m02, name="GetWeather", description="d", args_schema=Params)


# M06
def m06_right(action: Code | Bash) -> str:
    return action["kind"]
StructuredTool.from_function(m06_right, name="Run", description="d", args_schema=SCHEMA)
# wrong
def m06(action: Code) -> str:
    return action["code"]
StructuredTool.from_function(m06, name="Run", description="d", args_schema=SCHEMA)


# M07
by_name = {item.name: item for item in [weather]}
by_name["weather"]
# wrong
by_name["wheather"]


# M08
StructuredTool(name="GetWeather", description="d", args_schema=Params, func=plain)
# wrong
StructuredTool(name="GetWeather", description="d", args_schema=Params)


# M09
def m09_right(model: BaseChatModel) -> Any:
    return model.bind_tools([weather])
# wrong
def m09(model: BaseChatModel) -> Any:
    return model.bind_tools([weather, weather])


# M10
@tool
def m10_right() -> str:
    """Risky."""
    return "ok"
# wrong
@tool
def m10() -> str:
    """Risky."""
    raise KeyError("full")


# M11
str(weather.invoke({"location": "Oslo", "days": 1}))
# wrong
weather.invoke({"location": "Oslo", "days": 1}).content.upper()


# M12
def m12_right(**arguments: object) -> str:
    return str(arguments.get("query"))
StructuredTool(name="Raw", description="d", args_schema=SCHEMA, func=m12_right)
# wrong
def m12(**arguments: Any) -> str:
    return str(arguments["query"])
StructuredTool(name="Raw", description="d", args_schema=SCHEMA, func=m12)


# M13
StructuredTool(name="Fine", description="d", args_schema={"type": "object"}, func=plain)
# wrong
StructuredTool(name="Broken", description="d", args_schema={"type": "objekt"}, func=plain)


# M14
weather.invoke({"location": "Oslo", "days": 1})
# wrong
weather.invoke({"location": "Oslo", "days": "one"})


# M15
def m15_right(model: BaseChatModel) -> Any:
    return model.bind_tools([weather], tool_choice="weather")
# wrong
def m15(model: BaseChatModel) -> Any:
    return model.bind_tools([weather], tool_choice="wheather")


# M16
def m16_right() -> Any:
    return weather.invoke({"location": "Oslo", "days": 1})
# wrong
def m16() -> str:
    found: str = weather.invoke({"location": "Oslo", "days": 1})
    return found


# M17
StructuredTool.from_function(plain, name="d", description="d", return_direct=False)
# wrong
StructuredTool.from_function(plain, name="d", description="d", metadata={"destructive": "no"})


# M18
async def m18_right() -> Any:
    return await weather.ainvoke({"location": "Oslo", "days": 1})
# wrong
def m18() -> Any:
    return weather.ainvoke({"location": "Oslo", "days": 1})["temperature"]


# M19
@tool
def m19_tool(location: str, database: Annotated[Database, InjectedToolArg]) -> str:
    """Find."""
    return database.find(location)
m19_tool.invoke({"location": "Oslo", "database": Database()})
# wrong
m19_tool.invoke({"location": "Oslo"})
