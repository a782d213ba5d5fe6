"""A toolkit whose handlers do what none should; served here, or by a process (`python breaking.py`)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from typing import Any

from tool_core import BoundToolkit, Call, Fail, HandlerContext, HandlerResult, Next, Progress, Tool, Toolkit

REPORTS: dict[str, Callable[[], Any]] = {
    "a lone surrogate": lambda: Progress(1, 2, "\ud800"),
    "NaN": lambda: Progress(float("nan")),
    "infinity": lambda: Progress(1, float("inf")),
    "more than a float holds": lambda: Progress(10**400),
    "a total that no float holds": lambda: Progress(1, 10**400),
    "a text": lambda: Progress("1"),  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    "nothing": lambda: Progress(None),  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    "bytes": lambda: Progress(1, 2, b"x"),  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
}
RAISED: dict[str, Callable[[], BaseException]] = {
    "SystemExit": SystemExit,
    "GeneratorExit": GeneratorExit,
    "BaseException": BaseException,
    "CancelledError": asyncio.CancelledError,
    "StopIteration": StopIteration,
    "BaseExceptionGroup": lambda: BaseExceptionGroup("all", [SystemExit()]),
}
TEXTS = {"a text": '"\\ud800"', "an object": '{"a": "\\ud800"}'}
GARBLED = [{"type": "text", "text": "\ud800"}]


async def reporting(params: str, ctx: HandlerContext[str]) -> str:
    await ctx.preliminary(REPORTS[params]())
    return "reported"


async def raising(params: str) -> str:
    raise RAISED[params]()


def raising_in_a_thread(params: str) -> str:
    raise RAISED[params]()


async def garbling(call: Call, next_: Next) -> HandlerResult[object]:
    """Middleware that answers with texts that are no UTF-8."""
    if call.name == "garble":
        return HandlerResult("x", TEXTS[str(call.params["value"])])  # type: ignore[index]  # pyright: ignore[reportIndexIssue]
    return await next_(call)


def breaking() -> BoundToolkit[Any]:
    kit = Toolkit.make(
        Tool.make("report", parameters=str, success=str),
        Tool.make("raise", parameters=str, success=str),
        Tool.make("raise_in_a_thread", parameters=str, success=str),
        Tool.make("garble", parameters=str, success=object),
        Tool.make("fail", success=str, failure=str),
        Tool.make("surrogate", success=str),
        Tool.make("fine", success=str),
    )
    return kit.bind(
        {
            "report": reporting,
            "raise": raising,
            "raise_in_a_thread": raising_in_a_thread,
            "garble": lambda params: None,
            "fail": lambda params: Fail("\ud800"),
            "surrogate": lambda params: "\ud800",
            "fine": lambda params: "fine",
        },
        wrap=garbling,
    )


def cases() -> Iterable[tuple[str, dict[str, Any]]]:
    yield from (("report", {"value": name}) for name in REPORTS)
    for tool in ("raise", "raise_in_a_thread"):
        yield from ((tool, {"value": name}) for name in RAISED)
    yield from (("garble", {"value": name}) for name in TEXTS)
    yield from ((tool, {}) for tool in ("fail", "surrogate"))


if __name__ == "__main__":
    from tool_core.mcp import serve_sync

    logging.disable(logging.CRITICAL)
    serve_sync(breaking())
