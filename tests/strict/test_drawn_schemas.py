"""The laws, for schemas drawn at random in any draft and every dialect."""

from __future__ import annotations

import json

import pytest

from tests.strict.drawn import drawn_schema
from tests.strict.laws import broken_laws
from tool_core import UnsupportedSchemaError
from tool_core.strict import DESCRIPTORS, FormatDescriptor, strictify


@pytest.mark.parametrize("descriptor", DESCRIPTORS, ids=lambda item: item.id)
def test_the_laws_hold_whatever_stands_beside_what(descriptor: FormatDescriptor) -> None:
    broken: list[str] = []
    for seed in range(300):
        schema = drawn_schema(seed)
        try:
            form = strictify(schema, descriptor)
            found = broken_laws(schema, descriptor, 4, seed)
        except UnsupportedSchemaError:
            continue
        broken += [f"{seed}: {item}" for item in found]
        assert len(form.text) < 200 * len(json.dumps(schema)) + 5000
    assert broken == []
