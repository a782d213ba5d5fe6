"""Tools over MCP, from both sides: `mcp_server.py serve` is a server, `mcp_server.py` starts and uses it."""

from __future__ import annotations

import asyncio
import sys

from typing_extensions import TypedDict

from tool_core import HandlerContext, Progress, Readonly, Tool, Toolkit
from tool_core.mcp import Remote, connect, fingerprint, serve_sync


class Search(TypedDict):
    """Search the notes."""

    word: str


class Found(TypedDict):
    notes: list[str]


class Delete(TypedDict):
    note: str


NOTES = ["buy milk", "call Oslo", "water the plants"]

search = Tool.make("search", parameters=Search, success=Found).annotate(Readonly, True)
delete = Tool.make("delete", parameters=Delete, success=str, needs_approval=True)


async def searched(params: Search, ctx: HandlerContext[Found]) -> Found:
    for number in range(len(NOTES)):
        await ctx.preliminary(Progress(number + 1, len(NOTES)))
    return {"notes": [note for note in NOTES if params["word"] in note]}


def deleted(params: Delete) -> str:
    NOTES.remove(params["note"])
    return "gone"


bound = Toolkit.make(search, delete).bind({"search": searched, "delete": deleted}, timeout=10)


async def use(remote: Remote) -> None:
    async for result in remote.bound.handle("notes_search", {"word": "milk"}):
        print("so far" if result.preliminary else "found", result.to_json())
    refused = await remote.bound.call("notes_delete", {"note": "buy milk"})
    print("refused" if refused.is_failure else "deleted", refused.result)


async def main() -> None:
    command = [sys.executable, __file__, "serve"]
    async with connect(command, prefix="notes_", expect=fingerprint(bound)) as remote:
        await use(remote)


if __name__ == "__main__":
    if sys.argv[1:] == ["serve"]:
        serve_sync(bound, name="notes")
    else:
        asyncio.run(main())
