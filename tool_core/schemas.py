"""What a schema is, and how anything that a user passes for one becomes one. Layer 1."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NoReturn, Protocol, cast, overload, runtime_checkable

import typing_extensions
from typing_extensions import TypedDict, TypeForm, TypeVar

from tool_core.errors import ToolConfigurationError
from tool_core.type_schemas import NeverSchema, TypeSchema

T_co = TypeVar("T_co", covariant=True)
T = TypeVar("T")


@runtime_checkable
class Schema(Protocol[T_co]):
    """A JSON Schema and its codec as one value; anything with these four methods takes part.

    `TypeSchema` (a Python type) and `JsonSchema` (a raw JSON Schema) are ours; a stranger's
    validator needs nothing but the methods.

    >>> class Shout:
    ...     def decode(self, value): return str(value).upper()
    ...     def decode_json(self, text): return self.decode(json.loads(text))
    ...     def encode(self, value): return value
    ...     def json_schema(self): return {"type": "string"}
    >>> isinstance(Shout(), Schema), schema_of(Shout()).decode("hey")
    (True, 'HEY')
    """

    def decode(self, value: object, /) -> T_co:
        """Turn a JSON value into a Python value, or raise."""
        ...

    def decode_json(self, text: str | bytes, /) -> T_co:
        """Turn JSON text into a Python value, or raise."""
        ...

    def encode(self, value: Any, /) -> object:
        """Turn a Python value into a JSON value, or raise."""
        ...

    def json_schema(self) -> Mapping[str, object]:
        """Describe the JSON that `decode` accepts."""
        ...


class EmptyParams(TypedDict, closed=True):  # type: ignore[call-arg, unused-ignore]
    """The parameters of a tool that takes none: only `{}` fits.

    >>> schema_of(EmptyParams).json_schema()
    {'type': 'object', 'properties': {}, 'additionalProperties': False}
    """


@overload
def schema_of(form: TypeForm[T], role: str = ...) -> Schema[T]: ...
@overload
def schema_of(form: Schema[T], role: str = ...) -> Schema[T]: ...
def schema_of(form: Any, role: str = "the type") -> Schema[Any]:
    """Make a schema from a type form, or take an object that already is one.

    >>> schema_of(list[int]).encode([1, 2])
    [1, 2]
    >>> schema_of({"query": str}, "parameters")
    Traceback (most recent call last):
        ...
    tool_core.errors.ToolConfigurationError: Invalid configuration: \
parameters is a type, not a dict of fields; write a TypedDict with the fields 'query' and pass the class
    """
    if form is typing_extensions.Never or form is typing_extensions.NoReturn:
        return cast("Schema[Any]", NeverSchema())
    if isinstance(form, Mapping):
        _refuse_mapping(form, role)
    if not isinstance(form, type) and hasattr(form, "decode_json") and isinstance(form, Schema):
        return form
    return TypeSchema.of(cast(Any, form), role)


def encode_json(schema: Schema[object], value: object) -> str:
    """Encode to JSON text, by the schema's own shortcut where it has one."""
    if isinstance(schema, TypeSchema):
        return schema.encode_json(value)
    return json.dumps(schema.encode(value), separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def _refuse_mapping(form: Mapping[object, object], role: str) -> NoReturn:
    if "type" in form or "$ref" in form or "properties" in form or not form:
        advice = "for a JSON Schema use Tool.dynamic"
        raise ToolConfigurationError(None, f"{role} is a type, not a JSON Schema; {advice}")
    fields = ", ".join(repr(key) for key in form)
    advice = f"write a TypedDict with the fields {fields} and pass the class"
    raise ToolConfigurationError(None, f"{role} is a type, not a dict of fields; {advice}")
