"""The types of what goes to Anthropic's SDK; only type checkers need the SDK for them. Layer 3."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typing_extensions import TypedDict

if TYPE_CHECKING:
    from anthropic.types import MessageParam, OutputConfigParam, ToolChoiceParam, ToolUnionParam

    Message = MessageParam


class MessagesRequest(TypedDict, total=False):
    """What `client.messages.create(**request)` gets of us."""

    tools: list[ToolUnionParam]
    tool_choice: ToolChoiceParam
    output_config: OutputConfigParam
    extra_headers: dict[str, str]
