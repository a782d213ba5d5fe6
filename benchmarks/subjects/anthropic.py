"""The Anthropic SDK: `beta_tool` functions, called as its tool runner does."""

from __future__ import annotations

import json
from typing import Any

from anthropic import beta_async_tool, beta_tool, transform_schema

IMPORT = "from anthropic import beta_tool"
PACKAGE = "anthropic"
CONVERTERS = {"anthropic": transform_schema}


def define(functions: Any) -> Any:
    made = {}
    for function in functions:
        is_async = function.__code__.co_flags & 0x80
        made[function.__name__] = beta_async_tool(function) if is_async else beta_tool(function)
    return made


def wire(kit: Any) -> Any:
    return [tool.to_dict() for tool in kit.values()]


def sync_call(kit: Any) -> Any:
    return lambda name, text: json.dumps(kit[name].call(json.loads(text)))


def async_call(kit: Any) -> Any:
    async def call(name: str, text: str) -> object:
        answer = kit[name].call(json.loads(text))
        return json.dumps(await answer if hasattr(answer, "__await__") else answer)

    return call


def dynamic(schema: Any, handler: Any) -> None:
    """The SDK has no tool that is known by a raw schema only."""
