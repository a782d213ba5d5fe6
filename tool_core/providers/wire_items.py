"""What a response says about tools, in the words of no provider in particular. Layer 3."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class WireCall:
    """A call as it stands in a response: under the wire name, in the form of the wire."""

    id: str
    name: str
    arguments: object
    """JSON text where the provider sends text, else the value."""
    executed: bool = False
    """The provider has run it."""
    fault: str | None = None
    """Why it cannot be read, where the response itself says so."""
    metadata: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class WireResult:
    """What a tool gave that the provider has run."""

    id: str
    name: str
    result: object
    is_failure: bool = False
    metadata: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class WireApproval:
    """The provider asks whether it may run a tool; the call carries the same id."""

    id: str


WireItem: TypeAlias = WireCall | WireResult | WireApproval

CUT_OFF = "the arguments were cut off before they were complete; send the whole call again"
"""The words for a call that a limit or a broken connection has truncated."""
