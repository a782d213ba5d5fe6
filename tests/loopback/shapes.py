"""Whether a value has the shape that an official SDK's own types describe."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core import SchemaValidator


@cache
def _validator(kind: Any) -> Any:
    adapter = TypeAdapter(kind)
    is_model = isinstance(kind, type) and issubclass(kind, BaseModel)
    return adapter if is_model else SchemaValidator(_with_lists(adapter.core_schema))


def _with_lists(schema: Any) -> Any:
    """Read `Iterable` as a list: the SDKs' types say so, and mean what JSON has."""
    if isinstance(schema, list):
        return [_with_lists(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {key: _with_lists(value) for key, value in schema.items()}
    return {**inner, "type": "list"} if inner.get("type") == "generator" else inner


def misshapen(value: object, kind: Any) -> str | None:
    """Say how a value differs from a type of an SDK: a missing, unknown or wrong field."""
    try:
        _validator(kind).validate_json(json.dumps(value), strict=True, extra="forbid")
    except ValidationError as error:
        first = error.errors()[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
    return None


def unknown_keys(body: dict[str, Any], kind: Any) -> list[str]:
    """List the keys of a request that the SDK's type of it does not have."""
    return sorted(body.keys() - kind.__annotations__.keys())
