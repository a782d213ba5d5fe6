"""Types that travel in another form than they are used in. Layer 1."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated, Any, Generic

from typing_extensions import TypeForm, TypeVar

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler
    from pydantic_core import CoreSchema

E = TypeVar("E")
D = TypeVar("D")

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


@dataclass(frozen=True)
class Codec(Generic[E, D]):
    """How a type travels: put it into `Annotated` beside the type that handlers see.

    `decode` may raise anything to refuse a value; `ValueError` keeps its message.

    >>> from tool_core import schema_of
    >>> Csv = Annotated[list[str], Codec(str, decode=lambda s: s.split(","), encode=",".join)]
    >>> schema = schema_of(Csv)
    >>> schema.decode("a,b"), schema.encode(["a", "b"]), schema.json_schema()
    (['a', 'b'], 'a,b', {'type': 'string'})
    """

    encoded: TypeForm[E]
    decode: Callable[[E], D]
    encode: Callable[[D], E]

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Tell pydantic to read the encoded type and to write it back."""
        from pydantic_core import core_schema

        encoded = handler.generate_schema(self.encoded)
        writing = core_schema.plain_serializer_function_ser_schema(self.encode, return_schema=encoded)
        return core_schema.no_info_after_validator_function(self._decoded, encoded, serialization=writing)

    def _decoded(self, value: E) -> D:
        try:
            return self.decode(value)
        except ValueError:
            raise
        except Exception as error:  # pydantic turns only ValueError into a reported problem
            raise ValueError(f"a value that can be decoded ({type(error).__name__})") from error


def _from_millis(millis: int) -> datetime:
    try:
        return _EPOCH + timedelta(milliseconds=millis)
    except OverflowError:
        raise ValueError("milliseconds since 1970 within the years 1 to 9999") from None


def _to_millis(moment: datetime) -> int:
    return (moment - _EPOCH) // _MILLISECOND


DatetimeFromMillis = Annotated[datetime, Codec(int, decode=_from_millis, encode=_to_millis)]
"""A moment that travels as milliseconds since 1970.

>>> from tool_core import schema_of
>>> schema_of(DatetimeFromMillis).decode(1000)
datetime.datetime(1970, 1, 1, 0, 0, 1, tzinfo=datetime.timezone.utc)
"""
