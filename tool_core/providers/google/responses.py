"""Results as the parts that Google takes. Layer 3."""

from __future__ import annotations

import base64
import binascii
from typing import Any

from tool_core.parts import ToolResultPart
from tool_core.providers.contents import Piece, pieces_of
from tool_core.providers.rendering import worded_text


def response_part(answer: ToolResultPart, name: str, own_id: str) -> dict[str, Any]:
    """Write a result as a function's response; Google names the keys `output` and `error`.

    >>> from tool_core.parts import tool_result
    >>> response_part(tool_result("c1", "Now", 12.5), "Now", "own-")
    {'function_response': {'name': 'Now', 'response': {'output': 12.5}, 'id': 'c1'}}
    """
    if not name:  # the model's call was so malformed that it has no name to answer to
        return {"text": worded_text(answer)}
    pieces = pieces_of(answer)
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


def _part(piece: Piece) -> dict[str, Any]:
    if piece.data is None:
        return {"file_data": {"mime_type": piece.media_type, "file_uri": piece.url}}
    return {"inline_data": {"mime_type": piece.media_type, "data": _bytes(piece.data)}}


def _bytes(data: str) -> bytes:
    try:
        return base64.b64decode(data)
    except binascii.Error:
        return data.encode()
