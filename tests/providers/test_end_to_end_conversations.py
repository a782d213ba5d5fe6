"""Two turns with parallel calls, through every API, client and manner of asking."""

from __future__ import annotations

import json
from typing import Any, Literal, NotRequired, final

import pytest
from typing_extensions import TypedDict

from tests.loopback.scripts import Call, turn
from tests.loopback.server import Loopback
from tests.providers.conversations import (
    APIS,
    CHANNELS,
    Channel,
    Family,
    by_api,
    converse,
    params_of,
    results_of,
)
from tool_core import Strict, Tool, Toolkit


@final
class ByCity(TypedDict):
    city: str
    units: NotRequired[Literal["celsius", "fahrenheit"]]


@final
class ByPosition(TypedDict):
    position: tuple[float, float]


class Reading(TypedDict):
    temperature: float


class Note(TypedDict):
    text: str
    tags: NotRequired[dict[str, int]]


get_weather = Tool.make(
    "GetWeather", description="The weather", parameters=ByCity | ByPosition, success=Reading
)
add_up = Tool.make("AddUp", parameters=list[int], success=int)
keep_note = Tool.make("KeepNote", parameters=Note, success=Note)
now = Tool.make("Now", success=str)
kit = Toolkit.make(get_weather, add_up, keep_note, now)


def weather(params: ByCity | ByPosition) -> Reading:
    return {"temperature": 12.5 if "city" in params else params["position"][0]}


bound = kit.bind(
    {
        "GetWeather": weather,
        "AddUp": lambda numbers: sum(numbers),
        "KeepNote": lambda note: note,
        "Now": lambda _: "noon",
    }
)

# What each provider's model writes: the same calls in three dialects, by hand.
WIRE: dict[Family, list[Call]] = {
    "openai": [
        Call("GetWeather", {"value": {"city": "Tromsø", "units": None}}),
        Call("GetWeather", {"value": {"position": {"0": 69.6, "1": 18.9}}}),
        Call("AddUp", {"value": [1, 2, 3]}),
        Call("KeepNote", {"text": "a\"b\\c\n", "tags": [{"key": "x", "value": 1}]}),
        Call("Now", {}),
    ],
    "anthropic": [
        Call("GetWeather", {"value": {"city": "Tromsø"}}),
        Call("GetWeather", {"value": {"position": {"0": 69.6, "1": 18.9}}}),
        Call("AddUp", {"value": [1, 2, 3]}),
        Call("KeepNote", {"text": "a\"b\\c\n", "tags": [{"key": "x", "value": 1}]}),
        Call("Now", {}),
    ],
    "google": [
        Call("GetWeather", {"value": {"city": "Tromsø"}}),
        Call("GetWeather", {"value": {"position": [69.6, 18.9]}}),
        Call("AddUp", {"value": [1, 2, 3]}),
        Call("KeepNote", {"text": "a\"b\\c\n", "tags": [{"key": "x", "value": 1}]}),
        Call("Now", {}),
    ],
}  # fmt: skip
PARAMS = [
    {"city": "Tromsø"},
    {"position": [69.6, 18.9]},
    [1, 2, 3],
    {"text": 'a"b\\c\n', "tags": {"x": 1}},
    {},
]
RESULTS: list[object] = [{"temperature": 12.5}, {"temperature": 69.6}, 6, PARAMS[3], "noon"]


@pytest.mark.parametrize("channel", CHANNELS, ids=by_api)
def test_two_turns_with_parallel_calls(channel: Channel) -> None:
    script = [turn("Let me see.", *WIRE[channel.family]), turn(WIRE[channel.family][4]), turn("It is noon.")]
    with Loopback(*script) as server:
        shown = converse(channel, server, bound)
    assert params_of(shown.calls[0]) == PARAMS
    assert results_of(shown.results[0]) == RESULTS
    assert shown.calls[2] == []
    answers = list(channel.answers(server.bodies[2]))
    assert [as_value(content) for _, content, _ in answers] == [*RESULTS, "noon"]
    assert {flag for _, _, flag in answers} <= {False, None}


def as_value(content: Any) -> object:
    """Read a result as the model would: JSON where it is JSON, else text."""
    if isinstance(content, list):
        [content] = [block["text"] for block in content]
    try:
        return json.loads(content) if isinstance(content, str) else content
    except ValueError:
        return content


@pytest.mark.parametrize("channel", APIS, ids=by_api)
def test_the_schemas_are_strict_unless_said_otherwise_and_lenient_calls_come_back_too(
    channel: Channel,
) -> None:
    lenient = Toolkit.make(get_weather.annotate(Strict, False), add_up.annotate(Strict, False))
    free = lenient.bind({"GetWeather": weather, "AddUp": lambda numbers: sum(numbers)})
    calls = [Call("GetWeather", {"value": {"city": "Oslo"}}), Call("AddUp", {"value": [1, 2]})]
    with Loopback(turn(*calls), turn("Done.")) as server:
        shown = converse(channel, server, free)
    assert results_of(shown.results[0]) == [
        {"temperature": 12.5},
        3,
    ]
    assert not any(item.is_strict for item in shown.prepared.plan.decisions)


CHOICES: list[tuple[Any, list[str]]] = [
    ("auto", ["GetWeather", "Now"]),
    ("required", ["Now"]),
    ({"tool": "Now"}, ["Now"]),
    ({"mode": "required", "one_of": ["Now", "AddUp"]}, ["Now", "AddUp"]),
    ({"one_of": ["Now"]}, ["Now"]),
    ("none", []),
]


@pytest.mark.parametrize(("choice", "called"), CHOICES, ids=lambda value: str(value))
@pytest.mark.parametrize("channel", APIS, ids=by_api)
def test_every_tool_choice_is_one_that_the_provider_takes(
    channel: Channel, choice: Any, called: list[str]
) -> None:
    calls = {call.name: call for call in reversed(WIRE[channel.family])}
    prepared = channel.prepared(bound, tool_choice=choice)
    with Loopback(turn("So.", *(calls[name] for name in called))) as server:
        response = channel.reply(server, prepared, [channel.opening("Go on.")])
    assert [part["name"] for part in prepared.read_calls(response) if part["type"] == "tool-call"] == called


@pytest.mark.parametrize("channel", APIS, ids=by_api)
def test_a_toolkit_without_tools_asks_for_none(channel: Channel) -> None:
    with Loopback(turn("Hello.")) as server:
        shown = converse(channel, server, Toolkit.empty.bind({}))
    assert shown.calls == [[]]
    assert "tools" not in server.bodies[0]
    assert "tool_choice" not in server.bodies[0]
