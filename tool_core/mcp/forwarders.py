"""A handler that hands a call on to a server, and what of its answer is the result. Edge."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import mcp_types
from mcp import MCPError

from tool_core.errors import InvalidToolResultError, ToolConfigurationError, ToolConnectionError
from tool_core.implementations import HandlerContext
from tool_core.mcp.contents import CONTENT, content_of
from tool_core.outcomes import Fail, Progress
from tool_core.tools import AnyTool

if TYPE_CHECKING:
    from tool_core.mcp.clients import Remote

_OTHERS = "its tools are no longer the expected ones; `await remote.refresh()` says what differs"

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Forwarder:
    """Calls one tool of a server; looks up the connection anew, so it survives a reconnect."""

    remote: Remote
    name: str
    tool: AnyTool

    async def __call__(self, params: Any, ctx: HandlerContext[Any, Any]) -> object:
        """Call where the connection lives; progress is reported where the call was made."""
        here = asyncio.get_running_loop()

        async def report(progress: Progress) -> None:
            if here.is_running():
                await awaited_in(here, lambda: _reported(ctx, progress))

        try:
            return await self.remote.at_home(lambda: self._called(params, ctx.tool_name, report))
        except ToolConnectionError as error:
            raise error.for_tool(ctx.tool_name) from error.__cause__

    async def _called(
        self, params: Any, tool_name: str, report: Callable[[Progress], Awaitable[None]]
    ) -> object:
        is_running = True

        async def heed(progress: float, total: float | None, message: str | None) -> None:
            if is_running and math.isfinite(progress) and (total is None or math.isfinite(total)):
                await report(Progress(progress, total, message))

        try:
            await self.remote.check_again()
            answer = await self.remote.session.call(self.name, params or {}, heed)
        except ToolConfigurationError as error:
            raise ToolConnectionError(None, self.remote.server, _OTHERS) from error
        except MCPError as error:
            return Fail(f"{error.message} (code {error.code})")
        except (ValueError, RuntimeError) as error:  # pydantic's mismatch is a ValueError
            raise InvalidToolResultError(tool_name, "the server's answer is not MCP") from error
        finally:
            is_running = False
        return _value_of(answer, self.tool, tool_name)


async def awaited_in(loop: asyncio.AbstractEventLoop, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Await something in an event loop that runs, which may be that of another thread."""
    if loop is asyncio.get_running_loop():
        return await work()
    return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work(), loop))


async def _reported(ctx: HandlerContext[Any, Any], progress: Progress) -> None:
    await ctx.preliminary(progress)


def _value_of(answer: mcp_types.CallToolResult, tool: AnyTool, name: str) -> object:
    blocks = [block.model_dump(by_alias=True, exclude_none=True, mode="json") for block in answer.content]
    structured = answer.structured_content
    if answer.is_error:
        return Fail(content_of(blocks) if blocks or structured is None else json.dumps(structured))
    if tool.success_schema == CONTENT:
        return content_of(blocks) if blocks or structured is None else json.dumps(structured)
    if "structured_content" not in answer.model_fields_set:
        raise InvalidToolResultError(
            name, "the tool has an output schema, but the server sent no structured content"
        )
    return structured
