"""Faults that were found by attacking the library, each kept from coming back."""

from __future__ import annotations

import asyncio
import copy
import threading
import time
from dataclasses import dataclass
from typing import Annotated, Any, cast

import pytest
from pydantic import Field
from typing_extensions import TypedDict

from tool_core import (
    Context,
    Fail,
    HandlerContext,
    HandlerResult,
    InvalidToolResultError,
    JsonTextError,
    Meta,
    SchemaMismatchError,
    Timeout,
    Tool,
    ToolConfigurationError,
    ToolDefectError,
    Toolkit,
    ToolNotFoundError,
    ToolTimeoutError,
    schema_of,
    secure_json_loads,
)


def kit(**options: Any) -> Toolkit:
    return Toolkit.make(Tool.make("X", parameters=object, success=object, **options))


def call(number: object, params: object = None) -> Any:
    return {"type": "tool-call", "id": str(number), "name": "X", "params": {} if params is None else params}


def resolve(bound: Any, calls: Any, **options: Any) -> Any:
    return asyncio.run(bound.resolve(calls, **options))


@pytest.mark.parametrize("rule", [lambda p, c: secure_json_loads("{"), lambda p, c: None, lambda p, c: 0])
def test_an_approval_rule_that_raises_or_forgets_to_answer_asks(rule: Any) -> None:
    ran: list[object] = []
    bound = kit(needs_approval=rule).bind({"X": ran.append})
    assert resolve(bound, [call(1)])[0]["type"] == "tool-approval-request"
    assert ran == []


def test_stop_iteration_in_a_thread_does_not_hang_the_call() -> None:
    async def run() -> None:
        await asyncio.wait_for(kit().bind({"X": lambda p: next(iter([]))}).call("X", {}), 5)

    with pytest.raises(ToolDefectError):
        asyncio.run(run())


def test_a_thread_that_waits_for_a_reader_is_released_when_the_reader_leaves() -> None:
    def eager(params: object, ctx: HandlerContext[object]) -> object:
        for number in range(1000):
            ctx.preliminary(number)
        return 1

    tools = [Tool.make("X", success=object), Tool.make("Y", success=int)]
    bound = Toolkit.make(*tools).bind({"X": eager, "Y": lambda p: 1}, concurrency=4)

    async def leave_early() -> object:
        for _ in range(4):
            results = bound.handle("X", {})
            await anext(results)
            await asyncio.sleep(0.05)
            await cast(Any, results).aclose()
        return (await asyncio.wait_for(bound.call("Y", {}), 5)).result

    assert asyncio.run(leave_early()) == 1


def test_positional_only_defaults_keep_their_places() -> None:
    @Tool.from_function
    def places(a: int = 1, b: int = 2, /) -> list[int]:
        return [a, b]

    assert places.handler({"b": 9}) == [1, 9]
    assert places.handler({}) == [1, 2]


def test_a_timeout_stays_one_whatever_the_handler_does_while_it_is_stopped() -> None:
    async def emits(params: object, ctx: HandlerContext[object]) -> object:
        try:
            await asyncio.sleep(10)
        finally:
            ctx.preliminary("cleanup")
        return 1

    async def raises(params: object) -> object:
        try:
            await asyncio.sleep(10)
        except asyncio.CancelledError:
            raise ValueError from None
        return 1

    for handler in (emits, raises):
        with pytest.raises(ToolTimeoutError):
            kit().bind({"X": handler}, timeout=Timeout(0.05, idle=5)).call_sync("X", {})


def test_a_slow_reader_does_not_count_as_idleness() -> None:
    async def steady(params: object, ctx: HandlerContext[object]) -> object:
        for number in range(100):
            await ctx.preliminary(number)
        return "done"

    async def read() -> list[object]:
        found: list[object] = []
        async for result in kit().bind({"X": steady}, timeout=Timeout(idle=0.1)).handle("X", {}):
            if not found:
                await asyncio.sleep(0.3)
            found.append(result.result)
        return found

    assert asyncio.run(read())[-1] == "done"


class Panic(BaseException):
    """What an extension module may raise."""


def test_a_panic_or_broken_middleware_costs_one_call_only() -> None:
    async def sometimes(params: object) -> object:
        if params == {"panic": 1}:
            raise Panic
        return 1

    async def nonsense(call_: Any, next_: Any) -> Any:
        return HandlerResult(1, "not json") if call_.params == {"bad": 1} else await next_(call_)

    bound = kit(failure_mode="return").bind({"X": sometimes}, wrap=nonsense)
    parts = resolve(bound, [call(1), call(2, {"panic": 1}), call(3, {"bad": 1}), call(4)])
    assert [part["is_failure"] for part in parts] == [False, True, True, False]


