"""Approval: what a decision is bound to, and what the decisions about a call amount to. Layer 3.

An approval id carries a keyed hash over the call's id, its tool and its canonical arguments, so it
can be checked without storing anything, in another process, and fits no other call.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from tool_core.json_text import canonical_json, with_whole_numbers
from tool_core.parts import ToolApprovalRequestPart, ToolApprovalResponsePart, ToolCallPart

Verdict = Literal["approved", "denied", "pending"]

_ISSUED_HERE = "approval_"


@dataclass(frozen=True, slots=True)
class Decision:
    """What the answers to a request amount to, and why.

    >>> Decision("denied", "too expensive").reason
    'too expensive'
    """

    verdict: Verdict
    reason: str | None = None


def approval_id(call: ToolCallPart, key: bytes) -> str:
    """Name an approval so that it fits this call, this tool and these arguments only.

    >>> call: ToolCallPart = {"type": "tool-call", "id": "c1", "name": "Pay", "params": {"amount": 5}}
    >>> approval_id(call, b"k") == approval_id({**call, "params": {"amount": 6}}, b"k")
    False
    """
    subject = canonical_json([call["id"], call["name"], with_whole_numbers(call["params"])])
    mac = hmac.new(key, subject.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()
    return f"{_ISSUED_HERE}{mac[:40]}_{call['id']}"


def is_issued_here(quoted: str) -> bool:
    """Tell the id of an approval that this process asks for from one that a provider asks for.

    >>> is_issued_here("approval_0123_call_1"), is_issued_here("mcpr_0123")
    (True, False)
    """
    return quoted.startswith(_ISSUED_HERE)


def call_id_of(quoted: str) -> str:
    """Read the id of the call that an approval id was issued for; empty where it was issued for none.

    >>> call_id_of("approval_0123_call_1"), call_id_of("nonsense")
    ('call_1', '')
    """
    return "".join(quoted.split("_", 2)[2:])


def approval_request(call: ToolCallPart, key: bytes) -> ToolApprovalRequestPart:
    """Ask for a decision about a call."""
    return {
        "type": "tool-approval-request",
        "approval_id": approval_id(call, key),
        "tool_call_id": call["id"],
    }


def by_call(
    responses: Iterable[ToolApprovalResponsePart], requests: Mapping[str, str]
) -> dict[str, list[ToolApprovalResponsePart]]:
    """Sort answers by the calls that they are about.

    `requests` maps the approval ids of the history to the call ids that they were issued for.

    >>> answer: ToolApprovalResponsePart
    >>> answer = {"type": "tool-approval-response", "approval_id": "approval_0123_c1", "approved": True}
    >>> list(by_call([answer], {"approval_0123_c1": "c2"}))
    ['c1', 'c2']
    """
    found: dict[str, list[ToolApprovalResponsePart]] = {}
    for response in responses:
        quoted = response["approval_id"]
        for call_id in dict.fromkeys((call_id_of(quoted), requests.get(quoted))):
            if call_id is not None:
                found.setdefault(call_id, []).append(response)
    return found


def decide(call: ToolCallPart, key: bytes, answers: Sequence[ToolApprovalResponsePart]) -> Decision:
    """Weigh the answers about a call: any denial denies, and an answer that fits another call is refused.

    >>> call: ToolCallPart = {"type": "tool-call", "id": "c1", "name": "Pay", "params": {}}
    >>> decide(call, b"k", []).verdict
    'pending'
    """
    if not answers:
        return Decision("pending")
    expected = approval_id(call, key)
    denials = [item for item in answers if item.get("approved") is not True]
    if denials:
        return Decision("denied", _reason_of(denials[0], contradicted=len(denials) < len(answers)))
    if not all(_is_same(item["approval_id"], expected) for item in answers):
        return Decision("denied", "the approval was not issued for this call and these arguments")
    return Decision("approved")


def _is_same(quoted: str, expected: str) -> bool:
    return hmac.compare_digest(*(text.encode("utf-8", "surrogatepass") for text in (quoted, expected)))


def _reason_of(denial: ToolApprovalResponsePart, contradicted: bool) -> str | None:
    if contradicted:
        return "the answers contradict each other"
    reason: object = denial.get("reason")
    return reason if isinstance(reason, str) else None
