"""What checkers cost and what they see: mypy on a bare import, and mistakes in each library's own code.

In `mistakes/` a section begins with `# M01` and its mistake with `# wrong`. A checker sees a mistake where it
complains there, and not about the right code above it.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from environments import HERE, WITH_TOOLS, cpu_seconds, is_there, measured, python_of

BIN = Path(sys.executable).parent
MISTAKES = 20
FILES = {"ours": ["ours", "ours_portable"]}
_PLUGIN = "[mypy]\nstrict = true\nplugins = tool_core.mypy\n"


def measure() -> dict[str, Any]:
    return {name: _library(name) for name in WITH_TOOLS if is_there(name)}


def _library(name: str) -> dict[str, Any]:
    statement = measured(name, "versions")["statement"]
    with tempfile.TemporaryDirectory() as folder:
        found: dict[str, Any] = {"mypy, CPU seconds": _cold(name, statement, folder)}
        for file in FILES.get(name, [name]):
            sections = _sections((HERE / "mistakes" / f"{file}.py").read_text())
            seen = {"mypy": _mypy(name, file, folder), "pyright": _pyright(name, file)}
            found[file] = {
                "mistakes": len(sections),
                **{checker: _caught(sections, lines) for checker, lines in seen.items()},
            }
    print(f"  {name}: {found}", file=sys.stderr, flush=True)
    return found


def _cold(name: str, statement: str, folder: str) -> float:
    """Check a file that only imports the library, with an empty cache, which the other checks then use."""
    (Path(folder) / "bare.py").write_text(statement + "\n")
    return cpu_seconds([*_mypy_command(name, folder), "bare.py"], cwd=folder)


def _mypy_command(name: str, folder: str) -> list[str]:
    config = Path(folder) / "mypy.ini"
    config.write_text(_PLUGIN if name == "ours" else "[mypy]\nstrict = true\n")
    options = ["--config-file", str(config), "--cache-dir", f"{folder}/cache", "--no-error-summary"]
    return [str(BIN / "mypy"), *options, "--python-executable", str(Path(python_of(name)).absolute())]


def _mypy(name: str, file: str, folder: str) -> list[int]:
    target = Path(folder) / "mistaken.py"
    target.write_text((HERE / "mistakes" / f"{file}.py").read_text())
    command = [*_mypy_command(name, folder), target.name]
    shown = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    return [int(line) for line in re.findall(r"^mistaken\.py:(\d+): error", shown.stdout, re.MULTILINE)]


def _pyright(name: str, file: str) -> list[int]:
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "mistaken.py"
        target.write_text((HERE / "mistakes" / f"{file}.py").read_text())
        python = str(Path(python_of(name)).absolute())
        shown = subprocess.run(
            [str(BIN / "pyright"), "--pythonpath", python, "--outputjson", str(target)],
            capture_output=True,
            text=True,
            cwd=folder,
        )
    items = json.loads(shown.stdout)["generalDiagnostics"]
    return [item["range"]["start"]["line"] + 1 for item in items if item["severity"] == "error"]


def _sections(text: str) -> dict[str, tuple[range, range]]:
    """Map each mistake to the lines of its right and of its wrong code."""
    lines = text.splitlines()
    starts = [(number, line[2:]) for number, line in enumerate(lines, 1) if re.match(r"# M\d\d$", line)]
    found = {}
    for (start, name), (end, _) in zip(starts, [*starts[1:], (len(lines) + 1, "")], strict=True):
        wrong = next(number for number in range(start, end) if lines[number - 1] == "# wrong")
        found[name] = (range(start, wrong), range(wrong, end))
    return found


def _caught(sections: dict[str, tuple[range, range]], lines: list[int]) -> list[str]:
    return [
        name
        for name, (right, wrong) in sections.items()
        if any(line in wrong for line in lines) and not any(line in right for line in lines)
    ]
