"""Which services a context holds, and which it lacks; never executed."""

from __future__ import annotations

from typing import Never, Protocol, assert_type

from tool_core import Context, Key


class Database: ...


class Clock: ...


class Mailer(Protocol):
    def send(self, text: str) -> None: ...


CLOCK = Key("clock", Clock)
LIMIT = Key("limit", int | None)

assert_type(Context(), Context[Never])
both = Context().add(Database, Database()).add(CLOCK, Clock())
assert_type(both, Context[Database | Clock])
assert_type(both.get(Database), Database)
assert_type(both.get(CLOCK), Clock)
assert_type(Context().add(LIMIT, 3).get(LIMIT), int | None)


def with_mailer(mailer: Mailer) -> None:
    assert_type(Context().add(Mailer, mailer), Context[Mailer])


def needs_both(context: Context[Database | Clock]) -> None: ...


one = Context().add(Database, Database())
needs_both(both)
needs_both(one)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
assert_type(one.merge(Context().add(CLOCK, Clock())), Context[Database | Clock])
