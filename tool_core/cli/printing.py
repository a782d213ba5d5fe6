"""JSON for programs, on standard output. Edge."""

from __future__ import annotations

import json
import sys


def print_json(value: object) -> None:
    """Print a document; other than ASCII is escaped, so that no text of a stranger reaches the terminal."""
    sys.stdout.write(json.dumps(value, indent=2) + "\n")
