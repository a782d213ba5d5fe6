"""Regular expressions of a schema, matched by an engine that cannot be made to hang. Layer 3."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jsonschema_rs import Validator


def matches(pattern: str, name: str) -> bool:
    """Match as JSON Schema does; a pattern that is no regular expression matches nothing.

    >>> matches("^x_", "x_a"), matches("b", "abc"), matches("[", "[")
    (True, True, False)
    """
    validator = _validator(pattern)
    return validator is not None and validator.is_valid(name)


def is_pattern(text: str) -> bool:
    """Tell whether a text is a regular expression at all."""
    return _validator(text) is not None


@lru_cache(maxsize=1024)
def _validator(pattern: str) -> Validator | None:
    import jsonschema_rs

    try:
        return jsonschema_rs.validator_for({"type": "string", "pattern": pattern})
    except Exception:
        return None
