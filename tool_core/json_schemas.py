"""A raw JSON Schema as a codec: what an MCP server or a configuration file gives us. Layer 1.

The schema is kept as text, so it is immutable, hashable and picklable, and whoever asks for it
gets a copy of their own. Validation runs in jsonschema-rs, whose regular expressions cannot be
made to hang; jsonschema explains what is wrong with a schema that is itself invalid.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Generic, Literal, NoReturn, TypeAlias, cast

from typing_extensions import TypeForm, TypeVar

from tool_core.errors import SchemaMismatchError, ToolConfigurationError, ToolError
from tool_core.json_text import copied_json, secure_json_loads, with_whole_numbers
from tool_core.names import did_you_mean
from tool_core.problems import TOO_DEEP, Path, json_path, mismatch, non_json_problems, problem
from tool_core.schema_problems import schema_problems

if TYPE_CHECKING:
    from jsonschema import SchemaError
    from jsonschema_rs import Validator

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True, default=object)

Validation: TypeAlias = "Literal['schema', 'off'] | Callable[[object], object]"

_LATEST = "https://json-schema.org/draft/2020-12/schema"
_TYPES = ("array", "boolean", "integer", "null", "number", "object", "string")


@dataclass(frozen=True, slots=True)
class JsonSchema(Generic[T_co]):
    """A JSON Schema taken as it is; `validate` says how far values are checked against it.

    >>> schema = JsonSchema.of({"type": "object", "properties": {"q": {"type": "string"}}})
    >>> schema.decode({"q": "cats"})
    {'q': 'cats'}
    >>> schema.decode({"q": 1})
    Traceback (most recent call last):
        ...
    tool_core.errors.SchemaMismatchError: $.q: expected a string, got the integer 1
    """

    text: str
    validate: Validation = "schema"

    @staticmethod
    def of(schema: Mapping[str, object], validate: Validation = "schema") -> JsonSchema[object]:
        """Check a schema against the draft it names (2020-12 where it names none) and keep it."""
        _check_validation(validate)
        text = _text_of(schema)
        _validator(text)
        return JsonSchema(text, validate)

    @staticmethod
    def typed(form: TypeForm[T], schema: Mapping[str, object] | str) -> JsonSchema[T]:  # noqa: ARG004
        """Take a schema, or its text, whose values are of a type that you vouch for.

        Values are checked against the schema alone, so the type must allow whatever it accepts;
        `tool_core.mcp.lock` writes such pairs.

        >>> schema = JsonSchema.typed(dict[str, int], '{"additionalProperties": {"type": "integer"}}')
        >>> schema.decode({"a": 1})["a"] + 1
        2
        """
        given = _read(schema) if isinstance(schema, str) else schema
        if not isinstance(given, Mapping):
            raise ToolConfigurationError(None, f"a JSON Schema is an object, not {type(given).__name__}")
        return cast("JsonSchema[T]", JsonSchema.of(given))

    def json_schema(self) -> dict[str, object]:
        """Return the schema, equal to what was given and shared with nobody."""
        return cast("dict[str, object]", json.loads(self.text))

    def decode(self, value: object) -> T_co:
        """Check a JSON value and hand on a copy, or hand on what the validator makes of it.

        `3.0` is an integer to JSON Schema; a handler gets 3.
        """
        if self.validate == "off":
            return cast(T_co, copied_json(value))
        if problems := non_json_problems(value):
            raise mismatch(problems)
        if callable(self.validate):
            return cast(T_co, _validated(self.validate, copied_json(value)))
        checked = self._checked(copied_json(value))
        return cast(T_co, with_whole_numbers(checked) if _names_whole_numbers(self.text) else checked)

    def decode_json(self, text: str | bytes) -> T_co:
        """Parse a text by the rules of `secure_json_loads`, then decode it."""
        if self.validate != "schema":
            return self.decode(secure_json_loads(text))
        value = secure_json_loads(text, whole_numbers=_names_whole_numbers(self.text))
        return cast(T_co, self._checked(value))

    def encode(self, value: object) -> object:
        """Check a value and hand it on: raw JSON Schema knows no other encoding than JSON."""
        if callable(self.validate) or self.validate == "off":
            if problems := non_json_problems(value):
                raise mismatch(problems)
            return value
        return self.decode(value)

    def _checked(self, value: object) -> object:
        validator = _validator(self.text)
        if not validator.is_valid(value):
            raise mismatch(schema_problems(validator.iter_errors(value), value))
        return value

    def __str__(self) -> str:
        return "object"


def _check_validation(validate: object) -> None:
    if validate not in ("schema", "off") and not callable(validate):
        raise ToolConfigurationError(
            None, f"validate is 'schema', 'off' or a function of the value, not {validate!r}"
        )


def _read(text: str) -> object:
    """Read the text of a schema, which may speak of any key and nest as deeply as a schema does."""
    try:
        return cast(object, json.loads(text))
    except (ValueError, RecursionError) as error:
        raise not_json(error) from None


def not_json(error: Exception) -> ToolConfigurationError:
    """Say why a schema is no JSON, in the same words on every version of Python.

    >>> not_json(RecursionError("maximum recursion depth exceeded")).description
    'a JSON Schema must be JSON: $: expected at most 100 levels of nesting, got more'
    """
    reason = str(mismatch([TOO_DEEP]) if isinstance(error, RecursionError) else error)
    if reason.startswith("Out of range float"):
        reason = "NaN and Infinity are not JSON"
    return ToolConfigurationError(None, f"a JSON Schema must be JSON: {reason}")


def _text_of(schema: Mapping[str, object]) -> str:
    try:
        text = json.dumps(schema, default=_plain, allow_nan=False)
        copy = json.loads(text)
    except (TypeError, ValueError, RecursionError) as error:
        raise not_json(error) from None
    if problems := non_json_problems(copy):
        raise ToolConfigurationError(None, f"a JSON Schema must be JSON: {mismatch(problems)}")
    if isinstance(schema, dict) and copy != schema:
        raise ToolConfigurationError(
            None, "a JSON Schema must be JSON: keys are strings and sequences are lists"
        )
    return text


def _plain(value: object) -> dict[object, object]:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"a Python {type(value).__name__} is not JSON")


@lru_cache(maxsize=4096)
def _validator(text: str) -> Validator:
    import jsonschema_rs

    schema = with_known_draft(json.loads(text))
    try:
        return jsonschema_rs.validator_for(schema, validate_formats=False, retriever=_never_fetch)
    except (jsonschema_rs.ValidationError, jsonschema_rs.ReferencingError, ValueError) as error:
        _explain_invalid(schema, error)


@lru_cache(maxsize=4096)
def _names_whole_numbers(text: str) -> bool:
    """Tell whether `3.0` may stand where the schema asks for 3, so that a handler must not see a float."""
    return any(keyword in text for keyword in ('"integer"', '"enum"', '"const"'))


def with_known_draft(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema that names a draft the validator knows: 2020-12 where it names none or a stranger.

    >>> with_known_draft({"$schema": "https://example.com/mine"})
    {'$schema': 'https://json-schema.org/draft/2020-12/schema'}
    """
    named = schema.get("$schema")
    known = ("/draft-04/", "/draft-06/", "/draft-07/", "/draft/2019-09/", "/draft/2020-12/")
    is_known = isinstance(named, str) and any(draft in named for draft in known)
    return schema if is_known else {**schema, "$schema": _LATEST}


