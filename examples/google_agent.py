"""An agent on Google's Gemini API: a tool with two kinds of parameters, and a refusal that is no end.

GEMINI_API_KEY=... python examples/google_agent.py "Where do I meet Ann, and when?"
"""

from __future__ import annotations

import asyncio
import os
import sys
from typing import final

from google import genai
from google.genai.errors import ClientError
from google.genai.types import ContentDict
from typing_extensions import TypedDict

from tool_core import Tool, Toolkit
from tool_core.providers.google import is_refusal, prepare_tools

MODEL = os.environ.get("MODEL", "gemini-3-pro-preview")
DIARY = {"Ann": "Friday 18:00, Café Nord", "Bob": "Monday 9:00, office"}


@final
class ByName(TypedDict):
    name: str


@final
class ByDay(TypedDict):
    day: str


find_meetings = Tool.make(
    "find_meetings", description="Look into the diary", parameters=ByName | ByDay, success=dict[str, str]
)


def meetings(wanted: ByName | ByDay) -> dict[str, str]:
    if "name" in wanted:
        return {name: entry for name, entry in DIARY.items() if name == wanted["name"]}
    return {name: entry for name, entry in DIARY.items() if entry.startswith(wanted["day"])}


bound = Toolkit.make(find_meetings).bind({"find_meetings": meetings})


async def ask(question: str, most_turns: int = 10) -> str:
    prepared = prepare_tools(bound.toolkit, model=MODEL)
    history: list[ContentDict] = [{"role": "user", "parts": [{"text": question}]}]
    async with genai.Client().aio as client:
        for _ in range(most_turns):
            try:
                response = await client.models.generate_content(
                    model=MODEL, contents=history, config=prepared.request
                )
            except ClientError as error:
                if not is_refusal(error):
                    raise
                prepared = prepared.degrade(error)  # the schemas make too large a grammar: ask less strictly
                continue
            results = await bound.resolve(prepared.read_calls(response))
            if not results:
                return response.text or ""
            history += prepared.assistant_turn(response) + prepared.tool_results(results)
    return "The model would not come to an end."


if __name__ == "__main__":
    if "GEMINI_API_KEY" in os.environ:
        print(asyncio.run(ask(" ".join(sys.argv[1:]) or "Where do I meet Ann, and when?")))
    else:
        print("Set GEMINI_API_KEY to run this agent, and MODEL or GOOGLE_GEMINI_BASE_URL to choose another.")
