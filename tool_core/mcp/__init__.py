"""The Model Context Protocol: call a server's tools as your own, and offer your own.

The names that translate definitions need no SDK; what talks to somebody loads the `mcp` package
when it is first asked for.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from tool_core.errors import ToolConfigurationError
from tool_core.mcp.contents import (
    CONTENT,
    Content,
    ContentBlock,
    MediaContent,
    ResourceContent,
    ResourceLinkContent,
    TextContent,
)
from tool_core.mcp.definitions import McpTool, Notes, from_mcp_tool, to_mcp_tool
from tool_core.mcp.drifts import Drift, ToolDrift, drift
from tool_core.mcp.fingerprints import fingerprint
from tool_core.mcp.locking import lock, locked_fingerprint, matches_lock
from tool_core.mcp.schema_changes import Change, Effect

if TYPE_CHECKING:
    from tool_core.mcp.clients import Remote, connect
    from tool_core.mcp.mergers import merge
    from tool_core.mcp.servers import serve, serve_sync

_TALKING = {
    "Remote": "clients",
    "connect": "clients",
    "merge": "mergers",
    "serve": "servers",
    "serve_sync": "servers",
}


def __getattr__(name: str) -> object:
    if name not in _TALKING:
        raise AttributeError(f"module 'tool_core.mcp' has no attribute {name!r}")
    try:
        return getattr(import_module(f"tool_core.mcp.{_TALKING[name]}"), name)
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in ("mcp", "mcp_types", "httpx2", "uvicorn"):
            raise
        advice = "pip install 'tool-core[mcp]'"
        raise ToolConfigurationError(None, f"tool_core.mcp.{name} needs the MCP SDK: {advice}") from None


__all__ = [
    "CONTENT",
    "Change",
    "Content",
    "ContentBlock",
    "Drift",
    "Effect",
    "McpTool",
    "MediaContent",
    "Notes",
    "Remote",
    "ResourceContent",
    "ResourceLinkContent",
    "TextContent",
    "ToolDrift",
    "connect",
    "drift",
    "fingerprint",
    "from_mcp_tool",
    "lock",
    "locked_fingerprint",
    "matches_lock",
    "merge",
    "serve",
    "serve_sync",
    "to_mcp_tool",
]
