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
    if isinstance(choice, Mapping) and isinstance(choice.get("tool"), str):
        chosen = [cast(OneTool, choice)["tool"]]
    elif isinstance(choice, Mapping) and isinstance(choice.get("one_of"), Sequence):
        chosen = list(cast(OneOf, choice)["one_of"])
    else:
        forms = "'auto', 'none', 'required', {'tool': name} or {'mode': ..., 'one_of': [...]}"
        raise ToolConfigurationError(None, f"a tool choice is {forms}, not {choice!r}")
    for name in chosen:
        if not isinstance(name, str) or name not in names:
            hint = did_you_mean(str(name), names)
            raise ToolConfigurationError(
                str(name), f"the tool choice names a tool that is not in the toolkit{hint}"
            )
    return chosen
