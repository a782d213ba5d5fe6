"""Results that are more than JSON: the texts, images and files that a model is to look at. Layer 3.

The vocabulary is MCP's content blocks, so that a remote tool's images and a local one's travel alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from tool_core.parts import ToolResultPart


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


def pieces_of(part: ToolResultPart) -> list[Piece] | None:
    """Return the contents that a result consists of, or None where it is ordinary JSON.

    >>> from tool_core.parts import tool_result
    >>> image = {"type": "image", "data": "aGk=", "mimeType": "image/png"}
    >>> [piece.kind for piece in pieces_of(tool_result("1", "Look", [image]))]
    ['image']
    >>> pieces_of(tool_result("1", "Look", [{"type": "image"}])) is None
    True
    """
    result = part["result"]
    blocks = result if isinstance(result, list) else [result]
    pieces = [piece for block in blocks if (piece := _piece(block)) is not None]
    return pieces if pieces and len(pieces) == len(blocks) else None


def _piece(block: object) -> Piece | None:
    if not isinstance(block, Mapping):
        return None
    kind, text, media_type = block.get("type"), block.get("text"), block.get("mimeType")
    if kind == "text" and isinstance(text, str):
        return Piece("text", text)
    if kind in ("image", "audio") and isinstance(block.get("data"), str) and isinstance(media_type, str):
        return Piece("image" if kind == "image" else "file", media_type=media_type, data=block["data"])
    if kind == "resource_link" and isinstance(block.get("uri"), str):
        return _linked(block["uri"], media_type, str(block.get("name", "file")))
    resource = block.get("resource")
    return _embedded(resource) if kind == "resource" and isinstance(resource, Mapping) else None


def _linked(uri: str, media_type: Any, name: str) -> Piece:
    stated = media_type if isinstance(media_type, str) else ""
    if not uri.startswith(("http://", "https://", "gs://")):
        return Piece("text", f"{name}: {uri}")  # only its server can read it
    return Piece("image" if stated.startswith("image/") else "file", media_type=stated, url=uri, name=name)


def _embedded(resource: Mapping[str, Any]) -> Piece | None:
    if isinstance(resource.get("text"), str):
        return Piece("text", resource["text"])
    if not isinstance(resource.get("blob"), str):
        return None
    media_type = str(resource.get("mimeType") or "application/octet-stream")
    name = str(resource.get("uri", "file")).rpartition("/")[2] or "file"
    kind: Literal["image", "file"] = "image" if media_type.startswith("image/") else "file"
    return Piece(kind, media_type=media_type, data=resource["blob"], name=name)
