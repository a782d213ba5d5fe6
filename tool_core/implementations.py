"""Handlers: what they look like, what they may reach, and a tool paired with one. Layer 2."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Generator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, overload

from typing_extensions import TypeForm, TypeVar

from tool_core.context import Context, Key
from tool_core.outcomes import Fail, Final, Preliminary, Progress

if TYPE_CHECKING:
    from tool_core.tools import Tool

T = TypeVar("T")
P = TypeVar("P")
S = TypeVar("S")
F = TypeVar("F")
R = TypeVar("R")
S_contra = TypeVar("S_contra", contravariant=True, default=Any)
R_contra = TypeVar("R_contra", contravariant=True, default=Any)
Tool_co = TypeVar("Tool_co", covariant=True, bound="Tool[Any, Any, Any, Any, Any, Any]")


@dataclass(frozen=True, slots=True)
class HandlerContext(Generic[S_contra, R_contra]):
    """What a handler may use beside its parameters, when it takes a second argument.

    `deadline` is the `time.monotonic()` at which the call times out, if it does.

    >>> from tool_core import Tool
    >>> async def count(params, ctx: HandlerContext[int]) -> int:
    ...     await ctx.preliminary(1)
    ...     return 2
    >>> Tool.make("Count", success=int).implement(count).tool
    Tool 'Count' (EmptyParams) -> int
    """

    tool_name: str
    call_id: str
    deadline: float | None
    services: Context[Any] = field(default_factory=Context, repr=False)
    emit: Callable[[object], Awaitable[None]] | None = field(default=None, repr=False)

    def preliminary(self, value: S_contra | Progress, /) -> Awaitable[None]:
        """Report a result so far, or `Progress`, from a thread as from a coroutine.

        Awaiting it waits for a slow reader.
        """
        return Unheard() if self.emit is None else self.emit(value)

    @overload
    def get(self, key: TypeForm[T], /) -> T: ...
    @overload
    def get(self, key: Key[T], /) -> T: ...
    def get(self, key: Any, /) -> Any:
        """Return a service that the tool depends on."""
        return self.services.get(key)


class Unheard:
    """What `preliminary` returns where there is nothing to wait for: may be awaited, need not be.

    >>> list(Unheard().__await__())
    []
    """

    def __await__(self) -> Generator[None, None, None]:
        yield from ()


Returned: TypeAlias = (
    S | Fail[F] | Awaitable[S | Fail[F]] | AsyncIterator[Preliminary[S] | Final[S] | Final[Fail[F]]]
)
"""What a handler returns: a success or a `Fail`, at once, awaited, or as the end of a stream."""

Handler: TypeAlias = Callable[[P], Returned[S, F]]
HandlerWithContext: TypeAlias = Callable[[P, HandlerContext[S, R]], Returned[S, F]]


@dataclass(frozen=True, slots=True)
class Implementation(Generic[Tool_co]):
    """A tool paired with its handler, as `tool.implement(handler)` makes it.

    >>> from tool_core import Tool
    >>> now = Tool.make("Now", success=float).implement(lambda params: 12.5)
    >>> now.tool.name, now.handler({})
    ('Now', 12.5)
    """

    tool: Tool_co
    handler: Callable[..., object]
