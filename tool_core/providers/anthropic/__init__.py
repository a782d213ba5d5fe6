"""Anthropic: Messages. Layer 3."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, overload

from typing_extensions import TypeForm, TypeVar, Unpack

from tool_core.providers.anthropic.messages import MESSAGES
from tool_core.providers.anthropic.requests import MessagesRequest
from tool_core.providers.anthropic.tools import (
    Bash_20241022,
    Bash_20250124,
    CodeExecution_20250522,
    CodeExecution_20250825,
    ComputerUse_20241022,
    ComputerUse_20250124,
    ComputerUse_20251124,
    Memory_20250818,
    TextEditor_20241022,
    TextEditor_20250124,
    TextEditor_20250429,
    TextEditor_20250728,
    ToolSearchBM25_20251119,
    ToolSearchRegex_20251119,
    WebFetch_20250910,
    WebSearch_20250305,
)
from tool_core.providers.prepared import Prepared
from tool_core.providers.preparing import prepare
from tool_core.providers.refusals import is_refusal
from tool_core.providers.requests import PrepareOptions, checked_flag
from tool_core.schemas import Schema
from tool_core.toolkits import Toolkit

if TYPE_CHECKING:
    from tool_core.providers.anthropic.requests import Message

T = TypeVar("T")

__all__ = [
    "Bash_20241022",
    "Bash_20250124",
    "CodeExecution_20250522",
    "CodeExecution_20250825",
    "ComputerUse_20241022",
    "ComputerUse_20250124",
    "ComputerUse_20251124",
    "Memory_20250818",
    "TextEditor_20241022",
    "TextEditor_20250124",
    "TextEditor_20250429",
    "TextEditor_20250728",
    "ToolSearchBM25_20251119",
    "ToolSearchRegex_20251119",
    "WebFetch_20250910",
    "WebSearch_20250305",
    "is_refusal",
    "prepare_tools",
]


class AnthropicOptions(PrepareOptions, total=False):
    """What `prepare_tools` takes for Anthropic."""

    parallel_tool_calls: bool | None


@overload
def prepare_tools(
    kit: Toolkit[Any],
    *,
    output_schema: Mapping[str, object] | None = ...,
    **options: Unpack[AnthropicOptions],
) -> Prepared[MessagesRequest, Message, object]: ...
@overload
def prepare_tools(
    kit: Toolkit[Any],
    *,
    output_schema: TypeForm[T] | Schema[T],
    **options: Unpack[AnthropicOptions],
) -> Prepared[MessagesRequest, Message, T]: ...
def prepare_tools(
    kit: Toolkit[Any],
    *,
    output_schema: Any = None,
    model: Any,
    tool_choice: Any = None,
    strict_json_schema: bool | None = None,
    parallel_tool_calls: bool | None = None,
) -> Prepared[Any, Any, Any]:
    """Prepare a toolkit for a request to Anthropic.

    Splat the `request` into `client.messages.create`; append `assistant_turn(response)` and
    `tool_results(parts)` to the messages for the next one.

    >>> from tool_core import Tool, Toolkit
    >>> kit = Toolkit.make(Tool.make("Now", description="The time", success=float), Bash_20250124())
    >>> prepared = prepare_tools(kit, model="claude-opus-4-5")
    >>> prepared.headers
    {'anthropic-beta': 'structured-outputs-2025-11-13,computer-use-2025-01-24'}
    """
    options = {"parallel_tool_calls": checked_flag("parallel_tool_calls", parallel_tool_calls)}
    return prepare(MESSAGES, kit, model, tool_choice, strict_json_schema, output_schema, options)
