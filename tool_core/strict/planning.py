"""Which tools of a request are strict, which are not, and why. Layer 3."""

from __future__ import annotations

import math
import warnings
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from typing_extensions import TypedDict

from tool_core.errors import StrictUnavailableError, UnsupportedSchemaError
from tool_core.provider_tools import ProviderTool
from tool_core.queries import get_strict_mode
from tool_core.strict.descriptors import ANTHROPIC, GOOGLE, LENIENT, OPENAI, Budget, FormatDescriptor
from tool_core.strict.forms import StrictForm, strictify
from tool_core.strict.models import ModelInfo, model_info, resolve_strict_format, strict_descriptor
from tool_core.strict.sizes import children
from tool_core.tools import AnyTool

_LENIENT = {"openai": OPENAI, "anthropic": ANTHROPIC, "google": GOOGLE}


class StrictConfig(TypedDict, total=False):
    """The provider's configuration, as far as it concerns strict mode."""

    strict_json_schema: bool | None


class StrictDowngradeWarning(UserWarning):
    """A tool that requires strict mode did not fit and is sent lenient."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What a part of a request uses of the budget for strictness."""

    tools: int = 0
    optionals: int = 0
    unions: int = 0

    def plus(self, other: Usage) -> Usage:
        """Add two uses."""
        return Usage(self.tools + other.tools, self.optionals + other.optionals, self.unions + other.unions)

    def excess(self, budget: Budget) -> str | None:
        """Say what of the budget is exceeded, if anything."""
        for name in ("tools", "optionals", "unions"):
            limit, used = getattr(budget, name), getattr(self, name)
            if limit is not None and used > limit:
                words = {
                    "tools": "strict tools",
                    "optionals": "optional parameters",
                    "unions": "union parameters",
                }
                return f"{used} {words[name]}, of which a request may have {limit}"
        return None


@dataclass(frozen=True, slots=True)
class StrictDecision:
    """What became of one tool: its form on the wire, the value of `strict`, and the reason."""

    tool: AnyTool
    strict: bool | None
    """The value on the wire: true, false, or left out."""
    form: StrictForm
    reason: str
    usage: Usage
    priority: float

    @property
    def is_strict(self) -> bool:
        """Whether the provider enforces the schema."""
        return self.form.descriptor.strict and self.strict is not False


