"""What a tool says of itself, and the names it has."""

from typing import Any, NotRequired, cast

import pytest
from typing_extensions import TypedDict

from tool_core import (
    NameMapper,
    Tool,
    ToolConfigurationError,
    get_description,
    get_json_schema,
    get_json_schema_from_type,
)


class Documented(TypedDict):
    """What the parameters say."""

    query: str
    limit: NotRequired[float]


class Nothing(TypedDict):
    pass


RAW: dict[str, object] = {
    "type": "object",
    "properties": {
        "value": {"oneOf": [{"type": "string"}, {"type": "number"}]},
        "item": {"$ref": "#/$defs/Item"},
    },
    "$defs": {"Item": {"type": "object", "properties": {"name": {"type": "string"}}}},
}


def test_an_explicit_description_wins_over_the_parameters_own() -> None:
    assert get_description(Tool.make("t", description="d", parameters=Documented)) == "d"
    assert get_description(Tool.make("t", parameters=Documented)) == "What the parameters say."
    assert get_description(Tool.make("t")) is None
    assert get_description(Tool.dynamic("t", parameters={"description": "raw"})) == "raw"


def test_a_type_form_derives_its_schema() -> None:
    schema: dict[str, Any] = get_json_schema(Tool.dynamic("t", parameters=Documented))
    assert schema["type"] == "object"
    assert schema["required"] == ["query"]
    assert set(schema["properties"]) == {"query", "limit"}
    assert schema == get_json_schema_from_type(Documented)


def test_a_raw_schema_comes_back_equal_and_unshared() -> None:
    tool = Tool.dynamic("t", parameters=RAW)
    schema: dict[str, Any] = get_json_schema(tool)
    assert schema == RAW
    schema["properties"].clear()
    assert get_json_schema(tool) == RAW


def test_omitted_and_empty_parameters_have_one_schema() -> None:
    empty = {"type": "object", "properties": {}, "additionalProperties": False}
    assert get_json_schema(Tool.make("t")) == empty
    assert get_json_schema(Tool.make("t", parameters=Nothing)) == empty


def provider_tool(custom_name: str, provider_name: str) -> Tool:
    return Tool.provider_defined(
        id=f"x.{provider_name}", custom_name=custom_name, provider_name=provider_name
    )()


def test_names_are_mapped_both_ways_and_unknown_ones_pass_through() -> None:
    mapper = NameMapper([provider_tool("MySearch", "web_search"), Tool.make("Now")])
    assert mapper.get_custom_name("web_search") == "MySearch"
    assert mapper.get_provider_name("MySearch") == "web_search"
    assert mapper.get_custom_name("Now") == "Now"
    assert mapper.get_provider_name("unknown") == "unknown"
    assert (mapper.custom_names, mapper.provider_names) == (["MySearch"], ["web_search"])


@pytest.mark.parametrize("other", [provider_tool("Other", "web_search"), Tool.make("web_search")])
def test_two_tools_cannot_share_a_wire_name(other: Tool) -> None:
    with pytest.raises(ToolConfigurationError) as caught:
        NameMapper([provider_tool("MySearch", "web_search"), other])
    assert (
        caught.value.description
        == f"'MySearch' and {other.name!r} would both be 'web_search' to the provider"
    )


def test_a_name_mapper_takes_tools_only() -> None:
    with pytest.raises(ToolConfigurationError, match="a NameMapper takes tools, not 'WebSearch'"):
        NameMapper(cast(Any, ["WebSearch"]))
