"""A server's tools as a Python module: types, tools, a toolkit and a fingerprint. Layer 3."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from tool_core.annotations import Title
from tool_core.errors import ToolConfigurationError
from tool_core.mcp.contents import CONTENT
from tool_core.mcp.definitions import HINTS, McpTool
from tool_core.mcp.fingerprints import fingerprint
from tool_core.mcp.imports import Imports, usable_tools
from tool_core.mcp.locking.declarations import Declarations
from tool_core.mcp.locking.identifiers import Names
from tool_core.mcp.locking.layouts import flat
from tool_core.mcp.locking.literals import WIDTH, docstring, json_block, string, text_block
from tool_core.queries import get_description

_SOURCES = {
    "typing": ("Final", "Literal", "TypeAlias", "Union"),
    "typing_extensions": ("Never", "NotRequired", "TypedDict"),
    "tool_core": (
        "Destructive", "Idempotent", "JsonSchema", "OpenWorld", "Readonly", "Title", "Tool", "Toolkit",
    ),
    "tool_core.mcp": ("CONTENT",),
}  # fmt: skip
_APART = "\n\n"


def lock(definitions: object, *, server: str | None = None) -> str:
    """Write a Python module that holds a server's tools with their types, and their fingerprint.

    Takes what `fingerprint` takes: the entries of `tools/list`, a whole saved result, a connected
    server. The module depends on what the tools promise and on nothing else, so locking the same
    server again gives the same bytes. A definition that cannot be used is left out and named.

    >>> print(lock([{"name": "now", "inputSchema": {"type": "object"}}]).splitlines()[0])
    \"\"\"The tools of an MCP server, as it listed them.
    >>> lock([])
    Traceback (most recent call last):
        ...
    tool_core.errors.ToolConfigurationError: Invalid configuration: there is no tool to lock
    """
    found = usable_tools(definitions, server)
    if not found.tools:
        reasons = "".join(f"; {error}" for error in found.refused.values())
        raise ToolConfigurationError(None, f"there is no tool to lock{reasons}")
    return _Module(found, server).text()


@dataclass(slots=True)
class _Module:
    found: Imports
    server: str | None
    types: Declarations = field(default_factory=lambda: Declarations(Names()))

    def text(self) -> str:
        tools = [self.found.tools[name][1] for name in sorted(self.found.tools)]
        head = [f"FINGERPRINT: Final = {string(fingerprint(tools))}\n"]
        variables = [self.types.names.of_variable(tool.name) for tool in tools]
        definitions = ["".join(self._tool(tool, name)) for tool, name in zip(tools, variables, strict=True)]
        kit = "".join(["TOOLKIT = Toolkit.make(\n", *(f"    {name},\n" for name in variables), ")\n"])
        body = _APART.join([*head, *self.types.blocks, *definitions, kit])
        return f"{self._doc()}\n{''.join(self._imports(body))}\n{body}"

    def _doc(self) -> str:
        named = "an MCP server" if self.server is None else f"the MCP server {self.server!r}"
        left_out = [f"- {name}: {error.description}" for name, error in sorted(self.found.refused.items())]
        parts = [
            f"The tools of {named}, as it listed them.",
            "Written by `tool-core lock`. Do not edit it: lock the server again.",
            *(["Left out, for they cannot be used:", "\n".join(left_out)] if left_out else []),
        ]
        return docstring("\n\n".join(parts), "")

    def _imports(self, body: str) -> Iterator[str]:
        """Import what the module uses: the names in its code, and those in quoted types."""
        used = {node.id for node in ast.walk(ast.parse(body)) if isinstance(node, ast.Name)} | self.types.used
        yield "from __future__ import annotations\n"
        for source, names in _SOURCES.items():
            needed = ", ".join(name for name in names if name in used)
            apart = "" if source == "tool_core.mcp" else "\n"
            yield f"{apart}from {source} import {needed}\n" if needed else ""

    def _tool(self, tool: McpTool, variable: str) -> Iterator[str]:
        yield f"{variable} = Tool.dynamic(\n    {string(tool.name)},\n"
        if (description := get_description(tool)) is not None:
            yield f"    description={text_block(description)},\n"
        yield from self._schema(tool, "parameters", "Input", "Arguments of")
        yield from self._schema(tool, "success", "Output", "What comes back from")
        yield '    failure=CONTENT,\n    failure_mode="return",\n)\n'
        if (title := tool.annotations.get(Title)) is not None:
            yield _annotated(variable, "Title", string(title))
        for key in HINTS.values():
            if key in tool.annotations:
                yield _annotated(variable, key.name.partition("/")[2], repr(tool.annotations.get(key)))

    def _schema(self, tool: McpTool, option: str, role: str, said: str) -> Iterator[str]:
        schema = tool.parameters_schema if option == "parameters" else tool.success_schema
        if schema == CONTENT:
            yield f"    {option}=CONTENT,\n"
            return
        document = dict(schema.json_schema())
        form = flat(self.types.declare(document, tool.name, role, f"{said} `{tool.name}`."))
        block = json_block(document, "        ")
        yield f"    {option}=JsonSchema.typed(\n        {form},\n        {block},\n    ),\n"


def _annotated(variable: str, key: str, value: str) -> str:
    line = f"{variable} = {variable}.annotate({key}, {value})\n"
    if len(line) <= WIDTH + 1:
        return line
    return f"{variable} = {variable}.annotate(\n    {key},\n    {value},\n)\n"
