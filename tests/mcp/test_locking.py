"""Locked modules: deterministic, formatted, importable, and nothing a server says becomes code."""

from __future__ import annotations

import ast
import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from tests.mcp import hostile
from tests.mcp.test_fingerprints import ENTRY, altered
from tests.schema_authors import Author
from tests.strict.laws import CORPORA
from tool_core import Readonly, Title, Tool, ToolConfigurationError, Toolkit
from tool_core.mcp import (
    CONTENT,
    connect,
    drift,
    fingerprint,
    from_mcp_tool,
    lock,
    locked_fingerprint,
    matches_lock,
    to_mcp_tool,
)
from tool_core.mcp.locking.identifiers import camel
from tool_core.samples import sample_values

NODE = {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}}}
TREE = {
    "name": "tree",
    "inputSchema": {
        "type": "object",
        "properties": {"root": {"$ref": "#/$defs/Node"}},
        "$defs": {"Node": NODE},
    },
}
SEARCH_MODULE = '''"""The tools of the MCP server 'web', as it listed them.

Written by `tool-core lock`. Do not edit it: lock the server again.
"""

from __future__ import annotations

from typing import Final, Literal

from typing_extensions import NotRequired, TypedDict

from tool_core import JsonSchema, Readonly, Title, Tool, Toolkit
from tool_core.mcp import CONTENT

FINGERPRINT: Final = "HASH"


class SearchInput(TypedDict):
    """Arguments of `search`."""

    q: str | None
    """what"""
    kind: Literal["page", "image"]
    limit: NotRequired[int]


class SearchOutput(TypedDict):
    """What comes back from `search`."""

    pages: NotRequired[list[object]]


class TreeNode(TypedDict):
    next: NotRequired[TreeNode]


class TreeInput(TypedDict):
    """Arguments of `tree`."""

    root: NotRequired[TreeNode]


search = Tool.dynamic(
    "search",
    description="Find pages",
    parameters=JsonSchema.typed(
        SearchInput,
        r"""
        {
          "type": "object",
          "properties": {
            "q": {"type": ["string", "null"], "description": "what"},
            "kind": {"enum": ["page", "image"]},
            "limit": {"type": "integer", "maximum": 10}
          },
          "required": ["q", "kind"]
        }
        """,
    ),
    success=JsonSchema.typed(
        SearchOutput,
        r"""
        {"type": "object", "properties": {"pages": {"type": "array"}}}
        """,
    ),
    failure=CONTENT,
    failure_mode="return",
)
search = search.annotate(Title, "Search")
search = search.annotate(Readonly, True)


tree = Tool.dynamic(
    "tree",
    parameters=JsonSchema.typed(
        TreeInput,
        r"""
        {
          "type": "object",
          "properties": {"root": {"$ref": "#/$defs/Node"}},
          "$defs": {"Node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}}}}
        }
        """,
    ),
    success=CONTENT,
    failure=CONTENT,
    failure_mode="return",
)


TOOLKIT = Toolkit.make(
    search,
    tree,
)
'''


def loaded(text: str) -> Any:
    module = ModuleType("locked")
    sys.modules["locked"] = module
    exec(compile(text, "locked.py", "exec"), module.__dict__)
    return module


def unformatted(folder: Path) -> str:
    command = [
        sys.executable,
        "-m",
        "ruff",
        "format",
        "--isolated",
        "--line-length",
        "100",
        "--diff",
        str(folder),
    ]
    return subprocess.run(command, capture_output=True, text=True).stdout


def servers() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """A few of the recorded servers, always the same."""
    lines = map(json.loads, (CORPORA / "mcp-tools.jsonl").read_text().splitlines())
    grouped = [
        (name, [line["tool"] for line in group])
        for name, group in groupby(lines, lambda line: line["server"])
    ]
    yield from grouped[::9]


def test_a_module_reads_as_one_would_write_it() -> None:
    expected = SEARCH_MODULE.replace("HASH", fingerprint([ENTRY, TREE]))
    assert lock([TREE, ENTRY], server="web") == expected


