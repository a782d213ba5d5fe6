"""Defining a tool from a type, as a multiple of pydantic's `TypeAdapter` for the same type."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any, Literal, NotRequired

from pydantic import TypeAdapter
from typing_extensions import TypedDict

from tool_core import Tool, get_json_schema


def _type(number: int) -> Any:
    fields = {"location": str, "units": Literal["celsius", "fahrenheit"], "days": NotRequired[int]}
    return TypedDict(f"GetWeather{number}", fields)  # type: ignore[operator]


def _defined(form: Any) -> Any:
    return Tool.make("GetWeather", parameters=form, success=float)


def measure() -> dict[str, float]:
    return {
        "define / TypeAdapter": _ratio(_defined, TypeAdapter),
        "define and describe / TypeAdapter and json_schema": _ratio(
            lambda form: get_json_schema(_defined(form)), lambda form: TypeAdapter(form).json_schema()
        ),
        "define and describe / TypeAdapter alone": _ratio(
            lambda form: get_json_schema(_defined(form)), TypeAdapter
        ),
    }


def _ratio(ours: Callable[[Any], Any], theirs: Callable[[Any], Any], rounds: int = 15) -> float:
    _seconds(ours), _seconds(theirs)
    return statistics.median(_seconds(ours) / _seconds(theirs) for _ in range(rounds))


def _seconds(action: Callable[[Any], Any]) -> float:
    forms = [_type(number) for number in range(100)]
    started = time.process_time()
    for form in forms:
        action(form)
    return time.process_time() - started
