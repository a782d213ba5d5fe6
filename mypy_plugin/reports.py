"""Errors of the plugin: where they are reported, and their recurring words."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from mypy.errorcodes import ErrorCode
from mypy.messages import format_type
from mypy.nodes import Context
from mypy.plugin import CheckerPluginInterface
from mypy.types import Type

from mypy_plugin.codes import TOOL_NAME


def report(api: CheckerPluginInterface, message: str, place: Context, code: ErrorCode) -> None:
    """Report an error under one of the plugin's codes."""
    api.fail(message, place, code=code)


def unknown_name(api: CheckerPluginInterface, name: str, known: Iterable[str], place: Context) -> None:
    """Report a name that a toolkit does not have, with the closest one that it has."""
    report(api, f'The toolkit has no tool "{name}"{did_you_mean(name, known)}', place, TOOL_NAME)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Name the closest known name as a question, or say nothing where none is close."""
    close = difflib.get_close_matches(name, sorted(known), n=1)
    return f'; did you mean "{close[0]}"?' if close else ""


def quoted(names: Iterable[str]) -> str:
    """List names for a message."""
    return ", ".join(f'"{name}"' for name in names)


def shown(api: CheckerPluginInterface, tp: Type) -> str:
    """Write a type as mypy does, in quotes."""
    return format_type(tp, api.options)
