"""Services: immutable, typed, checked when added, silent about their values."""

from typing import Any, Protocol, cast

import pytest

from tool_core import Context, Key, ToolConfigurationError


class Database:
    def __repr__(self) -> str:
        return "secret connection string"


class Mailer(Protocol):
    def send(self) -> None: ...


CLOCK = Key("clock", float)


def test_adding_returns_a_new_context() -> None:
    empty = Context()
    database = Database()
    full = empty.add(Database, database).add(CLOCK, 1.5)
    assert full.get(Database) is database
    assert full.get(CLOCK) == 1.5
    assert Database not in empty
    assert list(full) == [Database, CLOCK]


def test_the_later_context_wins_a_merge() -> None:
    merged = Context().add(CLOCK, 1.0).merge(Context().add(CLOCK, 2.0))
    assert merged.get(CLOCK) == 2.0


def test_keys_with_different_types_are_different_services() -> None:
    context = Context().add(Key("limit", int), 3)
    assert Key("limit", int) in context
    assert Key("limit", str) not in context


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        (Database, 3, "service Database: expected Database, got int"),
        (CLOCK, "noon", "service clock: expected float, got str"),
        (Key("limit", int | None), "x", "service limit: expected int | None, got str"),
        ("Database", 3, "a service key is a class or a Key, not 'Database'"),
    ],
)
def test_a_wrong_service_is_refused_when_it_is_added(key: Any, value: object, message: str) -> None:
    with pytest.raises(ToolConfigurationError) as caught:
        Context().add(key, value)
    assert caught.value.description == message


def test_a_protocol_that_cannot_be_checked_is_accepted() -> None:
    assert Mailer in Context().add(Mailer, cast(Any, Database()))


def test_a_missing_service_says_how_to_provide_it() -> None:
    with pytest.raises(ToolConfigurationError) as caught:
        Context().get(Database)
    assert caught.value.description == (
        "the service Database is missing; add it with Context().add(Database, ...) when binding or calling"
    )


def test_the_representation_never_shows_a_value() -> None:
    assert repr(Context().add(Database, Database()).add(CLOCK, 1.5)) == "Context(Database, clock)"


def test_a_context_merges_with_a_context_only() -> None:
    with pytest.raises(ToolConfigurationError, match="a context merges with a Context, not dict"):
        Context().merge(cast(Any, {Database: Database()}))
