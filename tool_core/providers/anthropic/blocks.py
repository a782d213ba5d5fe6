"""Results as Anthropic's content blocks. Layer 3."""

from __future__ import annotations

import base64
import binascii
from typing import Any

from tool_core.parts import ToolResultPart
from tool_core.providers.contents import Piece, pieces_of
from tool_core.providers.rendering import result_text


def content_blocks(answer: ToolResultPart) -> str | list[dict[str, Any]]:
    """Write a result as text, or as blocks where it has several contents.

    >>> from tool_core.parts import tool_result
    >>> content_blocks(tool_result("1", "Now", {"hour": 12}))
    '{"hour": 12}'
    """
    pieces = pieces_of(answer)
    if pieces is None:
        return result_text(answer)
    return [_block(piece) for piece in pieces if piece.kind != "text" or piece.text]  # no empty texts


def _block(piece: Piece) -> dict[str, Any]:
    if piece.kind == "text":
        return {"type": "text", "text": piece.text}
    if piece.data is None:
        source: dict[str, Any] = {"type": "url", "url": piece.url}
    elif piece.kind == "file" and piece.media_type.startswith("text/"):
        source = {"type": "text", "media_type": "text/plain", "data": _decoded(piece.data)}
    else:
        source = {"type": "base64", "media_type": piece.media_type, "data": piece.data}
    if piece.kind == "image":
        return {"type": "image", "source": source}
    if piece.data is not None and source["type"] == "base64" and piece.media_type != "application/pdf":
        return {"type": "text", "text": f"({piece.name}, of type {piece.media_type}, cannot be shown)"}
    return {"type": "document", "source": source, "title": piece.name}


def _decoded(data: str) -> str:
    try:
        return base64.b64decode(data).decode("utf-8", "replace")
    except binascii.Error:
        return data
