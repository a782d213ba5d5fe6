"""The types of what goes to OpenAI's SDK; only type checkers need the SDK for them. Layer 3."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typing_extensions import TypedDict

if TYPE_CHECKING:
    from openai.types.chat import (
        ChatCompletionFunctionToolParam,
        ChatCompletionMessageParam,
        ChatCompletionToolChoiceOptionParam,
    )
    from openai.types.responses import ResponseIncludable, ResponseTextConfigParam, ToolParam
    from openai.types.responses.response_create_params import ToolChoice as ResponseToolChoice
    from openai.types.responses.response_input_item_param import ResponseInputItemParam
    from openai.types.shared_params import ResponseFormatJSONSchema

    ResponsesMessage = ResponseInputItemParam
    ChatMessage = ChatCompletionMessageParam


class ResponsesRequest(TypedDict, total=False):
    """What `client.responses.create(**request)` gets of us."""

    tools: list[ToolParam]
    tool_choice: ResponseToolChoice
    parallel_tool_calls: bool
    text: ResponseTextConfigParam
    include: list[ResponseIncludable]


class ChatRequest(TypedDict, total=False):
    """What `client.chat.completions.create(**request)` gets of us."""

    tools: list[ChatCompletionFunctionToolParam]
    tool_choice: ChatCompletionToolChoiceOptionParam
    parallel_tool_calls: bool
    response_format: ResponseFormatJSONSchema
