"""What pydantic reads, writes and describes in different ways is made one, or refused."""

from __future__ import annotations

import dataclasses
import datetime
import enum
import json
from collections.abc import Iterable
from decimal import Decimal
from typing import Annotated, Any, Literal, NamedTuple

import pytest
from jsonschema import Draft202012Validator
from pydantic import AliasChoices, AliasPath, BaseModel, ConfigDict, Field, Json, RootModel, TypeAdapter
from pydantic.dataclasses import dataclass as model_dataclass

from tool_core import SchemaMismatchError, Tool, ToolConfigurationError, Toolkit
from tool_core.strict import ANTHROPIC_STRICT, GOOGLE_STRICT, OPENAI_STRICT, FormatDescriptor, strictify
from tool_core.type_schemas import TypeSchema


class Renamed(BaseModel):
    x: int = Field(alias="xName")


class TwoNames(BaseModel):
    x: int = Field(validation_alias="in", serialization_alias="out")


class OtherName(BaseModel):
    x: int = Field(serialization_alias="out")


class Choices(BaseModel):
    x: int = Field(validation_alias=AliasChoices(AliasPath("deep", 0), "a", "b"))


class Shouting(BaseModel):
    model_config = ConfigDict(populate_by_name=True, alias_generator=str.upper)
    x: int


class Counts(RootModel[dict[str, int]]):
    pass


class Wrapped(RootModel[Renamed]):
    pass


class ByEitherName(BaseModel):
    model_config = ConfigDict(validate_by_name=True, validate_by_alias=False)
    x: int = Field(alias="X")


class Spelt(BaseModel):
    model_config = ConfigDict(ser_json_timedelta="float", ser_json_bytes="base64")
    wait: datetime.timedelta
    data: bytes


class Mixed(enum.Enum):
    TEXT = "a"
    ONE = 1
    SAME = True
    NOTHING = None
    PAIR = (1, "b")


class Shares(enum.Enum):
    HALF = 0.5
    DOUBLE = 2.0


class Pair(NamedTuple):
    a: int
    b: str = "b"


class Nested(BaseModel):
    text: Json[list[int]]


class FromPath(BaseModel):
    x: int = Field(validation_alias=AliasPath("a", 0))


@dataclasses.dataclass
class Computed:
    a: int
    b: int = dataclasses.field(init=False, default=3)


@model_dataclass
class RenamedDataclass:
    a: int = Field(alias="aName")


class Cat(BaseModel):
    kind: Literal["cat"] = "cat"
    lives: int = 9


class Dog(BaseModel):
    kind: Literal["dog"] = "dog"


class Meow(BaseModel):
    sound: Literal["meow"] = Field(alias="said")


class Woof(BaseModel):
    sound: Literal["woof"] = Field(alias="said")


Noise = Annotated[Meow | Woof, Field(discriminator="sound")]
Pet = Annotated[Cat | Dog, Field(discriminator="kind")]

SPELLINGS: list[tuple[Any, object, object]] = [
    (Renamed, Renamed(xName=1), {"xName": 1}),
    (TwoNames, TwoNames.model_validate({"in": 1}), {"in": 1}),
    (OtherName, OtherName(x=1), {"x": 1}),
    (Choices, Choices.model_validate({"b": 1}), {"a": 1}),
    (Shouting, Shouting(x=1), {"X": 1}),
    (Counts, Counts({"a": 1}), {"a": 1}),
    (Wrapped, Wrapped(Renamed(xName=1)), {"xName": 1}),
    (Nested, Nested.model_validate({"text": "[1]"}), {"text": "[1]"}),
    (Computed, Computed(1), {"a": 1}),
    (RenamedDataclass, TypeAdapter(RenamedDataclass).validate_python({"aName": 1}), {"aName": 1}),
    (ByEitherName, ByEitherName.model_validate({"x": 1}), {"X": 1}),
    (
        Spelt,
        Spelt(wait=datetime.timedelta(seconds=1), data=b"a"),
        {"wait": "PT1S", "data": "a"},
    ),
    (Mixed, Mixed.PAIR, [1, "b"]),
    (Pair, Pair(1), [1, "b"]),
    (Literal[Mixed.TEXT, "b"], Mixed.TEXT, "a"),
    (dict[int, str], {-1: "a", 0: "b"}, {"-1": "a", "0": "b"}),
    (dict[float, str], {1.5: "a", 1e300: "b"}, {"1.5": "a", "1e+300": "b"}),
    (dict[Decimal, str], {Decimal("1.50"): "a"}, {"1.50": "a"}),
    (dict[bool, str], {True: "a"}, {"true": "a"}),
    (dict[Literal[1, "a"], str], {1: "a", "a": "b"}, {"1": "a", "a": "b"}),
    (dict[int | None, str], {1: "a", None: "b"}, {"1": "a", "None": "b"}),
    (Noise, Woof(said="woof"), {"said": "woof"}),
    (Pet, Cat(), {"kind": "cat", "lives": 9}),
    (dict[str, Pet], {"rex": Dog()}, {"rex": {"kind": "dog"}}),
]


@pytest.mark.parametrize(("form", "value", "wire"), SPELLINGS, ids=lambda item: str(item)[:40])
def test_a_value_is_written_as_it_is_described_and_read(form: Any, value: object, wire: object) -> None:
    schema = TypeSchema.of(form)
    assert schema.encode(value) == wire
    assert schema.decode(wire) == value
    Draft202012Validator(schema.json_schema()).validate(wire)