@dataclass(frozen=True, slots=True)
class StrictPlan:
    """The decisions for all tools of a request, in their order, and the use of the budget.

    >>> from tool_core import Tool
    >>> plan = plan_strict([Tool.make("Now", success=float)], "gpt-5")
    >>> plan.decisions[0].strict, plan.decisions[0].reason
    (True, 'strict mode by default')
    """

    model: ModelInfo
    decisions: tuple[StrictDecision, ...]
    usage: Usage
    budget: Budget
    output: StrictForm | None = None

    @property
    def by_name(self) -> Mapping[str, StrictDecision]:
        """The decisions by the names of their tools."""
        return {item.tool.name: item for item in self.decisions}

    @property
    def is_all_strict(self) -> bool:
        """Whether every tool is strict, as Google's request-wide mode needs it."""
        return bool(self.decisions) and all(item.is_strict for item in self.decisions)

    def degrade(self, error: object = "the provider refused the grammar") -> StrictPlan:
        """Answer a refusal at run time: the least important strict tools become lenient.

        A quarter of them goes at a time, so that few retries suffice; required ones go last, and
        where nothing is left to give up the refusal stands.
        """
        strict = [item for item in self.decisions if item.is_strict]
        if not strict:
            raise StrictUnavailableError(None, self.model.id, str(error))
        ranked = sorted(range(len(strict)), key=lambda index: (strict[index].priority, -index))
        optional = [index for index in ranked if strict[index].priority != math.inf]
        chosen = (optional or ranked)[: max(1, len(strict) // 4)]
        return self.relax({strict[index].tool.name for index in chosen}, f"given up after a refusal: {error}")

    def relax(self, names: Collection[str], reason: str) -> StrictPlan:
        """Give up strict mode for the named tools, for a reason that their decisions then state."""
        decisions: list[StrictDecision] = []
        usage = Usage() if self.output is None else replace(measured_usage(self.output.schema), tools=0)
        for item in self.decisions:
            if item.is_strict and item.tool.name in names:
                _warn_if_required(item, reason)
                item = _lenient(item.tool, self.model, reason, item.priority)
            decisions.append(item)
            usage = usage.plus(item.usage)
        return replace(self, decisions=tuple(decisions), usage=usage)


def plan_strict(
    tools: Iterable[AnyTool],
    model: ModelInfo | str,
    output_schema: Mapping[str, object] | None = None,
    config: bool | StrictConfig | None = None,
) -> StrictPlan:
    """Decide for every tool whether it is strict, within the provider's budget, with the reason.

    A tool's own annotation wins over `config` (the provider's `strict_json_schema`), which wins over
    the default: strict where the model supports it. Tools are served in the order of their
    priorities, so one that is too large is passed over and does not cost the others their place.

    >>> from tool_core import Strict, Tool
    >>> plan = plan_strict([Tool.make("A").annotate(Strict, False), Tool.make("B")], "claude-opus-4-5")
    >>> [(item.tool.name, item.strict) for item in plan.decisions]
    [('A', False), ('B', True)]
    """
    known = model_info(model)
    wish = config.get("strict_json_schema") if isinstance(config, Mapping) else config
    descriptor = strict_descriptor(known)
    listed = [tool for tool in tools if not isinstance(tool, ProviderTool)]
    if descriptor is None:
        return _without_strict(listed, known)
    output, used = (None, Usage()) if output_schema is None else fitting_form(output_schema, descriptor)
    used = replace(used, tools=0)
    decisions: dict[int, StrictDecision] = {}
    for index in sorted(range(len(listed)), key=lambda index: (-_priority(listed[index], wish), index)):
        decisions[index] = _decided(listed[index], known, descriptor, wish, used)
        used = used.plus(decisions[index].usage)
    ordered = tuple(decisions[index] for index in range(len(listed)))
    return StrictPlan(known, ordered, used, descriptor.budget, output)


def measured_usage(schema: Mapping[str, Any]) -> Usage:
    """Count optional and union parameters in a wire schema, each definition once.

    >>> measured_usage({"type": "object", "properties": {"a": {"type": ["string", "null"]}}, "required": []})
    Usage(tools=1, optionals=1, unions=1)
    """
    optionals = unions = 0
    pending: list[Any] = [schema, *schema.get("$defs", {}).values()]
    while pending:
        node = pending.pop()
        required = node.get("required", [])
        optionals += sum(name not in required for name in node.get("properties", {}))
        unions += "anyOf" in node or isinstance(node.get("type"), list)
        pending += children(node)
    return Usage(1, optionals, unions)


def fitting_form(
    schema: Mapping[str, object], descriptor: FormatDescriptor, used: Usage | None = None
) -> tuple[StrictForm, Usage]:
    """Find a form that fits what is left of the budget; else the plain one.

    Optional parameters and unions have budgets of their own, so one can be traded for the other:
    what may be absent can be written as nullable, and what may be absent need not be null as well.
    As a last resort the deeper levels travel as JSON text.
    """
    before = used or Usage()
    plain = strictify(schema, descriptor)
    first = measured_usage(plain.schema)
    if before.plus(first).excess(descriptor.budget) is None:
        return plain, first
    for variant in _trades(descriptor, before):
        form = strictify(schema, variant)
        usage = measured_usage(form.schema)
        if before.plus(usage).excess(descriptor.budget) is None:
            return form, usage
    return plain, first


def _trades(descriptor: FormatDescriptor, used: Usage) -> list[FormatDescriptor]:
    if descriptor.budget.optionals is None:
        return []
    left = max(0, descriptor.budget.optionals - used.optionals)
    return [
        replace(descriptor, null_of_optional="dropped"),
        replace(descriptor, native_optionals=left),
        replace(descriptor, native_optionals=left, null_of_optional="dropped"),
        *(
            replace(descriptor, native_optionals=left, null_of_optional="dropped", text_below=level)
            for level in (3, 2, 1)
        ),
    ]


def _decided(
    tool: AnyTool, model: ModelInfo, descriptor: FormatDescriptor, config: bool | None, used: Usage
) -> StrictDecision:
    wish, priority = get_strict_mode(tool), _priority(tool, config)
    if wish is False or (wish is None and config is False):
        reason = (
            "the tool forbids strict mode"
            if wish is False
            else "the provider's configuration forbids strict mode"
        )
        return _lenient(tool, model, reason, priority)
    try:
        form, usage = fitting_form(tool.parameters_schema.json_schema(), descriptor, used)
    except UnsupportedSchemaError as error:
        decision = _lenient(tool, model, f"{error.reason} (at {error.pointer or '/'})", priority)
        _warn_if_required(decision, decision.reason)
        return decision
    if excess := used.plus(usage).excess(descriptor.budget):
        decision = _lenient(tool, model, f"over the budget: with it there would be {excess}", priority)
        _warn_if_required(decision, decision.reason)
        return decision
    flag = None if descriptor.family == "google" else True
    return StrictDecision(tool, flag, form, _why_strict(wish, config), usage, priority)


def _without_strict(tools: Sequence[AnyTool], model: ModelInfo) -> StrictPlan:
    for tool in tools:
        if get_strict_mode(tool) is True:
            raise StrictUnavailableError(tool.name, model.id)
    reason = f"the model {model.id!r} has no strict mode"
    decisions = (_lenient(tool, model, reason, _priority(tool, None)) for tool in tools)
    return StrictPlan(model, tuple(replace(item, strict=None) for item in decisions), Usage(), Budget())


def _lenient(tool: AnyTool, model: ModelInfo, reason: str, priority: float) -> StrictDecision:
    family = resolve_strict_format(model)
    descriptor = _LENIENT.get(family or "", LENIENT)
    try:
        form = strictify(tool.parameters_schema.json_schema(), descriptor)
    except UnsupportedSchemaError as error:
        raise UnsupportedSchemaError(error.pointer, error.reason, tool.name) from None
    return StrictDecision(tool, None if family == "google" else False, form, reason, Usage(), priority)


def _priority(tool: AnyTool, config: bool | None) -> float:
    wish = get_strict_mode(tool)
    if wish is True:
        return math.inf
    if wish is False or (wish is None and config is False):
        return 0.0
    return 1.0 if wish is None else float(wish)


def _why_strict(wish: bool | float | None, config: bool | None) -> str:
    if wish is True:
        return "the tool requires strict mode"
    if wish is not None:
        return f"the tool prefers strict mode, with priority {wish:g}"
    return "the provider's configuration asks for strict mode" if config else "strict mode by default"


def _warn_if_required(decision: StrictDecision, reason: str) -> None:
    if decision.priority == math.inf:
        text = f"tool {decision.tool.name!r} requires strict mode but is sent lenient: {reason}"
        warnings.warn(text, StrictDowngradeWarning, stacklevel=4)
