"""Which providers and models the tools are held against. Edge."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from tool_core.cli.complaints import complaint
from tool_core.names import did_you_mean
from tool_core.strict import ModelInfo, model_info, resolve_strict_format
from tool_core.strict.descriptors import Family

DEFAULT_MODELS: dict[Family, str] = {
    "openai": "gpt-5",
    "anthropic": "claude-opus-4-5",
    "google": "gemini-3-pro",
}
"""What is checked where no model is named: a current one of each provider."""

_NAMED: dict[Family, re.Pattern[str]] = {
    "openai": re.compile(r"(?:^|[/.:])(?:gpt|chatgpt|o\d)\b"),
    "anthropic": re.compile(r"(?:^|[/.:])claude\b"),
    "google": re.compile(r"(?:^|[/.:])gemini\b"),
}

LABELS: dict[Family, str] = {"openai": "OpenAI", "anthropic": "Anthropic", "google": "Google"}


@dataclass(frozen=True, slots=True)
class Column:
    """A provider and one of its models.

    >>> Column("openai", "gpt-5").label
    'OpenAI'
    """

    provider: Family
    model: str

    @property
    def label(self) -> str:
        """The provider's name as people write it."""
        return LABELS[self.provider]

    @property
    def info(self) -> ModelInfo:
        """The model as strict mode knows it, told whose it is."""
        known = model_info(self.model)
        return known if resolve_strict_format(known) else replace(known, provider=self.provider)


def columns_for(providers: Sequence[str] = (), models: Sequence[str] = ()) -> tuple[Column, ...]:
    """Choose the columns: the models named, each with its provider, and a default for the others.

    >>> [column.model for column in columns_for(["google"])]
    ['gemini-3-pro']
    >>> columns_for(models=["gpt-4o"])
    (Column(provider='openai', model='gpt-4o'),)
    >>> columns_for(models=["claude-3-haiku"])
    (Column(provider='anthropic', model='claude-3-haiku'),)
    """
    chosen: list[Family] = list(dict.fromkeys(_provider(name) for name in providers))
    named = [_column(model, chosen) for model in models]
    rest: list[Family] = [family for family in chosen if family not in {column.provider for column in named}]
    if not chosen and not models:
        rest = list(DEFAULT_MODELS)
    return tuple(dict.fromkeys([*named, *(Column(family, DEFAULT_MODELS[family]) for family in rest)]))


def _provider(name: str) -> Family:
    for family in DEFAULT_MODELS:
        if name.lower() == family:
            return family
    raise complaint(
        f"there is no provider {name!r}{_meant(name)}", f"give one of {', '.join(DEFAULT_MODELS)}"
    )


def _column(model: str, chosen: Sequence[Family]) -> Column:
    family = resolve_strict_format(model) or _family_named(model)
    if family is None and len(chosen) == 1:
        family = chosen[0]
    if family is None:
        raise complaint(
            f"the provider of the model {model!r} is not known",
            f"give one --provider, or write it before the model, as in openai/{model}",
        )
    if chosen and family not in chosen:
        raise complaint(f"{model!r} is a model of {LABELS[family]}", f"add --provider {family}")
    return Column(family, model)


def _family_named(model: str) -> Family | None:
    """Tell whose a model without strict mode is, by the name that all of its family have."""
    return next((family for family, pattern in _NAMED.items() if pattern.search(model)), None)


def _meant(name: str) -> str:
    return did_you_mean(name.lower(), DEFAULT_MODELS)


def labels_of(columns: Iterable[Column], every: Sequence[Column]) -> str:
    """Name some of the columns as briefly as can be.

    >>> openai, anthropic, google = columns_for()
    >>> [labels_of(some, columns_for()) for some in ([openai], [openai, google], columns_for())]
    ['OpenAI', 'not Anthropic', 'all']
    """
    found = list(dict.fromkeys(columns))
    missing = [column for column in every if column not in found]
    if not missing and len(every) > 1:
        return "all"
    if len(missing) == 1 and len(every) > 2:
        return f"not {_short(missing[0], every)}"
    return ", ".join(_short(column, every) for column in found)


def _short(column: Column, every: Sequence[Column]) -> str:
    is_alone = sum(other.provider == column.provider for other in every) == 1
    return column.label if is_alone else column.model
