"""Resolving a turn: every call of the model gets one result or one approval request, in order. Edge."""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from typing_extensions import TypeVar

from tool_core.approval import approval_id, approval_request, by_call, decide
from tool_core.channels import Sink
from tool_core.choices import ToolChoice, allowed_tools
from tool_core.context import Context
from tool_core.entries import Entry
from tool_core.errors import (
    ToolConfigurationError,
    ToolError,
    ToolFailedError,
    ToolkitRequiredError,
    ToolNotFoundError,
    ToolParameterValidationError,
)
from tool_core.implementations import Unheard
from tool_core.names import closest_first
from tool_core.outcomes import HandlerResult, Progress
from tool_core.parts import (
    ToolApprovalResponsePart,
    ToolCallPart,
    ToolPart,
    ToolResultPart,
    parts_in,
    tool_result,
)
from tool_core.problems import mismatch, non_json_problems
from tool_core.running import comes_from_outside
from tool_core.typevars import ApprovalContext

if TYPE_CHECKING:
    from tool_core.bound_toolkits import BoundToolkit

logger = logging.getLogger("tool_core")

Given = TypeVar("Given")

_REMEMBERED_APPROVALS = 100_000


@dataclass(frozen=True, slots=True)
class Turn:
    """The calls of one turn with all that decides about them."""

    bound: BoundToolkit[Any]
    earlier: Mapping[str, ToolCallPart]
    responses: Mapping[str, Sequence[ToolApprovalResponsePart]]
    requests: Mapping[str, str]
    answered: Mapping[str, ToolResultPart]
    messages: Sequence[object]
    context: Context[Any] | None
    allowed: Collection[str]
    on_part: Callable[[ToolPart], None] | None
    seen: set[str] = field(default_factory=set)
    numbers: list[int] = field(default_factory=list)
    errors: dict[int, tuple[str, ToolError]] = field(default_factory=dict)

    @staticmethod
    def of(
        bound: BoundToolkit[Any],
        approvals: Iterable[ToolApprovalResponsePart],
        messages: Sequence[object],
        context: Context[Any] | None,
        tool_choice: ToolChoice | None,
        on_part: Callable[[ToolPart], None] | None,
    ) -> Turn:
        """Gather what the history says about calls."""
        if context is not None and not isinstance(context, Context):
            raise ToolConfigurationError(None, f"context is a Context, not {type(context).__name__}")
        if on_part is not None and not callable(on_part):
            given = type(on_part).__name__
            raise ToolConfigurationError(None, f"on_part is a function of a part, not {given}")
        several("messages", messages)
        several("approvals", approvals)
        if not bound.entries and (pending := list(pending_approvals(messages))):
            raise ToolkitRequiredError(pending_approvals=pending)
        history = list(parts_in(messages))
        given = (item for item in parts_in(approvals) if item["type"] == "tool-approval-response")
        answers = [*given, *(part for part in history if part["type"] == "tool-approval-response")]
        results = (part for part in history if part["type"] == "tool-result")
        asked = (part for part in history if part["type"] == "tool-approval-request")
        requests = {part["approval_id"]: part["tool_call_id"] for part in asked}
        return Turn(
            bound=bound,
            earlier={part["id"]: part for part in history if part["type"] == "tool-call"},
            responses=by_call(answers, requests),
            requests=requests,
            answered={part["id"]: part for part in results if not part.get("preliminary")},
            messages=messages,
            context=context,
            allowed=allowed_tools(tool_choice, bound.entries.keys()),
            on_part=on_part,
        )

    async def waiting(self, calls: Sequence[ToolPart] = ()) -> list[ToolPart]:
        """Run the calls of the history that have been decided about since, but for those given again."""
        current = {cast(Any, call)["id"] for call in calls if _malformed(call) is None}
        decided = [
            call for call in self.earlier.values() if call["id"] not in current and self._is_decided(call)
        ]
        return await self.run(decided, allowed=self.bound.entries.keys())

    async def run(self, calls: Sequence[ToolPart], allowed: Collection[str] | None = None) -> list[ToolPart]:
        """Run calls with as many workers as may run at once; a task for each would cost more than a call."""
        parts: list[ToolPart | None] = [None] * len(calls)
        numbered = iter(enumerate(calls))
        offset = len(self.numbers)
        self.numbers.extend(range(offset, offset + len(calls)))
        permitted = self.allowed if allowed is None else allowed

        async def work() -> None:
            for index, call in numbered:
                part = await self._part(call, permitted, index + offset)
                parts[index] = part
                if part is not None:
                    self._announce(part)

        workers = min(self.bound.concurrency, len(calls))
        if workers == 1:
            await work()
        elif workers:
            async with asyncio.TaskGroup() as group:
                for _ in range(workers):
                    group.create_task(work())
        return [part for part in parts if part is not None]

    def finished(self, parts: list[ToolPart]) -> list[ToolPart]:
        """Return the parts, or raise the first error in call order, which then carries the other parts."""
        if not self.errors:
            return parts
        failed = {call_id for call_id, _ in self.errors.values()}
        numbers = sorted(self.errors)
        _, first = self.errors[numbers[0]]
        for number in numbers[1:]:
            first.add_note(f"also: {self.errors[number][1]}")
        raise first.with_parts([part for part in parts if cast(Any, part).get("id") not in failed])

    def _is_decided(self, call: ToolCallPart) -> bool:
        if call["id"] in self.answered or call.get("provider_executed"):
            return False
        if _malformed(call) or non_json_problems(call["params"]):
            return False
        return call["id"] in self.responses

    async def _part(self, part: ToolPart, allowed: Collection[str], number: int) -> ToolPart | None:
        if _is_settled(part):
            return None if cast(Any, part).get("provider_executed") else part
        call = cast(ToolCallPart, part)
        if (fault := _malformed(call)) is not None:
            return _refused(call, ToolParameterValidationError(None, None, fault))
        call_id, name = call["id"], call["name"]
        if call.get("provider_executed"):
            return None
        if call_id in self.answered:
            return self.answered[call_id]
        if call_id in self.seen:
            return _refused(
                call, ToolParameterValidationError(name, None, f"the call id {call_id!r} occurs twice")
            )
        self.seen.add(call_id)
        entry = self.bound.entries.get(name)
        if entry is None:
            return _refused(call, ToolNotFoundError(name, tuple(closest_first(name, allowed))))
        if name not in allowed:
            return _denied(
                call, f"the tool choice of this turn allows only: {', '.join(allowed) or 'no tool'}"
            )
        return await self._decided(entry, call, number)

    async def _decided(self, entry: Entry, call: ToolCallPart, number: int) -> ToolPart:
        needs_approval = entry.tool.needs_approval
        answers = self.responses.get(call["id"], ())
        if needs_approval is not False or answers:
            if problems := non_json_problems(call["params"]):
                return _refused(call, ToolParameterValidationError(entry.name, None, str(mismatch(problems))))
            decision = decide(call, self.bound.approval_key, answers)
            if decision.verdict == "denied":
                return _denied(call, decision.reason)
            if await self._must_ask(entry, call):
                if decision.verdict == "pending":
                    return self._requested_or_refused(entry, call)
                if not self._claim(call):
                    return _denied(call, "the approval was already used")
        return await self._run(entry, call, number)

    async def _must_ask(self, entry: Entry, call: ToolCallPart) -> bool:
        """Ask the tool's rule; an error in it means "ask"."""
        rule = entry.tool.needs_approval
        if isinstance(rule, bool):
            return rule
        try:
            params = entry.decode(call["params"])
        except ToolParameterValidationError:
            return False  # it cannot run anyway, and the model must learn why
        try:
            answer = rule(params, ApprovalContext(tool_call_id=call["id"], messages=self.messages))
            return (await answer if inspect.isawaitable(answer) else answer) is not False
        except BaseException as error:
            if comes_from_outside(error):
                raise
            logger.error(
                "the approval rule of tool %r raised, so it is asked for", entry.name, exc_info=error
            )
            return True

    def _requested_or_refused(self, entry: Entry, call: ToolCallPart) -> ToolPart:
        """Ask for a decision, unless the arguments are wrong: nobody should decide about those."""
        try:
            entry.decode(call["params"])
        except ToolError as error:
            return _refused(call, error)
        return approval_request(call, self.bound.approval_key)

    def _claim(self, call: ToolCallPart) -> bool:
        """Use an approval up; `dict.setdefault` is atomic, so one of two threads wins."""
        used, mine = self.bound.used_approvals, object()
        while len(used) > _REMEMBERED_APPROVALS:
            used.pop(next(iter(used)), None)
        return used.setdefault(approval_id(call, self.bound.approval_key), mine) is mine

    async def _run(self, entry: Entry, call: ToolCallPart, number: int) -> ToolPart:
        sink = None if self.on_part is None else _Announcer(self, call)
        result = await self.bound.outcome(entry, call["params"], call["id"], self.context, sink)
        if result.is_failure and entry.tool.failure_mode == "error":
            self.errors[number] = (call["id"], _as_error(entry, result))
        return _as_part(call, result)

    def _announce(self, part: ToolPart) -> None:
        if self.on_part is None:
            return
        try:
            self.on_part(part)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            logger.error("on_part raised; the calls go on", exc_info=error)


