"""The pydantic engine behind a type form: one JSON Schema, one validator, one serializer. Layer 1.

This is the only module that builds pydantic's machinery; it loads on first use.
"""

from __future__ import annotations

import dataclasses
import json
import warnings
from _thread import RLock
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from pydantic import TypeAdapter, ValidationError
from pydantic_core import (
    CoreConfig,
    CoreSchema,
    PydanticSerializationError,
    SchemaSerializer,
    SchemaValidator,
    to_json,
)

from tool_core.closing import closed, holds_any
from tool_core.errors import JsonTextError, SchemaMismatchError, ToolConfigurationError
from tool_core.exactness import exact
from tool_core.json_text import is_plainly_safe, names_each_key_once, secure_json_loads, with_whole_numbers
from tool_core.keys import written_key
from tool_core.problems import Path, Problem, describe, mismatch, non_json_problems, problem
from tool_core.type_documents import document
from tool_core.type_forms import caller_depth, culprit, display, is_function
from tool_core.type_problems import json_noun, type_problems

if TYPE_CHECKING:
    from typing_extensions import TypeForm


_BUILDING = RLock()
_WRITING: CoreConfig = {"serialize_by_alias": True, "ser_json_inf_nan": "constants"}
_IMPORT = "from typing_extensions import TypedDict"


@dataclass(frozen=True, slots=True, eq=False)
class TypeDescription:
    """A type form as data: pydantic's description of it, and the JSON Schema of that."""

    core_schema: CoreSchema
    text: str

    def json_schema(self) -> dict[str, object]:
        """Return the JSON Schema as a document of the caller's own."""
        return cast("dict[str, object]", json.loads(self.text))


@dataclass(frozen=True, slots=True, eq=False)
class TypeCodec:
    """What a type form can do: read JSON and write JSON."""

    validator: SchemaValidator
    serializer: SchemaSerializer
    holds_any: bool

    def decode(self, value: object) -> object:
        """Decode a JSON value as strictly as JSON text."""
        if problems := non_json_problems(value):
            raise mismatch(problems)
        try:
            return self._validated(to_json(value), value)
        except SchemaMismatchError as refusal:
            return self._whole(value, refusal)

    def decode_json(self, text: str | bytes) -> object:
        """Decode JSON text in one pass; a text that is not plainly harmless is read a second time."""
        try:
            decoded: object = self.validator.validate_json(text, strict=True)
        except ValidationError as error:
            value = secure_json_loads(text)
            return self._whole(value, mismatch(type_problems(error, value)))
        except Exception as error:  # the user's own validators may raise anything
            raise _broken(error, secure_json_loads(text)) from error
        if self.holds_any or not names_each_key_once(text, decoded):
            secure_json_loads(text)
        return decoded

    def encode_json(self, value: object) -> bytes:
        """Write a value as JSON text, and check that the text would be accepted back.

        A text that reads back as an equal value is right. Where it does not, as for values that
        equal nothing, the serializer is asked to be strict and the keys are counted.
        """
        try:
            text = self.serializer.to_json(value, by_alias=True, round_trip=True, warnings=False)
            read = self._validated(text, None)
            if self.holds_any and not is_plainly_safe(text, read):
                secure_json_loads(text)
            if read != value:
                self.serializer.to_json(value, by_alias=True, round_trip=True, warnings="error")
                if lost := _lost_keys(value, json.loads(text)):
                    raise mismatch(lost)
        except PydanticSerializationError as error:
            raise mismatch([_unserializable(value, error)]) from None
        except SchemaMismatchError:
            raise
        except JsonTextError as error:
            raise mismatch([problem(expected="a value that JSON can hold", got=error.description)]) from None
        except Exception as error:  # the user's own encoder may raise anything
            raise mismatch(
                [problem(expected="a value that its codec can encode", got=describe(value))]
            ) from error
        return text

    def _whole(self, value: object, refusal: SchemaMismatchError) -> object:
        """Read what was refused once more with 3 for `3.0`, which are one number to JSON."""
        written = to_json(with_whole_numbers(value))
        if written == to_json(value):
            raise refusal from None
        try:
            return self.validator.validate_json(written, strict=True)
        except Exception:
            raise refusal from None

    def _validated(self, text: bytes, value: object) -> object:
        try:
            return self.validator.validate_json(text, strict=True)
        except ValidationError as error:
            raise mismatch(type_problems(error, json.loads(text) if value is None else value)) from None
        except Exception as error:  # the user's own validators may raise anything
            raise _broken(error, value) from error