def test_the_locked_tools_are_the_servers_tools() -> None:
    module = loaded(lock([ENTRY, TREE], server="web"))
    search = module.search
    assert isinstance(module.TOOLKIT, Toolkit)
    assert search.json_schema == ENTRY["inputSchema"]
    assert search.success_schema.json_schema() == ENTRY["outputSchema"]
    assert (search.annotations.get(Title), search.annotations.get(Readonly)) == ("Search", True)
    assert (search.failure_mode, search.failure_schema, module.tree.success_schema) == (
        "return",
        CONTENT,
        CONTENT,
    )
    assert fingerprint(module.TOOLKIT) == module.FINGERPRINT == fingerprint([ENTRY, TREE])
    assert not drift(module.TOOLKIT, [ENTRY, TREE])
    bound = module.TOOLKIT.bind(
        {"search": lambda params: {"pages": [params["kind"]]}, "tree": lambda params: "ok"}
    )
    assert bound.call_sync("search", {"q": None, "kind": "page"}).result == {"pages": ["page"]}
    assert bound.call_sync("search", {"q": None}).is_failure


SOURCES: list[object] = [
    [ENTRY, TREE], [TREE, ENTRY], {"tools": [ENTRY, TREE]}, [from_mcp_tool(ENTRY), from_mcp_tool(TREE)],
    Toolkit.make(from_mcp_tool(TREE), from_mcp_tool(ENTRY)), [to_mcp_tool(from_mcp_tool(ENTRY)), TREE],
]  # fmt: skip


@pytest.mark.parametrize("source", SOURCES)
def test_whatever_the_tools_come_from_the_module_is_the_same(source: object) -> None:
    assert lock(source, server="web") == lock([ENTRY, TREE], server="web")


def test_locking_a_locked_toolkit_again_changes_nothing() -> None:
    text = lock(hostile.definitions(), server="x")
    assert lock(loaded(text).TOOLKIT, server="x") == text


def test_our_own_tools_can_be_locked_too() -> None:
    text = lock([Tool.make("Now", description="The time", parameters=list[int], success=float)])
    assert "class NowInput(TypedDict):" in text and "value: list[int]" in text


def test_a_definition_that_cannot_be_used_is_left_out_and_named() -> None:
    text = lock([ENTRY, {"name": "odd", "inputSchema": 3}, 7], server="web")
    assert "Left out, for they cannot be used:" in text
    assert "- odd: server 'web' sent an unusable definition: inputSchema is not a JSON Schema but int" in text
    assert fingerprint([ENTRY]) == loaded(text).FINGERPRINT
    assert matches_lock(text, [ENTRY, 7])


REFUSED: list[tuple[object, str]] = [
    ([], "Invalid configuration: there is no tool to lock"),
    ([3], "Invalid configuration: there is no tool to lock; Invalid configuration: server 'web' sent an unusable definition: a definition is an object, not int"),
    (3, "Invalid configuration: expected tools, a toolkit or tools/list entries, not int"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "message"), REFUSED)
def test_nothing_to_lock_is_an_error(source: object, message: str) -> None:
    with pytest.raises(ToolConfigurationError) as caught:
        lock(source, server="web")
    assert str(caught.value) == message


def test_a_lock_matches_until_the_server_changes() -> None:
    text = lock([ENTRY])
    for locked in (text, loaded(text), fingerprint([ENTRY])):
        assert matches_lock(locked, {"tools": [ENTRY]})
        assert not matches_lock(locked, [altered("description", value="Obey")])
    assert locked_fingerprint(text) == fingerprint([ENTRY])


@pytest.mark.parametrize(
    "locked", ["", "x = 1", "def", "FINGERPRINT = 3", "FINGERPRINT = 'abc'", 3, None, "(" * 5000]
)
def test_what_is_no_lock_is_refused(locked: object) -> None:
    with pytest.raises(ToolConfigurationError) as caught:
        locked_fingerprint(locked)
    assert caught.value.description == "this is no locked module: it has no FINGERPRINT"


def test_the_text_of_a_lock_is_read_and_not_run() -> None:
    assert locked_fingerprint(f"raise SystemExit\nFINGERPRINT = {fingerprint([ENTRY])!r}") == fingerprint(
        [ENTRY]
    )


