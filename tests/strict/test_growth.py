"""Hostile schemas cost time in proportion to their size."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.strict.growth import growth
from tool_core.strict import ANTHROPIC, ANTHROPIC_STRICT, GOOGLE_STRICT, OPENAI_STRICT, FormatDescriptor
from tool_core.strict.free_names import FreeNames


def alike(size: int) -> dict[str, Any]:
    """Declare properties whose names become the same where only letters and digits are allowed."""
    names = ["?" * 3 + "".join("!?"[number >> bit & 1] for bit in range(14)) for number in range(size)]
    return {"type": "object", "properties": {name: {"type": "string"} for name in names}}


def anchored(size: int) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {f"p{n}": {"$ref": f"#a{n}"} for n in range(size)},
        "$defs": {f"d{n}": {"$anchor": f"a{n}", "type": "string"} for n in range(size)},
    }


def listed(size: int) -> dict[str, Any]:
    values = [{"a": n, "b": [n]} for n in range(size)]
    return {"type": "object", "properties": {"p": {"type": "object", "enum": values}}, "required": ["p"]}


def listed_twice(size: int) -> dict[str, Any]:
    values = [{"a": n} for n in range(size)]
    both = [{"type": "object", "enum": values}, {"enum": values[::-1], "properties": {"a": {"minimum": 0}}}]
    return {"type": "object", "properties": {"p": {"allOf": both}}, "required": ["p"]}


def defined_alike(size: int) -> dict[str, Any]:
    """Use definitions twice each whose names become the same."""
    names = ["?" * 3 + "".join("!?"[number >> bit & 1] for bit in range(14)) for number in range(size)]
    body = {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": False}
    uses = {f"p{n}": {"$ref": f"#/$defs/{name}"} for n, name in enumerate([*names, *names])}
    return {
        "type": "object",
        "properties": uses,
        "$defs": {name: {**body, "title": name} for name in names},
    }


def patterned(size: int) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {f"p{n}": {"type": "string"} for n in range(size)},
        "patternProperties": {"^p": {"type": "string", "minLength": 1}},
    }


@pytest.mark.parametrize(
    ("build", "descriptor", "size"),
    [
        (alike, ANTHROPIC, 1500),
        (alike, ANTHROPIC_STRICT, 800),
        (anchored, OPENAI_STRICT, 500),
        (anchored, ANTHROPIC, 800),
        (listed, GOOGLE_STRICT, 1000),
        (listed_twice, ANTHROPIC_STRICT, 1000),
        (defined_alike, ANTHROPIC_STRICT, 150),
        (patterned, ANTHROPIC_STRICT, 100),
    ],
)
def test_four_times_the_size_takes_about_four_times_the_time(
    build: Callable[[int], dict[str, Any]], descriptor: FormatDescriptor, size: int
) -> None:
    assert growth(build, descriptor, size) < 9


class Counted(set[str]):
    looks = 0

    def __contains__(self, name: object) -> bool:
        self.looks += 1
        return super().__contains__(name)


def test_each_taken_name_is_met_once_however_many_names_are_asked_for() -> None:
    taken = Counted(["a", *(f"a_{n}" for n in range(2, 100))])
    names = FreeNames(taken)
    assert [names.free("a") for _ in range(100)] == [f"a_{n}" for n in range(100, 200)]
    assert taken.looks < 400
