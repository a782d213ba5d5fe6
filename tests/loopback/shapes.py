"""Whether a value has the shape that an official SDK's own types describe."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from pydantic import BaseModel, TypeAdapter, ValidationError


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def misshapen(value: object, kind: Any) -> str | None:
    """Say how a value differs from a type of an SDK: a missing, unknown or wrong field."""
    adapter = _adapter(kind)
    try:
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            adapter.validate_json(json.dumps(value), strict=True, extra="forbid")
        else:
            _read_to_the_end(adapter.validate_python(value, strict=True, extra="forbid"))
    except ValidationError as error:
        first = error.errors()[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
    return None


def _read_to_the_end(value: Any) -> None:
    """Go through lazily checked lists, so that their items are checked."""
    if isinstance(value, dict):
        for inner in value.values():
            _read_to_the_end(inner)
    elif isinstance(value, list | Iterator):
        for inner in value:
            _read_to_the_end(inner)


def unknown_keys(body: dict[str, Any], kind: Any) -> list[str]:
    """List the keys of a request that the SDK's type of it does not have."""
    return sorted(body.keys() - kind.__annotations__.keys())
