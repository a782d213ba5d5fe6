"""Which tools a model may call in a turn. Layer 2."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Literal, NotRequired, TypeAlias, cast

from typing_extensions import TypedDict

from tool_core.errors import ToolConfigurationError
from tool_core.names import did_you_mean


class OneTool(TypedDict):
    """The model must call this tool."""

    tool: str


class OneOf(TypedDict):
    """The model may (`auto`, the default) or must (`required`) call one of these tools."""

    mode: NotRequired[Literal["auto", "required"]]
    one_of: Sequence[str]


ToolChoice: TypeAlias = Literal["auto", "none", "required"] | OneTool | OneOf
"""What the model may do: anything, nothing, something, one tool, or one of several."""


def allowed_tools(choice: ToolChoice | None, names: Collection[str]) -> Collection[str]:
    """Return the names that a choice allows; a choice of an unknown tool is an error.

    >>> allowed_tools({"tool": "Now"}, ["Now", "Search"])
    ['Now']
    """
    if choice is None or choice in ("auto", "required"):
        return names
    if choice == "none":
        return []
    for name in (chosen := _named(choice)):
        if not isinstance(name, str) or name not in names:
            hint = did_you_mean(str(name), names)
            raise ToolConfigurationError(
                str(name), f"the tool choice names a tool that is not in the toolkit{hint}"
            )
    return list(dict.fromkeys(chosen))


def _named(choice: object) -> list[str]:
    """Return the names that stand in a choice of the right form."""
    if isinstance(choice, Mapping):
        keys, several = choice.keys(), choice.get("one_of")
        if keys == {"tool"}:
            return [choice["tool"]]
        is_list = isinstance(several, Sequence) and not isinstance(several, str)
        if is_list and keys <= {"one_of", "mode"} and choice.get("mode", "auto") in ("auto", "required"):
            if not several:
                raise ToolConfigurationError(None, "the tool choice names no tool; for that say 'none'")
            return list(cast("Sequence[str]", several))
    forms = "'auto', 'none', 'required', {'tool': name} or {'one_of': [...], 'mode': 'auto' or 'required'}"
    raise ToolConfigurationError(None, f"a tool choice is {forms}, not {choice!r}")
