"""What a handler gives back, and what the caller gets: plain values. Layer 2."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, cast

from typing_extensions import TypeVar

_scan: Callable[[str, int], tuple[object, int]] = getattr(json.JSONDecoder(), "scan_once")  # noqa: B009
# the text is our own: no white space around it, no rest behind it
T_co = TypeVar("T_co", covariant=True, default=object)
B_co = TypeVar("B_co", covariant=True, bound=bool, default=bool)


@dataclass(frozen=True, slots=True)
class Fail(Generic[T_co]):
    """A declared failure: return it from a handler instead of raising.

    >>> Fail({"code": 404})
    Fail(value={'code': 404})
    """

    value: T_co


@dataclass(frozen=True, slots=True)
class Preliminary(Generic[T_co]):
    """Progress, yielded by an async generator handler; has the tool's success type.

    >>> Preliminary("10 %")
    Preliminary(value='10 %')
    """

    value: T_co


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a call is, where there is no partial result to show; goes to `ctx.preliminary`.

    >>> Progress(3, 10, "reading").to_json()
    '{"progress": 3, "total": 10, "message": "reading"}'
    """

    progress: float
    total: float | None = None
    message: str | None = None

    def to_json(self) -> str:
        """The progress as text; what is not known is left out."""
        said = {"progress": self.progress, "total": self.total, "message": self.message}
        return json.dumps({key: value for key, value in said.items() if value is not None}, allow_nan=False)


@dataclass(frozen=True, slots=True)
class Final(Generic[T_co]):
    """The result, yielded last by an async generator handler.

    >>> Final("done")
    Final(value='done')
    """

    value: T_co


@dataclass(frozen=True, slots=True)
class HandlerResult(Generic[T_co, B_co]):
    """What a call gave: the decoded `result`, and the same as JSON for the model.

    The type parameters are the result and whether it is a failure, so that a union of a success and
    a failure is told apart by `is_failure`.

    >>> done = HandlerResult({"temperature": 3.5}, '{"temperature":3.5}')
    >>> done.encoded_result, done.is_failure, done.to_json()
    ({'temperature': 3.5}, False, '{"temperature":3.5}')
    """

    result: T_co
    text: str
    is_failure: B_co = cast(Any, False)  # noqa: RUF009
    preliminary: bool = False

    @property
    def encoded_result(self) -> object:
        """The result as JSON-ready Python: what goes into the history."""
        value: object = _scan(self.text, 0)[0]
        return value

    def to_json(self) -> str:
        """The result as text for the model."""
        return self.text
