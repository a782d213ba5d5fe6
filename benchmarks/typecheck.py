"""What the mypy plugin costs: cold checks of generated modules, plugin on against off, in one run.

CPU time of the checker's process, so that a busy machine does not blur the ratio; the two sides
take turns and each is the best of its rounds.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from itertools import pairwise
from pathlib import Path
from typing import Any

from environments import cpu_seconds

SIZES = (10, 100, 1000, 2000)
WORST = 1000
LIMIT = 1.15

HEAD = """
from __future__ import annotations
from typing import Literal, NotRequired
from typing_extensions import TypedDict
from tool_core import Context, Fail, HandlerContext, Tool, Toolkit

class Database: ...
class NotFound(TypedDict):
    code: int
"""

TYPED = """
class Params{n}(TypedDict):
    query: str
    units: Literal["metric", "imperial"]
    limit: NotRequired[int]

class Result{n}(TypedDict):
    items: list[str]
    total: int

tool_{n} = Tool.make(
    "Tool{n}", parameters=Params{n}, success=Result{n}, failure=NotFound, dependencies=[Database]
)

async def handle_{n}(
    params: Params{n}, ctx: HandlerContext[Result{n}, Database]
) -> Result{n} | Fail[NotFound]:
    if not params["query"]:
        return Fail(NotFound(code=404))
    return {{"items": [params["query"]], "total": params.get("limit", 1)}}
"""

DYNAMIC = """
tool_{n} = Tool.dynamic("Tool{n}", parameters={{
    "type": "object",
    "properties": {{
        "path": {{"type": "string"}},
        "depth": {{"type": ["integer", "null"]}},
        "tags": {{"type": "array", "items": {{"type": "string"}}}},
    }},
    "required": ["path"],
    "additionalProperties": False,
}})

def handle_{n}(params: object) -> object:
    return params
"""

CALL = """
async def call_{n}() -> None:
    print((await bound.call("Tool{n}", {{"query": "x", "units": "metric"}})).encoded_result)
"""


def module(count: int) -> str:
    """Write a module with many tools, a fifth of them dynamic, their handlers and some calls."""
    is_dynamic = [number % 5 == 4 for number in range(count)]
    tools = [(DYNAMIC if dynamic else TYPED).format(n=number) for number, dynamic in enumerate(is_dynamic)]
    listed = ", ".join(f"tool_{number}" for number in range(count))
    handlers = ", ".join(f'"Tool{number}": handle_{number}' for number in range(count))
    context = "Context().add(Database, Database())"
    kit = f"kit = Toolkit.make({listed})\nbound = kit.bind({{{handlers}}}, context={context})\n"
    calls = [CALL.format(n=number) for number in range(0, count, 10)]
    return "".join([HEAD, *tools, kit, *calls])


def command(folder: Path, count: int, plugin: bool, cache: str) -> list[str]:
    """Write the configuration of a side, and the command that checks the module of a size."""
    config = folder / f"{plugin}.ini"
    config.write_text(f"[mypy]\nstrict = true\n{'plugins = tool_core.mypy' if plugin else ''}\n")
    options = ["--config-file", str(config), "--cache-dir", cache]
    return [sys.executable, "-m", "mypy", *options, f"tools_{count}.py"]


def checked(folder: Path, count: int, plugin: bool) -> float:
    """Check the module of a size cold, and return the CPU time that it took."""
    with tempfile.TemporaryDirectory(dir=folder) as cache:
        return cpu_seconds(command(folder, count, plugin, cache), cwd=folder)


def measured(rounds: int) -> dict[tuple[int, bool], float]:
    """Take the best of several rounds for every size and side."""
    best: dict[tuple[int, bool], float] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for count in SIZES:
            (folder / f"tools_{count}.py").write_text(module(count))
        for plugin in (False, True):  # a module with errors would measure something else
            subprocess.run(command(folder, SIZES[0], plugin, "/dev/null"), cwd=folder, check=True)
        for _ in range(rounds):
            for count in SIZES:
                for plugin in (False, True):
                    taken = checked(folder, count, plugin)
                    best[count, plugin] = min(taken, best.get((count, plugin), taken))
    return best


def measure() -> list[dict[str, Any]]:
    """Measure every size, as rows for the results."""
    best = measured(rounds=3)
    return [{"tools": size, "off": best[size, False], "on": best[size, True]} for size in SIZES]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    best = measured(parser.parse_args().rounds)
    print(f"{'tools':>6} {'off, s':>8} {'on, s':>8} {'on/off':>7}")
    for count in SIZES:
        off, on = best[count, False], best[count, True]
        print(f"{count:>6} {off:>8.2f} {on:>8.2f} {on / off:>7.2f}")
    for plugin in (False, True):
        each = [(best[b, plugin] - best[a, plugin]) / (b - a) * 1e3 for a, b in pairwise(SIZES[1:])]
        shown = ", then ".join(f"{milliseconds:.2f} ms" for milliseconds in each)
        print(f"one more tool costs {shown} ({'with' if plugin else 'without'} the plugin)")
    ratio = best[WORST, True] / best[WORST, False]
    print(f"the plugin costs {ratio:.2f} times at {WORST} tools (limit {LIMIT})")


if __name__ == "__main__":
    main()
