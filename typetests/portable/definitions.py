"""What tool definitions infer with no plugin, in mypy and in pyright; never executed."""

from __future__ import annotations

from typing import Annotated, Literal, Never, NotRequired, assert_type

from typing_extensions import TypedDict

from tool_core import (
    AnyTool,
    ApprovalContext,
    DynamicTool,
    EmptyParams,
    JsonSchema,
    Key,
    ProviderTool,
    Readonly,
    Schema,
    Strict,
    Title,
    Tool,
    is_dynamic,
    is_provider_defined,
)


class Code(TypedDict):
    code: str


class Bash(TypedDict):
    command: str
    restart: NotRequired[bool]


class Weather(TypedDict):
    temperature: float


class ExecFailure(TypedDict):
    status: int


class Database: ...


class Clock: ...


CLOCK = Key("clock", Clock)

# --- Tool.make -------------------------------------------------------------------------------

bare = Tool.make("Bare")
assert_type(bare, Tool[EmptyParams, None, Never, Literal["error"], Never, str])

typed = Tool.make("Typed", description="d", parameters=Code, success=Weather)
assert_type(typed, Tool[Code, Weather, Never, Literal["error"], Never, str])

union = Tool.make("Union", parameters=Code | Bash, success=str, failure=ExecFailure, failure_mode="return")
assert_type(union, Tool[Code | Bash, str, ExecFailure, Literal["return"], Never, str])

assert_type(
    Tool.make("L", parameters=list[int], success=Literal["a", "b"]),
    Tool[list[int], Literal["a", "b"], Never, Literal["error"], Never, str],
)
assert_type(
    Tool.make("A", parameters=Annotated[Code, "documented"]),
    Tool[Code, None, Never, Literal["error"], Never, str],
)
assert_type(
    Tool.make("D", dependencies=[Database]),
    Tool[EmptyParams, None, Never, Literal["error"], Database, str],
)
mixed_dependencies: AnyTool = Tool.make("D2", dependencies=[Database, CLOCK])


def with_schema(schema: Schema[Code]) -> None:
    assert_type(
        Tool.make("S", parameters=schema, success=str),
        Tool[Code, str, Never, Literal["error"], Never, str],
    )
    keys = (Database, CLOCK)  # a tuple keeps the types that mypy joins in a list
    Tool.make("S", parameters=schema, dependencies=keys)
    Tool.make("S", success=schema, dependencies=(Database, CLOCK))
    Tool.dynamic("S", parameters={"type": "object"}, validate=schema.decode, dependencies=keys)
    assert_type(
        Tool.make("S", parameters=schema).set_success(Literal["a", "b"]).set_failure(schema),
        Tool[Code, Literal["a", "b"], Code, Literal["error"], Never, str],
    )


Tool.make("Fields", parameters={"code": str})  # type: ignore[call-overload]  # pyright: ignore[reportArgumentType, reportCallIssue]
Tool.make("Number", parameters=3)  # type: ignore[call-overload]  # pyright: ignore[reportArgumentType, reportCallIssue]
Tool.make("Mode", failure_mode="raise")  # type: ignore[call-overload]  # pyright: ignore[reportArgumentType]
Tool.make("Unknown", parametres=Code)  # type: ignore[call-overload]  # pyright: ignore[reportCallIssue]
Tool.make(name=3)  # type: ignore[call-overload]  # pyright: ignore[reportArgumentType]

# --- approval predicates ---------------------------------------------------------------------


def is_dangerous(params: Bash, context: ApprovalContext) -> bool:
    return "rm" in params["command"] and context["tool_call_id"] != ""


async def ask_later(params: Bash, context: ApprovalContext) -> bool:
    return True


Tool.make("P", parameters=Bash, needs_approval=is_dangerous)
Tool.make("P", parameters=Bash, needs_approval=ask_later)
Tool.make("P", parameters=Bash, needs_approval=lambda params, context: "rm" in params["command"])
Tool.make("P", parameters=Code, needs_approval=is_dangerous)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType, reportCallIssue]

# --- Tool.dynamic ----------------------------------------------------------------------------

assert_type(Tool.dynamic("d"), DynamicTool[object, object, Never, Literal["error"], Never, str])
assert_type(
    Tool.dynamic("d", parameters={"type": "object", "properties": {"q": {"type": "string"}}}),
    DynamicTool[object, object, Never, Literal["error"], Never, str],
)


def from_variable(definition: dict[str, object]) -> None:
    assert_type(
        Tool.dynamic("d", parameters=definition, success=Weather, validate="off"),
        DynamicTool[object, Weather, Never, Literal["error"], Never, str],
    )
    assert_type(
        Tool.dynamic("d", parameters=definition, failure=ExecFailure, failure_mode="return"),
        DynamicTool[object, object, ExecFailure, Literal["return"], Never, str],
    )


def as_code(value: object) -> Code:
    return {"code": str(value)}


assert_type(
    Tool.dynamic("d", parameters={"type": "object"}, validate=as_code),
    DynamicTool[Code, object, Never, Literal["error"], Never, str],
)
assert_type(
    Tool.dynamic("d", parameters=Code | Bash, success=str),
    DynamicTool[Code | Bash, str, Never, Literal["error"], Never, str],
)


def from_schema(schema: JsonSchema[Code]) -> None:
    assert_type(
        Tool.dynamic("d", parameters=schema), DynamicTool[Code, object, Never, Literal["error"], Never, str]
    )


