"""OpenTelemetry spans for tool calls, as middleware. Edge; needs the extra `otel`.

The names follow the semantic conventions for generative AI.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tool_core.errors import ToolError
from tool_core.json_text import canonical_json
from tool_core.middleware import Call, Next, Wrap
from tool_core.outcomes import HandlerResult
from tool_core.queries import get_description

if TYPE_CHECKING:
    from opentelemetry.trace import Tracer


def execute_tool_spans(tracer: Tracer | None = None, *, capture_content: bool = False) -> Wrap:
    """Make middleware that puts a span around every call.

    Gotchas:
        Arguments and results may hold secrets, so they are recorded only where
        `capture_content=True` asks for them.

    >>> from tool_core import Tool, Toolkit
    >>> kit = Toolkit.make(Tool.make("Now", success=float))
    >>> kit.bind({"Now": lambda params: 12.5}, wrap=execute_tool_spans()).call_sync("Now", {}).result
    12.5
    """
    from opentelemetry import trace

    used = tracer or trace.get_tracer("tool_core")

    async def spans(call: Call, next_: Next) -> HandlerResult[object]:
        with used.start_as_current_span(f"execute_tool {call.name}", attributes=_attributes(call)) as span:
            if capture_content:
                span.set_attribute("gen_ai.tool.call.arguments", _written(call.params))
            result = await next_(call)
            if capture_content:
                span.set_attribute("gen_ai.tool.call.result", result.to_json())
            if result.is_failure:
                kind = (
                    type(result.result).__name__
                    if isinstance(result.result, ToolError)
                    else "ToolFailedError"
                )
                span.set_attribute("error.type", kind)
                span.set_status(trace.StatusCode.ERROR)
            return result

    return spans


def _attributes(call: Call) -> dict[str, str]:
    attributes = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": call.name,
        "gen_ai.tool.type": "function",
    }
    if call.id:
        attributes["gen_ai.tool.call.id"] = call.id
    if description := get_description(call.tool):
        attributes["gen_ai.tool.description"] = description
    return attributes


def _written(params: object) -> str:
    """Write what was sent, which need not be JSON: then its type has to do."""
    try:
        return canonical_json(params)
    except (TypeError, ValueError, RecursionError):
        return f"<{type(params).__name__}>"
