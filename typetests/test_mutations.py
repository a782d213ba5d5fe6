"""Realistic mistakes: each is found with the plugin; how many mypy alone and pyright find is printed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from typetests.checkers import ROOT, WITHOUT_PLUGIN, errors, mypy, pyright
from typetests.mutations import MUTATIONS, PROGRAM

Found = dict[str, set[int]]


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Found:
    """Which mutants each checker reports; -1 is the correct program."""
    folder = tmp_path_factory.mktemp("mutants")
    (folder / "mutant_x.py").write_text(PROGRAM)
    for number, (mistake, old, new) in enumerate(MUTATIONS):
        assert old in PROGRAM, mistake
        (folder / f"mutant_{number}.py").write_text(PROGRAM.replace(old, new))
    files = sorted(path.name for path in folder.glob("*.py"))
    return {
        "plugin": _reported(errors(mypy(files, cwd=folder))),
        "mypy": _reported(errors(mypy(files, config=WITHOUT_PLUGIN, cwd=folder))),
        "pyright": _reported(
            [str(item["file"]) for item in pyright([folder / name for name in files], folder)]
        ),
    }


def _reported(lines: list[str]) -> set[int]:
    names = [match[1] for line in lines if (match := re.search(r"mutant_(x|\d+)\.py", line))]
    return {-1 if name == "x" else int(name) for name in names}


def test_the_correct_program_is_correct_in_every_checker(found: Found) -> None:
    assert [checker for checker, numbers in found.items() if -1 in numbers] == []


@pytest.mark.parametrize("number", range(len(MUTATIONS)), ids=[item.mistake for item in MUTATIONS])
def test_the_plugin_finds_every_mistake(found: Found, number: int) -> None:
    assert number in found["plugin"]


def test_the_documentation_says_how_many_are_found(found: Found, capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        print(f"\n{'plugin':>6} {'mypy':>6} {'pyright':>8}  mistake")
        for number, item in enumerate(MUTATIONS):
            plugin, alone, right = ("x" if number in found[checker] else "-" for checker in found)
            print(f"{plugin:>6} {alone:>6} {right:>8}  {item.mistake}")
    counts = {checker: len(numbers - {-1}) for checker, numbers in found.items()}
    said = (
        f"Of {len(MUTATIONS)} realistic mistakes the plugin finds {counts['plugin']}, "
        f"mypy alone {counts['mypy']} and pyright {counts['pyright']}"
    )
    page = " ".join((ROOT / "docs" / "typing.md").read_text().split())
    assert said in page, said
    assert len(MUTATIONS) >= 40
    peers = [item.mistake for item in MUTATIONS if item.mistake.startswith("M")]
    assert len(peers) == 20


def test_every_mutant_still_parses(tmp_path: Path) -> None:
    """A mistake that no interpreter would read says nothing about types."""
    for mistake, old, new in MUTATIONS:
        compile(PROGRAM.replace(old, new), mistake, "exec")
