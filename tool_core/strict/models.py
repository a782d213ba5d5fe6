"""Models: which of them speak a strict dialect, with the evidence, and which to pick. Layer 3."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias, cast

from tool_core.queries import get_strict_mode
from tool_core.strict.descriptors import (
    ANTHROPIC_STRICT,
    GOOGLE_STRICT,
    OPENAI_STRICT,
    Family,
    FormatDescriptor,
)
from tool_core.tools import AnyTool

StrictFormat: TypeAlias = Literal["openai", "anthropic", "google", "none"]

TOOLS_STRICT = "toolsStrict"
"""The capability of taking strict tools, as a list of models may state it without naming a dialect."""

_FAMILIES: dict[str, FormatDescriptor] = {
    "openai": OPENAI_STRICT,
    "anthropic": ANTHROPIC_STRICT,
    "google": GOOGLE_STRICT,
}


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """A model as far as strict mode is concerned.

    >>> ModelInfo("gpt-5", "openai", strict_format="openai").supports_strict
    True
    """

    id: str
    provider: str | None = None
    strict_format: StrictFormat | None = None
    capabilities: frozenset[str] = frozenset()
    dialect: FormatDescriptor | None = None
    """A dialect of its own, such as one with smaller limits, in place of its family's."""

    @property
    def supports_strict(self) -> bool:
        """Whether the model takes strict tools: said by its format, else by its capabilities."""
        if self.dialect is not None:
            return self.dialect.strict
        if self.strict_format is not None:
            return self.strict_format != "none"
        return TOOLS_STRICT in self.capabilities


@dataclass(frozen=True, slots=True)
class ModelOverride:
    """What is known of the models that a rule matches, and from where it is known.

    >>> ModelOverride(model_pattern=r"my-.*", strict_format="openai").matches(ModelInfo("my-flagship"))
    True
    """

    strict_format: StrictFormat
    provider: str | None = None
    model_id: str | None = None
    model_pattern: str | None = None
    evidence: str = field(default="", compare=False)

    def matches(self, model: ModelInfo) -> bool:
        """Tell whether the rule is about a model."""
        if self.provider is not None and self.provider != model.provider:
            return False
        if self.model_id is not None and self.model_id != model.id:
            return False
        return self.model_pattern is None or re.search(self.model_pattern, model.id) is not None


def _rule(strict_format: StrictFormat, pattern: str, evidence: str) -> ModelOverride:
    return ModelOverride(strict_format, model_pattern=pattern, evidence=evidence)


_ID = r"(?:^|[/.:])"  # a vendor's id may stand behind the name of a router or of a cloud
_LISTED = "OpenAI's list of models with structured outputs"
STRICT_SUPPORT: tuple[ModelOverride, ...] = (
    _rule(
        "openai",
        _ID + r"gpt-4o(?!-2024-05-13)(?!.*(?:audio|search|realtime))",
        "OpenAI: gpt-4o-mini, and gpt-4o-2024-08-06 and later",
    ),
    _rule("openai", _ID + r"gpt-4\.1", _LISTED),
    _rule("openai", _ID + r"gpt-5(?!.*(?:audio|search|deep-research))", "live strict calls on gpt-5.6"),
    _rule("openai", _ID + r"gpt-6", "named by the OpenAI SDK; strict by the rule 'gpt-4o and later'"),
    _rule("openai", _ID + r"(?:o1|o1-pro|o3|o3-mini|o3-pro|o4-mini)(?:-\d|$)", _LISTED),
    _rule("openai", _ID + r"gpt-realtime", "tools only"),
    _rule(
        "anthropic",
        _ID + r"claude-(?:opus-4[-.][5-8]|sonnet-4[-.][56]|haiku-4[-.]5)",  # OpenRouter writes 4.5
        "Anthropic's documentation, July 2026",
    ),
    _rule(
        "anthropic",
        _ID + r"claude-(?:opus|sonnet|haiku|fable|mythos)-5",
        "Anthropic's documentation; Opus 5.5 measured",
    ),
    _rule("google", _ID + r"gemini-(?:2\.5|[3-9])(?!.*image)", "Google: mode VALIDATED from 2.5 on"),
)
"""Curated; a later rule wins, and a user's rules come after these."""


