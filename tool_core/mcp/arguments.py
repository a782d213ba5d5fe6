"""A tool's parameters as MCP arguments, which are an object whatever the tool takes. Layer 3."""

from __future__ import annotations

from typing import Any

from tool_core.queries import get_json_schema
from tool_core.strict.descriptors import FormatDescriptor
from tool_core.strict.forms import StrictForm, strictify
from tool_core.tools import AnyTool

_MCP = FormatDescriptor(id="mcp", strict=False, describe_losses=False)


def input_schema(tool: AnyTool) -> dict[str, object]:
    """Describe the arguments of a tool; a root that is no object travels under the key "value".

    >>> from tool_core import Tool
    >>> input_schema(Tool.make("Add", parameters=list[int]))["properties"]
    {'value': {'type': 'array', 'items': {'type': 'integer'}}}
    """
    schema = with_plain_root(get_json_schema(tool))
    return schema if schema.get("type") == "object" else _wrapped(schema).schema


def parameters_from(tool: AnyTool, arguments: object) -> object:
    """Turn arguments into the tool's encoded parameters; the inverse of `input_schema`.

    >>> from tool_core import Tool
    >>> parameters_from(Tool.make("Add", parameters=list[int]), {"value": [1, 2]})
    [1, 2]
    """
    schema = with_plain_root(get_json_schema(tool))
    return arguments if schema.get("type") == "object" else _wrapped(schema).lift(arguments)


def with_plain_root(schema: dict[str, Any]) -> dict[str, Any]:
    """Write out a root that is only a reference into the schema's own definitions.

    >>> with_plain_root({"$ref": "#/$defs/A", "$defs": {"A": {"type": "object"}}})["type"]
    'object'
    """
    seen: set[str] = set()
    while isinstance(reference := schema.get("$ref"), str) and reference not in seen:
        seen.add(reference)
        place, _, name = reference.rpartition("/")
        definitions = schema.get(place.removeprefix("#/"))
        if not isinstance(definitions, dict) or not isinstance(definitions.get(name), dict):
            break
        rest = {key: value for key, value in schema.items() if key != "$ref"}
        schema = {**definitions[name], **rest}
    return schema


def _wrapped(schema: dict[str, object]) -> StrictForm:
    return strictify(schema, _MCP)
