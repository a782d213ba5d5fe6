"""`tool.implement` checks handlers without a plugin; never executed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Literal, Never, assert_type

from typing_extensions import TypedDict

from tool_core import Fail, Final, HandlerContext, Implementation, Key, Preliminary, Tool


class Query(TypedDict):
    query: str


class Other(TypedDict):
    other: int


class NotFound(TypedDict):
    code: int


class Database:
    def rows(self) -> list[str]:
        return []


CLOCK = Key("clock", float)

search = Tool.make("Search", parameters=Query, success=list[str], failure=NotFound, dependencies=[Database])


def sync(params: Query) -> list[str]:
    return [params["query"]]


async def awaited(params: Query) -> list[str] | Fail[NotFound]:
    return Fail(NotFound(code=404))


async def streamed(params: Query) -> AsyncIterator[Preliminary[list[str]] | Final[list[str]]]:
    yield Preliminary([])
    yield Final([params["query"]])


async def with_context(params: Query, ctx: HandlerContext[list[str], Database]) -> list[str]:
    await ctx.preliminary([])
    assert_type(ctx.get(Database), Database)
    assert_type(ctx.get(CLOCK), float)
    return ctx.get(Database).rows()


assert_type(
    search.implement(sync),
    Implementation[Tool[Query, list[str], NotFound, Literal["error"], Database, str]],
)
search.implement(awaited)
search.implement(streamed)
search.implement(with_context)
search.implement(lambda params: [params["query"]])
Tool.make("Plain", parameters=Query, success=str).implement(lambda params: params["query"])


def wrong_parameters(params: Other) -> list[str]:
    return []


def wrong_result(params: Query) -> list[int]:
    return []


def wrong_failure(params: Query) -> list[str] | Fail[str]:
    return Fail("no")


def undeclared_failure(params: Query) -> str | Fail[str]:
    return Fail("no")


def wrong_preliminary(params: Query, ctx: HandlerContext[int, Database]) -> list[str]:
    return []


def no_parameters() -> list[str]:
    return []


search.implement(wrong_parameters)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType, reportCallIssue]
search.implement(wrong_result)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType, reportCallIssue]
search.implement(wrong_failure)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType, reportCallIssue]
search.implement(wrong_preliminary)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType, reportCallIssue]
search.implement(no_parameters)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType, reportCallIssue]
Tool.make("NoFail", parameters=Query, success=str).implement(undeclared_failure)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType, reportCallIssue]


def never_fails(tool: Tool[Query, str, Never, Literal["error"], Never, str]) -> None:
    tool.implement(lambda params: params["query"])
    tool.implement(lambda params: params["missing"])  # type: ignore[typeddict-item]  # pyright: ignore[reportGeneralTypeIssues]
