"""A toolkit that is hard to carry: optional parameters, a mapping, a union, a date, a raw schema."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NotRequired

from typing_extensions import TypedDict

from tool_core import BoundToolkit, Tool, Toolkit
from tool_core.providers import Prepared, anthropic, google, openai


class Trip(TypedDict):
    city: str
    days: NotRequired[int]
    budget: dict[str, int]


class Ticket(TypedDict):
    code: str


PLAN = Tool.make("trips.plan", description="Plan a trip", parameters=Trip, success=str)
BOOK = Tool.make("Book", parameters=Ticket | list[int], success=dict[str, object], failure_mode="return")
WAKE = Tool.make("Wake", parameters=datetime, success=int)
SEARCH = Tool.dynamic(
    "search", parameters={"type": "object", "properties": {"q": {"type": "string", "minLength": 1}}}
)
NOW = Tool.make("Now", success=float)

KIT = Toolkit.make(PLAN, BOOK, WAKE, SEARCH, NOW)


def bound() -> BoundToolkit[Any]:
    return KIT.bind(
        {
            "trips.plan": lambda params: f"{params['city']} for {params.get('days', 1)}: {params['budget']}",
            "Book": lambda params: {"booked": params},
            "Wake": lambda params: params.year,
            "search": lambda params: params,
            "Now": lambda params: 12.5,
        }
    )


MODELS = {"responses": "gpt-5", "chat": "gpt-5", "messages": "claude-opus-4-5", "generate": "gemini-3-pro"}


def prepared(api: str, kit: Toolkit[Any] = KIT, **options: Any) -> Prepared[Any, Any, Any]:
    module: Any = {"messages": anthropic, "generate": google}.get(api, openai)
    apis = {"api": api} if module is openai else {}
    made: Prepared[Any, Any, Any] = module.prepare_tools(kit, **{"model": MODELS[api], **apis, **options})
    return made
