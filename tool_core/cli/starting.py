"""`tool-core init`: a small project that type-checks, to start from. Edge."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Annotated

import typer

from tool_core.cli.complaints import complaint
from tool_core.cli.printing import warn

_FILES = ("pyproject.toml", "tools.py", "test_tools.py")


def init(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Made where it is not there.")] = Path("."),
) -> int:
    """Write a starter project: two tools, their handlers, a test, and mypy with the plugin."""
    if present := [name for name in _FILES if (folder / name).exists()]:
        raise complaint(f"{folder / present[0]} is there already", "choose another folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in _FILES:
            text = (files("tool_core.cli") / "starter" / f"{name}.txt").read_text(encoding="utf-8")
            (folder / name).write_text(text, encoding="utf-8")
    except OSError as error:
        raise complaint(f"{str(folder)!r} cannot be written", error.strerror or str(error)) from error
    warn(f"wrote {', '.join(_FILES)}; next: tool-core check {folder / 'tools.py'}")
    return 0
