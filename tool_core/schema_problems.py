"""From the errors of jsonschema-rs to problems that a model can act on. Layer 1."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, cast

from tool_core.problems import Path, Problem, describe, problem

if TYPE_CHECKING:
    from jsonschema_rs import ValidationError

_TYPES = {
    "array": "an array",
    "boolean": "a boolean",
    "integer": "an integer",
    "null": "null",
    "number": "a number",
    "object": "an object",
    "string": "a string",
}


def schema_problems(errors: Iterable[ValidationError], value: object) -> list[Problem]:
    """Say each validation error of `value` as path, expectation and what came instead.

    >>> import jsonschema_rs
    >>> validator = jsonschema_rs.validator_for({"properties": {"n": {"type": "integer", "minimum": 1}}})
    >>> [item["text"] for item in schema_problems(validator.iter_errors({"n": 0}), {"n": 0})]
    ['expected at least 1, got the integer 0']
    """
    return [_as_problem(error, value) for error in errors]


def one_of(values: Sequence[object]) -> str:
    """List the values that are allowed, as JSON names them.

    >>> one_of(["a", 1])
    "one of 'a', 1"
    """
    shown = ", ".join(
        repr(item) if isinstance(item, str) else describe(item).split(" ")[-1] for item in values[:20]
    )
    return f"one of {shown}{', ...' if len(values) > 20 else ''}"


def _as_problem(error: ValidationError, value: object) -> Problem:
    path = cast(Path, tuple(error.instance_path))
    keyword, limit = error.kind.name, error.kind.value
    if keyword == "required":
        return problem(*path, cast(str, limit), expected="a value", got="nothing (the key is missing)")
    if keyword in ("additionalProperties", "unevaluatedProperties"):
        keys = ", ".join(repr(key) for key in cast("list[str]", limit))
        return problem(*path, expected="only the keys of the schema", got=f"also {keys}")
    if keyword == "falseSchema" and error.schema_path and error.schema_path[-1] == "additionalProperties":
        return problem(*path, expected="an empty object", got=describe(_at(value, path)))
    return problem(*path, expected=_expected(keyword, limit), got=describe(error.instance))


def _expected(keyword: str, limit: object) -> str:
    words = _WORDS.get(keyword)
    return words(limit) if words else f"a value that satisfies {keyword!r}"


def _types(limit: object) -> str:
    return " or ".join(_TYPES.get(name, name) for name in cast("list[str]", limit))


def _branches(limit: object) -> str:
    """Summarise why no branch of a union fits: the first complaint of each."""
    complaints = [branch[0] for branch in cast("list[list[ValidationError]]", limit) if branch]
    if not complaints:
        return "a value that fits exactly one of the alternatives"
    words = dict.fromkeys(
        _expected(item.kind.name, item.kind.value)
        if item.kind.name != "required"
        else f"the key {item.kind.value!r}"
        for item in complaints
    )
    return f"one of these alternatives: {'; '.join(words)}"


def _simple(template: str) -> Callable[[object], str]:
    return lambda limit: template.format(limit)


_WORDS: dict[str, Callable[[object], str]] = {
    "type": _types,
    "enum": lambda limit: one_of(cast("list[object]", limit)),
    "const": lambda limit: f"exactly {describe(limit)}",
    "anyOf": _branches,
    "oneOf": _branches,
    "minimum": _simple("at least {}"),
    "maximum": _simple("at most {}"),
    "exclusiveMinimum": _simple("more than {}"),
    "exclusiveMaximum": _simple("less than {}"),
    "multipleOf": _simple("a multiple of {}"),
    "minLength": _simple("at least {} characters"),
    "maxLength": _simple("at most {} characters"),
    "minItems": _simple("at least {} items"),
    "maxItems": _simple("at most {} items"),
    "minProperties": _simple("at least {} keys"),
    "maxProperties": _simple("at most {} keys"),
    "pattern": _simple("a string that matches the pattern {}"),
    "uniqueItems": _simple("items that all differ"),
    "contains": _simple("an item of the required kind"),
    "not": _simple("a value that is not {}"),
    "falseSchema": _simple("no value here"),
    "additionalItems": _simple("no further items"),
    "unevaluatedItems": _simple("no further items"),
    "propertyNames": lambda limit: (
        f"other key names: {str(getattr(limit, 'message', limit)).partition(chr(10))[0]}"
    ),
}


def _at(value: object, path: Path) -> object:
    for step in path:
        value = cast("dict[str | int, object]", value)[step]
    return value
