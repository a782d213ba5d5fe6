"""Names that are not taken, however many are asked for. Layer 3."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(slots=True, eq=False)
class FreeNames:
    """Gives out names; each search goes on where the last one for its base ended.

    >>> names = FreeNames({"a_b"})
    >>> names.free("a_b"), names.free("a_b"), names.free("c")
    ('a_b_2', 'a_b_3', 'c')
    """

    taken: set[str]
    _numbers: dict[str, int] = field(default_factory=dict)

    def free(self, base: str) -> str:
        """Take the base itself, or the base with the first number that makes it new."""
        number = self._numbers.get(base, 1)
        name = base if number == 1 else f"{base}_{number}"
        while name in self.taken:
            number += 1
            name = f"{base}_{number}"
        self._numbers[base] = number
        self.taken.add(name)
        return name


def wire_names(properties: Iterable[str], pattern: str | None) -> dict[str, str]:
    """Give each property a name that the dialect takes; those already legal keep theirs.

    >>> wire_names(["a", "$a", "a-b"], "[a-z_]+")
    {'a': 'a', '$a': '_a', 'a-b': 'a_b'}
    """
    listed = list(properties)
    legal = re.compile(pattern) if pattern is not None else None
    names = {name: name for name in listed if legal is None or legal.fullmatch(name)}
    free = FreeNames(set(names))
    for name in listed:
        if name not in names and legal is not None:
            names[name] = free.free(_legal_base(name, legal))
    return {name: names[name] for name in listed}


def _legal_base(name: str, legal: re.Pattern[str]) -> str:
    base = re.sub(r"[^A-Za-z0-9_]", "_", name)[:50] or "_"
    return base if legal.fullmatch(base) else f"_{base}"
