"""The type variables of tools, and what an omitted option of a constructor means. Layer 1."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Literal, Never, TypeAlias

from typing_extensions import TypedDict, TypeVar

from tool_core.schemas import EmptyParams

FailureMode: TypeAlias = Literal["error", "return"]
"""Whether failures are raised (`"error"`) or become results that the model sees (`"return"`)."""

# What `Tool` alone means: every parameter at its upper bound, so that it takes any tool. The mode is
# bounded by `str`, because mypy joins two literals to it: tools of both modes in one list are tools.
P_co = TypeVar("P_co", covariant=True, default=object)
S_co = TypeVar("S_co", covariant=True, default=object)
F_co = TypeVar("F_co", covariant=True, default=object)
M_co = TypeVar("M_co", covariant=True, bound=str, default=str)
R_co = TypeVar("R_co", covariant=True, default=object)
N_co = TypeVar("N_co", covariant=True, bound=str, default=str)
H_co = TypeVar("H_co", covariant=True, bound=bool, default=bool)

# What an omitted option means: `make` says P and S, `dynamic` says OP and OS, a provider says NP.
P = TypeVar("P", default=EmptyParams)
S = TypeVar("S", default=None)
F = TypeVar("F", default=Never)
M = TypeVar("M", bound=FailureMode, default=Literal["error"])
R = TypeVar("R", default=Never)
N = TypeVar("N", bound=str, default=str)
OP = TypeVar("OP", default=object)
OS = TypeVar("OS", default=object)
NP = TypeVar("NP", default=None)
A = TypeVar("A", default=Never)
T = TypeVar("T")


class ApprovalContext(TypedDict):
    """What an approval predicate may look at beside the parameters: the call and the conversation.

    >>> ApprovalContext(tool_call_id="call_1", messages=[])
    {'tool_call_id': 'call_1', 'messages': []}
    """

    tool_call_id: str
    messages: Sequence[object]


NeedsApproval: TypeAlias = bool | Callable[[T, ApprovalContext], bool | Awaitable[bool]]
"""Whether a call must be approved first: always, never, or as a predicate of it says."""

ApprovalPredicate: TypeAlias = Callable[..., bool | Awaitable[bool]]
"""A predicate whose parameter type is no longer known: a tool is covariant in its parameters."""
