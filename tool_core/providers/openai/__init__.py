"""OpenAI: Responses and Chat Completions, and the gateways that speak the latter. Layer 3."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, overload

from typing_extensions import TypeForm, TypeVar, Unpack

from tool_core.errors import ToolConfigurationError
from tool_core.providers.openai.chat import CHAT
from tool_core.providers.openai.requests import ChatRequest, ResponsesRequest
from tool_core.providers.openai.responses import RESPONSES
from tool_core.providers.openai.tools import (
    ApplyPatch,
    CodeInterpreter,
    FileSearch,
    ImageGeneration,
    LocalShell,
    Mcp,
    Shell,
    WebSearch,
    WebSearchPreview,
)
from tool_core.providers.prepared import Prepared
from tool_core.providers.preparing import prepare
from tool_core.providers.refusals import is_refusal
from tool_core.providers.requests import PrepareOptions, checked_flag
from tool_core.schemas import Schema
from tool_core.toolkits import Toolkit

if TYPE_CHECKING:
    from tool_core.providers.openai.requests import ChatMessage, ResponsesMessage

T = TypeVar("T")

__all__ = [
    "ApplyPatch",
    "CodeInterpreter",
    "FileSearch",
    "ImageGeneration",
    "LocalShell",
    "Mcp",
    "Shell",
    "WebSearch",
    "WebSearchPreview",
    "is_refusal",
    "prepare_tools",
]

_APIS = {"responses": RESPONSES, "chat": CHAT}


class OpenAIOptions(PrepareOptions, total=False):
    """What `prepare_tools` takes for OpenAI."""

    parallel_tool_calls: bool | None
    include: Sequence[str]
    """What else the response is to include, such as `reasoning.encrypted_content`; Responses only."""


@overload
def prepare_tools(
    kit: Toolkit[Any],
    *,
    api: Literal["responses"] = ...,
    output_schema: Mapping[str, object] | None = ...,
    **options: Unpack[OpenAIOptions],
) -> Prepared[ResponsesRequest, ResponsesMessage, object]: ...
@overload
def prepare_tools(
    kit: Toolkit[Any],
    *,
    api: Literal["responses"] = ...,
    output_schema: TypeForm[T] | Schema[T],
    **options: Unpack[OpenAIOptions],
) -> Prepared[ResponsesRequest, ResponsesMessage, T]: ...
@overload
def prepare_tools(
    kit: Toolkit[Any],
    *,
    api: Literal["chat"],
    output_schema: Mapping[str, object] | None = ...,
    **options: Unpack[OpenAIOptions],
) -> Prepared[ChatRequest, ChatMessage, object]: ...
@overload
def prepare_tools(
    kit: Toolkit[Any],
    *,
    api: Literal["chat"],
    output_schema: TypeForm[T] | Schema[T],
    **options: Unpack[OpenAIOptions],
) -> Prepared[ChatRequest, ChatMessage, T]: ...
def prepare_tools(
    kit: Toolkit[Any],
    *,
    api: Literal["responses", "chat"] = "responses",
    output_schema: Any = None,
    model: Any,
    tool_choice: Any = None,
    strict_json_schema: bool | None = None,
    parallel_tool_calls: bool | None = None,
    include: Sequence[str] = (),
) -> Prepared[Any, Any, Any]:
    """Prepare a toolkit for a request to OpenAI, or to a gateway that speaks its Chat Completions.

    Splat the `request` into the SDK's call; append `assistant_turn(response)` and
    `tool_results(parts)` to the conversation for the next one.

    >>> from tool_core import Tool, Toolkit
    >>> kit = Toolkit.make(Tool.make("Now", description="The time", success=float))
    >>> prepare_tools(kit, model="gpt-5", api="chat").request["tools"][0]["function"]["name"]
    'Now'
    """
    if not isinstance(api, str) or api not in _APIS:
        raise ToolConfigurationError(None, f"api is 'responses' or 'chat', not {api!r}")
    if api == "chat" and include:
        raise ToolConfigurationError(None, "Chat Completions has no include; use api='responses'")
    parallel = checked_flag("parallel_tool_calls", parallel_tool_calls)
    options = {"parallel_tool_calls": parallel, "include": _checked_include(include)}
    return prepare(_APIS[api], kit, model, tool_choice, strict_json_schema, output_schema, options)


def _checked_include(include: object) -> list[str]:
    if isinstance(include, Sequence) and not isinstance(include, str):
        listed = [item for item in include if isinstance(item, str)]
        if len(listed) == len(include):
            return listed
    raise ToolConfigurationError(None, f"include is a list of texts, not {include!r}")
