"""`tool-core drift`: how tools differ from what they were, and what that allows. Edge."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.text import Text

from tool_core.cli.arguments import EnvOption, HeaderOption, JsonOption, McpOption
from tool_core.cli.complaints import complaint
from tool_core.cli.live_servers import chosen_target, server_of
from tool_core.cli.printing import print_json
from tool_core.cli.screens import output, show
from tool_core.cli.targets import load_target
from tool_core.mcp.drifts import Drift
from tool_core.mcp.drifts import drift as compared

_STYLES = {"+": "green", "-": "red", "~": "bold yellow"}


def drift(
    old: Annotated[
        str, typer.Argument(metavar="OLD", help="What was agreed: a lock, a module or a saved tools/list.")
    ],
    new: Annotated[
        str | None, typer.Argument(metavar="NEW", help="What is there now (not with --mcp).")
    ] = None,
    mcp: McpOption = None,
    env: EnvOption = None,
    header: HeaderOption = None,
    as_json: JsonOption = False,
) -> int:
    """Compare tools with what they were.

    Exit code: 0 no drift, 1 drift, 2 misuse.
    """
    server = server_of(mcp, env, header)
    if new is None and server is None:
        raise complaint(f"there is nothing to compare {old!r} with", "give what is there now, or --mcp")
    before, now = load_target(old), chosen_target(new, server)
    found = compared(before.toolkit, now.toolkit)
    if as_json:
        print_json(found.to_dict())
    else:
        show(output(), *(_line(text) for text in str(found).splitlines()), *_meaning(found))
    return 1 if found else 0


def _line(text: str) -> Text:
    return Text(text, _STYLES.get(text.lstrip()[:1], ""))


def _meaning(found: Drift) -> list[Text]:
    said = {
        "the model may do more than was agreed": found.widens,
        "the model reads other texts than before": found.rewords,
        "calls that were right may now fail": found.breaks,
    }
    return [Text(f"=> {text}", "bold") for text, holds in said.items() if holds]
