"""From what stands in a response to parts: names mapped back, wire values lifted, in order. Layer 3."""

from __future__ import annotations

from collections.abc import Iterable

from tool_core.errors import (
    JsonTextError,
    SchemaMismatchError,
    ToolError,
    ToolNotFoundError,
    ToolParameterValidationError,
)
from tool_core.json_text import secure_json_loads
from tool_core.names import closest_first
from tool_core.parts import ToolApprovalRequestPart, ToolCallPart, ToolPart, ToolResultPart, tool_result
from tool_core.providers.apis import Draft
from tool_core.providers.wire_items import CUT_OFF, WireApproval, WireCall, WireItem, WireResult


def parts_of(items: Iterable[WireItem], draft: Draft) -> list[ToolPart]:
    """Turn everything that a response says about tools into parts."""
    ours = {wire: name for name, wire in draft.names.items()}
    return [_part(item, ours, draft) for item in items]


def _part(item: WireItem, ours: dict[str, str], draft: Draft) -> ToolPart:
    if isinstance(item, WireApproval):
        return ToolApprovalRequestPart(
            type="tool-approval-request", approval_id=item.id, tool_call_id=item.id
        )
    name = ours.get(item.name, item.name)
    if isinstance(item, WireResult):
        return _executed_result(item, name)
    try:
        if item.fault is not None and not item.name:  # the provider threw the call away and says why
            raise ToolParameterValidationError(None, None, item.fault)
        if item.name not in ours and not item.executed:
            raise ToolNotFoundError(item.name, tuple(closest_first(item.name, draft.callable_names)))
        params = _params(item, name, draft)
    except ToolError as error:
        return _unreadable(item, name, error)
    return _call(item, name, params)


def _params(item: WireCall, name: str, draft: Draft) -> object:
    """Parse and lift the arguments; the errors speak of the names that the model knows."""
    try:
        arguments = item.arguments
        if isinstance(arguments, str):
            arguments = secure_json_loads(arguments) if arguments.strip() or item.fault else {}
        elif item.fault is not None:
            raise JsonTextError(description=item.fault)
        decision = draft.decisions.get(name)
        if item.executed:
            return arguments
        arguments = {} if arguments is None else arguments  # some gateways write null where there are none
        return arguments if decision is None else decision.form.lift(arguments)
    except JsonTextError as error:
        words = item.fault or f"the arguments are not acceptable JSON: {error.description}"
        raise ToolParameterValidationError(item.name, None, words) from None
    except SchemaMismatchError as error:
        raise ToolParameterValidationError(item.name, None, str(error)) from None


def _call(item: WireCall, name: str, params: object) -> ToolCallPart:
    return {
        "type": "tool-call",
        "id": item.id,
        "name": name,
        "params": params,
        "provider_executed": item.executed,
        "metadata": item.metadata,
    }


def _unreadable(item: WireCall, name: str, error: ToolError) -> ToolResultPart:
    part = tool_result(item.id, name, error.for_model(), is_failure=True)
    part["provider_executed"] = item.executed
    part["metadata"] = item.metadata
    return part


def _executed_result(item: WireResult, name: str) -> ToolResultPart:
    part = tool_result(item.id, name, item.result, is_failure=item.is_failure)
    part["provider_executed"] = True
    part["metadata"] = item.metadata
    return part


def stated_arguments(arguments: object) -> object:
    """Take arguments as text, or as the value that some gateways send; none at all are the empty text.

    >>> stated_arguments('{"a": 1}'), stated_arguments({"a": 1}), stated_arguments(None)
    ('{"a": 1}', {'a': 1}, '')
    """
    return "" if arguments is None else arguments


def cut_off(is_cut_off: bool) -> str | None:
    """Return the words for a truncated call where it is one."""
    return CUT_OFF if is_cut_off else None
