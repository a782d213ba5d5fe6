"""Results as the parts that Google takes. Layer 3."""

from __future__ import annotations

import base64
from typing import Any

from tool_core.parts import ToolResultPart
from tool_core.providers.contents import Piece, pieces_of
from tool_core.providers.rendering import worded_text

_SHOWN = ("image/png", "image/jpeg", "image/webp", "application/pdf", "text/plain")


def response_part(answer: ToolResultPart, name: str, own_id: str) -> dict[str, Any]:
    """Write a result as a function's response; Google names the keys `output` and `error`.

    >>> from tool_core.parts import tool_result
    >>> response_part(tool_result("c1", "Now", 12.5), "Now", "own-")
    {'function_response': {'name': 'Now', 'response': {'output': 12.5}, 'id': 'c1'}}
    """
    if not name:  # the model's call was so malformed that it has no name to answer to
        return {"text": worded_text(answer)}
    pieces = pieces_of(answer, _can_show)
    result = answer["result"] if pieces is None else "\n".join(piece.text for piece in pieces if piece.text)
    response: dict[str, Any] = {
        "name": name,
        "response": {"error" if answer["is_failure"] else "output": result},
    }
    if not answer["id"].startswith(own_id):
        response["id"] = answer["id"]
    if shown := [_part(piece) for piece in pieces or [] if piece.kind != "text"]:
        response["parts"] = shown
    return {"function_response": response}


def _can_show(piece: Piece) -> bool:
    return piece.data is not None and piece.media_type in _SHOWN  # the Gemini API takes no links here


def _part(piece: Piece) -> dict[str, Any]:
    data = base64.b64decode(piece.data or "")
    return {"inline_data": {"mime_type": piece.media_type, "data": data}}
