"""`tool-core call`: run one tool as a model would, with approval asked on the terminal. Edge."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from tool_core.bound_toolkits import BoundToolkit
from tool_core.cli.arguments import EnvOption, HeaderOption, McpOption
from tool_core.cli.complaints import CommandError, complaint
from tool_core.cli.live_servers import Server, server_of
from tool_core.cli.screens import errors
from tool_core.cli.targets import Target, load_target
from tool_core.cli.texts import counted, fit
from tool_core.errors import JsonTextError, ToolDefectError, ToolError
from tool_core.json_text import secure_json_loads
from tool_core.parts import ToolApprovalResponsePart, ToolCallPart, ToolPart


def call(
    target: Annotated[
        str | None,
        typer.Argument(metavar="TARGET", help="Where the bound tools are (left out with --mcp)."),
    ] = None,
    tool: Annotated[str | None, typer.Argument(metavar="TOOL", help="Which to call.")] = None,
    arguments: Annotated[
        str | None,
        typer.Argument(metavar="JSON", help="Its arguments, {} without them; - reads standard input."),
    ] = None,
    file: Annotated[Path | None, typer.Option("--file", "-f", help="Read the arguments from a file.")] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Approve without asking.")] = False,
    parts: Annotated[
        bool, typer.Option("--parts", help="Print every part of the turn as a line of JSON.")
    ] = False,
    mcp: McpOption = None,
    env: EnvOption = None,
    header: HeaderOption = None,
) -> int:
    """Call one tool; the result goes to standard output, progress to standard error.

    Exit code: 0 success, 1 a failure of the tool, 2 misuse.
    """
    server = server_of(mcp, env, header)
    words = [word for word in (target, tool, arguments) if word is not None]
    place, name, text = _read_words(words, has_target=server is None)
    params = _arguments(text, file)
    request: ToolCallPart = {"type": "tool-call", "id": "call_1", "name": name, "params": params}
    bound = None if place is None else load_target(place).bound_for(name)
    try:
        answer = asyncio.run(_answered(bound or server, request, approve=yes, show_parts=parts))
    except CommandError:
        raise
    except ToolError as error:
        advice = "; --debug shows where" if isinstance(error, ToolDefectError) else ""
        errors().print(Text(fit(f"{error}{advice}"), "red"), soft_wrap=True)
        return 1
    if not parts:
        print(json.dumps(answer.get("result")))
    return 1 if answer.get("is_failure") else 0


async def _answered(
    where: BoundToolkit[Any] | Server | None, request: ToolCallPart, *, approve: bool, show_parts: bool
) -> ToolPart:
    """Run the call here or on a server."""
    if isinstance(where, Server):
        async with where.connected() as remote:
            known = Target(remote.server, remote.toolkit, (remote.bound,))
            bound = known.bound_for(request["name"])
            return await _resolved(bound, request, approve=approve, show_parts=show_parts)
    assert where is not None
    return await _resolved(where, request, approve=approve, show_parts=show_parts)


async def _resolved(
    bound: BoundToolkit[Any], request: ToolCallPart, *, approve: bool, show_parts: bool
) -> ToolPart:
    """Run the call; where it needs approval, ask and run it again with the answer."""

    def show(part: ToolPart) -> None:
        if show_parts:
            print(json.dumps(part), flush=True)
        elif part["type"] == "tool-result" and part["preliminary"]:
            errors().print(Text(f"... {fit(json.dumps(part['result']))}", "dim"), soft_wrap=True)

    (part,) = await bound.resolve([request], on_part=show)
    if part["type"] == "tool-approval-request":
        answer = _decision(request, part["approval_id"], approve)
        if show_parts:
            print(json.dumps(answer), flush=True)
        (part,) = await bound.resolve([request], approvals=[answer], on_part=show)
    return part


def _read_words(words: Sequence[str], *, has_target: bool) -> tuple[str | None, str, str | None]:
    """Tell target, tool and arguments apart."""
    given = [None, *words] if not has_target else list[str | None](words)
    if not 2 <= len(given) <= 3:
        shape = "TARGET TOOL [JSON]" if has_target else "TOOL [JSON]"
        raise complaint(f"call takes {shape}", f"it got {counted(len(words), 'argument')}")
    target, tool, text = (*given, None)[:3]
    assert tool is not None
    return target, tool, text


def _decision(request: ToolCallPart, approval_id: str, approve: bool) -> ToolApprovalResponsePart:
    asked = f"{request['name']} {json.dumps(request['params'])}"
    if not approve and not sys.stdin.isatty():
        raise complaint(f"{request['name']!r} needs approval, and nobody is here to ask", "give --yes")
    approved = approve or typer.confirm(f"Run {fit(asked)}?", err=True)
    response: ToolApprovalResponsePart = {
        "type": "tool-approval-response",
        "approval_id": approval_id,
        "approved": approved,
    }
    return response if approved else {**response, "reason": "denied on the terminal"}


def _arguments(text: str | None, file: Path | None) -> object:
    if text is not None and file is not None:
        raise complaint("the arguments are given twice", "give JSON, or --file, not both")
    if file is not None:
        try:
            text = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            words = getattr(error, "strerror", None) or str(error)
            raise complaint(f"{str(file)!r} cannot be read", words) from error
    elif text == "-":
        text = sys.stdin.read()
    try:
        return {} if text is None else secure_json_loads(text)
    except JsonTextError as error:
        raise complaint("the arguments are no JSON", error.description) from error
