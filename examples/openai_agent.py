"""An agent on OpenAI's Responses API: ask, run the tools the model calls, answer, until it is done.

OPENAI_API_KEY=... python examples/openai_agent.py "Is it warmer in Oslo or in Rome?"
"""

from __future__ import annotations

import asyncio
import os
import sys
from typing import Literal, NotRequired

from openai import AsyncOpenAI
from openai.types.responses import ResponseInputItemParam
from typing_extensions import TypedDict

from tool_core import Fail, Tool, Toolkit
from tool_core.providers.openai import prepare_tools

MODEL = os.environ.get("MODEL", "gpt-5")
READINGS = {"Oslo": 4.5, "Rome": 17.0}


class Place(TypedDict):
    city: str
    units: NotRequired[Literal["celsius", "fahrenheit"]]


class UnknownCity(TypedDict):
    known: list[str]


get_weather = Tool.make(
    "get_weather",
    description="The temperature in a city, now",
    parameters=Place,
    success=float,
    failure=UnknownCity,
    failure_mode="return",  # the model hears of a failure and can try again
)


def weather(place: Place) -> float | Fail[UnknownCity]:
    if place["city"] not in READINGS:
        return Fail(UnknownCity(known=list(READINGS)))
    celsius = READINGS[place["city"]]
    return celsius * 9 / 5 + 32 if place.get("units") == "fahrenheit" else celsius


bound = Toolkit.make(get_weather).bind({"get_weather": weather})


async def ask(question: str, most_turns: int = 10) -> str:
    prepared = prepare_tools(bound.toolkit, model=MODEL)
    history: list[ResponseInputItemParam] = [{"role": "user", "content": question}]
    async with AsyncOpenAI() as client:
        for _ in range(most_turns):
            response = await client.responses.create(model=MODEL, input=history, **prepared.request)
            results = await bound.resolve(prepared.read_calls(response))
            if not results:
                return response.output_text
            history += prepared.assistant_turn(response) + prepared.tool_results(results)
    return "The model would not come to an end."


if __name__ == "__main__":
    if "OPENAI_API_KEY" in os.environ:
        print(asyncio.run(ask(" ".join(sys.argv[1:]) or "Is it warmer in Oslo or in Rome?")))
    else:
        print("Set OPENAI_API_KEY to run this agent, and MODEL or OPENAI_BASE_URL to choose another.")
