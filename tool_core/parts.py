"""The parts of a conversation that concern tools: TypedDicts, so they are JSON. Layer 2.

Parts hold encoded parameters and results, so a history can be stored and read back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, NotRequired, TypeAlias, cast

from typing_extensions import TypedDict


class ToolCallPart(TypedDict):
    """The model asks for a tool.

    >>> ToolCallPart(type="tool-call", id="call_1", name="Now", params={})["name"]
    'Now'
    """

    type: Literal["tool-call"]
    id: str
    name: str
    params: object
    provider_executed: NotRequired[bool]
    metadata: NotRequired[Mapping[str, object]]


class ToolResultPart(TypedDict):
    """What a call gave; `id` is that of the call.

    >>> part = tool_result("call_1", "Now", 12.5)
    >>> part["type"], part["is_failure"]
    ('tool-result', False)
    """

    type: Literal["tool-result"]
    id: str
    name: str
    result: object
    is_failure: bool
    provider_executed: bool
    preliminary: bool
    metadata: Mapping[str, object]


class ToolApprovalRequestPart(TypedDict):
    """Somebody must decide before a call may run; the answer quotes `approval_id`.

    >>> ToolApprovalRequestPart(type="tool-approval-request", approval_id="a", tool_call_id="call_1")["type"]
    'tool-approval-request'
    """

    type: Literal["tool-approval-request"]
    approval_id: str
    tool_call_id: str


class ToolApprovalResponsePart(TypedDict):
    """The decision about a call, made here or elsewhere, now or next week.

    >>> ToolApprovalResponsePart(type="tool-approval-response", approval_id="a", approved=True)["approved"]
    True
    """

    type: Literal["tool-approval-response"]
    approval_id: str
    approved: bool
    reason: NotRequired[str]


ToolPart: TypeAlias = ToolCallPart | ToolResultPart | ToolApprovalRequestPart | ToolApprovalResponsePart
"""Any part that concerns tools."""

_KEYS: Mapping[object, tuple[str, ...]] = {
    "tool-call": ("id", "name"),
    "tool-result": ("id", "name"),
    "tool-approval-request": ("approval_id", "tool_call_id"),
    "tool-approval-response": ("approval_id",),
}
"""The texts that a part must have; one without them says nothing that could be used."""

_END = object()


def tool_result(
    call_id: str,
    name: str,
    result: object,
    *,
    is_failure: bool = False,
    preliminary: bool = False,
    metadata: Mapping[str, object] | None = None,
) -> ToolResultPart:
    """Make a result part with every field present.

    >>> tool_result("call_1", "Now", 12.5)["result"]
    12.5
    """
    return {
        "type": "tool-result",
        "id": call_id,
        "name": name,
        "result": result,
        "is_failure": is_failure,
        "provider_executed": False,
        "preliminary": preliminary,
        "metadata": metadata or {},
    }


def parts_in(messages: Iterable[object]) -> Iterator[ToolPart]:
    """Find the tool parts in a history, be it a list of parts or of messages that hold parts.

    >>> call = {"type": "tool-call", "id": "1", "name": "Now", "params": {}}
    >>> list(parts_in([{"role": "assistant", "content": [{"type": "text"}, call]}])) == [call]
    True
    """
    levels = [iter(messages)]  # and no recursion: a history may nest as deeply as its author likes
    while levels:
        item = next(levels[-1], _END)
        if item is _END:
            levels.pop()
        elif isinstance(item, Mapping):
            kind = item.get("type")
            if isinstance(kind, str) and kind in _KEYS:
                if all(isinstance(item.get(key), str) for key in _KEYS[kind]):
                    yield cast(Any, item)
            elif isinstance(content := item.get("content"), list):
                levels.append(iter(content))
