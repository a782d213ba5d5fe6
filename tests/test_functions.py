"""Tools derived from functions."""

from __future__ import annotations

import asyncio
import copy
import pickle
from collections.abc import AsyncIterator
from typing import Annotated, Any, Literal

import pytest
from typing_extensions import Doc

from tool_core import (
    Fail,
    Final,
    HandlerContext,
    Preliminary,
    Tool,
    ToolConfigurationError,
    Toolkit,
    get_description,
)


@Tool.from_function
def add(a: int, b: int = 1) -> int:
    """Add two numbers.

    The sum may be large.

    Args:
        a: The first number.
        b: The second number.
    """
    return a + b


def numpy_style(query: str) -> str:
    """Search.

    Parameters
    ----------
    query : str
        What to look for.
    """
    return query


def rest_style(query: str) -> str:
    """Search.

    :param query: What to look for.
    """
    return query


def annotated_style(query: Annotated[str, Doc("What to look for.")]) -> str:
    """Search."""
    return query


def properties(implementation: Any) -> Any:
    return implementation.tool.parameters_schema.json_schema()["properties"]


def test_the_function_stays_callable_with_its_own_signature() -> None:
    assert add(2) == 3
    assert add(2, b=5) == 7
    assert add.handler({"a": 2, "b": 5}) == 7


def test_the_signature_becomes_the_schema() -> None:
    assert add.tool.name == "add"
    assert get_description(add.tool) == "Add two numbers.\n\nThe sum may be large."
    assert add.tool.parameters_schema.json_schema() == {
        "type": "object",
        "properties": {
            "a": {"type": "integer", "description": "The first number."},
            "b": {"type": "integer", "description": "The second number.", "default": 1},
        },
        "required": ["a"],
        "additionalProperties": False,
    }
    assert str(add.tool.success_schema) == "int"


@pytest.mark.parametrize("function", [numpy_style, rest_style, annotated_style])
def test_parameters_are_described_in_every_docstring_style(function: Any) -> None:
    implementation = Tool.from_function(function)
    assert get_description(implementation.tool) == "Search."
    assert properties(implementation) == {"query": {"type": "string", "description": "What to look for."}}


def test_options_override_what_the_function_says() -> None:
    @Tool.from_function(name="Find", description="d", failure_mode="return", needs_approval=True)
    def find(query: str) -> str:
        return query

    assert (find.tool.name, find.tool.description) == ("Find", "d")
    assert (find.tool.failure_mode, find.tool.needs_approval) == ("return", True)
    assert find("x") == "x"


def test_a_return_annotation_names_success_and_failure() -> None:
    def find(query: str) -> list[str] | Fail[Literal["gone"]]:
        return Fail("gone")

    tool = Tool.from_function(find).tool
    assert tool.success_schema.json_schema() == {"type": "array", "items": {"type": "string"}}
    assert tool.failure_schema.json_schema() == {"const": "gone", "type": "string"}


def test_a_stream_names_its_final_type() -> None:
    async def count(n: int) -> AsyncIterator[Preliminary[int] | Final[int]]:
        yield Final(n)

    assert str(Tool.from_function(count).tool.success_schema) == "int"


def test_the_context_is_found_by_its_type_and_hidden_from_the_model() -> None:
    async def find(query: str, ctx: HandlerContext[str]) -> str:
        return f"{ctx.tool_name}: {query}"

    implementation = Tool.from_function(find)
    assert list(properties(implementation)) == ["query"]
    handled: Any = implementation.handler({"query": "x"}, HandlerContext("find", "1", None))
    assert asyncio.run(handled) == "find: x"


def test_positional_and_keyword_only_parameters_are_passed_as_they_must_be() -> None:
    def order(first: int, /, second: int, *, third: int = 3) -> list[int]:
        return [first, second, third]

    assert Tool.from_function(order).handler({"first": 1, "second": 2}) == [1, 2, 3]


def test_a_method_is_a_function_without_its_self() -> None:
    class Calculator:
        def double(self, n: int) -> int:
            return 2 * n

    implementation = Tool.from_function(Calculator().double)
    assert list(properties(implementation)) == ["n"]
    assert implementation.handler({"n": 4}) == 8


def no_hints(a, b: int):  # type: ignore[no-untyped-def]
    return a


def variadic(*values: int) -> int:
    return 0


def keywords(**values: int) -> int:
    return 0


def unresolved(a: Missing) -> int:  # type: ignore[name-defined]  # noqa: F821  # pyright: ignore[reportUndefinedVariable]
    return 0


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (no_hints, "Invalid configuration for tool 'no_hints': the parameter 'a' needs a type annotation"),
        (
            variadic,
            "Invalid configuration for tool 'variadic': "
            "*values has no schema: a model must know every parameter by name",
        ),
        (
            keywords,
            "Invalid configuration for tool 'keywords': "
            "**values has no schema: a model must know every parameter by name",
        ),
        (
            unresolved,
            "Invalid configuration for tool 'unresolved': "
            "the annotations cannot be resolved: name 'Missing' is not defined",
        ),
    ],
)
def test_a_function_that_cannot_be_a_tool_is_refused_with_the_reason(function: Any, message: str) -> None:
    with pytest.raises(ToolConfigurationError) as caught:
        Tool.from_function(function)
    assert str(caught.value) == message


def test_a_lambda_has_no_name_for_a_tool() -> None:
    with pytest.raises(ToolConfigurationError, match="from_function takes a named function"):
        Tool.from_function(lambda a: a)


def test_a_decorated_function_pickles_by_its_name() -> None:
    assert pickle.loads(pickle.dumps(add.handler))({"a": 1}) == 2
    assert pickle.loads(pickle.dumps(add.tool)) == add.tool
    again = pickle.loads(pickle.dumps(add))
    assert (again(1), again.handler({"a": 1}), again.tool) == (add(1), 2, add.tool)


def halve(n: int) -> float:
    """Halve a number."""
    return n / 2


def test_a_function_that_keeps_its_name_pickles_as_itself() -> None:
    implementation = Tool.from_function(halve, failure_mode="return")
    again = pickle.loads(pickle.dumps(implementation))
    assert again.tool == implementation.tool == copy.deepcopy(implementation.tool)
    assert hash(again.tool) == hash(implementation.tool)
    assert again.tool.parameters_schema.decode({"n": 3}) == {"n": 3}
    assert (again(3), again.handler({"n": 3})) == (1.5, 1.5)
    assert Toolkit.make(again.tool).bind(implementation).call_sync("halve", {"n": 3}).result == 1.5


def test_tools_of_two_functions_differ_also_where_their_parameters_are_alike() -> None:
    def one(n: int) -> int:
        return n

    def two(n: int) -> int:
        return n

    tools = [Tool.from_function(each, name="T").tool for each in (one, two)]
    assert tools[0] != tools[1]
    assert tools[0] == Tool.from_function(one, name="T").tool