JSON: dict[str, Any] = {
    "anyOf": [
        {"type": "string"},
        {"type": "array", "items": {"$ref": "#/$defs/Json"}},
        {"type": "object", "additionalProperties": {"$ref": "#/$defs/Json"}},
    ]
}
MAYBE = {"anyOf": [{"$ref": "#/$defs/Json"}, {"type": "null"}]}
RECURSIVE: list[dict[str, Any]] = [
    {"type": "object", "properties": {"value": MAYBE}},
    {"type": "object", "properties": {"no field name": MAYBE, "list": {"type": "array", "items": MAYBE}}},
    {"type": "object", "properties": {"any": {"$ref": "#/$defs/Alias"}, "class": {"$ref": "#/$defs/Maybe"}}},
    {"anyOf": [{"$ref": "#/$defs/Json"}, {"type": "object", "properties": {"a": MAYBE}}]},
    {"anyOf": [{"$ref": "#/$defs/Alias"}, {"type": "null"}]},
    {
        "anyOf": [
            {"$ref": "#"},
            {"type": "object", "properties": {"a": {"$ref": "#"}, "b": {"$ref": "#/$defs/Roots"}}},
        ]
    },
    {"allOf": [{"type": "object"}, {"$ref": "#"}], "properties": {"a": {"$ref": "#/$defs/Roots"}}},
    {"properties": {"a": {"anyOf": [{"$ref": "#"}, {"type": "null"}]}}, "$ref": "#/$defs/Roots"},
]


def recursive() -> Iterator[dict[str, Any]]:
    """Tools whose schemas join a recursive type with others, in every place where that can be said."""
    roots = {"type": "array", "items": {"$ref": "#"}}
    defs = {"Json": JSON, "Alias": {"$ref": "#/$defs/Json"}, "Maybe": MAYBE, "Roots": roots}
    for number, schema in enumerate(RECURSIVE):
        for role in ("inputSchema", "outputSchema"):
            yield {
                "name": f"{role}{number}",
                "inputSchema": {"type": "object"},
                role: {**schema, "$defs": defs},
            }


@pytest.mark.parametrize("entry", list(recursive()), ids=lambda entry: entry["name"])
def test_a_module_with_recursive_unions_can_be_imported(entry: dict[str, Any]) -> None:
    assert list(loaded(lock([entry])).TOOLKIT.tools) == [entry["name"]]


def test_a_key_that_no_typed_dict_can_have_is_among_the_free_ones() -> None:
    keys = {"": {"type": "string"}, "__extra_items__": {"type": "string"}, "__proto__": {"type": "integer"}}
    schema = {"type": "object", "properties": keys, "additionalProperties": False}
    module = loaded(lock([{"name": "odd", "inputSchema": schema}]))
    assert list(module.OddInput.__annotations__) == ["__proto__"]
    value = {"": "a", "__extra_items__": "b", "__proto__": 1}
    assert module.odd.parameters_schema.decode(value) == value


def test_what_must_all_hold_is_read_in_bounded_work() -> None:
    """Of conditions without number some are not read, which only makes the type wider."""
    members = [{"type": "object", "properties": {f"k{number}": {"type": "integer"}}} for number in range(500)]
    text = lock([{"name": "many", "inputSchema": {"type": "object", "allOf": members}}])
    assert "k0: NotRequired[int]" in text and "k400: NotRequired[int]" not in text
    assert loaded(text).many.parameters_schema.decode({"k400": 1}) == {"k400": 1}


def test_a_name_that_is_escaped_in_a_reference_is_a_name() -> None:
    definition = {"type": "object", "properties": {"n": {"type": "integer"}}}
    schema = {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/List%3Cstring%3E"}, "b": {"$ref": "#/$defs/a~1b"}},
        "$defs": {"List<string>": definition, "a/b": definition},
    }
    text = lock([{"name": "get", "inputSchema": schema}])
    assert "class GetListString(TypedDict):" in text and "class GetAB(TypedDict):" in text


def test_hostile_words_stay_words(tmp_path: Path) -> None:
    tools = hostile.definitions()
    text = lock(tools, server='"""\nimport os\\')
    assert hostile.strange_code(text) == []
    assert loaded(text).FINGERPRINT == fingerprint(tools) == fingerprint(loaded(text).TOOLKIT)
    assert text.isascii() or all(line.isprintable() for line in text.splitlines())
    (tmp_path / "hostile.py").write_text(text, encoding="utf-8")
    assert unformatted(tmp_path) == ""


def test_the_judge_of_code_would_notice() -> None:
    for code in (
        "import os",
        "x = f()",
        "def f(): ...",
        "@a\nclass B(TypedDict): ...",
        "__x = 1",
        "x = lambda: 1",
        "from os import path",
        "assert x",
        "x = f'{y}'",
    ):
        assert hostile.strange_code(code)


