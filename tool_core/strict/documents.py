"""A JSON Schema document: its parts by JSON pointer, its references, and what its parts accept. Layer 3."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from tool_core.errors import UnsupportedSchemaError
from tool_core.json_schemas import with_known_draft
from tool_core.strict.drafts import named_draft, unheeded_keywords
from tool_core.strict.references import (
    DATA,
    MAPPINGS,
    REFERENCES,
    Pointer,
    References,
    fragment,
    joined_address,
    refers,
)
from tool_core.strict.walks import subschemas

if TYPE_CHECKING:
    from jsonschema_rs import Registry, Validator

MAX_NODES = 100_000
"""A larger schema is an attack or a mistake; the largest of 5,000 real tools has 3,700 parts."""

MAX_DEPTH = 100
"""Deeper nesting would exhaust the stack of any recursive reader; real tools stay below 15."""

_ADDRESS = "https://tool-core.invalid/schema"


_OF_DOCUMENT = REFERENCES | {
    "$defs", "definitions", "$id", "id", "$anchor", "$dynamicAnchor", "$recursiveAnchor",
}  # fmt: skip
"""What a copy of a part must not repeat where all its references lead into the document."""


@dataclass(frozen=True, eq=False)
class Document:
    """A schema that is known to be JSON of bearable size, with its references resolvable."""

    root: Any
    _validators: dict[tuple[Pointer, frozenset[str]], Validator | None] = field(default_factory=dict)

    @staticmethod
    def of(schema: object) -> Document:
        """Take any JSON value as a schema, or say why it cannot be one."""
        return Document(json.loads(schema_text(schema)))

    def at(self, pointer: Pointer) -> Any:
        """Return the part at a pointer."""
        part = self.root
        for step in pointer:
            part = part[step]
        return part

    def heeded(self) -> Document:
        """Return the document without what means nothing to its draft."""
        unheeded = unheeded_keywords(named_draft(self.root))
        if not unheeded or not any(unheeded & part.keys() for part in subschemas(self.root)):
            return self
        root = json.loads(json.dumps(self.root))
        for part in subschemas(root):
            for keyword in unheeded & part.keys():
                del part[keyword]
        return Document(root)

    @cached_property
    def references(self) -> References:
        """Where the references of the document lead."""
        return References.of(self.root)

    @property
    def ignores_ref_siblings(self) -> bool:
        """Whether the draft says that a `$ref` stands alone."""
        return self.references.ignores_ref_siblings

    def targets(self, pointer: Pointer) -> list[Pointer]:
        """Resolve the references of the part at a pointer; all of their targets must hold."""
        part = as_schema(self.at(pointer))
        return list(self.references.targets(pointer, part)) if refers(part) else []

    def undecided(self, pointer: Pointer) -> list[str]:
        """Name the references at a pointer whose target depends on how a value got there."""
        part = as_schema(self.at(pointer))
        return list(self.references.undecided(pointer, part)) if refers(part) else []

    def accepts(self, pointer: Pointer, value: object, apart_from: frozenset[str] = frozenset()) -> bool:
        """Tell whether the part at a pointer accepts a value; a part that cannot be built accepts all."""
        key = pointer, apart_from
        if key not in self._validators:
            self._validators[key] = self._validator(pointer, apart_from)
        validator = self._validators[key]
        return validator is None or validator.is_valid(value)

    def _validator(self, pointer: Pointer, apart_from: frozenset[str]) -> Validator | None:
        import jsonschema_rs

        part = self.at(pointer)
        if isinstance(part, dict):
            part = {keyword: value for keyword, value in part.items() if keyword not in apart_from}
            if isinstance(self.root, dict) and "$schema" in self.root:
                part = with_known_draft({**part, "$schema": self.root["$schema"]})
        text = json.dumps(part)
        try:
            if not any(f'"{keyword}"' in text for keyword in REFERENCES):
                return jsonschema_rs.validator_for(part, validate_formats=False)
            alone = self._absolute(pointer, part)
            return jsonschema_rs.validator_for(alone, validate_formats=False, registry=self._registry)
        except Exception:  # a part that is not valid itself: nothing can be said of its values
            return None

    def _absolute(self, pointer: Pointer, part: Any, has_keywords: bool = True) -> Any:
        """Copy a part with references that lead to the same places from wherever it stands."""
        if isinstance(part, list):
            return [self._absolute((*pointer, index), child) for index, child in enumerate(part)]
        if not isinstance(part, dict):
            return part
        copy = {
            key: child
            if has_keywords and key in DATA
            else self._absolute((*pointer, key), child, not (has_keywords and key in MAPPINGS))
            for key, child in part.items()
            if not (has_keywords and key in _OF_DOCUMENT)
        }
        found = self.references.targets(pointer, part) if has_keywords else ()
        targets = [{"$ref": f"{self._address}#{fragment(target)}"} for target in found]
        if not targets:
            return copy
        if self.ignores_ref_siblings:
            return {**targets[0], **{key: copy[key] for key in ("$schema",) if key in copy}}
        return {**copy, "allOf": [*copy.get("allOf", []), *targets]}

    @cached_property
    def _registry(self) -> Registry:
        """The document alone: what it refers to elsewhere is never fetched."""
        import jsonschema_rs

        root = with_known_draft(self.root) if isinstance(self.root, dict) else self.root
        return jsonschema_rs.Registry([(self._address, root)])

    @property
    def _address(self) -> str:
        return joined_address(_ADDRESS, self.references.resources[()])


def schema_text(schema: object) -> str:
    """Write any JSON value of bearable size that can be a schema, or say why it cannot be one."""
    if not isinstance(schema, Mapping | bool):
        raise UnsupportedSchemaError("", f"a schema is an object or a boolean, not {type(schema).__name__}")
    _check_size(schema)
    try:
        return json.dumps(schema, default=dict, allow_nan=False)
    except ValueError as error:
        raise UnsupportedSchemaError("", f"a schema must be JSON: {error}") from None


def _check_size(schema: object) -> None:
    """Measure without recursion: a hostile schema must not reach the recursive code."""
    level: list[object] = [schema]
    depth = total = 0
    while level:
        depth += 1
        total += len(level)
        if depth > 2 * MAX_DEPTH:
            raise UnsupportedSchemaError("", f"the schema nests deeper than {MAX_DEPTH} levels")
        if total > MAX_NODES:
            raise UnsupportedSchemaError("", f"the schema has more than {MAX_NODES} parts")
        level = [child for item in level for child in _children(item)]


def _children(item: object) -> list[object]:
    if isinstance(item, Mapping):
        if not all(isinstance(key, str) for key in item):
            raise UnsupportedSchemaError("", "a schema must be JSON: its keys are strings")
        return list(item.values())
    if isinstance(item, list | tuple):
        return list(item)
    if item is None or isinstance(item, str | int | float | bool):
        return []
    raise UnsupportedSchemaError("", f"a schema must be JSON, but it holds a Python {type(item).__name__}")


def as_schema(part: object) -> dict[str, Any]:
    """Read a boolean schema as an object schema."""
    if part is False:
        return {"not": {}}
    return cast("dict[str, Any]", part) if isinstance(part, dict) else {}
