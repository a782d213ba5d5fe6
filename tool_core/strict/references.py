"""Where the references of a schema document lead: pointers, anchors, embedded resources. Layer 3."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias, cast
from urllib.parse import quote, unquote, urldefrag, urljoin

from tool_core.errors import UnsupportedSchemaError
from tool_core.strict.drafts import LATEST, named_draft

Pointer: TypeAlias = "tuple[str | int, ...]"

REFERENCES = frozenset({"$ref", "$dynamicRef", "$recursiveRef"})

MAPPINGS = frozenset(
    {"properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"}
)
"""Keywords below which the keys are the author's names."""

DATA = frozenset({"const", "enum", "default", "examples"})
"""Keywords that hold values, not schemas."""


def written(pointer: Pointer) -> str:
    """Write a pointer as RFC 6901 does.

    >>> written(("properties", "a/b", 0))
    '/properties/a~1b/0'
    """
    return "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in pointer)


def joined_address(base: str, reference: str) -> str:
    """Resolve an address against another; what is no address stands for itself."""
    try:
        return urljoin(base, reference)
    except ValueError:
        return reference


def refers(part: dict[str, Any]) -> bool:
    """Tell whether a schema may hold a reference."""
    return not REFERENCES.isdisjoint(part)


def fragment(pointer: Pointer) -> str:
    """Write a pointer as the fragment of an address."""
    return quote(written(pointer), safe="/~$!&'()*+,;=:@?")


