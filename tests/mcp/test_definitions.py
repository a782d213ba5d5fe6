"""Definitions of MCP tools: what servers send becomes tools, and tools become what clients read."""

from __future__ import annotations

import copy
import json
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mcp_types
import pytest
from pydantic import BaseModel
from typing_extensions import TypedDict

from tool_core import (
    Destructive,
    Idempotent,
    Meta,
    OpenWorld,
    Readonly,
    SchemaMismatchError,
    Title,
    Tool,
    ToolConfigurationError,
    Toolkit,
    is_dynamic,
)
from tool_core.mcp import CONTENT, McpTool, Notes, from_mcp_tool, to_mcp_tool
from tool_core.mcp.arguments import input_schema, parameters_from
from tool_core.providers import anthropic, google, openai
from tool_core.strict import StrictDowngradeWarning

CORPUS = Path(__file__).parents[3] / "shared" / "corpora" / "mcp-tools.jsonl"
DEFAULT_HINTS = {
    "readOnlyHint": False, "destructiveHint": True, "idempotentHint": False, "openWorldHint": True,
}  # fmt: skip
SEARCH: dict[str, Any] = {
    "name": "search",
    "title": "Search the web",
    "description": "Find pages",
    "inputSchema": {
        "type": "object",
        "properties": {"q": {"type": "string", "default": None}},
        "required": ["q"],
    },
    "outputSchema": {"type": "object", "properties": {"pages": {"type": "array"}}, "required": ["pages"]},
    "annotations": {
        "title": "Search the web",
        "readOnlyHint": True,
        "openWorldHint": True,
        "category": "web",
    },
    "execution": {"taskSupport": "forbidden"},
    "_meta": {"ui": {"resourceUri": None}},
}


class Recursive(BaseModel):
    """A tree."""

    children: list[Recursive] = []


class Answer(TypedDict):
    n: int


def sloppy(schema: object, **fields: object) -> dict[str, object]:
    return {"name": "search", "inputSchema": schema, **fields}


def test_a_definition_becomes_a_dynamic_tool_with_all_that_it_says() -> None:
    tool = from_mcp_tool(SEARCH)
    assert is_dynamic(tool) and tool.name == "search" and tool.description == "Find pages"
    assert tool.json_schema == SEARCH["inputSchema"]
    assert tool.annotations.get(Title) == "Search the web"
    assert (tool.annotations.get(Readonly), tool.annotations.get(Destructive)) == (True, True)
    assert (tool.annotations.get(Idempotent), tool.annotations.get(OpenWorld)) == (False, True)
    assert tool.annotations.get(Meta) == {"ui": {"resourceUri": None}}
    assert tool.annotations.get(Notes) == ()
    assert tool.failure_mode == "return"


def test_an_object_of_the_sdk_reads_like_the_dict_that_it_stands_for() -> None:
    plain = {key: value for key, value in SEARCH.items() if key != "annotations"}
    assert from_mcp_tool(mcp_types.Tool.model_validate(plain)) == from_mcp_tool(plain)


def test_the_output_schema_is_the_success_schema_and_is_enforced() -> None:
    tool = from_mcp_tool(SEARCH)
    assert tool.success_schema.json_schema() == SEARCH["outputSchema"]
    with pytest.raises(SchemaMismatchError, match=r"\$\.pages: expected an array, got the integer 3"):
        tool.success_schema.encode({"pages": 3})
    assert from_mcp_tool(sloppy({"type": "object"})).success_schema == CONTENT


def test_a_definition_comes_back_as_it_was_with_its_hints_spelled_out() -> None:
    annotations = {**DEFAULT_HINTS, **SEARCH["annotations"]}
    assert to_mcp_tool(from_mcp_tool(SEARCH)) == {**SEARCH, "annotations": annotations}


def test_reading_shares_nothing_with_what_was_given() -> None:
    given = copy.deepcopy(SEARCH)
    tool = from_mcp_tool(given)
    given["inputSchema"]["properties"].clear()
    given["_meta"]["ui"] = 1
    entry: Any = to_mcp_tool(tool)
    entry["_meta"]["ui"] = 2
    entry["execution"]["taskSupport"] = "required"
    assert to_mcp_tool(tool) == to_mcp_tool(from_mcp_tool(SEARCH))


