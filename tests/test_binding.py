"""Binding: every mistake in one error, before anything runs."""

from __future__ import annotations

import functools
import inspect
from collections.abc import AsyncIterator, Awaitable, Iterator
from typing import Any, NotRequired, cast

import pytest
from typing_extensions import TypedDict

from tool_core import Context, Fail, Final, HandlerContext, Preliminary, Tool, ToolConfigurationError, Toolkit


class Query(TypedDict):
    query: str
    limit: NotRequired[int]


class SameQuery(TypedDict):
    query: str


class OtherQuery(TypedDict):
    text: str


class NotFound(TypedDict):
    code: int


SEARCH = Tool.make("Search", parameters=Query, success=list[str], failure=NotFound)
NOW = Tool.make("Now", success=float)
WEB = Tool.provider_defined(id="openai.web_search", custom_name="Web", provider_name="web_search")()
KIT = Toolkit.make(SEARCH, NOW, WEB)


def fine(params: Query) -> list[str]:
    return [params["query"]]


def now(params: object) -> float:
    return 1.0


def test_all_mistakes_are_reported_together() -> None:
    def wrong(params: OtherQuery) -> int | Fail[str]:
        return 0

    with pytest.raises(ToolConfigurationError) as caught:
        KIT.bind({"Search": wrong, "Nwo": now, "Web": now})
    assert caught.value.description == (
        "the handlers do not fit the toolkit:\n"
        "- Now: it has no handler\n"
        "- Nwo: the toolkit has no such tool, did you mean 'Now'?\n"
        "- Search: the handler takes OtherQuery, but the tool's parameters are Query\n"
        "- Search: the handler returns int, but the tool declares list[str]\n"
        "- Search: the handler fails with str, but the tool declares NotFound\n"
        "- Web: the provider runs this tool, so it takes no handler"
    )


class Searcher:
    def method(self, params: Query) -> list[str]:
        return [params["query"]]

    def __call__(self, params: Query) -> list[str]:
        return [params["query"]]


async def coroutine(params: Query, ctx: HandlerContext[list[str], Any]) -> list[str] | Fail[NotFound]:
    return [params["query"]]


async def generator(params: Query) -> AsyncIterator[Preliminary[list[str]] | Final[list[str]]]:
    yield Final([params["query"]])


def awaitable(params: Query) -> Awaitable[list[str]]:
    return coroutine(params, HandlerContext("", "", None))  # type: ignore[return-value]  # pyright: ignore[reportReturnType]


def with_more(extra: int, params: Query) -> list[str]:
    return [params["query"]] * extra


def supertype(params: SameQuery) -> list[str]:
    return [params["query"]]


def untyped(params, ctx):  # type: ignore[no-untyped-def]
    return [params["query"]]


def own_default(params: Query, retries: int = 3) -> list[str]:
    return [params["query"]]


@pytest.mark.parametrize(
    "handler",
    [
        fine,
        coroutine,
        generator,
        awaitable,
        supertype,
        untyped,
        own_default,
        Searcher().method,
        Searcher(),
        functools.partial(with_more, 1),
        lambda params: [params["query"]],
    ],
)
def test_every_shape_of_handler_binds_and_runs(handler: Any) -> None:
    bound = KIT.bind({"Search": handler, "Now": now})
    assert bound.call_sync("Search", {"query": "x"}).result == ["x"]


def no_parameters() -> list[str]:
    return []


def three(a: object, b: object, c: object) -> list[str]:
    return []


def keyword_only(*, params: Query) -> list[str]:
    return []


@pytest.mark.parametrize(
    ("handler", "problem"),
    [
        (no_parameters, "the handler takes (), but it is called with (params) or (params, ctx)"),
        (three, "the handler takes (a, b, c), but it is called with (params) or (params, ctx)"),
        (keyword_only, "the handler takes (params), but it is called with (params) or (params, ctx)"),
        ("fine", "the handler is not callable but str"),
    ],
)
def test_a_handler_that_cannot_be_called_is_refused(handler: Any, problem: str) -> None:
    with pytest.raises(ToolConfigurationError) as caught:
        KIT.bind({"Search": handler, "Now": now}, enforce=False)
    assert f"- Search: {problem}" in caught.value.description


def undeclared(params: object) -> float | Fail[str]:
    return Fail("no")


def test_an_undeclared_failure_is_refused() -> None:
    with pytest.raises(ToolConfigurationError) as caught:
        KIT.bind({"Search": fine, "Now": undeclared})
    assert "- Now: the handler fails with str, but the tool declares no failure" in caught.value.description


def narrow(params: SameQuery | OtherQuery) -> list[str]:
    return []


