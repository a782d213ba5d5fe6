"""A JSON Schema document: its parts by JSON pointer, its references, and what its parts accept. Layer 3."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias, cast
from urllib.parse import unquote

from tool_core.errors import UnsupportedSchemaError
from tool_core.json_schemas import with_known_draft

if TYPE_CHECKING:
    from jsonschema_rs import Validator

Pointer: TypeAlias = "tuple[str | int, ...]"

MAX_NODES = 100_000
"""A larger schema is an attack or a mistake; the largest of 5,000 real tools has 3,700 parts."""

MAX_DEPTH = 100
"""Deeper nesting would exhaust the stack of any recursive reader; real tools stay below 15."""

_OLD_DRAFTS = ("/draft-03/", "/draft-04/", "/draft-06/", "/draft-07/")
_URI = "urn:tool-core:schema"


def written(pointer: Pointer) -> str:
    """Write a pointer as RFC 6901 does.

    >>> written(("properties", "a/b", 0))
    '/properties/a~1b/0'
    """
    return "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in pointer)


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """A schema that is known to be JSON of bearable size, with its references resolvable."""

    root: Any
    _validators: dict[Pointer, Validator | None] = field(default_factory=dict)

    @staticmethod
    def of(schema: object) -> Document:
        """Take any JSON value as a schema, or say why it cannot be one."""
        if not isinstance(schema, Mapping | bool):
            raise UnsupportedSchemaError(
                "", f"a schema is an object or a boolean, not {type(schema).__name__}"
            )
        _check_size(schema)
        try:
            return Document(json.loads(json.dumps(schema, default=dict, allow_nan=False)))
        except ValueError as error:
            raise UnsupportedSchemaError("", f"a schema must be JSON: {error}") from None

    def at(self, pointer: Pointer) -> Any:
        """Return the part at a pointer."""
        part = self.root
        for step in pointer:
            part = part[step]
        return part

    @property
    def ignores_ref_siblings(self) -> bool:
        """Whether the draft says that a `$ref` stands alone."""
        named = self.root.get("$schema") if isinstance(self.root, dict) else None
        return isinstance(named, str) and any(draft in named for draft in _OLD_DRAFTS)

    def target(self, pointer: Pointer, reference: object) -> Pointer:
        """Resolve a reference, which must be local, to the pointer of its target."""
        if not isinstance(reference, str) or not (reference == "#" or reference.startswith("#/")):
            anchor = self._anchor(reference)
            if anchor is None:
                raise UnsupportedSchemaError(written(pointer), f"the reference {reference!r} is not local")
            return anchor
        steps: list[str | int] = []
        part: Any = self.root
        for raw in reference[2:].split("/") if len(reference) > 1 else []:
            step: str | int = unquote(raw).replace("~1", "/").replace("~0", "~")
            if isinstance(part, list) and str(step).isascii() and str(step).isdecimal():
                step = int(step)
            try:
                part = cast(Any, part)[step]
            except (KeyError, IndexError, TypeError):
                raise UnsupportedSchemaError(
                    written(pointer), f"the reference {reference!r} points nowhere"
                ) from None
            steps.append(step)
        if not isinstance(part, dict | bool):
            raise UnsupportedSchemaError(written(pointer), f"the reference {reference!r} is not to a schema")
        return tuple(steps)

    def accepts(self, pointer: Pointer, value: object) -> bool:
        """Tell whether the part at a pointer accepts a value; a part that cannot be built accepts all."""
        if pointer not in self._validators:
            self._validators[pointer] = self._validator(pointer)
        validator = self._validators[pointer]
        return validator is None or validator.is_valid(value)

    def _validator(self, pointer: Pointer) -> Validator | None:
        import jsonschema_rs

        part = self.at(pointer)
        if isinstance(part, bool) or "$ref" not in json.dumps(part):
            alone, registry = part, None
            if isinstance(part, dict) and isinstance(self.root, dict) and "$schema" in self.root:
                alone = with_known_draft({**part, "$schema": self.root["$schema"]})
        else:
            alone = {"$ref": f"{_URI}#{_escaped(pointer)}"}
            registry = self._registry()
        try:
            options: dict[str, Any] = {} if registry is None else {"registry": registry}
            return jsonschema_rs.validator_for(alone, validate_formats=False, **options)
        except Exception:  # a part that is not valid itself: nothing can be said of its values
            return None

    def _registry(self) -> Any:
        import jsonschema_rs

        root = with_known_draft(self.root) if isinstance(self.root, dict) else self.root
        return jsonschema_rs.Registry([(_URI, root)])

    def _anchor(self, reference: object) -> Pointer | None:
        """Find the part that an anchor or an embedded id names."""
        if not isinstance(reference, str):
            return None
        wanted = reference.removeprefix("#")
        pending: list[tuple[Pointer, Any]] = [((), self.root)]
        while pending:
            pointer, part = pending.pop()
            if isinstance(part, dict):
                names = (part.get("$anchor"), part.get("$dynamicAnchor"))
                ids = (part.get("$id"), part.get("id"))
                if pointer and ((reference.startswith("#") and wanted in names) or reference in ids):
                    return pointer
                pending += [((*pointer, key), child) for key, child in part.items()]
            elif isinstance(part, list):
                pending += [((*pointer, index), child) for index, child in enumerate(part)]
        return None


def _escaped(pointer: Pointer) -> str:
    from urllib.parse import quote

    return quote(written(pointer), safe="/~")


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
