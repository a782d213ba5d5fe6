"""The options that several commands share, declared once. Edge."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import typer

TargetArgument: TypeAlias = Annotated[
    str | None,
    typer.Argument(
        metavar="TARGET",
        help="A Python file, a module, MODULE:OBJECT, or a saved tools/list (.json).",
        show_default=False,
    ),
]
BoundTargetArgument: TypeAlias = Annotated[
    str | None,
    typer.Argument(
        metavar="TARGET",
        help="A Python file, a module or MODULE:OBJECT, with handlers for its tools.",
        show_default=False,
    ),
]
ProviderOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--provider", "-p", help="openai, anthropic or google; may be repeated.", metavar="NAME"),
]
ModelOption: TypeAlias = Annotated[
    list[str] | None, typer.Option("--model", "-m", help="A model; may be repeated.", metavar="MODEL")
]
JsonOption: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
McpOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--mcp", help="A live MCP server to take instead: a command, or an address.", metavar="SERVER"
    ),
]
EnvOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--env", help="For the server's command; may be repeated.", metavar="NAME=VALUE"),
]
HeaderOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--header", help="For the server's address; may be repeated.", metavar="NAME:VALUE"),
]
