"""The real program in a process of its own: piped, or in a terminal of a given width."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROGRAM = Path(sys.executable).with_name("tool-core")
GOLDEN = Path(__file__).parent / "golden"
_STYLE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


@dataclass(frozen=True, slots=True)
class Shown:
    code: int
    output: str
    errors: str = ""

    @property
    def plain(self) -> str:
        """What a person sees: no styles, and no blanks at the ends of lines."""
        lines = _STYLE.sub("", self.output).replace("\r\n", "\n").split("\n")
        return "\n".join(line.rstrip(" ") for line in lines)


def run(
    *arguments: str, given: str = "", cwd: Path = ROOT, environment: dict[str, str] | None = None
) -> Shown:
    """Run the program with its output piped."""
    done = subprocess.run(
        [str(PROGRAM), *arguments],
        input=given,
        cwd=cwd,
        env=_environment(environment),
        capture_output=True,
        text=True,
        timeout=120,
    )
    return Shown(done.returncode, done.stdout, done.stderr)


def run_in_terminal(
    *arguments: str, columns: int, answers: str = "", environment: dict[str, str] | None = None
) -> Shown:
    """Run the program in a terminal; `answers` are typed once it has asked something."""
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    process = subprocess.Popen(
        [str(PROGRAM), *arguments],
        stdin=follower,
        stdout=follower,
        stderr=follower,
        cwd=ROOT,
        env=_environment({"TERM": "xterm-256color", **(environment or {})}),
    )
    os.close(follower)
    shown, deadline = b"", time.monotonic() + 120
    while time.monotonic() < deadline:
        ready, _, _ = select.select([leader], [], [], 0.2)
        try:
            read = os.read(leader, 65536) if ready else b""
        except OSError:  # the other end is closed
            break
        shown += read
        if answers and shown.rstrip().endswith(b":"):
            os.write(leader, answers.encode())
            answers = ""
        if not ready and process.poll() is not None:
            break
    os.close(leader)
    return Shown(process.wait(10), shown.decode())


def matches_golden(name: str, text: str) -> bool:
    """Compare with a stored copy; `UPDATE_GOLDEN=1` stores what came instead."""
    path = GOLDEN / name
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(text)
    assert text == path.read_text()
    return True


def _environment(more: dict[str, str] | None) -> dict[str, str]:
    kept = {
        key: value for key, value in os.environ.items() if key not in ("COLUMNS", "NO_COLOR", "FORCE_COLOR")
    }
    return {**kept, **(more or {})}
