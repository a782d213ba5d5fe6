"""The README and the guides: their snippets, their files, and the commands that they show."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
PAGES = [README, *sorted((ROOT / "docs").glob("*.md"))]
_FENCE = r"^```{}\n(.*?)^```"


def snippets(page: Path, kind: str = "python") -> list[str]:
    """Find the blocks of a kind: `python` is run, `python theirs` is another library's."""
    return re.findall(_FENCE.format(kind), page.read_text(), re.DOTALL | re.MULTILINE)


def write_files(page: Path, folder: Path) -> None:
    """Write the files that a page tells its reader to write."""
    titled = re.findall(r"^```\w+ (\S+\.\w+)\n(.*?)^```", page.read_text(), re.DOTALL | re.MULTILINE)
    for name, text in titled:
        (folder / name).write_text(text)


def commands(page: Path) -> list[tuple[str, str]]:
    """Find the commands of a page, in order, each with what the page says it prints."""
    found: list[tuple[str, str]] = []
    for block in snippets(page, "console"):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line[2:], ""))
            else:
                found[-1] = (found[-1][0], f"{found[-1][1]}{line}\n")
    return found


def prints(command: str, folder: Path, programs: Path | None = None) -> str:
    """Run a command as a reader would, with the programs of an environment first in the path."""
    first = programs or Path(sys.executable).parent
    inherited = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "PYTHONPATH")}
    done = subprocess.run(
        command,
        shell=True,
        cwd=folder,
        env={**inherited, "PATH": f"{first}{os.pathsep}{os.environ['PATH']}"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
    )
    return done.stdout


def fits(shown: str, told: str) -> bool:
    """Compare an output with a page, where a line of three dots stands for any lines."""
    pattern = "".join("(?:.*\n)*?" if line == "..." else re.escape(f"{line}\n") for line in told.splitlines())
    return re.fullmatch(pattern, shown) is not None
