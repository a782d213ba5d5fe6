"""How long a call may take and how many may run at once."""

from __future__ import annotations

from tool_core.limits import ALL, DEFAULT_CONCURRENCY, concurrency_for


def test_a_mapping_limits_the_tools_it_names_and_the_toolkit_as_usual() -> None:
    limits = {"Search": 2}
    assert concurrency_for(limits, "Search") == 2
    assert concurrency_for(limits, "Fetch") is None
    assert concurrency_for(limits, ALL) == DEFAULT_CONCURRENCY
    assert concurrency_for({ALL: 3}, ALL) == 3


def test_a_number_limits_the_toolkit_and_no_tool_alone() -> None:
    assert (concurrency_for(4, ALL), concurrency_for(4, "Search")) == (4, None)
