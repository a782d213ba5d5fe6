"""Strict mode on the wire: who gets true, false or nothing, row by row."""

from __future__ import annotations

import warnings
from typing import Any, cast

import pytest

from tests.providers.kits import KIT, NOW, PLAN, SEARCH, Trip, prepared
from tool_core import Strict, StrictUnavailableError, Tool, Toolkit
from tool_core.strict import ModelInfo, StrictDowngradeWarning

ABSENT = "absent"
OLD = {"responses": "gpt-3.5-turbo", "chat": "gpt-3.5-turbo", "messages": "claude-3-7-sonnet"}

TABLE: list[tuple[str, bool | None, bool | None, bool]] = [
    # scenario, tool annotation, provider configuration, resolved value
    ("default", None, None, True),
    ("global non-strict", None, False, False),
    ("global strict", None, True, True),
    ("per-tool override", False, True, False),
    ("per-tool override of the default", False, None, False),
    ("per-tool strict on non-strict global", True, False, True),
    ("per-tool strict", True, None, True),
]


def kit(annotation: bool | None) -> Toolkit[Any]:
    return Toolkit.make(PLAN if annotation is None else PLAN.annotate(Strict, annotation))


def wire(api: str, request: dict[str, Any]) -> object:
    """Read what the request says about strict mode of its only tool."""
    [tool] = request["tools"]
    return (tool["function"] if api == "chat" else tool).get("strict", ABSENT)


@pytest.mark.parametrize("api", ["responses", "chat", "messages"])
@pytest.mark.parametrize(("scenario", "annotation", "config", "resolved"), TABLE, ids=lambda item: str(item))
def test_the_resolution_table(
    api: str, scenario: str, annotation: bool | None, config: bool | None, resolved: bool
) -> None:
    made = prepared(api, kit(annotation), strict_json_schema=config)
    assert wire(api, made.request) is resolved
    assert made.plan.decisions[0].is_strict is resolved


@pytest.mark.parametrize(("scenario", "annotation", "config", "resolved"), TABLE, ids=lambda item: str(item))
def test_googles_equivalent_is_the_mode_of_the_request(
    scenario: str, annotation: bool | None, config: bool | None, resolved: bool
) -> None:
    made = prepared("generate", kit(annotation), strict_json_schema=config)
    assert made.tool_choice == ({"function_calling_config": {"mode": "VALIDATED"}} if resolved else None)
    parameters = made.tools[0]["function_declarations"][0]["parameters_json_schema"]
    assert ("propertyOrdering" in parameters) is resolved
    assert "strict" not in str(made.request)


@pytest.mark.parametrize("annotation", [None, False])
@pytest.mark.parametrize("config", [None, True, False])
def test_a_model_without_strict_mode_gets_no_flag(annotation: bool | None, config: bool | None) -> None:
    for api in ("chat", "messages"):
        made = prepared(api, kit(annotation), model=OLD[api], strict_json_schema=config)
        assert wire(api, made.request) == ABSENT
        assert "structured-outputs" not in str(made.headers)
    # Left out, the Responses API would try strict mode of its own accord.
    assert wire("responses", prepared("responses", kit(annotation), model=OLD["responses"]).request) is False


@pytest.mark.parametrize("api", list(OLD))
def test_what_requires_strict_mode_is_refused_before_any_request(api: str) -> None:
    with pytest.raises(StrictUnavailableError) as caught:
        prepared(api, kit(True), model=OLD[api])
    expected = f"Tool 'trips.plan' requires strict mode, but model {OLD[api]!r} does not support it"
    assert str(caught.value) == expected


def test_anthropics_output_format_has_no_flag() -> None:
    for config in (None, True, False):
        made = prepared("messages", output_schema=Trip, strict_json_schema=config)
        assert made.request["output_config"]["format"].keys() == {"type", "schema"}


@pytest.mark.parametrize(("config", "strict"), [(None, True), (True, True), (False, False)])
def test_openais_output_format_has_one(config: bool | None, strict: bool) -> None:
    sent = prepared("responses", output_schema=Trip, strict_json_schema=config).request["text"]["format"]
    assert (sent["type"], sent["name"], sent["strict"]) == ("json_schema", "Trip", strict)
    assert ("days" in sent["schema"]["required"]) is strict
    sent = prepared("chat", output_schema=Trip, strict_json_schema=config).request["response_format"]
    assert (sent["type"], sent["json_schema"]["strict"]) == ("json_schema", strict)


@pytest.mark.parametrize("annotation", [None, False])
def test_the_beta_is_sent_whenever_a_model_has_structured_outputs(annotation: bool | None) -> None:
    made = prepared("messages", kit(annotation))
    assert made.headers == {"anthropic-beta": "structured-outputs-2025-11-13"}


