"""How the work for a schema grows with its size."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Mapping
from typing import Any

from tool_core.strict import FormatDescriptor, strictify


def growth(build: Callable[[int], Mapping[str, Any]], descriptor: FormatDescriptor, size: int) -> float:
    """Compare the processor time for a schema of four times the size: 4 is linear, 16 is quadratic."""
    strictify(build(1), descriptor)
    return _least_time(build, descriptor, 4 * size) / _least_time(build, descriptor, size)


def _least_time(build: Callable[[int], Mapping[str, Any]], descriptor: FormatDescriptor, size: int) -> float:
    times: list[float] = []
    for salt in range(3):
        schema = {**build(size), "$comment": str(salt)}  # no two are the same, so none is remembered
        gc.collect()
        started = time.process_time()
        strictify(schema, descriptor)
        times.append(time.process_time() - started)
    return min(times)