@pytest.mark.parametrize("form", [item[0] for item in SPELLINGS], ids=lambda form: str(form)[:40])
def test_a_tool_can_return_it(form: Any) -> None:
    value, wire = next((value, wire) for each, value, wire in SPELLINGS if each is form)
    bound: Any = Toolkit.make(Tool.make("T", success=form)).bind({"T": lambda params: value})
    assert bound.call_sync("T", {}).encoded_result == wire


@pytest.mark.parametrize(
    "form",
    [Iterable[int], complex, type[int], FromPath, dict[tuple[int, int], str], dict[Literal[1, "1"], str]],
    ids=str,
)
def test_what_cannot_be_read_as_it_is_described_is_refused_when_it_is_defined(form: Any) -> None:
    with pytest.raises(ToolConfigurationError, match="it has no JSON form"):
        Tool.make("T", parameters=form)


REFUSED: list[tuple[Any, object]] = [
    (dict[int, int], {"01": 1}),
    (dict[int, int], {" 1": 1}),
    (dict[int, int], {"+1": 1}),
    (dict[int, int], {"1.0": 1}),
    (dict[int | None, int], {"a": 1}),
    (dict[float, int], {"inf": 1}),
    (dict[bool, int], {"yes": 1}),
    (dict[Literal[1], int], {"true": 1}),
    (dict[Annotated[str, Field(pattern="^a$")], int], {"b": 1}),
    (Pair, {"a": 1}),
    (Pair, []),
    (Shouting, {"x": 1}),
    (ByEitherName, {"x": 1}),
    (Mixed, True),
]


@pytest.mark.parametrize(("form", "wire"), REFUSED, ids=lambda item: str(item)[:40])
def test_what_the_schema_does_not_describe_is_not_read(form: Any, wire: Any) -> None:
    schema = TypeSchema.of(form)
    assert not Draft202012Validator(schema.json_schema()).is_valid(wire)
    with pytest.raises(SchemaMismatchError):
        schema.decode(wire)


def test_a_key_that_is_no_number_is_named_in_our_words() -> None:
    with pytest.raises(SchemaMismatchError) as caught:
        TypeSchema.of(dict[int, int]).decode({"01": 1})
    assert str(caught.value) == "$['01']: expected a whole number as the key, got the string '01'"


def test_a_member_of_two_names_is_described_once() -> None:
    assert TypeSchema.of(Mixed).json_schema() == {"enum": ["a", 1, None, [1, "b"]]}


@pytest.mark.parametrize(
    ("form", "wire", "value"),
    [
        (int, 3.0, 3),
        (list[int], [1, -2.0], [1, -2]),
        (Literal[1], 1.0, 1),
        (Shares, 2, Shares.DOUBLE),
        (Renamed, {"xName": 2.0}, Renamed(xName=2)),
        (int | str, 3.0, 3),
    ],
    ids=str,
)
def test_a_whole_number_may_be_written_with_a_fraction(form: Any, wire: object, value: object) -> None:
    schema = TypeSchema.of(form)
    for decoded in (schema.decode(wire), schema.decode_json(json.dumps(wire))):
        assert (decoded, repr(decoded)) == (value, repr(value))


def test_no_whole_number_is_written_with_a_fraction() -> None:
    with pytest.raises(SchemaMismatchError, match="expected an integer"):
        TypeSchema.of(int).encode(3.0)
    with pytest.raises(SchemaMismatchError, match=r"\$\[1\]: expected an integer, got the number 2.5"):
        TypeSchema.of(list[int]).decode([1.0, 2.5])


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('{"a": 1, "a": 2}', "the key 'a' occurs twice in one object"),
        ('{"__proto__": 1}', "the key '__proto__' is forbidden"),
        ('{"a": NaN}', "NaN is not JSON"),
        ("[", "Expecting value at line 1 column 2"),
    ],
)
def test_a_text_inside_json_keeps_to_the_rules_of_json_text(text: str, fault: str) -> None:
    with pytest.raises(SchemaMismatchError) as caught:
        TypeSchema.of(list[Json[dict[str, float]]]).decode([text])
    expected = f"a text that is sound JSON ({fault})"
    assert str(caught.value) == f"$[0]: expected {expected}, got the string {text!r}"


def test_the_tag_of_a_union_is_asked_for_also_where_it_has_a_default() -> None:
    schema = TypeSchema.of(Pet)
    assert not Draft202012Validator(schema.json_schema()).is_valid({"lives": 9})
    with pytest.raises(SchemaMismatchError) as caught:
        schema.decode({"lives": 9})
    assert (
        str(caught.value) == "$: expected an object with the key 'kind', got an object with the keys 'lives'"
    )
    assert not Draft202012Validator(TypeSchema.of(Cat).json_schema()).is_valid({"kind": "dog"})
    assert TypeSchema.of(Cat).decode({}) == Cat()


class Home(BaseModel):
    pets: list[Pet]


@pytest.mark.parametrize(
    "dialect", [OPENAI_STRICT, ANTHROPIC_STRICT, GOOGLE_STRICT], ids=["openai", "anthropic", "google"]
)
def test_a_tag_with_a_default_survives_every_dialect(dialect: FormatDescriptor) -> None:
    form = strictify(TypeSchema.of(Home).json_schema(), dialect)
    value = {"pets": [{"kind": "cat", "lives": 9}, {"kind": "dog"}]}
    assert form.lift(form.lower(value)) == value
