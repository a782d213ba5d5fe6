"""`tool-core schema`: the JSON Schemas of tools, as written or as a provider gets them. Edge."""

from __future__ import annotations

from typing import Annotated

import typer

from tool_core.cli.arguments import TargetArgument
from tool_core.cli.printing import print_json
from tool_core.cli.targets import load_target
from tool_core.queries import get_json_schema


def schema(
    target: TargetArgument = None,
    tool: Annotated[str | None, typer.Argument(metavar="TOOL", help="One tool; all without it.")] = None,
) -> int:
    """Print the JSON Schemas of the tools' parameters, as JSON."""
    loaded = load_target(target)
    tools = loaded.toolkit if tool is None else [loaded.tool(tool)]
    schemas = {item.name: get_json_schema(item) for item in tools}
    print_json(schemas if tool is None else schemas[tool])
    return 0
