"""Handlers that other processes import."""

from __future__ import annotations

import os
from typing import Any

from typing_extensions import TypedDict

from tool_core import Fail, HandlerContext, Key, Tool

RATE = Key("rate", int)


class Params(TypedDict):
    n: int


class UnpicklableError(Exception):
    def __init__(self, lock: object) -> None:
        super().__init__("cannot travel")
        self.lock = lock


WORK = Tool.make("Work", parameters=Params, success=dict[str, int], failure=str, dependencies=[RATE])


def work(params: Params, ctx: HandlerContext[dict[str, int], Any]) -> dict[str, int] | Fail[str]:
    if params["n"] < 0:
        return Fail("negative")
    if params["n"] == 13:
        raise ValueError("unlucky")
    if params["n"] == 14:
        import threading

        raise UnpicklableError(threading.Lock())
    return {"result": params["n"] * ctx.get(RATE), "process": os.getpid()}


@Tool.from_function
def double(n: int) -> int:
    """Double a number."""
    return 2 * n


@Tool.from_function
def draw(n: int) -> str:
    """Draw a lot, which no two calls share."""
    return os.urandom(8).hex()
