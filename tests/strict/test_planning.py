"""Plans: who is strict, who is not, and why."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any, cast

import pytest
from typing_extensions import TypedDict

from tool_core import Strict, StrictUnavailableError, Tool
from tool_core.strict import (
    OPENAI_STRICT,
    ModelInfo,
    ModelOverride,
    SizeLimits,
    StrictDowngradeWarning,
    model_info,
    plan_strict,
    resolve_strict_format,
    select_model,
    with_overrides,
)
from tool_core.strict.models import STRICT_SUPPORT


class Params(TypedDict):
    id: str


def tool(name: str, strict: bool | float | None = None, optionals: int = 0) -> Tool:
    properties = {f"p{number}": {"type": "string"} for number in range(optionals)}
    made = Tool.dynamic(
        name, parameters={"type": "object", "properties": properties, "additionalProperties": False}
    )
    return made if strict is None else made.annotate(Strict, strict)


RESOLUTION = [
    # tool annotation, provider configuration, wire value
    (None, None, True),
    (None, True, True),
    (None, False, False),
    (True, None, True),
    (True, False, True),
    (False, None, False),
    (False, True, False),
    (5, False, True),
]


@pytest.mark.parametrize("model", ["gpt-5", "claude-opus-4-5"])
@pytest.mark.parametrize(("annotation", "config", "expected"), RESOLUTION)
def test_the_tool_wins_over_the_configuration_which_wins_over_the_default(
    annotation: Any, config: bool | None, expected: bool, model: str
) -> None:
    [decision] = plan_strict([tool("t", annotation)], model, config=config).decisions
    assert decision.strict is expected
    assert decision.is_strict is expected
    assert (
        plan_strict([tool("t", annotation)], model, config={"strict_json_schema": config}).decisions[0]
        == decision
    )


@pytest.mark.parametrize("model", ["gpt-3.5-turbo", "claude-3-opus", "somebody/else", "gemini-1.5-pro"])
def test_a_model_without_strict_mode_gets_the_flag_omitted_or_an_error(model: str) -> None:
    plan = plan_strict([tool("t"), tool("u", 5)], model)
    assert [item.strict for item in plan.decisions] == [None, None]
    assert plan.decisions[0].reason == f"the model {model!r} has no strict mode"
    with pytest.raises(StrictUnavailableError) as caught:
        plan_strict([tool("t"), tool("must", True)], model)
    assert str(caught.value) == f"Tool 'must' requires strict mode, but model {model!r} does not support it"


def test_twenty_five_tools_on_anthropic() -> None:
    tools = [tool(f"tool-{number}", 100 if number < 5 else 1) for number in range(25)]
    plan = plan_strict(tools, "claude-opus-4-5")
    assert [item.is_strict for item in plan.decisions] == [True] * 20 + [False] * 5
    assert plan.usage.tools == 20
    assert plan.decisions[24].reason == (
        "over the budget: with it there would be 21 strict tools, of which a request may have 20"
    )
    assert plan_strict(tools, "gpt-5").is_all_strict


def test_priorities_decide_and_ties_go_by_position() -> None:
    tools = [tool(f"low-{number}", 1) for number in range(20)] + [tool("high", 7), tool("default")]
    plan = plan_strict(tools, "claude-opus-4-5")
    lenient = [item.tool.name for item in plan.decisions if not item.is_strict]
    assert lenient == ["low-19", "default"]


def test_a_fat_tool_is_passed_over_and_the_others_keep_their_place() -> None:
    tools = [tool("fat", 9, optionals=60), *(tool(f"t{number}", optionals=2) for number in range(12))]
    plan = plan_strict(tools, "claude-opus-4-5")
    assert [item.tool.name for item in plan.decisions if not item.is_strict] == ["fat"]
    assert plan.usage.optionals == 24


def test_optionals_are_traded_for_unions_when_they_run_out() -> None:
    [decision] = plan_strict([tool("wide", optionals=40)], "claude-opus-4-5").decisions
    assert decision.is_strict
    assert (decision.usage.optionals, decision.usage.unions) == (24, 16)
    value = {"p0": "x", "p39": "y"}
    assert decision.form.lift(decision.form.lower(value)) == value


def test_the_output_schema_uses_the_budget_too() -> None:
    output = {"type": "object", "properties": {f"o{number}": {"type": "string"} for number in range(24)}}
    plan = plan_strict([tool("t", optionals=20)], "claude-opus-4-5", output_schema=output)
    assert plan.usage.optionals == 24
    assert plan.output is not None
    assert plan.decisions[0].is_strict is False or plan.decisions[0].usage.optionals == 0


def test_a_required_tool_that_does_not_fit_is_downgraded_with_a_warning() -> None:
    tools = [tool(f"t{number}", True) for number in range(21)]
    with pytest.warns(
        StrictDowngradeWarning, match="tool 't20' requires strict mode but is sent lenient: over the budget"
    ):
        plan = plan_strict(tools, "claude-opus-4-5")
    assert sum(item.is_strict for item in plan.decisions) == 20


def test_a_schema_that_no_value_satisfies_is_lenient_with_the_reason() -> None:
    impossible = Tool.dynamic(
        "odd", parameters={"type": "object", "properties": {"a": False}, "required": ["a"]}
    )
    [decision] = plan_strict([impossible], "gpt-5").decisions
    assert (decision.strict, decision.reason) == (False, "no value satisfies the schema (at /)")


def test_nothing_is_downgraded_without_a_word() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        plan = plan_strict([tool(f"t{number}") for number in range(30)], "claude-opus-4-5")
    assert all(item.reason for item in plan.decisions)


def test_google_has_no_flag_and_one_mode_for_all() -> None:
    assert plan_strict([tool("a"), tool("b")], "gemini-3-pro").is_all_strict
    mixed = plan_strict([tool("a"), tool("b", False)], "gemini-3-pro")
    assert not mixed.is_all_strict
    assert [item.strict for item in mixed.decisions] == [None, None]


def test_degrading_gives_up_the_least_important_first_until_nothing_is_left() -> None:
    tools = [tool("must", True), tool("high", 9), *(tool(f"t{number}") for number in range(6))]
    plan = plan_strict(tools, "claude-opus-4-5")
    first = plan.degrade("The compiled grammar is too large")
    assert [item.tool.name for item in first.decisions if not item.is_strict] == ["t4", "t5"]
    assert first.decisions[7].reason == "given up after a refusal: The compiled grammar is too large"
    while sum(item.is_strict for item in first.decisions) > 1:
        first = first.degrade()
    assert [item.tool.name for item in first.decisions if item.is_strict] == ["must"]
    with pytest.warns(StrictDowngradeWarning):
        nothing = first.degrade()
    with pytest.raises(StrictUnavailableError):
        nothing.degrade()


def test_union_roots_are_wrapped_in_strict_and_in_lenient_mode() -> None:
    union = Tool.make("U", parameters=Params | list[int])
    for wish in (True, False):
        [decision] = plan_strict([union.annotate(Strict, wish)], "gpt-5").decisions
        assert decision.form.schema["type"] == "object"
        assert decision.form.lift({"value": [1]}) == [1]


# --- models ------------------------------------------------------------------------------------

SUPPORT = [
    ("gpt-4o", "openai"), ("gpt-4o-mini", "openai"), ("gpt-4o-2024-05-13", None), ("gpt-4o-2024-08-06", "openai"),
    ("gpt-4.1-nano", "openai"), ("gpt-5.6-sol", "openai"), ("gpt-6-astra", "openai"), ("o1", "openai"), ("o3-mini", "openai"),
    ("o1-mini", None), ("gpt-4-turbo", None), ("gpt-4", None), ("gpt-3.5-turbo", None),
    ("claude-opus-4-5-20251101", "anthropic"), ("claude-sonnet-4-5", "anthropic"), ("claude-opus-4-1", None),
    ("claude-sonnet-4-0", None), ("claude-3-7-sonnet", None), ("claude-opus-5-5", "anthropic"),
    ("gemini-2.5-flash", "google"), ("gemini-3-pro", "google"), ("gemini-2.0-flash", None),
    ("us.anthropic.claude-sonnet-4-5-20250929-v1:0", "anthropic"), ("openai/gpt-5", "openai"), ("google/gemini-3-pro", "google"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "expected"), SUPPORT)
def test_the_curated_table(name: str, expected: str | None) -> None:
    model = model_info(name)
    assert model.strict_format == expected
    assert model.supports_strict is (expected is not None)


def test_every_row_of_the_table_has_its_evidence() -> None:
    assert all(rule.evidence for rule in STRICT_SUPPORT)


def test_resolving_finds_a_dialect_and_never_grants_the_capability() -> None:
    legacy = ModelInfo("gpt-3.5-turbo", "openai")
    assert resolve_strict_format(legacy) == "openai"
    assert not legacy.supports_strict
    assert resolve_strict_format(ModelInfo("anthropic/claude-2", "openrouter")) == "anthropic"
    assert resolve_strict_format(ModelInfo("x", "acme", strict_format="google")) == "google"
    assert resolve_strict_format(ModelInfo("gpt-5", "openai", strict_format="none")) is None
    assert resolve_strict_format(ModelInfo("llama", "acme")) is None
    assert ModelInfo("x", "openai", capabilities=frozenset({"toolsStrict"})).supports_strict


def test_overrides_can_add_and_clear() -> None:
    mine = ModelOverride("openai", provider="acme", model_id="flagship")
    broken = ModelOverride("none", model_pattern="gpt-5-broken")
    rules = [*STRICT_SUPPORT, mine, broken]
    assert with_overrides(ModelInfo("flagship", "acme"), rules).supports_strict
    assert not with_overrides(ModelInfo("flagship", "other"), rules).supports_strict
    assert not with_overrides(ModelInfo("gpt-5-broken", "openai"), rules).supports_strict


def test_a_model_may_have_a_dialect_of_its_own() -> None:
    azure = replace(OPENAI_STRICT, id="azure-strict", limits=SizeLimits(properties=3, depth=5))
    model = ModelInfo("my-deployment", "azure", dialect=azure)
    plan = plan_strict([tool("small", optionals=2), tool("large", optionals=4)], model)
    assert [item.strict for item in plan.decisions] == [True, False]
    assert plan.decisions[1].reason == "it has 4 properties; the limit is 3 (at /)"


def test_selection_filters_by_requirement_scores_by_priority_and_explains() -> None:
    chosen = select_model(["gpt-3.5-turbo", "gpt-5", "claude-opus-4-5"], [tool("pay", True), tool("x", 5)])
    assert cast(ModelInfo, chosen.model).id == "gpt-5"
    assert chosen.rejected == {
        "gpt-3.5-turbo": "it has no strict mode, which pay requires",
        "claude-opus-4-5": "another model serves as many of the tools strictly and comes first",
    }
    preferred = select_model(["gpt-3.5-turbo", "gpt-5"], [tool("x", 5)])
    assert cast(ModelInfo, preferred.model).id == "gpt-5"
    assert preferred.rejected == {"gpt-3.5-turbo": "another model serves more of the tools strictly"}
    assert (
        cast(ModelInfo, select_model(["gpt-3.5-turbo", "gpt-5"], [tool("x", False)]).model).id
        == "gpt-3.5-turbo"
    )
    nobody = select_model(["gpt-3.5-turbo"], [], output=True)
    assert nobody.model is None
    assert nobody.rejected == {"gpt-3.5-turbo": "it has no strict mode, which the output requires"}
