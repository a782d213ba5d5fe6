"""The tools that a server lists, page by page. Edge."""

from __future__ import annotations

import mcp_types
from mcp import Client, MCPError

from tool_core.errors import ToolConfigurationError
from tool_core.mcp.arrivals import Arrivals, name_of

_MOST_PAGES = 1000


async def listed(client: Client, arrivals: Arrivals, server: str) -> list[object]:
    """Fetch the definitions of all tools, page by page, each as the server sent it."""
    arrivals.definitions.clear()
    usable: set[str] = set()
    cursors: set[str] = set()
    cursor: str | None = None
    while True:
        try:
            page = await client.list_tools(cursor=cursor)
        except MCPError as error:
            if error.code == mcp_types.METHOD_NOT_FOUND and cursor is None:
                return []  # a server without tools
            raise
        usable |= {tool.name for tool in page.tools}
        cursor = page.next_cursor
        if not cursor:
            return [item for item in arrivals.definitions if name_of(item) in usable | {None}]
        if cursor in cursors or len(cursors) == _MOST_PAGES:
            raise ToolConfigurationError(None, f"server {server!r} lists its tools on pages without end")
        cursors.add(cursor)
