"""Results that are more than JSON: the texts, images and files that a model is to look at. Layer 3.

The vocabulary is MCP's content blocks, so that a remote tool's images and a local one's travel alike.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from tool_core.parts import ToolResultPart

IMAGES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
"""The images that OpenAI and Anthropic take; one of any other kind costs them the whole request."""

_TEXTUAL = re.compile(r"text/|application/(?:[^;]*\+)?(?:json|xml|yaml)\b")
_OF_A_TEXT = frozenset({"type", "text", "annotations", "_meta"})


@dataclass(frozen=True, slots=True)
class Piece:
    """One content: a text, or an image or a file as base64 `data` or under a `url`."""

    kind: Literal["text", "image", "file"]
    text: str = ""
    media_type: str = ""
    data: str | None = None
    url: str = ""
    name: str = "file"

    @property
    def address(self) -> str:
        """The URL, which holds the data itself where there is some."""
        return self.url if self.data is None else f"data:{self.media_type};base64,{self.data}"

    @property
    def decoded(self) -> str:
        """The text that the data is."""
        return base64.b64decode(self.data or "").decode("utf-8", "replace")

    @property
    def in_words(self) -> Piece:
        """The same for a model that cannot be shown it."""
        if self.data is None:
            return Piece("text", f"{self.name}: {self.url}")
        if _TEXTUAL.match(self.media_type):
            return Piece("text", f"{self.name}:\n{self.decoded}")
        return Piece("text", f"({self.name}, of type {self.media_type}, cannot be shown)")


CanShow: TypeAlias = Callable[[Piece], bool]
"""Tells whether a provider takes an image or a file."""


def pieces_of(part: ToolResultPart, can_show: CanShow) -> list[Piece] | None:
    """Return the contents that a result consists of, or None where it is ordinary JSON.

    >>> from tool_core.parts import tool_result
    >>> image = {"type": "image", "data": "aGk=", "mimeType": "image/png"}
    >>> [piece.kind for piece in pieces_of(tool_result("1", "Look", [image]), lambda piece: True)]
    ['image']
    >>> [piece.text for piece in pieces_of(tool_result("1", "Look", [image]), lambda piece: False)]
    ['(file, of type image/png, cannot be shown)']
    >>> pieces_of(tool_result("1", "Look", [{"type": "image"}]), lambda piece: True) is None
    True
    """
    result = part["result"]
    blocks = result if isinstance(result, list) else [result]
    pieces = [piece for block in blocks if (piece := _piece(block)) is not None]
    if not pieces or len(pieces) < len(blocks):
        return None
    return [piece if piece.kind == "text" or can_show(piece) else piece.in_words for piece in pieces]


def heading(part: ToolResultPart) -> str:
    """Say what follows, where a result has to stand apart from its answer."""
    return f"The result of the call {part['id']} of {part['name']}:"


def _piece(block: object) -> Piece | None:
    if not isinstance(block, Mapping):
        return None
    kind, text, media_type = block.get("type"), block.get("text"), block.get("mimeType")
    if kind == "text" and isinstance(text, str):
        return Piece("text", text) if block.keys() <= _OF_A_TEXT else None  # else a record that has a text
    if kind in ("image", "audio") and isinstance(media_type, str) and (data := _base64(block.get("data"))):
        return Piece("image" if kind == "image" else "file", media_type=media_type, data=data)
    if kind == "resource_link" and isinstance(block.get("uri"), str):
        return _linked(block["uri"], media_type, str(block.get("name", "file")))
    resource = block.get("resource")
    return _embedded(resource) if kind == "resource" and isinstance(resource, Mapping) else None


def _linked(uri: str, media_type: Any, name: str) -> Piece:
    stated = media_type if isinstance(media_type, str) else ""
    if not uri.startswith(("http://", "https://")):
        return Piece("text", f"{name}: {uri}")  # only its server can read it
    return Piece("image" if stated.startswith("image/") else "file", media_type=stated, url=uri, name=name)


def _embedded(resource: Mapping[str, Any]) -> Piece | None:
    if isinstance(resource.get("text"), str):
        return Piece("text", resource["text"])
    if not (data := _base64(resource.get("blob"))):
        return None
    media_type = str(resource.get("mimeType") or "application/octet-stream")
    name = str(resource.get("uri", "file")).rpartition("/")[2] or "file"
    kind: Literal["image", "file"] = "image" if media_type.startswith("image/") else "file"
    return Piece(kind, media_type=media_type, data=data, name=name)


def _base64(data: object) -> str:
    """Return base64 without line breaks, or nothing where it is none."""
    if not isinstance(data, str):
        return ""
    compact = "".join(data.split())
    try:
        base64.b64decode(compact, validate=True)
    except (binascii.Error, ValueError):
        return ""
    return compact
