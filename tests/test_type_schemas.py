"""Python types as schemas: what they describe, accept, refuse and say."""

from __future__ import annotations

import dataclasses
import enum
import json
import socket
import sys
import types
import typing
from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import (
    Annotated,
    Any,
    Generic,
    Literal,
    NamedTuple,
    Never,
    NewType,
    NotRequired,
    Required,
    TypeVar,
)
from uuid import UUID

import pytest
from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import Doc, ReadOnly, TypeAliasType, TypedDict

from tool_core import (
    Codec,
    DatetimeFromMillis,
    EmptyParams,
    JsonTextError,
    SchemaMismatchError,
    ToolConfigurationError,
    schema_of,
)

T = TypeVar("T")


class Point(TypedDict):
    """A place."""

    x: int
    """How far east."""
    y: NotRequired[Annotated[float, Doc("How far north.")]]


class Partial(TypedDict, total=False):
    a: Required[int]
    b: ReadOnly[str]


class Inherited(Point):
    z: int


class Box(TypedDict, Generic[T]):
    item: T


class Node(TypedDict):
    value: int
    next: NotRequired[Node]


class Open(TypedDict, extra_items=int):  # type: ignore[call-arg]
    name: str


class SaysOpen(TypedDict, closed=False):
    name: str


class Cat(TypedDict):
    kind: Literal["cat"]
    lives: int


class Dog(TypedDict):
    kind: Literal["dog"]
    name: str


class Colour(enum.Enum):
    """A colour."""

    RED = "red"
    BLUE = "blue"


class Level(enum.IntEnum):
    LOW = 0
    HIGH = 1


@dataclasses.dataclass
class Size:
    width: int
    """In pixels."""
    height: int = 1


class Pair(NamedTuple):
    left: int
    right: str


class Model(BaseModel):
    """A model."""

    point: Point
    when: datetime = Field(description="The moment.")


class OpenModel(BaseModel):
    model_config = ConfigDict(extra="allow")
    a: int


class Nothing(TypedDict):
    pass


class Book(TypedDict):
    title: str


class Connection(TypedDict):
    to: list[socket.socket]


UserId = NewType("UserId", int)
Tree = TypeAliasType("Tree", "int | list[Tree]")
POINT = {
    "type": "object",
    "properties": {
        "x": {"type": "integer", "description": "How far east."},
        "y": {"type": "number", "description": "How far north."},
    },
    "required": ["x"],
    "additionalProperties": False,
    "description": "A place.",
}

