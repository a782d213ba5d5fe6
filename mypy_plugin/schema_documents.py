"""A JSON Schema as a document: its draft, references and keywords. Imports neither mypy nor tool_core."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import unquote

_OLD_DRAFTS: Final = {"/draft-04/": 4, "/draft-06/": 6, "/draft-07/": 7, "/draft/2019-09/": 2019}


def draft_of(document: object) -> int:
    """Return the draft that the root names, as the validator understands it: 2020-12 if in doubt."""
    named = document.get("$schema") if isinstance(document, Mapping) else None
    uri = named if isinstance(named, str) else ""
    return next((number for mark, number in _OLD_DRAFTS.items() if mark in uri), 2020)


def has_inner_id(document: object, draft: int) -> bool:
    """Tell whether a part has an address of its own, from which references would then be read."""
    keyword = "id" if draft == 4 else "$id"
    level: list[object] = list(document.values()) if isinstance(document, Mapping) else []
    while level:
        if any(isinstance(item, Mapping) and isinstance(item.get(keyword), str) for item in level):
            return True
        level = [child for item in level for child in _children(item)]
    return False


def _children(item: object) -> list[object]:
    if isinstance(item, Mapping):
        return list(item.values())
    return item if isinstance(item, list) else []


def resolved(document: object, target: object) -> tuple[str, object] | None:
    """Follow a local pointer; anything else is not known here."""
    if not isinstance(target, str) or (target != "#" and not target.startswith("#/")):
        return None
    part = document
    for step in unquote(target).split("/")[1:]:
        key = step.replace("~1", "/").replace("~0", "~")
        if isinstance(part, Mapping) and key in part:
            part = part[key]
        elif isinstance(part, list) and key.isdecimal() and int(key) < len(part):
            part = part[int(key)]
        else:
            return None
    return target, part


def listed(part: Mapping[str, Any], keyword: str) -> list[object]:
    """Return the list that a keyword holds, if it holds one."""
    value = part.get(keyword)
    return value if isinstance(value, list) else []


def text(part: object, keyword: str) -> str:
    """Return the text that a keyword holds, if it holds one."""
    value = part.get(keyword) if isinstance(part, Mapping) else None
    return value if isinstance(value, str) else ""
