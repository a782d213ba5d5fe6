"""What a request is to a provider: the body it got, the tools it declares, and what is wrong with it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from tests.loopback.scripts import Ceiling, Json, Turn


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a provider refuses a request, and where, both in its own words."""

    where: str
    message: str


@dataclass(frozen=True, slots=True)
class Issued:
    """A call that the model made earlier in the conversation."""

    name: str
    arguments: Any


@dataclass(frozen=True, slots=True)
class Request:
    """A request as it arrived, and the calls that the model had made before it."""

    path: str
    headers: Mapping[str, str]
    body: Json
    issued: Mapping[str, Issued] = field(default_factory=dict)
    number: int = 1
    """Which request of the conversation it is."""

    @property
    def betas(self) -> list[str]:
        text = self.headers.get("anthropic-beta", "")
        return [beta.strip() for beta in text.split(",")] if text else []


@dataclass(frozen=True, slots=True)
class Declared:
    """A function that a request declares."""

    name: str
    schema: Json
    strict: bool


@dataclass(frozen=True, slots=True)
class Choice:
    """Which functions the model may call, and whether it must."""

    must: bool = False
    names: frozenset[str] | None = None


Problems: TypeAlias = Iterator[Problem]


@dataclass(frozen=True, slots=True)
class Dialect:
    """How one API reads requests and writes answers."""

    problems: Callable[[Request], Problems]
    declared: Callable[[Request], list[Declared]]
    output_schema: Callable[[Request], Json | None]
    choice: Callable[[Request], Choice]
    numbered: Callable[[Turn, Request], Turn]
    """Give every call the id that this API would give it."""
    body: Callable[[Turn, Request], Json]
    events: Callable[[Turn, Request], Iterator[str]]
    error: Callable[[int, str, str], Json]
    beyond: Callable[[Request, Ceiling], str | None]
    """Say, in the provider's words, which limit is exceeded that shows only at run time."""
    streams: Callable[[Request], bool]
    undeclared: Callable[[Json, Request], str | None] = lambda _item, _request: None
    """Name the tool that an item of a script comes from, where the request does not declare it."""
    spelled: Callable[[Json], Json] = lambda body: body
    """Spell the names of a body's fields in one way, where the API takes several."""


def same_calls(at: str, call_id: object, name: object, arguments: Any, request: Request) -> Problems:
    """Check that a call in the history is one that the model made, unchanged."""
    if not isinstance(call_id, str) or call_id not in request.issued:
        yield Problem(at, f"the model never made the call {call_id!r}")
    elif request.issued[call_id] != Issued(str(name), arguments):
        made = request.issued[call_id]
        yield Problem(
            at,
            f"the call {call_id!r} was {made.name}({json.dumps(made.arguments)}), "
            f"not {name}({json.dumps(arguments)})",
        )
