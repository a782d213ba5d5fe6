"""Fingerprints: the same promise has the same one, everywhere, and any other promise another."""

from __future__ import annotations

import copy
import os
import subprocess
import sys
from typing import Any

import mcp_types
import pytest
from typing_extensions import TypedDict

from tool_core import Readonly, Title, Tool, ToolConfigurationError, Toolkit
from tool_core.mcp import fingerprint, from_mcp_tool, to_mcp_tool

ENTRY: dict[str, Any] = {
    "name": "search",
    "title": "Search",
    "description": "Find pages",
    "inputSchema": {
        "type": "object",
        "properties": {
            "q": {"type": ["string", "null"], "description": "what"},
            "kind": {"enum": ["page", "image"]},
            "limit": {"type": "integer", "maximum": 10},
        },
        "required": ["q", "kind"],
    },
    "outputSchema": {"type": "object", "properties": {"pages": {"type": "array"}}},
    "annotations": {"readOnlyHint": True},
}
PINNED = "v1:sha256:5b4554d5f0136079a43075a61a08cc79f055b7cb979eaecca6d88374f31b8540"
PINNED_SET = "v1:sha256:307600c9634c0ea10f3632156d0df281300f597ca86ca7bb14ae464f13663606"


def altered(*path: str, value: object) -> dict[str, Any]:
    entry = copy.deepcopy(ENTRY)
    part = entry
    for step in path[:-1]:
        part = part.setdefault(step, {})
    part[path[-1]] = value
    return entry


SAME: list[tuple[str, dict[str, Any]]] = [
    ("key order", dict(reversed(ENTRY.items()))),
    ("property order", altered("inputSchema", "properties", value=dict(reversed(ENTRY["inputSchema"]["properties"].items())))),
    ("order of required", altered("inputSchema", "required", value=["kind", "q"])),
    ("order of an enum", altered("inputSchema", "properties", "kind", "enum", value=["image", "page"])),
    ("order of types", altered("inputSchema", "properties", "q", "type", value=["null", "string"])),
    ("a type alone in a list", altered("inputSchema", "properties", "limit", "type", value=["integer"])),
    ("a whole number", altered("inputSchema", "properties", "limit", "maximum", value=10.0)),
    ("the draft that is meant anyway", altered("inputSchema", "$schema", value="https://json-schema.org/draft/2020-12/schema")),
    ("a default written out", altered("annotations", "destructiveHint", value=True)),
    ("metadata", altered("_meta", value={"a": 1})),
    ("what clients do with it", altered("execution", value={"taskSupport": "forbidden"})),
    ("the title again", altered("annotations", "title", value="Search")),
]  # fmt: skip
OTHER: list[tuple[str, dict[str, Any]]] = [
    ("name", altered("name", value="find")),
    ("title", altered("title", value="Find")),
    ("description", altered("description", value="Find pages.")),
    ("white space", altered("description", value="Find  pages")),
    ("no description", altered("description", value=None)),
    ("a word in the schema", altered("inputSchema", "properties", "q", "description", value="What")),
    ("an unknown keyword", altered("inputSchema", "x-note", value="obey")),
    ("a comment", altered("inputSchema", "$comment", value="obey")),
    ("a type", altered("inputSchema", "properties", "q", "type", value="string")),
    ("another draft", altered("inputSchema", "$schema", value="http://json-schema.org/draft-07/schema#")),
    ("output", altered("outputSchema", "required", value=["pages"])),
    ("a hint", altered("annotations", "readOnlyHint", value=False)),
    ("true for one", altered("inputSchema", "properties", "kind", "enum", value=[True])),
]  # fmt: skip


@pytest.mark.parametrize("entry", [case[1] for case in SAME], ids=[case[0] for case in SAME])
def test_a_cosmetic_change_keeps_the_fingerprint(entry: dict[str, Any]) -> None:
    assert fingerprint(entry) == fingerprint(ENTRY)
    assert fingerprint([entry]) == fingerprint([ENTRY])


