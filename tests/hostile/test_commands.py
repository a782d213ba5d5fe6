"""Command lines, saved lists and pages: one clear line and an exit code, and no code from a server runs."""

from __future__ import annotations

import contextlib
import io
import json
import logging
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.hostile.guards import FEW, contained
from tests.hostile.strategies import ODD_TEXTS, TEXTS, json_values, schemas
from tool_core.cli.program import run

COMMANDS = ["check", "report", "schema", "plan", "call", "drift", "serve", "init", "nonsense", ""]
OPTIONS = [
    "--json",
    "--help",
    "--provider",
    "--model",
    "--strict",
    "-o",
    "--output",
    "-",
    "--",
    "--debug=x",
    "-x",
]
HOSTILE = '</script><script>alert("pwned")</script>'


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Stay away from real files, and give the log back, which the program quiets for its process."""
    monkeypatch.chdir(tmp_path)
    logger = logging.getLogger("tool_core")
    level = logger.level
    yield
    logger.setLevel(level)


def shown(*arguments: str) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(arguments)
    return code, out.getvalue(), err.getvalue()


ARGUMENTS = st.one_of(
    st.sampled_from(
        [*OPTIONS, "gone.py", "gone.json", "tests", "json:loads", "os:system", ":", "a:b:c", "/", "."]
    ),
    st.sampled_from(ODD_TEXTS),
    TEXTS,
)


@given(st.sampled_from(COMMANDS), st.lists(ARGUMENTS, max_size=4))
@FEW
def test_any_command_line_ends_with_a_code_and_at_most_a_line(command: str, arguments: list[str]) -> None:
    if command in ("serve", "init") and "--help" not in arguments:
        arguments = ["--nonsense", *arguments]
    with contained(refuses=False):
        code, _, errors = shown(command, *arguments)
    assert code in (0, 1, 2)
    assert "Traceback" not in errors
    assert "shows where" not in errors  # the words for an error that nobody thought of


LISTED = st.lists(
    st.one_of(
        st.fixed_dictionaries(
            {"name": st.one_of(TEXTS, st.sampled_from(["a", "b"])), "inputSchema": schemas()},
            optional={"description": st.one_of(TEXTS, st.just(HOSTILE)), "title": TEXTS},
        ),
        json_values(4),
    ),
    max_size=4,
)


@given(
    st.one_of(LISTED.map(lambda tools: {"tools": tools}), LISTED, json_values()),
    st.sampled_from(["check", "plan"]),
)
@FEW
def test_any_saved_list_is_read_or_complained_about(tmp_path_factory: Any, saved: Any, command: str) -> None:
    path = tmp_path_factory.mktemp("lists") / "tools.json"
    path.write_text(json.dumps(saved))
    with contained(refuses=False):
        code, out, errors = shown(command, str(path), "--json")
    assert code in (0, 1, 2)
    assert "Traceback" not in errors
    assert "shows where" not in errors  # the words for an error that nobody thought of
    if code != 2:
        json.loads(out)


@pytest.mark.parametrize(
    "text", ["", "{", "[1, 2", '{"a":1,"a":2}', "\x00", "[" * 100_000, '{"tools": 5}', '"x"']
)
def test_a_saved_list_that_is_no_json_is_one_line(text: str, tmp_path: Path) -> None:
    (tmp_path / "tools.json").write_text(text)
    code, _, errors = shown("check", "tools.json")
    assert code == 2
    assert errors.count("\n") == 1


def hostile_list() -> dict[str, Any]:
    words = [
        HOSTILE,
        "<img src=x onerror=alert(1)>",
        "javascript:alert(1)",
        "'\"><svg/onload=alert(1)>",
        "${alert(1)}",
    ]
    return {
        "tools": [
            {
                "name": f"tool_{number}",
                "title": word,
                "description": word,
                "inputSchema": {
                    "type": "object",
                    "properties": {
                        word: {"type": "string", "description": word, "enum": [word], "default": word}
                    },
                },
            }
            for number, word in enumerate(words)
        ]
    }


def test_a_page_carries_no_markup_of_a_server(tmp_path: Path) -> None:
    (tmp_path / "tools.json").write_text(json.dumps(hostile_list()))
    code, _, errors = shown("report", "tools.json", "--output", "page.html")
    assert code in (0, 1), errors
    page = (tmp_path / "page.html").read_text()
    assert len(re.findall(r"<script\b", page)) == len(re.findall(r"</script>", page)) <= 2
    for markup in ("<img src=x", "<svg/onload", HOSTILE):
        assert markup not in page
    assert "script-src 'sha256-" in page
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".html"] == ["page.html"]
