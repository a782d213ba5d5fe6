"""Fields of Google's responses, which are in snake case in Python and in camel case in JSON. Layer 3."""

from __future__ import annotations

from typing import Any

from tool_core.providers.apis import Plain


def field_of(value: Plain, name: str) -> Any:
    """Return a field under either of its names.

    >>> field_of({"functionCall": 1}, "function_call"), field_of({"function_call": 2}, "function_call")
    (1, 2)
    """
    if name in value:
        return value[name]
    first, *others = name.split("_")
    return value.get(first + "".join(word.title() for word in others))


def member_of(value: object) -> str:
    """Return the name of an enumeration's member, which is a text in JSON.

    >>> member_of("STOP"), member_of(None)
    ('STOP', '')
    """
    return str(getattr(value, "value", value) or "")
