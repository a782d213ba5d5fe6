"""The OpenAI SDK: it has a strict converter, but no tools of its own."""

from __future__ import annotations

from typing import Any

from openai.lib._pydantic import _ensure_strict_json_schema

IMPORT = "from openai import OpenAI"
PACKAGE = "openai"


def _openai(schema: Any) -> Any:
    return _ensure_strict_json_schema(schema, path=(), root=schema)


CONVERTERS = {"openai": _openai}
