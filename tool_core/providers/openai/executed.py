"""What OpenAI ran itself, and the tools that it defines and this process runs. Layer 3."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from tool_core.providers.apis import Draft, Plain
from tool_core.providers.plain import text_of
from tool_core.providers.reading import cut_off
from tool_core.providers.wire_items import WireApproval, WireCall, WireItem, WireResult

_FAILED = ("failed", "incomplete")


def executed_items(item: Plain, items: list[Plain], draft: Draft) -> Iterator[WireItem]:
    """Read an item that is no function call; those that do not concern tools give nothing."""
    read = _READERS.get(text_of(item.get("type")))
    if read is not None:
        yield from read(item, items, draft)


def _shell(item: Plain, items: list[Plain], _draft: Draft) -> Iterator[WireItem]:
    """Read a shell call; in a container of OpenAI's its output stands beside it."""
    outputs = [other for other in items if other.get("type") == "shell_call_output"]
    output = next((other for other in outputs if other.get("call_id") == item.get("call_id")), None)
    place = item.get("environment")
    is_theirs = isinstance(place, Mapping) and place.get("type") == "container_reference"
    yield _handled("shell", item, {"action": item.get("action")}, executed=is_theirs or output is not None)
    if output is not None:
        yield WireResult(text_of(item.get("call_id")), "shell", {"output": output.get("output")})


def _local_shell(item: Plain, _items: list[Plain], _draft: Draft) -> Iterator[WireItem]:
    yield _handled("local_shell", item, {"action": item.get("action")})


def _apply_patch(item: Plain, _items: list[Plain], _draft: Draft) -> Iterator[WireItem]:
    arguments = {"call_id": text_of(item.get("call_id")), "operation": item.get("operation")}
    yield _handled("apply_patch", item, arguments)


def _handled(name: str, item: Plain, arguments: object, executed: bool = False) -> WireCall:
    return WireCall(
        id=text_of(item.get("call_id")),
        name=name,
        arguments=arguments,
        executed=executed,
        fault=cut_off(item.get("status") == "incomplete"),
        metadata={"item_id": text_of(item.get("id"))},
    )


def _web_search(item: Plain, _items: list[Plain], draft: Draft) -> Iterator[WireItem]:
    preview = any(tool.provider_name == "web_search_preview" for tool in draft.provider_tools)
    name = "web_search_preview" if preview and "web_search" not in draft.names.values() else "web_search"
    action = item.get("action")
    yield from _ran(name, item, {"action": action}, {"action": action, "status": item.get("status")})


def _file_search(item: Plain, _items: list[Plain], _draft: Draft) -> Iterator[WireItem]:
    result = {key: item[key] for key in ("status", "queries", "results") if item.get(key) is not None}
    yield from _ran("file_search", item, None, result)


def _code_interpreter(item: Plain, _items: list[Plain], _draft: Draft) -> Iterator[WireItem]:
    arguments = {"code": item.get("code"), "container_id": item.get("container_id")}
    yield from _ran("code_interpreter", item, arguments, {"outputs": item.get("outputs")})


def _image_generation(item: Plain, _items: list[Plain], _draft: Draft) -> Iterator[WireItem]:
    yield from _ran("image_generation", item, None, {"result": item.get("result")})


def _ran(name: str, item: Plain, arguments: object, result: object) -> Iterator[WireItem]:
    call_id = text_of(item.get("id"))
    yield WireCall(call_id, name, arguments, executed=True)
    yield WireResult(call_id, name, result, is_failure=item.get("status") in _FAILED)


def _mcp_call(item: Plain, _items: list[Plain], _draft: Draft) -> Iterator[WireItem]:
    call_id, name = text_of(item.get("id")), f"mcp:{item.get('server_label')}"
    metadata = {"mcp_tool": item.get("name"), "server_label": item.get("server_label")}
    yield WireCall(call_id, name, text_of(item.get("arguments")), executed=True, metadata=metadata)
    keys = ("type", "name", "arguments", "output", "error", "server_label")
    result = {key: item[key] for key in keys if item.get(key) is not None}
    yield WireResult(call_id, name, result, is_failure=item.get("error") is not None, metadata=metadata)


def _mcp_approval(item: Plain, _items: list[Plain], _draft: Draft) -> Iterator[WireItem]:
    call_id, name = text_of(item.get("id")), f"mcp:{item.get('server_label')}"
    metadata = {"mcp_tool": item.get("name"), "server_label": item.get("server_label")}
    yield WireCall(call_id, name, text_of(item.get("arguments")), executed=True, metadata=metadata)
    yield WireApproval(call_id)


_Reader = Callable[[Plain, "list[Plain]", Draft], Iterator[WireItem]]
_READERS: dict[str, _Reader] = {
    "shell_call": _shell,
    "local_shell_call": _local_shell,
    "apply_patch_call": _apply_patch,
    "web_search_call": _web_search,
    "file_search_call": _file_search,
    "code_interpreter_call": _code_interpreter,
    "image_generation_call": _image_generation,
    "mcp_call": _mcp_call,
    "mcp_approval_request": _mcp_approval,
}