def test_malformed_history_and_answers_are_passed_over() -> None:
    bound = kit().bind({"X": lambda p: 1})
    broken = [
        {"type": "tool-result"},
        {"type": "tool-call", "id": []},
        {"type": "tool-approval-request"},
        None,
        3,
    ]
    assert len(resolve(bound, [call(1)], messages=broken, approvals=[None, {}])) == 1
    with pytest.raises(ToolConfigurationError, match="context is a Context, not dict"):
        resolve(bound, [call(1)], context={})


def test_streaming_keeps_one_outcome_per_call_across_batches() -> None:
    ran: list[object] = []

    def run(params: object) -> object:
        ran.append(params)
        return 1

    bound = kit(needs_approval=lambda p, c: p == {"ask": 1}).bind({"X": run})
    asking = call("a", {"ask": 1})
    [request] = resolve(bound, [asking])
    history = [
        asking,
        request,
        {"type": "tool-approval-response", "approval_id": request["approval_id"], "approved": True},
    ]

    async def stream() -> list[Any]:
        calls = [call(1), call(2), call(1), call(3)]
        return [part async for part in bound.stream(calls, batch=1, messages=history)]

    parts = asyncio.run(stream())
    assert [part["id"] for part in parts] == ["a", "1", "2", "1", "3"]
    assert [part["is_failure"] for part in parts] == [False, False, False, True, False]
    assert len(ran) == 4


def test_the_limit_of_a_tool_holds_across_turns_and_calls() -> None:
    running, peak = 0, 0

    async def busy(params: object) -> object:
        nonlocal running, peak
        running += 1
        peak = max(peak, running)
        await asyncio.sleep(0.01)
        running -= 1
        return 1

    async def everything() -> None:
        bound = kit().bind({"X": busy}, concurrency={"X": 2})
        turns = [bound.resolve([call(f"{turn}-{n}") for n in range(5)]) for turn in range(3)]
        await asyncio.gather(*turns, *(bound.call("X", {}) for _ in range(5)))

    asyncio.run(everything())
    assert peak == 2


def test_a_handler_cannot_change_the_history() -> None:
    part = call(1, {"a": 1})
    tool = Tool.dynamic("X", parameters={"type": "object"})
    resolve(Toolkit.make(tool).bind({"X": lambda params: params.pop("a")}), [part])
    assert part["params"] == {"a": 1}


def test_a_default_does_not_hide_a_repeated_key() -> None:
    Defaulted = TypedDict("Defaulted", {"a": int, "b": Annotated[int, Field(default=3)]})
    with pytest.raises(JsonTextError):
        schema_of(Defaulted).decode_json('{"a": 1, "a": 2}')


def test_a_flat_text_still_has_limits() -> None:
    Flat = TypedDict("Flat", {"a": int})
    with pytest.raises(JsonTextError, match="more than 1000 digits"):
        schema_of(Flat).decode_json('{"a": ' + "1" * 2000 + "}")


class Inner(TypedDict):
    a: int


@dataclass
class Holder:
    inner: Inner

    def __post_init__(self) -> None:
        if self.inner["a"] == 13:
            raise KeyError("unlucky")


class MyInt(int):
    pass


@pytest.mark.parametrize(
    ("form", "value"),
    [
        (str, "\ud800"),
        (dict[str, int], {"\ud800": 1}),
        (int, MyInt(3) + 0.5),
        (Holder, {"inner": {"a": 13}}),
        (set[list[int]], [[1]]),
    ],
)
def test_strange_values_are_refused_in_our_words(form: Any, value: object) -> None:
    with pytest.raises(SchemaMismatchError):
        schema_of(form).decode(value)


def test_a_key_that_a_record_inside_a_dataclass_does_not_know_is_not_dropped() -> None:
    with pytest.raises(SchemaMismatchError, match=r"\$\.inner\.b: expected no such key"):
        schema_of(Holder).encode(Holder(cast(Inner, {"a": 1, "b": 2})))


@pytest.mark.parametrize(
    "form", [Annotated[str, Field(pattern="(")], Annotated[int, Field(gt=cast(Any, "a"))]]
)
def test_an_impossible_constraint_is_refused_at_definition(form: Any) -> None:
    with pytest.raises(ToolConfigurationError):
        Tool.make("X", parameters=form)


def test_a_validators_exception_does_not_leak_to_the_model() -> None:
    def validate(value: object) -> object:
        raise FileNotFoundError(2, "No such file", "/srv/secret.json")

    tool = Tool.dynamic("X", parameters={}, validate=validate, failure_mode="return")
    result = Toolkit.make(tool).bind({"X": lambda p: 1}).call_sync("X", {})
    assert "secret" not in result.to_json()


