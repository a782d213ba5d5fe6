"""Running type checkers on files of a test, with and without the plugin."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
WITH_PLUGIN = ROOT / "typetests" / "plugin.ini"
WITHOUT_PLUGIN = ROOT / "typetests" / "portable.ini"


def mypy(
    files: Sequence[Path | str],
    *options: str,
    config: Path = WITH_PLUGIN,
    cwd: Path = ROOT,
    path: Sequence[Path] = (),
    module: str = "mypy",
) -> list[str]:
    """Run mypy and return what it says, line by line; `path` comes first on the import path."""
    command = [sys.executable, "-m", module, *options, "--config-file", str(config), *map(str, files)]
    search = os.pathsep.join([*map(str, path), os.environ.get("PYTHONPATH", "")]).strip(os.pathsep)
    environment = {**os.environ, "PYTHONPATH": search}
    shown = subprocess.run(command, capture_output=True, text=True, cwd=cwd, env=environment)
    assert shown.returncode in (0, 1), shown.stdout + shown.stderr
    return [line for line in (shown.stdout + shown.stderr).splitlines() if ": " in line]


def errors(lines: Sequence[str]) -> list[str]:
    """Keep the errors of what a checker says."""
    return [line for line in lines if ": error:" in line]


def pyright(files: Sequence[Path], cwd: Path = ROOT) -> list[dict[str, object]]:
    """Run pyright and return its errors: file, line (from 1), rule and message."""
    command = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable]
    shown = subprocess.run([*command, *map(str, files)], capture_output=True, text=True, cwd=cwd)
    return [
        {
            "file": item["file"],
            "line": item["range"]["start"]["line"] + 1,
            "rule": item.get("rule", ""),
            "message": item["message"],
        }
        for item in json.loads(shown.stdout)["generalDiagnostics"]
        if item["severity"] == "error"
    ]
