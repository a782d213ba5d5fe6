"""Names on the wire: each provider's alphabet and length, the way back, and what would collide."""

from __future__ import annotations

import re
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.providers.kits import prepared
from tests.providers.responses import APIS, WRITERS
from tool_core import Tool, ToolConfigurationError, Toolkit
from tool_core.providers.anthropic.messages import MESSAGES
from tool_core.providers.google.contents import GENERATE_CONTENT
from tool_core.providers.openai import WebSearch
from tool_core.providers.openai.responses import RESPONSES

RULES = {
    "responses": r"[a-zA-Z0-9_-]{1,64}",
    "chat": r"[a-zA-Z0-9_-]{1,64}",
    "messages": r"[a-zA-Z0-9_-]{1,128}",
    "generate": r"[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}",
}
NAMES = [
    "plain",
    "with-dash",
    "with.dot",
    "9starts",
    "-dash",
    ".dot",
    "x" * 128,
    "y" * 64,
    "y" * 65,
    "a.b.c",
    "_",
]


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_legal_there_and_ours_again_here(api: str, name: str) -> None:
    plan = prepared(api, Toolkit.make(Tool.make(name)))
    wire = plan.names[name]
    assert re.fullmatch(RULES[api], wire)
    if re.fullmatch(RULES[api], name):
        assert wire == name
    [part] = plan.read_calls(WRITERS[api]([("c1", wire, {})]))
    assert cast(Any, part)["name"] == name


def test_long_names_that_differ_only_at_the_end_stay_apart() -> None:
    kit = Toolkit.make(Tool.make("n" * 100 + "a"), Tool.make("n" * 100 + "b"))
    first, second = prepared("responses", kit).names.values()
    assert first != second and len(first) == len(second) == 64


@given(st.text("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-", min_size=1, max_size=128))
def test_every_legal_name_has_a_legal_one_there(name: str) -> None:
    for api, rule in (("responses", RESPONSES), ("messages", MESSAGES), ("generate", GENERATE_CONTENT)):
        assert re.fullmatch(RULES[api], rule.name_rule.wire_name(name))


@pytest.mark.parametrize("api", ["responses", "chat", "messages"])
def test_names_that_would_be_one_are_refused_with_the_fix(api: str) -> None:
    with pytest.raises(ToolConfigurationError) as caught:
        prepared(api, Toolkit.make(Tool.make("a.b"), Tool.make("a_b")))
    assert str(caught.value) == (
        "Invalid configuration for tool 'a_b': 'a.b' and 'a_b' would both be 'a_b' to the provider; "
        "rename the one that is yours with `toolkit.rename`"
    )


def test_a_tool_of_ours_does_not_take_a_provider_tools_name() -> None:
    with pytest.raises(
        ToolConfigurationError, match="'web_search' and 'OpenAiWebSearch' would both be 'web_search'"
    ):
        prepared("responses", Toolkit.make(Tool.make("web_search"), WebSearch({})))
