"""What hostile input must never bring about: foreign errors, long work, the network, other files."""

from __future__ import annotations

import contextlib
import os
import resource
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

from hypothesis import HealthCheck, settings

from tool_core import ToolError

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "250"))
"""How many examples a law is tried on; `make fuzz` tries many more."""

_PATIENT = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
MANY = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=_PATIENT)
FEW = settings(MANY, max_examples=EXAMPLES // 4)

CPU_SECONDS = 5.0
"""What one example may take; real ones take milliseconds, a hang takes for ever."""

_WATCHED = {"socket.connect", "socket.getaddrinfo", "subprocess.Popen", "os.system", "os.exec", "os.remove"}
_watching = threading.local()


def _audit(event: str, arguments: tuple[Any, ...]) -> None:
    seen: list[str] | None = getattr(_watching, "seen", None)
    if seen is None:
        return
    if event in _WATCHED or (event == "open" and _writes(arguments)):
        seen.append(f"{event} {arguments!r}"[:200])


def _writes(arguments: tuple[Any, ...]) -> bool:
    mode = arguments[1]
    return isinstance(mode, str) and any(letter in mode for letter in "wax+")


sys.addaudithook(_audit)


@contextlib.contextmanager
def contained(refuses: bool = True) -> Iterator[None]:
    """Allow our errors only, in bounded time, with no network, no program and no file written."""
    _watching.seen = []
    started = time.process_time()
    try:
        yield
    except ToolError as error:
        assert refuses, f"it must answer, not raise: {error!r}"
        assert len(str(error)) < 20_000
    finally:
        seen, _watching.seen = _watching.seen, None
    assert seen == []
    assert time.process_time() - started < CPU_SECONDS


def peak_memory() -> int:
    """Return the most memory that this process has held, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
