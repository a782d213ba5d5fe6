"""Tools as values: three kinds, builders that keep the kind, and clear refusals."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import socket
from typing import Any, Literal, NotRequired, cast

import pytest
from typing_extensions import TypedDict

from tool_core import (
    Context,
    DynamicTool,
    EmptyParams,
    JsonSchema,
    Key,
    ProviderTool,
    Readonly,
    Strict,
    Title,
    Tool,
    ToolConfigurationError,
    is_dynamic,
    is_provider_defined,
    is_user_defined,
)


class GetWeather(TypedDict):
    """Current weather."""

    location: str
    units: Literal["celsius", "fahrenheit"]


class Weather(TypedDict):
    temperature: float


class Code(TypedDict):
    code: str


class Bash(TypedDict):
    command: str


class SearchArgs(TypedDict):
    size: NotRequired[Literal["low", "high"]]


class Database: ...


WebSearch = Tool.provider_defined(
    id="openai.web_search", custom_name="OpenAiWebSearch", provider_name="web_search", args=SearchArgs
)
BashTool = Tool.provider_defined(
    id="anthropic.bash",
    custom_name="Bash",
    provider_name="bash",
    parameters=Bash,
    success=str,
    requires_handler=True,
)
SCHEMA: dict[str, object] = {"type": "object", "properties": {"query": {"type": "string"}}}

TOOLS: list[Tool] = [
    Tool.make("Weather", parameters=GetWeather, success=Weather),
    Tool.make("Union", parameters=Code | Bash, failure=int, failure_mode="return", dependencies=[Database]),
    Tool.dynamic("Raw", parameters=SCHEMA),
    Tool.dynamic("Typed", parameters=Code),
    WebSearch({"size": "high"}),
    BashTool(),
]


def test_make_has_the_defaults_of_the_design() -> None:
    tool = Tool.make("Bare")
    assert tool.id == "tool_core/Bare"
    assert tool.parameters_schema == Tool.make("x", parameters=EmptyParams).parameters_schema
    assert tool.parameters_schema.json_schema() == {
        "type": "object",
        "properties": {},
        "additionalProperties": False,
    }
    assert tool.success_schema.json_schema() == {"type": "null"}
    assert tool.failure_schema.json_schema() == {"not": {}}
    assert (tool.failure_mode, tool.needs_approval, tool.description) == ("error", False, None)


def test_dynamic_has_the_defaults_of_the_design() -> None:
    tool = Tool.dynamic("Bare")
    assert tool.id == "tool_core/Bare"
    assert tool.json_schema is None
    assert tool.parameters_schema.json_schema() == {}
    assert tool.success_schema.json_schema() == {}
    assert tool.failure_schema.json_schema() == {"not": {}}


def test_a_provider_tool_has_every_field_of_a_tool() -> None:
    tool = WebSearch({"size": "high"})
    assert tool.id == "openai.web_search"
    assert (tool.name, tool.provider_name, tool.requires_handler) == ("OpenAiWebSearch", "web_search", False)
    assert tool.args == {"size": "high"}
    assert tool.annotations.get(Strict) is None
    assert tool.parameters_schema.json_schema() == {"type": "null"}
    assert BashTool(failure_mode="return").failure_mode == "return"
    assert BashTool().requires_handler is True


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: cast(Any, WebSearch)({"size": "huge"}),
            "args: $.size: expected 'low' or 'high', got the string 'huge'",
        ),
        (
            lambda: cast(Any, WebSearch)({}, failure_mode="return"),
            "failure_mode is for tools that require a handler: the provider runs this one",
        ),
        (lambda: cast(Any, BashTool)({"a": 1}), "the tool takes no args"),
        (
            lambda: Tool.provider_defined(id="nodot", custom_name="Bash", provider_name="p"),
            "a provider tool's id is 'provider.tool', not 'nodot'",
        ),
        (
            lambda: Tool.provider_defined(id=cast(Any, 1.5), custom_name="Bash", provider_name="p"),
            "a provider tool's id is 'provider.tool', not 1.5",
        ),
        (
            lambda: Tool.provider_defined(
                id="a.b", custom_name="Bash", provider_name="p", requires_handler=cast(Any, 1)
            ),
            "requires_handler is a bool, not 1",
        ),
    ],
)
def test_a_provider_tool_checks_its_options_when_it_is_made(make: Any, message: str) -> None:
    with pytest.raises(ToolConfigurationError) as caught:
        make()
    assert caught.value.description == message


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"parameters": {"query": str}},
            "parameters is a type, not a dict of fields; "
            "write a TypedDict with the fields 'query' and pass the class",
        ),
        ({"parameters": socket.socket}, "parameters cannot be the type socket: it has no JSON form"),
        ({"success": socket.socket}, "success cannot be the type socket: it has no JSON form"),
        ({"failure": print}, "failure cannot be the function print: it has no JSON form"),
        ({"failure_mode": "raise"}, "failure_mode is 'error' or 'return', not 'raise'"),
        ({"dependencies": ["db"]}, "a service key is a class or a Key, not 'db'"),
        ({"dependencies": None}, "dependencies are a list of service keys, not None"),
        ({"dependencies": "db"}, "dependencies are a list of service keys, not 'db'"),
        ({"needs_approval": "yes"}, "needs_approval is a bool or a predicate, not 'yes'"),
        ({"description": 3}, "description is a string, not int"),
    ],
)
def test_make_refuses_what_a_tool_cannot_have(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ToolConfigurationError) as caught:
        Tool.make("T", **options)
    assert str(caught.value) == f"Invalid configuration for tool 'T': {message}"


def _nothing() -> None:
    """A function without parameters."""


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: cast(Any, Tool).make("T", descripton="d"),
            "'T': there is no option 'descripton', did you mean 'description'?",
        ),
        (lambda: cast(Any, Tool).make("T", validate="off"), "'T': there is no option 'validate'"),
        (
            lambda: cast(Any, Tool).dynamic("T", validat="off"),
            "'T': there is no option 'validat', did you mean 'validate'?",
        ),
        (
            lambda: cast(Any, Tool).from_function(_nothing, failuremode="return"),
            "'_nothing': there is no option 'failuremode', did you mean 'failure_mode'?",
        ),
        (
            lambda: cast(Any, Tool).provider_defined(id="a.b", custom_name="T", provider_name="b", arg=int),
            "'T': there is no option 'arg', did you mean 'args'?",
        ),
    ],
)
def test_a_misspelt_option_is_named_with_the_one_that_was_meant(make: Any, message: str) -> None:
    with pytest.raises(ToolConfigurationError) as caught:
        make()
    assert str(caught.value) == f"Invalid configuration for tool {message}"


def test_dynamic_names_the_tool_whose_schema_is_invalid() -> None:
    with pytest.raises(ToolConfigurationError) as caught:
        Tool.dynamic("search", parameters={"properties": {"q": {"type": "text"}}})
    assert str(caught.value).startswith(
        "Invalid configuration for tool 'search': invalid JSON Schema at $.properties.q.type: "
    )


def test_validation_of_a_type_form_cannot_be_switched_off() -> None:
    with pytest.raises(ToolConfigurationError) as caught:
        Tool.dynamic("t", parameters=Code, validate="off")  # type: ignore[call-overload]  # pyright: ignore[reportCallIssue, reportArgumentType]
    assert caught.value.description == "validate is for raw JSON Schemas: a type form validates itself"


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_builders_return_a_new_tool_of_the_same_kind(tool: Tool) -> None:
    changes: list[Tool] = [
        tool.annotate(Title, "t"),
        tool.annotate(Strict, False),
        tool.annotate_merge(tool.annotations),
        tool.set_description("d"),
        tool.set_needs_approval(True),
        tool.set_failure_mode("return"),
        tool.set_success(int),
        tool.set_failure(str),
        tool.set_parameters(Code),
        tool.add_dependency(Database),
    ]
    for changed in changes:
        assert type(changed) is type(tool)
        assert (changed.id, changed.name) == (tool.id, tool.name)
        assert changed is not tool


def test_annotating_a_raw_dynamic_tool_keeps_its_schema() -> None:
    tool = Tool.dynamic("search", parameters=SCHEMA).annotate(Strict, False)
    assert tool.json_schema == SCHEMA
    assert isinstance(tool.parameters_schema, JsonSchema)


def test_builders_set_what_they_name() -> None:
    tool = (
        Tool.make("T")
        .set_parameters(Code | Bash)
        .set_success(int)
        .set_failure(str)
        .set_failure_mode("return")
    )
    assert repr(tool) == "Tool 'T' (Code | Bash) -> int or str"
    assert tool.failure_mode == "return"
    assert tool.add_dependency(Database).add_dependency(Database).dependencies == (Database,)
    assert Tool.dynamic("d").set_parameters(SCHEMA).json_schema == SCHEMA


def test_a_repr_shows_the_signature() -> None:
    assert [repr(tool) for tool in TOOLS] == [
        "Tool 'Weather' (GetWeather) -> Weather",
        "Tool 'Union' (Code | Bash) -> None or int",
        "DynamicTool 'Raw' (object) -> object",
        "DynamicTool 'Typed' (Code) -> object",
        "ProviderTool 'OpenAiWebSearch' (None) -> None",
        "ProviderTool 'Bash' (Bash) -> str",
    ]


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_a_tool_is_a_value(tool: Tool) -> None:
    assert copy.deepcopy(tool) == tool
    assert pickle.loads(pickle.dumps(tool)) == tool
    assert hash(tool) == hash(copy.copy(tool))
    assert tool != tool.set_description("other")
    with pytest.raises(dataclasses.FrozenInstanceError):
        tool.name = "other"  # type: ignore[misc]  # pyright: ignore[reportAttributeAccessIssue]
    assert not hasattr(tool, "__dict__")


def test_a_pickled_tool_still_decodes() -> None:
    tool = pickle.loads(pickle.dumps(Tool.make("T", parameters=Code)))
    assert tool.parameters_schema.decode({"code": "x"}) == {"code": "x"}


def test_guards_tell_the_kinds_apart_and_refuse_everything_else() -> None:
    user, raw, provider = Tool.make("U"), Tool.dynamic("D", parameters=SCHEMA), BashTool()
    assert [is_user_defined(item) for item in (user, raw, provider)] == [True, False, False]
    assert [is_dynamic(item) for item in (user, raw, provider)] == [False, True, False]
    assert [is_provider_defined(item) for item in (user, raw, provider)] == [False, False, True]
    assert is_dynamic(Tool.dynamic("D", parameters=Code))
    for guard in (is_user_defined, is_dynamic, is_provider_defined):
        assert not any(
            guard(item) for item in (None, {}, {"name": "fake"}, 3, Tool, DynamicTool, ProviderTool)
        )


def test_services_are_stored_on_the_tool() -> None:
    clock = Key("clock", float)
    tool = Tool.make("T", dependencies=[Database, clock])
    assert tool.dependencies == (Database, clock)
    assert Context().add(Database, Database()).missing(tool.dependencies) == [clock]


def test_two_tools_of_one_name_are_told_apart_by_their_types() -> None:
    code: Tool = Tool.make("T", parameters=Code)
    assert code != Tool.make("T", parameters=Bash)
    assert code.annotate(Readonly, True) != code
