"""`tool-core lock`: a server's tools as a module, written and checked."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.cli.programs import PROGRAM, ROOT, run

NOTES = ROOT / "tests" / "cli" / "lists" / "notes_server.json"
SERVER = f"{PROGRAM} serve {ROOT / 'examples' / 'weather.py'}"


def test_a_saved_list_is_locked_into_a_module_that_type_checks(tmp_path: Path) -> None:
    shown = run("lock", str(NOTES), "-o", "notes.py", cwd=tmp_path)
    assert (shown.code, shown.output, shown.errors) == (0, "", "tool-core: locked in notes.py\n")
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "notes.py"], cwd=tmp_path, capture_output=True, text=True
    )
    assert checked.stdout == "Success: no issues found in 1 source file\n"
    assert run("drift", "notes.py", str(NOTES), cwd=tmp_path).output == "no drift\n"


def test_the_module_goes_to_standard_output_without_a_file() -> None:
    assert run("lock", str(NOTES)).output.startswith('"""The tools of an MCP server, as it listed them.')


def test_a_live_server_is_locked_and_the_lock_is_checked(tmp_path: Path) -> None:
    assert run("lock", "--mcp", SERVER, "-o", "weather.py", cwd=tmp_path).code == 0
    text = (tmp_path / "weather.py").read_text()
    assert "The tools of the MCP server 'weather'" in text
    same = run("lock", "--mcp", SERVER, "-o", "weather.py", "--check", cwd=tmp_path)
    assert (same.code, same.errors) == (0, "")
    other = run("lock", str(NOTES), "-o", "weather.py", "--check", cwd=tmp_path)
    assert (other.code, other.errors) == (
        1,
        "tool-core: weather.py is not what is offered now: tool-core drift weather.py with the same target says why\n",
    )
    assert (tmp_path / "weather.py").read_text() == text


def test_only_a_lock_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("x = 1\n")
    shown = run("lock", str(NOTES), "-o", "mine.py", cwd=tmp_path)
    assert (shown.code, shown.errors) == (
        2,
        "tool-core: mine.py is there and is no lock: choose another file\n",
    )
    assert run("lock", str(NOTES), "-o", "/no/such/folder/x.py").errors == (
        "tool-core: '/no/such/folder/x.py' cannot be written: No such file or directory\n"
    )
    assert run("lock", str(NOTES), "--mcp", SERVER).code == 2
    assert run("lock", str(NOTES), "--check").errors == (
        "tool-core: there is no module to check: name it with --output\n"
    )
