"""One `tools/call`: from the client's arguments to its answer, through the toolkit. Edge."""

from __future__ import annotations

import asyncio
import logging
import sys
import uuid
from collections import deque
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, TypeAlias, cast

import anyio
import mcp_types
from mcp import MCPError
from mcp.server import ServerRequestContext
from mcp.server.session import ServerSession

from tool_core.approval import call_id_of
from tool_core.bound_toolkits import BoundToolkit
from tool_core.entries import Entry
from tool_core.errors import (
    InvalidToolResultError,
    SchemaMismatchError,
    ToolError,
    ToolNotFoundError,
    ToolParameterValidationError,
)
from tool_core.mcp.arguments import parameters_from
from tool_core.mcp.consents import answer_in, ask, asks_by_retry, question, refusal
from tool_core.mcp.results import call_result, shortened, text_of
from tool_core.names import closest_first
from tool_core.parts import (
    ToolApprovalRequestPart,
    ToolApprovalResponsePart,
    ToolCallPart,
    ToolPart,
    ToolResultPart,
    tool_result,
)

Answer: TypeAlias = mcp_types.CallToolResult | mcp_types.InputRequiredResult

logger = logging.getLogger("tool_core")

_WAITING_REPORTS = 100


@dataclass(slots=True, eq=False)
class Exchanges:
    """The calls that clients make of a toolkit, as many at once as the toolkit allows."""

    bound: BoundToolkit[Any]
    turnstile: asyncio.Semaphore
    running: set[anyio.CancelScope] = field(default_factory=set)
    is_closing: bool = False
    idle: asyncio.Event = field(default_factory=asyncio.Event)

    async def call(
        self, ctx: ServerRequestContext[Any, Any], params: mcp_types.CallToolRequestParams
    ) -> Answer:
        """Answer one call; whatever its handler does, the client reads no internals."""
        entry = self.bound.entries.get(params.name)
        if entry is None:
            error = ToolNotFoundError(params.name, tuple(closest_first(params.name, self.bound.entries)))
            raise MCPError(mcp_types.INVALID_PARAMS, str(error))
        if not self.is_closing:
            with self._counted():
                return await self._answered(ctx, entry, params)
        raise MCPError(mcp_types.INTERNAL_ERROR, "the server is shutting down")

    async def drain(self, seconds: float) -> None:
        """Take no more calls, wait for those that run, and stop those that still do."""
        self.is_closing = True
        if not self.running:
            return
        self.idle.clear()
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self.idle.wait()
        finally:  # whoever cannot wait so long cancels this
            for scope in list(self.running):
                scope.cancel()

    @contextmanager
    def _counted(self) -> Iterator[None]:
        """Let a call run where it can be stopped without stopping the connection."""
        with anyio.CancelScope() as scope:
            self.running.add(scope)
            try:
                yield
            finally:
                self.running.discard(scope)
                if not self.running:
                    self.idle.set()

    async def _answered(
        self, ctx: ServerRequestContext[Any, Any], entry: Entry, params: mcp_types.CallToolRequestParams
    ) -> Answer:
        given = answer_in(params)
        call_id = uuid.uuid4().hex if given is None else call_id_of(given["approval_id"])
        try:
            arguments = parameters_from(entry.tool, params.arguments or {})
        except SchemaMismatchError as error:
            refused = ToolParameterValidationError(entry.name, None, str(error))
            return _written(entry, tool_result("", entry.name, refused.for_model(), is_failure=True))
        call: ToolCallPart = {"type": "tool-call", "id": call_id, "name": entry.name, "params": arguments}
        part = await self._resolved(ctx, call, [] if given is None else [given])
        if part["type"] == "tool-approval-request":
            return await self._asked(ctx, entry, call, part)
        return _written(entry, part)

    async def _asked(
        self,
        ctx: ServerRequestContext[Any, Any],
        entry: Entry,
        call: ToolCallPart,
        request: ToolApprovalRequestPart,
    ) -> Answer:
        if reason := refusal(ctx):
            denied = {"type": "execution-denied", "reason": reason}
            return _written(entry, tool_result(call["id"], entry.name, denied, is_failure=True))
        if asks_by_retry(ctx):
            return question(entry.tool, call, request)
        decision = await ask(ctx, entry.tool, call, request)
        part = await self._resolved(ctx, call, [decision])
        return _written(entry, cast(ToolResultPart, part))

    async def _resolved(
        self,
        ctx: ServerRequestContext[Any, Any],
        call: ToolCallPart,
        approvals: Sequence[ToolApprovalResponsePart],
    ) -> ToolResultPart | ToolApprovalRequestPart:
        """Run the call as a turn of one, which settles approval; its last part is the outcome."""
        reports = Reports(ctx.session, ctx.meta is not None and "progress_token" in ctx.meta)
        ended: list[Any] = []

        def heed(part: ToolPart) -> None:
            if part["type"] == "tool-result" and part["preliminary"]:
                reports.note(part)
            else:
                ended.append(part)

        async with self.turnstile, reports.sent():
            with suppress(ToolError):  # of a tool in mode "error": the part says the same
                await self.bound.resolve([call], approvals=approvals, on_part=heed)
        outcome: ToolResultPart | ToolApprovalRequestPart = ended[-1]
        return outcome


