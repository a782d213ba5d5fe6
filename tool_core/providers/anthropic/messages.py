"""Anthropic's Messages API: the request, the blocks of a response, and the messages to append. Layer 3."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tool_core.errors import InvalidOutputError
from tool_core.provider_tools import ProviderTool
from tool_core.providers.annotations import is_deferred
from tool_core.providers.answers import answer_words, answered
from tool_core.providers.anthropic.blocks import result_blocks
from tool_core.providers.anthropic.message_streams import MessageAssembler
from tool_core.providers.anthropic.tools import BETAS, anthropic_tool, wire_type
from tool_core.providers.apis import Answer, Api, Choice, Draft, Plain, as_planned
from tool_core.providers.output_formats import OutputFormat
from tool_core.providers.plain import mappings_in, plain, text_of
from tool_core.providers.reading import cut_off
from tool_core.providers.wire_items import WireCall, WireItem, WireResult
from tool_core.providers.wire_names import NameRule
from tool_core.queries import get_description
from tool_core.strict import ANTHROPIC
from tool_core.tools import AnyTool

_STRUCTURED_OUTPUTS = "structured-outputs-2025-11-13"
_IN_CONTAINER = ("bash_code_execution", "text_editor_code_execution")
_TEXTUAL = ("text", "thinking", "redacted_thinking")
_CUTTING = ("max_tokens", "model_context_window_exceeded", "refusal")
"""Why a message may end in the middle of a call."""
_STOPPED = {
    "max_tokens": "it was cut off: max_tokens",
    "model_context_window_exceeded": "it was cut off: the context window is full",
}


def _write(draft: Draft) -> dict[str, Any]:
    request: dict[str, Any] = {}
    ours = [_tool(tool, draft) for tool in draft.tools if not isinstance(tool, ProviderTool)]
    theirs = [_provider_tool(tool) for tool in draft.provider_tools]
    if answer := _answer_tool(draft):
        ours.append(answer)
    if ours or theirs:
        request["tools"] = [*ours, *theirs]  # ours come first, so that numbers in errors mean the plan's
    if draft.output is not None and draft.output.is_strict:
        schema = draft.output.form.schema
        request["output_config"] = {"format": {"type": "json_schema", "schema": schema}}
    if (choice := _choice(draft)) is not None and "tools" in request:
        request["tool_choice"] = choice
    if betas := _betas(draft):
        request["extra_headers"] = {"anthropic-beta": ",".join(betas)}
    return request


def _tool(tool: AnyTool, draft: Draft) -> dict[str, Any]:
    decision, description = draft.decisions[tool.name], get_description(tool)
    written: dict[str, Any] = {"name": draft.names[tool.name], "input_schema": decision.form.schema}
    if description is not None:
        written["description"] = description
    if decision.strict is not None:
        written["strict"] = decision.strict
    if is_deferred(tool, draft):
        written["defer_loading"] = True
    return written


def _provider_tool(tool: ProviderTool) -> dict[str, Any]:
    return {"type": wire_type(tool), "name": tool.provider_name, **tool.args}


def _betas(draft: Draft) -> list[str]:
    betas = [BETAS[tool.id] for tool in draft.provider_tools]
    has_schemas = bool(draft.decisions) or draft.output is not None
    if has_schemas and draft.plan.model.supports_strict:
        betas.insert(0, _STRUCTURED_OUTPUTS)
    return list(dict.fromkeys(beta for beta in betas if beta is not None))


def _answer_name(draft: Draft) -> str | None:
    """Name the tool that stands in for structured output where the model has none."""
    return None if draft.output is None or draft.output.is_strict else draft.output.name


def _answer_tool(draft: Draft) -> dict[str, Any] | None:
    if draft.output is None or (name := _answer_name(draft)) is None:
        return None
    words = answer_words(draft.output)
    return {"name": name, "input_schema": draft.output.form.schema, "description": words}


def _choice(draft: Draft) -> dict[str, Any] | None:
    choice = _plain_choice(draft.choice, draft)
    if (name := _answer_name(draft)) is not None:
        if not draft.tools or (draft.choice is not None and draft.choice.mode == "none"):
            return {"type": "tool", "name": name, "disable_parallel_tool_use": True}
        choice = {"type": "any"} if choice is None or choice["type"] == "auto" else choice
    if (parallel := draft.options.get("parallel_tool_calls")) is not None:
        choice = choice or {"type": "auto"}
        return choice if choice["type"] == "none" else {**choice, "disable_parallel_tool_use": not parallel}
    return choice


def _plain_choice(choice: Choice | None, draft: Draft) -> dict[str, Any] | None:
    if choice is None:
        return None
    if choice.tool is not None:
        return {"type": "tool", "name": draft.names[choice.tool]}
    return {"type": "any" if choice.mode == "required" else choice.mode}


def _read(response: Plain, draft: Draft) -> Iterator[WireItem]:
    blocks = list(mappings_in(response.get("content")))
    answer = _answer_name(draft)
    names = {block["id"]: _server_name(block) for block in blocks if isinstance(block.get("id"), str)}
    for block in blocks:
        kind = text_of(block.get("type"))
        if kind == "tool_use" and block.get("name") != answer:
            yield _tool_use(block, block is blocks[-1] and response.get("stop_reason") in _CUTTING)
        elif kind in ("server_tool_use", "mcp_tool_use"):
            yield _server_tool_use(block)
        elif kind.endswith("_tool_result"):
            yield _server_tool_result(block, names, draft)


def _tool_use(block: Plain, is_cut_off: bool) -> WireCall:
    caller = {"caller": block["caller"]} if block.get("caller") is not None else {}
    return WireCall(
        id=text_of(block.get("id")),
        name=text_of(block.get("name")),
        arguments=block.get("input"),
        fault=cut_off(is_cut_off or bool(block.get("_cut_off"))),
        metadata=caller,
    )


def _server_name(block: Plain) -> str:
    """A container's shell and editor are one tool here, whose parameters are a union."""
    name = text_of(block.get("name"))
    return "code_execution" if name in _IN_CONTAINER else name