DOCUMENTS: list[tuple[Any, dict[str, object]]] = [
    (Point, POINT),
    (EmptyParams, {"type": "object", "properties": {}, "additionalProperties": False}),
    (
        Nothing,
        {"type": "object", "properties": {}, "additionalProperties": False},
    ),
    (int | None, {"anyOf": [{"type": "integer"}, {"type": "null"}]}),
    (Literal["a", 1], {"enum": ["a", 1]}),
    (Colour, {"enum": ["red", "blue"], "type": "string", "description": "A colour."}),
    (list[int], {"type": "array", "items": {"type": "integer"}}),
    (
        tuple[int, str],
        {
            "type": "array",
            "prefixItems": [{"type": "integer"}, {"type": "string"}],
            "minItems": 2,
            "maxItems": 2,
        },
    ),
    (tuple[int, ...], {"type": "array", "items": {"type": "integer"}}),
    (set[int], {"type": "array", "uniqueItems": True, "items": {"type": "integer"}}),
    (dict[str, int], {"type": "object", "additionalProperties": {"type": "integer"}}),
    (Mapping[str, bool], {"type": "object", "additionalProperties": {"type": "boolean"}}),
    (UserId, {"type": "integer"}),
    (None, {"type": "null"}),
    (object, {}),
    (Never, {"not": {}}),
    (datetime, {"type": "string", "format": "date-time"}),
    (date, {"type": "string", "format": "date"}),
    (time, {"type": "string", "format": "time"}),
    (timedelta, {"type": "string", "format": "duration"}),
    (UUID, {"type": "string", "format": "uuid"}),
    (bytes, {"type": "string", "format": "binary"}),
    (Path, {"type": "string", "format": "path"}),
    (DatetimeFromMillis, {"type": "integer"}),
    (Annotated[int, Field(gt=3, description="big")], {"type": "integer", "exclusiveMinimum": 3, "description": "big"}),
    (Annotated[list[int], Doc("Some numbers.")], {"type": "array", "items": {"type": "integer"}, "description": "Some numbers."}),
    (Open, {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"], "additionalProperties": {"type": "integer"}}),
    (SaysOpen, {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"], "additionalProperties": True}),
    (
        Size,
        {
            "type": "object",
            "properties": {
                "width": {"type": "integer", "description": "In pixels."},
                "height": {"type": "integer", "default": 1},
            },
            "required": ["width"],
            "additionalProperties": False,
        },
    ),
    (
        Annotated[Cat | Dog, Field(discriminator="kind")],
        {
            "anyOf": [{"$ref": "#/$defs/Cat"}, {"$ref": "#/$defs/Dog"}],
            "$defs": {
                "Cat": {
                    "type": "object",
                    "properties": {"kind": {"const": "cat", "type": "string"}, "lives": {"type": "integer"}},
                    "required": ["kind", "lives"],
                    "additionalProperties": False,
                },
                "Dog": {
                    "type": "object",
                    "properties": {"kind": {"const": "dog", "type": "string"}, "name": {"type": "string"}},
                    "required": ["kind", "name"],
                    "additionalProperties": False,
                },
            },
        },
    ),
]  # fmt: skip


@pytest.mark.parametrize(("form", "expected"), DOCUMENTS, ids=lambda item: str(item)[:40])
def test_a_type_describes_itself_as_json_schema(form: Any, expected: dict[str, object]) -> None:
    document = schema_of(form).json_schema()
    assert document == expected
    assert json.dumps(document) == json.dumps(schema_of(form).json_schema())


def test_a_recursive_root_says_its_type_and_keeps_its_definition() -> None:
    document = schema_of(Node).json_schema()
    assert document["type"] == "object"
    assert document["properties"] == {"value": {"type": "integer"}, "next": {"$ref": "#/$defs/Node"}}
    assert "Node" in typing.cast("dict[str, object]", document["$defs"])


def test_a_model_is_closed_and_described_like_any_record() -> None:
    document = schema_of(Model).json_schema()
    assert document["additionalProperties"] is False
    assert document["description"] == "A model."
    assert document["properties"] == {
        "point": {"$ref": "#/$defs/Point"},
        "when": {"type": "string", "format": "date-time", "description": "The moment."},
    }
    assert document["$defs"] == {"Point": POINT}


def test_a_property_may_be_called_title() -> None:
    assert schema_of(Book).json_schema()["properties"] == {"title": {"type": "string"}}


MOMENT = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)

DECODED: list[tuple[Any, object, object]] = [
    (Point, {"x": 1}, {"x": 1}),
    (Partial, {"a": 1, "b": "c"}, {"a": 1, "b": "c"}),
    (Inherited, {"x": 1, "y": 2.5, "z": 3}, {"x": 1, "y": 2.5, "z": 3}),
    (Box[int], {"item": 1}, {"item": 1}),
    (Node, {"value": 1, "next": {"value": 2}}, {"value": 1, "next": {"value": 2}}),
    (Open, {"name": "n", "extra": 3}, {"name": "n", "extra": 3}),
    (SaysOpen, {"name": "n", "extra": "kept"}, {"name": "n", "extra": "kept"}),
    (Cat | Dog, {"kind": "dog", "name": "Rex"}, {"kind": "dog", "name": "Rex"}),
    (Colour, "red", Colour.RED),
    (Level, 1, Level.HIGH),
    (Size, {"width": 2, "height": 1}, Size(2, 1)),
    (Pair, [1, "a"], Pair(1, "a")),
    (Tree, [1, [2, [3]]], [1, [2, [3]]]),
    (tuple[int, str], [1, "a"], (1, "a")),
    (tuple[int, ...], [1, 2], (1, 2)),
    (set[int], [1, 2], {1, 2}),
    (frozenset[str], ["a"], frozenset({"a"})),
    (dict[int, str], {"1": "a"}, {1: "a"}),
    (float, 3, 3.0),
    (UserId, 3, 3),
    (None, None, None),
    (object, {"any": [1]}, {"any": [1]}),
    (datetime, "2024-05-06T07:08:09Z", MOMENT),
    (date, "2024-05-06", date(2024, 5, 6)),
    (timedelta, "P1DT2H", timedelta(days=1, hours=2)),
    (UUID, "12345678-1234-5678-1234-567812345678", UUID(int=0x12345678123456781234567812345678)),
    (Decimal, "1.10", Decimal("1.10")),
    (bytes, "hi", b"hi"),
    (Path, "a/b", Path("a/b")),
    (DatetimeFromMillis, 1714979289000, MOMENT),
    (OpenModel, {"a": 1, "b": 2}, OpenModel.model_validate({"a": 1, "b": 2})),
]


@pytest.mark.parametrize(("form", "wire", "value"), DECODED, ids=lambda item: str(item)[:40])
def test_json_decodes_and_the_value_encodes_back(form: Any, wire: object, value: object) -> None:
    schema = schema_of(form)
    assert schema.decode(wire) == value
    assert schema.decode_json(json.dumps(wire)) == value
    assert schema.encode(value) == (value if form is float else wire)


REFUSED: list[tuple[Any, object, str]] = [
    (int, "3", "$: expected an integer, got the string '3'"),
    (int, True, "$: expected an integer, got true"),
    (int, 3.5, "$: expected an integer, got the number 3.5"),
    (float, "3", "$: expected a number, got the string '3'"),
    (bool, 1, "$: expected a boolean, got the integer 1"),
    (str, None, "$: expected a string, got null"),
    (Point, [], "$: expected an object, got an array of 0 items"),
    (Point, {}, "$.x: expected a value, got nothing (the key is missing)"),
    (
        Point,
        {"x": "1", "y": None, "z": 2},
        "$.x: expected an integer, got the string '1'\n"
        "$.y: expected a number, got null\n"
        "$.z: expected no such key, got the integer 2",
    ),
    (EmptyParams, {"a": 1}, "$.a: expected no such key, got the integer 1"),
    (Model, {"point": {"x": 1}, "when": "2024-01-01T00:00:00Z", "q": 1}, "$.q: expected no such key, got the integer 1"),
    (Size, {"width": 1, "depth": 2}, "$.depth: expected no such key, got the integer 2"),
    (list[Point], [{"x": 1}, {"x": None}], "$[1].x: expected an integer, got null"),
    (Node, {"value": 1, "next": {"value": "2"}}, "$.next.value: expected an integer, got the string '2'"),
    (int | str, None, "$: expected an integer or a string, got null"),
    (Cat | Dog, {"kind": "cat", "lives": "9"}, "$.lives: expected an integer, got the string '9'"),
    (
        Annotated[Cat | Dog, Field(discriminator="kind")],
        {"kind": "cow"},
        "$.kind: expected one of 'cat', 'dog', got the string 'cow'",
    ),
    (Literal["a", "b"], "c", "$: expected 'a' or 'b', got the string 'c'"),
    (Literal["a", "b", "c"], "d", "$: expected 'a', 'b' or 'c', got the string 'd'"),
    (Literal[1], True, "$: expected 1, got true"),
    (Literal[True], 1, "$: expected true, got the integer 1"),
    (Level, True, "$: expected 0 or 1, got true"),
    (Colour, "green", "$: expected 'red' or 'blue', got the string 'green'"),
    (set[int], [1, 1], "$: expected items that all differ, got an array of 2 items"),
    (Pair, {"left": 1, "right": "a"}, "$: expected an array, got an object with the keys 'left', 'right'"),
    (tuple[int, str], [1], "$[1]: expected a value, got nothing (the key is missing)"),
    (datetime, "1714979289", "$: expected a moment such as 2024-12-31T23:59:59Z, got the string '1714979289'"),
    (datetime, 1714979289, "$: expected a string, got the integer 1714979289"),
    (timedelta, "1 day", "$: expected a duration such as P1DT2H, got the string '1 day'"),
    (UUID, "12345678123456781234567812345678", "$: expected a UUID such as 123e4567-e89b-12d3-a456-426614174000, got the string '12345678123456781234567812345678'"),
    (Annotated[int, Field(gt=3)], 2, "$: expected a value greater than 3, got the integer 2"),
    (Annotated[list[int], Field(min_length=2)], [1], "$: expected the list to have at least 2 items, got an array of 1 item"),
    (Annotated[str, Field(pattern="^a")], "b", "$: expected the string to match pattern '^a', got the string 'b'"),
    (dict[str, int], {"weird key": "x"}, "$['weird key']: expected an integer, got the string 'x'"),
    (Never, 1, "$: expected no value: none is declared, got the integer 1"),
    (object, {"a": {1, 2}}, "$.a: expected a JSON value, got a Python set"),
    (object, {1: 2}, "$: expected keys that are strings, got the key 1"),
    (DatetimeFromMillis, 10**30, "$: expected milliseconds since 1970 within the years 1 to 9999, got the integer 1000000000000000000000000000000"),
]  # fmt: skip


@pytest.mark.parametrize(("form", "wire", "message"), REFUSED, ids=lambda item: str(item)[:40])
def test_what_does_not_fit_is_refused_with_path_expectation_and_what_came(
    form: Any, wire: object, message: str
) -> None:
    with pytest.raises(SchemaMismatchError) as caught:
        schema_of(form).decode(wire)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("form", "value", "message"),
    [
        (Point, {"x": 1, "q": 2}, "$.q: expected no such key, got the integer 2"),
        (list[Point], [{"x": 1, "q": 2}], "$[0].q: expected no such key, got the integer 2"),
        (Point, {}, "$.x: expected a value, got nothing (the key is missing)"),
        (int, None, "$: expected an integer, got null"),
        (str, 3, "$: expected a string, got the integer 3"),
        (Literal["a"], "b", "$: expected 'a', got the string 'b'"),
        (Annotated[int, Field(gt=3)], 2, "$: expected a value greater than 3, got the integer 2"),
        (None, 3, "$: expected null, got the integer 3"),
        (object, socket, "$: expected a value that can be written as JSON, got a Python module"),
        (float, float("nan"), "$: expected a finite number, got the number nan"),
        (object, {"a": float("inf")}, "$: expected a value that JSON can hold, got Infinity is not JSON"),
        (
            object,
            {1: "a", "1": "b"},
            "$: expected a value that JSON can hold, got the key '1' occurs twice in one object",
        ),
        (DatetimeFromMillis, "now", "$: expected a value that can be written as JSON, got the string 'now'"),
    ],
)
def test_encoding_checks_as_deeply_as_decoding(form: Any, value: object, message: str) -> None:
    with pytest.raises(SchemaMismatchError) as caught:
        schema_of(form).encode(value)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"x": 1, "x": 2}', "the key 'x' occurs twice in one object"),
        ('{"x": 1, "y": NaN}', "NaN is not JSON"),
        ('{"x": ', "Expecting value at line 1 column 7"),
    ],
)
def test_decoding_text_keeps_the_rules_of_secure_parsing(text: str, reason: str) -> None:
    with pytest.raises(JsonTextError) as caught:
        schema_of(Point).decode_json(text)
    assert caught.value.description == reason


