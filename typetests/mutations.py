"""A correct program and realistic mistakes in it: what each is, and which text it changes to which."""

from __future__ import annotations

from typing import Final, NamedTuple


class Mutation(NamedTuple):
    """One mistake; M01 to M20 are those that the peers' tool layers were measured with."""

    mistake: str
    old: str
    new: str


PROGRAM: Final = """
from __future__ import annotations
from collections.abc import AsyncIterator
from typing import Literal, NotRequired, final
from typing_extensions import TypedDict
from tool_core import (
    ApprovalContext, BoundToolkit, Context, Fail, Final, HandlerContext, Key, Preliminary, Readonly, Strict, Timeout,
    Title, Tool, ToolCallPart, Toolkit,
)
from tool_core.providers.openai import prepare_tools

@final
class ByCity(TypedDict):
    city: str
    units: Literal["celsius", "fahrenheit"]

@final
class ByPosition(TypedDict):
    position: tuple[float, float]

class Weather(TypedDict):
    temperature: float

class Order(TypedDict):
    item: str
    amount: int
    note: NotRequired[str]

class Rejected(TypedDict):
    reason: str

class Database:
    def rows(self) -> list[str]: return []

CLOCK = Key("clock", float)

def is_large(params: Order, context: ApprovalContext) -> bool:
    return params["amount"] > 100

get_weather = Tool.make("GetWeather", parameters=ByCity | ByPosition, success=Weather, failure=Rejected, failure_mode="return")
place_order = Tool.make("PlaceOrder", parameters=Order, success=int, failure=Rejected, dependencies=[Database, CLOCK], needs_approval=is_large)
search = Tool.dynamic("search", parameters={"type": "object", "properties": {"query": {"type": "string"}, "limit": {"type": "integer"}}, "required": ["query"]}, success=list[str])
SERVER: dict[str, object] = {"type": "object"}
remote = Tool.dynamic("remote", parameters=SERVER)
count = Tool.make("Count", parameters=int, success=int).annotate(Title, "Counting").annotate(Readonly, True)
WebSearch = Tool.provider_defined(id="openai.web_search", custom_name="WebSearch", provider_name="web_search")

@Tool.from_function(failure_mode="return")
def divide(a: float, b: float = 2.0) -> float | Fail[str]:
    return a / b if b else Fail("division by zero")

kit = Toolkit.make(get_weather, place_order, search, remote, count, WebSearch(), divide.tool)

def weather(params: ByCity | ByPosition) -> Weather | Fail[Rejected]:
    if "position" in params:
        return {"temperature": params["position"][0]}
    return {"temperature": 21.5} if params["city"] else Fail(Rejected(reason="no such city"))

async def order(params: Order, ctx: HandlerContext[int, Database | float]) -> int | Fail[Rejected]:
    stamp = ctx.get(CLOCK)
    return len(ctx.get(Database).rows()) if stamp else Fail(Rejected(reason=params["item"]))

def searching(params: object) -> list[str]:
    return [params["query"]] if isinstance(params, dict) else []

def remotely(params: object) -> object:
    return params["q"] if isinstance(params, dict) else None

async def counting(params: int) -> AsyncIterator[Preliminary[int] | Final[int]]:
    yield Preliminary(params)
    yield Final(2 * params)

services = Context().add(Database, Database()).add(CLOCK, 1.5)
bound = kit.bind(
    {
        "GetWeather": weather,
        "PlaceOrder": order,
        "search": lambda params: [params["query"]],
        "remote": remotely,
        "Count": counting,
        "divide": lambda params: params["a"] / params.get("b", 2.0),
    },
    context=services,
    timeout={"Count": Timeout(60, idle=5)},
)
small = Toolkit.make(count, divide.tool)
implemented = small.bind(count.implement(counting), divide)
renamed = kit.filter(["Count", "search"]).prefix("x_").rename({"x_search": "find"})
other = kit.bind({"GetWeather": weather, "PlaceOrder": order, "search": searching, "remote": remotely, "Count": counting, "divide": lambda params: 1.0})

async def main(calls: list[ToolCallPart]) -> None:
    answer = await bound.call("GetWeather", {"city": "Oslo", "units": "celsius"})
    if not answer.is_failure:
        print(answer.result)
    doubled = await bound.call("Count", 21)
    print(doubled.result)
    async for step in bound.handle("Count", 3):
        print(step.result)
    found = await bound.call("search", {"query": "x", "limit": 3})
    print(found.result)
    await other.call("PlaceOrder", {"item": "x", "amount": 1}, context=services)
    await bound.resolve(calls, tool_choice={"tool": "Count"})
    await bound.resolve(calls, tool_choice={"mode": "auto", "one_of": ["Count", "search"]})
    prepare_tools(kit, model="gpt-5", tool_choice={"tool": "WebSearch"})
    print(kit.tools["Count"].success_schema.encode(3), renamed.tools["find"].name)
"""

