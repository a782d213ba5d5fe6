"""A stranger's validator takes part: msgspec structs as the parameters of a tool."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

import msgspec

from tool_core import Tool, Toolkit

T = TypeVar("T")


class MsgspecSchema(Generic[T]):
    """The four methods that make anything a schema."""

    def __init__(self, cls: type[T]) -> None:
        self._cls = cls
        self._decoder = msgspec.json.Decoder(cls)

    def decode(self, value: object) -> T:
        return msgspec.convert(value, self._cls)

    def decode_json(self, text: str | bytes) -> T:
        return self._decoder.decode(text)

    def encode(self, value: Any) -> object:
        built: object = msgspec.to_builtins(value)
        return built

    def json_schema(self) -> dict[str, object]:
        return msgspec.json.schema(self._cls)


class Point(msgspec.Struct, forbid_unknown_fields=True):
    x: int
    y: int = 0


def norm(point: Point) -> int:
    return abs(point.x) + abs(point.y)


measure = Tool.make("Measure", parameters=MsgspecSchema(Point), success=int)
bound = Toolkit.make(measure).bind({"Measure": norm})

if __name__ == "__main__":
    print(bound.call_json_sync("Measure", '{"x": 3, "y": -4}').result)
