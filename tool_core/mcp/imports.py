"""Many definitions at once: those that can be used, and why the others cannot. Layer 3."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from tool_core.errors import ToolConfigurationError
from tool_core.mcp.definitions import McpTool, from_mcp_tool, to_mcp_tool
from tool_core.mcp.fingerprints import listed_tools
from tool_core.tools import Tool


@dataclass(frozen=True, slots=True)
class Imports:
    """Tools by name, each with its definition as it was sent, and what was refused."""

    tools: dict[str, tuple[object, McpTool]] = field(default_factory=dict)
    refused: dict[str, ToolConfigurationError] = field(default_factory=dict)


def import_tools(
    definitions: Iterable[object], *, prefix: str | None = None, server: str | None = None
) -> Imports:
    """Import each definition on its own: one that cannot be used does not cost the others.

    >>> found = import_tools([{"name": "search"}, {"name": "odd", "inputSchema": 3}], prefix="web_")
    >>> list(found.tools), list(found.refused)
    (['web_search'], ['odd'])
    """
    found = Imports()
    sender = "the server" if server is None else f"server {server!r}"
    for definition in definitions:
        try:
            tool = from_mcp_tool(definition, prefix=prefix, server=server)
            if tool.name in found.tools and found.tools[tool.name] != (definition, tool):
                raise ToolConfigurationError(tool.name, f"{sender} lists two tools of this name")
            found.tools[tool.name] = (definition, tool)
        except ToolConfigurationError as error:
            found.refused[error.tool_name or ""] = error
    return found


def usable_tools(source: object, server: str | None = None) -> Imports:
    """Import the tools of anything that `fingerprint` takes.

    >>> list(usable_tools({"tools": [{"name": "search"}, 3]}).tools)
    ['search']
    """
    entries = (to_mcp_tool(item) if isinstance(item, Tool) else item for item in listed_tools(source))
    return import_tools(entries, server=server)
