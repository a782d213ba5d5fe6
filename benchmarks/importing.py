"""What `import tool_core` costs, as a multiple of `import pydantic`, in interleaved fresh processes."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time


def seconds(statement: str) -> float:
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", statement], check=True)
    return time.perf_counter() - started


def main() -> None:
    empty, ours, theirs = [], [], []
    for _ in range(15):
        empty.append(seconds("pass"))
        ours.append(seconds("import tool_core"))
        theirs.append(seconds("from pydantic import BaseModel, TypeAdapter"))
    base = statistics.median(empty)
    mine, pydantic = statistics.median(ours) - base, statistics.median(theirs) - base
    limit = 1.2 * pydantic + 0.020
    print(f"tool_core {mine * 1000:.0f} ms, pydantic {pydantic * 1000:.0f} ms: {mine / pydantic:.2f} x")
    print(f"target: at most 1.2 x + 20 ms = {limit * 1000:.0f} ms  {'ok' if mine <= limit else 'MISSED'}")


if __name__ == "__main__":
    main()
