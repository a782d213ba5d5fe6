"""A newcomer's walk: the README alone, a fresh environment, and the wheel that would be published."""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path

import pytest

from tests.pages import README, ROOT, commands, fits, prints, write_files


def installed(folder: Path) -> Path:
    """Build the wheel, install it with the README's extras, and return where its programs are."""
    pip = [sys.executable, "-m", "pip"]
    built = subprocess.run(
        [*pip, "wheel", "-q", "--no-deps", "-w", str(folder), str(ROOT)], capture_output=True, text=True
    )
    wheels = list(folder.glob("*.whl"))
    if not wheels:
        pytest.skip(f"the wheel cannot be built here: {built.stderr.strip().splitlines()[-1:]}")
    venv.create(folder / "fresh", with_pip=False)
    programs = folder / "fresh" / "bin"
    (extras,) = [command for command, _ in commands(README) if command.startswith("pip install")]
    what = extras.removeprefix("pip install ").strip("'").replace(".", str(wheels[0]), 1)
    command = [*pip, "--python", str(programs / "python"), "install", "-q", what]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    return programs


def test_the_readme_alone_leads_from_the_wheel_to_a_locked_server(tmp_path: Path) -> None:
    programs = installed(tmp_path)
    folder = tmp_path / "walk"
    folder.mkdir()
    write_files(README, folder)
    walked = [item for item in commands(README) if not item[0].startswith(("pip ", "make "))]
    assert len(walked) == 9
    for command, told in walked:
        shown = prints(command, folder, programs)
        assert fits(shown, told), f"$ {command}\n{shown}"
