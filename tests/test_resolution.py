"""A turn: one outcome per call, in order, whatever the calls do."""

from __future__ import annotations

import asyncio
import random
import subprocess
import sys
import textwrap
from collections import Counter
from typing import Any, cast

import pytest
from typing_extensions import TypedDict

from tool_core import (
    ApprovalContext,
    BoundToolkit,
    Fail,
    HandlerContext,
    Tool,
    ToolCallPart,
    ToolConfigurationError,
    ToolFailedError,
    Toolkit,
    ToolkitRequiredError,
    ToolPart,
    ToolTimeoutError,
)
from tool_core.approval import Decision, approval_id, decide
from tool_core.resolution import pending_approvals


class Params(TypedDict):
    n: int


KEY = b"a secret of sixteen bytes"


def call(number: int | str, name: str = "Echo", params: object = None) -> ToolCallPart:
    return {
        "type": "tool-call",
        "id": f"c{number}",
        "name": name,
        "params": {"n": 1} if params is None else params,
    }


def kit(**changes: Any) -> Toolkit:
    tool = Tool.make("Echo", parameters=Params, success=int, failure=str, failure_mode="return")
    for name, value in changes.items():
        tool = getattr(tool, f"set_{name}")(value)
    return Toolkit.make(tool)


async def echo(params: Params) -> int | Fail[str]:
    await asyncio.sleep(0.001 * (5 - params["n"] % 5))
    return params["n"] if params["n"] >= 0 else Fail("negative")


def resolve(bound: BoundToolkit, calls: Any, **options: Any) -> list[ToolPart]:
    return asyncio.run(bound.resolve(calls, **options))


def outcome(part: ToolPart) -> object:
    return part["result"] if part["type"] == "tool-result" else part["type"]


def test_results_come_in_call_order_however_long_each_takes() -> None:
    calls = [call(n, params={"n": n}) for n in range(30)]
    parts = resolve(kit().bind({"Echo": echo}), calls)
    assert [outcome(part) for part in parts] == list(range(30))
    assert [cast(Any, part)["id"] for part in parts] == [item["id"] for item in calls]


def test_a_bad_call_never_loses_the_others() -> None:
    calls: list[Any] = [
        call(1),
        call(2, name="Ecko"),
        call(3, params={"n": "x"}),
        call(4, params={"n": -1}),
        {"type": "tool-call", "name": "Echo"},
        "not a call",
        call(1),
        call(5),
    ]
    parts = cast(Any, resolve(kit().bind({"Echo": echo}), calls))
    assert [part["is_failure"] for part in parts] == [False, True, True, True, True, True, True, False]
    assert parts[1]["result"] == {
        "type": "ToolNotFoundError",
        "message": "Tool 'Ecko' not found. Available tools: Echo",
        "is_retryable": True,
    }
    assert "$.n: expected an integer" in parts[2]["result"]["message"]
    assert parts[3]["result"] == "negative"
    assert "'id'" in parts[4]["result"]["message"]
    assert parts[5]["result"]["message"] == "Invalid parameters: a call is an object, not str"
    assert parts[6]["result"]["message"].endswith(" occurs twice")


def test_an_error_is_raised_once_all_calls_have_ended_and_carries_their_parts() -> None:
    bound = kit(failure_mode="error").bind({"Echo": echo})
    calls = [
        call(1, params={"n": 1}),
        call(2, params={"n": -1}),
        call(3, params={"n": 3}),
        call(4, params={"n": -4}),
    ]
    with pytest.raises(ToolFailedError) as caught:
        resolve(bound, calls)
    assert caught.value.value == "negative"
    assert [cast(Any, part)["result"] for part in caught.value.parts] == [1, 3]
    assert len(caught.value.__notes__) == 1


def test_concurrency_is_bounded_by_default_and_by_tool() -> None:
    running: Counter[str] = Counter()
    peak: Counter[str] = Counter()

    async def busy(params: Params, ctx: HandlerContext[int]) -> int:
        running[ctx.tool_name] += 1
        peak[ctx.tool_name] = max(peak[ctx.tool_name], running[ctx.tool_name])
        await asyncio.sleep(0.002)
        running[ctx.tool_name] -= 1
        return 1

    tools = [Tool.make(name, parameters=Params, success=int) for name in ("A", "B")]
    calls = [call(n, name="A") for n in range(100)] + [call(100 + n, name="B") for n in range(20)]
    resolve(Toolkit.make(*tools).bind({"A": busy, "B": busy}), calls)
    assert peak["A"] == 16
    peak.clear()
    resolve(Toolkit.make(*tools).bind({"A": busy, "B": busy}, concurrency={"*": 8, "B": 2}), calls)
    assert peak["A"] <= 8
    assert peak["B"] == 2


