"""What a call gave, as an MCP client reads it. Layer 3."""

from __future__ import annotations

import json
from typing import NotRequired, TypedDict

from tool_core.mcp.contents import CONTENT, blocks_of
from tool_core.parts import ToolResultPart
from tool_core.tools import AnyTool

_LONGEST_MESSAGE = 1000


class CallResult(TypedDict):
    """The result of `tools/call`.

    >>> CallResult(content=[{"type": "text", "text": "12"}], isError=False)["isError"]
    False
    """

    content: list[dict[str, object]]
    isError: bool
    structuredContent: NotRequired[dict[str, object]]


def call_result(tool: AnyTool, part: ToolResultPart) -> CallResult:
    """Write a result: content always, structured content only where it is an object.

    >>> from tool_core import Tool
    >>> from tool_core.parts import tool_result
    >>> call_result(Tool.make("Now", success=list[int]), tool_result("1", "Now", [12, 30]))
    {'content': [{'type': 'text', 'text': '[12,30]'}], 'isError': False}
    """
    value, is_failure = part["result"], part["is_failure"]
    schema = tool.failure_schema if is_failure else tool.success_schema
    if schema == CONTENT and isinstance(value, str | list):
        return {"content": blocks_of(value), "isError": is_failure}
    written: CallResult = {"content": blocks_of(text_of(value)), "isError": is_failure}
    if isinstance(value, dict) and not is_failure:
        written["structuredContent"] = value
    return written


def text_of(value: object) -> str:
    """Write a result for a model: a text as it is, anything else as JSON.

    >>> text_of("noon"), text_of(None), text_of({"hour": 12})
    ('noon', 'null', '{"hour":12}')
    """
    return value if isinstance(value, str) else json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def shortened(text: str, longest: int = _LONGEST_MESSAGE) -> str:
    """Cut a text, and say how much is missing.

    >>> shortened("abcdef", 4)
    'abcd... (2 more characters)'
    """
    missing = len(text) - longest
    return text if missing <= 0 else f"{text[:longest]}... ({missing} more characters)"
