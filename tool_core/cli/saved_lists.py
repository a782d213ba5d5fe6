"""A server's `tools/list`, saved as JSON, as a target. Edge."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from tool_core.cli.complaints import complaint
from tool_core.cli.targets import Target
from tool_core.errors import JsonTextError, ToolError
from tool_core.json_text import secure_json_loads
from tool_core.mcp import from_mcp_tool
from tool_core.toolkits import Toolkit
from tool_core.tools import AnyTool


def load_saved(path: Path) -> Target:
    """Read a saved list; a definition that cannot be used costs the others nothing."""
    return target_of_definitions(str(path), read_definitions(path))


def read_definitions(path: Path) -> Sequence[object]:
    """Read the definitions of a saved list, be it the response, its result, or the bare list."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise complaint(
            f"{str(path)!r} cannot be read", getattr(error, "strerror", None) or str(error)
        ) from error
    try:
        document = secure_json_loads(text)
    except JsonTextError as error:
        raise complaint(f"{str(path)!r} is no JSON", error.description) from error
    return definitions_in(document, str(path))


def definitions_in(document: object, name: str) -> Sequence[object]:
    """Find the list of definitions in a document.

    >>> definitions_in({"result": {"tools": [{"name": "search"}]}}, "saved.json")
    [{'name': 'search'}]
    """
    for key in ("result", "tools"):
        if isinstance(document, dict) and key in document:
            document = document[key]
    if isinstance(document, dict) and "inputSchema" in document:
        document = [document]
    if not isinstance(document, list):
        raise complaint(f"{name!r} is no tools/list", 'it is {"tools": [...]} or a list of definitions')
    if not document:
        raise complaint(f"{name!r} lists no tools")
    return document


def target_of_definitions(name: str, definitions: Iterable[object]) -> Target:
    """Make tools of definitions, and keep the reasons for those that are none."""
    tools: dict[str, AnyTool] = {}
    refused: list[tuple[str, str]] = []
    for number, definition in enumerate(definitions):
        try:
            tool = from_mcp_tool(definition)
        except ToolError as error:
            refused.append((error.tool_name or f"definition {number + 1}", str(error)))
            continue
        if tool.name in tools:
            refused.append((tool.name, "the list has this name twice: the first one is used"))
        tools.setdefault(tool.name, tool)
    return Target(name, Toolkit.make(*tools.values()), refused=tuple(refused))
