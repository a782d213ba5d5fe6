"""Dialects as data: what a provider's schema language takes, and how the rest is encoded. Layer 3.

The evidence for every value is the provider's documentation, or a measurement where the two differ;
where they conflict the safe choice is taken. A user's dialect needs no code: `dataclasses.replace`
one of the constants and pass it to `strictify`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Family: TypeAlias = Literal["openai", "anthropic", "google"]

_COMMON_FORMATS = frozenset(
    {"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}
)
_BOUNDS = frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"})


@dataclass(frozen=True, slots=True)
class SizeLimits:
    """How large a schema may be; None where the provider names no limit."""

    properties: int | None = None
    depth: int | None = None
    name_characters: int | None = None
    enum_values: int | None = None
    large_enum: tuple[int, int] | None = None
    """An enum with more values than the first number may have so many characters in all."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How much strictness one request may hold; None where the provider names no limit."""

    tools: int | None = None
    optionals: int | None = None
    unions: int | None = None


@dataclass(frozen=True, slots=True)
class FormatDescriptor:
    """A dialect of JSON Schema.

    >>> OPENAI_STRICT.optional, ANTHROPIC_STRICT.budget.tools
    ('nullable', 20)
    """

    id: str
    family: Family | None = None
    strict: bool = True
    root_object: bool = True
    """The root must be an object without combinators; anything else is wrapped."""
    optional: Literal["nullable", "omitted"] = "omitted"
    """How a property that may be absent is written: required and null, or not required."""
    native_optionals: int | None = None
    """With `omitted`: how many may stay so; the others become nullable. None means all."""
    null_of_optional: Literal["kept", "dropped"] = "kept"
    """Whether an optional property can still be null explicitly; dropping it saves a union."""
    text_below: int | None = None
    """How many levels below the root stay structured; what is deeper travels as JSON text."""
    tuples: Literal["object", "native"] = "object"
    """How a tuple is written: as an object with the keys "0", "1", ..., or with prefixItems."""
    any_value: Literal["tagged", "text", "native"] = "tagged"
    """How any JSON value is written: as a recursive union, as JSON text, or as `{}`."""
    recursion: Literal["kept", "optional", "text"] = "kept"
    """What becomes of a reference cycle: kept, kept below optional properties, or JSON text."""
    ref_description: bool = False
    """A description may stand beside `$ref`."""
    property_name: str | None = None
    """The pattern that property names must match."""
    property_ordering: bool = False
    """`propertyOrdering` lists the keys in order."""
    patterns: Literal["none", "simple", "no-lookaround"] = "none"
    formats: frozenset[str] = frozenset()
    string_keywords: frozenset[str] = frozenset()
    number_keywords: frozenset[str] = frozenset()
    array_keywords: frozenset[str] = frozenset()
    largest_min_items: int | None = None
    boolean_enums: bool = True
    largest_enum: int | None = None
    describe_losses: bool = True
    """Dropped constraints are put into the description in words."""
    limits: SizeLimits = field(default_factory=SizeLimits)
    budget: Budget = field(default_factory=Budget)


OPENAI_STRICT = FormatDescriptor(
    id="openai-strict",
    family="openai",
    optional="nullable",
    patterns="no-lookaround",
    formats=_COMMON_FORMATS,
    number_keywords=_BOUNDS,
    array_keywords=frozenset({"minItems", "maxItems"}),
    limits=SizeLimits(5000, 10, 120_000, 1000, (250, 15_000)),
)
"""OpenAI: closed objects, every property required, all of JSON Schema's odd corners re-encoded."""

ANTHROPIC_STRICT = FormatDescriptor(
    id="anthropic-strict",
    family="anthropic",
    any_value="text",
    recursion="text",
    ref_description=True,
    property_name=r"[a-zA-Z0-9_.-]{1,64}",
    patterns="simple",
    formats=_COMMON_FORMATS | {"uri"},
    array_keywords=frozenset({"minItems"}),
    largest_min_items=1,
    budget=Budget(20, 24, 16),
)
"""Anthropic: closed objects, no recursion, no numeric bounds, and a budget for each request."""

GOOGLE_STRICT = FormatDescriptor(
    id="google-strict",
    family="google",
    tuples="native",
    any_value="native",
    recursion="optional",
    property_name=r"[A-Za-z_][A-Za-z0-9_]{0,63}",
    property_ordering=True,
    formats=frozenset({"date-time", "date", "time"}),
    number_keywords=frozenset({"minimum", "maximum"}),
    array_keywords=frozenset({"minItems", "maxItems"}),
    boolean_enums=False,
    largest_enum=40,
)
"""Google: JSON Schema surfaces (`parametersJsonSchema`, `responseJsonSchema`); dicts come back empty
from open records (python-genai#2889), so records are pairs here too."""

LENIENT = FormatDescriptor(id="lenient", strict=False, root_object=False, describe_losses=False)
"""No dialect: the schema as its author wrote it."""

OPENAI = FormatDescriptor(id="openai", family="openai", strict=False, describe_losses=False)
"""What OpenAI demands even without strict mode."""

ANTHROPIC = FormatDescriptor(
    id="anthropic",
    family="anthropic",
    strict=False,
    describe_losses=False,
    property_name=r"[a-zA-Z0-9_.-]{1,64}",
)
"""What Anthropic demands even without strict mode."""

GOOGLE = FormatDescriptor(id="google", family="google", strict=False, describe_losses=False)
"""What Google demands even without strict mode, on its JSON Schema surfaces."""

DESCRIPTORS: tuple[FormatDescriptor, ...] = (
    OPENAI_STRICT, ANTHROPIC_STRICT, GOOGLE_STRICT, LENIENT, OPENAI, ANTHROPIC, GOOGLE,
)  # fmt: skip
"""The seven that ship; a user's own needs no registration, it is passed as it is."""

_STRING = frozenset({"minLength", "maxLength"})
_ARRAY = frozenset({"minItems", "maxItems", "uniqueItems"})


def check_descriptor(descriptor: FormatDescriptor) -> list[str]:
    """List what is inconsistent in a dialect.

    >>> check_descriptor(OPENAI_STRICT)
    []
    """
    problems: list[str] = []
    for name, known in (
        ("string_keywords", _STRING),
        ("number_keywords", _BOUNDS),
        ("array_keywords", _ARRAY),
    ):
        unknown = getattr(descriptor, name) - known
        problems += [
            f"{name}: {keyword!r} is not one of {', '.join(sorted(known))}" for keyword in sorted(unknown)
        ]
    if descriptor.native_optionals is not None and descriptor.optional == "nullable":
        problems.append("native_optionals has no effect where every optional property is nullable")
    if descriptor.property_name is not None and not _compiles(descriptor.property_name):
        problems.append(f"property_name: {descriptor.property_name!r} is not a regular expression")
    if descriptor.largest_min_items is not None and "minItems" not in descriptor.array_keywords:
        problems.append("largest_min_items needs 'minItems' in array_keywords")
    if descriptor.largest_enum is not None and descriptor.largest_enum < 1:
        problems.append("largest_enum must be at least 1")
    if not descriptor.id:
        problems.append("id: a dialect needs a name")
    return problems


def _compiles(pattern: str) -> bool:
    try:
        re.compile(pattern)
    except re.error:
        return False
    return True