def with_overrides(model: ModelInfo, overrides: Iterable[ModelOverride] = STRICT_SUPPORT) -> ModelInfo:
    """Apply what is known of a model; `"none"` clears what another source claimed.

    >>> with_overrides(ModelInfo("claude-opus-4-5", "anthropic")).strict_format
    'anthropic'
    >>> with_overrides(ModelInfo("gpt-3.5-turbo", "openai")).supports_strict
    False
    """
    for rule in overrides:
        if rule.matches(model):
            model = replace(model, strict_format=rule.strict_format)
    return model


def model_info(model: ModelInfo | str) -> ModelInfo:
    """Take a model, or the id of one as the curated table knows it.

    >>> model_info("openai/gpt-5").strict_format
    'openai'
    """
    if isinstance(model, ModelInfo):
        return model
    prefix = model.split("/")[0] if "/" in model else None
    return with_overrides(ModelInfo(model, prefix))


def resolve_strict_format(model: ModelInfo | str) -> Family | None:
    """Find a model's dialect: said, or by its provider, or by the prefix of its id.

    Gotchas:
        Knowing the dialect does not grant strict mode: `supports_strict` does.

    >>> resolve_strict_format(ModelInfo("anthropic/claude-2", "openrouter"))
    'anthropic'
    """
    known = model_info(model)
    if known.dialect is not None:
        return known.dialect.family
    if known.strict_format == "none":
        return None
    candidates = (known.strict_format, known.provider, known.id.split("/")[0])
    return next((cast("Family", name) for name in candidates if name in _FAMILIES), None)


def strict_descriptor(model: ModelInfo) -> FormatDescriptor | None:
    """Return the strict dialect of a model that supports it."""
    if model.dialect is not None:
        return model.dialect if model.dialect.strict else None
    family = resolve_strict_format(model)
    return _FAMILIES[family] if family is not None and model.supports_strict else None


@dataclass(frozen=True, slots=True)
class ModelSelection:
    """The model that suits a set of tools best, and why the others were not taken."""

    model: ModelInfo | None
    score: float
    rejected: Mapping[str, str]


def select_model(
    models: Sequence[ModelInfo | str], tools: Iterable[AnyTool], output: bool | float | None = None
) -> ModelSelection:
    """Pick a model: a tool that requires strict mode filters, priorities score, ties go to the first.

    `output` is what the structured output says about strict mode, as a tool's annotation would.

    >>> from tool_core import Strict, Tool
    >>> select_model(["gpt-3.5-turbo", "gpt-5"], [Tool.make("Pay").annotate(Strict, True)]).model.id
    'gpt-5'
    """
    wishes = [(tool.name, get_strict_mode(tool)) for tool in tools]
    wishes += [] if output is None else [("the output", output)]
    required = [name for name, wish in wishes if wish is True]
    weight = sum(1.0 if wish is None else float(wish) for _, wish in wishes if not isinstance(wish, bool))
    best: tuple[float, ModelInfo] | None = None
    rejected: dict[str, str] = {}
    for model in map(model_info, models):
        if required and not model.supports_strict:
            rejected[model.id] = f"it has no strict mode, which {', '.join(required)} requires"
            continue
        score = weight if model.supports_strict else 0.0
        if best is None or score > best[0]:
            if best is not None:
                rejected[best[1].id] = "another model serves more of the tools strictly"
            best = (score, model)
        else:
            reason = "another model serves as many of the tools strictly and comes first"
            rejected[model.id] = (
                reason if score == best[0] else "another model serves more of the tools strictly"
            )
    return ModelSelection(best[1] if best else None, best[0] if best else 0.0, rejected)
