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
ProviderOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--provider", "-p", help="openai, anthropic or google; may be repeated.", metavar="NAME"),
]
ModelOption: TypeAlias = Annotated[
    list[str] | None, typer.Option("--model", "-m", help="A model; may be repeated.", metavar="MODEL")
]
JsonOption: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
