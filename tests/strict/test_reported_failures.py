"""Schemas that broke other converters or whole requests in public bug reports: here they work."""

from __future__ import annotations

from typing import Any

import pytest

from tests.strict.laws import broken_laws
from tool_core.strict import (
    ANTHROPIC_STRICT,
    GOOGLE_STRICT,
    OPENAI,
    OPENAI_STRICT,
    FormatDescriptor,
    strictify,
)

S, I, N = {"type": "string"}, {"type": "integer"}, {"type": "null"}  # noqa: E741


def params(*required: str, **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(required)}


REPORTS: list[tuple[str, Any, Any]] = [
    ("openai-agents#608: a dict parameter", params("p", p={"type": "object"}), {"p": {"a": 1}}),
    ("openai-agents#449: a tool without properties", {"type": "object"}, {}),
    ("openai-agents#4114: nullable objects", params("a", a={"type": ["object", "null"], "properties": {"b": S}}), {"a": {"b": "x"}}),
    ("openai-agents#4114: properties without a type", params("a", a={"properties": {"b": S}}), {"a": {"b": "x"}}),
    ("openai-agents#528: a list of anything", params("a", a={"type": "array", "items": {}}), {"a": [1, {"b": None}, "x"]}),
    ("openai-python#2004: Dict[str, Any]", params("a", a={"type": "object", "additionalProperties": True}), {"a": {"k": [1]}}),
    ("openai-python#2740: extra='allow'", {**params("a", a=S), "additionalProperties": True}, {"a": "x", "b": 2}),
    ("pydantic-ai#4117: a dict on Anthropic", params("a", a={"type": "object", "additionalProperties": I}), {"a": {"k": 1}}),
    ("pydantic-ai#4425: a bare list", params("a", a={"type": "array"}), {"a": [1, "b"]}),
    ("vercel/ai#12876: a discriminated union as oneOf",
     params("a", a={"oneOf": [params("k", "x", k={"const": "x"}, x=S), params("k", "y", k={"const": "y"}, y=I)]}), {"a": {"k": "y", "y": 1}}),
    ("vercel/ai#17197: maxItems", params("a", a={"type": "array", "items": S, "maxItems": 3}), {"a": ["x"]}),
    ("vercel/ai#6776: an optional parameter", params("a", a=S, workdir=S), {"a": "x"}),
    ("anthropic-sdk-python#1876: a type array", params("a", a={"type": ["string", "null"]}), {"a": None}),
    ("litellm#35808: an explicitly open object", params("a", a={"type": "object", "properties": {"b": S}, "additionalProperties": True}), {"a": {"b": "x", "c": [1]}}),
    ("req_llm#302: minimum and minLength", params("a", "b", a={"type": "integer", "minimum": 1}, b={"type": "string", "minLength": 1}), {"a": 1, "b": "x"}),
    ("python-sdk#494: a union at the root", {"anyOf": [params("a", a=S), params("b", b=I)]}, {"b": 1}),
    ("fastmcp#3680: T | None = None", params(a={"anyOf": [S, N], "default": None}), {"a": None}),
    ("zed#44875: const", params("a", a={"const": "x"}), {"a": "x"}),
    ("python-genai#2889: a dict that must not come back empty", params("a", a={"type": "object", "additionalProperties": S}), {"a": {"k": "v"}}),
    ("chatlas#255: format uri", params("a", a={"type": "string", "format": "uri"}), {"a": "https://example.com"}),
    ("camel#2629: a required object without properties", params("a", a={"type": "object"}), {"a": {}}),
    ("ax#458: objects that do not say that they are closed", params("a", a=params("b", b=S)), {"a": {"b": "x"}}),
    ("google_workspace_mcp#1099: type lists", params("a", a={"type": ["string", "array"], "items": S}), {"a": ["x"]}),
    ("mcp: required names an undeclared property", {**params("a", "b", a=S)}, {"a": "x", "b": 1}),
]  # fmt: skip


@pytest.mark.parametrize(
    "descriptor", [OPENAI_STRICT, ANTHROPIC_STRICT, GOOGLE_STRICT], ids=lambda item: item.id
)
@pytest.mark.parametrize(
    ("schema", "value"), [item[1:] for item in REPORTS], ids=[item[0] for item in REPORTS]
)
def test_a_reported_schema_converts_and_its_values_survive(
    schema: Any, value: Any, descriptor: FormatDescriptor
) -> None:
    form = strictify(schema, descriptor)
    assert form.lift(form.lower(value)) == value
    assert broken_laws(schema, descriptor, 6) == []


def test_xum_3821_synthetic_nulls_do_not_reach_the_server() -> None:
    form = strictify(params("a", a=S, b=I), OPENAI_STRICT)
    assert form.lift({"a": "x", "b": None}) == {"a": "x"}


def test_vercel_15730_a_gateway_that_drops_a_nullable_field_is_forgiven() -> None:
    assert strictify(params("a", a=S, b=I), OPENAI_STRICT).lift({"a": "x"}) == {"a": "x"}


def test_ellmer_671_depth_is_counted_after_wrapping() -> None:
    deep: Any = {"type": "array", "items": S}
    for _ in range(9):
        deep = {"type": "array", "items": deep}
    assert broken_laws(deep, OPENAI_STRICT, 2) == []


def test_oh_my_pi_1107_a_lenient_tool_stays_open() -> None:
    schema = params(a={"type": "object", "additionalProperties": S})
    assert strictify(schema, OPENAI).schema == schema