def test_a_missing_service_does_not_explain_itself_to_the_model() -> None:
    tool = Tool.make("X", parameters=object, dependencies=[Holder], failure_mode="return")
    [part] = resolve(Toolkit.make(tool).bind({"X": lambda p: None}), [call(1)])
    assert part["result"]["message"] == "Tool 'X' is not available at the moment"


def test_a_local_function_tool_can_be_copied() -> None:
    @Tool.from_function
    def local(a: int) -> int:
        return a

    assert copy.deepcopy(local.tool) == local.tool


def test_an_absurd_tool_name_is_answered_quickly_and_briefly() -> None:
    tools = [Tool.make(f"tool_{number}") for number in range(2000)]
    bound = Toolkit.make(*tools).bind({tool.name: lambda p: None for tool in tools})
    started = time.process_time()
    with pytest.raises(ToolNotFoundError) as caught:
        bound.call_sync("tool_" * 40_000, {})
    assert time.process_time() - started < 2
    assert len(str(caught.value)) < 2000
    assert str(caught.value).endswith("and 1950 more")


def test_the_tool_choice_of_a_turn_does_not_undo_an_approval() -> None:
    bound = kit(needs_approval=True).bind({"X": lambda p: 1})
    [request] = resolve(bound, [call(1)])
    answer = {"type": "tool-approval-response", "approval_id": request["approval_id"], "approved": True}
    [part] = resolve(bound, [], messages=[call(1), request, answer], tool_choice="none")
    assert part["result"] == 1


def test_checking_services_in_threads_leaves_the_warning_filters_alone() -> None:
    import warnings

    before = list(warnings.filters)
    workers = [
        threading.Thread(target=lambda: [Context().add(Holder, Holder({"a": 1})) for _ in range(200)])
        for _ in range(4)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert list(warnings.filters) == before


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"timeout": {"Typo": 5}}, "timeout names 'Typo', which is not in the toolkit"),
        ({"concurrency": {"Typo": 5}}, "concurrency names 'Typo', which is not in the toolkit"),
        ({"context": 5}, "context is a Context, not int"),
        ({"executor": 5}, "executor is an Executor, not int"),
        ({"wrap": 5}, "wrap is a function of a call and the next, not int"),
    ],
)
def test_options_are_checked_when_binding(options: Any, message: str) -> None:
    with pytest.raises(ToolConfigurationError) as caught:
        kit().bind({"X": lambda p: 1}, **options)
    assert caught.value.description == message


def test_annotations_do_not_share_what_they_hold() -> None:
    meta: dict[str, object] = {"a": 1}
    tool = Tool.make("X").annotate(Meta, meta)
    meta["b"] = 2
    assert tool.annotations.get(Meta) == {"a": 1}


def test_a_preliminary_failure_is_an_invalid_result() -> None:
    async def fails(params: object, ctx: HandlerContext[object]) -> object:
        await ctx.preliminary(Fail(1))
        return 1

    with pytest.raises(InvalidToolResultError):
        kit(failure=int).bind({"X": fails}).call_sync("X", {})


def test_search_understands_other_alphabets() -> None:
    assert list(Toolkit.make(Tool.make("Weather", description="погода сегодня")).search("погода").tools) == [
        "Weather"
    ]


@pytest.mark.parametrize("form", ["", "$ref", "int", "print('run')"])
def test_a_text_is_refused_as_a_type_and_never_run(form: Any, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ToolConfigurationError, match=r"parameters is a type, not the text .*; pass the type"):
        Tool.dynamic("X", parameters=form)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("part_id", [[], {}, 3, None])
def test_a_call_whose_id_is_no_text_costs_itself_only(part_id: Any) -> None:
    bound = kit().bind({"X": lambda p: 1})
    parts = resolve(bound, [{**call(1), "id": part_id}, call(2)], messages=[{"type": [], "id": 1}])
    assert [part["is_failure"] for part in parts] == [True, False]


def test_a_call_without_an_id_or_with_that_of_another_costs_itself_only() -> None:
    nameless = {key: value for key, value in call(1).items() if key != "id"}
    parts = resolve(kit().bind({"X": lambda p: 1}), [call(1), nameless, call(1), call(2)])
    assert [part["is_failure"] for part in parts] == [False, True, True, False]
    assert "the call id '1' occurs twice" in parts[2]["result"]["message"]


def test_a_reason_that_is_no_text_is_left_out() -> None:
    bound = kit(needs_approval=True).bind({"X": lambda p: 1})
    [request] = resolve(bound, [call(1)])
    answer = {
        "type": "tool-approval-response",
        "approval_id": request["approval_id"],
        "approved": False,
        "reason": {1},
    }
    [part] = resolve(bound, [call(1)], approvals=[answer])
    assert part["result"] == {"type": "execution-denied", "reason": None}