def _never_fetch(uri: str) -> NoReturn:
    raise ValueError(f"remote reference {uri}")


def _explain_invalid(schema: dict[str, Any], error: Exception) -> NoReturn:
    """Say where the schema is wrong, in jsonschema's words where it sees the fault too."""
    from jsonschema import SchemaError
    from jsonschema.validators import Draft202012Validator, validator_for

    reason = str(getattr(error, "message", error)).partition("\n")[0]
    if "not present in a registry" in reason or "remote reference" in reason:
        name = reason.split("'")[1] if "'" in reason else reason
        raise ToolConfigurationError(
            None,
            f"invalid JSON Schema: the reference {name!r} is not local, and remote ones are never fetched",
        ) from None
    path: Path = tuple(getattr(error, "instance_path", ()) or ())
    try:
        validator_for(schema, default=Draft202012Validator).check_schema(schema)
    except SchemaError as fault:
        reason, path = _reason(fault), tuple(fault.absolute_path)
    except RecursionError:
        reason = "it nests too deeply"
    except OverflowError as absurd:  # of a pattern
        reason = str(absurd)
    raise ToolConfigurationError(None, f"invalid JSON Schema at {json_path(path)}: {reason}") from None


def _reason(fault: SchemaError) -> str:
    """Say what jsonschema says, but for a `type`, where it only says that alternatives failed."""
    if isinstance(fault.instance, str) and list(fault.absolute_schema_path)[-2:] == ["type", "anyOf"]:
        return f"there is no type {fault.instance!r}{did_you_mean(fault.instance, _TYPES)}"
    return str(fault.message)


def _words_of(error: Exception) -> str:
    """Repeat what a validator says on purpose; any other exception may hold paths and secrets."""
    is_said = isinstance(error, ValueError) and not isinstance(error, UnicodeError)
    return f"{type(error).__name__}: {error}" if is_said else type(error).__name__


def _validated(validate: Callable[[object], object], value: object) -> object:
    try:
        return validate(value)
    except ToolError:
        raise
    except Exception as error:
        expected = f"a value that {getattr(validate, '__name__', 'the validator')} accepts"
        raise SchemaMismatchError(problems=(problem(expected=expected, got=_words_of(error)),)) from error
