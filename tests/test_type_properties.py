"""Laws of type schemas over generated types and values."""

from __future__ import annotations

import copy
import json
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any, Literal, NotRequired, cast
from uuid import UUID

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from pydantic import BaseModel, computed_field
from typing_extensions import TypedDict

from tool_core import SchemaMismatchError, schema_of
from tool_core.problems import json_path

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
SMALL = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@dataclass(frozen=True)
class Sample:
    """A type form with a strategy for its values."""

    form: Any
    values: st.SearchStrategy[Any]


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
]


@st.composite
def samples(draw: st.DrawFn, depth: int = 3) -> Sample:
    kind = draw(st.sampled_from(["leaf", "list", "dict", "tuple", "record"] if depth else ["leaf"]))
    if kind == "leaf":
        return draw(st.sampled_from(LEAVES))
    inner = draw(samples(depth=depth - 1))
    if kind == "list":
        return Sample(list[inner.form], st.lists(inner.values, max_size=3))  # type: ignore[name-defined]
    if kind == "dict":
        return Sample(dict[str, inner.form], st.dictionaries(TEXT, inner.values, max_size=3))  # type: ignore[name-defined]
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
    Draft202012Validator(cast(Any, schema.json_schema())).validate(wire)


@SMALL
@given(st.data())
def test_what_decode_refuses_is_at_the_path_it_names(data: st.DataObject) -> None:
    sample = data.draw(samples())
    schema = schema_of(sample.form)
    wire = schema.encode(data.draw(sample.values))
    paths = list(_paths(wire))
    target = data.draw(st.sampled_from(paths))
    broken = _replaced(wire, target, {"\u0000": {"\u0000": []}})
    is_valid = Draft202012Validator(cast(Any, schema.json_schema())).is_valid(broken)
    try:
        schema.decode(broken)
    except SchemaMismatchError as error:
        assert not is_valid
        assert all(str(item["path"]).startswith(json_path(target)) for item in error.problems)
    else:
        assert is_valid


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