@pytest.mark.parametrize("entry", [case[1] for case in OTHER], ids=[case[0] for case in OTHER])
def test_any_other_change_changes_it(entry: dict[str, Any]) -> None:
    assert fingerprint(entry) != fingerprint(ENTRY)
    assert fingerprint([entry]) != fingerprint([ENTRY])


def test_every_change_gives_another_fingerprint() -> None:
    assert len({fingerprint(entry) for _, entry in OTHER}) == len(OTHER)


def test_a_tool_its_entry_and_the_objects_of_the_sdk_agree() -> None:
    tool = from_mcp_tool(ENTRY)
    same = [ENTRY, tool, to_mcp_tool(tool), mcp_types.Tool.model_validate(ENTRY)]
    assert {fingerprint(item) for item in same} == {fingerprint(ENTRY)}
    listed = {"tools": [ENTRY]}
    sets: list[object] = [
        [ENTRY], (tool,), Toolkit.make(tool), listed, {"jsonrpc": "2.0", "id": 1, "result": listed},
        mcp_types.ListToolsResult.model_validate(listed), Toolkit.make(tool).bind({"search": lambda params: {}}),
    ]  # fmt: skip
    assert {fingerprint(item) for item in sets} == {fingerprint([ENTRY])}


def test_the_order_of_tools_does_not_count_but_their_number_does() -> None:
    other = altered("name", value="find")
    assert fingerprint([ENTRY, other]) == fingerprint([other, ENTRY])
    assert len({fingerprint(item) for item in ([ENTRY], [ENTRY, other], [], ENTRY)}) == 4


def test_an_order_that_a_reference_counts_by_does_count() -> None:
    one, other = {"type": "string"}, {"type": "object"}
    entries = [
        altered(
            "inputSchema", value={"type": "object", "properties": {"a": {"$ref": "#/enum/0"}}, "enum": values}
        )
        for values in ([one, other], [other, one])
    ]
    assert fingerprint(entries[0]) != fingerprint(entries[1])


class Now(TypedDict):
    zone: str


def test_our_own_tools_have_one() -> None:
    now = Tool.make("Now", description="The time", parameters=Now, success=str)
    assert fingerprint(now) == fingerprint(
        Tool.make("Now", description="The time", parameters=Now, success=str)
    )
    changed = [
        now.annotate(Readonly, True),
        now.annotate(Title, "T"),
        now.set_description(None),
        now.set_parameters(str),
    ]
    assert len({fingerprint(item) for item in [now, *changed]}) == 5
    web = Tool.provider_defined(
        id="openai.web_search", custom_name="Web", provider_name="web", args=dict[str, int]
    )
    assert fingerprint(web({"a": 1})) != fingerprint(web({"a": 2}))


def test_the_fingerprint_is_the_same_in_every_process_and_release() -> None:
    assert (fingerprint(ENTRY), fingerprint([ENTRY])) == (PINNED, PINNED_SET)
    code = f"from tool_core.mcp import fingerprint; print(fingerprint({ENTRY!r}))"
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        shown = subprocess.run(
            [sys.executable, "-c", code], check=True, capture_output=True, text=True, env=environment
        )
        assert shown.stdout.strip() == PINNED


REFUSED: list[tuple[object, str]] = [
    (3, "Invalid configuration: expected tools, a toolkit or tools/list entries, not int"),
    ("search", "Invalid configuration: expected tools, a toolkit or tools/list entries, not str"),
    ([3], "Invalid configuration: the server sent an unusable definition: a definition is an object, not int"),
    ({}, "Invalid configuration: the server sent an unusable definition: the definition has no name"),
    ([ENTRY, ENTRY], "Invalid configuration for tool 'search': two tools have this name"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "message"), REFUSED)
def test_what_is_no_tool_is_refused(source: object, message: str) -> None:
    with pytest.raises(ToolConfigurationError) as caught:
        fingerprint(source)
    assert str(caught.value) == message
