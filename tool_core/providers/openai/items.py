"""The items that answer the calls of a Responses turn. Layer 3."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from tool_core.parts import ToolApprovalResponsePart, ToolResultPart
from tool_core.providers.apis import Answer, Draft
from tool_core.providers.contents import IMAGES, Piece, pieces_of
from tool_core.providers.rendering import FAILED, result_text, worded_text

_DOCUMENTS = re.compile(r"text/|application/(?:pdf|json|rtf|msword|vnd\.)")


def answer_items(answers: Sequence[Answer], draft: Draft) -> list[Any]:
    """Write every answer as the kind of item that its call asks for, and once only."""
    return [_item(answer, draft) for answer in answers]


def _item(answer: Answer, draft: Draft) -> dict[str, Any]:
    if answer["type"] == "tool-approval-response":
        return _approval(answer)
    wire_name = draft.names.get(answer["name"])
    is_ours = answer["name"] in draft.decisions
    if not is_ours and wire_name == "shell":
        return {"type": "shell_call_output", "call_id": answer["id"], "output": _shell_output(answer)}
    if not is_ours and wire_name == "local_shell":
        return {"type": "local_shell_call_output", "id": answer["id"], "output": _local_shell_output(answer)}
    if not is_ours and wire_name == "apply_patch":
        return _patch_output(answer)
    return {"type": "function_call_output", "call_id": answer["id"], "output": _output(answer)}


def _approval(answer: ToolApprovalResponsePart) -> dict[str, Any]:
    item: dict[str, Any] = {
        "type": "mcp_approval_response",
        "approval_request_id": answer["approval_id"],
        "approve": answer["approved"],
    }
    return {**item, "reason": answer["reason"]} if "reason" in answer else item


def _output(answer: ToolResultPart) -> str | list[dict[str, Any]]:
    pieces = pieces_of(answer, _can_show)
    if pieces is None:
        return worded_text(answer)
    words = [{"type": "input_text", "text": FAILED.strip()}] if answer["is_failure"] else []
    return [*words, *map(_content, pieces)]


def _can_show(piece: Piece) -> bool:
    if piece.kind == "image":
        return piece.media_type in IMAGES
    return _DOCUMENTS.match(piece.media_type) is not None


def _content(piece: Piece) -> dict[str, Any]:
    if piece.kind == "text":
        return {"type": "input_text", "text": piece.text}
    if piece.kind == "image":
        return {"type": "input_image", "image_url": piece.address, "detail": "auto"}
    if piece.data is None:
        return {"type": "input_file", "file_url": piece.url}
    return {"type": "input_file", "file_data": piece.address, "filename": piece.name}


def _shell_output(answer: ToolResultPart) -> list[dict[str, Any]]:
    result = answer["result"]
    if not answer["is_failure"] and isinstance(result, Mapping) and isinstance(result.get("output"), list):
        keys = ("stdout", "stderr", "outcome")
        return [{key: chunk[key] for key in keys if key in chunk} for chunk in result["output"]]
    return [{"stdout": "", "stderr": worded_text(answer), "outcome": {"type": "exit", "exit_code": 1}}]


def _local_shell_output(answer: ToolResultPart) -> str:
    result = answer["result"]
    if not answer["is_failure"] and isinstance(result, Mapping) and isinstance(result.get("output"), str):
        return json.dumps(result)
    return json.dumps({"output": worded_text(answer)})


def _patch_output(answer: ToolResultPart) -> dict[str, Any]:
    item: dict[str, Any] = {"type": "apply_patch_call_output", "call_id": answer["id"]}
    result = answer["result"]
    if answer["is_failure"] or not isinstance(result, Mapping):
        return {**item, "status": "failed", "output": result_text(answer)}
    output = {"output": result["output"]} if isinstance(result.get("output"), str) else {}
    return {**item, "status": result.get("status", "completed"), **output}
