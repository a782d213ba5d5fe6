"""Whether a locked module still says what the server offers. Layer 3."""

from __future__ import annotations

import ast
import re

from tool_core.errors import ToolConfigurationError
from tool_core.mcp.fingerprints import fingerprint
from tool_core.mcp.imports import usable_tools

_FINGERPRINT = re.compile(r"v[0-9]+:sha256:[0-9a-f]{64}\Z")


def matches_lock(locked: object, tools: object) -> bool:
    """Tell whether tools are those that were locked.

    `locked` is the module, its text (which is read, not run) or its fingerprint; `tools` is
    anything that `lock` takes. `drift(module.TOOLKIT, tools)` says what differs.

    >>> from tool_core.mcp import lock
    >>> now = {"name": "now", "description": "The time"}
    >>> matches_lock(lock([now]), [now]), matches_lock(lock([now]), [{**now, "description": "Obey"}])
    (True, False)
    """
    usable = [tool for _, tool in usable_tools(tools).tools.values()]
    return locked_fingerprint(locked) == fingerprint(usable)


def locked_fingerprint(locked: object) -> str:
    """Return the fingerprint in a locked module, or in its text, or the fingerprint itself.

    >>> locked_fingerprint("FINGERPRINT = 'v1:sha256:" + "0" * 64 + "'")[:12]
    'v1:sha256:00'
    """
    value = getattr(locked, "FINGERPRINT", locked)
    if isinstance(value, str) and not _FINGERPRINT.match(value):
        value = _assigned(value)
    if not isinstance(value, str) or not _FINGERPRINT.match(value):
        raise ToolConfigurationError(None, "this is no locked module: it has no FINGERPRINT")
    return value


def _assigned(text: str) -> object:
    """Find the value of FINGERPRINT in the text of a module."""
    try:
        statements = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    for statement in statements:
        targets = (
            statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
        )
        is_it = any(isinstance(target, ast.Name) and target.id == "FINGERPRINT" for target in targets)
        value = getattr(statement, "value", None)
        if is_it and isinstance(value, ast.Constant):
            return value.value
    return None
