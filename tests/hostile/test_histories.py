"""Histories, answers and calls from a hostile client: one part for each call, and nothing runs unasked."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.hostile.guards import FEW, MANY, contained
from tests.hostile.strategies import TEXTS, json_values, python_values
from tool_core import Tool, Toolkit, ToolNotFoundError

TYPES = ["tool-call", "tool-result", "tool-approval-request", "tool-approval-response", "text", 3, None]
IDS = st.sampled_from(["1", "2", "3", "", "x" * 200])
PARTS = st.fixed_dictionaries(
    {"type": st.sampled_from(TYPES)},
    optional={
        "id": st.one_of(IDS, json_values(2)),
        "name": st.one_of(st.sampled_from(["Safe", "Guarded", "Gone"]), json_values(2)),
        "params": st.one_of(json_values(4), python_values()),
        "approval_id": st.one_of(IDS, json_values(2)),
        "tool_call_id": st.one_of(IDS, json_values(2)),
        "approved": st.one_of(st.booleans(), json_values(2)),
        "reason": json_values(2),
        "provider_executed": json_values(2),
        "result": json_values(2),
        "is_failure": json_values(2),
        "metadata": json_values(2),
    },
)
MESSAGES = st.lists(
    st.one_of(PARTS, python_values(), st.fixed_dictionaries({"role": TEXTS, "content": st.lists(PARTS)})),
    max_size=6,
)


def bound(ran: list[object]) -> Any:
    kit = Toolkit.make(
        Tool.make("Safe", parameters=object, success=object, failure_mode="return"),
        Tool.make("Guarded", parameters=object, success=object, failure_mode="return", needs_approval=True),
    )
    return kit.bind({"Safe": lambda params: params, "Guarded": ran.append}, run_sync="inline")


@given(st.lists(st.one_of(PARTS, python_values()), max_size=5), MESSAGES, MESSAGES)
@MANY
def test_every_call_has_one_part_and_nothing_guarded_runs(calls: Any, messages: Any, answers: Any) -> None:
    ran: list[object] = []
    with contained(refuses=False):
        parts = asyncio.run(bound(ran).resolve(calls, messages=messages, approvals=answers))
    ours = [call for call in calls if not (isinstance(call, dict) and call.get("provider_executed"))]
    assert len(parts) >= len(ours)  # those of the history that were decided about may come before
    assert ran == []  # nobody can forge the keyed hash that an approval carries
    for part in parts:
        assert part["type"] in ("tool-result", "tool-approval-request")
        if not any(part is call for call in calls):
            json.dumps(part)


@given(PARTS, st.one_of(IDS, json_values(2)))
@FEW
def test_a_true_approval_cannot_be_moved_to_another_call(forged: Any, other: Any) -> None:
    ran: list[object] = []
    kit = bound(ran)
    call = {"type": "tool-call", "id": "1", "name": "Guarded", "params": {"amount": 1}}
    [request] = asyncio.run(kit.resolve([call]))
    answer = {"type": "tool-approval-response", "approval_id": request["approval_id"], "approved": True}
    moved = {**call, **forged, "type": "tool-call", "id": other, "name": "Guarded"}
    if moved == call or (moved.get("id"), moved.get("params")) == ("1", {"amount": 1}):
        return
    asyncio.run(kit.resolve([moved], messages=[call, request, answer, moved]))
    assert ran in ([], [{"amount": 1}])  # only the call that was approved may have run


def test_a_long_history_costs_linear_time() -> None:
    def seconds(count: int) -> float:
        history = [
            part
            for number in range(count)
            for part in (
                {"type": "tool-call", "id": str(number), "name": "Guarded", "params": {}},
                {"type": "tool-approval-request", "approval_id": f"a{number}", "tool_call_id": str(number)},
                {"type": "tool-approval-response", "approval_id": f"a{number}", "approved": True},
            )
        ]
        kit, best = bound([]), 9.0
        for _ in range(3):
            started = time.process_time()
            asyncio.run(kit.resolve([], messages=history))
            best = min(best, time.process_time() - started)
        return best

    assert seconds(4000) < 40 * seconds(400)


@given(TEXTS, st.lists(TEXTS, min_size=1, max_size=5, unique=True))
@FEW
def test_a_wrong_name_is_answered_with_the_right_ones(name: str, others: list[str]) -> None:
    try:
        bound([]).call_sync(name, {})
    except ToolNotFoundError as error:
        assert len(str(error)) < 2000
        json.dumps(error.to_dict())
    else:
        assert name in ("Safe", "Guarded")
