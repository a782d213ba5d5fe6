"""Google's generateContent: the parts of a response, and the contents to append. Layer 3."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tool_core.errors import InvalidOutputError
from tool_core.providers.answers import answered
from tool_core.providers.apis import Answer, Api, Draft, Plain
from tool_core.providers.google.configs import adjusted, answers_by_tool, config_of
from tool_core.providers.google.content_streams import ContentAssembler
from tool_core.providers.google.fields import field_of, member_of
from tool_core.providers.google.grounding import grounded_items
from tool_core.providers.google.responses import response_part
from tool_core.providers.google.tools import TOOL_TYPES, google_tool
from tool_core.providers.output_formats import OutputFormat
from tool_core.providers.own_ids import OWN_ID, own_ids
from tool_core.providers.plain import mappings_in, plain_python, text_of
from tool_core.providers.reading import cut_off
from tool_core.providers.wire_items import WireCall, WireItem, WireResult
from tool_core.providers.wire_names import NameRule
from tool_core.strict import GOOGLE

_FINISHED = ("", "STOP", "FINISH_REASON_UNSPECIFIED")
_REFUSED = ("SAFETY", "PROHIBITED_CONTENT", "BLOCKLIST", "SPII", "RECITATION")
_MALFORMED = "MALFORMED_FUNCTION_CALL"


def _candidate(response: Plain) -> Plain:
    return next(mappings_in(response.get("candidates")), {})


def _content(response: Plain) -> Plain:
    content = _candidate(response).get("content")
    return content if isinstance(content, Mapping) else {}


def _parts(response: Plain) -> list[Plain]:
    return list(mappings_in(_content(response).get("parts")))


def _read(response: Plain, draft: Draft) -> Iterator[WireItem]:
    parts, candidate = _parts(response), _candidate(response)
    ids, code_id = own_ids(field_of(response, "response_id"), parts), ""
    answer = draft.output.name if draft.output is not None and answers_by_tool(draft) else None
    for part, own_id in zip(parts, ids, strict=False):
        if isinstance(call := field_of(part, "function_call"), Mapping):
            if answer is None or call.get("name") != answer:
                yield _function_call(call, own_id)
        elif isinstance(code := field_of(part, "executable_code"), Mapping):
            code_id = text_of(code.get("id")) or own_id
            arguments = {"code": text_of(code.get("code")), "language": member_of(code.get("language"))}
            yield WireCall(code_id, "code_execution", arguments, executed=True)
        elif isinstance(outcome := field_of(part, "code_execution_result"), Mapping):
            yield _code_result(outcome, code_id)
        else:
            yield from _server_items(part, own_id)
    yield from grounded_items(candidate, next(ids))
    if member_of(field_of(candidate, "finish_reason")) == _MALFORMED:
        yield _malformed(candidate, next(ids))


def _function_call(call: Plain, own_id: str) -> WireCall:
    return WireCall(
        id=text_of(call.get("id")) or own_id,
        name=text_of(call.get("name")),
        arguments={} if call.get("args") is None else call["args"],
        fault=cut_off(bool(call.get("_cut_off"))),
    )


def _code_result(outcome: Plain, code_id: str) -> WireResult:
    stated = member_of(outcome.get("outcome"))
    result = {"outcome": stated, "output": text_of(outcome.get("output"))}
    call_id = text_of(outcome.get("id")) or code_id
    return WireResult(call_id, "code_execution", result, is_failure=stated != "OUTCOME_OK")


def _server_items(part: Plain, own_id: str) -> Iterator[WireItem]:
    """Read what Google says of its own tools, where the configuration asks for it."""
    if isinstance(call := field_of(part, "tool_call"), Mapping):
        kind = member_of(field_of(call, "tool_type"))
        call_id = text_of(call.get("id")) or own_id
        yield WireCall(call_id, TOOL_TYPES.get(kind, kind.lower()), call.get("args") or {}, executed=True)
    elif isinstance(answer := field_of(part, "tool_response"), Mapping):
        kind = member_of(field_of(answer, "tool_type"))
        call_id = text_of(answer.get("id")) or own_id
        yield WireResult(call_id, TOOL_TYPES.get(kind, kind.lower()), answer.get("response"))


def _malformed(candidate: Plain, own_id: str) -> WireCall:
    words = text_of(field_of(candidate, "finish_message")) or "the function call was malformed"
    return WireCall(own_id, "", None, fault=words)


def _read_output(response: Plain, output: OutputFormat, draft: Draft) -> object:
    candidate = _candidate(response)
    reason = member_of(field_of(candidate, "finish_reason"))
    if not candidate or reason in _REFUSED:
        why = reason or "the prompt was blocked"
        raise InvalidOutputError(None, f"the model refused to answer: {why}", True)
    if reason not in _FINISHED:
        raise InvalidOutputError(None, f"it was cut off: {reason}")
    if answers_by_tool(draft):
        calls = [field_of(part, "function_call") for part in _parts(response)]
        named = [(call.get("name"), call.get("args")) for call in calls if isinstance(call, Mapping)]
        return answered(named, output)
    text = "".join(text_of(part.get("text")) for part in _parts(response) if not part.get("thought"))
    if not text:
        raise InvalidOutputError(None, "the response holds no text")
    return output.read(text)


def _turn(response: Plain) -> list[Any]:
    """Repeat the model's content whole: a thought's signature that is missing is refused.

    Only the empty text that ends a stream is left out: sent back, it is refused as well.
    """
    parts = [_as_input(part) for part in _parts(response) if {**part} != {"text": ""}]
    return [{"role": "model", "parts": parts}] if parts else []


def _as_input(part: Plain) -> dict[str, Any]:
    kept = dict(part)
    for key in ("function_call", "functionCall"):
        if isinstance(call := kept.get(key), Mapping):
            kept[key] = {name: value for name, value in call.items() if name != "_cut_off"}
    return kept


def _results(answers: Sequence[Answer], draft: Draft) -> list[Any]:
    parts = [
        response_part(answer, draft.names.get(answer["name"], answer["name"]), OWN_ID)
        for answer in answers
        if answer["type"] == "tool-result"
    ]
    return [{"role": "user", "parts": parts}] if parts else []


GENERATE_CONTENT = Api(
    title="Google's generateContent",
    lenient=GOOGLE,
    name_rule=NameRule(illegal=r"[^A-Za-z0-9_.:-]", longest=128, first=r"[A-Za-z_]"),
    leaves_out=True,
    output_has_flag=False,
    provider_name=google_tool,
    adjust=adjusted,
    write=config_of,
    plain=plain_python,
    markers=("candidates", "prompt_feedback", "promptFeedback", "response_id", "responseId"),
    read=_read,
    read_output=_read_output,
    assembler=ContentAssembler,
    turn=_turn,
    results=_results,
)
