"""What pydantic reads, writes and describes in different ways is made one, or refused."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Annotated, Any, Literal

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
    (Pet, Cat(), {"kind": "cat", "lives": 9}),
    (dict[str, Pet], {"rex": Dog()}, {"rex": {"kind": "dog"}}),
]


@pytest.mark.parametrize(("form", "value", "wire"), SPELLINGS, ids=lambda item: str(item)[:40])
def test_a_value_is_written_as_it_is_described_and_read(form: Any, value: object, wire: object) -> None:
    schema = TypeSchema.of(form)
    assert schema.encode(value) == wire
    assert schema.decode(wire) == value
    Draft202012Validator(schema.json_schema()).validate(wire)


@pytest.mark.parametrize("form", [item[0] for item in SPELLINGS[:-2]], ids=lambda form: form.__name__)
def test_a_tool_can_return_it(form: Any) -> None:
    value, wire = next((value, wire) for each, value, wire in SPELLINGS if each is form)
    bound: Any = Toolkit.make(Tool.make("T", success=form)).bind({"T": lambda params: value})
    assert bound.call_sync("T", {}).encoded_result == wire


@pytest.mark.parametrize("form", [Iterable[int], complex, type[int], FromPath], ids=str)
def test_what_cannot_be_read_as_it_is_described_is_refused_when_it_is_defined(form: Any) -> None:
    with pytest.raises(ToolConfigurationError, match="it has no JSON form"):
        Tool.make("T", parameters=form)


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
