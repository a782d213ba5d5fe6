"""What the model will answer: the turns of a conversation, written as wire values."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

Json: TypeAlias = dict[str, Any]
Stop: TypeAlias = Literal["", "length", "malformed"]
"""Why an answer ends: it is complete, it became too long, or Gemini threw a broken call away."""


@dataclass(frozen=True, slots=True)
class Say:
    """The model says something."""

    text: str


@dataclass(frozen=True, slots=True)
class Call:
    """The model calls a function, with the arguments as they are on the wire.

    An honest call names a declared tool, obeys the tool choice and fits the schema that was sent;
    the server holds the script to that, so a test cannot lie about what strict mode promises.
    """

    name: str
    arguments: Any = field(default_factory=dict)
    id: str = ""
    honest: bool = True
    raw: str | None = None
    """Text in place of the arguments, for those that are not JSON."""

    @property
    def text(self) -> str:
        return json.dumps(self.arguments, ensure_ascii=False) if self.raw is None else self.raw


@dataclass(frozen=True, slots=True)
class Item:
    """Something else that the model or the provider writes: an output item, a block or a part."""

    wire: Json


@dataclass(frozen=True, slots=True)
class Turn:
    """One answer of the model."""

    content: tuple[Say | Call | Item, ...]
    stop: Stop = ""
    cut: int | None = None
    """After how many events a stream breaks off."""

    @property
    def calls(self) -> list[Call]:
        return [item for item in self.content if isinstance(item, Call)]


@dataclass(frozen=True, slots=True)
class Refusal:
    """The provider answers with an error in its own words."""

    message: str
    status: int = 400


@dataclass(frozen=True, slots=True)
class Ceiling:
    """Limits that no documentation names, or that a gateway sets lower: they are met at run time."""

    properties: int | None = None
    strict_tools: int | None = None
    depth: int | None = None


def turn(*content: Say | Call | Item | str, stop: Stop = "", cut: int | None = None) -> Turn:
    """Write a turn; plain text is what the model says."""
    return Turn(tuple(Say(item) if isinstance(item, str) else item for item in content), stop, cut)
