"""Repairs of schemas: the one mistake is mended, all else means what it meant, and a note says how it was read."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from tool_core import ToolConfigurationError, Toolkit, get_json_schema
from tool_core.mcp import McpTool, Notes, drift, fingerprint, from_mcp_tool, lock, matches_lock, to_mcp_tool
from tool_core.mcp.mends import mend
from tool_core.strict import DESCRIPTORS, dialect_violations, strictify

D4, D6, D7 = (f"http://json-schema.org/draft-0{number}/schema#" for number in (4, 6, 7))
LATEST = "https://json-schema.org/draft/2020-12/schema"


def read(schema: dict[str, Any]) -> McpTool:
    """Import a schema, all of whose notes but the ones about valid oddities are of interest."""
    return from_mcp_tool({"name": "search", "inputSchema": schema})


def with_property(part: Any, **more: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {"a": part}, **more}


def property_and_notes(part: Any, **more: Any) -> tuple[Any, list[str]]:
    tool = read(with_property(part, **more))
    assert tool.json_schema is not None
    properties: Any = tool.json_schema["properties"]
    notes = [note.removeprefix("inputSchema ") for note in tool.annotations.get(Notes)]
    return properties["a"], [note for note in notes if "which it does not describe" not in note]


MENDED: list[tuple[Any, Any, str]] = [
    ({"title": 5}, {}, "has title: 5, which is left out"),
    ({"description": ["a"]}, {}, 'has description: ["a"], which is left out'),
    ({"description": None}, {}, "has description: null, which is left out"),
    ({"$comment": 5}, {}, "has $comment: 5, which is left out"),
    ({"deprecated": "yes"}, {}, 'has deprecated: "yes", which is left out'),
    ({"readOnly": "True"}, {"readOnly": True}, 'has readOnly: "True", read as true'),
    ({"examples": "x"}, {"examples": ["x"]}, 'has examples: "x", read as ["x"]'),
    ({"examples": None}, {}, "has examples: null, which is left out"),
    ({"format": 5}, {}, "has format: 5, which is left out"),
    ({"type": ["str", "null"]}, {"type": ["string", "null"]}, 'has type: ["str", "null"], read as ["string", "null"]'),
    ({"type": ["string", None]}, {"type": ["string", "null"]}, 'has type: ["string", null], read as ["string", "null"]'),
    ({"type": ["string", "string"]}, {"type": ["string"]}, 'has type: ["string", "string"], read as ["string"]'),
    ({"type": ["File", "null"]}, {}, "has the unknown type ['File', 'null']: read as any value"),
    ({"type": []}, {}, "has the unknown type []: read as any value"),
    ({"type": 5}, {}, "has the unknown type 5: read as any value"),
    ({"properties": []}, {"properties": {}}, "has properties: [], read as {}"),
    ({"$defs": []}, {"$defs": {}}, "has $defs: [], read as {}"),
    ({"dependentRequired": []}, {"dependentRequired": {}}, "has dependentRequired: [], read as {}"),
    ({"dependentRequired": {"a": {}, "b": True, "c": "d"}}, {"dependentRequired": {"c": ["d"]}}, 'has dependentRequired: {"a": {}, "b": true, "c": "d"}, read as {"c": ["d"]}'),
    ({"properties": {"b": None}}, {"properties": {"b": {}}}, 'has properties: {"b": null}, read as {"b": {}}'),
    ({"properties": {"b": "array"}}, {"properties": {"b": {"type": "array"}}}, 'has properties: {"b": "array"}, read as {"b": {"type": "array"}}'),
    ({"items": []}, {"items": {}}, "has items: [], read as {}"),
    ({"items": "string"}, {"items": {"type": "string"}}, 'has items: "string", read as {"type": "string"}'),
    ({"additionalProperties": "false"}, {"additionalProperties": False}, 'has additionalProperties: "false", read as false'),
    ({"anyOf": []}, {}, "has anyOf: [], which is left out"),
    ({"required": "b"}, {"required": ["b"]}, 'has required: "b", read as ["b"]'),
    ({"required": ["b", "b"]}, {"required": ["b"]}, 'has required: ["b", "b"], read as ["b"]'),
    ({"required": {"0": "b"}}, {"required": ["b"]}, 'has required: {"0": "b"}, read as ["b"]'),
    ({"required": None}, {}, "has required: null, which is left out"),
    ({"enum": "b"}, {"enum": ["b"]}, 'has enum: "b", read as ["b"]'),
    ({"enum": {"B": "b", "C": "c"}}, {"enum": ["b", "c"]}, 'has enum: {"B": "b", "C": "c"}, read as ["b", "c"]'),
    ({"minLength": "3"}, {"minLength": 3}, 'has minLength: "3", read as 3'),
    ({"minLength": -1}, {}, "has minLength: -1, which only the server can check"),
    ({"minLength": True}, {}, "has minLength: true, which only the server can check"),
    ({"maximum": "1e400"}, {}, 'has maximum: "1e400", which only the server can check'),
    ({"maximum": "NaN"}, {}, 'has maximum: "NaN", which only the server can check'),
    ({"multipleOf": 0}, {}, "has multipleOf: 0, which only the server can check"),
    ({"uniqueItems": "true"}, {"uniqueItems": True}, 'has uniqueItems: "true", read as true'),
    ({"uniqueItems": 1}, {}, "has uniqueItems: 1, which only the server can check"),
    ({"pattern": "a{0,99999999999}"}, {}, "has the pattern 'a{0,99999999999}', which only the server can check"),
    ({"pattern": 5}, {}, "has the pattern 5, which only the server can check"),
    ({"patternProperties": {"(": {}, "^x": {}}, "additionalProperties": False}, {"patternProperties": {"^x": {}}}, "has the pattern '(' for keys, so that only the server can check them"),
    ({"$anchor": "a b"}, {}, 'has $anchor: "a b", which is left out'),
    ({"$id": "a b"}, {"$id": "a%20b"}, 'has $id: "a b", read as "a%20b"'),
]  # fmt: skip


@pytest.mark.parametrize(("part", "meant", "note"), MENDED)
def test_a_mistake_costs_only_its_own_keyword(part: Any, meant: Any, note: str) -> None:
    beside = {"const": {"k": 1}, "if": True, "then": {"dependentRequired": {"x": ["y"]}}}
    assert property_and_notes({**part, **beside}) == ({**meant, **beside}, [note])
    assert property_and_notes({**part, **beside}, **{"$schema": LATEST}) == ({**meant, **beside}, [note])


@pytest.mark.parametrize(("part", "meant", "note"), MENDED)
def test_what_is_mended_needs_no_more_mending(part: Any, meant: Any, note: str) -> None:
    given = copy.deepcopy(part)
    assert note in mend(given)
    assert given == meant and mend(given) == []


def test_a_flag_of_a_property_says_whether_its_object_requires_it() -> None:
    properties = {
        "a": {"type": "string", "required": True},
        "b": {"required": False},
        "c": {"required": True},
    }
    tool = read({"type": "object", "properties": properties, "required": ["c"]})
    assert tool.json_schema == {
        "type": "object",
        "properties": {"a": {"type": "string"}, "b": {}, "c": {}},
        "required": ["c", "a"],
    }
    assert tool.annotations.get(Notes) == (
        "inputSchema has required: true in the property 'a': read as draft-03 does",
        "inputSchema has required: false in the property 'b': read as draft-03 does",
        "inputSchema has required: true in the property 'c': read as draft-03 does",
    )
    assert read({"type": "object", "properties": {}, "required": True}).json_schema == {
        "type": "object",
        "properties": {},
    }


NAMES = ["List<string>", "a b", "Map[str, int]", "100%", "%zz", "#1", "é", "日本", 'q"\\^`{|}', "a?b", "x~y"]


@pytest.mark.parametrize("name", NAMES)
def test_a_reference_may_be_written_with_any_sign(name: str) -> None:
    """Read by the validator, by strict mode, by the lock and by the fingerprint, all alike."""
    node = {"type": "object", "properties": {"next": {"$ref": f"#/$defs/{name}"}, "n": {"type": "integer"}}}
    tool = read(with_property({"$ref": f"#/$defs/{name}"}, **{"$defs": {name: node}}))
    assert tool.parameters_schema.decode({"a": {"next": {"n": 1.0}}}) == {"a": {"next": {"n": 1}}}
    bound = Toolkit.make(tool).bind({"search": lambda params: "ok"})
    assert bound.call_sync("search", {"a": {"next": {"n": "x"}}}).is_failure
    for descriptor in DESCRIPTORS:
        form = strictify(get_json_schema(tool), descriptor)
        assert dialect_violations(form.schema, descriptor) == []
        assert form.lift(form.lower({"a": {"n": 1}})) == {"a": {"n": 1}}
    again = from_mcp_tool(to_mcp_tool(tool))
    assert fingerprint(again) == fingerprint(tool) and not drift(tool, again)
    text = lock([tool])
    assert matches_lock(text, [tool]) and "n: NotRequired[int]" in text


OLD_BOUND, OLD_TUPLE = {"minimum": 0, "exclusiveMinimum": True}, {"items": [{"type": "string"}]}
KEPT = {"const": 3}
OLDER: list[tuple[dict[str, Any], str | None, dict[str, Any], str | None, list[str]]] = [
    (OLD_BOUND, None, OLD_BOUND, D4, ["holds only as draft-04: read as that"]),
    (OLD_TUPLE, None, OLD_TUPLE, D7, ["holds only as draft-07: read as that"]),
    (OLD_TUPLE, LATEST, OLD_TUPLE, D7, ["holds only as draft-07: read as that"]),
    ({**OLD_BOUND, **KEPT}, None, {"exclusiveMinimum": 0, **KEPT}, None, ["has exclusiveMinimum: true, as draft-04 says it: read as 0"]),
    ({**OLD_BOUND, **KEPT}, D7, {"exclusiveMinimum": 0, **KEPT}, D7, ["has exclusiveMinimum: true, as draft-04 says it: read as 0"]),
    ({"maximum": 9, "exclusiveMaximum": False, **KEPT}, None, {"maximum": 9, **KEPT}, None, ["has exclusiveMaximum: false, which is left out"]),
    ({**OLD_BOUND, **OLD_TUPLE}, None, {**OLD_BOUND, **OLD_TUPLE}, D4, ["holds only as draft-04: read as that"]),
    ({**OLD_TUPLE, **KEPT, **OLD_BOUND}, None, {**OLD_TUPLE, **KEPT, "exclusiveMinimum": 0}, D7, ["has exclusiveMinimum: true, as draft-04 says it: read as 0", "holds only as draft-07: read as that"]),
    ({**OLD_TUPLE, "additionalItems": False, "minContains": 2}, None, {"prefixItems": [{"type": "string"}], "items": False, "minContains": 2}, LATEST, ["has a list of items: read as prefixItems", "holds only as draft 2020-12: read as that"]),
    ({**OLD_TUPLE, "$ref": "#/definitions/d"}, None, {"prefixItems": [{"type": "string"}], "$ref": "#/definitions/d"}, LATEST, ["has a list of items: read as prefixItems", "holds only as draft 2020-12: read as that"]),
    ({"exclusiveMinimum": 0, "title": "t"}, D4, {"exclusiveMinimum": 0, "title": "t"}, D7, ["holds only as draft-07: read as that"]),
    ({**OLD_TUPLE, "title": 5}, None, OLD_TUPLE, D7, ["has title: 5, which is left out", "holds only as draft-07: read as that"]),
    ({"$id": "#x", **KEPT}, None, {"$id": "#x", **KEPT}, D7, ["holds only as draft-07: read as that"]),
    ({"$id": "#x", "minContains": 1}, None, {"minContains": 1, "$anchor": "x"}, LATEST, ['has $id: "#x", read as an $anchor', "holds only as draft 2020-12: read as that"]),
]  # fmt: skip


@pytest.mark.parametrize(("part", "draft", "meant", "read_as", "notes"), OLDER)
def test_what_an_older_draft_says_is_read_so_that_no_keyword_is_lost(
    part: dict[str, Any], draft: str | None, meant: dict[str, Any], read_as: str | None, notes: list[str]
) -> None:
    more: dict[str, Any] = {"definitions": {"d": {}}, **({} if draft is None else {"$schema": draft})}
    tool = read(with_property(part, **more))
    assert tool.json_schema is not None
    assert tool.json_schema["properties"] == {"a": meant}
    assert tool.json_schema.get("$schema") == read_as
    found = [note.removeprefix("inputSchema ") for note in tool.annotations.get(Notes)]
    assert [note for note in found if "is written for" not in note] == notes


def test_what_the_named_draft_makes_nothing_of_is_noted() -> None:
    part = {"$ref": "#/definitions/d", "type": "string", "title": "t"}
    kept: dict[str, Any] = {"definitions": {"d": {}}, "const": {}, "dependentRequired": {}, "if": {}}
    for draft, unheeded in {
        D4: ["const", "dependentRequired", "if", "type beside $ref"],
        D6: ["dependentRequired", "if", "type beside $ref"],
        D7: ["dependentRequired", "type beside $ref"],
        "https://json-schema.org/draft/2019-09/schema": [],
    }.items():
        schema = with_property(part, **kept, **{"$schema": draft})
        tool = read(schema)
        assert tool.json_schema == schema
        notes = [note for note in tool.annotations.get(Notes) if "makes nothing" in note]
        assert [note.removeprefix("inputSchema has ").partition(",")[0] for note in notes] == unheeded


def test_a_mistake_is_mended_wherever_a_reference_or_a_keyword_leads() -> None:
    wrong = {"type": "str"}
    schema = {
        "type": "object",
        "properties": {
            "a": {"$ref": "#/components/schemas/X"},
            "b": {"$ref": "#/components/schemas/Y/items"},
        },
        "dependencies": {"a": wrong, "b": ["a"]},
        "contentSchema": wrong,
        "default": {"type": "str"},
        "components": {"schemas": {"X": wrong, "Y": {"items": wrong}, "Z": wrong}},
    }
    mended: Any = read(schema).json_schema
    right = {"type": "string"}
    assert mended["dependencies"] == {"a": right, "b": ["a"]} and mended["contentSchema"] == right
    assert mended["default"] == wrong
    assert mended["components"]["schemas"] == {"X": right, "Y": {"items": right}, "Z": wrong}


def test_a_reference_that_is_no_text_is_refused_in_our_words() -> None:
    with pytest.raises(ToolConfigurationError, match="without lone surrogates"):
        read(with_property({"$ref": "#/\ud800"}))


def test_flags_of_many_properties_take_linear_time() -> None:
    """Counted in comparisons of names, which a list of those found so far would need for each."""

    class Name(str):
        compared = 0

        def __eq__(self, other: object) -> bool:
            Name.compared += 1
            return str.__eq__(self, other)

        __hash__ = str.__hash__

    schema = {"properties": {Name(f"p{number}"): {"required": True} for number in range(300)}}
    mend(schema)
    assert Name.compared < 3000


def test_what_is_valid_is_not_touched() -> None:
    part = {"enum": [1, 1], "x-type": "str", "x-null": None, "const": None, "required": [], "examples": []}
    schema = with_property(part, **{"$schema": D7})
    assert read(schema).json_schema == schema


@pytest.mark.parametrize(
    "part",
    [{"properties": 3}, {"anyOf": {"type": "string"}}, {"$ref": 5}, {"if": 5}, {"not": ["x"]}, {"items": 3}],
)
def test_what_a_schema_is_made_of_is_never_left_out(part: Any) -> None:
    with pytest.raises(
        ToolConfigurationError, match="the server sent an unusable definition: inputSchema is an inv"
    ):
        read(with_property(part))


def test_the_notes_of_an_absurd_schema_are_short() -> None:
    tool = read(with_property({"title": ["x" * 10_000], "pattern": "(" * 10_000, "type": "y" * 10_000}))
    assert all(len(note) < 200 for note in tool.annotations.get(Notes))
    many = read(
        with_property(
            {f"p{n}": None for n in range(50)} | {"properties": {str(n): {"title": 5} for n in range(999)}}
        )
    )
    assert many.annotations.get(Notes)[0] == "inputSchema has title: 5, which is left out"
    assert sum("title" in note for note in many.annotations.get(Notes)) == 1