def requires_more(params: OtherQuery) -> list[str]:
    return []


def test_a_union_tool_needs_a_handler_for_every_member() -> None:
    kit = Toolkit.make(Tool.make("U", parameters=SameQuery | OtherQuery, success=list[str]))
    kit.bind({"U": narrow})
    with pytest.raises(ToolConfigurationError):
        kit.bind({"U": requires_more})


def test_enforcement_of_annotations_can_be_switched_off() -> None:
    bound = KIT.bind({"Search": requires_more, "Now": now}, enforce=False)
    assert bound.call_sync("Search", {"query": "x"}).result == []


def test_a_raw_schema_says_nothing_about_the_handlers_type() -> None:
    def typed(params: dict[str, str]) -> str:
        return params["q"]

    kit = Toolkit.make(Tool.dynamic("raw", parameters={"type": "object"}))
    assert kit.bind({"raw": typed}).call_sync("raw", {"q": "x"}).result == "x"


def test_implementations_bind_without_names() -> None:
    bound = Toolkit.make(SEARCH, NOW).bind(SEARCH.implement(fine), NOW.implement(now))
    assert bound.call_sync("Now", {}).result == 1.0


def test_mistakes_among_implementations_are_reported_together() -> None:
    with pytest.raises(ToolConfigurationError) as caught:
        cast(Any, KIT).bind(
            SEARCH.implement(fine), SEARCH.implement(fine), Tool.make("Now").implement(lambda params: None), 3
        )
    assert caught.value.description == (
        "the handlers do not fit the toolkit:\n"
        "- Search: it is implemented twice\n"
        "- Now: the implementation is of another tool, Tool 'Now' (EmptyParams) -> None\n"
        "- bind takes one mapping of handlers, or implementations, not int"
    )


def test_two_toolkits_with_equal_tool_names_never_share_a_handler() -> None:
    one = Toolkit.make(NOW).bind({"Now": lambda params: 1.0})
    two = Toolkit.make(NOW).bind({"Now": lambda params: 2.0})
    assert (one.call_sync("Now", {}).result, two.call_sync("Now", {}).result) == (1.0, 2.0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"timout": 3}, "bind has no option 'timout', did you mean 'timeout'?"),
        ({"timeout": 0}, "a timeout is a number of seconds above 0, not 0"),
        ({"concurrency": 0}, "concurrency is a number of calls above 0, not 0"),
        ({"run_sync": "process"}, "run_sync is 'thread' or 'inline', not 'process'"),
        ({"approval_key": b"short"}, "approval_key is a secret of at least 16 bytes"),
    ],
)
def test_a_wrong_option_is_refused(options: Any, message: str) -> None:
    with pytest.raises(ToolConfigurationError) as caught:
        Toolkit.make(NOW).bind({"Now": now}, **options)
    assert caught.value.description == message


class Database: ...


def test_a_missing_service_is_an_error_before_the_handler_starts() -> None:
    started: list[object] = []
    kit = Toolkit.make(Tool.make("Rows", dependencies=[Database], failure_mode="return"))
    bound = kit.bind({"Rows": started.append})
    with pytest.raises(ToolConfigurationError) as caught:
        bound.call_sync("Rows", {})
    assert str(caught.value) == (
        "Invalid configuration for tool 'Rows': the service Database is missing; "
        "add it with Context().add(Database, ...) when binding or calling"
    )
    assert started == []


def test_a_service_of_the_request_wins_over_the_one_of_the_toolkit() -> None:
    def use(params: object, ctx: HandlerContext[bool, Database]) -> bool:
        return ctx.get(Database) is request

    build, request = Database(), Database()
    kit = Toolkit.make(Tool.make("Use", success=bool, dependencies=[Database]))
    bound = kit.bind({"Use": use}, context=Context().add(Database, build))
    assert bound.call_sync("Use", {}).result is False
    assert bound.call_sync("Use", {}, context=Context().add(Database, request)).result is True


def test_a_plain_generator_is_no_handler() -> None:
    def count(params: object) -> Iterator[int]:
        yield 1

    with pytest.raises(ToolConfigurationError) as caught:
        Toolkit.make(Tool.make("Count", success=list[int])).bind({"Count": count})
    assert caught.value.description.endswith(
        "- Count: the handler is a generator; a handler that yields is an async generator: write async def"
    )


def test_a_builtin_without_a_signature_is_believed_to_take_the_parameters() -> None:
    with pytest.raises(ValueError, match="no signature"):
        inspect.signature(max)
    largest = Toolkit.make(Tool.make("Largest", parameters=list[int], success=int)).bind({"Largest": max})
    assert largest.call_sync("Largest", [1, 3, 2]).result == 3
