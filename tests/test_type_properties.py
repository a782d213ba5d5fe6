"""Laws of type schemas over generated types and values."""

from __future__ import annotations

import copy
import json
from collections import deque
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from ipaddress import IPv4Address
from pathlib import PurePosixPath
from typing import Annotated, Any, Generic, Literal, NamedTuple, NotRequired, Optional, TypeVar, cast
from uuid import UUID

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator, FormatChecker
from pydantic import BaseModel, ConfigDict, Field, RootModel, computed_field
from typing_extensions import TypedDict

from tool_core import Schema, SchemaMismatchError, schema_of
from tool_core.problems import json_path

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
SMALL = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@dataclass(frozen=True)
class Sample:
    """A type form with a strategy for its values."""

    form: Any
    values: st.SearchStrategy[Any]


class Mixed(Enum):
    ZERO = 0
    TEXT = "t"
    SHARE = 0.5
    NOTHING = None


class Pair(NamedTuple):
    a: int
    b: str = "b"


class Aliased(BaseModel):
    model_config = ConfigDict(populate_by_name=True)
    x: int = Field(alias="xName")


@dataclass
class Initial:
    a: int
    b: int = field(init=False, default=3)


class Counts(RootModel[dict[str, int]]):
    pass


class Cat(BaseModel):
    kind: Literal["cat"] = "cat"
    lives: int = 9


class Dog(BaseModel):
    kind: Literal["dog"] = "dog"


Tagged = Annotated[Cat | Dog, Field(discriminator="kind")]


@dataclass
class Tree:
    children: list[Tree] = field(default_factory=list)


Item = TypeVar("Item")


class Box(BaseModel, Generic[Item]):
    item: Item | None = None


LEAVES: list[Sample] = [
    Sample(int, st.integers(-(2**53), 2**53)),
    Sample(float, st.floats(allow_nan=False, allow_infinity=False)),
    Sample(str, TEXT),
    Sample(bool, st.booleans()),
    Sample(None, st.none()),
    Sample(Literal["a", "b", 3], st.sampled_from(["a", "b", 3])),
    Sample(datetime, st.datetimes(timezones=st.just(UTC))),
    Sample(date, st.dates()),
    Sample(UUID, st.uuids()),
    Sample(time, st.times()),
    Sample(timedelta, st.timedeltas(timedelta(-999), timedelta(999))),
    Sample(Decimal, st.decimals(allow_nan=False, allow_infinity=False, places=3)),
    Sample(bytes, TEXT.map(str.encode)),
    Sample(PurePosixPath, st.just(PurePosixPath("a/b"))),
    Sample(IPv4Address, st.ip_addresses(v=4)),
    Sample(Mixed, st.sampled_from(Mixed)),
    Sample(Literal[Mixed.ZERO, False, "a"], st.sampled_from([Mixed.ZERO, False, "a"])),
    Sample(Pair, st.builds(Pair, st.integers(0, 9), TEXT)),
    Sample(Aliased, st.builds(Aliased, xName=st.integers(0, 9))),
    Sample(Initial, st.builds(Initial, st.integers(0, 9))),
    Sample(Counts, st.dictionaries(TEXT, st.integers(0, 9), max_size=2).map(Counts)),
    Sample(Tagged, st.sampled_from([Cat(), Cat(lives=3), Dog()])),
    Sample(Tree, st.recursive(st.builds(Tree), lambda trees: st.builds(Tree, st.lists(trees, max_size=2)))),
    Sample(Box[int], st.builds(Box[int], item=st.integers(0, 9))),
]

KEYS: list[Sample] = [
    Sample(str, TEXT),
    Sample(int, st.integers(-(2**53), 2**53)),
    Sample(bool, st.booleans()),
    Sample(Literal["a", 1], st.sampled_from(["a", 1])),
    Sample(Mixed, st.sampled_from([Mixed.ZERO, Mixed.TEXT])),
    Sample(date, st.dates()),
    Sample(UUID, st.uuids()),
]
HASHABLE = LEAVES[:-6]


