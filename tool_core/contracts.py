"""Python-side contracts, enforced by beartype. Layer 1.

beartype looks at the outside of a value: it does not see into TypedDicts and samples containers,
so payloads are the codecs' job and this is for what programmers pass: services and annotations.
"""

from __future__ import annotations

from typing import Any

from tool_core.type_forms import display


def violation(value: object, form: Any) -> str | None:
    """Say how a value breaks a type, or nothing where it does not.

    >>> violation(3, int)
    >>> violation("3", int | None)
    'expected int | None, got str'
    """
    from beartype.door import is_bearable
    from beartype.roar import BeartypeException

    try:
        fits = is_bearable(value, form)
    except (BeartypeException, TypeError):  # a form that beartype cannot check, such as a plain protocol
        return None
    return None if fits else f"expected {display(form)}, got {type(value).__name__}"
