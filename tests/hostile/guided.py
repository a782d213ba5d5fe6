"""Fuzz the laws of this folder guided by coverage: python -m tests.hostile.guided [SECONDS [LAW ...]].

Hypothesis draws its examples from bytes; atheris mutates those and keeps what reaches branches of
tool_core that nothing had reached before. Each law runs for so long in a process of its own.
"""

from __future__ import annotations

import importlib
import inspect
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

MODULES = ("test_texts", "test_schemas", "test_providers", "test_histories")
SECONDS = 60


def main(arguments: list[str]) -> int:
    """Run the named laws, or all, and say how far each came."""
    seconds = int(arguments[0]) if arguments else SECONDS
    wanted = arguments[1:] or [name for name, _ in _laws()]
    broken = [name for name in wanted if not _holds(name, seconds)]
    print(f"{len(wanted) - len(broken)} of {len(wanted)} laws held for {seconds} seconds each")
    return 1 if broken else 0


def _laws() -> Iterator[tuple[str, Callable[[bytes], object]]]:
    """List the laws that need nothing but examples, which is all but those with fixtures."""
    for module in MODULES:
        for name, test in vars(importlib.import_module(f"tests.hostile.{module}")).items():
            law: Any = getattr(test, "hypothesis", None)
            if law is not None and not inspect.signature(test).parameters:
                yield name, law.fuzz_one_input


def _holds(name: str, seconds: int) -> bool:
    command = [sys.executable, "-m", "tests.hostile.guided", "--law", name, str(seconds)]
    ended = subprocess.run(command, capture_output=True, text=True, errors="replace")
    tried = re.findall(r"#(\d+)\s+\w+\s+cov: (\d+)", ended.stderr)
    runs, branches = tried[-1] if tried else ("0", "0")
    print(f"{'holds ' if ended.returncode == 0 else 'BROKEN'} {name}: {runs} examples, {branches} branches")
    if ended.returncode:
        print(ended.stdout[-6000:] + ended.stderr[-6000:])
    return ended.returncode == 0


def _fuzz(name: str, seconds: str) -> None:
    atheris: Any = importlib.import_module("atheris")  # needs no place among the packages of development
    with atheris.instrument_imports(include=["tool_core"], enable_loader_override=False):
        law = dict(_laws())[name]
    atheris.Setup(["guided", f"-max_total_time={seconds}", "-max_len=8192", "-verbosity=1"], law)
    atheris.Fuzz()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--law"]:
        _fuzz(*sys.argv[2:])
    else:
        sys.exit(main(sys.argv[1:]))
