"""Four mistakes that mypy finds with the plugin. This file does not type-check, on purpose.

Run `tool-core check examples/mistakes.py`: the tools are fine, their handlers are not.
"""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

from tool_core import Tool, Toolkit


class GetWeather(TypedDict):
    """Current weather for a city."""

    city: str
    units: Literal["celsius", "fahrenheit"]


get_weather = Tool.make("GetWeather", parameters=GetWeather, success=float)
search = Tool.dynamic(
    "search",
    description="Search the archive",
    parameters={"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]},
    success=list[str],
)
kit = Toolkit.make(get_weather, search)


def bind() -> None:
    bound = kit.bind(
        {
            "GetWeather": lambda params: 21.5 if params["unit"] == "celsius" else 70.7,  # the key is "units"
            "serch": lambda params: [str(params)],  # the tool is "search"
        }
    )
    result = bound.call_sync("GetWeather", {"city": "Oslo", "units": "kelvin"})  # not one of the units
    print(result.result.upper())  # the result is a float


if __name__ == "__main__":
    print(kit)