@pytest.mark.parametrize(
    ("choice", "allowed"),
    [
        (None, {"A", "B"}),
        ("auto", {"A", "B"}),
        ("required", {"A", "B"}),
        ("none", set()),
        ({"tool": "A"}, {"A"}),
        ({"one_of": ["B"]}, {"B"}),
        ({"mode": "required", "one_of": ["A", "B"]}, {"A", "B"}),
    ],
)
def test_calls_outside_the_tool_choice_are_refused_as_results(choice: Any, allowed: set[str]) -> None:
    tools = [Tool.make(name, success=int) for name in ("A", "B")]
    bound = Toolkit.make(*tools).bind({"A": lambda params: 1, "B": lambda params: 1})
    parts = resolve(bound, [call(1, "A", {}), call(2, "B", {})], tool_choice=choice)
    ran = {part["name"] for part in cast(Any, parts) if not part["is_failure"]}
    assert ran == allowed
    for part in cast(Any, parts):
        if part["is_failure"]:
            assert part["result"]["type"] == "execution-denied"


def test_where_no_tool_may_be_called_the_model_is_told_so() -> None:
    part: Any = resolve(kit().bind({"Echo": echo}), [call(1)], tool_choice="none")[0]
    assert part["result"] == {
        "type": "execution-denied",
        "reason": "the tool choice of this turn allows only: no tool",
    }


@pytest.mark.parametrize("choice", [{"tool": "Ecko"}, {"one_of": ["Ecko"]}, "sometimes", {}])
def test_a_wrong_tool_choice_is_a_configuration_error(choice: Any) -> None:
    with pytest.raises(ToolConfigurationError, match="tool choice"):
        resolve(kit().bind({"Echo": echo}), [call(1)], tool_choice=choice)


def test_a_call_that_has_a_result_does_not_run_again_and_provider_calls_are_left_alone() -> None:
    ran: list[int] = []

    def record(params: Params) -> int:
        ran.append(params["n"])
        return params["n"]

    bound = kit().bind({"Echo": record})
    [first] = resolve(bound, [call(1, params={"n": 1})])
    theirs = cast(ToolCallPart, {**call(2), "provider_executed": True})
    history = [
        {"role": "assistant", "content": [call(1, params={"n": 1})]},
        {"role": "tool", "content": [first]},
    ]
    parts = resolve(bound, [call(1, params={"n": 1}), theirs, call(3, params={"n": 3})], messages=history)
    assert ran == [1, 3]
    assert parts[0] == first
    assert [cast(Any, part)["id"] for part in parts] == ["c1", "c3"]


def test_on_part_sees_preliminary_and_final_parts_and_cannot_break_the_turn() -> None:
    seen: list[Any] = []

    async def progress(params: Params, ctx: HandlerContext[int]) -> int:
        await ctx.preliminary(50)
        return 100

    def watch(part: ToolPart) -> None:
        seen.append(part)
        raise RuntimeError("a broken progress bar")

    parts = resolve(kit().bind({"Echo": progress}), [call(1)], on_part=watch)
    assert [(part["result"], part["preliminary"]) for part in seen] == [(50, True), (100, False)]
    assert [outcome(part) for part in parts] == [100]


def test_any_number_of_calls_streams_through() -> None:
    async def count() -> tuple[int, bool]:
        bound = kit().bind({"Echo": lambda params: params["n"]}, run_sync="inline")
        calls = (call(n, params={"n": n}) for n in range(5000))
        results = [cast(Any, part)["result"] async for part in bound.stream(calls, batch=256)]
        return len(results), results == sorted(results)

    assert asyncio.run(count()) == (5000, True)


# --- approval ----------------------------------------------------------------------------------


def answer(request: Any, approved: bool, **more: Any) -> Any:
    return {
        "type": "tool-approval-response",
        "approval_id": request["approval_id"],
        "approved": approved,
        **more,
    }


def approving(**changes: Any) -> tuple[BoundToolkit, list[int]]:
    ran: list[int] = []

    def run(params: Params) -> int:
        ran.append(params["n"])
        return params["n"]

    options = {"needs_approval": True, **changes}
    return kit(**options).bind({"Echo": run}, approval_key=KEY), ran


