"""What an import costs, as a multiple of importing pydantic, in interleaved fresh processes, CPU time."""

from __future__ import annotations

from typing import Any

from environments import WITH_TOOLS, cpu_seconds, is_there, measured, python_of

PYDANTIC = "from pydantic import BaseModel, TypeAdapter"
ROUNDS = 5


def measure() -> dict[str, Any]:
    found = {}
    for name in filter(is_there, WITH_TOOLS):
        about = measured(name, "versions")
        python = python_of(name)
        statements = ["pass", about["statement"], PYDANTIC]
        times: list[list[float]] = [[], [], []]
        for _ in range(ROUNDS):
            for index, statement in enumerate(statements):
                times[index].append(cpu_seconds([python, "-c", statement]))
        empty, own, pydantic = (min(item) for item in times)
        found[name] = {**about, "x pydantic": (own - empty) / (pydantic - empty), "ms": (own - empty) * 1e3}
    return found
