"""From the errors of pydantic to problems that a model can act on. Layer 1."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, TypeAlias

from tool_core.exactness import BRANCH
from tool_core.problems import Path, Problem, describe, problem

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails, ValidationError

_Located: TypeAlias = "tuple[tuple[str | int, ...], ErrorDetails]"

_SHOULD = re.compile(r"(?:Input|Value) should be (?:a valid )?(.*)", re.DOTALL)
_SUBJECT = re.compile(r"(\w+) should (have|match) (.*)", re.DOTALL)
_NOUNS = {
    "None": "null",
    "bool": "boolean",
    "dictionary": "object",
    "dict": "object",
    "float": "number",
    "int": "integer",
    "list": "array",
    "none": "null",
    "str": "string",
    "tuple": "array",
}
_VOWELS = ("a", "e", "i", "o", "u")


def type_problems(error: ValidationError, value: object) -> list[Problem]:
    """Say each error as path, expectation and what came; of a union, the branch that fits best."""
    return _settle([(tuple(item["loc"]), item) for item in error.errors(include_url=False)], (), value)


def json_noun(name: str) -> str:
    """Say what JSON calls a type that pydantic or Python calls otherwise.

    >>> json_noun("dictionary"), json_noun("int"), json_noun("UUID")
    ('object', 'integer', 'UUID')
    """
    return _NOUNS.get(name, name)


def _settle(errors: list[_Located], path: Path, value: object) -> list[Problem]:
    """Turn errors below `path` into problems, one union at a time."""
    found: list[Problem] = []
    for prefix, group in groupby(errors, key=lambda item: _before_branch(item[0])):
        members = list(group)
        here = (*path, *_true_steps(prefix, value))
        if any(_is_branch(item) for item in members[0][0][len(prefix) : len(prefix) + 1]):
            found += _best_branch(members, len(prefix), here, _descend(value, here[len(path) :]))
        else:
            found += [_as_problem(details, here) for _, details in members]
    return found


def _best_branch(members: list[_Located], cut: int, path: Path, value: object) -> list[Problem]:
    branches = [
        [(location[cut + 1 :], details) for location, details in group]
        for _, group in groupby(members, key=lambda item: item[0][cut])
    ]
    if all(_is_about_the_whole(branch) for branch in branches):
        flat = [item for branch in branches for item in _settle(branch, path, value)]
        expected = " or ".join(dict.fromkeys(item["expected"] for item in flat))
        return [problem(*path, expected=expected, got=describe(value))]
    deep = [branch for branch in branches if not _is_about_the_whole(branch)]
    return _settle(min(deep, key=len), path, value)


def _is_about_the_whole(branch: Sequence[_Located]) -> bool:
    return all(not location or _is_branch(location[0]) for location, _ in branch)


def _as_problem(details: ErrorDetails, path: Path) -> Problem:
    kind, context = details["type"], details.get("ctx", {})
    if kind == "missing" or kind.startswith("missing_"):
        return problem(*path, expected="a value", got="nothing (the key is missing)")
    if kind in ("extra_forbidden", "unexpected_keyword_argument", "unexpected_positional_argument"):
        return problem(*path, expected="no such key", got=describe(details["input"]))
    if kind in ("literal_error", "enum"):
        return problem(*path, expected=str(context["expected"]), got=describe(details["input"]))
    if kind == "json_invalid":
        return problem(
            *path, expected="JSON", got=f"a text with the fault: {context.get('error', 'unknown')}"
        )
    if kind == "union_tag_not_found":
        return problem(
            *path,
            expected=f"an object with the key {context['discriminator']}",
            got=describe(details["input"]),
        )
    if kind == "union_tag_invalid":
        return _wrong_tag(details["input"], path, context["discriminator"].strip("'"), context)
    return problem(*path, expected=_expectation(details["msg"]), got=describe(details["input"]))


def _wrong_tag(value: object, path: Path, key: str, context: Mapping[str, Any]) -> Problem:
    expected = f"one of {context['expected_tags']}"
    if isinstance(value, dict) and key in value:
        return problem(*path, key, expected=expected, got=describe(value[key]))
    return problem(*path, expected=f"{key} to be {expected}", got=repr(context["tag"]))


def _expectation(message: str) -> str:
    message = message.removeprefix("Value error, ").removeprefix("Assertion failed, ")
    if match := _SHOULD.fullmatch(message):
        return _with_article(json_noun(match.group(1).partition(", ")[0]))
    if match := _SUBJECT.fullmatch(message):
        rest = match.group(3).partition(", not ")[0].replace(" after validation", "")
        return f"the {match.group(1).lower()} to {match.group(2)} {rest}"
    return message[:1].lower() + message[1:]


def _with_article(noun: str) -> str:
    first = noun.split(" ")[0]
    if first in ("greater", "less"):
        return f"a value {noun}"
    if not first.isalpha() or first in ("a", "an", "finite", "one", "in", "at", "null"):
        return noun
    return f"an {noun}" if first.startswith(_VOWELS) else f"a {noun}"


def _before_branch(location: Sequence[str | int]) -> tuple[str | int, ...]:
    cut = next((index for index, item in enumerate(location) if _is_branch(item)), len(location))
    return tuple(location[:cut])


def _is_branch(item: str | int) -> bool:
    return isinstance(item, str) and item.startswith(BRANCH)


def _true_steps(prefix: Sequence[str | int], value: object) -> Path:
    """Drop what pydantic adds to a location and JSON does not know: union tags and `[key]`."""
    steps: list[str | int] = []
    for index, item in enumerate(prefix):
        is_last = index == len(prefix) - 1
        if isinstance(value, dict) and (item in value or (is_last and item != "[key]")):
            steps.append(item)
            value = value.get(item)
        elif isinstance(value, list) and isinstance(item, int):
            steps.append(item)
            value = value[item] if item < len(value) else None
    return tuple(steps)


def _descend(value: object, steps: Path) -> object:
    for step in steps:
        if isinstance(value, dict):
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
    return value
