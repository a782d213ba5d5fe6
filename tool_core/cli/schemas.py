"""`tool-core schema`: the JSON Schemas of tools, as written or as a provider gets them. Edge."""

from __future__ import annotations

from typing import Annotated

import typer

from tool_core.cli.arguments import (
    EnvOption,
    HeaderOption,
    McpOption,
    ModelOption,
    ProviderOption,
    TargetArgument,
)
from tool_core.cli.assessments import prepared_for
from tool_core.cli.columns import columns_for
from tool_core.cli.complaints import complaint
from tool_core.cli.live_servers import chosen_target, server_of
from tool_core.cli.printing import print_json, warn
from tool_core.queries import get_json_schema
from tool_core.toolkits import Toolkit


def schema(
    target: TargetArgument = None,
    tool: Annotated[str | None, typer.Argument(metavar="TOOL", help="One tool; all without it.")] = None,
    provider: ProviderOption = None,
    model: ModelOption = None,
    mcp: McpOption = None,
    env: EnvOption = None,
    header: HeaderOption = None,
) -> int:
    """Print the schemas of the tools' parameters, or the tools of a provider's request, as JSON."""
    loaded = chosen_target(target, server_of(mcp, env, header))
    kit = loaded.toolkit if tool is None else Toolkit.make(loaded.tool(tool))
    if not provider and not model:
        schemas = {item.name: get_json_schema(item) for item in kit}
        print_json(schemas if tool is None else schemas[tool])
        return 0
    column, *others = columns_for(provider or (), model or ())
    if others:
        raise complaint("a request goes to one model", "give one --provider or one --model")
    prepared, refused = prepared_for(kit, column)
    for name, verdict in refused.items():
        warn(f"{name} is left out: {verdict.reason}")
    print_json(prepared.request)
    return 1 if any(verdict.state == "impossible" for verdict in refused.values()) else 0