@pytest.mark.parametrize(
    ("definition", "schema", "notes"),
    [
        ({"name": "search"}, {"type": "object"}, ["inputSchema says nothing: read as any object"]),
        (sloppy({}), {"type": "object"}, ["inputSchema says nothing: read as any object"]),
        (sloppy({"properties": {}}), {"properties": {}, "type": "object"}, ["inputSchema has no type at its root: read as an object"]),
        (sloppy({"type": ["object", "null"], "properties": {}}), {"type": "object", "properties": {}}, ["inputSchema allows more than an object at its root: read as an object"]),
        (sloppy({"type": "object"}), {"type": "object"}, ["inputSchema names no properties"]),
        (sloppy({"type": "object", "properties": {}, "required": ["q"]}), {"type": "object", "properties": {}, "required": ["q"]}, ["inputSchema requires 'q', which it does not describe"]),
        (sloppy({"type": "object", "properties": {"q": {"example": 1}}}), {"type": "object", "properties": {"q": {"example": 1}}}, ["inputSchema has the unknown keyword 'example'"]),
        (sloppy({"type": "object", "properties": {"q": {"type": "int"}}}), {"type": "object", "properties": {"q": {"type": "integer"}}}, ["inputSchema has the type 'int': read as 'integer'"]),
        (sloppy({"type": "object", "properties": {"q": {"type": "File"}}}), {"type": "object", "properties": {"q": {}}}, ["inputSchema has the unknown type 'File': read as any value"]),
        (sloppy({"type": "object", "properties": {}, "required": None}), {"type": "object", "properties": {}}, ["inputSchema has required: null, which is left out"]),
        (sloppy({"type": "object", "properties": {"q": {"pattern": "(?<=a)b\\1"}}}), {"type": "object", "properties": {"q": {}}}, ["inputSchema has the pattern '(?<=a)b\\\\1', which only the server can check"]),
        (sloppy({"type": "object", "properties": {"q": {"items": [{"type": "string"}]}}}), {"type": "object", "properties": {"q": {"items": [{"type": "string"}]}}, "$schema": "http://json-schema.org/draft-07/schema#"}, ["inputSchema holds only as draft-07: read as that", "inputSchema is written for draft-07"]),
        (sloppy({"type": "object", "properties": {"q": {"minimum": 0, "exclusiveMinimum": True}}}), {"type": "object", "properties": {"q": {"minimum": 0, "exclusiveMinimum": True}}, "$schema": "http://json-schema.org/draft-04/schema#"}, ["inputSchema holds only as draft-04: read as that", "inputSchema is written for draft-04"]),
        (sloppy({"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "properties": {}}), {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "properties": {}}, ["inputSchema is written for draft-07"]),
    ],
)  # fmt: skip
def test_a_sloppy_schema_is_read_with_a_note(definition: object, schema: object, notes: list[str]) -> None:
    tool = from_mcp_tool(definition)
    assert tool.json_schema == schema
    assert tool.annotations.get(Notes) == tuple(notes)


@pytest.mark.parametrize(
    ("fields", "note"),
    [
        ({"title": 3}, "title is int where str is expected: left out"),
        ({"description": ["a"]}, "description is list where str is expected: left out"),
        ({"_meta": "x"}, "_meta is str where dict is expected: left out"),
        ({"annotations": "x"}, "annotations is str where dict is expected: left out"),
        ({"annotations": {"readOnlyHint": "yes"}}, "readOnlyHint is str where bool is expected: left out"),
        ({"outputSchema": {"$ref": "#/nope"}}, "outputSchema is an invalid JSON Schema at $: Pointer '/nope' does not exist: results are not checked against it"),
        ({"name": "find it/now"}, "the name 'find it/now' has characters that no tool name may have: read as 'find_it_now'"),
    ],
)  # fmt: skip
def test_a_field_of_the_wrong_type_costs_only_itself(fields: dict[str, object], note: str) -> None:
    tool = from_mcp_tool({**sloppy({"type": "object", "properties": {}}), **fields})
    assert tool.annotations.get(Notes) == (note,)


@pytest.mark.parametrize(
    ("definition", "message"),
    [
        (3, "Invalid configuration: server 'web' sent an unusable definition: a definition is an object, not int"),
        ({"inputSchema": {}}, "Invalid configuration: server 'web' sent an unusable definition: the definition has no name"),
        (sloppy({"type": "string"}), "Invalid configuration for tool 'search': server 'web' sent an unusable definition: inputSchema describes 'string', but arguments are an object"),
        (sloppy([1]), "Invalid configuration for tool 'search': server 'web' sent an unusable definition: inputSchema is not a JSON Schema but list"),
        (sloppy({"type": "object", "properties": 3}), "Invalid configuration for tool 'search': server 'web' sent an unusable definition: inputSchema is an invalid JSON Schema at $.properties: 3 is not of type 'object'"),
        (sloppy({"type": "object", "properties": {"q": {"$ref": "https://example.com/x"}}}), "Invalid configuration for tool 'search': server 'web' sent an unusable definition: inputSchema is an invalid JSON Schema: the reference 'https://example.com/x' is not local, and remote ones are never fetched"),
        (sloppy({"type": "object", "default": float("nan")}), "Invalid configuration for tool 'search': server 'web' sent an unusable definition: a JSON Schema must be JSON: NaN and Infinity are not JSON"),
        ({"name": "x" * 200}, f"Invalid configuration for tool '{'x' * 200}': server 'web' sent an unusable definition: a tool name has 1 to 128 characters of A-Z a-z 0-9 _ . -"),
    ],
)  # fmt: skip
def test_an_unusable_definition_is_refused_by_server_and_tool(definition: object, message: str) -> None:
    with pytest.raises(ToolConfigurationError) as caught:
        from_mcp_tool(definition, server="web")
    assert str(caught.value) == message


def test_a_schema_that_nests_without_end_is_refused_in_our_words() -> None:
    deep: dict[str, object] = {"type": "object"}
    for _ in range(3000):
        deep = {"type": "object", "properties": {"a": deep}}
    with pytest.raises(
        ToolConfigurationError,
        match=r"server 'web' sent an unusable definition: a JSON Schema must be JSON: \$: expected at most 100 levels",
    ):
        from_mcp_tool(sloppy(deep), server="web")


def nested(levels: int) -> object:
    value: object = 1
    for _ in range(levels):
        value = {"a": value}
    return value


@pytest.mark.parametrize("key", ["_meta", "annotations", "icons", "execution"])
@pytest.mark.parametrize(
    "value",
    [{"a": {1}}, {"a": object()}, {(1, 2): 3}, {"a": float("nan")}, {"a": 10**5000}, {"a": "\ud800"}, nested(500), nested(9000)],
    ids=["set", "object", "key", "NaN", "digits", "surrogate", "deep", "deeper"],
)  # fmt: skip
def test_what_is_no_json_is_left_out(key: str, value: object) -> None:
    tool = from_mcp_tool({**sloppy({"type": "object", "properties": {}}), key: value})
    assert tool.annotations.get(Notes) == (f"{key} is not JSON: left out",)
    assert key not in to_mcp_tool(tool) or key == "annotations"
    json.dumps(to_mcp_tool(tool), allow_nan=False)


def test_a_text_with_half_a_character_is_read_without_it() -> None:
    tool = from_mcp_tool(
        {**sloppy({"type": "object", "properties": {}}), "title": "\ud83d\ude00", "description": "a\ud800"}
    )
    assert (tool.annotations.get(Title), tool.description) == ("\U0001f600", "a\ufffd")
    assert "description holds lone surrogates: replaced" in tool.annotations.get(Notes)


def test_a_prefix_keeps_the_tools_of_several_servers_apart() -> None:
    kit = Toolkit.make(from_mcp_tool(SEARCH, prefix="web_"), from_mcp_tool(SEARCH, prefix="mail_"))
    assert list(kit.tools) == ["web_search", "mail_search"]
    assert [to_mcp_tool(tool)["name"] for tool in kit] == ["web_search", "mail_search"]


def test_a_prefix_that_is_no_string_is_refused() -> None:
    with pytest.raises(ToolConfigurationError, match="a prefix is a string, not int"):
        from_mcp_tool(SEARCH, prefix=3)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    ("tool", "schema", "arguments", "params"),
    [
        (Tool.make("A", parameters=list[int]), {"type": "object", "properties": {"value": {"type": "array", "items": {"type": "integer"}}}, "required": ["value"]}, {"value": [1]}, [1]),
        (Tool.make("A", parameters=int | str), {"type": "object", "properties": {"value": {"anyOf": [{"type": "integer"}, {"type": "string"}]}}, "required": ["value"]}, {"value": 1}, 1),
        (Tool.dynamic("A", parameters={"type": "object", "anyOf": [{"required": ["a"]}]}), {"type": "object", "anyOf": [{"required": ["a"]}]}, {"a": 1}, {"a": 1}),
        (Tool.make("A"), {"type": "object", "properties": {}, "additionalProperties": False}, {}, {}),
    ],
)  # fmt: skip
def test_arguments_are_an_object_whatever_the_tool_takes(
    tool: Any, schema: object, arguments: object, params: object
) -> None:
    assert input_schema(tool) == schema
    assert parameters_from(tool, arguments) == params


def test_a_recursive_class_has_an_object_at_its_root_and_not_a_reference() -> None:
    entry: Any = to_mcp_tool(Tool.make("Plant", parameters=Recursive, success=Recursive))
    for schema in (entry["inputSchema"], entry["outputSchema"]):
        assert schema["type"] == "object" and "children" in schema["properties"]
        assert mcp_types.Tool.model_validate(entry).input_schema == entry["inputSchema"]


@pytest.mark.parametrize(
    ("form", "has_one"), [(Answer, True), (int, False), (list[int], False), (None, False)]
)
def test_only_an_object_has_an_output_schema(form: Any, has_one: bool) -> None:
    assert ("outputSchema" in to_mcp_tool(Tool.make("A", success=form))) is has_one


def test_title_description_and_meta_reach_the_client() -> None:
    tool = Tool.make("A", parameters=Recursive).annotate(Title, "An A").annotate(Meta, {"k": 1})
    entry = to_mcp_tool(tool.annotate(Destructive, False))
    assert (entry["title"], entry["description"], entry["_meta"]) == ("An A", "A tree.", {"k": 1})
    assert entry["annotations"] == {"title": "An A", **DEFAULT_HINTS, "destructiveHint": False}


def test_what_is_no_tool_of_ours_to_offer_is_refused() -> None:
    search = Tool.provider_defined(
        id="openai.web_search", custom_name="WebSearch", provider_name="web_search"
    )()
    with pytest.raises(ToolConfigurationError, match="its provider runs it, so no server can offer it"):
        to_mcp_tool(search)
    with pytest.raises(ToolConfigurationError, match="to_mcp_tool takes a tool, not dict"):
        to_mcp_tool({"name": "a"})  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def corpus() -> Iterator[tuple[str, dict[str, Any]]]:
    if not CORPUS.exists():
        pytest.skip("the corpora are not beside this repository")
    for line in CORPUS.read_text().splitlines():
        entry = json.loads(line)
        yield entry["server"], entry["tool"]


def test_every_published_definition_comes_back_unchanged_in_meaning() -> None:
    for server, sent in corpus():
        tool = from_mcp_tool(sent, server=server)
        said = sent.get("annotations") or {}
        title = sent.get("title") or said.get("title")
        expected = {**sent, "annotations": {**DEFAULT_HINTS, **said}}
        if title:
            expected["title"] = title
            expected["annotations"].setdefault("title", title)
        expected["inputSchema"] = {**sent["inputSchema"], "type": "object"}
        assert to_mcp_tool(tool) == expected, (server, sent["name"])
        assert from_mcp_tool(to_mcp_tool(tool)).success_schema == tool.success_schema


@pytest.mark.parametrize(
    ("provider", "model"),
    [(openai, "gpt-5.1"), (anthropic, "claude-sonnet-4-5"), (google, "gemini-2.5-pro")],
    ids=["openai", "anthropic", "google"],
)
def test_every_published_definition_can_be_prepared(provider: Any, model: str) -> None:
    servers: dict[str, list[McpTool]] = {}
    for server, sent in corpus():
        servers.setdefault(server, []).append(from_mcp_tool(sent, server=server))
    warnings.simplefilter("ignore", StrictDowngradeWarning)
    for tools in servers.values():
        prepared = provider.prepare_tools(Toolkit.make(*tools), model=model)
        assert len(prepared.plan.decisions) == len(tools)
        sent_tools = prepared.request.get("tools") or prepared.request["config"]["tools"]
        declared = [each for item in sent_tools for each in item.get("function_declarations", [item])]
        assert len(declared) == len(tools)
