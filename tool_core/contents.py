"""What a tool may return beside JSON: texts, images and files, for the model to look at. Layer 2.

A tool whose success type names them gets them to the model in the provider's own way; the text in
`type` is unlike any provider's, so an ordinary result is never taken for one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NotRequired, TypeAlias, cast

from typing_extensions import TypedDict


class TextContent(TypedDict):
    """A text beside other contents.

    >>> TextContent(type="text-content", text="the roof, from above")["text"]
    'the roof, from above'
    """

    type: Literal["text-content"]
    text: str


class ImageContent(TypedDict):
    """An image: its bytes in base64 as `data`, or a `url`.

    >>> ImageContent(type="image-content", media_type="image/png", data="iVBORw0KGgo=")["media_type"]
    'image/png'
    """

    type: Literal["image-content"]
    media_type: str
    data: NotRequired[str]
    url: NotRequired[str]


class FileContent(TypedDict):
    """A document, such as a PDF: its bytes in base64 as `data`, or a `url`.

    >>> FileContent(type="file-content", media_type="application/pdf", url="https://example.org/a.pdf")["type"]
    'file-content'
    """

    type: Literal["file-content"]
    media_type: str
    data: NotRequired[str]
    url: NotRequired[str]
    filename: NotRequired[str]


Content: TypeAlias = TextContent | ImageContent | FileContent
"""One piece of a result that has several."""

_KINDS = ("text-content", "image-content", "file-content")


def contents_of(result: object) -> list[Content] | None:
    """Return the contents that a result consists of, or None where it is ordinary JSON.

    >>> image = {"type": "image-content", "media_type": "image/png", "data": "aGk="}
    >>> contents_of([image]) == contents_of(image) == [image], contents_of({"type": "image"})
    (True, None)
    """
    listed = result if isinstance(result, list) else [result]
    return cast("list[Content]", list(listed)) if listed and all(map(_is_content, listed)) else None


def _is_content(value: object) -> bool:
    if not isinstance(value, Mapping) or value.get("type") not in _KINDS:
        return False
    if value["type"] == "text-content":
        return isinstance(value.get("text"), str)
    sources = [value.get("data"), value.get("url")]
    return isinstance(value.get("media_type"), str) and any(isinstance(source, str) for source in sources)
