"""Lock every recorded server: counts, time, and all modules through ruff, mypy and pyright, one run each.

python benchmarks/locking.py [FOLDER]    keeps the modules there; without it they are thrown away
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import time
from itertools import groupby
from pathlib import Path
from typing import Any

from environments import HERE

from tool_core.mcp import drift, fingerprint, lock

CORPUS = HERE.parents[1] / "shared" / "corpora" / "mcp-tools.jsonl"


def recorded() -> dict[str, list[dict[str, Any]]]:
    lines = [json.loads(line) for line in CORPUS.read_text().splitlines()]
    lines.sort(key=lambda line: line["server"])
    return {
        name: [line["tool"] for line in group] for name, group in groupby(lines, lambda line: line["server"])
    }


def locked(servers: dict[str, list[dict[str, Any]]]) -> list[str]:
    """Lock every server twice, the second time from a list in another order."""
    started = time.process_time()
    texts = [lock(tools, server=name) for name, tools in servers.items()]
    seconds = time.process_time() - started
    again = [lock(tools[::-1], server=name) for name, tools in servers.items()]
    tools = sum(map(len, servers.values()))
    same = sum(one == other for one, other in zip(texts, again, strict=True))
    print(f"{len(servers)} servers, {tools} tools: locked in {seconds:.1f} s of CPU", end=", ")
    print(
        f"{seconds / tools * 1e3:.2f} ms a tool; {same} of {len(texts)} are the same bytes when locked again"
    )
    everything = "\n".join(texts)
    classes = len(re.findall(r"^class |^\w+ = TypedDict\($", everything, re.MULTILINE))
    aliases = len(re.findall(r"^\w+: TypeAlias = ", everything, re.MULTILINE))
    print(
        f"{classes} TypedDicts, {aliases} aliases, {everything.count(chr(10))} lines, {len(everything)} bytes"
    )
    return texts


def loaded(folder: Path, servers: dict[str, list[dict[str, Any]]]) -> None:
    """Run every module and hold its tools against what the server sent."""
    equal = 0
    started = time.process_time()
    for path, tools in zip(sorted(folder.glob("server_*.py")), servers.values(), strict=True):
        module: dict[str, Any] = {"__name__": path.stem}
        exec(compile(path.read_text(encoding="utf-8"), path, "exec"), module)
        kit = module["TOOLKIT"]
        is_equal = fingerprint(kit) == module["FINGERPRINT"] == fingerprint(tools)
        equal += is_equal and not drift(kit, tools)
    seconds = time.process_time() - started
    print(f"run and compared in {seconds:.1f} s of CPU: {equal} of {len(servers)} have the same fingerprint")


def checked(folder: Path) -> None:
    (folder / "off.ini").write_text("[mypy]\nstrict = true\n")
    (folder / "on.ini").write_text("[mypy]\nstrict = true\nplugins = tool_core.mypy\n")
    (folder / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict", "pythonVersion": "3.11"}')
    mypy = ["mypy", "--no-incremental", "--cache-dir", str(folder / ".mypy_cache")]
    runs = {
        "ruff format": ["ruff", "format", "--isolated", "--line-length", "100", "--check", "."],
        "mypy strict": [*mypy, "--config-file", "off.ini", "."],
        "mypy strict, plugin on": [*mypy, "--config-file", "on.ini", "."],
        "pyright strict": ["pyright", "--pythonpath", sys.executable],
    }
    for name, command in runs.items():
        started = time.monotonic()
        shown = subprocess.run([sys.executable, "-m", *command], cwd=folder, capture_output=True, text=True)
        last = (shown.stdout or shown.stderr).strip().splitlines()[-1]
        print(f"{name}: {last} ({time.monotonic() - started:.0f} s)", flush=True)


def main() -> None:
    servers = recorded()
    texts = locked(servers)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(sys.argv[1] if len(sys.argv) > 1 else temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for number, text in enumerate(texts):
            (folder / f"server_{number:03}.py").write_text(text, encoding="utf-8")
        loaded(folder, servers)
        checked(folder)


if __name__ == "__main__":
    main()
