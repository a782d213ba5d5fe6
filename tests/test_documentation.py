"""The README, the guides and the examples say what happens when they are run."""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import io
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.pages import PAGES, README, ROOT, commands, fits, prints, snippets, write_files
from tool_core import ToolParameterValidationError

PEERS = ROOT / "docs" / "coming-from-the-peers.md"


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
    for code in snippets(page):
        shown = io.StringIO()
        with contextlib.redirect_stdout(shown):
            exec(compile(code, str(page), "exec"), names)
        assert shown.getvalue().strip() == promised(code)


@pytest.mark.parametrize("page", [page for page in PAGES if commands(page)], ids=lambda page: page.name)
def test_every_command_prints_what_the_page_says(page: Path, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    write_files(page, tmp_path)
    for command, told in commands(page):
        if not command.startswith(("pip ", "make ")):
            shown = prints(command, tmp_path)
            assert fits(shown, told), f"$ {command}\n{shown}"


@pytest.mark.parametrize("peer", ["pydantic_ai", "openai_agents", "langchain", "fastmcp"])
def test_the_peers_side_of_the_comparison_runs(peer: str) -> None:
    codes = dict(
        zip(
            ["pydantic_ai", "openai_agents", "langchain", "fastmcp"],
            snippets(PEERS, "python theirs"),
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


def test_the_readme_claims_what_was_measured() -> None:
    results = json.loads((ROOT / "benchmarks" / "results.json").read_text())
    names = ["ours", "pydantic_ai", "openai_agents", "langchain", "fastmcp"]

    def figures(start: str) -> list[str]:
        (row,) = [line for line in README.read_text().splitlines() if line.startswith(f"| {start}")]
        return [cell.strip() for cell in row.split("|")[2:7]]

    def good(dialect: str) -> dict[str, float]:
        rows = results["strict"]["mcp-tools"]["rows"]
        return {row["converter"]: row["good"] for row in rows if row["dialect"] == dialect}

    measured: dict[str, dict[str, float]] = {
        "of 20 mistakes": {name: len(results["static"][name][name]["mypy"]) for name in names},
        "one async call": {name: results["dispatch"][name]["async"] for name in names},
        "published MCP tools, strict on OpenAI": good("openai"),
        "the same on Google": good("google"),
        "import": {name: results["import"][name]["x pydantic"] for name in names},
        "memory of a defined tool": {name: results["memory"][name]["defined"] / 1000 for name in names},
    }
    for start, found in measured.items():
        for name, claimed in zip(names, figures(start), strict=True):
            assert (claimed == "-") is (name not in found)
            if name in found:
                assert float(claimed.removesuffix(" %")) == pytest.approx(found[name], rel=0.15)
    refuses = [results["dynamic"][name]["refuses wrong arguments"] for name in names]
    assert figures("a raw JSON Schema") == ["yes" if item else "no" for item in refuses]
