"""Measure all libraries in one run, or the named sections: tables in RESULTS.md, data in results.json.

python benchmarks/run.py [SECTION ...]
"""

from __future__ import annotations

import json
import os
import platform
import sys
import time
from collections.abc import Callable
from typing import Any

import command_line
import from_types
import importing
import scaling_out
import static_checking
import strict_conversion
import turns
import typecheck
import validating
from environments import HERE, WITH_TOOLS, is_there, measured
from results import TARGETS, page


def _each(measurement: str) -> Callable[[], dict[str, Any]]:
    """Measure every library that is installed, one process after the other."""
    return lambda: {name: measured(name, measurement) for name in WITH_TOOLS if is_there(name)}


SECTIONS: dict[str, Callable[[], Any]] = {
    "import": importing.measure,
    "dispatch": _each("dispatch"),
    "dynamic": _each("dynamic"),
    "definition": _each("definition"),
    "types": from_types.measure,
    "turns": turns.measure,
    "memory": _each("memory"),
    "scale": _each("scale"),
    "strict": strict_conversion.measure,
    "static": static_checking.measure,
    "plugin": typecheck.measure,
    "validation": validating.measure,
    "scale-out": scaling_out.measure,
    "command line": command_line.measure,
}


def main() -> None:
    data = HERE / "results.json"
    results = json.loads(data.read_text()) if data.exists() else {}
    chosen = sys.argv[1:] or list(SECTIONS)
    for name in chosen:
        started = time.monotonic()
        print(f"{name} ...", file=sys.stderr, flush=True)
        results[name] = SECTIONS[name]()
        print(f"{name}: {time.monotonic() - started:.0f} s", file=sys.stderr, flush=True)
        results["machine"] = {"python": platform.python_version(), "cores": os.cpu_count()}
        data.write_text(json.dumps(results, indent=1) + "\n")
    text = page(results)
    (HERE / "RESULTS.md").write_text(text)
    print(text)
    if missed := [target.name for target in TARGETS if target.is_missed(results)]:
        print("MISSED: " + "; ".join(missed), file=sys.stderr)


if __name__ == "__main__":
    main()
