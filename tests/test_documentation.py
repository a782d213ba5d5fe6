"""The README, the guides and the examples say what happens when they are run."""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import io
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tool_core import ToolParameterValidationError

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
PEERS = ROOT / "docs" / "coming-from-the-peers.md"
_BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)
_FILE = re.compile(r"^```python (\S+\.py)\n(.*?)^```", re.DOTALL | re.MULTILINE)
_THEIRS = re.compile(r"^```python theirs\n(.*?)^```", re.DOTALL | re.MULTILINE)
_CONSOLE = re.compile(r"^```console\n(.*?)^```", re.DOTALL | re.MULTILINE)


def promised(code: str) -> str:
    """Collect the comments that say what a block prints."""
    lines = [line.removeprefix("# ") for line in code.splitlines() if re.match(r"# \S", line)]
    return "\n".join(lines)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_snippet_runs_and_prints_what_the_page_says(page: Path) -> None:
    names: dict[str, Any] = {"__name__": f"snippets_{page.stem}"}
    sys.modules[names["__name__"]] = type(sys)(names["__name__"])
    sys.modules[names["__name__"]].__dict__.update(names)
    names = sys.modules[names["__name__"]].__dict__
    for code in _BLOCK.findall(page.read_text()):
        shown = io.StringIO()
        with contextlib.redirect_stdout(shown):
            exec(compile(code, str(page), "exec"), names)
        assert shown.getvalue().strip() == promised(code)


def console_blocks(page: Path) -> list[list[tuple[str, str]]]:
    """Find the commands of a page and what the page says they print, block by block."""
    blocks = []
    for text in _CONSOLE.findall(page.read_text()):
        commands: list[tuple[str, str]] = []
        for line in text.splitlines():
            if line.startswith("$ "):
                commands.append((line[2:], ""))
            else:
                commands[-1] = (commands[-1][0], f"{commands[-1][1]}{line}\n")
        blocks.append(commands)
    return blocks


def prints(command: str, folder: Path) -> str:
    """Run a command as a reader would; the line that pip would need is already true."""
    places = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {key: value for key, value in os.environ.items() if key != "COLUMNS"}
    done = subprocess.run(
        command,
        shell=True,
        cwd=folder,
        env={**environment, "PATH": places},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
    )
    return done.stdout


def fits(shown: str, told: str) -> bool:
    """Compare an output with a page, where a line of three dots stands for any lines."""
    pattern = "".join("(?:.*\n)*?" if line == "..." else re.escape(f"{line}\n") for line in told.splitlines())
    return re.fullmatch(pattern, shown) is not None


@pytest.mark.parametrize("page", [page for page in PAGES if console_blocks(page)], ids=lambda page: page.name)
def test_every_command_prints_what_the_page_says(page: Path, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    for title, code in _FILE.findall(page.read_text()):
        (tmp_path / title).write_text(code)
    for command, told in (item for block in console_blocks(page) for item in block):
        if not command.startswith(("pip ", "make ")):
            shown = prints(command, tmp_path)
            assert fits(shown, told), f"$ {command}\n{shown}"


@pytest.mark.parametrize("peer", ["pydantic_ai", "openai_agents", "langchain", "fastmcp"])
def test_the_peers_side_of_the_comparison_runs(peer: str) -> None:
    codes = dict(
        zip(
            ["pydantic_ai", "openai_agents", "langchain", "fastmcp"],
            _THEIRS.findall(PEERS.read_text()),
            strict=True,
        )
    )
    python = ROOT / os.environ.get("PEERS", ".venv-peers") / peer / "bin" / "python"
    if not python.exists():
        pytest.skip(f"{peer} is not installed beside: make peers does that")
    code = codes[peer].replace("mcp.run()", "import asyncio; asyncio.run(main())")
    subprocess.run([str(python), "-c", code], check=True, capture_output=True, timeout=120)


def loaded(example: str) -> Any:
    """Import an example as a module, so that its annotations can be resolved."""
    spec = importlib.util.spec_from_file_location(f"example_{example}", ROOT / "examples" / f"{example}.py")
    assert spec is not None and spec.loader is not None
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("example", sorted((ROOT / "examples").glob("*.py")), ids=lambda path: path.stem)
def test_every_example_runs(example: Path) -> None:
    shown = subprocess.run([sys.executable, str(example)], check=True, capture_output=True, text=True)
    assert shown.stdout.strip()
    assert "Traceback" not in shown.stderr


def test_the_weather_example_answers_every_call() -> None:
    weather = loaded("weather")
    parts = asyncio.run(weather.bound.resolve(weather.turn()))
    assert [part["is_failure"] for part in parts] == [False, False, True, True, True, True]
    assert "/dev" not in str(parts)


def test_a_strangers_schema_checks_like_our_own() -> None:
    bound = loaded("msgspec_schema").bound
    assert bound.call_json_sync("Measure", '{"x": 3, "y": -4}').result == 7
    with pytest.raises(ToolParameterValidationError):
        bound.call_json_sync("Measure", '{"x": "3"}')