def test_an_open_type_does_not_hide_a_repeated_key() -> None:
    with pytest.raises(JsonTextError):
        schema_of(dict[str, object]).decode_json('{"a": {"b": 1, "b": 2}}')


def test_a_codec_is_one_line_of_annotated() -> None:
    schema = schema_of(dict[str, Annotated[str, Codec(str, decode=str.upper, encode=str.lower)]])
    assert schema.decode({"text": "hey"}) == {"text": "HEY"}
    assert schema.encode({"text": "HEY"}) == {"text": "hey"}


def test_a_codec_that_raises_refuses_the_value() -> None:
    Inverse = Annotated[float, Codec(int, decode=lambda n: 1 / n, encode=lambda x: round(1 / x))]
    with pytest.raises(SchemaMismatchError) as caught:
        schema_of(Inverse).decode(0)
    assert (
        str(caught.value) == "$: expected a value that can be decoded (ZeroDivisionError), got the integer 0"
    )


@pytest.mark.parametrize(
    ("form", "message"),
    [
        (socket.socket, "parameters cannot be the type socket: it has no JSON form"),
        (print, "parameters cannot be the function print: it has no JSON form"),
        (3, "parameters cannot be the type 3: it has no JSON form"),
        (list[socket.socket], "parameters cannot be the type socket: it has no JSON form"),
        (
            Connection,
            "parameters.to cannot be the type socket: it has no JSON form",
        ),
        (
            typing.Callable[[int], str],
            "parameters cannot be the type Callable[[int], str]: it has no JSON form",
        ),
        (
            types.GenericAlias(list, ("Missing",)),
            "parameters cannot be the type Missing: the name 'Missing' is not defined where the type is used",
        ),
        ("Missing", "parameters is a type, not the text 'Missing'; pass the type"),
        (
            {"query": str},
            "parameters is a type, not a dict of fields; "
            "write a TypedDict with the fields 'query' and pass the class",
        ),
        (
            {"type": "object"},
            "parameters is a type, not a JSON Schema; for a JSON Schema use Tool.dynamic",
        ),
    ],
    ids=lambda item: str(item)[:30],
)
def test_what_cannot_be_a_schema_is_refused_when_it_is_given(form: Any, message: str) -> None:
    with pytest.raises(ToolConfigurationError) as caught:
        schema_of(form, "parameters")
    assert caught.value.description == message


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="only Python 3.11 needs typing_extensions")
def test_a_typed_dict_of_typing_says_where_to_import_it_from() -> None:
    old = typing.TypedDict("old", {"a": int})
    with pytest.raises(ToolConfigurationError) as caught:
        schema_of(old, "parameters")
    assert caught.value.description == (
        "parameters cannot be the type old: before Python 3.12 it must come from typing_extensions: "
        "`from typing_extensions import TypedDict`"
    )


def test_a_type_that_is_local_to_a_function_is_resolved() -> None:
    class Inner(TypedDict):
        n: int

    class Outer(TypedDict):
        inner: Inner

    assert schema_of(Outer).decode({"inner": {"n": 1}}) == {"inner": {"n": 1}}


@pytest.mark.skipif(sys.version_info < (3, 12), reason="type statements need Python 3.12")
def test_a_type_statement_is_a_schema_even_when_it_is_recursive() -> None:
    names: dict[str, Any] = {}
    exec("type Tree = int | list[Tree]", names)
    assert schema_of(names["Tree"]).decode([1, [2]]) == [1, [2]]


def test_the_codec_of_a_plain_type_is_built_on_first_use_and_once() -> None:
    from tool_core import TypeSchema

    schema = TypeSchema.of(Point)
    assert schema._built == []
    assert schema.codec() is schema.codec()
