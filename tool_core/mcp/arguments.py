"""A tool's parameters as MCP arguments, which are an object whatever the tool takes. Layer 3."""

from __future__ import annotations

from tool_core.mcp.object_roots import with_object_type, with_plain_root
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
    schema = _plain(tool)
    return schema if schema.get("type") == "object" else _wrapped(schema).schema


def parameters_from(tool: AnyTool, arguments: object) -> object:
    """Turn arguments into the tool's encoded parameters; the inverse of `input_schema`.

    >>> from tool_core import Tool
    >>> parameters_from(Tool.make("Add", parameters=list[int]), {"value": [1, 2]})
    [1, 2]
    """
    schema = _plain(tool)
    return arguments if schema.get("type") == "object" else _wrapped(schema).lift(arguments)


def _plain(tool: AnyTool) -> dict[str, object]:
    """Write the root out; alternatives stay what they are, for they are a root that few clients can use."""
    schema = with_plain_root(get_json_schema(tool))
    return with_object_type(schema) if "$ref" in schema else schema


def _wrapped(schema: dict[str, object]) -> StrictForm:
    return strictify(schema, _MCP)
