"""The Model Context Protocol: import a server's tools, and offer your own.

The names that translate definitions need no SDK; the `mcp` package is loaded by what talks to
somebody.
"""

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

__all__ = [
    "CONTENT",
    "Content",
    "ContentBlock",
    "McpTool",
    "MediaContent",
    "Notes",
    "ResourceContent",
    "ResourceLinkContent",
    "TextContent",
    "from_mcp_tool",
    "to_mcp_tool",
]
