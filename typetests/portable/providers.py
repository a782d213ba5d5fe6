"""What `prepare_tools` gives goes into the official SDKs' calls without a cast; never executed."""

from __future__ import annotations

from typing import Any, assert_type

import anthropic
import openai
from anthropic.types import Message, MessageParam
from google import genai
from google.genai.types import ContentDict, GenerateContentResponse
from openai.types.chat import ChatCompletion, ChatCompletionMessageParam
from openai.types.responses import Response, ResponseInputItemParam
from typing_extensions import TypedDict

from tool_core import BoundToolkit, Tool, Toolkit
from tool_core.providers import anthropic as for_anthropic
from tool_core.providers import google as for_google
from tool_core.providers import openai as for_openai


class Answer(TypedDict):
    text: str


kit = Toolkit.make(Tool.make("Now", success=float))


async def responses(client: openai.AsyncOpenAI, bound: BoundToolkit[Any]) -> None:
    prepared = for_openai.prepare_tools(kit, model="gpt-5", output_schema=Answer)
    history: list[ResponseInputItemParam] = [{"role": "user", "content": "When?"}]
    response = await client.responses.create(model="gpt-5", input=history, **prepared.request)
    assert_type(response, Response)
    history += prepared.assistant_turn(response)
    history += prepared.tool_results(await bound.resolve(prepared.read_calls(response)))
    assert_type(prepared.read_output(response), Answer)


def chat(client: openai.OpenAI) -> None:
    prepared = for_openai.prepare_tools(kit, model="gpt-5", api="chat", tool_choice={"tool": "Now"})
    history: list[ChatCompletionMessageParam] = [{"role": "user", "content": "When?"}]
    response = client.chat.completions.create(model="gpt-5", messages=history, **prepared.request)
    assert_type(response, ChatCompletion)
    history += prepared.assistant_turn(response)
    assert_type(prepared.read_output(response), object)


def messages(client: anthropic.Anthropic) -> None:
    prepared = for_anthropic.prepare_tools(kit, model="claude-opus-4-5", output_schema=list[int])
    history: list[MessageParam] = [{"role": "user", "content": "When?"}]
    response = client.messages.create(
        model="claude-opus-4-5", max_tokens=1024, messages=history, **prepared.request
    )
    assert_type(response, Message)
    history += prepared.assistant_turn(response)
    assert_type(prepared.read_output(response), list[int])


def generate(client: genai.Client) -> None:
    prepared = for_google.prepare_tools(kit, model="gemini-3-pro", output_schema={"type": "object"})
    history: list[ContentDict] = [{"role": "user", "parts": [{"text": "When?"}]}]
    response = client.models.generate_content(
        model="gemini-3-pro", contents=[*history], config={**prepared.request, "temperature": 0.0}
    )
    assert_type(response, GenerateContentResponse)
    history += prepared.assistant_turn(response)
    assert_type(prepared.read_output(response), object)


for_openai.prepare_tools(kit)  # type: ignore[call-overload]  # pyright: ignore[reportCallIssue]
for_openai.prepare_tools(kit, model="gpt-5", api="completions")  # type: ignore[call-overload]  # pyright: ignore[reportCallIssue, reportArgumentType]
for_anthropic.prepare_tools(kit, model="claude-opus-4-5", tool_choice="any")  # type: ignore[call-overload]  # pyright: ignore[reportArgumentType]
for_google.prepare_tools([], model="gemini-3-pro")  # type: ignore[call-overload]  # pyright: ignore[reportArgumentType]

search = for_openai.WebSearch({"search_context_size": "high"})
for_openai.WebSearch({"search_context_size": "huge"})  # type: ignore[typeddict-item]  # pyright: ignore[reportArgumentType]
for_anthropic.Bash_20250124(failure_mode="return")
for_anthropic.ComputerUse_20251124({"display_width_px": 800})  # type: ignore[typeddict-item]  # pyright: ignore[reportArgumentType]
