"""JSON for programs on standard output, and lines for people on standard error. Edge."""

from __future__ import annotations

import json
import sys

from tool_core.cli.texts import fit


def print_json(value: object) -> None:
    """Print a document; other than ASCII is escaped, so that no text of a stranger reaches the terminal."""
    sys.stdout.write(json.dumps(value, indent=2) + "\n")


def warn(message: str) -> None:
    """Say something on standard error, in one line."""
    sys.stderr.write(f"tool-core: {fit(message)}\n")
