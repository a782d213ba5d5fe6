"""Samples of a schema are valid, and absurd schemas have none rather than costing memory or an error."""

from __future__ import annotations

from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given

from tests.hostile.guards import MANY, contained
from tests.hostile.strategies import schemas
from tool_core.samples import sample_values


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string", "minLength": 10**12},
        {"type": "array", "minItems": 10**12},
        {"type": "number", "multipleOf": 5e-324, "minimum": 1},
        {"type": "object", "required": [{"a": 1}]},
        {"type": "string", "minLength": "three"},
        {"not": {}},
    ],
)
def test_what_cannot_be_drawn_has_no_sample(schema: Any) -> None:
    assert sample_values(schema, 2) == []


@given(schemas())
@MANY
def test_samples_of_any_schema_are_valid_or_absent(schema: Any) -> None:
    with contained():
        found = sample_values(schema, 2)
        try:
            validator = jsonschema_rs.validator_for(schema, validate_formats=False)
        except Exception:
            return
        assert all(validator.is_valid(value) for value in found)
