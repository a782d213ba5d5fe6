"""Results as the texts that a model reads. Layer 3."""

from __future__ import annotations

import json

from tool_core.parts import ToolResultPart

FAILED = "The tool call failed: "
"""The words that say so where a provider has no flag for it."""


def result_text(part: ToolResultPart) -> str:
    """Return a text as it is and anything else as JSON.

    >>> from tool_core.parts import tool_result
    >>> result_text(tool_result("1", "Now", "noon")), result_text(tool_result("1", "Now", {"hour": 12}))
    ('noon', '{"hour": 12}')
    """
    result = part["result"]
    return result if isinstance(result, str) else json.dumps(result, ensure_ascii=False, default=str)


def worded_text(part: ToolResultPart) -> str:
    """Return the text, with the words for a failure where it is one.

    >>> from tool_core.parts import tool_result
    >>> worded_text(tool_result("1", "Pay", "no funds", is_failure=True))
    'The tool call failed: no funds'
    """
    return FAILED + result_text(part) if part["is_failure"] else result_text(part)
