"""Refusals: telling that a provider would have taken the request with less strictness. Layer 3."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from tool_core.strict import StrictPlan

_BAD_REQUEST = 400
_LONGEST = 500
_REFUSALS = re.compile(
    r"too many optional parameters"
    r"|too many parameters with union types"
    r"|too many strict tools|strict tools .{0,40}(?:limit|maximum)|maximum .{0,40}strict tools"
    r"|compiled grammar is too large|grammar (?:is )?too (?:large|complex)|grammar compilation"
    r"|too complex (?:for|to)"
    r"|too many states"
    r"|invalid schema for (?:function|response_format)|invalid_function_parameters|invalid_json_schema"
    r"|levels of nesting|(?:properties|enum values) .{0,40}exceeds"
    r"|For '[a-z]+'(?: type)?, "
    r"|circular reference detected in schema|schema (?:type|keyword) '[^']*' is not supported",
    re.IGNORECASE,
)
_OUTPUT = re.compile(r"response_format|text\.format|output_config|response_?json_?schema", re.IGNORECASE)
_QUOTED = re.compile(r"(?:function|tool) ['\"]([^'\"]+)['\"]|\btools\.(\d+)\.", re.IGNORECASE)


def is_refusal(error: object, status: int | None = None) -> bool:
    """Tell whether a provider refused the schemas of a request, so that `Prepared.degrade` can help.

    `error` is an SDK's exception, or the body of the answer with its `status`.

    >>> is_refusal({"error": {"message": "The compiled grammar is too large"}}, 400)
    True
    >>> is_refusal({"error": {"message": "max_tokens: Field required"}}, 400)
    False
    >>> is_refusal({"error": {"message": "The compiled grammar is too large"}}, 500)
    False
    """
    found = _status_of(error) if status is None else status
    return found in (None, _BAD_REQUEST) and _REFUSALS.search(refusal_text(error, longest=None)) is not None


def refusal_text(error: object, longest: int | None = _LONGEST) -> str:
    """Find the provider's own words in an exception or in the body of an answer.

    >>> refusal_text({"type": "error", "error": {"message": "Too many states"}})
    'Too many states'
    """
    body = error if isinstance(error, Mapping) else _body_of(error)
    words = _message_in(body)
    if words is None:
        message = getattr(error, "message", None)
        words = message if isinstance(message, str) else str(error)
    return words[:longest]


def blames_output(words: str) -> bool:
    """Tell whether a refusal is about the structured output rather than about a tool.

    >>> blames_output("Invalid schema for response_format 'Trip': 'oneOf' is not permitted.")
    True
    """
    return _OUTPUT.search(words) is not None


def blamed_tools(words: str, plan: StrictPlan, names: Mapping[str, str]) -> set[str]:
    """Find the strict tools that a refusal names, by name or by number."""
    blamed: set[str] = set()
    strict = [item.tool.name for item in plan.decisions if item.is_strict]
    ours = {wire: name for name, wire in names.items() if name in strict}
    for match in _QUOTED.finditer(words):
        if match[1] in ours:
            blamed.add(ours[match[1]])
        elif match[2] is not None and int(match[2]) < len(plan.decisions):
            name = plan.decisions[int(match[2])].tool.name
            blamed |= {name} & set(strict)
    return blamed


def _status_of(error: object) -> int | None:
    for key in ("status_code", "code"):
        value = getattr(error, key, None)
        if isinstance(value, int):
            return value
    return None


def _body_of(error: object) -> object:
    for key in ("body", "details"):
        if isinstance(value := getattr(error, key, None), Mapping | str):
            return value
    return None


def _message_in(body: object) -> str | None:
    if isinstance(body, str):
        try:
            body = json.loads(body)
        except ValueError:
            return str(body) or None
    if not isinstance(body, Mapping):
        return None
    inner = body.get("error", body)
    message = inner.get("message") if isinstance(inner, Mapping) else inner
    return message if isinstance(message, str) else None