def test_lenient_means_a_schema_as_it_was_written() -> None:
    """The flag is not all that differs: the rewriting is for strict mode."""
    for api, path in (("responses", ["parameters"]), ("messages", ["input_schema"])):
        tool: Any = prepared(api, Toolkit.make(SEARCH), strict_json_schema=False).tools[0]
        assert tool[path[0]]["properties"] == {"q": {"type": "string", "minLength": 1}}


def test_google_holds_all_tools_to_their_schemas_or_none() -> None:
    mixed = Toolkit.make(PLAN, NOW.annotate(Strict, False))
    made = prepared("generate", mixed)
    assert made.tool_choice is None
    reasons = [item.reason for item in made.plan.decisions]
    assert reasons[0] == "Google enforces all tools of a request or none, and 'Now' is lenient"
    assert (
        made.tools[0]["function_declarations"][0]["parameters_json_schema"]["properties"]["budget"]["type"]
        == "object"
    )
    with pytest.warns(
        StrictDowngradeWarning, match=r"'trips\.plan' requires strict mode but is sent lenient"
    ):
        prepared("generate", Toolkit.make(PLAN.annotate(Strict, True), NOW.annotate(Strict, False)))


def test_where_google_must_call_it_enforces_what_can_be_enforced() -> None:
    mixed = Toolkit.make(PLAN, NOW.annotate(Strict, False))
    made = prepared("generate", mixed, tool_choice="required")
    assert made.tool_choice == {"function_calling_config": {"mode": "ANY"}}
    assert [item.is_strict for item in made.plan.decisions] == [True, False]


GATEWAYS = [
    # an id at a gateway or in a cloud, the dialect's mark, the flag
    ("anthropic/claude-opus-4-5", "anthropic-strict", True),
    ("openai/gpt-5", "openai-strict", True),
    ("google/gemini-3-pro", "google-strict", True),
    ("us.anthropic.claude-sonnet-4-5-20250929-v1:0", "anthropic-strict", True),
    ("meta-llama/llama-4", "openai", ABSENT),
    ("my-finetune", "openai", ABSENT),
    ("anthropic/claude-2", "anthropic", ABSENT),
]


@pytest.mark.parametrize(("model", "dialect", "flag"), GATEWAYS)
def test_a_gateways_models_get_their_own_dialect(model: str, dialect: str, flag: object) -> None:
    made = prepared("chat", kit(None), model=model)
    assert made.plan.decisions[0].form.descriptor.id == dialect
    assert wire("chat", made.request) == flag


def test_what_is_said_of_a_model_counts() -> None:
    azure = ModelInfo("my-deployment", "azure", capabilities=frozenset({"toolsStrict"}))
    assert prepared("chat", kit(None), model=azure).plan.decisions[0].form.descriptor.id == "openai-strict"
    never = ModelInfo("gpt-5", "openai", strict_format="none")
    assert wire("chat", prepared("chat", kit(None), model=never).request) == ABSENT


@pytest.mark.parametrize("api", ["responses", "chat", "messages", "generate"])
@pytest.mark.parametrize("model", [None, "nobody-knows-it"])
def test_a_root_that_is_no_object_is_wrapped_strict_or_not(api: str, model: str | None) -> None:
    made = prepared(api, Toolkit.make(*KIT.filter(["Book", "Wake"])), **({"model": model} if model else {}))
    for decision in made.plan.decisions:
        assert decision.form.schema["type"] == "object"
        assert list(cast(Any, decision.form.schema)["properties"]) == ["value"]


def test_a_schema_that_the_dialect_cannot_say_is_sent_lenient_with_the_reason() -> None:
    properties = {f"p{number}": {"type": "string"} for number in range(5001)}
    huge = Tool.dynamic("Huge", parameters={"type": "object", "properties": properties})
    made = prepared("responses", Toolkit.make(huge, NOW))
    assert [tool["strict"] for tool in made.tools] == [False, True]
    assert "5001" in made.plan.decisions[0].reason and "5000" in made.plan.decisions[0].reason
    with pytest.warns(StrictDowngradeWarning, match="'Huge' requires strict mode"):
        prepared("responses", Toolkit.make(huge.annotate(Strict, True)))


def test_an_output_that_the_dialect_cannot_say_is_asked_for_without_strict_mode() -> None:
    properties = {f"p{number}": {"type": "string"} for number in range(5001)}
    made = prepared("responses", output_schema={"type": "object", "properties": properties})
    assert made.request["text"]["format"]["strict"] is False


def test_nothing_of_our_configuration_leaks_into_the_request() -> None:
    for api in ("responses", "chat", "messages", "generate"):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            text = str(prepared(api, strict_json_schema=False, tool_choice="auto").request)
        assert "strict_json_schema" not in text and "one_of" not in text
