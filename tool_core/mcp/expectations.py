"""Whether a server's tools are those that were agreed on. Layer 3."""

from __future__ import annotations

from collections.abc import Sequence

from tool_core.errors import ToolConfigurationError
from tool_core.mcp.drifts import drift
from tool_core.mcp.fingerprints import fingerprint
from tool_core.toolkits import Toolkit
from tool_core.tools import AnyTool


def check_expected(server: str, expected: object, tools: Sequence[AnyTool]) -> None:
    """Refuse tools that differ from a fingerprint, a toolkit, a saved `tools/list` or a locked module.

    >>> from tool_core import Tool
    >>> check_expected("clock", [Tool.make("now")], [Tool.make("now"), Tool.make("set")])
    Traceback (most recent call last):
        ...
    tool_core.errors.ToolConfigurationError: Invalid configuration: server 'clock' offers other tools \
than expected:
    + set: a new tool
    """
    if isinstance(expected, str):
        found = fingerprint(tools)
        if found != expected:
            advice = "`tool-core drift` shows what changed"
            raise _refusal(server, f"their fingerprint is {found}, not {expected}; {advice}", "; ")
        return
    locked = getattr(expected, "FINGERPRINT", None)
    if isinstance(locked, str):
        if locked != fingerprint(tools):
            raise _refusal(server, _differences(_toolkit_in(expected), tools))
    elif found_drift := drift(expected, tools):
        raise _refusal(server, str(found_drift))


def _refusal(server: str, details: str, between: str = ":\n") -> ToolConfigurationError:
    return ToolConfigurationError(
        None, f"server {server!r} offers other tools than expected{between}{details}"
    )


def _toolkit_in(module: object) -> object:
    return next((item for item in vars(module).values() if isinstance(item, Toolkit)), ())


def _differences(locked: object, tools: Sequence[AnyTool]) -> str:
    return str(drift(locked, tools) or "details that only the fingerprint covers")
