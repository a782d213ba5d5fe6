"""Every real schema at hand, in every dialect: the laws hold, and nearly all can be expressed."""

from __future__ import annotations

import pytest

from tests.strict.laws import CORPORA, broken_laws, corpus
from tool_core import UnsupportedSchemaError
from tool_core.strict import (
    ANTHROPIC_STRICT,
    GOOGLE_STRICT,
    OPENAI_STRICT,
    FormatDescriptor,
    fitting_form,
    strictify,
)

pytestmark = pytest.mark.skipif(not CORPORA.exists(), reason="the corpora are not beside this repository")

DIALECTS = [OPENAI_STRICT, ANTHROPIC_STRICT, GOOGLE_STRICT]


@pytest.mark.parametrize("descriptor", DIALECTS, ids=lambda item: item.id)
@pytest.mark.parametrize(("name", "least"), [("mcp-tools", 0.999), ("json-schemas", 0.987)])
def test_the_laws_hold_and_coverage_is_nearly_complete(
    name: str, least: float, descriptor: FormatDescriptor
) -> None:
    total, impossible, broken = 0, [], []
    for number, schema in enumerate(corpus(name)):
        total += 1
        try:
            broken += [f"{number}: {item}" for item in broken_laws(schema, descriptor, 2, number)]
        except UnsupportedSchemaError as error:
            impossible.append(f"{number}: {error.reason}")
    assert broken == []
    assert 1 - len(impossible) / total >= least
    assert {item.partition(": ")[2] for item in impossible} <= {"no value satisfies the schema"}


def test_nearly_every_tool_alone_fits_anthropics_budget() -> None:
    fitting = total = 0
    for schema in corpus("mcp-tools"):
        total += 1
        try:
            _, usage = fitting_form(schema, ANTHROPIC_STRICT)
        except UnsupportedSchemaError:
            continue
        fitting += usage.excess(ANTHROPIC_STRICT.budget) is None
    assert fitting / total >= 0.98


@pytest.mark.parametrize("descriptor", DIALECTS, ids=lambda item: item.id)
def test_strictifying_twice_changes_nothing_in_mcp_tools(descriptor: FormatDescriptor) -> None:
    changed = []
    for number, schema in enumerate(corpus("mcp-tools")):
        if number % 5 == 0:
            try:
                once = strictify(schema, descriptor).schema
            except UnsupportedSchemaError:
                continue
            if strictify(once, descriptor).schema != once:
                changed.append(number)
    assert changed == []
