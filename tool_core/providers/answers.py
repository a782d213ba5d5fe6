"""Structured output by way of a tool, where a model has none of its own. Layer 3."""

from __future__ import annotations

from collections.abc import Iterable

from tool_core.errors import InvalidOutputError
from tool_core.providers.output_formats import OutputFormat

_WORDS = "Give the answer by calling this tool, once."


def answer_words(output: OutputFormat) -> str:
    """Describe the tool that takes the answer."""
    return f"{output.description}\n{_WORDS}" if output.description else _WORDS


def answered(calls: Iterable[tuple[object, object]], output: OutputFormat) -> object:
    """Read the answer from the calls of a response, which are names and arguments."""
    for name, arguments in calls:
        if name == output.name:
            return output.read(arguments) if isinstance(arguments, str) else output.lifted(arguments)
    raise InvalidOutputError(None, f"the model did not call {output.name!r} to answer")
