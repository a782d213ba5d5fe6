"""The JSON Schema of a pydantic core schema, as an author would have written it. Layer 1.

Draft 2020-12, no invented titles, unions as `anyOf`, a root that says its type, and the
descriptions that stand in the source.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection
from typing import Any, cast

from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from tool_core.closing import record_of
from tool_core.descriptions import class_description, field_descriptions
from tool_core.keys import NUMBER

_TEXT = {"type": "string"}


def document(schema: CoreSchema) -> dict[str, object]:
    """Write the JSON Schema of a core schema; equal input gives byte-equal output."""
    generated = _Generator(by_alias=True, union_format="any_of").generate(schema, mode="validation")
    return _resolved_root(generated)


def _resolved_root(generated: dict[str, Any]) -> dict[str, object]:
    """Put the definition behind a top-level `$ref` at the root, which must say its type."""
    definitions = generated.pop("$defs", {})
    while "$ref" in generated:
        name = generated.pop("$ref").removeprefix("#/$defs/")
        generated = {**definitions[name], **generated}
    return {**generated, "$defs": definitions} if definitions else generated


class _Methods(dict[Any, Callable[[Any], JsonSchemaValue]]):
    """The methods of a generator by the kinds of core schema that they describe."""

    def __init__(self, generator: GenerateJsonSchema) -> None:
        self._generator = generator

    def __missing__(self, kind: str) -> Callable[[Any], JsonSchemaValue]:
        method = getattr(self._generator, f"{kind.replace('-', '_')}_schema")
        return cast("Callable[[Any], JsonSchemaValue]", method)


class _Generator(GenerateJsonSchema):
    def build_schema_type_to_method(self) -> dict[Any, Callable[[Any], JsonSchemaValue]]:
        """Find a method when it is asked for: collecting them all costs as much as a small document."""
        return _Methods(self)

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002
        return False

    def generate_inner(self, schema: Any) -> JsonSchemaValue:
        result = super().generate_inner(schema)
        if schema["type"] in ("enum", "model", "dataclass", "typed-dict", "named-tuple"):
            target = self.get_schema_from_definitions(result["$ref"]) if "$ref" in result else result
            self._described_by(schema.get("cls"), target if target is not None else result)
        return self._with_names(result, schema["keys_schema"]) if "keys_schema" in schema else result

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        written = super().model_schema(schema)
        return written if schema.get("root_model") else written | _openness(schema)

    def decimal_schema(self, schema: core_schema.DecimalSchema) -> JsonSchemaValue:
        written = super().decimal_schema(schema)
        branches = [
            {**each, "pattern": NUMBER} if each == _TEXT else each for each in written.get("anyOf", [])
        ]
        return {**written, "anyOf": branches} if branches else written

    def enum_schema(self, schema: core_schema.EnumSchema) -> JsonSchemaValue:
        return super().enum_schema({**schema, "members": list(dict.fromkeys(schema["members"]))})

    def dataclass_args_schema(self, schema: core_schema.DataclassArgsSchema) -> JsonSchemaValue:
        read = [field for field in schema["fields"] if field.get("init", True)]
        return super().dataclass_args_schema({**schema, "fields": read})

    def dataclass_schema(self, schema: core_schema.DataclassSchema) -> JsonSchemaValue:
        return super().dataclass_schema(schema) | _openness(schema)

    def tagged_union_schema(self, schema: core_schema.TaggedUnionSchema) -> JsonSchemaValue:
        branches: list[Any] = []
        for choice in schema["choices"].values():
            branch = self._with_tag(self.generate_inner(choice), _names_of(schema["discriminator"]))
            if branch not in branches:
                branches.append(branch)
        return {"anyOf": branches}

    def _with_tag(self, branch: JsonSchemaValue, names: Collection[str]) -> JsonSchemaValue:
        """Ask for the tag also where it has a default: without it no branch can be chosen."""
        target = self.get_schema_from_definitions(branch["$ref"]) if "$ref" in branch else branch
        tag = next((name for name in names if target and name in target.get("properties", {})), None)
        required = target.get("required", []) if target else []
        if tag is None or tag in required:
            return branch
        return {**branch, "required": [tag] if "$ref" in branch else [*required, tag]}

    def _with_names(self, written: JsonSchemaValue, keys: Any) -> JsonSchemaValue:
        """Allow only keys of the type; pydantic allows others beside a pattern, and any for a union."""
        for pattern, values in written.pop("patternProperties", {}).items():
            written["additionalProperties"] = values or True
            written["propertyNames"] = {"pattern": pattern, **written.get("propertyNames", {})}
        names = self.generate_inner(keys)
        if _TEXT not in names.get("anyOf", [_TEXT]):
            written["propertyNames"] = names
        return written

    def sort(self, value: JsonSchemaValue, parent_key: str | None = None) -> JsonSchemaValue:  # noqa: ARG002
        """Keep the author's order: models fill in fields in the order in which they read them."""
        return value

    def _described_by(self, cls: object, result: JsonSchemaValue) -> None:
        if not isinstance(cls, type):
            return
        if result.get("title") == cls.__name__:
            del result["title"]
        text = class_description(cls)
        if text is not None:
            result.setdefault("description", text)
        elif result.get("description") == inspect.cleandoc(cls.__doc__ or ""):
            del result["description"]
        properties = result.get("properties")
        if isinstance(properties, dict) and properties:
            for name, text in field_descriptions(cls).items():
                if name in properties:
                    properties[name].setdefault("description", text)


def _openness(schema: Any) -> dict[str, bool]:
    """Read from the closed core schema what pydantic would read from the class's configuration."""
    return {"additionalProperties": False} if record_of(schema).get("extra_behavior") == "forbid" else {}


def _names_of(discriminator: Any) -> list[str]:
    """Name the keys in which a tag may stand: several where it has an alias, none where code finds it."""
    if isinstance(discriminator, str):
        return [discriminator]
    paths = discriminator if isinstance(discriminator, list) else []
    return [path[0] for path in paths if len(path) == 1]
