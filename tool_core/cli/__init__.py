"""The command line, `tool-core`: what every provider makes of your tools. Edge; the extra `cli`."""

from __future__ import annotations

import sys

_NEEDED = ("rich", "typer")


def main() -> None:
    """Run the program; without the extra, say in one line what to install."""
    from importlib.util import find_spec

    if missing := [name for name in _NEEDED if find_spec(name) is None]:
        print(
            f"tool-core: the command line needs {' and '.join(missing)}: pip install 'tool-core[cli]'",
            file=sys.stderr,
        )
        raise SystemExit(2)
    from tool_core.cli.program import run

    raise SystemExit(run(sys.argv[1:]))
