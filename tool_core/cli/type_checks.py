"""mypy with the plugin over a Python target: do the handlers fit their tools? Edge."""

from __future__ import annotations

import configparser
import json
import os
import subprocess
import sys
import tempfile
import tomllib
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

_CONFIGURATIONS = ("mypy.ini", ".mypy.ini", "pyproject.toml", "setup.cfg")  # in mypy's own order
_PLUGIN = "tool_core.mypy"
_OWN = f"[mypy]\nplugins = {_PLUGIN}\nfollow_imports = silent\ncheck_untyped_defs = True\n"


@dataclass(frozen=True, slots=True)
class TypeProblem:
    """What mypy says about one place."""

    file: str
    line: int
    column: int
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class TypeCheck:
    """What mypy found, or why it was not asked."""

    problems: tuple[TypeProblem, ...] = ()
    skipped: str | None = None


@dataclass(frozen=True, slots=True)
class RunningCheck:
    """mypy at work; `finished` waits for it."""

    process: subprocess.Popen[str]
    folder: tempfile.TemporaryDirectory[str]

    def finished(self, timeout: float | None = None) -> TypeCheck:
        """Wait for mypy and read what it says; after a timeout this may be asked again."""
        shown, complaints = self.process.communicate(timeout=timeout)
        self.folder.cleanup()
        if self.process.returncode not in (0, 1):
            told = (complaints.strip() or shown.strip()).splitlines() or ["it says nothing"]
            return TypeCheck(skipped=f"mypy could not run: {told[-1]}")
        return TypeCheck(tuple(problems_in(shown)))


def start_type_check(source: Path) -> RunningCheck | TypeCheck:
    """Start mypy on a file, with the project's configuration if that names the plugin, else with ours."""
    if find_spec("mypy") is None:
        return TypeCheck(skipped="mypy is not installed: pip install 'tool-core[mypy]'")
    folder = tempfile.TemporaryDirectory(prefix="tool-core-")
    own = Path(folder.name) / "mypy.ini"
    own.write_text(_OWN)
    configuration = _project_configuration()
    cache = [] if configuration else ["--cache-dir", str(_cache())]
    command = [
        sys.executable, "-m", "mypy", "--config-file", str(configuration or own), *cache,
        "--output", "json", "--no-error-summary", "--no-color-output", str(source),
    ]  # fmt: skip
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "MYPYPATH": _search_path(source)},
    )
    return RunningCheck(process, folder)


def problems_in(output: str) -> list[TypeProblem]:
    """Read mypy's JSON lines; notes are joined to the error before them.

    >>> problems_in('{"file": "a.py", "line": 3, "column": 1, "message": "No", "hint": null, '
    ...             '"code": "arg-type", "severity": "error"}')
    [TypeProblem(file='a.py', line=3, column=1, code='arg-type', message='No')]
    """
    found: list[TypeProblem] = []
    for line in output.splitlines():
        if not line.startswith("{"):
            continue
        item = json.loads(line)
        if item["severity"] != "error":
            continue
        message = item["message"] + (f"\n{item['hint']}" if item.get("hint") else "")
        found.append(TypeProblem(item["file"], item["line"], item["column"], item["code"] or "", message))
    return found


def _project_configuration() -> Path | None:
    """Find the configuration that mypy would read here, if it names the plugin."""
    for name in _CONFIGURATIONS:
        path = Path(name)
        if path.is_file() and (plugins := _plugins_in(path)) is not None:
            return path if _PLUGIN in plugins else None
    return None


def _plugins_in(path: Path) -> str | None:
    """Read the plugins of a configuration; None where it says nothing of mypy or cannot be read."""
    text = path.read_text(encoding="utf-8", errors="replace")
    try:
        if path.suffix == ".toml":
            section = tomllib.loads(text).get("tool", {}).get("mypy")
            return None if section is None else str(section.get("plugins", ""))
        parser = configparser.ConfigParser(interpolation=None)
        parser.read_string(text)
        return parser.get("mypy", "plugins", fallback="") if parser.has_section("mypy") else None
    except (tomllib.TOMLDecodeError, configparser.Error, AttributeError):
        return None


def _search_path(source: Path) -> str:
    """Let mypy find the file's neighbours, as importing it does."""
    root = source.resolve().parent
    while (root / "__init__.py").is_file():
        root = root.parent
    return os.pathsep.join(filter(None, [str(root), os.environ.get("MYPYPATH")]))


def _cache() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "tool-core" / "mypy"
