"""`tool-core init`: what it writes works at once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.cli.programs import run


def test_the_starter_type_checks_passes_its_tests_and_is_clean(tmp_path: Path) -> None:
    shown = run("init", "shop", cwd=tmp_path)
    assert shown.code == 0
    assert shown.errors == (
        "tool-core: wrote pyproject.toml, tools.py, test_tools.py; next: tool-core check shop/tools.py\n"
    )
    folder = tmp_path / "shop"
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "."], cwd=folder, capture_output=True, text=True, check=False
    )
    assert checked.stdout == "Success: no issues found in 2 source files\n"
    tested = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "2 passed" in tested.stdout
    found = run("check", "tools.py", cwd=folder)
    assert found.code == 0
    assert "Handlers: mypy with the plugin finds nothing wrong" in found.output


def test_a_wrong_handler_in_the_starter_is_found(tmp_path: Path) -> None:
    run("init", cwd=tmp_path)
    tools = tmp_path / "tools.py"
    tools.write_text(
        tools.read_text()
        .replace("async def mail(params: SendMail) -> str:", "async def mail(params: SendMail) -> int:")
        .replace("return f\"sent to {len(params['to'])}\"", "return len(params['to'])")
    )
    shown = run("check", "tools.py", cwd=tmp_path)
    assert shown.code == 1
    assert "SendMail: the handler returns int, but the tool declares str" in shown.output
    assert "Handlers: mypy with the plugin finds 1 problem" in shown.output


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "tools.py").write_text("mine\n")
    shown = run("init", cwd=tmp_path)
    assert (shown.code, shown.errors) == (
        2,
        "tool-core: tools.py is there already: choose another folder\n",
    )
    assert (tmp_path / "tools.py").read_text() == "mine\n"
