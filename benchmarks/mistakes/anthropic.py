"""Twenty mistakes with the Anthropic SDK. Checked, never run; what follows `# wrong` in a section is the mistake."""

from typing import Any, Literal

from anthropic import Anthropic, beta_async_tool, beta_tool

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


@beta_tool
def weather(location: str, days: int) -> str:
    """Weather."""
    return "warm"


@beta_async_tool
async def later(location: str) -> str:
    """Weather."""
    return "warm"



# M03
@beta_tool
def m03_right(location: str) -> str:
    """Weather."""
    return "warm"
# wrong
@beta_tool
def m03(location: str) -> str:
    """Weather."""
    return 3


# M04
@beta_tool
def m04_right(location: str) -> str:
    """Weather."""
    found: Weather = {"temperature": 3.5}
    return str(found)
# wrong
@beta_tool
def m04(location: str) -> str:
    """Weather."""
    found: Weather = {"temprature": 3.5}
    return str(found)


# M05
@beta_tool
def m05_right(action: Code | Bash) -> str:
    """Run."""
    return action["code"] if action["kind"] == "code" else action["command"]
# wrong
@beta_tool
def m05(action: Code | Bash) -> str:
    """Run."""
    return action["code"]


# M01
beta_tool(lambda location, days: "warm", name="GetWeather", input_schema=SCHEMA)
# wrong
def m01(location: int, days: int) -> str:
    return str(location + 1)
beta_tool(m01, name="GetWeather", input_schema=SCHEMA)


# M02
beta_tool(lambda location, days: "warm", name="GetWeather", input_schema=SCHEMA)
# wrong
def m02(units: str) -> str:
    return units
beta_tool(m02, name="GetWeather", input_schema=SCHEMA)


# M06
def m06_right(action: Code | Bash) -> str:
    return action["kind"]
beta_tool(m06_right, name="Run", input_schema=SCHEMA)
# wrong
def m06(action: Code) -> str:
    return action["code"]
beta_tool(m06, name="Run", input_schema=SCHEMA)


# M07
by_name = {item.name: item for item in [weather]}
by_name["weather"]
# wrong
by_name["wheather"]


# M09
def m09_right(client: Anthropic) -> object:
    return client.beta.messages.tool_runner(max_tokens=9, model="m", messages=[], tools=[weather])
# wrong
def m09(client: Anthropic) -> object:
    return client.beta.messages.tool_runner(max_tokens=9, model="m", messages=[], tools=[weather, weather])


# M10
@beta_tool
def m10_right() -> str:
    """Risky."""
    return "ok"
# wrong
@beta_tool
def m10() -> str:
    """Risky."""
    raise KeyError("full")


# M11
str(weather.call({"location": "Oslo", "days": 1}))
# wrong
list(weather.call({"location": "Oslo", "days": 1}))[0]["text"]


# M13
beta_tool(m06_right, name="Fine", input_schema={"type": "object"})
# wrong
beta_tool(m06_right, name="Broken", input_schema={"type": "objekt"})


# M14
weather("Oslo", 1)
# wrong
weather("Oslo", "one")


# M15
def m15_right(client: Anthropic) -> object:
    return client.beta.messages.tool_runner(max_tokens=9, model="m", messages=[], tools=[weather], tool_choice={"type": "tool", "name": "weather"})
# wrong
def m15(client: Anthropic) -> object:
    return client.beta.messages.tool_runner(max_tokens=9, model="m", messages=[], tools=[weather], tool_choice={"type": "tool", "name": "wheather"})


# M16
str(weather.call({"location": "Oslo", "days": 1}))
# wrong
def m16() -> float:
    return weather.call({"location": "Oslo", "days": 1})


# M18
async def m18_right() -> object:
    return await later.call({"location": "Oslo"})
# wrong
def m18() -> str:
    return later.call({"location": "Oslo"})