Tool.dynamic("d", parameters={"type": "object"}, validate="never")  # type: ignore[call-overload]  # pyright: ignore[reportArgumentType, reportCallIssue]

# --- Tool.provider_defined -------------------------------------------------------------------


class WebSearchArgs(TypedDict):
    search_context_size: NotRequired[Literal["low", "high"]]


WebSearch = Tool.provider_defined(
    id="openai.web_search", custom_name="OpenAiWebSearch", provider_name="web_search", args=WebSearchArgs
)
assert_type(
    WebSearch({"search_context_size": "high"}),
    ProviderTool[None, None, Never, Literal["error"], Never, str, Literal[False]],
)
WebSearch({"search_context_size": "huge"})  # type: ignore[typeddict-item]  # pyright: ignore[reportArgumentType]
WebSearch()  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
WebSearch({}, failure_mode="return")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]

BashTool = Tool.provider_defined(
    id="anthropic.bash_20250124",
    custom_name="AnthropicBash",
    provider_name="bash",
    parameters=Bash,
    success=str,
    requires_handler=True,
)
assert_type(BashTool(), ProviderTool[Bash, str, Never, Literal["error"], Never, str, Literal[True]])
assert_type(
    BashTool(failure_mode="return"),
    ProviderTool[Bash, str, Never, Literal["return"], Never, str, Literal[True]],
)
assert_type(BashTool().requires_handler, Literal[True])
BashTool({"anything": 1})  # type: ignore[call-overload]  # pyright: ignore[reportArgumentType]

# --- builders keep the kind --------------------------------------------------------------------

assert_type(typed.set_parameters(Bash), Tool[Bash, Weather, Never, Literal["error"], Never, str])
assert_type(
    typed.set_parameters(Code | Bash), Tool[Code | Bash, Weather, Never, Literal["error"], Never, str]
)
assert_type(typed.set_success(int), Tool[Code, int, Never, Literal["error"], Never, str])
assert_type(typed.set_failure(str), Tool[Code, Weather, str, Literal["error"], Never, str])
assert_type(typed.set_failure_mode("return"), Tool[Code, Weather, Never, Literal["return"], Never, str])
assert_type(typed.set_description("x"), Tool[Code, Weather, Never, Literal["error"], Never, str])
assert_type(typed.set_needs_approval(True), Tool[Code, Weather, Never, Literal["error"], Never, str])
assert_type(typed.annotate(Title, "t"), Tool[Code, Weather, Never, Literal["error"], Never, str])
assert_type(
    typed.add_dependency(Database).add_dependency(CLOCK),
    Tool[Code, Weather, Never, Literal["error"], Database | Clock, str],
)
assert_type(
    Tool.dynamic("d", parameters={"type": "object"}).annotate(Strict, False).set_success(str),
    DynamicTool[object, str, Never, Literal["error"], Never, str],
)
assert_type(
    Tool.dynamic("d").set_parameters({"type": "object"}).set_failure(str).set_failure_mode("return"),
    DynamicTool[object, object, str, Literal["return"], Never, str],
)
assert_type(
    Tool.dynamic("d").set_parameters(Code).add_dependency(Database),
    DynamicTool[Code, object, Never, Literal["error"], Database, str],
)
assert_type(
    BashTool().set_success(int).annotate(Readonly, True),
    ProviderTool[Bash, int, Never, Literal["error"], Never, str, Literal[True]],
)
typed.annotate(Title, 3)  # type: ignore[misc]  # pyright: ignore[reportArgumentType]
typed.annotate(Strict, "yes")  # type: ignore[misc]  # pyright: ignore[reportArgumentType]

# --- annotations and guards --------------------------------------------------------------------

assert_type(typed.annotations.get(Title), str | None)
assert_type(typed.annotations.get(Readonly), bool)
assert_type(typed.annotations.get(Strict), bool | float | None)


def narrow(tool: AnyTool) -> None:
    if is_dynamic(tool):
        assert_type(tool.json_schema, dict[str, object] | None)
    if is_provider_defined(tool):
        assert_type(tool.provider_name, str)


# --- covariance --------------------------------------------------------------------------------

any_tools: list[Tool] = [bare, typed, union, Tool.dynamic("d"), BashTool()]
annotated: Tool[Code, Weather] = typed
wrong: Tool[Bash, Weather] = typed  # type: ignore[assignment]  # pyright: ignore[reportAssignmentType]


class _First(TypedDict):
    a: int


class _Second(TypedDict):
    b: int


class _Third(TypedDict):
    c: int


class _Store: ...


_CLOCK = Key("clock", float)
_OPEN: dict[str, object] = {"type": "object"}
one_of_three = Tool.make("OneOfThree", parameters=_First | _Second | _Third, dependencies=[_Store])
assert_type(one_of_three, Tool[_First | _Second | _Third, None, Never, Literal["error"], _Store, str])
three_answers = Tool.make("ThreeAnswers", success=str | int | None)
assert_type(three_answers.success_schema, Schema[str | int | None])
raw_answers = Tool.dynamic("RawAnswers", parameters=_OPEN, success=str | int | None)
assert_type(raw_answers.success_schema, Schema[str | int | None])
mixed_services = Tool.dynamic("Mixed", parameters=_First, dependencies=[_Store, _CLOCK])
assert_type(mixed_services.parameters_schema, Schema[_First])
