"""Run in a virtual environment that has a peer: convert every schema of a file with its converter.

    python peers.py NAME schemas.json > converted.json

Each answer is the converted schema, or null where the converter raised.
"""

from __future__ import annotations

import copy
import json
import sys
import time
from collections.abc import Callable
from typing import Any


def openai_agents() -> Callable[[Any], Any]:
    from agents.strict_schema import ensure_strict_json_schema

    return ensure_strict_json_schema


def openai_sdk() -> Callable[[Any], Any]:
    from openai.lib._pydantic import _ensure_strict_json_schema

    return lambda schema: _ensure_strict_json_schema(schema, path=(), root=schema)


def anthropic_sdk() -> Callable[[Any], Any]:
    from anthropic import transform_schema

    return transform_schema


def pydantic_ai() -> Callable[[Any], Any]:
    from pydantic_ai.profiles.openai import OpenAIJsonSchemaTransformer

    return lambda schema: OpenAIJsonSchemaTransformer(schema, strict=True).walk()


def pydantic_ai_google() -> Callable[[Any], Any]:
    from pydantic_ai.profiles.google import GoogleJsonSchemaTransformer

    return lambda schema: GoogleJsonSchemaTransformer(schema, strict=True).walk()


def langchain() -> Callable[[Any], Any]:
    from langchain_core.utils.function_calling import convert_to_openai_function

    def convert(schema: Any) -> Any:
        titled = {**schema, "title": "tool", "description": schema.get("description", "d")}
        return convert_to_openai_function(titled, strict=True)["parameters"]

    return convert


def main() -> None:
    convert = globals()[sys.argv[1]]()
    with open(sys.argv[2]) as file:
        schemas = json.load(file)
    converted: list[Any] = []
    seconds = 0.0
    for schema in schemas:
        own = copy.deepcopy(schema)
        started = time.perf_counter()
        try:
            converted.append(convert(own))
        except Exception:  # a converter that refuses a schema has its reasons
            converted.append(None)
        seconds += time.perf_counter() - started
    json.dump({"seconds": seconds, "converted": converted}, sys.stdout, default=str)


if __name__ == "__main__":
    main()
