"""Results as the parts that Google takes. Layer 3."""

from __future__ import annotations

import base64
from typing import Any

from tool_core.contents import Content, contents_of
from tool_core.parts import ToolResultPart
from tool_core.providers.rendering import worded_text


def response_part(answer: ToolResultPart, name: str, own_id: str) -> dict[str, Any]:
    """Write a result as a function's response; Google names the keys `output` and `error`.

    >>> from tool_core.parts import tool_result
    >>> response_part(tool_result("c1", "Now", 12.5), "Now", "own-")
    {'function_response': {'name': 'Now', 'response': {'output': 12.5}, 'id': 'c1'}}
    """
    if not name:  # the model's call was so malformed that it has no name to answer to
        return {"text": worded_text(answer)}
    contents = contents_of(answer["result"])
    result = answer["result"] if contents is None else _texts(contents)
    response: dict[str, Any] = {
        "name": name,
        "response": {"error" if answer["is_failure"] else "output": result},
    }
    if not answer["id"].startswith(own_id):
        response["id"] = answer["id"]
    if shown := [_part(content) for content in contents or [] if content["type"] != "text-content"]:
        response["parts"] = shown
    return {"function_response": response}


def _texts(contents: list[Content]) -> str:
    return "\n".join(content["text"] for content in contents if content["type"] == "text-content")


def _part(content: Content) -> dict[str, Any]:
    assert content["type"] != "text-content"
    if "data" not in content:
        return {"file_data": {"mime_type": content["media_type"], "file_uri": content.get("url", "")}}
    return {"inline_data": {"mime_type": content["media_type"], "data": base64.b64decode(content["data"])}}
