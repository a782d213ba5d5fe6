"""Tool names."""

import pytest

from tool_core import Tool, ToolConfigurationError
from tool_core.names import check_tool_name, closest_first

RULE = "a tool name has 1 to 128 characters of A-Z a-z 0-9 _ . -"


@pytest.mark.parametrize("name", ["a", "get_weather", "get-weather", "server.tool", "A" * 128])
def test_names_of_the_mcp_alphabet_are_legal(name: str) -> None:
    assert check_tool_name(name) == name


@pytest.mark.parametrize("name", ["", "a/b", "get weather", "naïve", "A" * 129, "a\n"])
def test_an_illegal_name_is_refused_where_the_tool_is_defined(name: str) -> None:
    for make in (Tool.make, Tool.dynamic):
        with pytest.raises(ToolConfigurationError) as caught:
            make(name)
        assert caught.value.description == RULE


def test_a_name_that_is_not_a_string_is_refused() -> None:
    with pytest.raises(ToolConfigurationError) as caught:
        check_tool_name(3)
    assert str(caught.value) == "Invalid configuration: a tool name is a string, not int"


def test_the_closest_name_comes_first() -> None:
    assert closest_first("get_wether", ["search", "get_weather", "set_weather"])[0] == "get_weather"