def test_an_approved_call_runs_once() -> None:
    bound, ran = approving()
    [request] = resolve(bound, [call(1)])
    assert request["type"] == "tool-approval-request"
    assert (request["tool_call_id"], ran) == ("c1", [])
    [result] = resolve(bound, [call(1)], approvals=[answer(request, True)])
    assert (outcome(result), ran) == (1, [1])
    [replayed] = resolve(bound, [call(1)], approvals=[answer(request, True)])
    assert outcome(replayed) == {"type": "execution-denied", "reason": "the approval was already used"}
    assert ran == [1]


def test_a_denied_call_tells_the_model_why() -> None:
    bound, ran = approving()
    [request] = resolve(bound, [call(1)])
    [part] = resolve(bound, [call(1)], approvals=[answer(request, False, reason="too risky")])
    assert cast(Any, part)["is_failure"] is True
    assert outcome(part) == {"type": "execution-denied", "reason": "too risky"}
    assert ran == []


def test_an_approval_survives_a_store_that_writes_a_whole_number_otherwise() -> None:
    bound, ran = approving()
    [request] = resolve(bound, [call(1, params={"n": 2.0})])
    [part] = resolve(bound, [call(1, params={"n": 2})], approvals=[answer(request, True)])
    assert (outcome(part), ran) == (2, [2])


def test_contradicting_answers_deny() -> None:
    bound, ran = approving()
    [request] = resolve(bound, [call(1)])
    [part] = resolve(bound, [call(1)], approvals=[answer(request, True), answer(request, False)])
    assert outcome(part) == {"type": "execution-denied", "reason": "the answers contradict each other"}
    assert ran == []


def test_an_approval_does_not_fit_other_arguments_another_tool_or_another_key() -> None:
    bound, ran = approving()
    [request] = resolve(bound, [call(1)])
    refusal = {
        "type": "execution-denied",
        "reason": "the approval was not issued for this call and these arguments",
    }
    [other] = resolve(bound, [call(1, params={"n": 2})], approvals=[answer(request, True)])
    assert outcome(other) == refusal
    forged = {"type": "tool-approval-response", "approval_id": f"approval_{'0' * 40}_c1", "approved": True}
    [fake] = resolve(bound, [call(1)], approvals=[forged])
    assert outcome(fake) == refusal
    stranger = kit(needs_approval=True).bind({"Echo": lambda params: 1})
    [foreign] = resolve(stranger, [call(1)], approvals=[answer(request, True)])
    assert outcome(foreign) == refusal
    [moved] = resolve(bound, [call(2)], approvals=[answer(request, True)])
    assert outcome(moved) == "tool-approval-request"
    claimed = {**cast(Any, request), "tool_call_id": "c2"}
    [moved] = resolve(bound, [call(2)], messages=[claimed], approvals=[answer(request, True)])
    assert outcome(moved) == refusal
    renamed = Toolkit.merge(bound.toolkit.rename({"Echo": "Other"}))
    other_tool = renamed.bind({"Other": lambda params: ran.append(1)}, approval_key=KEY, enforce=False)
    [other] = resolve(other_tool, [call(1, "Other")], approvals=[answer(request, True)])
    assert outcome(other) == refusal
    assert ran == []


def test_an_answer_about_nothing_is_ignored() -> None:
    bound, ran = approving()
    [part] = resolve(
        bound,
        [call(1)],
        approvals=[cast(Any, {"type": "tool-approval-response", "approval_id": 3, "approved": True})],
    )
    assert part["type"] == "tool-approval-request"
    assert ran == []


def test_the_order_of_argument_keys_does_not_matter_to_an_approval() -> None:
    tool = Tool.dynamic("Raw", parameters={"type": "object"}, needs_approval=True)
    bound = Toolkit.make(tool).bind({"Raw": lambda params: 1})
    [request] = resolve(bound, [call(1, "Raw", {"a": 1, "b": 2})])
    [part] = resolve(bound, [call(1, "Raw", {"b": 2, "a": 1})], approvals=[answer(request, True)])
    assert outcome(part) == 1


async def asks_later(params: Params, context: ApprovalContext) -> bool:
    return params["n"] > 1


def raises(params: Params, context: ApprovalContext) -> bool:
    raise RuntimeError("no idea")


async def raises_later(params: Params, context: ApprovalContext) -> bool:
    raise RuntimeError("no idea")


@pytest.mark.parametrize(
    ("rule", "n", "asked"),
    [
        (False, 5, False),
        (True, 5, True),
        (lambda params, context: params["n"] > 1, 1, False),
        (lambda params, context: params["n"] > 1, 2, True),
        (lambda params, context: context["tool_call_id"] == "c1", 1, True),
        (lambda params, context: context["messages"] == ["m"], 1, True),
        (asks_later, 2, True),
        (asks_later, 1, False),
        (raises, 1, True),
        (raises_later, 1, True),
    ],
)
def test_the_rule_decides_and_fails_closed(rule: Any, n: int, asked: bool) -> None:
    bound, _ = approving(needs_approval=rule)
    [part] = resolve(bound, [call(1, params={"n": n})], messages=["m"])
    assert (part["type"] == "tool-approval-request") is asked


