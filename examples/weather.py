"""A small toolkit: a union tool, a dynamic tool, a failing handler and a provider tool."""

from __future__ import annotations

import asyncio
import logging
from typing import Literal, NotRequired, final

from typing_extensions import TypedDict

from tool_core import Fail, Tool, ToolCallPart, Toolkit
from tool_core.providers import openai
from tool_core.strict import plan_strict


@final
class ByCity(TypedDict):
    """Current weather for a city."""

    city: str
    units: NotRequired[Literal["celsius", "fahrenheit"]]


@final
class ByPosition(TypedDict):
    """Current weather for a place on the map."""

    position: tuple[float, float]


class Weather(TypedDict):
    temperature: float


class UnknownPlace(TypedDict):
    place: str


get_weather = Tool.make(
    "GetWeather",
    description="Current weather, by city or by position",
    parameters=ByCity | ByPosition,
    success=Weather,
    failure=UnknownPlace,
    failure_mode="return",
)
read_station = Tool.dynamic(
    "read_station",
    description="Raw readings of a weather station",
    parameters={
        "type": "object",
        "properties": {
            "id": {"type": "string", "pattern": "^[A-Z]{4}$"},
            "filters": {"type": "object", "additionalProperties": {"type": "number"}},
        },
        "required": ["id"],
    },
    failure_mode="return",
)
web_search = openai.WebSearch({"search_context_size": "low"})
kit = Toolkit.make(get_weather, read_station, web_search)


def weather(params: ByCity | ByPosition) -> Weather | Fail[UnknownPlace]:
    if "position" in params:
        return {"temperature": params["position"][0] / 4}
    if params["city"] == "Atlantis":
        return Fail(UnknownPlace(place=params["city"]))
    return {"temperature": 21.5}


def station(_params: object) -> object:
    raise ConnectionError("the station at /dev/ttyUSB0 does not answer")


bound = kit.bind({"GetWeather": weather, "read_station": station})


def turn() -> list[ToolCallPart]:
    """What a model might ask for in one turn."""
    asked: list[tuple[str, object]] = [
        ("GetWeather", {"city": "Oslo"}),
        ("GetWeather", {"position": [59.9, 10.7]}),
        ("GetWeather", {"city": "Atlantis"}),
        ("GetWeather", {"town": "Oslo"}),
        ("read_station", {"id": "ENGM"}),
        ("GetWether", {}),
    ]
    return [
        {"type": "tool-call", "id": f"call_{number}", "name": name, "params": params}
        for number, (name, params) in enumerate(asked)
    ]


def main() -> None:
    print("One turn of a model: every call gets one answer, in order.\n")
    for call, part in zip(turn(), asyncio.run(bound.resolve(turn())), strict=True):
        print(f"  {call['name']:12} {call['params']!s:34} -> {part.get('result')}")
    print("\nWhat each provider would be sent, and why.\n")
    for model in ("gpt-5", "claude-opus-4-5", "gemini-3-pro", "gpt-3.5-turbo"):
        for decision in plan_strict(kit, model).decisions:
            state = "strict" if decision.is_strict else "lenient"
            lost = (
                ", ".join(f"{loss.keyword} at {loss.pointer}" for loss in decision.form.losses) or "nothing"
            )
            print(f"  {model:16} {decision.tool.name:13} {state:8} {decision.reason}; lost: {lost}")


if __name__ == "__main__":
    # The failing handler's traceback belongs into a log, not onto this screen.
    logging.getLogger("tool_core").setLevel("CRITICAL")
    main()
