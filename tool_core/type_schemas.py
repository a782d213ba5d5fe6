"""A type form as a schema; its codec is built when it is first needed. Layer 1."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, Never, cast

from typing_extensions import TypeForm, TypeVar

from tool_core.descriptions import doc_of
from tool_core.errors import SchemaMismatchError, ToolConfigurationError
from tool_core.problems import describe, mismatch, problem
from tool_core.type_forms import display, is_surely_json

if TYPE_CHECKING:
    from tool_core.type_codecs import TypeCodec, TypeDescription

T_co = TypeVar("T_co", covariant=True, default=object)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class TypeSchema(Generic[T_co]):
    """The schema of a Python type: strict decoding, checked encoding, JSON Schema 2020-12.

    >>> from typing_extensions import NotRequired, TypedDict
    >>> Search = TypedDict("Search", {"query": str, "limit": NotRequired[int]})
    >>> schema = TypeSchema.of(Search)
    >>> schema.decode_json('{"query": "cats", "limit": 3}')
    {'query': 'cats', 'limit': 3}
    >>> schema.decode({"query": "cats", "limt": "3"})
    Traceback (most recent call last):
        ...
    tool_core.errors.SchemaMismatchError: $.limt: expected no such key, got the string '3'
    """

    form: object
    role: str = field(default="the type", compare=False)
    _built: list[TypeCodec] = field(default_factory=list, init=False, repr=False, compare=False)
    _described: list[TypeDescription] = field(default_factory=list, init=False, repr=False, compare=False)

    @staticmethod
    def of(form: TypeForm[T], role: str = "the type") -> TypeSchema[T]:
        """Take a type form; one that is not surely JSON is built at once, so that it fails here.

        Gotchas:
            A text is refused: reading one as a type would run it, and it may come from a stranger.
        """
        if isinstance(form, str):
            raise ToolConfigurationError(None, f"{role} is a type, not the text {form[:80]!r}; pass the type")
        schema: TypeSchema[T] = TypeSchema(form, role)
        if not is_surely_json(form):
            schema.codec()
        return schema

    def codec(self) -> TypeCodec:
        """Return the engine, built on first use."""
        if not self._built:
            from tool_core.type_codecs import build_codec

            self._built.append(build_codec(self.description(), self.form, self.role))
        return self._built[0]

    def description(self) -> TypeDescription:
        """Return what is known of the type without its codec: a tool that is never called needs no more."""
        if not self._described:
            from tool_core.type_codecs import described

            self._described.append(described(self.form, self.role))
        return self._described[0]

    def decode(self, value: object) -> T_co:
        """Turn a JSON value into a value of the type, or list everything that does not fit."""
        return cast(T_co, self.codec().decode(value))

    def decode_json(self, text: str | bytes) -> T_co:
        """Turn JSON text into a value of the type in one pass."""
        return cast(T_co, self.codec().decode_json(text))

    def encode(self, value: object) -> object:
        """Turn a value of the type into JSON, checked as deeply as `decode` checks."""
        return cast(object, json.loads(self.codec().encode_json(value)))

    def encode_json(self, value: object) -> str:
        """Turn a value of the type into JSON text, checked as deeply as `decode` checks."""
        return self.codec().encode_json(value).decode()

    def json_schema(self) -> dict[str, object]:
        """Describe the JSON that `decode` accepts."""
        document = self.description().json_schema()
        text = doc_of(self.form)
        return document if text is None else {**document, "description": text}

    def __getstate__(self) -> tuple[object, str]:
        return self.form, self.role

    def __setstate__(self, state: tuple[object, str]) -> None:
        for name, value in zip(("form", "role", "_built", "_described"), (*state, [], []), strict=True):
            object.__setattr__(self, name, value)

    def __str__(self) -> str:
        return display(self.form)


@dataclass(frozen=True, slots=True)
class NeverSchema:
    """The schema of `Never`: no value fits, so a tool with this failure has none.

    >>> NeverSchema().json_schema()
    {'not': {}}
    """

    def decode(self, value: object) -> Never:
        """Refuse."""
        raise self._refusal(value)

    def decode_json(self, text: str | bytes) -> Never:
        """Refuse."""
        raise self._refusal(text)

    def encode(self, value: object) -> Never:
        """Refuse."""
        raise self._refusal(value)

    def json_schema(self) -> dict[str, object]:
        """Return the schema that nothing satisfies."""
        return {"not": {}}

    def _refusal(self, value: object) -> SchemaMismatchError:
        return mismatch([problem(expected="no value: none is declared", got=describe(value))])

    def __str__(self) -> str:
        return "Never"
