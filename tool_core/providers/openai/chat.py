"""OpenAI's Chat Completions, and every gateway that speaks it. Layer 3."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tool_core.errors import InvalidOutputError, ToolConfigurationError
from tool_core.parts import ToolResultPart
from tool_core.provider_tools import ProviderTool
from tool_core.providers.apis import Answer, Api, Choice, Draft, Plain, as_planned
from tool_core.providers.contents import IMAGES, Piece, heading, pieces_of
from tool_core.providers.openai.chat_streams import CUT, ChatAssembler
from tool_core.providers.openai.responses import FUNCTION_NAMES
from tool_core.providers.output_formats import OutputFormat
from tool_core.providers.own_ids import own_ids
from tool_core.providers.plain import mappings_in, plain, text_of
from tool_core.providers.reading import cut_off, stated_arguments
from tool_core.providers.rendering import FAILED, worded_text
from tool_core.providers.wire_items import WireCall, WireItem
from tool_core.queries import get_description
from tool_core.strict import OPENAI
from tool_core.tools import AnyTool

_NOT_INPUT = ("annotations", "audio", "parsed", "function_call", "tool_calls")
_CONTENTS = ("content", "refusal", "tool_calls")
_STOPPED = {
    "length": "it was cut off: max_tokens",
    "content_filter": "it was cut off: content_filter",
    CUT: "it was cut off: the stream ended early",
}


def _write(draft: Draft) -> dict[str, Any]:
    request: dict[str, Any] = {}
    if draft.tools:
        request["tools"] = [_tool(tool, draft) for tool in draft.tools]
        if draft.choice is not None:
            request["tool_choice"] = _choice(draft.choice, draft)
        if "parallel_tool_calls" in draft.options:
            request["parallel_tool_calls"] = draft.options["parallel_tool_calls"]
    if draft.output is not None:
        request["response_format"] = {"type": "json_schema", "json_schema": _output(draft.output, draft)}
    return request


def _tool(tool: AnyTool, draft: Draft) -> dict[str, Any]:
    decision, description = draft.decisions[tool.name], get_description(tool)
    function: dict[str, Any] = {"name": draft.names[tool.name], "parameters": decision.form.schema}
    if description is not None:
        function["description"] = description
    if (strict := _flag(decision.is_strict, draft)) is not None:
        function["strict"] = strict
    return {"type": "function", "function": function}


def _flag(is_strict: bool, draft: Draft) -> bool | None:
    """Leave the flag out where the model has no strict mode: some gateways refuse to see it."""
    return is_strict if is_strict or draft.plan.model.supports_strict else None


def _choice(choice: Choice, draft: Draft) -> object:
    if choice.tool is not None:
        return {"type": "function", "function": {"name": draft.names[choice.tool]}}
    return choice.mode


def _output(output: OutputFormat, draft: Draft) -> dict[str, object]:
    written: dict[str, object] = {"name": output.name, "schema": output.form.schema}
    if output.description is not None:
        written["description"] = output.description
    if (strict := _flag(output.is_strict, draft)) is not None:
        written["strict"] = strict
    return written


def _choice_of(response: Plain) -> Plain:
    return next(mappings_in(response.get("choices")), {})


def _message_of(response: Plain) -> Plain:
    message = _choice_of(response).get("message")
    return message if isinstance(message, Mapping) else {}


def _calls_of(response: Plain) -> Iterator[Plain]:
    """Yield the calls, each with an id: some gateways give none, and the answer must name its call."""
    calls = list(mappings_in(_message_of(response).get("tool_calls")))
    for call, own_id in zip(calls, own_ids(response.get("id"), calls), strict=False):
        yield {**call, "id": text_of(call.get("id")) or own_id}


def _read(response: Plain, _draft: Draft) -> Iterator[WireItem]:
    ended = _choice_of(response).get("finish_reason")
    for call in _calls_of(response):
        function = call.get("function") or call.get("custom")
        stated = function if isinstance(function, Mapping) else {}
        arguments = stated_arguments(stated.get("arguments", stated.get("input")))
        is_cut_off = ended in ("length", CUT)
        yield WireCall(call["id"], text_of(stated.get("name")), arguments, fault=cut_off(is_cut_off))


def _read_output(response: Plain, output: OutputFormat, _draft: Draft) -> object:
    message, ended = _message_of(response), text_of(_choice_of(response).get("finish_reason"))
    if refusal := text_of(message.get("refusal")):
        raise InvalidOutputError(None, f"the model refused: {refusal}", True)
    if ended in _STOPPED:
        raise InvalidOutputError(None, _STOPPED[ended])
    if not (text := text_of(message.get("content"))):
        raise InvalidOutputError(None, "the response holds no text")
    return output.read(text)


def _turn(response: Plain) -> list[Any]:
    """Repeat the message, unless it holds nothing that a request may."""
    message = _message_of(response)
    kept = {key: value for key, value in message.items() if value is not None and key not in _NOT_INPUT}
    if calls := [_as_input(call) for call in _calls_of(response)]:
        kept["tool_calls"] = calls
    return [{**kept, "role": "assistant"}] if any(kept.get(key) for key in _CONTENTS) else []


def _as_input(call: Plain) -> dict[str, Any]:
    function = call.get("function")
    if not isinstance(function, Mapping):
        return dict(call)
    known = {"name": function.get("name"), "arguments": function.get("arguments")}
    kept = {key: value for key, value in call.items() if key != "index" and value is not None}
    return {**kept, "type": "function", "function": known}


def _results(answers: Sequence[Answer], _draft: Draft) -> list[Any]:
    """Write a tool message for each result; what only a user may show follows in one message."""
    messages: list[Any] = []
    shown: list[dict[str, Any]] = []
    for answer in answers:
        if answer["type"] == "tool-result":
            pieces = pieces_of(answer, _can_show)
            text = worded_text(answer) if pieces is None else _texts(pieces, answer)
            messages.append({"role": "tool", "tool_call_id": answer["id"], "content": text})
            shown += _shown(pieces or [], answer)
    return [*messages, {"role": "user", "content": shown}] if shown else messages


def _texts(pieces: list[Piece], answer: ToolResultPart) -> str:
    texts = [piece.text for piece in pieces if piece.kind == "text"]
    note = ["The result follows in the next message."] if len(texts) < len(pieces) else []
    return (FAILED if answer["is_failure"] else "") + "\n".join([*texts, *note])


def _shown(pieces: list[Piece], answer: ToolResultPart) -> list[dict[str, Any]]:
    parts = [_content(piece) for piece in pieces if piece.kind != "text"]
    return [{"type": "text", "text": heading(answer)}, *parts] if parts else []


def _can_show(piece: Piece) -> bool:
    if piece.kind == "image":
        return piece.media_type in IMAGES
    return piece.data is not None and piece.media_type == "application/pdf"


def _content(piece: Piece) -> dict[str, Any]:
    if piece.kind == "image":
        return {"type": "image_url", "image_url": {"url": piece.address}}
    return {"type": "file", "file": {"file_data": piece.address, "filename": piece.name}}


def _provider_name(tool: ProviderTool) -> str:
    fix = "use api='responses', or define the tool with Tool.make"
    raise ToolConfigurationError(tool.name, f"Chat Completions has no provider-defined tools; {fix}")


CHAT = Api(
    title="OpenAI's Chat Completions",
    lenient=OPENAI,
    name_rule=FUNCTION_NAMES,
    leaves_out=True,
    output_has_flag=True,
    provider_name=_provider_name,
    adjust=as_planned,
    write=_write,
    plain=plain,
    markers=("choices",),
    read=_read,
    read_output=_read_output,
    assembler=ChatAssembler,
    turn=_turn,
    results=_results,
)
