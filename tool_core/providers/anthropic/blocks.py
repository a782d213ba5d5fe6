"""Results as Anthropic's content blocks. Layer 3."""

from __future__ import annotations

import base64
from typing import Any

from tool_core.contents import Content, contents_of
from tool_core.parts import ToolResultPart
from tool_core.providers.rendering import result_text


def content_blocks(answer: ToolResultPart) -> str | list[dict[str, Any]]:
    """Write a result as text, or as blocks where it has several contents.

    >>> from tool_core.parts import tool_result
    >>> content_blocks(tool_result("1", "Now", {"hour": 12}))
    '{"hour": 12}'
    """
    contents = contents_of(answer["result"])
    return result_text(answer) if contents is None else [_block(content) for content in contents]


def _block(content: Content) -> dict[str, Any]:
    if content["type"] == "text-content":
        return {"type": "text", "text": content["text"]}
    if "data" not in content:
        source: dict[str, Any] = {"type": "url", "url": content.get("url", "")}
    elif content["media_type"].startswith("text/"):
        text = base64.b64decode(content["data"]).decode("utf-8", "replace")
        source = {"type": "text", "media_type": "text/plain", "data": text}
    else:
        source = {"type": "base64", "media_type": content["media_type"], "data": content["data"]}
    if content["type"] == "image-content":
        return {"type": "image", "source": source}
    title = {"title": content["filename"]} if "filename" in content else {}
    return {"type": "document", "source": source, **title}
