"""The two spellings of Google's fields: its JSON takes `function_call` as well as `functionCall`."""

from __future__ import annotations

from typing import Any

from tests.loopback.scripts import Json

MAPS = {"args", "response", "parametersJsonSchema", "responseJsonSchema", "parameters", "properties"}
"""Fields whose keys are the user's, not the API's."""


def spelled(body: Json) -> Json:
    """Spell every field in camel case, and leave alone what the user named."""
    return {key: _value(key, value) for key, value in _keys(body).items()}


def _keys(message: Json) -> Json:
    return {_camel(key): value for key, value in message.items()}


def _camel(key: str) -> str:
    first, *others = key.split("_")
    return first + "".join(word.capitalize() for word in others)


def _value(key: str, value: Any) -> Any:
    if key in MAPS:
        return value
    if isinstance(value, list):
        return [spelled(item) if isinstance(item, dict) else item for item in value]
    return spelled(value) if isinstance(value, dict) else value
