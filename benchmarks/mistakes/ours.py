"""Twenty mistakes with tool-core. Checked, never run; what follows `# wrong` in a section is the mistake."""

from typing import Literal

from typing_extensions import TypedDict

from tool_core import Context, Destructive, Fail, HandlerContext, HandlerResult, Tool, Toolkit
from tool_core.providers import openai


class GetWeather(TypedDict):
    location: str
    days: int


class Weather(TypedDict):
    temperature: float


class Code(TypedDict):
    kind: Literal["code"]
    code: str


class Bash(TypedDict):
    kind: Literal["bash"]
    command: str


class Failure(TypedDict):
    reason: str


class Database:
    def find(self, key: str) -> str:
        return key


get_weather = Tool.make("GetWeather", parameters=GetWeather, success=Weather)
run = Tool.make("Run", parameters=Code | Bash, success=str)
risky = Tool.make("Risky", success=str, failure=Failure)
SCHEMA: dict[str, object] = {"type": "object", "properties": {"query": {"type": "string"}}}
raw = Tool.dynamic("Raw", parameters=SCHEMA)
stored = Tool.make("Stored", parameters=GetWeather, success=str, dependencies=[Database])
weather_kit = Toolkit.make(get_weather)
run_kit = Toolkit.make(run)


def weather(params: GetWeather) -> Weather:
    return {"temperature": 3.5}


# M01
weather_kit.bind({"GetWeather": weather})
# wrong
def m01(params: int) -> Weather:
    return {"temperature": 3.5}
weather_kit.bind({"GetWeather": m01})


# M02
weather_kit.bind({"GetWeather": weather})
# wrong
class OnlyUnits(TypedDict):
    units: str
def m02(params: OnlyUnits) -> Weather:
    return {"temperature": 3.5}
weather_kit.bind({"GetWeather": m02})


# M03
weather_kit.bind({"GetWeather": weather})
# wrong
weather_kit.bind({"GetWeather": lambda params: "warm"})


# M04
def m04_right(params: GetWeather) -> Weather:
    return {"temperature": 3.5}
# wrong
def m04(params: GetWeather) -> Weather:
    return {"temprature": 3.5}


# M05
def m05_right(params: Code | Bash) -> str:
    return params["code"] if params["kind"] == "code" else params["command"]
# wrong
def m05(params: Code | Bash) -> str:
    return params["code"]


# M06
run_kit.bind({"Run": m05_right})
# wrong
def m06(params: Code) -> str:
    return params["code"]
run_kit.bind({"Run": m06})


# M07
weather_kit.bind({"GetWeather": weather})
# wrong
weather_kit.bind({"GetWheather": weather, "GetWeather": weather})


# M08
Toolkit.make(get_weather, run).bind({"GetWeather": weather, "Run": m05_right})
# wrong
Toolkit.make(get_weather, run).bind({"GetWeather": weather})


# M09
Toolkit.make(get_weather, run)
# wrong
Toolkit.make(get_weather, get_weather)


# M10
Toolkit.make(risky).bind({"Risky": lambda params: Fail({"reason": "full"})})
# wrong
Toolkit.make(risky).bind({"Risky": lambda params: Fail("full")})


# M11
async def m11_right() -> str:
    result = await Toolkit.make(risky.set_failure_mode("return")).bind({"Risky": lambda params: "ok"}).call("Risky", {})
    return "failed" if result.is_failure else str(result.result)
# wrong
async def m11() -> str:
    result = await Toolkit.make(risky.set_failure_mode("return")).bind({"Risky": lambda params: "ok"}).call("Risky", {})
    return result.result.upper()


# M12
Toolkit.make(raw).bind({"Raw": lambda params: isinstance(params, dict) and params.get("query")})
# wrong
Toolkit.make(raw).bind({"Raw": lambda params: params["query"]})


# M13
Tool.dynamic("Fine", parameters={"type": "object"})
# wrong
Tool.dynamic("Broken", parameters={"type": "objekt"})


# M14
async def m14_right() -> object:
    return await weather_kit.bind({"GetWeather": weather}).call("GetWeather", {"location": "Oslo", "days": 1})
# wrong
async def m14() -> object:
    return await weather_kit.bind({"GetWeather": weather}).call("GetWeather", {"location": "Oslo", "days": "one"})


# M15
openai.prepare_tools(weather_kit, model="gpt-5", tool_choice={"tool": "GetWeather"})
# wrong
openai.prepare_tools(weather_kit, model="gpt-5", tool_choice={"tool": "GetWheather"})


# M16
async def m16_right() -> float:
    result = await weather_kit.bind({"GetWeather": weather}).call("GetWeather", {"location": "Oslo", "days": 1})
    return result.result["temperature"]
# wrong
async def m16() -> str:
    result = await weather_kit.bind({"GetWeather": weather}).call("GetWeather", {"location": "Oslo", "days": 1})
    return result.result["temperature"]


# M17
get_weather.annotate(Destructive, False)
# wrong
get_weather.annotate(Destructive, "no")


# M18
async def m18_right() -> HandlerResult[object]:
    return await weather_kit.bind({"GetWeather": weather}).call("GetWeather", {"location": "Oslo", "days": 1})
# wrong
def m18() -> HandlerResult[object]:
    return weather_kit.bind({"GetWeather": weather}).call("GetWeather", {"location": "Oslo", "days": 1})


# M19
def finds(params: GetWeather, ctx: HandlerContext[str, Database]) -> str:
    return ctx.get(Database).find(params["location"])
async def m19_right() -> object:
    bound = Toolkit.make(stored).bind({"Stored": finds}, context=Context().add(Database, Database()))
    return await bound.call("Stored", {"location": "Oslo", "days": 1})
# wrong
async def m19() -> object:
    bound = Toolkit.make(stored).bind({"Stored": finds})
    return await bound.call("Stored", {"location": "Oslo", "days": 1})


# M20
def asks_right(params: GetWeather, context: object) -> bool:
    return params["days"] > 3
Tool.make("Asks", parameters=GetWeather, needs_approval=asks_right)
# wrong
def asks(params: int, context: object) -> bool:
    return params > 3
Tool.make("Asks", parameters=GetWeather, needs_approval=asks)


