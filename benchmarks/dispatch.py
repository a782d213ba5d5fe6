"""One typed call from JSON text to JSON text, as a multiple of the bare floor.

The floor of a call is `json.loads`, the handler, `json.dumps` in the same process and setting.
Every ratio is measured in interleaved rounds of one run, and the median round counts.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import time
from collections.abc import Awaitable, Callable
from typing import Literal

from typing_extensions import TypedDict

from tool_core import BoundToolkit, Tool, ToolCallPart, Toolkit

TEXT = '{"location": "Oslo", "units": "celsius"}'
PARAMS = json.loads(TEXT)


class GetWeather(TypedDict):
    location: str
    units: Literal["celsius", "fahrenheit"]


class Weather(TypedDict):
    temperature: float
    place: str


def weather(params: GetWeather) -> Weather:
    return {"temperature": 3.5, "place": params["location"]}


async def weather_async(params: GetWeather) -> Weather:
    return {"temperature": 3.5, "place": params["location"]}


def toolkit(size: int) -> BoundToolkit:
    """Bind a toolkit of which only the first two tools are called."""
    names = ["Sync", "Async", *(f"Other{number}" for number in range(size - 2))]
    kit = Toolkit.make(*(Tool.make(name, parameters=GetWeather, success=Weather) for name in names))
    return kit.bind({name: weather_async if name == "Async" else weather for name in names})


def floor_sync() -> str:
    return json.dumps(weather(json.loads(TEXT)))


async def floor_async() -> str:
    return json.dumps(await weather_async(json.loads(TEXT)))


def compare(ours: Callable[[], float], floor: Callable[[], float], rounds: int = 21) -> float:
    """Return the median over rounds of ours / floor, measured back to back."""
    ours(), floor()
    return statistics.median(ours() / floor() for _ in range(rounds))


def timed(action: Callable[[], object], count: int) -> Callable[[], float]:
    def run() -> float:
        started = time.perf_counter()
        for _ in range(count):
            action()
        return time.perf_counter() - started

    return run


def timed_async(action: Callable[[], Awaitable[object]], count: int) -> Callable[[], float]:
    async def run() -> float:
        started = time.perf_counter()
        for _ in range(count):
            await action()
        return time.perf_counter() - started

    return lambda: LOOP.run_until_complete(run())


def seconds(action: Callable[[], Awaitable[object]]) -> Callable[[], float]:
    async def run() -> float:
        started = time.perf_counter()
        await action()
        return time.perf_counter() - started

    return lambda: LOOP.run_until_complete(run())


LOOP = asyncio.new_event_loop()


def turn(count: int) -> list[ToolCallPart]:
    return [
        {"type": "tool-call", "id": str(number), "name": "Async", "params": PARAMS} for number in range(count)
    ]


async def one_by_one(bound: BoundToolkit, count: int) -> None:
    for _ in range(count):
        await bound.call("Async", PARAMS)


def main() -> None:
    bound, large = toolkit(10), toolkit(10_000)
    calls, few = turn(10_000), turn(1_000)
    rows = [
        ("sync handler, call_json_sync", 1.5,
         compare(timed(lambda: bound.call_json_sync("Sync", TEXT), 2000), timed(floor_sync, 2000))),
        ("async handler, call_json", 1.8,
         compare(timed_async(lambda: bound.call_json("Async", TEXT), 2000), timed_async(floor_async, 2000))),
        ("sync handler, call_json, in a thread", 1.2,
         compare(timed_async(lambda: bound.call_json("Sync", TEXT), 500),
                 timed_async(lambda: asyncio.to_thread(floor_sync), 500))),
        ("resolve 10,000 calls / the sum of its calls", 1.5,
         compare(seconds(lambda: bound.resolve(calls)), seconds(lambda: one_by_one(bound, 10_000)), 5)),
        ("resolve: cost a call, 10,000 / 1,000 calls", 1.2,
         compare(seconds(lambda: bound.resolve(calls)), seconds(lambda: bound.resolve(few)), 5) / 10),
        ("10,000 tools / 10 tools, call_json_sync", 1.1,
         compare(timed(lambda: large.call_json_sync("Sync", TEXT), 2000),
                 timed(lambda: bound.call_json_sync("Sync", TEXT), 2000))),
    ]  # fmt: skip
    print(f"{'dispatch':46} {'x floor':>8} {'target':>7}")
    for name, target, ratio in rows:
        print(f"{name:46} {ratio:8.2f} {target:7.1f}  {'ok' if ratio <= target else 'MISSED'}")


if __name__ == "__main__":
    main()
