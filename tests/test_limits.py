"""How long a call may take and how many may run at once."""

from __future__ import annotations

from typing import Any

import pytest

from tool_core import Timeout, ToolConfigurationError
from tool_core.limits import ALL, DEFAULT_CONCURRENCY, concurrency_for, timeout_for


def test_a_mapping_limits_the_tools_it_names_and_the_toolkit_as_usual() -> None:
    limits = {"Search": 2}
    assert concurrency_for(limits, "Search") == 2
    assert concurrency_for(limits, "Fetch") is None
    assert concurrency_for(limits, ALL) == DEFAULT_CONCURRENCY
    assert concurrency_for({ALL: 3}, ALL) == 3


def test_a_number_limits_the_toolkit_and_no_tool_alone() -> None:
    assert (concurrency_for(4, ALL), concurrency_for(4, "Search")) == (4, None)


@pytest.mark.parametrize("seconds", [True, 0, -1, float("nan"), "5"])
def test_a_timeout_is_a_number_of_seconds(seconds: Any) -> None:
    for make in (Timeout, lambda idle: Timeout(idle=idle), lambda option: timeout_for(option, "Search")):
        with pytest.raises(ToolConfigurationError) as caught:
            make(seconds)
        assert caught.value.description == f"a timeout is a number of seconds above 0, not {seconds!r}"


@pytest.mark.parametrize("limit", [True, 0, -1, 2.0, "5"])
def test_a_limit_is_a_number_of_calls(limit: Any) -> None:
    for option in (limit, {ALL: limit}):
        with pytest.raises(ToolConfigurationError) as caught:
            concurrency_for(option, ALL)
        assert caught.value.description == f"concurrency is a number of calls above 0, not {limit!r}"
