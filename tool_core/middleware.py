"""The one hook around a call: what it sees, and how several become one. Layer 2."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from tool_core.context import Context
from tool_core.outcomes import HandlerResult
from tool_core.tools import AnyTool


@dataclass(frozen=True, slots=True)
class Call:
    """One call as middleware sees it: `params` are encoded, as the model sent them.

    >>> from tool_core import Tool
    >>> Call("call_1", Tool.make("Now"), {}).name
    'Now'
    """

    id: str
    tool: AnyTool
    params: object
    context: Context[Any] = field(default_factory=Context)

    @property
    def name(self) -> str:
        """The name of the tool."""
        return self.tool.name


Next: TypeAlias = Callable[[Call], Awaitable[HandlerResult[object]]]
"""Runs the call; always returns, whatever the failure mode: a failure has `is_failure`."""

Wrap: TypeAlias = Callable[[Call, Next], Awaitable[HandlerResult[object]]]
"""Middleware: sees the call, may run it any number of times, and answers for it."""


def compose(*wraps: Wrap) -> Wrap:
    """Make one middleware of several; the first is the outermost.

    >>> import asyncio
    >>> from tool_core import Tool
    >>> async def loud(call, next):
    ...     print("before", call.name)
    ...     return await next(call)
    >>> async def last(call): return HandlerResult(1, "1")
    >>> asyncio.run(compose(loud, loud)(Call("1", Tool.make("Now")  , {}), last)).result
    before Now
    before Now
    1
    """

    def around(wrap: Wrap, inner: Next) -> Next:
        return lambda call: wrap(call, inner)

    async def composed(call: Call, next_: Next) -> HandlerResult[object]:
        for wrap in reversed(wraps):
            next_ = around(wrap, next_)
        return await next_(call)

    return composed
