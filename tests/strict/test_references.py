"""Where references lead: pointers, anchors, embedded resources, and those that depend on the caller."""

from __future__ import annotations

from typing import Any

import pytest

from tool_core import UnsupportedSchemaError
from tool_core.strict import DESCRIPTORS, OPENAI, OPENAI_STRICT, strictify
from tool_core.strict.documents import Document

S, I, B = {"type": "string"}, {"type": "integer"}, {"type": "boolean"}  # noqa: E741
_2019 = "https://json-schema.org/draft/2019-09/schema"


def obj(**properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def inner(**properties: Any) -> dict[str, Any]:
    """Embed a resource with definitions of its own, named like those of the document."""
    definitions = {"t": I, "u": {"$anchor": "named", **I}}
    return {**obj(**properties), "$id": "https://example.com/inner", "$defs": definitions}


def outer(**properties: Any) -> dict[str, Any]:
    return {**obj(**properties), "$defs": {"t": S, "u": {"$anchor": "named", **S}}}


@pytest.mark.parametrize("reference", ["#/$defs/t", "#named", "inner#/$defs/t", "inner#named"])
def test_a_reference_inside_an_embedded_resource_is_resolved_against_it(reference: str) -> None:
    schema = outer(a=inner(x={"$ref": reference}), b={"$ref": "#/$defs/t"})
    properties: Any = strictify(schema, OPENAI_STRICT).schema["properties"]
    assert properties["a"]["properties"] == {"x": I}
    assert properties["b"] == S


def test_values_are_checked_against_the_resource_that_a_part_belongs_to() -> None:
    document = Document.of(outer(a=inner(x={"$ref": "#/$defs/t"})))
    for pointer, value in [((), {"a": {"x": 1}}), (("properties", "a"), {"x": 1})]:
        assert document.accepts(pointer, value)
    assert document.accepts(("properties", "a", "properties", "x"), 1)
    assert not document.accepts(("properties", "a", "properties", "x"), "text")
    assert not document.accepts(("properties", "a"), {"x": "text"})


@pytest.mark.parametrize("name", ["https://example.com/root.json", "urn:example:root", "root"])
def test_a_document_may_refer_to_itself_by_its_own_address(name: str) -> None:
    schema = {**outer(a={"$ref": f"{name}#/$defs/t"}, b={"$ref": "#named"}), "$id": name}
    assert strictify(schema, OPENAI_STRICT).schema["properties"] == {"a": S, "b": S}
    assert not Document.of(schema).accepts(("properties", "a"), 1)


def test_what_a_resource_does_not_hold_is_not_looked_for_around_it() -> None:
    schema = outer(a=inner(x={"$ref": "#/$defs/elsewhere"}))
    schema["$defs"]["elsewhere"] = S
    with pytest.raises(UnsupportedSchemaError, match="'#/\\$defs/elsewhere' points nowhere"):
        strictify(schema, OPENAI_STRICT)


def test_data_and_names_of_properties_name_no_part() -> None:
    schema = outer(a={"const": {"$id": "https://example.com/x", "$anchor": "named"}}, **{"$id": S})
    schema["properties"]["b"] = {"$ref": "#named"}
    properties: Any = strictify(schema, OPENAI_STRICT).schema["properties"]
    assert properties["b"] == {"type": ["string", "null"]}


def test_a_dynamic_reference_leads_to_the_only_anchor_of_its_name() -> None:
    schema = {**obj(n={"$dynamicRef": "#node"}), "$defs": {"x": {"$dynamicAnchor": "node", **I}}}
    form = strictify(schema, OPENAI_STRICT)
    assert form.schema["properties"] == {"n": I}
    assert form.losses == ()


def test_a_dynamic_reference_leads_to_the_anchor_of_the_document_that_is_around_all() -> None:
    tree = {
        **obj(data=S),
        "$id": "tree",
        "$dynamicAnchor": "node",
        "properties": {"data": S, "children": {"type": "array", "items": {"$dynamicRef": "#node"}}},
        "additionalProperties": True,
    }
    schema: Any = {
        "$id": "https://example.com/strict",
        "$dynamicAnchor": "node",
        "$ref": "tree",
        "required": ["mark"],
        "properties": {"mark": I},
        "$defs": {"tree": tree},
    }
    assert Document.of(schema).targets(("$defs", "tree", "properties", "children", "items")) == [()]
    leaf = {"data": "x", "mark": 1}
    form = strictify(schema, OPENAI_STRICT)
    assert form.lift(form.lower({**leaf, "children": [leaf]})) == {**leaf, "children": [leaf]}


def test_a_dynamic_reference_that_the_caller_decides_is_any_value_and_a_loss() -> None:
    def one(name: str) -> dict[str, Any]:
        return {**obj(x={"$dynamicRef": "#n"}), "$id": name, "$dynamicAnchor": "n"}

    form = strictify(obj(a=one("p"), b=one("q")), OPENAI_STRICT)
    assert [(loss.pointer, loss.keyword) for loss in form.losses] == [
        ("/properties/a/properties/x", "$dynamicRef"),
        ("/properties/b/properties/x", "$dynamicRef"),
    ]
    assert form.lift(form.lower({"a": {"x": 1}, "b": {"x": [2]}})) == {"a": {"x": 1}, "b": {"x": [2]}}


@pytest.mark.parametrize("marked", [{}, {"$recursiveAnchor": True}])
def test_a_recursive_reference_leads_to_the_document(marked: Any) -> None:
    part: Any = {
        "$schema": _2019,
        **marked,
        "type": "object",
        "properties": {"n": {"$recursiveRef": "#"}},
        "additionalProperties": False,
    }
    form = strictify(part, OPENAI_STRICT)
    assert form.losses == ()
    assert form.lift(form.lower({"n": {"n": {}}})) == {"n": {"n": {}}}
    lenient: Any = strictify(part, OPENAI).schema
    assert lenient["properties"]["n"] == {"$ref": "#"}


def test_a_recursive_reference_that_the_caller_decides_is_a_loss() -> None:
    def one(name: str) -> dict[str, Any]:
        return {**obj(x={"$recursiveRef": "#"}), "$id": name, "$recursiveAnchor": True}

    form = strictify({"$schema": _2019, **obj(a=one("p"), b=one("q"))}, OPENAI_STRICT)
    assert {loss.keyword for loss in form.losses} == {"$recursiveRef"}


@pytest.mark.parametrize("descriptor", DESCRIPTORS, ids=lambda item: item.id)
def test_a_remote_reference_where_values_are_compared_is_never_fetched(descriptor: Any) -> None:
    schema = obj(a={"enum": ["x", None], "not": {"$ref": "http://127.0.0.1:9/x"}})
    form = strictify(schema, descriptor)
    assert form.lift(form.lower({"a": "x"})) == {"a": "x"}


def test_an_address_that_is_none_is_not_local() -> None:
    with pytest.raises(UnsupportedSchemaError, match="'http://\\[' is not local"):
        strictify(obj(a={"$ref": "http://["}), OPENAI_STRICT)


def test_a_copy_of_the_document_does_not_take_its_place() -> None:
    whole = {**outer(a={"$ref": "#/$defs/t"}), "$id": "https://example.com/root"}
    assert Document.of(whole).accepts((), {"a": "text"})
    assert not Document.of(whole).accepts((), {"a": 1})
