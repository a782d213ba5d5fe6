"""Results as Anthropic's content blocks. Layer 3."""

from __future__ import annotations

from typing import Any

from tool_core.parts import ToolResultPart
from tool_core.providers.contents import IMAGES, Piece, heading, pieces_of
from tool_core.providers.rendering import result_text

_PDF = "application/pdf"


def result_blocks(answer: ToolResultPart) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Write a result as its block, and what must follow all of these: a failure holds texts only.

    >>> from tool_core.parts import tool_result
    >>> result_blocks(tool_result("1", "Now", {"hour": 12}))
    ({'type': 'tool_result', 'tool_use_id': '1', 'content': '{"hour": 12}'}, [])
    """
    block: dict[str, Any] = {"type": "tool_result", "tool_use_id": answer["id"]}
    pieces = pieces_of(answer, _can_show)
    if pieces is None:
        content: str | list[dict[str, Any]] = result_text(answer)
    else:  # no texts without words, which are refused
        content = [_block(piece) for piece in pieces if piece.kind != "text" or piece.text.strip()]
    if not answer["is_failure"]:
        return {**block, "content": content}, []
    failed = {**block, "content": content, "is_error": True}
    shown = [item for item in content if isinstance(item, dict) and item["type"] != "text"]
    if not shown:
        return failed, []
    texts = [item for item in content if item not in shown]
    failed["content"] = [*texts, {"type": "text", "text": "The rest of it follows below."}]
    return failed, [{"type": "text", "text": heading(answer)}, *shown]


def _can_show(piece: Piece) -> bool:
    if piece.kind == "image":
        return piece.media_type in IMAGES
    return piece.media_type == _PDF or (piece.data is not None and piece.media_type.startswith("text/"))


def _block(piece: Piece) -> dict[str, Any]:
    if piece.kind == "text":
        return {"type": "text", "text": piece.text}
    if piece.data is None:
        source: dict[str, Any] = {"type": "url", "url": piece.url}
    elif piece.kind == "file" and piece.media_type != _PDF:
        source = {"type": "text", "media_type": "text/plain", "data": piece.decoded}
    else:
        source = {"type": "base64", "media_type": piece.media_type, "data": piece.data}
    if piece.kind == "image":
        return {"type": "image", "source": source}
    return {"type": "document", "source": source, "title": piece.name}
