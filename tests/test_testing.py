"""Help for testing: calls without a model, doubles, records, arguments, snapshots."""

from __future__ import annotations

from typing import Literal, NotRequired

import pytest
from typing_extensions import TypedDict

from tool_core import Context, Key, Tool, ToolConfigurationError, Toolkit
from tool_core.testing import Recorder, call_tool, example_arguments, swap_services, wire_snapshot


class Query(TypedDict):
    text: str
    limit: NotRequired[int]
    order: Literal["asc", "desc"]


TOOLS: list[Tool] = [
    Tool.make("Typed", parameters=Query),
    Tool.make("Union", parameters=Query | list[int]),
    Tool.make("Empty"),
    Tool.dynamic(
        "Raw",
        parameters={
            "type": "object",
            "properties": {
                "code": {"type": "string", "pattern": "^[A-Z]{3}-\\d+$"},
                "n": {"minimum": 3, "type": "integer"},
            },
            "required": ["code", "n"],
        },
    ),
]


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_arguments_are_made_for_any_tool_and_repeat_by_seed(tool: Tool) -> None:
    values = example_arguments(tool, 5)
    assert len(values) == 5
    assert values == example_arguments(tool, 5)
    for value in values:
        tool.parameters_schema.decode(value)


def test_arguments_that_cannot_exist_are_an_error() -> None:
    impossible = Tool.dynamic(
        "Never", parameters={"type": "object", "required": ["a"], "properties": {"a": False}}
    )
    with pytest.raises(ToolConfigurationError, match="no arguments could be found"):
        example_arguments(impossible)


def test_a_tool_is_called_recorded_and_given_other_services() -> None:
    rate = Key("rate", int)
    tool = Tool.make("Rate", success=int, dependencies=[rate])
    assert call_tool(tool, lambda params, ctx: ctx.get(rate), {}, context=Context().add(rate, 3)).result == 3
    recorder = Recorder()
    bound = Toolkit.make(tool).bind(
        {"Rate": lambda params, ctx: ctx.get(rate)}, context=Context().add(rate, 1), wrap=recorder
    )
    assert swap_services(bound, Context().add(rate, 2)).call_sync("Rate", {}).result == 2
    assert [(call.name, call.params, result.result) for call, result in recorder.calls] == [("Rate", {}, 2)]


def test_a_snapshot_shows_every_tool_for_every_provider() -> None:
    snapshot = wire_snapshot(Toolkit.make(*TOOLS))
    assert {family: [tool["name"] for tool in tools] for family, tools in snapshot.items()} == {
        family: ["Typed", "Union", "Empty", "Raw"] for family in ("openai", "anthropic", "google")
    }
    assert snapshot == wire_snapshot(Toolkit.make(*TOOLS))
