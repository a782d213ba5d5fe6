"""A toolkit that tests serve: in this process, or in one of its own (`python offered.py`)."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import AsyncIterator
from typing import Any

from typing_extensions import TypedDict

from tool_core import (
    BoundToolkit,
    Fail,
    Final,
    HandlerContext,
    Preliminary,
    Progress,
    Readonly,
    Title,
    Tool,
    Toolkit,
)
from tool_core.mcp import CONTENT, Content

SECRET = "/etc/secret-path"
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII="


class Number(TypedDict):
    n: int


class Payment(TypedDict):
    amount: int


class NoFundsError(TypedDict):
    missing: int


running: set[str] = set()
"""The calls of `wait` that have begun and not ended, by whatever end."""

double = Tool.make("double", description="Double a number", parameters=Number, success=Number).annotate(
    Readonly, True
)
total = Tool.make("total", parameters=list[int], success=int).annotate(Title, "Sum")
shout = Tool.make("shout", parameters=str, success=str)
nothing = Tool.make("nothing")
listing = Tool.make("listing", success=list[int])
chart = Tool.make("chart", success=CONTENT)
garbled = Tool.make("garbled", success=CONTENT)
count = Tool.make("count", parameters=Number, success=int)
stages = Tool.make("stages", parameters=Number, success=str)
wait = Tool.make("wait", parameters=Number, success=str)
block = Tool.make("block", parameters=Number, success=str)
broken = Tool.make("broken", success=str)
short = Tool.make("short", parameters=Number, success=int, failure=NoFundsError)
shortly = Tool.make("shortly", parameters=Number, success=int, failure=NoFundsError, failure_mode="return")
pay = Tool.make("pay", parameters=Payment, success=str, needs_approval=True)
tip = Tool.make(
    "tip", parameters=Payment, success=str, needs_approval=lambda params, _: params["amount"] > 10
)

paid: list[int] = []


async def counted(params: Number) -> AsyncIterator[Preliminary[int] | Final[int]]:
    for n in range(params["n"]):
        yield Preliminary(n)
    yield Final(params["n"])


async def staged(params: Number, ctx: HandlerContext[str]) -> str:
    for n in range(params["n"]):
        await ctx.preliminary(Progress(n + 1, params["n"], f"stage {n + 1}"))
        await asyncio.sleep(0.01)
    return "done"


async def waited(params: Number, ctx: HandlerContext[str]) -> str:
    running.add(ctx.call_id)
    try:
        await asyncio.sleep(params["n"])
    finally:
        running.discard(ctx.call_id)
    return "waited"


def blocked(params: Number) -> str:
    print("what handlers print must not reach the wire", flush=True)
    time.sleep(params["n"])
    return "blocked"


def paying(params: Payment) -> str:
    paid.append(params["amount"])
    return f"paid {params['amount']}"


def broke(params: object) -> str:
    raise RuntimeError(f"cannot open {SECRET}")


def failing(params: Number) -> Fail[NoFundsError]:
    return Fail({"missing": params["n"]})


def drawn(params: object) -> Content:
    return [{"type": "text", "text": "a dot"}, {"type": "image", "data": PIXEL, "mimeType": "image/png"}]


def garbling(params: object) -> Any:
    return [{"type": "image", "text": "no data"}]


def offered(**options: Any) -> BoundToolkit:
    kit = Toolkit.make(
        double, total, shout, nothing, listing, chart, garbled, count, stages, wait, block, broken, short, shortly, pay, tip
    )  # fmt: skip
    return kit.bind(
        {
            "double": lambda params: {"n": params["n"] * 2},
            "total": sum,
            "shout": lambda params: params.upper() + "!",
            "nothing": lambda params: None,
            "listing": lambda params: [1, 2],
            "chart": drawn,
            "garbled": garbling,
            "count": counted,
            "stages": staged,
            "wait": waited,
            "block": blocked,
            "broken": broke,
            "short": failing,
            "shortly": failing,
            "pay": paying,
            "tip": paying,
        },
        **options,
    )


if __name__ == "__main__":
    from tool_core.mcp import serve_sync

    def announce(address: str) -> None:
        print(address, flush=True)

    way: Any = "http" if "http" in sys.argv else "stdio"
    serve_sync(offered(timeout={"wait": 30}), way, grace=1, port=0, on_ready=announce)
