"""What `Tool.from_function` keeps of a function; never executed."""

from __future__ import annotations

from collections.abc import Coroutine, Mapping
from typing import Any, assert_type

from tool_core import Fail, HandlerContext, Tool
from tool_core.typevars import FailureMode


@Tool.from_function
def add(a: int, b: int = 1) -> int:
    return a + b


assert_type(add(1, b=2), int)
assert_type(add.tool, Tool[Mapping[str, object], int, object, FailureMode, object, str])
add("1")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


@Tool.from_function(name="Find", failure_mode="return")
async def find(query: str) -> list[str] | Fail[int]:
    return [query] if query else Fail(404)


pending = find("x")
_ = assert_type(pending, Coroutine[Any, Any, list[str] | Fail[int]])
assert_type(find.tool.name, str)


def with_context(query: str, ctx: HandlerContext[str]) -> str:
    return ctx.tool_name + query


implementation = Tool.from_function(with_context, description="d")
assert_type(implementation.tool.name, str)

Tool.from_function(with_context, descripton="d")  # type: ignore[call-overload]  # pyright: ignore[reportCallIssue]
Tool.from_function(failure_mode="raise")  # type: ignore[call-overload]  # pyright: ignore[reportArgumentType]
