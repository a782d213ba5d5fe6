"""Measure one library in this process: `python subject.py NAME MEASUREMENT`, JSON on standard output.

Standard library and the library itself only: this runs in the library's own environment.
"""

from __future__ import annotations

import asyncio
import copy
import importlib
import inspect
import json
import logging
import sys
import time
import types
import typing
from importlib.metadata import version
from pathlib import Path
from typing import Any

import workload
from measuring import ratio, resident, timed, timed_async

LOOP = asyncio.new_event_loop()


def dispatch(subject: Any) -> Any:
    """One call from JSON text to encoded result, as a multiple of the floor."""
    kit = subject.define(workload.functions(10))
    found: dict[str, Any] = {}
    direct, awaited = subject.sync_call(kit), subject.async_call(kit)
    text = workload.TEXT
    if direct is not None:
        found["sync, no loop"] = ratio(timed(lambda: direct("tool_sync", text)), timed(workload.floor))
    found["async"] = ratio(
        timed_async(LOOP, lambda: awaited("tool_async", text)), timed_async(LOOP, workload.floor_async)
    )
    found["sync, in a loop"] = ratio(
        timed_async(LOOP, lambda: awaited("tool_sync", text)), timed(workload.floor)
    )
    return found


def dynamic(subject: Any) -> Any:
    """One call of a tool that is known by a raw JSON Schema, and whether wrong arguments are refused."""
    call = subject.dynamic(workload.SCHEMA, workload.answer)
    if call is None:
        return None
    is_async = inspect.iscoroutinefunction(call)
    run = LOOP.run_until_complete if is_async else lambda result: result
    try:
        refuses = "Oslo" not in str(run(call(workload.TEXT)))
        run(call(workload.BAD_TEXT))
    except Exception:  # each library has its own way to refuse
        refuses = True
    measured = (
        ratio(timed_async(LOOP, lambda: call(workload.TEXT)), timed_async(LOOP, workload.floor_async))
        if is_async
        else ratio(timed(lambda: call(workload.TEXT)), timed(workload.floor))
    )
    return {"x floor": measured, "refuses wrong arguments": refuses}


def scale(subject: Any) -> Any:
    """Define 100, 1,000 and 10,000 tools; call one of each; then 100,000 calls."""
    found: dict[str, Any] = {}
    subject.define(workload.functions(10, "warm"))
    for size in (10, 100, 1_000, 10_000):
        functions = workload.functions(size, f"of{size}")
        started = time.process_time()
        kit = subject.define(functions)
        defined = time.process_time() - started
        started = time.process_time()
        subject.wire(kit)
        described = time.process_time() - started
        awaited, name = subject.async_call(kit), f"of{size}_async"
        found[str(size)] = {
            "define, us a tool": defined / size * 1e6,
            "define and describe, us a tool": (defined + described) / size * 1e6,
            "async x floor": ratio(
                timed_async(LOOP, lambda call=awaited, name=name: call(name, workload.TEXT)),
                timed_async(LOOP, workload.floor_async),
            ),
        }
        if size == 10:
            found["calls"] = {str(count): _many(awaited, name, count) for count in (1_000, 100_000)}
    return found


def _many(awaited: Any, name: str, count: int) -> Any:
    """Time so many calls in a row beside as many of the floor, and what memory they leave behind."""
    before = resident()
    theirs = timed_async(LOOP, lambda: awaited(name, workload.TEXT))(count)
    floor = timed_async(LOOP, workload.floor_async)(count)
    return {"x floor": theirs / floor, "bytes left": resident() - before}


def definition(subject: Any) -> Any:
    """Define 100 tools, with and without their JSON Schemas, as a multiple of reading the signatures."""
    number = iter(range(1_000_000))

    def fresh() -> list[Any]:
        return workload.functions(100, f"fresh{next(number)}")

    def read(function: Any) -> None:
        inspect.signature(function)
        typing.get_type_hints(function, include_extras=True)

    def round_of(describe: bool) -> float:
        functions, others = fresh(), fresh()
        started = time.process_time()
        kit = subject.define(functions)
        if describe:
            subject.wire(kit)
        used = time.process_time() - started
        started = time.process_time()
        for function in others:
            read(function)
        return used / (time.process_time() - started)

    round_of(True)
    rounds = 7
    return {
        "define": sorted(round_of(False) for _ in range(rounds))[rounds // 2],
        "define and describe": sorted(round_of(True) for _ in range(rounds))[rounds // 2],
    }


def memory(subject: Any) -> Any:
    """What 5,000 tools hold; the functions are copies, so that nothing freed before hides the growth."""
    [original] = workload.functions(3)[2:]
    functions = [_copied(original, f"copy_{number}") for number in range(5_000)]
    subject.wire(subject.define([_copied(original, f"warm_{number}") for number in range(50)]))
    before = resident()
    kit = subject.define(functions)
    defined = resident() - before
    subject.wire(kit)
    return {"defined": defined / 5_000, "described": (resident() - before) / 5_000}


def _copied(function: Any, name: str) -> Any:
    copy_ = types.FunctionType(function.__code__, function.__globals__, name, function.__defaults__)
    copy_.__annotations__, copy_.__doc__ = dict(function.__annotations__), function.__doc__
    copy_.__module__, copy_.__qualname__ = function.__module__, name
    return copy_


def versions(subject: Any) -> Any:
    """What was measured."""
    return {"statement": subject.IMPORT, "package": subject.PACKAGE, "version": version(subject.PACKAGE)}


def convert(subject: Any, dialect: str, path: str) -> Any:
    """Convert the schemas in a file; null where the converter raised."""
    converter = subject.CONVERTERS[dialect]
    converted: list[Any] = []
    seconds = 0.0
    for schema in json.loads(Path(path).read_text()):
        own = copy.deepcopy(schema)
        started = time.process_time()
        try:
            converted.append(converter(own))
        except Exception:  # a converter that refuses a schema has its reasons
            converted.append(None)
        seconds += time.process_time() - started
    return {"seconds": seconds, "converted": converted}


MEASUREMENTS = {
    item.__name__: item for item in (dispatch, dynamic, scale, definition, memory, versions, convert)
}


def main() -> None:
    name, measurement, *rest = sys.argv[1:]
    logging.disable(logging.CRITICAL)
    subject = importlib.import_module(f"subjects.{name}")
    json.dump(MEASUREMENTS[measurement](subject, *rest), sys.stdout, default=str)


if __name__ == "__main__":
    main()
