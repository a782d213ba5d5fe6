"""`tool-core check`: what people see, what programs read, and when it fails."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.programs import ROOT, matches_golden, run, run_in_terminal
from tool_core import get_json_schema_from_type, schema_of
from tool_core.cli.documents import CheckDocument

LISTS = Path(__file__).parent / "lists"


def saved(name: str) -> str:
    return str((LISTS / f"{name}_server.json").relative_to(ROOT))


def document(*arguments: str) -> Any:
    shown = run("check", *arguments, "--json")
    assert shown.errors == ""
    return json.loads(shown.output)


def test_the_example_fits_one_plain_screen_when_piped() -> None:
    shown = run("check", "examples/weather.py", "--no-types")
    assert shown.code == 0
    assert "\x1b" not in shown.output
    assert max(map(len, shown.output.splitlines())) <= 80
    assert matches_golden("weather_80.txt", shown.output)


@pytest.mark.parametrize("columns", [80, 200])
def test_a_terminal_gets_its_own_width_and_colour(columns: int) -> None:
    shown = run_in_terminal("check", "examples/weather.py", "--no-types", columns=columns)
    assert shown.code == 0
    assert "\x1b[32mstrict" in shown.output
    assert max(map(len, shown.plain.splitlines())) <= columns
    assert matches_golden(f"weather_{columns}.txt", shown.plain)


def test_no_color_is_respected() -> None:
    shown = run_in_terminal(
        "check", "examples/weather.py", "--no-types", columns=80, environment={"NO_COLOR": "1"}
    )
    assert "\x1b[32m" not in shown.output


@pytest.mark.parametrize(("name", "code"), [("notes", 0), ("sloppy", 1), ("hostile", 0)])
def test_a_saved_tools_list_is_a_target(name: str, code: int) -> None:
    shown = run("check", saved(name))
    assert shown.code == code
    assert shown.errors == ""
    assert matches_golden(f"{name}_server.txt", shown.output)


def test_a_hostile_server_cannot_write_to_the_terminal() -> None:
    shown = run("check", saved("hostile"), environment={"COLUMNS": "200"})
    explained = run("check", saved("hostile"), "--explain", "ansi")
    for text in (shown.output, explained.output):
        assert not {"\x1b", "\x07", "\u202e"} & set(text)
    assert "\\x1b[2Jclear" in explained.output


def test_the_json_fits_its_documented_schema() -> None:
    for target in ("examples/weather.py", saved("sloppy")):
        found = document(target, "--no-types")
        schema_of(CheckDocument).decode(found)
    stored = json.loads((ROOT / "docs" / "check.schema.json").read_text())
    assert stored == get_json_schema_from_type(CheckDocument)


def test_the_json_says_what_the_table_says() -> None:
    found = document("examples/weather.py", "--no-types")
    assert found["exit_code"] == 0
    station = found["tools"][1]
    assert station["name"] == "read_station"
    assert [item["state"] for item in station["verdicts"]] == ["strict"] * 3
    assert station["verdicts"][2]["losses"] == [
        {"pointer": "/properties/id", "keyword": "pattern", "detail": "must match the pattern ^[A-Z]{4}$"}
    ]
    assert [item["state"] for item in found["tools"][2]["verdicts"]] == ["built-in", "absent", "absent"]
    assert found["budgets"][1]["limits"] == {"tools": 20, "optionals": 24, "unions": 16}


@pytest.mark.parametrize(
    ("threshold", "code"), [("rewritten", 1), ("lost", 1), ("lenient", 0), ("impossible", 0), ("never", 0)]
)
def test_fail_on_sets_the_least_finding_that_fails(threshold: str, code: int) -> None:
    shown = run("check", "examples/weather.py", "--no-types", "--fail-on", threshold)
    assert shown.code == code
    assert ("Result: clean" in shown.output) is (code == 0 and threshold != "never")


def test_what_the_author_forbids_is_no_finding(tmp_path: Path) -> None:
    (tmp_path / "tools.py").write_text(
        "from tool_core import Strict, Tool\nnow = Tool.make('Now').annotate(Strict, False)\n"
    )
    shown = run("check", "tools.py", "--no-types", "--fail-on", "lenient", cwd=tmp_path)
    assert shown.code == 0
    assert "the tool forbids strict mode" in shown.output


def test_strict_mode_that_is_required_and_impossible_fails(tmp_path: Path) -> None:
    (tmp_path / "tools.py").write_text(
        "from tool_core import Strict, Tool\n"
        "many = [Tool.make(f'tool_{n}').annotate(Strict, True) for n in range(21)]\n"
    )
    shown = run("check", "tools:many", "--no-types", "-p", "anthropic", cwd=tmp_path)
    assert shown.code == 1
    assert "requires strict mode, but over the budget" in " ".join(shown.output.split())


def test_models_and_providers_choose_the_columns() -> None:
    found = document("examples/weather.py", "--no-types", "-m", "gpt-4o", "-m", "openai/gpt-3.5-turbo")
    states = [(item["model"], item["state"], item["reason"]) for item in found["tools"][0]["verdicts"]]
    assert states == [
        ("gpt-4o", "strict", "strict mode by default"),
        ("openai/gpt-3.5-turbo", "lenient", "the model 'openai/gpt-3.5-turbo' has no strict mode"),
    ]
    assert [
        item["provider"] for item in document("examples/weather.py", "--no-types", "-p", "google")["budgets"]
    ] == ["google"]


def test_many_tools_share_lines_unless_all_are_asked_for(tmp_path: Path) -> None:
    (tmp_path / "tools.py").write_text(
        "from tool_core import Tool\nmany = [Tool.make(f'tool_{n}') for n in range(60)]\n"
    )
    short = run("check", "tools:many", "--no-types", cwd=tmp_path).output
    assert "20 tools" in short and "40 tools" in short and "tool_59" not in short
    assert "tool_59" in run("check", "tools:many", "--no-types", "--all", cwd=tmp_path).output


def test_explain_sets_the_schemas_side_by_side() -> None:
    shown = run("check", "examples/weather.py", "--explain", "read_station", "-p", "google")
    assert shown.code == 0
    assert matches_golden("explain_station.txt", shown.output)


def test_the_mistakes_of_the_example_are_explained() -> None:
    shown = run("check", "--no-schemas", "examples/mistakes.py")
    assert shown.code == 1
    assert matches_golden("mistakes.txt", shown.output)
    fine = run("check", "examples/weather.py")
    assert fine.code == 0
    assert fine.output.endswith("Handlers: mypy with the plugin finds nothing wrong\nResult: clean\n")


def test_a_projects_own_configuration_of_mypy_is_used_where_it_names_the_plugin(tmp_path: Path) -> None:
    (tmp_path / "tools.py").write_text(
        "from tool_core import Tool\nnow = Tool.make('Now')\ndef f(x): return x\n"
    )
    strict = "[tool.mypy]\nstrict = true\n"
    (tmp_path / "pyproject.toml").write_text(strict)
    assert run("check", "tools.py", cwd=tmp_path).code == 0
    (tmp_path / "pyproject.toml").write_text(f"{strict}plugins = ['tool_core.mypy']\n")
    shown = run("check", "tools.py", cwd=tmp_path)
    assert shown.code == 1
    assert "[no-untyped-def]" in shown.output


def test_a_handler_that_does_not_fit_is_found_by_binding_and_by_mypy(tmp_path: Path) -> None:
    (tmp_path / "tools.py").write_text(
        "from tool_core import Tool, Toolkit\n"
        "now = Tool.make('Now', success=float)\n"
        "def tell(params: object) -> str:\n"
        "    return 'noon'\n"
        "bound = Toolkit.make(now).bind(now.implement(tell))\n"
    )
    shown = run("check", "tools.py", cwd=tmp_path)
    assert shown.code == 1
    assert "- Now: the handler returns str, but the tool declares float\n" in shown.output
    assert "tools.py:5  [arg-type]" in shown.output
    assert "Result: 2 findings at or above 'impossible'" in shown.output


def test_what_takes_longer_than_a_second_shows_a_bar_on_a_terminal_only(tmp_path: Path) -> None:
    slow = (
        "import time\nfrom tool_core import Tool\n"
        "class Slow:\n"
        "    decode = decode_json = encode = staticmethod(lambda value: value)\n"
        "    def json_schema(self):\n"
        "        time.sleep(1.5)\n"
        "        return {'type': 'object', 'properties': {}}\n"
        "now = Tool.make('Now', parameters=Slow())\n"
    )
    (tmp_path / "slow.py").write_text(slow)
    arguments = ("check", str(tmp_path / "slow.py"), "--no-types", "-p", "openai")
    assert "Rewriting schemas" in run_in_terminal(*arguments, columns=80).plain
    assert run(*arguments).errors == ""


@pytest.mark.parametrize("columns", [20, 40, 60])
def test_a_narrow_screen_gets_a_list_that_loses_nothing(columns: int) -> None:
    shown = run("check", "examples/weather.py", "--no-types", environment={"COLUMNS": str(columns)})
    assert all(len(line) <= columns for line in shown.output.splitlines())
    words = " ".join(shown.output.split())
    assert "read_station OpenAI gpt-5: strict ~2 Anthropic claude-opus-4-5: strict ~1 Google" in words
    assert "budget OpenAI gpt-5: no limit Anthropic claude-opus-4-5: 2/20 tools, 2/24 optional" in words
    assert "id: must match the pattern ^[A-Z]{4}$ (Google)" in words


@pytest.mark.parametrize(
    ("model", "state"),
    [("gpt-3.5-turbo", "lenient"), ("claude-3-haiku", "lenient"), ("gemini-pro", "lenient")],
)
def test_a_model_without_strict_mode_is_known_by_the_name_of_its_family(model: str, state: str) -> None:
    shown = run("check", "examples/weather.py", "--no-types", "--json", "-m", model)
    verdicts = json.loads(shown.output)["tools"][0]["verdicts"]
    assert [(verdict["model"], verdict["state"]) for verdict in verdicts] == [(model, state)]
