"""OpenAI's Responses API: the request, the items of a response, and the items to append. Layer 3."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tool_core.errors import InvalidOutputError
from tool_core.provider_tools import ProviderTool
from tool_core.providers.apis import Api, Choice, Draft, Plain, as_planned
from tool_core.providers.openai.executed import executed_items
from tool_core.providers.openai.items import answer_items
from tool_core.providers.openai.response_streams import ResponseAssembler
from tool_core.providers.openai.tools import INCLUDES, openai_tool
from tool_core.providers.output_formats import OutputFormat
from tool_core.providers.plain import mappings_in, plain, text_of
from tool_core.providers.reading import cut_off, stated_arguments
from tool_core.providers.wire_items import WireCall, WireItem
from tool_core.providers.wire_names import NameRule
from tool_core.queries import get_description
from tool_core.strict import OPENAI
from tool_core.tools import AnyTool

FUNCTION_NAMES = NameRule(illegal=r"[^A-Za-z0-9_-]", longest=64)
_UNFINISHED = ("incomplete", "in_progress")
_NOT_INPUT = ("parsed", "parsed_arguments", "created_by")
_WITHOUT_NULLS = ("function_call", "message", "reasoning")  # others must say null where they have nothing
_FORCED_BY_TYPE = (
    "apply_patch", "code_interpreter", "file_search", "image_generation", "mcp", "shell",
    "web_search_preview",
)  # fmt: skip
"""The tools that a choice may name; the others are forced by being the only ones allowed."""


def _write(draft: Draft) -> dict[str, Any]:
    request: dict[str, Any] = {}
    if draft.tools:
        request["tools"] = [_tool(tool, draft) for tool in draft.tools]
        if draft.choice is not None:
            request["tool_choice"] = _choice(draft.choice, draft)
        if "parallel_tool_calls" in draft.options:
            request["parallel_tool_calls"] = draft.options["parallel_tool_calls"]
    if draft.output is not None:
        request["text"] = {"format": _output(draft.output)}
    needed = [INCLUDES[tool.provider_name] for tool in draft.provider_tools if tool.provider_name in INCLUDES]
    if include := list(dict.fromkeys([*needed, *draft.options.get("include", ())])):
        request["include"] = include
    return request


def _tool(tool: AnyTool, draft: Draft) -> dict[str, Any]:
    if isinstance(tool, ProviderTool):
        return {"type": tool.provider_name, **tool.args}
    decision, description = draft.decisions[tool.name], get_description(tool)
    written: dict[str, Any] = {
        "type": "function",
        "name": draft.names[tool.name],
        "parameters": decision.form.schema,
        "strict": decision.is_strict,  # left out, it does not mean False: the API tries strict mode itself
    }
    if description is not None:
        written["description"] = description
    return written


def _choice(choice: Choice, draft: Draft) -> object:
    by_name = {tool.name: tool for tool in draft.tools}
    if choice.tool is not None:
        tool = by_name[choice.tool]
        if not isinstance(tool, ProviderTool) or tool.provider_name in _FORCED_BY_TYPE:
            return _reference(tool, draft)
        return {"type": "allowed_tools", "mode": "required", "tools": [_reference(tool, draft)]}
    if choice.one_of is None:
        return choice.mode
    chosen = [_reference(by_name[name], draft) for name in choice.one_of]
    return {"type": "allowed_tools", "mode": choice.mode, "tools": chosen}


def _reference(tool: AnyTool, draft: Draft) -> dict[str, object]:
    if not isinstance(tool, ProviderTool):
        return {"type": "function", "name": draft.names[tool.name]}
    if tool.provider_name == "mcp":
        return {"type": "mcp", "server_label": tool.args["server_label"]}
    return {"type": tool.provider_name}


def _output(output: OutputFormat) -> dict[str, object]:
    described = {} if output.description is None else {"description": output.description}
    wire = {"schema": output.form.schema, "strict": output.is_strict}
    return {"type": "json_schema", "name": output.name, **described, **wire}


def _read(response: Plain, draft: Draft) -> Iterator[WireItem]:
    items = list(mappings_in(response.get("output")))
    for item in items:
        if item.get("type") == "function_call":
            yield _function_call(item, _is_cut_off(item, response, is_last=item is items[-1]))
        else:
            yield from executed_items(item, items, draft)


def _is_cut_off(item: Plain, response: Plain, *, is_last: bool) -> bool:
    """Ask the item, or where it says nothing, whether the response was limited while it came."""
    if item.get("status") is not None:
        return item["status"] in _UNFINISHED
    return is_last and bool(response.get("incomplete_details"))


def _function_call(item: Mapping[str, Any], is_cut_off: bool) -> WireCall:
    return WireCall(
        id=text_of(item.get("call_id")) or text_of(item.get("id")),
        name=text_of(item.get("name")),
        arguments=stated_arguments(item.get("arguments")),
        fault=cut_off(is_cut_off),
        metadata={"item_id": item["id"]} if isinstance(item.get("id"), str) else {},
    )


def _read_output(response: Plain, output: OutputFormat, _draft: Draft) -> object:
    messages = [item for item in mappings_in(response.get("output")) if item.get("type") == "message"]
    final = [item for item in messages if item.get("phase") != "commentary"]
    contents = [content for item in final for content in mappings_in(item.get("content"))]
    for content in contents:
        if content.get("type") == "refusal":
            raise InvalidOutputError(None, f"the model refused: {text_of(content.get('refusal'))}", True)
    if response.get("status") == "incomplete":
        details = response.get("incomplete_details")
        why = details.get("reason") if isinstance(details, Mapping) else None
        raise InvalidOutputError(None, f"it was cut off: {why or 'the response is incomplete'}")
    text = "".join(text_of(item.get("text")) for item in contents if item.get("type") == "output_text")
    if not text:
        raise InvalidOutputError(None, "the response holds no text")
    return output.read(text)


def _turn(response: Plain) -> list[Any]:
    return [_as_input(item) for item in mappings_in(response.get("output"))]


def _as_input(item: Mapping[str, Any]) -> dict[str, Any]:
    kept = {key: value for key, value in item.items() if key not in _NOT_INPUT}
    if kept.get("type") in _WITHOUT_NULLS:
        kept = {key: value for key, value in kept.items() if value is not None}
    if isinstance(kept.get("content"), list):
        kept["content"] = [
            {key: value for key, value in content.items() if key not in _NOT_INPUT}
            if isinstance(content, Mapping)
            else content
            for content in kept["content"]
        ]
    return kept


def _provider_name(tool: ProviderTool) -> str:
    """Several MCP servers may be in one request; all other tools are there once."""
    openai_tool(tool)
    return f"mcp:{tool.args.get('server_label')}" if tool.provider_name == "mcp" else tool.provider_name


RESPONSES = Api(
    title="OpenAI's Responses API",
    lenient=OPENAI,
    name_rule=FUNCTION_NAMES,
    leaves_out=False,
    output_has_flag=True,
    provider_name=_provider_name,
    adjust=as_planned,
    write=_write,
    plain=plain,
    markers=("output",),
    read=_read,
    read_output=_read_output,
    assembler=ResponseAssembler,
    turn=_turn,
    results=answer_items,
)
