"""Which annotations of a handler fit a tool: a strict checker's yes, and yes wherever there is a doubt."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal, NotRequired, Optional, Protocol, TypeVar

import pytest
from pydantic import BaseModel
from typing_extensions import TypedDict

from tool_core.type_relations import accepts

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Point(TypedDict):
    x: int
    name: NotRequired[str]


class Point3(Point):
    z: int


class Model(BaseModel):
    x: int


class HasX(Protocol):
    x: int


class Holds(Protocol[T_co]):
    def item(self) -> T_co: ...


@dataclasses.dataclass
class Other:
    x: int


FITS: list[tuple[Any, Any]] = [
    (Any, Point),
    (T, Point),
    (Mapping[str, object], Point),
    (dict[str, Any], Point),
    (Point, Point3),
    (list[dict[str, Any]], list[Point]),
    (Sequence[Mapping[str, Any]], list[Point]),
    (dict[str, dict[str, Any]], dict[str, Point]),
    (Sequence[Point], list[Point3]),
    (Sequence[int], tuple[int, int]),
    (Sequence[int | str], tuple[int, str]),
    (tuple[int, ...], tuple[int, int]),
    (Sequence[int], tuple[int, ...]),
    (Sequence[str], str),
    (Iterable[str], Literal["a", "b"]),
    (list[float], list[int]),
    (Optional[int], Literal[1]),  # noqa: UP045
    (int, Annotated[int, "positive"]),
    (BaseModel, Model),
    (HasX, Model),
    (Holds[int], list[int]),
]

MISFITS: list[tuple[Any, Any]] = [
    (Point3, Point),
    (list[Point3], list[Point]),
    (Sequence[Point3], list[Point]),
    (int, int | None),
    (int, float),
    (list[str], str),
    (Mapping[str, str], str),
    (Iterable[int], str),
    (Sequence[int], tuple[int, str]),
    (tuple[int, int], list[int]),
    (Literal["a"], str),
    (Other, Model),
    (Mapping[str, int], Mapping[str, str]),
]


@pytest.mark.parametrize(("wanted", "given"), FITS, ids=str)
def test_what_a_handler_may_be_given_fits(wanted: Any, given: Any) -> None:
    assert accepts(wanted, given)


@pytest.mark.parametrize(("wanted", "given"), MISFITS, ids=str)
def test_what_a_handler_cannot_be_given_does_not_fit(wanted: Any, given: Any) -> None:
    assert not accepts(wanted, given)