@dataclass(frozen=True, slots=True, eq=False)
class References:
    """What the parts of a document are called; found in one walk, however many references there are."""

    root: Any
    draft: str
    resources: dict[Pointer, str] = field(default_factory=lambda: {(): ""})
    """The document and the resources embedded in it, each with its address."""
    addresses: dict[str, Pointer] = field(default_factory=dict)
    anchors: dict[tuple[Pointer, str], Pointer] = field(default_factory=dict)
    """By resource and name."""
    referring: list[Pointer] = field(default_factory=list)
    """The schemas that hold a reference."""
    dynamic: dict[str, list[Pointer]] = field(default_factory=dict)
    """The parts that `$dynamicAnchor` gives a name; nothing is the name of `$recursiveAnchor`."""

    @staticmethod
    def of(root: Any) -> References:
        """Walk a document and note what gives its parts a name."""
        found = References(root, named_draft(root))
        pending: list[tuple[Pointer, Any, Pointer, bool]] = [((), root, (), True)]
        while pending:
            pointer, part, resource, has_keywords = pending.pop()
            if isinstance(part, list):
                pending += [((*pointer, index), child, resource, True) for index, child in enumerate(part)]
            elif isinstance(part, dict):
                if has_keywords:
                    if refers(part):
                        found.referring.append(pointer)
                    resource = found._noted(pointer, part, resource)
                    found._note_anchors(pointer, part, resource)
                pending += [
                    ((*pointer, key), child, resource, not (has_keywords and key in MAPPINGS))
                    for key, child in part.items()
                    if isinstance(child, dict | list) and not (has_keywords and key in DATA)
                ]
        return found

    def targets(self, pointer: Pointer, part: dict[str, Any]) -> Iterator[Pointer]:
        """Resolve the references of the schema at a pointer, as far as that is decided by the document."""
        if "$ref" in part:
            yield self.target(pointer, part["$ref"])
        for keyword in self._dynamic_keywords(part):
            target = self._dynamic_target(pointer, part[keyword])
            if target is not None:
                yield target

    def undecided(self, pointer: Pointer, part: dict[str, Any]) -> Iterator[str]:
        """Name the references whose target depends on how a value got there."""
        for keyword in self._dynamic_keywords(part):
            if self._dynamic_target(pointer, part[keyword]) is None:
                yield keyword

    @property
    def ignores_ref_siblings(self) -> bool:
        """Whether the draft says that a `$ref` stands alone."""
        return self.draft in ("draft-04", "draft-06", "draft-07")

    def target(self, pointer: Pointer, reference: object) -> Pointer:
        """Resolve a reference, which must be local, to the pointer of its target."""
        found = self._found(pointer, reference) if isinstance(reference, str) else None
        if found is None:
            raise UnsupportedSchemaError(written(pointer), f"the reference {reference!r} is not local")
        return found

    def counted(self, pointer: Pointer, reference: object) -> tuple[Pointer, Pointer | None]:
        """Resolve a reference that counts steps from its resource; any other has no target here."""
        if not isinstance(reference, str):
            return (), None
        address, steps = urldefrag(reference)
        resource = self._resource(pointer, address)
        if resource is None or not (steps.startswith("/") or (not steps and not address)):
            return (), None
        return resource, self.target(pointer, reference)

    def _found(self, pointer: Pointer, reference: str) -> Pointer | None:
        address, name = urldefrag(reference)
        resource = self._resource(pointer, address)
        if resource is None or not name:
            return resource
        if name.startswith("/"):
            return self._part(pointer, reference, resource, name)
        return self.anchors.get((resource, unquote(name)))

    def _resource(self, pointer: Pointer, address: str) -> Pointer | None:
        """Find the resource with an address as it is written at a pointer."""
        around = self._around(pointer)
        if not address:
            return around
        absolute = joined_address(self.resources[around], address)
        return self.addresses.get(absolute, self.addresses.get(address))

    def _around(self, pointer: Pointer) -> Pointer:
        """Find the resource to which the part at a pointer belongs."""
        if len(self.resources) == 1:
            return ()
        ends = range(len(pointer), -1, -1)
        return next(pointer[:end] for end in ends if pointer[:end] in self.resources)

    def _part(self, pointer: Pointer, reference: str, resource: Pointer, path: str) -> Pointer:
        """Follow a JSON pointer through a resource."""
        part: Any = self.root
        for known in resource:
            part = part[known]
        steps: list[str | int] = list(resource)
        for raw in path[1:].split("/"):
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

    def _dynamic_keywords(self, part: dict[str, Any]) -> Iterator[str]:
        if "$dynamicRef" in part and self.draft == LATEST:
            yield "$dynamicRef"
        if "$recursiveRef" in part and self.draft == "2019-09":
            yield "$recursiveRef"

    def _dynamic_target(self, pointer: Pointer, reference: object) -> Pointer | None:
        """Resolve a dynamic reference: to its target, or to the one part that can take its place."""
        target = self.target(pointer, reference)
        name = str(reference).partition("#")[2]
        rivals = self.dynamic.get(name, [])
        if target not in rivals or len(rivals) == 1:
            return target
        in_document = [rival for rival in rivals if name and self._around(rival) == ()]
        return in_document[0] if in_document else None  # the document is around everything

    def _noted(self, pointer: Pointer, part: dict[str, Any], resource: Pointer) -> Pointer:
        """Note the addresses of a schema, and say to which resource it belongs."""
        if "$ref" in part and self.ignores_ref_siblings:
            return resource
        own = "id" if self.draft == "draft-04" else "$id"
        for keyword in ("$id", "id"):
            name = part.get(keyword)
            if not isinstance(name, str) or not name:
                continue
            if name.startswith("#"):
                self.anchors.setdefault((resource, name[1:]), pointer)
                continue
            address = joined_address(self.resources[resource], name).removesuffix("#")
            self.addresses.setdefault(address, pointer)
            self.addresses.setdefault(name, pointer)
            if keyword == own:
                resource = pointer
                self.resources[resource] = address
        return resource

    def _note_anchors(self, pointer: Pointer, part: dict[str, Any], resource: Pointer) -> None:
        for keyword in ("$anchor", "$dynamicAnchor"):
            name = part.get(keyword)
            if isinstance(name, str):
                self.anchors.setdefault((resource, name), pointer)
                if keyword == "$dynamicAnchor":
                    self.dynamic.setdefault(name, []).append(pointer)
        if part.get("$recursiveAnchor") is True and pointer == resource:
            self.dynamic.setdefault("", []).append(pointer)
