"""How long a call may take and how many may run at once. Layer 2."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import UnionType
from typing import TypeAlias

from tool_core.errors import ToolConfigurationError

DEFAULT_CONCURRENCY = 16
"""One turn once fanned out 792 calls at once; nobody's database likes that."""

ALL = "*"
"""The name under which a mapping of limits holds the one for the whole toolkit."""


@dataclass(frozen=True, slots=True)
class Timeout:
    """Limits in seconds: `absolute` for the whole call, `idle` since the last preliminary result.

    >>> Timeout(60, idle=5)
    Timeout(absolute=60, idle=5)
    """

    absolute: float | None = None
    idle: float | None = None

    def __post_init__(self) -> None:
        for seconds in (self.absolute, self.idle):
            if seconds is not None and not (_is_number(seconds, int | float) and seconds > 0):
                raise ToolConfigurationError(
                    None, f"a timeout is a number of seconds above 0, not {seconds!r}"
                )


TimeoutOption: TypeAlias = float | Timeout | Mapping[str, float | Timeout] | None
"""One limit for all tools, or limits by tool name (`"*"` for the others)."""

ConcurrencyOption: TypeAlias = int | Mapping[str, int]
"""One limit for the toolkit, or limits by tool name (`"*"` for the toolkit)."""


def timeout_for(option: TimeoutOption, name: str) -> Timeout | None:
    """Find the limit of one tool.

    >>> timeout_for({"Search": 5, "*": 60}, "Now")
    Timeout(absolute=60, idle=None)
    """
    if isinstance(option, Mapping):
        return timeout_for(option.get(name, option.get(ALL)), name)
    return option if option is None or isinstance(option, Timeout) else Timeout(option)


def concurrency_for(option: ConcurrencyOption, name: str) -> int | None:
    """Find how many calls of one tool (or, for `"*"`, of the toolkit) may run at once.

    >>> concurrency_for({"Search": 2}, "Search"), concurrency_for(8, "*")
    (2, 8)
    """
    if isinstance(option, Mapping):
        limit = option.get(name, DEFAULT_CONCURRENCY if name == ALL else None)
    else:
        limit = option if name == ALL else None
    if limit is not None and (not _is_number(limit, int) or limit < 1):
        raise ToolConfigurationError(None, f"concurrency is a number of calls above 0, not {limit!r}")
    return limit


def _is_number(value: object, kinds: type | UnionType) -> bool:
    return isinstance(value, kinds) and not isinstance(value, bool)
