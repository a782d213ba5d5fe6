"""Approval across turns and processes: asked, given later, denied, used once."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from typing_extensions import TypedDict

from tests.loopback.scripts import Call, turn
from tests.loopback.server import Loopback
from tests.providers.conversations import APIS, Channel, by_api
from tool_core import BoundToolkit, Tool, ToolApprovalResponsePart, Toolkit


class Payment(TypedDict):
    to: str
    amount: int


pay = Tool.make(
    "Pay", parameters=Payment, success=str, needs_approval=lambda payment, _: payment["amount"] > 100
)
kit = Toolkit.make(pay)
CALLS = [
    Call("Pay", {"to": "Ann", "amount": 10}),
    Call("Pay", {"to": "Bob", "amount": 1000}),
    Call("Pay", {"to": "Cid", "amount": 2000}),
]


def office() -> tuple[BoundToolkit[Any], list[str]]:
    """Bind the toolkit anew, as another process would; the list shows who was paid there."""
    paid: list[str] = []

    def run(payment: Payment) -> str:
        paid.append(payment["to"])
        return f"paid {payment['to']}"

    return kit.bind({"Pay": run}, approval_key=b"a key of 32 bytes for the tests!!"), paid


def answer(request: Any, approved: bool, reason: str = "") -> ToolApprovalResponsePart:
    part: ToolApprovalResponsePart = {
        "type": "tool-approval-response",
        "approval_id": request["approval_id"],
        "approved": approved,
    }
    return {**part, "reason": reason} if reason else part


@pytest.mark.parametrize("channel", APIS, ids=by_api)
def test_calls_wait_for_decisions_that_are_made_elsewhere_and_later(channel: Channel) -> None:
    with Loopback(turn(*CALLS), turn("All settled.")) as server:
        bound, paid = office()
        prepared = channel.prepared(bound)
        messages = [channel.opening("Pay them.")]
        response = channel.reply(server, prepared, messages)
        messages += prepared.assistant_turn(response)
        calls = prepared.read_calls(response)
        first = asyncio.run(bound.resolve(calls))
        assert paid == ["Ann"]
        assert [part["type"] for part in first] == ["tool-result", *["tool-approval-request"] * 2]

        stored = json.loads(json.dumps({"calls": calls, "first": first}))
        _, to_bob, to_cid = stored["first"]
        decisions = [answer(to_bob, True), answer(to_cid, False, "too much")]
        history = [*stored["calls"], *stored["first"], *decisions]

        later, paid_later = office()
        second = asyncio.run(later.resolve([], messages=history))
        assert paid_later == ["Bob"]
        messages += prepared.tool_results([*stored["first"], *second])
        channel.reply(server, prepared, messages)

        again = asyncio.run(later.resolve([], messages=[*history, *second]))
        assert again == []
        assert paid_later == ["Bob"]
    told = [str(content) for _, content, _ in channel.answers(server.bodies[1])]
    assert told[0] == "paid Ann"
    assert told[1] == "paid Bob"
    assert "execution-denied" in told[2] and "too much" in told[2]


@pytest.mark.parametrize("channel", APIS, ids=by_api)
def test_the_whole_history_may_be_given_to_write_the_results(channel: Channel) -> None:
    """The decision about a local call is no message of the provider's."""
    with Loopback(turn(CALLS[1]), turn("Settled.")) as server:
        bound, paid = office()
        prepared = channel.prepared(bound)
        messages = [channel.opening("Pay them.")]
        response = channel.reply(server, prepared, messages)
        calls = prepared.read_calls(response)
        asked = asyncio.run(bound.resolve(calls))
        history = [*calls, *asked, answer(asked[0], True)]
        results = asyncio.run(bound.resolve([], messages=history))
        messages += [*prepared.assistant_turn(response), *prepared.tool_results([*history, *results])]
        channel.reply(server, prepared, messages)
    assert paid == ["Bob"]
    assert [content for _, content, _ in channel.answers(server.bodies[1])] == ["paid Bob"]


@pytest.mark.parametrize("channel", APIS, ids=by_api)
def test_an_approval_is_for_the_arguments_that_were_asked_about(channel: Channel) -> None:
    prepared = channel.prepared(office()[0])
    with Loopback(turn(CALLS[1]), turn(CALLS[2])) as server:
        small = prepared.read_calls(channel.reply(server, prepared, [channel.opening("Pay Bob.")]))
        large = prepared.read_calls(channel.reply(server, prepared, [channel.opening("Pay Cid.")]))
    bound, paid = office()
    [asked] = asyncio.run(bound.resolve(small))
    [result] = asyncio.run(bound.resolve(large, approvals=[answer(asked, True)]))
    assert result["type"] == "tool-approval-request"
    assert paid == []