@pytest.mark.parametrize("rule", [True, lambda params, context: True])
def test_nobody_is_asked_about_arguments_that_are_wrong(rule: Any) -> None:
    bound, _ = approving(needs_approval=rule)
    [part] = resolve(bound, [call(1, params={"n": "x"})])
    assert cast(Any, part)["result"]["type"] == "ToolParameterValidationError"


def test_approved_calls_of_the_history_run_before_the_new_ones() -> None:
    bound, ran = approving()
    [request] = resolve(bound, [call(1, params={"n": 1})])
    history = [
        {"role": "assistant", "content": [call(1, params={"n": 1}), request]},
        {"role": "tool", "content": [answer(request, True)]},
    ]

    def record(params: Params) -> int:
        ran.append(params["n"])
        return params["n"]

    rule = lambda params, context: params["n"] == 1  # noqa: E731
    quick = kit(needs_approval=rule).bind({"Echo": record}, approval_key=KEY)
    parts = resolve(quick, [call(2, params={"n": 2})], messages=history)
    assert ran == [1, 2]
    assert [outcome(part) for part in parts] == [1, 2]


def test_an_approval_survives_the_death_of_the_process() -> None:
    """The first process is killed after it asked; a new one finishes with the parts alone."""
    program = textwrap.dedent(
        """
        import asyncio, json, os, signal, sys
        from typing_extensions import TypedDict
        from tool_core import Tool, Toolkit

        class Params(TypedDict):
            n: int

        tool = Tool.make("Pay", parameters=Params, success=int, needs_approval=True)
        bound = Toolkit.make(tool).bind({"Pay": lambda params: params["n"] * 2}, approval_key="k" * 32)
        calls, approvals = json.loads(sys.argv[1])
        parts = asyncio.run(bound.resolve(calls, approvals=approvals))
        print(json.dumps(parts), flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
        """
    )
    import json

    def run(calls: list[Any], approvals: list[Any]) -> list[Any]:
        shown = subprocess.run(
            [sys.executable, "-c", program, json.dumps([calls, approvals])], capture_output=True, text=True
        )
        assert shown.returncode == -9, shown.stderr
        return cast("list[Any]", json.loads(shown.stdout))

    calls = [call(1, "Pay", {"n": 21})]
    [request] = run(calls, [])
    [result] = run(calls, [answer(request, True)])
    assert result["result"] == 42


def test_pending_approvals_without_a_tool_to_run_them_are_an_error() -> None:
    bound, _ = approving()
    [request] = resolve(bound, [call(1)])
    with pytest.raises(ToolkitRequiredError) as caught:
        resolve(Toolkit.empty.bind({}), [], messages=[call(1), request])
    assert str(caught.value) == "Toolkit required to resolve pending tool approvals: Echo"
    assert resolve(Toolkit.empty.bind({}), [], messages=[call(1)]) == []


# --- exactly once ------------------------------------------------------------------------------


def test_ten_thousand_calls_under_faults_have_one_outcome_each() -> None:
    rng = random.Random(7)
    ran: Counter[str] = Counter()

    async def unreliable(params: Params, ctx: HandlerContext[int]) -> int | Fail[str]:
        ran[ctx.call_id] += 1
        kind = params["n"] % 7
        if kind == 1:
            return Fail("declared")
        if kind == 2:
            raise RuntimeError("defect")
        if kind == 3 and params["n"] % 50 == 3:
            await asyncio.sleep(60)
        if kind == 4:
            raise asyncio.CancelledError
        if kind == 5:
            await asyncio.sleep(0)
            await ctx.preliminary(1)
        return cast(int, "lie") if kind == 6 else params["n"]

    tool = Tool.make("Echo", parameters=Params, success=int, failure=str, failure_mode="return")
    guarded = Tool.make(
        "Guarded", parameters=Params, success=int, failure=str, failure_mode="return", needs_approval=True
    )
    bound = Toolkit.make(tool, guarded).bind(
        {"Echo": unreliable, "Guarded": unreliable}, timeout=0.02, concurrency=64
    )
    names = ["Echo"] * 8 + ["Guarded", "Missing"]
    calls = [
        call(n, rng.choice(names), {"n": rng.randrange(10_000)} if rng.random() > 0.1 else {"n": "bad"})
        for n in range(10_000)
    ]
    parts = cast(Any, resolve(bound, calls))
    approvals = [
        answer(part, rng.random() > 0.5) for part in parts if part["type"] == "tool-approval-request"
    ]
    final = cast(
        Any,
        resolve(bound, calls, approvals=approvals, messages=[p for p in parts if p["type"] == "tool-result"]),
    )
    assert [part["id"] for part in final] == [item["id"] for item in calls]
    assert all(part["type"] == "tool-result" and not part["preliminary"] for part in final)
    assert max(ran.values()) == 1
    expected = {item["id"] for item in calls if item["name"] == "Echo" and item["params"] != {"n": "bad"}}
    approved = {part["approval_id"].split("_")[2] for part in approvals if part["approved"]}
    assert set(ran) == expected | approved


