"""The keyword arguments that `prepare_tools` takes for every provider. Layer 3."""

from __future__ import annotations

from typing import Required

from typing_extensions import TypedDict

from tool_core.choices import ToolChoice
from tool_core.errors import ToolConfigurationError
from tool_core.strict import ModelInfo


class PrepareOptions(TypedDict, total=False):
    """What every provider's `prepare_tools` takes beside the toolkit and the output."""

    model: Required[ModelInfo | str]
    """The model's id, as the table of models knows it, or what you know of it yourself."""
    tool_choice: ToolChoice | None
    strict_json_schema: bool | None
    """What a tool that says nothing about strict mode gets; None means strict where the model can."""


def checked_flag(name: str, value: object) -> bool | None:
    """Refuse an option that is neither a boolean nor None.

    >>> checked_flag("parallel_tool_calls", "no")
    Traceback (most recent call last):
        ...
    tool_core.errors.ToolConfigurationError: Invalid configuration: \
parallel_tool_calls is True, False or None, not 'no'
    """
    if value is None or isinstance(value, bool):
        return value
    raise ToolConfigurationError(None, f"{name} is True, False or None, not {value!r}")
