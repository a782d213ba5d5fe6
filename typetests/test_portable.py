"""The portable type tests hold in both checkers, and the negative ones really are errors."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FILES = sorted((ROOT / "typetests" / "portable").glob("*.py"))
_IGNORE = re.compile(r"  # (type|pyright): ignore\[[^\]]*\]")


def mypy(path: Path) -> list[str]:
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--no-incremental",
        "--hide-error-context",
        str(path),
    ]
    shown = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    return [line for line in shown.stdout.splitlines() if ": error:" in line]


def pyright(path: Path) -> list[str]:
    command = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable, str(path)]
    shown = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    found = json.loads(shown.stdout)["generalDiagnostics"]
    return [item["message"] for item in found if item["severity"] == "error"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_both_checkers_agree_with_the_assertions(path: Path) -> None:
    assert mypy(path) == []
    assert pyright(path) == []


def test_without_the_ignore_comments_every_negative_case_is_an_error(tmp_path: Path) -> None:
    """An `assert_type` that checks nothing, or an ignore on a correct line, would be found here."""
    negatives = 0
    for path in FILES:
        lines = path.read_text().splitlines()
        expected = {number for number, line in enumerate(lines, 1) if "# type: ignore" in line}
        bare = tmp_path / path.name
        bare.write_text("\n".join(_IGNORE.sub("", line) for line in lines))
        reported = {int(line.split(":")[1]) for line in mypy(bare)}
        assert reported == expected
        negatives += len(expected)
    assert negatives >= 20
