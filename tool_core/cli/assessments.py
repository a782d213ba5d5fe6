"""What becomes of every tool at every provider: the verdicts that tables, pages and JSON show. Edge."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Literal, TypeAlias

from tool_core.cli.columns import LABELS, Column
from tool_core.errors import ToolError
from tool_core.provider_tools import ProviderTool
from tool_core.providers import Prepared
from tool_core.strict import Budget, StrictDecision, StrictForm, Usage
from tool_core.toolkits import Toolkit
from tool_core.tools import AnyTool

State: TypeAlias = Literal["strict", "lenient", "impossible", "built-in", "absent"]
"""Enforced; sent as it is; cannot be sent; the provider's own; another provider's own."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What becomes of one tool at one provider, and why."""

    state: State
    reason: str
    wire_name: str | None = None
    form: StrictForm | None = None
    usage: Usage = field(default_factory=Usage)
    is_required: bool = False
    """The tool demands strict mode."""


@dataclass(frozen=True, slots=True)
class ColumnResult:
    """All verdicts of one provider, by tool name, and the use of its budget."""

    column: Column
    verdicts: Mapping[str, Verdict]
    usage: Usage
    budget: Budget

    def tools_in(self, state: State) -> list[str]:
        """Name the tools in one state."""
        return [name for name, verdict in self.verdicts.items() if verdict.state == state]


@dataclass(frozen=True, slots=True)
class Assessment:
    """A toolkit held against providers."""

    toolkit: Toolkit[Any]
    results: tuple[ColumnResult, ...]

    @property
    def columns(self) -> tuple[Column, ...]:
        """The providers, in order."""
        return tuple(result.column for result in self.results)


def assess(
    toolkit: Toolkit[Any], columns: Sequence[Column], on_progress: Callable[[], None] = lambda: None
) -> Assessment:
    """Hold every tool against every provider; what cannot be sent costs the others nothing.

    >>> from tool_core import Tool
    >>> from tool_core.cli.columns import columns_for
    >>> found = assess(Toolkit.make(Tool.make("Now", success=float)), columns_for(["openai"]))
    >>> found.results[0].verdicts["Now"].state
    'strict'
    """
    results: list[ColumnResult] = []
    for column in columns:
        results.append(_column_result(toolkit, column))
        on_progress()
    return Assessment(toolkit, tuple(results))


def _column_result(toolkit: Toolkit[Any], column: Column) -> ColumnResult:
    sendable, refused = prepared_for(toolkit, column)
    decisions = sendable.plan.by_name
    verdicts: dict[str, Verdict] = {}
    for tool in toolkit:
        if tool.name in refused:
            verdicts[tool.name] = refused[tool.name]
        elif (decision := decisions.get(tool.name)) is not None:
            verdicts[tool.name] = _verdict(decision, sendable.names[tool.name])
        else:
            verdicts[tool.name] = _built_in(tool, column, sendable.names[tool.name])
    return ColumnResult(column, verdicts, sendable.plan.usage, sendable.plan.budget)


def prepared_for(toolkit: Toolkit[Any], column: Column) -> tuple[Prepared, dict[str, Verdict]]:
    """Prepare a request with all tools that can be sent; the others come back with the reason."""
    prepare_tools = import_module(f"tool_core.providers.{column.provider}").prepare_tools
    refused = {tool.name: _elsewhere(tool) for tool in toolkit if _is_of_another(tool, column)}
    while True:
        sendable = toolkit.filter([name for name in toolkit.tools if name not in refused])
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # a downgrade is a verdict here
                return prepare_tools(sendable, model=column.info), refused
        except ToolError as error:
            blamed = [tool.name for tool in sendable if tool.name == error.tool_name] or list(sendable.tools)
            if not blamed:
                raise
            refused |= {name: Verdict("impossible", str(error)) for name in blamed}


def _verdict(decision: StrictDecision, wire_name: str) -> Verdict:
    return Verdict(
        "strict" if decision.is_strict else "lenient",
        decision.reason,
        wire_name,
        decision.form,
        decision.usage,
        decision.priority == float("inf"),
    )


def _is_of_another(tool: AnyTool, column: Column) -> bool:
    owner = tool.id.partition(".")[0]
    return isinstance(tool, ProviderTool) and owner in LABELS and owner != column.provider


def _elsewhere(tool: AnyTool) -> Verdict:
    owner = next(label for family, label in LABELS.items() if tool.id.startswith(f"{family}."))
    return Verdict("absent", f"{tool.id} is a tool of {owner}")


def _built_in(tool: AnyTool, column: Column, wire_name: str) -> Verdict:
    who = "this process" if tool.requires_handler else column.label
    return Verdict("built-in", f"built into {column.label}, run by {who}", wire_name)
