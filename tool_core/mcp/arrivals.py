"""What arrives from a server, before the SDK sees it. Edge.

The SDK refuses a whole listing for one sloppy definition and forgets the fields that it does not
know; it drops an answer that it cannot read, for which the call then waits in vain; and it ends the
connection for a number beyond a float. So definitions are kept as they were sent, and the SDK gets
what it can read.
"""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Self

import mcp_types
from mcp.client import Transport
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

UNREADABLE = "the answer is not JSON-RPC"
"""What the error says that stands for an answer which nobody can read."""

_WHOLE = ("json_invalid", "missing")
"""The faults whose input is the message, and not a part of it."""

_PROGRESS = ("progress", "total")


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


def name_of(definition: object) -> str | None:
    """Return the name in a definition, or None where there is none."""
    name = definition.get("name") if isinstance(definition, Mapping) else None
    return name if isinstance(name, str) else None


def readable(error: ValidationError) -> SessionMessage | ValidationError:
    """Make the best of a message that the SDK cannot read: what it means, or whose answer it is."""
    unread = next((item["input"] for item in error.errors() if item["type"] in _WHOLE), None)
    try:
        said = json.loads(unread) if isinstance(unread, str | bytes) else unread
    except (ValueError, RecursionError):
        return error
    if not isinstance(said, Mapping):
        return error
    try:
        text = json.dumps({"jsonrpc": "2.0", **said}, ensure_ascii=False)
        return SessionMessage(mcp_types.jsonrpc_message_adapter.validate_json(_without_surrogates(text)))
    except ValidationError:
        number = said.get("id")
    if "method" in said or isinstance(number, bool) or not isinstance(number, int | str):
        return error
    fault = mcp_types.ErrorData(code=mcp_types.PARSE_ERROR, message=UNREADABLE)
    return SessionMessage(mcp_types.JSONRPCError(jsonrpc="2.0", id=number, error=fault))


def _without_surrogates(text: str) -> str:
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _is_endless(value: object) -> bool:
    return isinstance(value, int) and abs(value) > sys.float_info.max


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
        if isinstance(item, ValidationError):
            item = readable(item)
        message = getattr(item, "message", None)
        if isinstance(message, mcp_types.JSONRPCNotification) and message.params is not None:
            message.params.update({name: None for name in _PROGRESS if _is_endless(message.params.get(name))})
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
