"""Approval of a call by whoever sits at the client, through MCP elicitation. Edge.

Up to 2025-11-25 the server asks while the call waits; from 2026-07-28 on the call is answered with
the question and made again with the answer. Either way the answer names an approval that is bound
to the call, the tool and the arguments by the toolkit's key, so it fits no other call.
"""

from __future__ import annotations

from typing import Any

import mcp_types
from mcp import MCPError
from mcp.server import ServerRequestContext
from mcp_types.version import is_version_at_least

from tool_core.annotations import Title
from tool_core.mcp.results import shortened, text_of
from tool_core.parts import ToolApprovalRequestPart, ToolApprovalResponsePart, ToolCallPart
from tool_core.tools import AnyTool

_QUESTION = "approval"
_ANSWERED_ON_RETRY = "2026-07-28"
_FORM: dict[str, Any] = {
    "type": "object",
    "properties": {"approve": {"type": "boolean", "title": "Approve", "description": "Let the tool run"}},
    "required": ["approve"],
}


def refusal(ctx: ServerRequestContext[Any, Any]) -> str | None:
    """Say why the client cannot be asked, or None where it can."""
    capabilities = ctx.session.client_capabilities
    supported = None if capabilities is None else capabilities.elicitation
    if supported is None or (supported.form is None and supported.url is not None):
        return "the tool needs approval, and this client cannot ask for it: it does not support elicitation"
    if not asks_by_retry(ctx) and not ctx.session.can_send_request:
        return "the tool needs approval, and this connection cannot carry the question to the client"
    return None


def asks_by_retry(ctx: ServerRequestContext[Any, Any]) -> bool:
    """Whether the protocol puts the question into the result of the call."""
    return is_version_at_least(ctx.protocol_version, _ANSWERED_ON_RETRY)


def question(
    tool: AnyTool, call: ToolCallPart, request: ToolApprovalRequestPart
) -> mcp_types.InputRequiredResult:
    """Ask in the result of the call."""
    form = mcp_types.ElicitRequestFormParams(message=_words(tool, call), requested_schema=_FORM)
    asked: mcp_types.InputRequests = {_QUESTION: mcp_types.ElicitRequest(params=form)}
    return mcp_types.InputRequiredResult(input_requests=asked, request_state=request["approval_id"])


def answer_in(params: mcp_types.CallToolRequestParams) -> ToolApprovalResponsePart | None:
    """Find the answer in a call that is made again."""
    if params.request_state is None:
        return None
    given = (params.input_responses or {}).get(_QUESTION)
    return _decision(params.request_state, given if isinstance(given, mcp_types.ElicitResult) else None)


async def ask(
    ctx: ServerRequestContext[Any, Any], tool: AnyTool, call: ToolCallPart, request: ToolApprovalRequestPart
) -> ToolApprovalResponsePart:
    """Ask while the call waits; whoever cannot answer has not approved."""
    try:
        given = await ctx.session.elicit_form(_words(tool, call), _FORM, related_request_id=ctx.request_id)
    except (MCPError, ValueError):
        given = None
    return _decision(request["approval_id"], given)


def _decision(approval_id: str, given: mcp_types.ElicitResult | None) -> ToolApprovalResponsePart:
    approved, reason = False, "the client did not answer the question whether the tool may run"
    if given is not None:
        approved = given.action == "accept" and (given.content or {}).get("approve") is True
        reason = "the question was dismissed" if given.action == "cancel" else "the user said no"
    said: ToolApprovalResponsePart = {
        "type": "tool-approval-response",
        "approval_id": approval_id,
        "approved": approved,
    }
    return said if approved else {**said, "reason": reason}


def _words(tool: AnyTool, call: ToolCallPart) -> str:
    name = tool.annotations.get(Title) or tool.name
    return f"May the tool {name!r} run with these arguments?\n{shortened(text_of(call['params']), 2000)}"