def several(role: str, given: Iterable[Given]) -> Iterable[Given]:
    """Refuse one part where several are expected: its keys would be taken for parts.

    >>> several("calls", [])
    []
    """
    if isinstance(given, Mapping | str | bytes) or not isinstance(given, Iterable):
        raise ToolConfigurationError(None, f"{role} are a list of parts, not {type(given).__name__}")
    return given


@dataclass(frozen=True, slots=True)
class _Announcer(Sink):
    """Hands preliminary results to `on_part`."""

    turn: Turn
    call: ToolCallPart

    def put(self, item: HandlerResult[object]) -> Unheard:
        self.turn._announce(_as_part(self.call, item))
        return Unheard()

    def release(self) -> None:
        """Nobody waits for `on_part`."""


def _is_settled(call: object) -> bool:
    """Tell a part that needs no run: a call that could not be read, or what the provider ran or asks."""
    return isinstance(call, dict) and call.get("type") in ("tool-result", "tool-approval-request")


def _malformed(call: object) -> str | None:
    if not isinstance(call, dict):
        return f"a call is an object, not {type(call).__name__}"
    if (kind := call.get("type", "tool-call")) != "tool-call":
        return f"a call has the type 'tool-call', not {kind!r}"
    if isinstance(call.get("id"), str) and isinstance(call.get("name"), str) and "params" in call:
        return None
    missing = [key for key in ("id", "name") if not isinstance(call.get(key), str)]
    return f"a call needs the texts 'id' and 'name' and 'params'; {', '.join(missing) or 'params'} is missing"