def _server_tool_use(block: Plain) -> WireCall:
    name, arguments = text_of(block.get("name")), block.get("input")
    if name in _IN_CONTAINER and isinstance(arguments, Mapping):
        arguments = {"type": name, **arguments}
    server = {"server_name": block["server_name"]} if "server_name" in block else {}
    fault = cut_off(bool(block.get("_cut_off")))
    return WireCall(text_of(block.get("id")), _server_name(block), arguments, True, fault, server)


def _server_tool_result(block: Plain, names: Mapping[str, str], draft: Draft) -> WireResult:
    call_id, content = text_of(block.get("tool_use_id")), block.get("content")
    kind = text_of(content.get("type")) if isinstance(content, Mapping) else ""
    failed = kind.endswith("_error") or block.get("is_error") is True
    name = names.get(call_id) or _result_name(text_of(block.get("type")), draft)
    return WireResult(call_id, name, content, failed)


def _result_name(kind: str, draft: Draft) -> str:
    """Name a result whose call stands in an earlier response, as after a pause of the turn."""
    name = kind.removesuffix("_tool_result")
    if name in _IN_CONTAINER:
        return "code_execution"
    return next((wire for wire in draft.names.values() if wire.startswith(f"{name}_tool_")), name)


def _read_output(response: Plain, output: OutputFormat, _draft: Draft) -> object:
    reason = text_of(response.get("stop_reason"))
    if reason == "refusal":
        raise InvalidOutputError(None, "the model refused to answer", True)
    if reason in _STOPPED:
        raise InvalidOutputError(None, _STOPPED[reason])
    blocks = list(mappings_in(response.get("content")))
    if not output.is_strict:
        uses = [block for block in blocks if block.get("type") == "tool_use"]
        return answered([(block.get("name"), block.get("input")) for block in uses], output)
    others = [number for number, block in enumerate(blocks) if block.get("type") not in _TEXTUAL]
    text = "".join(text_of(block.get("text")) for block in blocks[max(others, default=-1) + 1 :])
    if not text:
        raise InvalidOutputError(None, "the response holds no text")
    return output.read(text)


def _turn(response: Plain) -> list[Any]:
    blocks = [_as_input(block) for block in mappings_in(response.get("content"))]
    kept = [block for block in blocks if block.get("type") != "text" or text_of(block.get("text")).strip()]
    return [{"role": "assistant", "content": kept}] if kept else []


def _as_input(block: Plain) -> dict[str, Any]:
    kept = {key: value for key, value in block.items() if value is not None}
    for key in ("_cut_off", "parsed_output"):
        kept.pop(key, None)
    if "input" in kept and not isinstance(kept["input"], Mapping):
        kept["input"] = {}
    return kept


def _results(answers: Sequence[Answer], _draft: Draft) -> list[Any]:
    """Write all results into one message, and before anything else that it holds."""
    written = [result_blocks(answer) for answer in answers if answer["type"] == "tool-result"]
    blocks = [block for block, _ in written] + [block for _, others in written for block in others]
    return [{"role": "user", "content": blocks}] if blocks else []


MESSAGES = Api(
    title="Anthropic's Messages API",
    lenient=ANTHROPIC,
    name_rule=NameRule(illegal=r"[^A-Za-z0-9_-]", longest=128),
    leaves_out=True,
    output_has_flag=False,
    provider_name=anthropic_tool,
    adjust=as_planned,
    write=_write,
    plain=plain,
    markers=("content",),
    read=_read,
    read_output=_read_output,
    assembler=MessageAssembler,
    turn=_turn,
    results=_results,
)
