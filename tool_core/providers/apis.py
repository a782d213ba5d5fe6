"""An API as a value: how it writes requests and what its responses mean, as pure functions. Layer 3."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeAlias

from tool_core.choices import ToolChoice
from tool_core.parts import ToolApprovalResponsePart, ToolResultPart
from tool_core.provider_tools import ProviderTool
from tool_core.providers.output_formats import OutputFormat
from tool_core.providers.wire_items import WireItem
from tool_core.providers.wire_names import NameRule
from tool_core.strict import FormatDescriptor, StrictDecision, StrictPlan
from tool_core.tools import AnyTool

Plain: TypeAlias = Mapping[str, Any]
"""A response, or a piece of one, as plain data."""

Answer: TypeAlias = ToolResultPart | ToolApprovalResponsePart
"""What a conversation goes on with."""


class Assembler(Protocol):
    """Puts the events of a stream together into the response that they describe."""

    def add(self, event: Plain) -> bool:
        """Take one event; True where something became complete by it."""
        ...

    def response(self, finished: bool) -> Plain:
        """Return the response so far: what is complete, and all there is once the stream has ended."""
        ...


@dataclass(frozen=True, slots=True)
class Choice:
    """A tool choice in one form: a mode, and perhaps the one tool or the tools that it is about."""

    mode: Literal["auto", "none", "required"]
    tool: str | None = None
    one_of: tuple[str, ...] | None = None

    @staticmethod
    def of(choice: ToolChoice | None, allowed: Iterable[str]) -> Choice | None:
        """Take a choice that `allowed_tools` has checked, and the names that it gave."""
        if choice is None or isinstance(choice, str):
            return None if choice is None else Choice(choice)
        stated: Mapping[str, Any] = choice
        if "tool" in stated:
            return Choice("required", stated["tool"])
        return Choice(stated.get("mode", "auto"), one_of=tuple(allowed))


@dataclass(frozen=True, slots=True)
class Draft:
    """All that decides what a request holds."""

    tools: tuple[AnyTool, ...]
    plan: StrictPlan
    names: Mapping[str, str]
    choice: Choice | None = None
    output: OutputFormat | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    decisions: Mapping[str, StrictDecision] = field(init=False, repr=False, compare=False)
    """The plan's decisions by the names of the tools."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "decisions", self.plan.by_name)

    @property
    def callable_names(self) -> list[str]:
        """The names on the wire of the tools that this process runs."""
        elsewhere = {tool.name for tool in self.provider_tools if not tool.requires_handler}
        return [wire for name, wire in self.names.items() if name not in elsewhere]

    @property
    def provider_tools(self) -> list[ProviderTool]:
        """The tools that the provider defines."""
        return [tool for tool in self.tools if isinstance(tool, ProviderTool)]


@dataclass(frozen=True, slots=True)
class Api:
    """One of a provider's APIs; the functions take and return plain data."""

    title: str
    lenient: FormatDescriptor
    """The dialect of tools and outputs that are not strict."""
    name_rule: NameRule
    leaves_out: bool
    """A choice of some tools is written by leaving the others out of the request."""
    output_has_flag: bool
    """Structured output can be asked for without strict mode."""
    provider_name: Callable[[ProviderTool], str]
    adjust: Callable[[StrictPlan, Choice | None], StrictPlan]
    """What the API's own rules make of a plan."""
    write: Callable[[Draft], dict[str, Any]]
    plain: Callable[[object], Plain | None]
    markers: tuple[str, ...]
    """The keys of which a response of this API has at least one."""
    read: Callable[[Plain, Draft], Iterable[WireItem]]
    read_output: Callable[[Plain, OutputFormat, Draft], object]
    assembler: Callable[[], Assembler]
    turn: Callable[[Plain], list[Any]]
    """The messages that repeat the model's own turn."""
    results: Callable[[Sequence[Answer], Draft], list[Any]]
    """The messages that answer the model's calls."""


def as_planned(plan: StrictPlan, _choice: Choice | None) -> StrictPlan:
    """Leave a plan as it is."""
    return plan