def test_cancelling_a_turn_stops_every_handler() -> None:
    running: set[str] = set()

    async def endless(params: Params, ctx: HandlerContext[int]) -> int:
        running.add(ctx.call_id)
        try:
            await asyncio.sleep(60)
        finally:
            running.discard(ctx.call_id)
        return 1

    async def cancel() -> int:
        bound = kit().bind({"Echo": endless})
        task = asyncio.create_task(bound.resolve([call(n) for n in range(100)]))
        await asyncio.sleep(0.02)
        assert len(running) == 16
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return len(asyncio.all_tasks())

    assert asyncio.run(cancel()) == 1
    assert running == set()


def test_a_timeout_of_one_call_does_not_touch_the_others() -> None:
    async def sometimes(params: Params) -> int:
        await asyncio.sleep(60 if params["n"] == 2 else 0)
        return params["n"]

    bound = kit().bind({"Echo": sometimes}, timeout=0.05)
    parts = cast(Any, resolve(bound, [call(n, params={"n": n}) for n in range(1, 4)]))
    assert [part["is_failure"] for part in parts] == [False, True, False]
    assert parts[1]["result"]["type"] == ToolTimeoutError.__name__


# --- the words of decisions --------------------------------------------------------------------


def test_a_decision_says_what_the_answers_amount_to() -> None:
    one: Any = call(1)
    quoted = approval_id(one, b"key")
    yes: Any = {"type": "tool-approval-response", "approval_id": quoted, "approved": True}
    no: Any = {**yes, "approved": False, "reason": "too dear"}
    assert decide(one, b"key", [yes]) == Decision("approved")
    assert decide(one, b"key", [no]) == Decision("denied", "too dear")
    assert decide(one, b"key", [yes, no]) == Decision("denied", "the answers contradict each other")
    assert (
        decide(one, b"other", [yes]).reason == "the approval was not issued for this call and these arguments"
    )
    assert decide(one, b"key", []) == Decision("pending")


@pytest.mark.parametrize(
    ("part", "missing"),
    [
        ({"id": 1, "name": "Echo", "params": {}}, "id"),
        ({"id": "1", "params": {}}, "name"),
        ({"params": {}}, "id, name"),
        ({"id": "1", "name": "Echo"}, "params"),
    ],
)
def test_a_malformed_call_is_told_what_it_lacks(part: Any, missing: str) -> None:
    bound, _ = approving()
    [told] = cast(Any, resolve(bound, [{"type": "tool-call", **part}]))
    assert told["result"]["message"].endswith(
        f"a call needs the texts 'id' and 'name' and 'params'; {missing} is missing"
    )


def test_an_approval_whose_call_has_a_result_is_not_pending() -> None:
    bound, _ = approving()
    [request] = resolve(bound, [call(1)])
    done = {"type": "tool-result", "id": "c1", "name": "Echo", "result": 1, "is_failure": False}
    assert list(pending_approvals([call(1), request])) == ["Echo"]
    assert list(pending_approvals([call(1), request, done])) == []
    assert list(pending_approvals([request])) == ["c1"]


def test_parts_that_need_no_run_pass_through_and_the_providers_own_stay_out() -> None:
    unreadable: ToolPart = {
        "type": "tool-result",
        "id": "c1",
        "name": "Echo",
        "result": {"type": "JsonTextError", "message": "Invalid JSON text"},
        "is_failure": True,
        "provider_executed": False,
        "preliminary": False,
        "metadata": {},
    }
    theirs = cast(ToolPart, {**unreadable, "id": "c2", "provider_executed": True})
    bound = kit().bind({"Echo": echo})
    parts = asyncio.run(bound.resolve([unreadable, theirs, call(3)]))
    assert parts[0] == unreadable
    assert [cast(Any, part)["id"] for part in parts] == ["c1", "c3"]
