"""A prepared request: what to send, and how to read what comes back. Layer 3."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Generic, cast

from typing_extensions import TypeVar

from tool_core.approval import is_issued_here
from tool_core.errors import StrictUnavailableError, ToolConfigurationError
from tool_core.parts import ToolPart, parts_in
from tool_core.providers.apis import Answer, Api, Draft, Plain
from tool_core.providers.plain import encodable, events_of
from tool_core.providers.reading import parts_of
from tool_core.providers.refusals import blamed_tools, blames_output, refusal_text
from tool_core.providers.streams import StreamReader
from tool_core.strict import StrictPlan

_UNSAID: Any = {"result": None, "is_failure": False}

Request_co = TypeVar("Request_co", covariant=True, default=Mapping[str, Any])
Message_co = TypeVar("Message_co", covariant=True, default=Any)
Output_co = TypeVar("Output_co", covariant=True, default=object)


@dataclass(frozen=True, slots=True, repr=False)
class Prepared(Generic[Request_co, Message_co, Output_co]):
    """The tools of a request in a provider's terms, with the way back.

    >>> from tool_core import Tool, Toolkit
    >>> from tool_core.providers import openai
    >>> prepared = openai.prepare_tools(Toolkit.make(Tool.make("Now", success=float)), model="gpt-5")
    >>> prepared.tools[0]["name"], prepared.tools[0]["strict"], prepared.tool_choice
    ('Now', True, None)
    """

    api: Api
    draft: Draft
    text: str = field(repr=False)

    @property
    def request(self) -> Request_co:
        """The keyword arguments for the SDK's call; a copy."""
        return cast("Request_co", json.loads(self.text))

    @property
    def tools(self) -> list[Any]:
        """The tools as they are sent."""
        return cast("list[Any]", json.loads(self.text).get("tools", []))

    @property
    def tool_choice(self) -> Any:
        """The tool choice as it is sent, or None."""
        request = json.loads(self.text)
        return request.get("tool_choice", request.get("tool_config"))

    @property
    def headers(self) -> dict[str, str]:
        """The headers that the tools need, such as Anthropic's betas."""
        return cast("dict[str, str]", json.loads(self.text).get("extra_headers", {}))

    @property
    def include(self) -> list[str]:
        """What OpenAI is asked to include in the response."""
        return cast("list[str]", json.loads(self.text).get("include", []))

    @property
    def plan(self) -> StrictPlan:
        """What became of every tool, and why."""
        return self.draft.plan

    @property
    def names(self) -> Mapping[str, str]:
        """The names on the wire by the names of the tools."""
        return MappingProxyType(dict(self.draft.names))

    def read_calls(self, response: object) -> list[ToolPart]:
        """Return the parts of a response: calls, and what the provider ran itself, in order.

        The response is an SDK object, a dict, or an iterable of streamed events. A call that
        cannot be read is a failure part, ready for `tool_results`, and costs the others nothing.
        """
        return self._parts(self._plain(response))

    def stream(self) -> StreamReader:
        """Return a reader for one streamed response."""
        return StreamReader(self.api, self._parts, self.api.assembler())

    def assistant_turn(self, response: object) -> list[Message_co]:
        """Return the messages that repeat the model's turn, to append before the results."""
        return _sendable(self.api.turn(self._plain(response)))

    def tool_results(self, parts: Iterable[ToolPart]) -> list[Message_co]:
        """Return the messages that answer the calls of a turn; pass all of its parts at once.

        Results that the provider made itself and preliminary ones are passed over: the former are
        in the assistant's turn already. So are decisions that the provider did not ask for.
        """
        if isinstance(parts, str | Mapping) or not isinstance(parts, Iterable):
            given = type(parts).__name__
            raise ToolConfigurationError(None, f"tool_results takes a list of parts, not {given}")
        answers = [_completed(part) for part in parts_in(parts) if _is_answer(part)]
        return _sendable(self.api.results(cast("list[Answer]", answers), self.draft))

    def read_output(self, response: object) -> Output_co:
        """Return the structured output, decoded, or raise an `InvalidOutputError` that says what is wrong."""
        if self.draft.output is None:
            raise ToolConfigurationError(None, "no output_schema was given to prepare_tools")
        return cast("Output_co", self.api.read_output(self._plain(response), self.draft.output, self.draft))

    def degrade(self, error: object) -> Prepared[Request_co, Message_co, Output_co]:
        """Give up some strictness after a refusal (see `is_refusal`), least important tools first.

        What the refusal names goes first, a tool or the output; unnamed, the output goes last. Where
        nothing is left to give up, a `StrictUnavailableError` says so.
        """
        words = refusal_text(error)
        draft = self.draft
        has_strict_output = draft.output is not None and draft.output.is_strict
        has_strict_tools = any(item.is_strict for item in draft.plan.decisions)
        if has_strict_output and (blames_output(words) or not has_strict_tools):
            return self._with_lenient_output()
        if blamed := blamed_tools(words, draft.plan, draft.names):
            plan = draft.plan.relax(blamed, f"given up after a refusal: {words}")
        elif has_strict_tools:
            plan = draft.plan.degrade(words)
        else:
            raise StrictUnavailableError(None, draft.plan.model.id, words)
        return written(self.api, replace(draft, plan=self.api.adjust(plan, draft.choice)))

    def _with_lenient_output(self) -> Prepared[Request_co, Message_co, Output_co]:
        assert self.draft.output is not None
        relaxed = self.draft.output.relaxed(self.api.lenient)
        plan = replace(self.draft.plan, output=None)
        return written(self.api, replace(self.draft, plan=plan, output=relaxed))

    def _plain(self, response: object) -> Plain:
        if isinstance(response, StreamReader):
            return response.response
        if (found := self.api.plain(response)) is not None:
            if not any(key in found for key in self.api.markers):
                expected = f"a response of {self.api.title} has {self.api.markers[0]!r}"
                raise ToolConfigurationError(
                    None, f"{expected}, this one has {', '.join(map(str, found)) or 'nothing'}"
                )
            return found
        reader = self.stream()
        for event in events_of(response, self.api.title):
            reader.feed(event)
        reader.finish()
        return reader.response

    def _parts(self, response: Plain) -> list[ToolPart]:
        return parts_of(self.api.read(response, self.draft), self.draft)

    def __repr__(self) -> str:
        return f"Prepared({self.api.title}, {', '.join(self.draft.names) or 'no tools'})"


def written(api: Api, draft: Draft) -> Prepared[Any, Any, Any]:
    """Write a draft down as a request."""
    return Prepared(api, draft, json.dumps(api.write(draft)))


def _sendable(messages: list[Any]) -> list[Any]:
    """Check what clients do last: encode the text of the request."""
    try:
        json.dumps(messages, ensure_ascii=False, default=repr).encode()
    except UnicodeEncodeError:
        return cast("list[Any]", encodable(messages))
    except (TypeError, ValueError, RecursionError):  # somebody else's objects, for the client to judge
        return messages
    return messages


def _completed(part: ToolPart) -> ToolPart:
    """Fill in what a result of somebody else's history may leave out."""
    return cast("ToolPart", {**_UNSAID, **part}) if part["type"] == "tool-result" else part


def _is_answer(part: ToolPart) -> bool:
    if part["type"] == "tool-result":
        return not part.get("provider_executed") and not part.get("preliminary")
    return part["type"] == "tool-approval-response" and not is_issued_here(part["approval_id"])
