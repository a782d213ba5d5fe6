"""How values are rewritten for the wire: the kinds, and the words that say what was done. Layer 3."""

from __future__ import annotations

from typing import Literal, TypeAlias

RewriteKind: TypeAlias = Literal[
    "any", "null", "optional", "option", "pairs", "renamed", "root", "text", "tuple", "values"
]
"""What was done: an any-value, an author's null, an absent property, a tagged alternative, free keys,
a property name, the root, JSON text, a tuple, an enum of labels."""

Rewrites: TypeAlias = "dict[tuple[str, RewriteKind], str]"
"""By pointer and kind, the words."""

WORDS: dict[RewriteKind, str] = {
    "any": 'any value: objects are {"__object__": pairs}',
    "null": 'the author\'s own null is {"__null__": true}',
    "optional": "required; null means absent",
    "option": "alternatives that look alike are tagged",
    "pairs": "free keys: key/value pairs",
    "root": 'wrapped as {"value": ...}',
    "text": "written as JSON text",
    "tuple": 'a tuple: {"0": ..., "1": ...}',
    "values": "values that the dialect cannot list get labels",
}
