"""What is said about a tool beside its types: typed keys and an immutable map of them. Layer 1."""

from __future__ import annotations

import copy
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, cast

from typing_extensions import TypeForm, TypeVar

from tool_core.contracts import violation
from tool_core.errors import ToolConfigurationError

V = TypeVar("V")
D = TypeVar("D", default=None)


@dataclass(frozen=True, slots=True)
class Annotation(Generic[V, D]):
    """A key for `tool.annotate`: a name, the type of its values, and what an unset one means.

    >>> Cost = Annotation("example/cost", float, 0.0)
    >>> from tool_core import Tool
    >>> Tool.make("Search").annotate(Cost, 0.5).annotations.get(Cost)
    0.5
    """

    name: str
    form: TypeForm[V] = field(compare=False)
    default: D = cast(Any, None)  # noqa: RUF009

    def check(self, value: object) -> None:
        """Refuse a value of the wrong type, when it is set and not when it is read."""
        if problem := violation(value, self.form) or self._out_of_range(value):
            raise ToolConfigurationError(None, f"annotation {self.name!r}: {problem}")

    def _out_of_range(self, value: object) -> str | None:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if self.name == Strict.name and is_number and not 0 < cast(float, value) < math.inf:
            return "a priority is a number above 0"
        return None


Title: Annotation[str] = Annotation("tool_core/Title", str)
"""A name for people. Absent unless set.

>>> from tool_core import Tool
>>> Tool.make("tip").annotate(Title, "Tip Calculator").annotations.get(Title)
'Tip Calculator'
"""

Meta: Annotation[Mapping[str, object]] = Annotation("tool_core/Meta", Mapping[str, object])
"""Metadata for MCP clients (`_meta`). Absent unless set."""

Readonly: Annotation[bool, bool] = Annotation("tool_core/Readonly", bool, False)
"""The tool only reads. False unless set."""

Destructive: Annotation[bool, bool] = Annotation("tool_core/Destructive", bool, True)
"""The tool may destroy something. True unless set, so mark the safe ones."""

Idempotent: Annotation[bool, bool] = Annotation("tool_core/Idempotent", bool, False)
"""A second call with the same arguments changes nothing more. False unless set."""

OpenWorld: Annotation[bool, bool] = Annotation("tool_core/OpenWorld", bool, True)
"""The tool reaches beyond a closed set of things, such as the web. True unless set."""

Strict: Annotation[bool | float | None] = Annotation("tool_core/Strict", bool | int | float | None)
"""Strict mode: True requires it, False forbids it, a number is a priority, None leaves it open.

>>> from tool_core import Tool, get_strict_mode
>>> get_strict_mode(Tool.make("search").annotate(Strict, False))
False
"""


@dataclass(frozen=True, slots=True, eq=False)
class Annotations:
    """An immutable map from annotation keys to values; an unset key reads as its default.

    >>> Annotations().set(Readonly, True).get(Readonly), Annotations().get(Destructive)
    (True, True)
    """

    _entries: Mapping[Annotation[Any, Any], object] = field(default_factory=dict)

    def get(self, key: Annotation[V, D]) -> V | D:
        """Return the value, or the key's default."""
        return cast("V | D", self._entries.get(key, key.default))

    def set(self, key: Annotation[V, D], value: V) -> Annotations:
        """Return a map with one more value, checked against the key's type."""
        if not isinstance(key, Annotation):
            raise ToolConfigurationError(None, f"an annotation key is an Annotation, not {key!r}")
        key.check(value)
        return Annotations({**self._entries, key: copy.deepcopy(value)})

    def merge(self, other: Annotations) -> Annotations:
        """Return a map with the values of both; those of `other` win."""
        if not isinstance(other, Annotations):
            raise ToolConfigurationError(None, f"annotations are an Annotations, not {type(other).__name__}")
        return Annotations({**self._entries, **other._entries})

    def __contains__(self, key: object) -> bool:
        return key in self._entries

    def __iter__(self) -> Iterator[Annotation[Any, Any]]:
        return iter(self._entries)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Annotations) and dict(self._entries) == dict(other._entries)

    def __hash__(self) -> int:
        return hash(frozenset(self._entries))  # values such as Meta need not be hashable