@dataclass(slots=True, eq=False)
class Reports:
    """Preliminary results on their way to the client as progress; a slow client gets the latest."""

    session: ServerSession
    are_wanted: bool
    waiting: deque[tuple[float, float | None, str | None]] = field(
        default_factory=lambda: deque(maxlen=_WAITING_REPORTS)
    )
    arrived: asyncio.Event = field(default_factory=asyncio.Event)
    last: float | None = None

    def note(self, part: ToolResultPart) -> None:
        """Queue a preliminary result; progress is a number that grows, so all else is left out."""
        result = part["result"]
        if part["metadata"].get("kind") == "progress":
            said = cast("Mapping[str, Any]", result)
            progress, total, message = said["progress"], said.get("total"), said.get("message")
        else:
            progress, total, message = int(self.last or 0) + 1, None, shortened(text_of(result))
        if not (_is_countable(progress) and (total is None or _is_countable(total))):
            logger.warning("tool %r: its progress is left out, for it is no number", part["name"])
        elif self.are_wanted and (self.last is None or progress > self.last):
            self.last = progress
            self.waiting.append((progress, total, message))
            self.arrived.set()

    @asynccontextmanager
    async def sent(self) -> AsyncIterator[None]:
        """Send reports as they come, and those that are left at the end, before the result."""
        if not self.are_wanted:
            yield
            return
        sender = asyncio.create_task(self._send_all())
        try:
            yield
        finally:
            sender.cancel()
        await asyncio.wait([sender])
        await self._send_waiting()

    async def _send_all(self) -> None:
        while True:
            await self.arrived.wait()
            self.arrived.clear()
            await self._send_waiting()

    async def _send_waiting(self) -> None:
        while self.waiting:
            await self.session.report_progress(*self.waiting.popleft())


def _is_countable(value: object) -> bool:
    """Whether clients can read a number; they know none beyond a float."""
    return isinstance(value, int | float) and abs(value) <= sys.float_info.max


def _written(entry: Entry, part: ToolResultPart) -> mcp_types.CallToolResult:
    try:
        written = mcp_types.CallToolResult.model_validate(call_result(entry.tool, part))
        written.model_dump_json()  # or the connection would end where this is tried again
        return written
    except ValueError:  # content blocks that are none, a text from middleware that is none
        error = InvalidToolResultError(entry.name, "its content is not MCP content")
        broken = tool_result(part["id"], entry.name, error.for_model(), is_failure=True)
        return mcp_types.CallToolResult.model_validate(call_result(entry.tool, broken))
