"""A toolkit with its handlers: one call, a stream, or the calls of a whole turn. Edge."""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, Generic, Never, NoReturn

from typing_extensions import TypeVar

from tool_core.channels import Channel, Emitter, Sink
from tool_core.choices import ToolChoice
from tool_core.context import Context
from tool_core.entries import Entry, failed, finished
from tool_core.errors import (
    JsonTextError,
    ToolConfigurationError,
    ToolError,
    ToolNotFoundError,
    ToolParameterValidationError,
)
from tool_core.implementations import HandlerContext
from tool_core.json_text import secure_json_loads
from tool_core.middleware import Call, Wrap
from tool_core.names import closest_first
from tool_core.outcomes import HandlerResult
from tool_core.parts import ToolApprovalResponsePart, ToolPart
from tool_core.running import Runner, raised
from tool_core.turnstiles import Turnstile

if TYPE_CHECKING:
    from tool_core.toolkits import Toolkit

Tools_co = TypeVar("Tools_co", covariant=True, default=object)
_SPACES = " \t\r\n"
Provided_contra = TypeVar("Provided_contra", contravariant=True, default=Never)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class BoundToolkit(Generic[Tools_co, Provided_contra]):
    """What `toolkit.bind(...)` returns: tools that can be called.

    The type parameters, which the mypy plugin fills, are the tools and the services given to `bind`.
    Safe to share between threads and event loops.

    >>> from tool_core import Tool, Toolkit
    >>> bound = Toolkit.make(Tool.make("Add", parameters=list[int], success=int)).bind({"Add": sum})
    >>> bound.call_json_sync("Add", "[1, 2]").to_json()
    '3'
    """

    toolkit: Toolkit[Tools_co]
    entries: Mapping[str, Entry]
    runner: Runner
    context: Context[Any]
    wrap: Wrap | None
    concurrency: int
    approval_key: bytes
    turnstiles: Mapping[str, Turnstile]
    used_approvals: dict[str, object] = field(default_factory=dict)

    async def call(
        self, name: str, params: object, *, context: Context[Any] | None = None, call_id: str = ""
    ) -> HandlerResult[object]:
        """Call one tool with encoded parameters and return its final result."""
        entry = self.entry(name)
        return finished(entry, await self.outcome(entry, params, call_id, context))

    async def call_json(
        self, name: str, text: str | bytes, *, context: Context[Any] | None = None, call_id: str = ""
    ) -> HandlerResult[object]:
        """Call one tool with the JSON text that the model wrote."""
        entry = self.entry(name)
        return finished(entry, await self.outcome_json(entry, text, call_id, context))

    def call_sync(
        self, name: str, params: object, *, context: Context[Any] | None = None, call_id: str = ""
    ) -> HandlerResult[object]:
        """Call one tool where there is no event loop."""
        entry = self._entry_outside_loop(name, "call")
        if not self._can_run_directly(entry):
            return asyncio.run(self.call(name, params, context=context, call_id=call_id))
        return finished(entry, self._run_directly(entry, entry.decode, params, call_id, context))

    def call_json_sync(
        self, name: str, text: str | bytes, *, context: Context[Any] | None = None, call_id: str = ""
    ) -> HandlerResult[object]:
        """Call one tool with JSON text where there is no event loop."""
        entry = self._entry_outside_loop(name, "call_json")
        if not self._can_run_directly(entry):
            return asyncio.run(self.call_json(name, text, context=context, call_id=call_id))
        return finished(entry, self._run_directly(entry, entry.decode_json, text, call_id, context))

    async def handle(
        self, name: str, params: object, *, context: Context[Any] | None = None, call_id: str = ""
    ) -> AsyncIterator[HandlerResult[object]]:
        """Call one tool and yield its preliminary results as they come, then the final one."""
        entry, channel = self.entry(name), Channel()
        task = asyncio.ensure_future(self.outcome(entry, params, call_id, context, channel))
        try:
            async for result in _until_done(task, channel):
                yield result
            yield finished(entry, await task)
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError, ToolError):
                await task

    async def resolve(
        self,
        calls: Iterable[ToolPart],
        *,
        approvals: Iterable[ToolApprovalResponsePart] = (),
        messages: Sequence[object] = (),
        context: Context[Any] | None = None,
        tool_choice: ToolChoice | None = None,
        on_part: Callable[[ToolPart], None] | None = None,
    ) -> list[ToolPart]:
        """Run the calls of one model turn: one result or one approval request each, in call order.

        A provider's `read_calls` can be passed as it is: a call that could not be read keeps the
        failure it has become, and what the provider ran itself is passed over.

        Approved calls that wait in `messages` run first. `on_part` sees every part as it comes,
        preliminary results included. A failure of a tool in mode `"error"` is raised once all
        calls have ended; the error's `parts` hold what the others gave.
        """
        from tool_core.resolution import Turn, several

        listed = list(several("calls", calls))
        turn = Turn.of(self, approvals, messages, context, tool_choice, on_part)
        return turn.finished([*await turn.waiting(listed), *await turn.run(listed)])

    async def stream(
        self,
        calls: Iterable[ToolPart],
        *,
        batch: int = 1000,
        approvals: Iterable[ToolApprovalResponsePart] = (),
        messages: Sequence[object] = (),
        context: Context[Any] | None = None,
        tool_choice: ToolChoice | None = None,
        on_part: Callable[[ToolPart], None] | None = None,
    ) -> AsyncIterator[ToolPart]:
        """Run any number of calls with bounded memory, yielding the parts in call order."""
        from tool_core.resolution import Turn, several

        if not isinstance(batch, int) or batch < 1:
            raise ToolConfigurationError(None, f"batch is a number of calls above 0, not {batch!r}")
        remaining = iter(several("calls", calls))
        turn = Turn.of(self, approvals, messages, context, tool_choice, on_part)
        for part in await turn.waiting():
            yield part
        while pending := list(islice(remaining, batch)):
            for part in await turn.run(pending):
                yield part
        turn.finished([])

    def entry(self, name: str) -> Entry:
        """Find a bound tool, or say which names there are."""
        try:
            return self.entries[name]
        except (KeyError, TypeError):
            self._not_found(name)

    async def outcome(
        self,
        entry: Entry,
        params: object,
        call_id: str,
        context: Context[Any] | None,
        channel: Sink | None = None,
    ) -> HandlerResult[object]:
        """Run a call to its result, through the middleware; never raises but for cancellation."""
        services = self._services(context)

        async def run(call: Call) -> HandlerResult[object]:
            try:
                decoded = entry.decode(call.params)
            except ToolError as error:
                return failed(error)
            return await self._admitted(entry, decoded, call.id, call.context, channel)

        call = Call(call_id, entry.tool, params, services)
        return await run(call) if self.wrap is None else await self._wrapped(entry, call, run)

    async def outcome_json(
        self, entry: Entry, text: str | bytes, call_id: str, context: Context[Any] | None
    ) -> HandlerResult[object]:
        """Run a call on JSON text; without middleware the text is decoded in one pass."""
        try:
            if self.wrap is not None:
                return await self.outcome(entry, secure_json_loads(text), call_id, context)
            decoded = entry.decode_json(text)
        except JsonTextError as error:
            return failed(ToolParameterValidationError(entry.name, None, error.description))
        except ToolError as error:
            return failed(error)
        services = self._services(context)
        return await self._admitted(entry, decoded, call_id, services)

    def _admitted(
        self, entry: Entry, params: object, call_id: str, services: Context[Any], channel: Sink | None = None
    ) -> Coroutine[Any, Any, HandlerResult[object]]:
        """Run a call as soon as the limit of its tool lets it."""
        running = self.runner.run(entry, params, call_id, services, channel)
        turnstile = self.turnstiles.get(entry.name)
        return running if turnstile is None else turnstile.passed(running)

    async def _wrapped(self, entry: Entry, call: Call, run: Any) -> HandlerResult[object]:
        assert self.wrap is not None
        try:
            return _answered(await self.wrap(call, run))
        except BaseException as error:
            return raised(entry, error)

    def _can_run_directly(self, entry: Entry) -> bool:
        is_local = self.runner.executor_is_default
        return entry.shape.kind == "sync" and entry.timeout is None and self.wrap is None and is_local

    def _run_directly(
        self,
        entry: Entry,
        decode: Callable[[Any], object],
        source: object,
        call_id: str,
        context: Context[Any] | None,
    ) -> HandlerResult[object]:
        services = self._services(context)
        try:
            params = decode(source)
            entry.check_services(services)
        except ToolError as error:
            return failed(error)
        try:
            if entry.shape.takes_context:
                ctx = HandlerContext(entry.name, call_id, None, services, Emitter(entry))
                value = entry.handler(params, ctx)
            else:
                value = entry.handler(params)
            if inspect.isawaitable(value) or isinstance(value, AsyncIterator):
                return asyncio.run(self.runner.settle(entry, value))
        except BaseException as error:
            return raised(entry, error)
        return entry.result_of(value)

    def _services(self, context: Context[Any] | None) -> Context[Any]:
        if context is None:
            return self.context
        if not isinstance(context, Context):
            raise ToolConfigurationError(None, f"context is a Context, not {type(context).__name__}")
        return self.context.merge(context)

    def _entry_outside_loop(self, name: str, instead: str) -> Entry:
        if asyncio._get_running_loop() is not None:
            raise ToolConfigurationError(
                name,
                f"{instead}_sync would block the event loop that runs in this thread: await {instead}",
            )
        return self.entry(name)

    def _not_found(self, name: str) -> NoReturn:
        raise ToolNotFoundError(name, tuple(closest_first(str(name), self.entries)))

    def __repr__(self) -> str:
        return f"Bound{self.toolkit!r}"


def _answered(result: object) -> HandlerResult[object]:
    """Check what middleware answered with: it may make results of its own."""
    if not isinstance(result, HandlerResult):
        raise TypeError(f"wrap returned {type(result).__name__} instead of a HandlerResult")
    if not isinstance(result.text, str):
        raise TypeError(f"wrap returned a HandlerResult whose text is {type(result.text).__name__}")
    written = json.loads(result.text, parse_constant=_refuse_constant)
    is_tidy = result.text[:1] not in _SPACES and result.text[-1:] not in _SPACES and not result.preliminary
    return result if is_tidy else replace(result, text=json.dumps(written), preliminary=False)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"wrap returned a HandlerResult whose text is not JSON: {name}")


async def _until_done(task: asyncio.Future[Any], channel: Channel) -> AsyncIterator[HandlerResult[object]]:
    reader: asyncio.Future[HandlerResult[object]] | None = None
    try:
        while not task.done():
            reader = asyncio.ensure_future(channel.get())
            await asyncio.wait({task, reader}, return_when=asyncio.FIRST_COMPLETED)
            if reader.done():
                yield reader.result()
        while len(channel):
            yield channel.take()
    finally:
        if reader is not None:
            reader.cancel()
