"""Toolkits: one name each, whatever they are made from."""

import pickle
from typing import Any, cast

import pytest

from tool_core import Readonly, Tool, ToolConfigurationError, Toolkit

NOW = Tool.make("Now", success=float)
SEARCH = Tool.make("SearchWeb", description="Look something up on the internet", success=str)
MAIL = Tool.dynamic("send_mail", description="Send an e-mail message")
WEB = Tool.provider_defined(id="openai.web_search", custom_name="Web", provider_name="web_search")()
KIT = Toolkit.make(NOW, SEARCH, MAIL)


def test_tools_keep_the_order_of_their_definition() -> None:
    assert list(KIT.tools) == ["Now", "SearchWeb", "send_mail"]
    assert list(KIT) == [NOW, SEARCH, MAIL]
    assert KIT.tools["Now"] is NOW
    assert len(KIT) == 3
    assert "Now" in KIT
    assert repr(KIT) == "Toolkit(Now, SearchWeb, send_mail)"


def test_a_toolkit_is_a_read_only_value() -> None:
    assert pickle.loads(pickle.dumps(KIT)) == KIT
    assert hash(KIT) == hash(Toolkit.make(NOW, SEARCH, MAIL))
    with pytest.raises(TypeError):
        KIT.tools["Now"] = SEARCH  # type: ignore[index]  # pyright: ignore[reportIndexIssue]


def test_empty_is_neutral_to_merging() -> None:
    assert Toolkit.merge(Toolkit.empty, KIT, Toolkit.empty) == KIT
    assert len(Toolkit.empty) == 0


DUPLICATE = (
    "Invalid configuration for tool 'Now': two tools have this name: "
    "Tool 'Now' (EmptyParams) -> float and Tool 'Now' (EmptyParams) -> int"
)


def test_a_repeated_name_shows_both_definitions() -> None:
    other = Tool.make("Now", success=int)
    with pytest.raises(ToolConfigurationError) as made:
        Toolkit.make(NOW, other)
    with pytest.raises(ToolConfigurationError) as merged:
        Toolkit.merge(Toolkit.make(NOW), Toolkit.make(other))
    assert str(made.value) == str(merged.value) == DUPLICATE


def test_a_collision_that_renaming_makes_is_refused() -> None:
    kit = Toolkit.make(Tool.make("a"), Tool.make("b"))
    with pytest.raises(ToolConfigurationError, match="two tools have this name"):
        kit.rename({"a": "b"})
    with pytest.raises(ToolConfigurationError, match="two tools have this name"):
        Toolkit.merge(Toolkit.make(Tool.make("x_a")), Toolkit.make(Tool.make("a")).prefix("x_"))


def test_names_can_be_swapped() -> None:
    kit = Toolkit.make(Tool.make("a"), Tool.make("b")).rename({"a": "b", "b": "a"})
    assert list(kit.tools) == ["b", "a"]


def test_prefix_and_rename_change_the_name_and_the_id_but_not_the_kind() -> None:
    kit = Toolkit.make(NOW, MAIL, WEB).prefix("srv_")
    assert [(tool.name, tool.id) for tool in kit] == [
        ("srv_Now", "tool_core/srv_Now"),
        ("srv_send_mail", "tool_core/srv_send_mail"),
        ("srv_Web", "openai.web_search"),
    ]
    assert [type(tool) for tool in kit] == [type(tool) for tool in (NOW, MAIL, WEB)]


def test_filter_takes_names_or_a_predicate() -> None:
    assert list(KIT.filter(["SearchWeb"]).tools) == ["SearchWeb"]
    reading = Toolkit.make(NOW.annotate(Readonly, True), SEARCH)
    assert list(reading.filter(lambda tool: tool.annotations.get(Readonly)).tools) == ["Now"]


@pytest.mark.parametrize("use", [lambda: KIT.filter(["Nwo"]), lambda: KIT.rename({"Nwo": "Time"})])
def test_an_unknown_name_is_refused_with_the_closest(use: object) -> None:
    with pytest.raises(ToolConfigurationError) as caught:
        use()  # type: ignore[operator]  # pyright: ignore[reportCallIssue]
    assert caught.value.description == "the toolkit has no such tool, did you mean 'Now'?"


def test_an_illegal_new_name_is_refused() -> None:
    with pytest.raises(ToolConfigurationError, match="a tool name has 1 to 128 characters"):
        KIT.prefix("no spaces ")


def test_search_ranks_names_above_descriptions() -> None:
    assert list(KIT.search("send an email").tools) == ["send_mail"]
    assert list(KIT.search("web internet").tools) == ["SearchWeb"]
    assert list(KIT.search("nothing of the kind").tools) == []
    many = Toolkit.make(*(Tool.make(f"tool_{n}", description="Searches things") for n in range(50)), SEARCH)
    assert next(iter(many.search("search"))) is SEARCH
    assert len(many.search("search", limit=3)) == 3


def test_only_tools_go_into_a_toolkit() -> None:
    with pytest.raises(ToolConfigurationError, match="a toolkit holds tools, not 3"):
        Toolkit.make(3)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda kit: Toolkit.merge(kit, cast(Any, "Now")), "merge takes toolkits, not str"),
        (lambda kit: kit.filter("Now"), "filter takes names or a predicate, not 'Now'"),
        (lambda kit: kit.filter(None), "filter takes names or a predicate, not None"),
        (lambda kit: kit.filter([5]), "the toolkit has no such tool"),
        (lambda kit: kit.prefix(5), "a prefix is a text, not int"),
        (lambda kit: kit.rename(["Now"]), "rename takes a mapping of names, not list"),
        (lambda kit: kit.search(None), "a query is a text, not NoneType"),
    ],
)
def test_a_toolkit_says_what_it_takes(make: Any, message: str) -> None:
    with pytest.raises(ToolConfigurationError) as caught:
        make(Toolkit.make(Tool.make("Now")))
    assert caught.value.description == message