def _broken(error: Exception, value: object) -> SchemaMismatchError:
    expected = f"a value that its type accepts ({type(error).__name__})"
    return mismatch([problem(expected=expected, got=describe(value))])


def described(form: TypeForm[object] | Any, role: str) -> TypeDescription:
    """Describe a type form, or say which part of it has no JSON form."""
    try:
        core_schema = _core_schema(form)
        return TypeDescription(core_schema, json.dumps(document(core_schema)))
    except Exception as error:  # a type may bring code of its own, which may raise anything
        raise _unsuitable(form, role, error) from None


def build_codec(description: TypeDescription, form: TypeForm[object] | Any, role: str) -> TypeCodec:
    """Build the codec of a type form, or say which part of it cannot be one."""
    core_schema = description.core_schema
    try:
        validator = SchemaValidator(exact(core_schema), _use_prebuilt=False)
        serializer = SchemaSerializer(core_schema, _WRITING, _use_prebuilt=False)
        return TypeCodec(validator, serializer, holds_any(core_schema))
    except Exception as error:  # a type may bring code of its own, which may raise anything
        raise _unsuitable(form, role, error) from None


def _core_schema(form: Any) -> CoreSchema:
    if is_function(form):
        raise TypeError("a function is not a type")
    depth = caller_depth() + 2  # pydantic counts from two frames inside itself
    with _BUILDING, warnings.catch_warnings():  # the filters are global, so one thread at a time
        warnings.simplefilter("ignore")  # such as that ReadOnly items can be mutated all the same
        adapter: TypeAdapter[object] = TypeAdapter(form, _parent_depth=depth)
        if not adapter.pydantic_complete:
            adapter.rebuild(_parent_namespace_depth=depth)
    return closed(adapter.core_schema)


def _works(form: object) -> bool:
    try:
        document(_core_schema(form))
    except Exception:
        return False
    return True


def _unsuitable(form: object, role: str, error: Exception) -> ToolConfigurationError:
    path, part = culprit(form, _works, role)
    if "typing_extensions.TypedDict" in str(error):
        reason = f"before Python 3.12 it must come from typing_extensions: `{_IMPORT}`"
    elif isinstance(error, NameError):
        reason = f"the name {error.name!r} is not defined where the type is used"
    else:
        reason = "it has no JSON form"
    what = "the function" if is_function(part) else "the type"
    return ToolConfigurationError(None, f"{path} cannot be {what} {display(part)}: {reason}")


def _unserializable(value: object, error: Exception) -> Problem:
    """Say what could not be written; pydantic's text names the expected type, not the place."""
    expected, _, rest = str(error).partition("Expected `")[2].partition("`")
    field = rest.partition("field_name='")[2].partition("'")[0]
    path: Path = (field,) if field else ()
    inner = value.get(field) if field and isinstance(value, Mapping) else value
    noun = f"a value of type {json_noun(expected)}" if expected else "a value that can be written as JSON"
    return problem(*path, expected=noun, got=describe(inner))


def _lost_keys(value: object, encoded: object, path: Path = ()) -> list[Problem]:
    """Find keys of plain dicts that the serializer dropped because the type does not know them."""
    if dataclasses.is_dataclass(value) or hasattr(value, "__pydantic_fields__"):
        value = {key: getattr(value, key, None) for key in encoded} if isinstance(encoded, dict) else value
    if isinstance(value, dict) and isinstance(encoded, dict):
        known = {written_key(key): child for key, child in value.items()}
        lost = {key: child for key, child in known.items() if key not in encoded}
        kept = ((key, child, encoded[key]) for key, child in known.items() if key in encoded)
        found = [
            problem(*path, key, expected="no such key", got=describe(child)) for key, child in lost.items()
        ]
        return found + [item for key, child, wire in kept for item in _lost_keys(child, wire, (*path, key))]
    if isinstance(value, list | tuple) and isinstance(encoded, list):
        pairs = enumerate(zip(value, encoded, strict=False))
        return [item for index, (child, wire) in pairs for item in _lost_keys(child, wire, (*path, index))]
    return []
