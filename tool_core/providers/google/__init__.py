"""Google: generateContent, of the Gemini API and of Vertex AI. Layer 3."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, overload

from typing_extensions import TypeForm, TypeVar, Unpack

from tool_core.providers.google.contents import GENERATE_CONTENT
from tool_core.providers.google.tools import (
    CodeExecution,
    EnterpriseWebSearch,
    FileSearch,
    GoogleMaps,
    GoogleSearch,
    GoogleSearchRetrieval,
    UrlContext,
)
from tool_core.providers.prepared import Prepared
from tool_core.providers.preparing import prepare
from tool_core.providers.refusals import is_refusal
from tool_core.providers.requests import PrepareOptions, checked_flag
from tool_core.schemas import Schema
from tool_core.toolkits import Toolkit

if TYPE_CHECKING:
    from tool_core.providers.google.requests import GenerateContentRequest, Message

T = TypeVar("T")

__all__ = [
    "CodeExecution",
    "EnterpriseWebSearch",
    "FileSearch",
    "GoogleMaps",
    "GoogleSearch",
    "GoogleSearchRetrieval",
    "UrlContext",
    "is_refusal",
    "prepare_tools",
]


class GoogleOptions(PrepareOptions, total=False):
    """What `prepare_tools` takes for Google."""

    server_side_tool_invocations: bool | None
    """Ask for Google's own tools beside functions, which the Gemini API demands and Vertex AI refuses."""


@overload
def prepare_tools(
    kit: Toolkit[Any],
    *,
    output_schema: Mapping[str, object] | None = ...,
    **options: Unpack[GoogleOptions],
) -> Prepared[GenerateContentRequest, Message, object]: ...
@overload
def prepare_tools(
    kit: Toolkit[Any],
    *,
    output_schema: TypeForm[T] | Schema[T],
    **options: Unpack[GoogleOptions],
) -> Prepared[GenerateContentRequest, Message, T]: ...
def prepare_tools(
    kit: Toolkit[Any],
    *,
    output_schema: Any = None,
    model: Any,
    tool_choice: Any = None,
    strict_json_schema: bool | None = None,
    server_side_tool_invocations: bool | None = None,
) -> Prepared[Any, Any, Any]:
    """Prepare a toolkit for a request to Google.

    Pass the `request` as `config` to `client.models.generate_content`, together with whatever else
    you configure; append `assistant_turn(response)` and `tool_results(parts)` to the contents.

    >>> from tool_core import Tool, Toolkit
    >>> kit = Toolkit.make(Tool.make("Now", description="The time", success=float))
    >>> prepare_tools(kit, model="gemini-3-pro").tool_choice
    {'function_calling_config': {'mode': 'VALIDATED'}}
    """
    name = "server_side_tool_invocations"
    options = {name: checked_flag(name, server_side_tool_invocations)}
    return prepare(GENERATE_CONTENT, kit, model, tool_choice, strict_json_schema, output_schema, options)