@st.composite
def samples(draw: st.DrawFn, depth: int = 3) -> Sample:
    kinds = ["leaf", "list", "dict", "keys", "set", "deque", "optional", "tuple", "record"]
    kind = draw(st.sampled_from(kinds if depth else ["leaf"]))
    if kind == "leaf":
        return draw(st.sampled_from(LEAVES))
    if kind == "set":
        item = draw(st.sampled_from(HASHABLE))
        return Sample(frozenset[item.form], st.frozensets(item.values, max_size=3))  # type: ignore[name-defined]
    inner = draw(samples(depth=depth - 1))
    if kind == "list":
        return Sample(list[inner.form], st.lists(inner.values, max_size=3))  # type: ignore[name-defined]
    if kind == "dict":
        return Sample(dict[str, inner.form], st.dictionaries(TEXT, inner.values, max_size=3))  # type: ignore[name-defined]
    if kind == "keys":
        key = draw(st.sampled_from(KEYS))
        return Sample(dict[key.form, inner.form], st.dictionaries(key.values, inner.values, max_size=3))  # type: ignore[name-defined]
    if kind == "deque":
        return Sample(deque[inner.form], st.lists(inner.values, max_size=3).map(deque))  # type: ignore[name-defined]
    if kind == "optional":
        return Sample(Optional[inner.form], st.none() | inner.values)  # noqa: UP045
    if kind == "tuple":
        other = draw(samples(depth=depth - 1))
        return Sample(tuple[inner.form, other.form], st.tuples(inner.values, other.values))  # type: ignore[name-defined]
    fields = {f"f{index}": draw(samples(depth=depth - 1)) for index in range(draw(st.integers(0, 3)))}
    optional = {name: draw(st.booleans()) for name in fields}
    forms = {name: NotRequired[item.form] if optional[name] else item.form for name, item in fields.items()}
    required = {name: item.values for name, item in fields.items() if not optional[name]}
    extra = {name: item.values for name, item in fields.items() if optional[name]}
    record = cast(Any, TypedDict)("Record", forms)
    return Sample(record, st.fixed_dictionaries(required, optional=extra))


@SMALL
@given(st.data())
def test_encoding_round_trips_and_satisfies_the_schema(data: st.DataObject) -> None:
    sample = data.draw(samples())
    value = data.draw(sample.values)
    schema = schema_of(sample.form)
    wire = schema.encode(value)
    assert schema.decode(wire) == value
    assert schema.decode_json(json.dumps(wire)) == value
    judge(schema).validate(wire)


@SMALL
@given(st.data())
def test_what_decode_refuses_is_at_the_path_it_names(data: st.DataObject) -> None:
    sample = data.draw(samples())
    schema = schema_of(sample.form)
    wire = schema.encode(data.draw(sample.values))
    paths = list(_paths(wire))
    target = data.draw(st.sampled_from(paths))
    broken = _replaced(wire, target, {"\u0000": {"\u0000": []}})
    is_valid = judge(schema).is_valid(broken)
    try:
        schema.decode(broken)
    except SchemaMismatchError as error:
        assert not is_valid
        assert all(str(item["path"]).startswith(json_path(target)) for item in error.problems)
    else:
        assert is_valid


NEAR_MISSES = [
    True,
    0,
    1,
    1.0,
    2.5,
    None,
    [],
    {},
    [1, 1],
    [1, 2.5],
    {"a": 1},
    {"x": 1},
    {"01": 1},
    {"kind": 1},
]


@SMALL
@given(st.data())
def test_decode_accepts_what_the_schema_accepts_and_nothing_else(data: st.DataObject) -> None:
    sample = data.draw(samples())
    schema = schema_of(sample.form)
    wire = schema.encode(data.draw(sample.values))
    target = data.draw(st.sampled_from(list(_paths(wire))))
    near = _replaced(wire, target, data.draw(st.sampled_from(NEAR_MISSES)))
    is_valid = judge(schema).is_valid(near)
    try:
        decoded = schema.decode(near)
    except SchemaMismatchError:
        assert not is_valid
    else:
        assert is_valid
        assert schema.decode(schema.encode(decoded)) == decoded


def judge(schema: Schema[object]) -> Any:
    """Read the schema as somebody else does, with the formats that a key may have."""
    formats = FormatChecker(["date", "uuid"])
    return Draft202012Validator(cast(Any, schema.json_schema()), format_checker=formats)


def _paths(value: object, path: tuple[str | int, ...] = ()) -> Any:
    yield path
    if isinstance(value, dict):
        for key, child in value.items():
            yield from _paths(child, (*path, key))
    elif isinstance(value, list):
        for index, child in enumerate(value):
            yield from _paths(child, (*path, index))


def _replaced(value: Any, path: tuple[str | int, ...], new: object) -> Any:
    if not path:
        return new
    copy = json.loads(json.dumps(value))
    parent = copy
    for step in path[:-1]:
        parent = parent[step]
    parent[path[-1]] = new
    return copy


def test_a_users_model_keeps_its_own_core_schema() -> None:
    class Model(BaseModel):
        a: int

        @computed_field
        def b(self) -> int:
            return self.a + 1

    before = copy.deepcopy(Model.__pydantic_core_schema__)
    schema = schema_of(Model)
    assert schema.json_schema()["additionalProperties"] is False
    assert schema.encode(Model(a=1)) == {"a": 1}
    assert Model.__pydantic_core_schema__ == before
    assert Model.model_validate({"a": 1, "other": 2}).model_dump() == {"a": 1, "b": 2}