def _refused(call: Any, error: ToolError) -> ToolResultPart:
    known = call if isinstance(call, Mapping) else {}
    call_id, name = known.get("id"), known.get("name")
    return tool_result(
        call_id if isinstance(call_id, str) else "",
        name if isinstance(name, str) else "",
        error.for_model(),
        is_failure=True,
    )


def _denied(call: ToolCallPart, reason: str | None) -> ToolResultPart:
    result = {"type": "execution-denied", "reason": reason}
    return tool_result(call["id"], call["name"], result, is_failure=True)


def _as_part(call: ToolCallPart, result: HandlerResult[object]) -> ToolResultPart:
    return tool_result(
        call["id"],
        call["name"],
        result.encoded_result,
        is_failure=result.is_failure,
        preliminary=result.preliminary,
        metadata={"kind": "progress"} if isinstance(result.result, Progress) else {},
    )


def _as_error(entry: Entry, result: HandlerResult[object]) -> ToolError:
    error = result.result
    return error if isinstance(error, ToolError) else ToolFailedError(error, entry.name)


def pending_approvals(messages: Iterable[object]) -> Iterator[str]:
    """Name the tools whose approvals were asked for in a history and have no result yet.

    >>> list(pending_approvals([]))
    []
    """
    history = list(parts_in(messages))
    answered = {part["id"] for part in history if part["type"] == "tool-result"}
    names = {part["id"]: part["name"] for part in history if part["type"] == "tool-call"}
    for part in history:
        if part["type"] == "tool-approval-request" and part["tool_call_id"] not in answered:
            yield names.get(part["tool_call_id"], part["tool_call_id"])
