"""Tools in lists and toolkits in variables, with no plugin; never executed."""

# pyright: strictListInference=true

from __future__ import annotations

from typing import assert_type

from typing_extensions import TypedDict

from tool_core import AnyTool, FailureMode, Tool, Toolkit


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
