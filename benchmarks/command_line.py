"""What `tool-core check` and `report` cost for 200 real tools and three providers, in CPU time, mypy apart.

python benchmarks/command_line.py
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from environments import cpu_seconds

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.strict.laws import CORPORA

TOOLS = 200
ROUNDS = 3
COMMANDS = {
    "check": ["check", "--no-types"],
    "report": ["report", "-o", "/dev/null"],
    "start": ["--version"],
}


def measure() -> dict[str, Any] | None:
    """Return the seconds of CPU of each command, the best of a few; None without the corpora."""
    if not CORPORA.exists():
        return None
    lines = (CORPORA / "mcp-tools.jsonl").read_text().splitlines()
    tools = {tool["name"]: tool for tool in (json.loads(line)["tool"] for line in lines)}
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "tools.json"
        target.write_text(json.dumps({"tools": list(tools.values())[:TOOLS]}))
        program = [sys.executable, "-m", "tool_core"]
        return {
            name: min(
                cpu_seconds([*program, *words, *([] if name == "start" else [str(target)])])
                for _ in range(ROUNDS)
            )
            for name, words in COMMANDS.items()
        }


if __name__ == "__main__":
    found = measure()
    if found is None:
        print("the corpora are not beside this repository")
    else:
        for name, seconds in found.items():
            print(f"{name}: {seconds:.2f} s of CPU" + ("" if name == "start" else f" for {TOOLS} tools"))