WORDS = st.sampled_from(hostile.TEXTS) | st.text(max_size=30)
TOOL_NAMES = st.from_regex(r"[A-Za-z0-9_.-]{1,30}", fullmatch=True) | st.sampled_from(hostile.NAMES)


@st.composite
def tools_lists(draw: Any) -> list[dict[str, Any]]:
    found = {}
    for name in draw(st.lists(TOOL_NAMES, min_size=1, max_size=3, unique=True)):
        part = {
            "type": "string",
            "enum": draw(st.lists(WORDS, min_size=1, max_size=3, unique=True)),
            "description": draw(WORDS),
        }
        keys = draw(st.lists(WORDS, max_size=3, unique=True))
        inner = {
            "type": "object",
            "properties": dict.fromkeys(keys, part),
            "title": draw(WORDS),
            "description": draw(WORDS),
        }
        schema = {
            "type": "object",
            "properties": {
                **dict.fromkeys(keys, inner),
                "x": Author(draw(st.randoms(use_true_random=False))).schema(2),
            },
        }
        found[name] = {
            "name": name,
            "description": draw(WORDS),
            "title": draw(WORDS),
            "inputSchema": schema,
            "outputSchema": inner,
        }
    return list(found.values())


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(tools=tools_lists(), server=WORDS)
def test_no_definition_becomes_code(tools: list[dict[str, Any]], server: str) -> None:
    try:
        text = lock(tools, server=server)
    except ToolConfigurationError as error:
        assert "no tool to lock" in error.description
        return
    assert hostile.strange_code(text) == []
    module = loaded(text)
    assert fingerprint(module.TOOLKIT) == module.FINGERPRINT
    assert lock(list(reversed(tools)), server=server) == text


@pytest.mark.skipif(not CORPORA.exists(), reason="the corpora are not beside this repository")
def test_real_servers_lock_to_formatted_modules_of_equal_fingerprint(tmp_path: Path) -> None:
    for number, (name, tools) in enumerate(servers()):
        text = lock(tools, server=name)
        assert hostile.strange_code(text) == []
        module = loaded(text)
        assert fingerprint(module.TOOLKIT) == module.FINGERPRINT == fingerprint(tools)
        assert lock(tools[::-1], server=name) == text
        (tmp_path / f"server_{number}.py").write_text(text, encoding="utf-8")
    assert unformatted(tmp_path) == ""


@pytest.mark.skipif(not CORPORA.exists(), reason="the corpora are not beside this repository")
def test_what_the_schema_accepts_has_the_generated_type() -> None:
    """Judged by pydantic, strictly, on the generated TypedDicts."""
    wrong, tried = [], 0
    for name, tools in servers():
        module = loaded(lock(tools, server=name))
        for tool in module.TOOLKIT:
            form = getattr(module, camel(tool.name, "Input")[:60], None)
            if form is not None:
                adapter = TypeAdapter(form)
                for value in sample_values(tool.json_schema, 2):
                    tried += 1
                    try:
                        adapter.validate_python(tool.parameters_schema.decode(value), strict=True)
                    except ValidationError as error:
                        wrong.append((tool.name, str(error)))
    assert wrong == [] and tried > 300


SERVER = """
from tool_core import Tool, Toolkit
from tool_core.mcp import serve_sync
double = Tool.make("double", description="Twice as much", parameters=dict[str, int], success=dict[str, int])
handlers = {"double": lambda params: {key: 2 * value for key, value in params.items()}}
serve_sync(Toolkit.make(double).bind(handlers), name="clock")
"""


def test_a_live_server_is_locked_held_to_it_and_called_through_it() -> None:
    async def main() -> None:
        async with connect([sys.executable, "-c", SERVER]) as remote:
            text = lock(remote, server=remote.server)
            assert matches_lock(text, remote)
        module = loaded(text)
        async with connect([sys.executable, "-c", SERVER], expect=module) as remote:
            bound = module.TOOLKIT.bind(remote.handlers)
            assert (await bound.call("double", {"a": 21})).result == {"a": 42}
        changed = [sys.executable, "-c", SERVER.replace("Twice", "Thrice")]
        with pytest.raises(ToolConfigurationError, match="offers other tools than expected"):
            async with connect(changed, expect=module):
                pass

    asyncio.run(main())


def test_the_module_needs_no_name_that_it_does_not_import() -> None:
    tree = ast.parse(lock(hostile.definitions()))
    imported = [alias.name for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names]
    assert len(imported) == len(set(imported))
