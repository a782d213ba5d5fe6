"""Strings, documentation and names in locked modules: every text comes back, none breaks out."""

from __future__ import annotations

import ast
import json
import keyword
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.mcp.hostile import NAMES, TEXTS
from tool_core.mcp.locking.identifiers import Names, camel, is_field_name
from tool_core.mcp.locking.layouts import (
    Alternatives,
    Expression,
    Name,
    Subscript,
    flat,
    laid_out,
    names_in,
    quoted,
)
from tool_core.mcp.locking.literals import docstring, json_block, string, text_block

TEXT = st.sampled_from(TEXTS) | st.text() | st.lists(st.sampled_from(TEXTS), max_size=4).map("".join)


CORNERS = [
    *TEXTS,
    *(
        f"{before}{text}{after}"
        for text in ("\\", '"', '\\"', '"""')
        for before in ("", "a\n", "\n")
        for after in ("", "\n", "\na")
    ),
]


@pytest.mark.parametrize("text", CORNERS)
def test_corners_are_turned(text: str) -> None:
    assert ast.literal_eval(string(text)) == ast.literal_eval(text_block(text)) == text
    written = docstring(text, "")
    assert not written or "".join(ast.literal_eval(written.strip()).split()) == "".join(text.split())


@given(TEXT)
def test_a_string_comes_back_whole(text: str) -> None:
    assert ast.literal_eval(string(text)) == text
    assert string(text).isascii() and "\n" not in string(text)


@given(TEXT)
def test_a_block_comes_back_whole(text: str) -> None:
    assert ast.literal_eval(text_block(text)) == text
    assert all(line.isprintable() for line in text_block(text).split("\n"))


@given(TEXT, st.sampled_from(["", "    "]))
def test_documentation_is_one_string_and_says_what_was_said(text: str, indent: str) -> None:
    written = docstring(text, indent)
    if not written:
        assert not text.strip()
        return
    read = ast.literal_eval(written.strip())
    assert "".join(read.split()) == "".join(text.split()) or len(text) > 2000
    assert all(line.isprintable() and line == line.rstrip() for line in written.split("\n"))


def test_documentation_is_cleaned_wrapped_and_cut() -> None:
    assert docstring(" \n\t") == ""
    assert docstring("One.") == '    """One."""\n'
    assert (
        docstring("One.\n\n      Two.\n        Three.  \n\n")
        == '    """One.\n\n    Two.\n      Three.\n    """\n'
    )
    assert docstring('"a"', "") == '"""\\"a\\""""\n'
    assert [len(line) for line in docstring("word " * 30).splitlines()] == [96, 63, 7]
    assert "..." in docstring("x" * 3000) and len(docstring("x" * 3000)) < 2100


@given(
    st.dictionaries(
        TEXT, TEXT | st.lists(TEXT, max_size=3) | st.floats(allow_nan=False, allow_infinity=False), max_size=4
    )
)
def test_json_comes_back_whole(value: dict[str, object]) -> None:
    written = json_block(value, "        ")
    assert json.loads(ast.literal_eval(written)) == value
    assert written.isascii() and written.count('"""') == 2


@given(st.lists(TEXT | st.sampled_from(NAMES), max_size=8))
def test_names_are_plain_and_given_once(words: list[str]) -> None:
    names = Names()
    given_names = [names.of_class(word) for word in words] + [names.of_variable(word) for word in words]
    assert len(set(given_names)) == len(given_names)
    for name in given_names:
        assert name.isascii() and name.isidentifier() and not keyword.iskeyword(name)
        assert not name.startswith("_") and len(name) <= 64
        assert name not in Names().taken


def test_names_read_well() -> None:
    names = Names()
    assert [names.of_variable(word) for word in ("getHTTPUser", "get-user", "2fa", "class", "-", "TOOLKIT")] == [
        "get_http_user", "get_user", "tool_2_fa", "class_", "tool", "toolkit",
    ]  # fmt: skip
    assert camel("API-get-user", "Input") == "APIGetUserInput"


@pytest.mark.parametrize("key", ["a-b", "", "class", "__x", "\uff49d", "é", "1a", "a b", "x\n"])
def test_an_odd_key_is_no_field_name(key: str) -> None:
    assert not is_field_name(key)


STR, NONE = Name("str"), Name("None")
LAYOUTS: list[tuple[Expression, str]] = [
    (Subscript("list", (Alternatives((STR, NONE)),)), "x: list[str | None]"),
    (Subscript("Literal", (Name('"' + "a" * 50 + '"'), Name('"' + "b" * 50 + '"'))), 'x: Literal[\n    "' + "a" * 50 + '",\n    "' + "b" * 50 + '",\n]'),
    (Subscript("Literal", (Name('"' + "a" * 120 + '"'),)), 'x: Literal[\n    "' + "a" * 120 + '"\n]'),
    (Alternatives((Name("A" * 50), Name("B" * 50))), "x: Union[\n    " + "A" * 50 + ",\n    " + "B" * 50 + ",\n]"),
    (Name("A" * 120), "x: " + "A" * 120),
]  # fmt: skip


@pytest.mark.parametrize(("expression", "text"), LAYOUTS)
def test_a_type_is_laid_out_as_a_formatter_leaves_it(expression: Expression, text: str) -> None:
    assert laid_out(expression, "x: ") == text
    command = [sys.executable, "-m", "ruff", "format", "--isolated", "--line-length", "100", "-"]
    shown = subprocess.run(command, input=f"{text}\n", check=True, capture_output=True, text=True)
    assert shown.stdout == f"{text}\n"


def test_a_type_that_is_defined_later_is_quoted() -> None:
    assert quoted(Alternatives((STR, NONE)), "X: TypeAlias = ") == 'X: TypeAlias = "str | None"'
    long = Name("A" * 90)
    assert quoted(long, "X: TypeAlias = ") == f'X: TypeAlias = (\n    "{long.text}"\n)'
    longer = Name("A" * 120)
    assert quoted(longer, "X: TypeAlias = ") == f'X: TypeAlias = "{longer.text}"'


def test_the_names_in_a_type_are_listed() -> None:
    expression = Subscript("dict", (STR, Alternatives((Name("A"), NONE))))
    assert (flat(expression), list(names_in(expression))) == (
        "dict[str, A | None]",
        ["dict", "str", "A", "None"],
    )