MUTATIONS: Final = [
    Mutation("M01 handler takes the wrong parameter type", "def weather(params: ByCity | ByPosition)", "def weather(params: Order)"),
    Mutation("M02 handler misses a declared parameter", 'lambda params: params["a"] / params.get("b", 2.0)', 'lambda params: params["c"]'),
    Mutation("M03 handler returns the wrong type", "-> Weather | Fail[Rejected]:\n    if", "-> str | Fail[Rejected]:\n    if"),
    Mutation("M04 success value has a misspelt key", 'return {"temperature": params["position"][0]}', 'return {"temprature": params["position"][0]}'),
    Mutation("M05 union parameter read without narrowing", '    if "position" in params:\n', "    if params:\n"),
    Mutation("M06 handler accepts one union member only", "def weather(params: ByCity | ByPosition)", "def weather(params: ByCity)"),
    Mutation("M07 handler registered under an unknown tool name", '        "Count": counting,\n', '        "Counts": counting,\n'),
    Mutation("M08 tool without a handler", '        "remote": remotely,\n', ""),
    Mutation("M09 two tools under one name", 'Tool.dynamic("remote"', 'Tool.dynamic("search"'),
    Mutation("M10 handler fails with an undeclared failure", '"Count": counting,\n        "divide"', '"Count": lambda params: Fail("no"),\n        "divide"'),
    Mutation("M11 caller reads the success without ruling out the failure", "    if not answer.is_failure:\n        print(answer.result)", "    print(answer.result[\"temperature\"])"),
    Mutation("M12 dynamic handler indexes unknown arguments without narrowing", 'return params["q"] if isinstance(params, dict) else None', 'return params["q"]'),
    Mutation("M13 handler of a dynamic tool reads a key that its schema lacks", 'lambda params: [params["query"]]', 'lambda params: [params["qurey"]]'),
    Mutation("M14 wrong parameters in a direct call", '{"city": "Oslo", "units": "celsius"}', '{"city": "Oslo", "units": "kelvin"}'),
    Mutation("M15 misspelt tool name in a tool choice", 'tool_choice={"tool": "Count"}', 'tool_choice={"tool": "Cuont"}'),
    Mutation("M16 result used with the wrong type", "print(doubled.result)", "print(doubled.result.upper())"),
    Mutation("M17 tool annotation of the wrong value type", 'annotate(Title, "Counting")', "annotate(Title, 3)"),
    Mutation("M18 async result used without await", 'doubled = await bound.call("Count", 21)', 'doubled = bound.call("Count", 21)'),
    Mutation("M19 missing service", "    context=services,\n", "    context=Context().add(CLOCK, 1.5),\n"),
    Mutation("M20 approval function with the wrong parameter type", "def is_large(params: Order,", "def is_large(params: Weather,"),
    Mutation("handler takes no parameters", "def remotely(params: object)", "def remotely()"),
    Mutation("handler takes three parameters", "def remotely(params: object)", "def remotely(params: object, ctx: HandlerContext, more: int)"),
    Mutation("handler's failure is of another type than declared", "async def order(params: Order, ctx: HandlerContext[int, Database | float]) -> int | Fail[Rejected]", "async def order(params: Order, ctx: HandlerContext[int, Database | float]) -> int | Fail[str]"),
    Mutation("failure value has a misspelt key", 'Rejected(reason="no such city")', 'Rejected(raison="no such city")'),
    Mutation("preliminary result of the wrong type", "yield Preliminary(params)", 'yield Preliminary("half")'),
    Mutation("stream declares preliminary results of the wrong type", "AsyncIterator[Preliminary[int] | Final[int]]:\n    yield Preliminary(params)", 'AsyncIterator[Preliminary[str] | Final[int]]:\n    yield Preliminary("half")'),
    Mutation("context of another success type", "ctx: HandlerContext[int, Database | float]", "ctx: HandlerContext[str, Database | float]"),
    Mutation("handler asks for a service that its tool does not declare", "dependencies=[Database, CLOCK]", "dependencies=[CLOCK]"),
    Mutation("handler reads a service that its context does not hold", "HandlerContext[int, Database | float]", "HandlerContext[int, float]"),
    Mutation("service of the wrong type", "add(Database, Database())", "add(Database, [])"),
    Mutation("service key of the wrong type", "add(CLOCK, 1.5)", 'add(CLOCK, "noon")'),
    Mutation("call without a service that bind did not get", ', {"item": "x", "amount": 1}, context=services)', ', {"item": "x", "amount": 1})'),
    Mutation("resolve on tools whose services are missing", "await bound.resolve(calls, tool_choice={\"tool\"", "await other.resolve(calls, tool_choice={\"tool\""),
    Mutation("handler for a tool that the provider runs", '        "Count": counting,\n', '        "Count": counting,\n        "WebSearch": remotely,\n'),
    Mutation("call of a tool that the provider runs", 'await bound.call("Count", 21)', 'await bound.call("WebSearch", None)'),
    Mutation("misspelt tool name in a call", 'await bound.call("Count", 21)', 'await bound.call("Coutn", 21)'),
    Mutation("misspelt tool name in a stream", 'bound.handle("Count", 3)', 'bound.handle("Coutn", 3)'),
    Mutation("call misses a required parameter", '{"city": "Oslo", "units": "celsius"}', '{"city": "Oslo"}'),
    Mutation("call has an undeclared parameter", '{"item": "x", "amount": 1}', '{"item": "x", "amount": 1, "amuont": 2}'),
    Mutation("call passes a text for a number", 'bound.call("Count", 21)', 'bound.call("Count", "21")'),
    Mutation("call breaks a literal JSON Schema", '{"query": "x", "limit": 3}', '{"query": "x", "limit": "3"}'),
    Mutation("result of a dynamic tool used with the wrong type", "print(found.result)", "print(found.result.upper())"),
    Mutation("streamed result used with the wrong type", "print(step.result)", "print(step.result.upper())"),
    Mutation("misspelt key of a result", 'print(answer.result)', 'print(answer.result["temprature"])'),
    Mutation("misspelt tool name among several choices", '"one_of": ["Count", "search"]', '"one_of": ["Count", "serach"]'),
    Mutation("misspelt tool name in a provider's tool choice", 'tool_choice={"tool": "WebSearch"}', 'tool_choice={"tool": "WebSaerch"}'),
    Mutation("a mode of choice that does not exist", '"mode": "auto"', '"mode": "maybe"'),
    Mutation("misspelt tool name in a timeout", 'timeout={"Count"', 'timeout={"Cuont"'),
    Mutation("misspelt tool name in a filter", 'kit.filter(["Count", "search"])', 'kit.filter(["Count", "serach"])'),
    Mutation("misspelt tool name in a renaming", '{"x_search": "find"}', '{"x_serach": "find"}'),
    Mutation("two tools under one name after a renaming", '{"x_search": "find"}', '{"x_search": "x_Count", "x_Count": "x_Count"}'),
    Mutation("tool looked up under its old name", 'renamed.tools["find"]', 'renamed.tools["search"]'),
    Mutation("tool looked up under a misspelt name", 'kit.tools["Count"]', 'kit.tools["Cuont"]'),
    Mutation("implementation left out", "small.bind(count.implement(counting), divide)", "small.bind(count.implement(counting))"),
    Mutation("implementation given twice", "small.bind(count.implement(counting), divide)", "small.bind(count.implement(counting), count.implement(counting), divide)"),
    Mutation("implementation of a tool outside the toolkit", "small = Toolkit.make(count, divide.tool)", "small = Toolkit.make(divide.tool)"),
    Mutation("implementation with the wrong handler", "count.implement(counting)", "count.implement(weather)"),
    Mutation("failure mode that does not exist", 'failure=Rejected, failure_mode="return")', 'failure=Rejected, failure_mode="returns")'),
    Mutation("dict of fields instead of a type", "Tool.make(\"Count\", parameters=int", 'Tool.make("Count", parameters={"n": int}'),
    Mutation("strict annotation of the wrong type", "annotate(Readonly, True)", 'annotate(Strict, "yes")'),
    Mutation("strict required of a schema that nothing satisfies", '"required": ["query"]}, success=list[str])', '"required": ["query"], "enum": []}, success=list[str]).annotate(Strict, True)'),
    Mutation("function called with the wrong type", "services = Context()", 'divide("1")\nservices = Context()'),
    Mutation("parameters of a function tool of the wrong type", 'await bound.call("Count", 21)', 'await bound.call("divide", {"a": "1"})'),
    Mutation("a handler that is not callable", '        "remote": remotely,\n', '        "remote": "remotely",\n'),
    Mutation("a coroutine function's result passed instead of the function", '        "remote": remotely,\n', '        "remote": remotely({}),\n'),
]  # fmt: skip
