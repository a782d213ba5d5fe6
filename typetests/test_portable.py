"""The portable type tests hold in both checkers, and the negative ones really are errors."""

from __future__ import annotations

import re
from pathlib import Path

from typetests.checkers import ROOT, WITHOUT_PLUGIN, errors, mypy, pyright

FILES = sorted((ROOT / "typetests" / "portable").glob("*.py"))
_IGNORE = re.compile(r"  # (type|pyright): ignore\[[^\]]*\]")


def test_mypy_agrees_with_the_assertions() -> None:
    assert errors(mypy(FILES, config=WITHOUT_PLUGIN)) == []


def test_pyright_agrees_with_the_assertions() -> None:
    assert pyright(FILES) == []


def test_without_the_ignore_comments_every_negative_case_is_an_error(tmp_path: Path) -> None:
    """An `assert_type` that checks nothing, or an ignore on a correct line, would be found here."""
    expected = set()
    for path in FILES:
        lines = path.read_text().splitlines()
        expected |= {(path.name, number) for number, line in enumerate(lines, 1) if "# type: ignore" in line}
        (tmp_path / path.name).write_text("\n".join(_IGNORE.sub("", line) for line in lines))
    said = errors(mypy([path.name for path in FILES], config=WITHOUT_PLUGIN, cwd=tmp_path))
    assert {(line.split(":")[0], int(line.split(":")[1])) for line in said} == expected
    assert len(expected) >= 20
