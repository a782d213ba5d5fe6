"""SDK objects as plain dicts, without importing any SDK. Layer 3."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast

from tool_core.errors import ToolConfigurationError

_HALF = re.compile("[\ud800-\udfff]")


def plain(value: object) -> Mapping[str, Any] | None:
    """Return a mapping as it is and an SDK's model as the JSON that it was read from; else None.

    >>> plain({"id": "resp_1"}), plain("text")
    ({'id': 'resp_1'}, None)
    """
    return _dumped(value, mode="json", by_alias=True, exclude_unset=True)


def plain_python(value: object) -> Mapping[str, Any] | None:
    """Return the same with the names and values of Python: google-genai has bytes in its contents.

    >>> plain_python({"thought_signature": b"x"})
    {'thought_signature': b'x'}
    """
    return _dumped(value, mode="python", by_alias=False, exclude_none=True)


def encodable(value: Any) -> Any:
    """Return the same without halves of characters, which no client can send; a model may write them.

    >>> encodable([{"text": "cut \\ud83d"}, b"x"]) == [{"text": "cut \\ufffd"}, b"x"]
    True
    """
    if isinstance(value, str):
        return _HALF.sub("\ufffd", value)
    if isinstance(value, Mapping):
        return {encodable(key): encodable(item) for key, item in value.items()}
    return [encodable(item) for item in value] if isinstance(value, list | tuple) else value


def mappings_in(value: object) -> Iterator[Mapping[str, Any]]:
    """Yield the mappings of a list, passing over whatever else stands in it.

    >>> list(mappings_in([{"a": 1}, None, 3])), list(mappings_in("text"))
    ([{'a': 1}], [])
    """
    if isinstance(value, list | tuple):
        yield from (item for item in value if isinstance(item, Mapping))


def events_of(value: object, api: str) -> Iterable[object]:
    """Return what streams events, or say what could have been passed."""
    if hasattr(value, "__aiter__"):
        advice = "feed its events to `prepared.stream()` in an `async for`"
        raise ToolConfigurationError(None, f"an asynchronous stream cannot be read at once; {advice}")
    if isinstance(value, Iterable) and not isinstance(value, str | bytes):
        return value
    kinds = "an SDK object, a dict or an iterable of events"
    raise ToolConfigurationError(None, f"a response of {api} is {kinds}, not {type(value).__name__}")


def _dumped(value: object, **options: object) -> Mapping[str, Any] | None:
    if isinstance(value, Mapping):
        return value
    dump = getattr(value, "model_dump", None)
    if not callable(dump) or isinstance(value, type):
        return None
    return cast("Mapping[str, Any]", dump(warnings=False, **options))


def text_of(value: object) -> str:
    """Return a text, and the empty one for anything else.

    >>> text_of("a"), text_of(None)
    ('a', '')
    """
    return value if isinstance(value, str) else ""
