"""What a tool gives back over MCP: texts, images, sounds, resources, and structured values. Layer 3."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NotRequired, TypeAlias, cast

from typing_extensions import TypedDict

from tool_core.json_schemas import JsonSchema


class TextContent(TypedDict):
    """A text.

    >>> TextContent(type="text", text="hello")
    {'type': 'text', 'text': 'hello'}
    """

    type: Literal["text"]
    text: str
    annotations: NotRequired[Mapping[str, object]]
    _meta: NotRequired[Mapping[str, object]]


class MediaContent(TypedDict):
    """An image or a sound, in base64.

    >>> MediaContent(type="image", data="aGk=", mimeType="image/png")["mimeType"]
    'image/png'
    """

    type: Literal["image", "audio"]
    data: str
    mimeType: str
    annotations: NotRequired[Mapping[str, object]]
    _meta: NotRequired[Mapping[str, object]]


class ResourceContent(TypedDict):
    """A resource, whole: its `uri` and its `text` or its `blob` in base64.

    >>> ResourceContent(type="resource", resource={"uri": "file:///a", "text": "hi"})["type"]
    'resource'
    """

    type: Literal["resource"]
    resource: Mapping[str, object]
    annotations: NotRequired[Mapping[str, object]]
    _meta: NotRequired[Mapping[str, object]]


class ResourceLinkContent(TypedDict):
    """A resource that the server can be asked for.

    >>> ResourceLinkContent(type="resource_link", uri="file:///a", name="a")["name"]
    'a'
    """

    type: Literal["resource_link"]
    uri: str
    name: str
    title: NotRequired[str]
    description: NotRequired[str]
    mimeType: NotRequired[str]
    size: NotRequired[int]
    annotations: NotRequired[Mapping[str, object]]
    _meta: NotRequired[Mapping[str, object]]


ContentBlock: TypeAlias = TextContent | MediaContent | ResourceContent | ResourceLinkContent
"""One piece of content, as MCP writes it."""

Content: TypeAlias = str | Sequence[ContentBlock]
"""What a tool without an output schema gives: one text, or blocks in order."""

_BLOCK = {"type": "object", "properties": {"type": {"type": "string"}}, "required": ["type"]}

CONTENT: JsonSchema[Content] = cast(
    "JsonSchema[Content]",
    JsonSchema.of({"anyOf": [{"type": "string"}, {"type": "array", "items": _BLOCK}]}),
)
"""The schema of content: `Tool.make("Chart", success=CONTENT)` is a tool that returns images.

>>> CONTENT.decode([{"type": "image", "data": "aGk=", "mimeType": "image/png"}])[0]["type"]
'image'
"""


def content_of(blocks: Sequence[Mapping[str, object]]) -> object:
    """Say content as simply as it is: a single text is a string, anything else a list of blocks.

    >>> content_of([{"type": "text", "text": "hello"}]), content_of([])
    ('hello', [])
    """
    if len(blocks) == 1 and blocks[0].get("type") == "text" and set(blocks[0]) == {"type", "text"}:
        return blocks[0]["text"]
    return [dict(block) for block in blocks]


def blocks_of(content: object) -> list[dict[str, object]]:
    """Write content as blocks.

    >>> blocks_of("hello")
    [{'type': 'text', 'text': 'hello'}]
    """
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [dict(block) for block in cast("Sequence[Mapping[str, object]]", content)]
