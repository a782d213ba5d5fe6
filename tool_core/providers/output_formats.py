"""Structured output: the schema that is sent, and the way back to a value. Layer 3."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tool_core.errors import InvalidOutputError, JsonTextError, SchemaMismatchError, UnsupportedSchemaError
from tool_core.json_schemas import JsonSchema
from tool_core.json_text import secure_json_loads
from tool_core.schemas import Schema, schema_of
from tool_core.strict import FormatDescriptor, StrictForm, strictify

_NAME = re.compile(r"[^A-Za-z0-9_-]")
_LONGEST_NAME = 64
DEFAULT_NAME = "output"


@dataclass(frozen=True, slots=True)
class OutputFormat:
    """What the model's answer must look like: the original schema and its form on the wire."""

    schema: Schema[object]
    form: StrictForm
    name: str
    description: str | None

    @property
    def is_strict(self) -> bool:
        """Whether the provider enforces the schema."""
        return self.form.descriptor.strict

    def relaxed(self, lenient: FormatDescriptor) -> OutputFormat:
        """Return the same output without strict mode."""
        return replace(self, form=strictify(self.schema.json_schema(), lenient))

    def named_apart(self, taken: Collection[str]) -> OutputFormat:
        """Return the same output under a name that no tool has: it may have to travel as one."""
        name = self.name
        while name in taken:
            name = f"{name[: _LONGEST_NAME - 7]}_answer"
        return replace(self, name=name)

    def read(self, text: str) -> object:
        """Turn the text of an answer into a value of the output type."""
        try:
            return self.lifted(secure_json_loads(text))
        except JsonTextError as error:
            raise InvalidOutputError(description=f"it is not JSON: {error.description}") from None

    def lifted(self, wire: object) -> object:
        """Turn the JSON value of an answer into a value of the output type."""
        try:
            return self.schema.decode(self.form.lift(wire))
        except SchemaMismatchError as error:
            raise InvalidOutputError(description=str(error)) from None


def output_schema_of(output: Any) -> Schema[object]:
    """Take a type form, a `Schema` or a raw JSON Schema.

    >>> output_schema_of({"type": "integer"}).decode(3), output_schema_of(int).decode(3)
    (3, 3)
    """
    return JsonSchema.of(output) if isinstance(output, Mapping) else schema_of(output, "output_schema")


def output_format(schema: Schema[object], form: StrictForm | None, lenient: FormatDescriptor) -> OutputFormat:
    """Describe an output; `form` is the plan's, where the model has strict mode."""
    document = schema.json_schema()
    try:
        wire = form or strictify(document, lenient)
    except UnsupportedSchemaError as error:
        raise UnsupportedSchemaError(error.pointer, error.reason, "the output") from None
    description = document.get("description")
    words = description if isinstance(description, str) else None
    return OutputFormat(schema, wire, _name(schema, document), words)


def _name(schema: Schema[object], document: Mapping[str, object]) -> str:
    """Name an output by its title or its class; the model sees the name."""
    named = document.get("title") or getattr(getattr(schema, "form", None), "__name__", None)
    return _NAME.sub("_", named)[:_LONGEST_NAME] if isinstance(named, str) else DEFAULT_NAME
