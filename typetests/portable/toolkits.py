"""Tools in lists and toolkits in variables, with no plugin; never executed."""

# pyright: strictListInference=true

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import assert_type

from typing_extensions import TypedDict

from tool_core import AnyTool, FailureMode, HandlerContext, Tool, Toolkit


class Query(TypedDict):
    text: str


find = Tool.make("Find", parameters=Query, success=int)
ask = Tool.make("Ask", parameters=int, success=str, failure_mode="return")

# --- tools of both failure modes ---------------------------------------------------------------


def finding(params: Query) -> int:
    return len(params["text"])


def asking(params: int) -> str:
    return str(params)


tools = [find, ask, Tool.dynamic("Raw", failure_mode="return")]
Toolkit.make(*tools)
for tool in tools:
    assert_type(tool.failure_mode, FailureMode)
implementations = [find.implement(finding), ask.implement(asking)]
Toolkit.make(*tools).bind(*implementations)


def any_tool(tool: AnyTool) -> None:
    assert_type(tool.failure_mode, FailureMode)
    Toolkit.make(*(each for each in (find, ask)), tool)


# --- handlers in a variable --------------------------------------------------------------------

kit = Toolkit.make(find, ask)


async def asking_later(params: int) -> str:
    return str(params)


class Handlers(TypedDict):
    Find: Callable[[Query], int]
    Ask: Callable[[int], str]


class Service:
    def find(self, params: Query) -> int:
        return len(params["text"])

    def ask(self, params: int, ctx: HandlerContext[str]) -> str:
        return str(params)

    def handlers(self) -> None:
        handlers = {"Find": self.find, "Ask": self.ask}
        kit.bind(handlers)


class Asker:
    def __call__(self, params: int) -> str:
        return str(params)


functions = {"Find": finding, "Ask": asking}
kit.bind(functions)
mixed = {"Find": finding, "Ask": asking_later, "Other": lambda params: params}
kit.bind(mixed)
callables = {"Find": finding, "Ask": Asker()}
kit.bind(callables)
typed: Handlers = {"Find": finding, "Ask": asking}
kit.bind(typed)
kit.bind({"Find": finding, "Ask": Asker()})
kit.bind({"Find": partial(finding), "Ask": lambda params: str(params)})
kit.bind([finding, asking])  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
kit.bind(typed, finding)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
