"""The official clients in conversation with a provider on this machine."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

import anthropic
import openai
from google import genai
from google.genai import types

from tests.loopback.server import Loopback
from tool_core import BoundToolkit, ToolPart
from tool_core.providers import Prepared
from tool_core.providers import anthropic as for_anthropic
from tool_core.providers import google as for_google
from tool_core.providers import openai as for_openai

Family: TypeAlias = Literal["openai", "anthropic", "google"]
AnyPrepared: TypeAlias = Prepared[Any, Any, Any]


@dataclass(frozen=True, slots=True)
class Channel:
    """One way to ask a model: an API, a client, whole or streamed."""

    api: str
    family: Family
    model: str
    prepare: Callable[..., AnyPrepared]
    ask: Callable[[str, str, AnyPrepared, list[Any], bool], object]
    opening: Callable[[str], Any]
    answers: Callable[[dict[str, Any]], Iterator[tuple[str, Any, bool | None]]]
    """Read the results that a request carries: the id of the call, the content, the failure flag."""
    is_streamed: bool = False

    def prepared(self, bound: BoundToolkit[Any], **options: Any) -> AnyPrepared:
        return self.prepare(bound.toolkit, **{"model": self.model, **options})

    def reply(self, server: Loopback, prepared: AnyPrepared, messages: list[Any]) -> object:
        return self.ask(server.url, self.model, prepared, messages, self.is_streamed)


@dataclass(slots=True)
class Transcript:
    """What happened: the parts of every turn, and the last answer of the model."""

    prepared: AnyPrepared
    messages: list[Any]
    calls: list[list[ToolPart]] = field(default_factory=list)
    results: list[list[ToolPart]] = field(default_factory=list)
    last: object = None


def converse(channel: Channel, server: Loopback, bound: BoundToolkit[Any], **options: Any) -> Transcript:
    """Be an agent: ask, run the calls, send the results, until the model has no more calls."""
    prepared = channel.prepared(bound, **options)
    shown = Transcript(prepared, [channel.opening("Go on.")])
    while True:
        shown.last = channel.reply(server, prepared, shown.messages)
        shown.calls.append(prepared.read_calls(shown.last))
        shown.results.append(asyncio.run(bound.resolve(shown.calls[-1])))
        shown.messages += prepared.assistant_turn(shown.last)
        answers = prepared.tool_results(shown.results[-1])
        if not answers:
            return shown
        shown.messages += answers


def params_of(parts: Iterable[ToolPart]) -> list[object]:
    """Read the parameters of the calls."""
    return [part["params"] for part in parts if part["type"] == "tool-call"]


def results_of(parts: Iterable[ToolPart]) -> list[object]:
    """Read what the calls gave."""
    return [part["result"] for part in parts if part["type"] == "tool-result"]


def failures_of(parts: Iterable[ToolPart]) -> list[bool]:
    """Read which results are failures."""
    return [part["is_failure"] for part in parts if part["type"] == "tool-result"]


def ids_of(parts: Iterable[ToolPart]) -> list[str]:
    """Read the ids of calls and results."""
    return [part["id"] for part in parts if part["type"] == "tool-call" or part["type"] == "tool-result"]


def names_of(parts: Iterable[ToolPart]) -> list[str]:
    """Read the names of calls and results."""
    return [part["name"] for part in parts if part["type"] == "tool-call" or part["type"] == "tool-result"]


def _openai(url: str) -> Any:
    return openai.OpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0)


def _async_openai(url: str) -> Any:
    return openai.AsyncOpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0)


def _responses(url: str, model: str, prepared: AnyPrepared, messages: list[Any], streamed: bool) -> object:
    with _openai(url) as client:
        answer = client.responses.create(model=model, input=messages, stream=streamed, **prepared.request)
        return list(answer) if streamed else answer


def _async_responses(
    url: str, model: str, prepared: AnyPrepared, messages: list[Any], streamed: bool
) -> object:
    async def ask() -> object:
        async with _async_openai(url) as client:
            answer = await client.responses.create(
                model=model, input=messages, stream=streamed, **prepared.request
            )
            return [event async for event in answer] if streamed else answer

    return asyncio.run(ask())


def _chat(url: str, model: str, prepared: AnyPrepared, messages: list[Any], streamed: bool) -> object:
    with _openai(url) as client:
        answer = client.chat.completions.create(
            model=model, messages=messages, stream=streamed, **prepared.request
        )
        return list(answer) if streamed else answer


def _async_chat(url: str, model: str, prepared: AnyPrepared, messages: list[Any], streamed: bool) -> object:
    async def ask() -> object:
        async with _async_openai(url) as client:
            answer = await client.chat.completions.create(
                model=model, messages=messages, stream=streamed, **prepared.request
            )
            return [event async for event in answer] if streamed else answer

    return asyncio.run(ask())


def _messages(url: str, model: str, prepared: AnyPrepared, messages: list[Any], streamed: bool) -> object:
    with anthropic.Anthropic(base_url=url, api_key="none", max_retries=0) as client:
        request: Any = {"model": model, "messages": messages, "max_tokens": 1000, **prepared.request}
        answer = client.messages.create(**request, stream=streamed)
        return list(answer) if streamed else answer


def _async_messages(
    url: str, model: str, prepared: AnyPrepared, messages: list[Any], streamed: bool
) -> object:
    async def ask() -> object:
        async with anthropic.AsyncAnthropic(base_url=url, api_key="none", max_retries=0) as client:
            request: Any = {"model": model, "messages": messages, "max_tokens": 1000, **prepared.request}
            answer: Any = await client.messages.create(**request, stream=streamed)
            return [event async for event in answer] if streamed else answer

    return asyncio.run(ask())


def _generate(url: str, model: str, prepared: AnyPrepared, messages: list[Any], streamed: bool) -> object:
    with genai.Client(api_key="none", http_options=types.HttpOptions(base_url=url)) as client:
        if streamed:
            return list(
                client.models.generate_content_stream(model=model, contents=messages, config=prepared.request)
            )
        return client.models.generate_content(model=model, contents=messages, config=prepared.request)


def _async_generate(
    url: str, model: str, prepared: AnyPrepared, messages: list[Any], streamed: bool
) -> object:
    async def ask() -> object:
        with genai.Client(api_key="none", http_options=types.HttpOptions(base_url=url)) as client:
            async with client.aio as aio:
                request: Any = {"model": model, "contents": messages, "config": prepared.request}
                if streamed:
                    return [chunk async for chunk in await aio.models.generate_content_stream(**request)]
                return await aio.models.generate_content(**request)

    return asyncio.run(ask())


def _in_items(body: dict[str, Any]) -> Iterator[tuple[str, Any, bool | None]]:
    for item in body["input"]:
        if item.get("type") == "function_call_output":
            yield item["call_id"], item["output"], None


def _in_messages(body: dict[str, Any]) -> Iterator[tuple[str, Any, bool | None]]:
    for message in body["messages"]:
        if message["role"] == "tool":
            yield message["tool_call_id"], message["content"], None


def _in_blocks(body: dict[str, Any]) -> Iterator[tuple[str, Any, bool | None]]:
    for message in body["messages"]:
        for block in message["content"] if isinstance(message["content"], list) else ():
            if block["type"] == "tool_result":
                yield block["tool_use_id"], block["content"], bool(block.get("is_error"))


def _in_contents(body: dict[str, Any]) -> Iterator[tuple[str, Any, bool | None]]:
    for content in body["contents"]:
        for part in content["parts"]:
            if "functionResponse" in part:
                answer = part["functionResponse"]
                [(key, value)] = answer["response"].items()
                yield answer.get("id", ""), value, key == "error"


def _user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def _user_content(text: str) -> dict[str, Any]:
    return {"role": "user", "parts": [{"text": text}]}


def _chat_tools(*args: Any, **options: Any) -> AnyPrepared:
    return for_openai.prepare_tools(*args, api="chat", **options)


RESPONSES = Channel("responses", "openai", "gpt-5", for_openai.prepare_tools, _responses, _user, _in_items)
CHAT = Channel("chat", "openai", "gpt-5", _chat_tools, _chat, _user, _in_messages)
MESSAGES = Channel(
    "messages", "anthropic", "claude-opus-4-5", for_anthropic.prepare_tools, _messages, _user, _in_blocks
)
GENERATE = Channel(
    "generate", "google", "gemini-3-pro", for_google.prepare_tools, _generate, _user_content, _in_contents
)
OLDER_GENERATE = replace(GENERATE, api="generate-2.5", model="gemini-2.5-pro")
"""A model whose calls have no ids."""

APIS = [RESPONSES, CHAT, MESSAGES, GENERATE, OLDER_GENERATE]
_ASYNC = {
    "responses": _async_responses,
    "chat": _async_chat,
    "messages": _async_messages,
    "generate": _async_generate,
    "generate-2.5": _async_generate,
}


def _manners(channel: Channel) -> Iterator[Channel]:
    for ask, client in ((channel.ask, "sync"), (_ASYNC[channel.api], "async")):
        for is_streamed in (False, True):
            manner = f"{client}-{'streamed' if is_streamed else 'whole'}"
            yield replace(channel, api=f"{channel.api}-{manner}", ask=ask, is_streamed=is_streamed)


CHANNELS = [manner for channel in APIS for manner in _manners(channel)]
"""Every API with every client, whole and streamed."""


def by_api(channel: Channel) -> str:
    """Name a channel in the list of tests."""
    return channel.api
