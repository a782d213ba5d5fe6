"""The tools that a server lists, as it sent them. Edge.

The SDK refuses a whole listing for one sloppy definition and forgets the fields that it does not
know. So what arrives is kept before the SDK sees it, and the SDK gets as much as it needs to call.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Self

import mcp_types
from mcp import Client, MCPError
from mcp.client import Transport

from tool_core.errors import ToolConfigurationError

_MOST_PAGES = 1000


@dataclass(slots=True)
class Arrivals:
    """What came in from a server: definitions as sent, and whether the stream has ended."""

    definitions: list[object] = field(default_factory=list)
    ended: bool = False


@asynccontextmanager
async def observed(transport: Transport, arrivals: Arrivals) -> AsyncIterator[tuple[Any, Any]]:
    """Look at what arrives before the SDK does."""
    async with transport as (read, write):
        yield _Observed(read, arrivals), write


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


def name_of(definition: object) -> str | None:
    """Return the name in a definition, or None where there is none."""
    name = definition.get("name") if isinstance(definition, Mapping) else None
    return name if isinstance(name, str) else None


class _Observed:
    """A stream of messages that notes the definitions passing through."""

    def __init__(self, stream: Any, arrivals: Arrivals) -> None:
        self._stream = stream
        self._arrivals = arrivals

    @property
    def last_context(self) -> object:
        return getattr(self._stream, "last_context", None)

    async def receive(self) -> object:
        return self._noted(await self._stream.receive())

    async def aclose(self) -> None:
        await self._stream.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> object:
        try:
            return self._noted(await self._stream.__anext__())
        except StopAsyncIteration:
            self._arrivals.ended = True
            raise

    async def __aenter__(self) -> Self:
        await self._stream.__aenter__()
        return self

    async def __aexit__(self, *raised: Any) -> bool | None:
        ended: bool | None = await self._stream.__aexit__(*raised)
        return ended

    def _noted(self, item: Any) -> object:
        message = getattr(item, "message", None)
        if isinstance(message, mcp_types.JSONRPCResponse) and isinstance(message.result.get("tools"), list):
            definitions = message.result["tools"]
            self._arrivals.definitions += definitions
            message.result["tools"] = [_callable(each) for each in definitions if name_of(each) is not None]
        return item


def _callable(definition: Mapping[str, object]) -> dict[str, object]:
    """Keep what the SDK needs to call a tool; schemas are checked by the tool itself."""
    schema = definition.get("inputSchema")
    properties = schema.get("properties") if isinstance(schema, Mapping) else None
    is_readable = isinstance(properties, Mapping) and all(
        isinstance(item, Mapping) for item in properties.values()
    )
    known = {"properties": properties} if is_readable else {}
    return {"name": definition["name"], "inputSchema": {"type": "object", **known}}
