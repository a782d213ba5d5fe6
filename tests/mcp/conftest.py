"""Published MCP servers, installed once for all test processes and kept for the next run."""

from __future__ import annotations

import fcntl
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

PYPI = ("mcp-server-time", "mcp-server-git", "mcp-server-fetch")
NPM = tuple(f"@modelcontextprotocol/server-{name}" for name in ("everything", "filesystem", "memory"))

_UNREACHABLE = re.compile(
    "No matching distribution|Could not find a version|Connection|timed out|ENOTFOUND|ECONNREFUSED|EAI_AGAIN|E404|ENETUNREACH"
)


@pytest.fixture(scope="session")
def from_pypi(request: pytest.FixtureRequest) -> Path:
    """Install the servers from PyPI into an environment of their own, and return its programs."""
    home = _home(request, "pypi")
    with _once(home):
        if not (home / "ready").exists():
            _run([sys.executable, "-m", "venv", "--clear", str(home / "venv")])
            _run([str(home / "venv/bin/python"), "-m", "pip", "install", "-q", *PYPI])
            (home / "ready").touch()
    return home / "venv/bin"


@pytest.fixture(scope="session")
def from_npm(request: pytest.FixtureRequest) -> Path:
    """Install the servers from npm, and return their programs."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("there is no Node here")
    home = _home(request, "npm")
    with _once(home):
        if not (home / "ready").exists():
            _run([npm, "install", "--no-audit", "--no-fund", "--silent", "--prefix", str(home), *NPM])
            (home / "ready").touch()
    return home / "node_modules/.bin"


def _home(request: pytest.FixtureRequest, registry: str) -> Path:
    home: Path = request.config.rootpath / ".pytest_cache" / f"mcp-servers-{registry}"
    home.mkdir(parents=True, exist_ok=True)
    return home


@contextmanager
def _once(home: Path) -> Iterator[None]:
    with (home / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _run(command: Sequence[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, timeout=500)
    if done.returncode and _UNREACHABLE.search(done.stdout + done.stderr):
        pytest.skip(f"the registry cannot be reached: {(done.stderr or done.stdout).strip()[-200:]}")
    assert done.returncode == 0, done.stderr
