"""The program as a whole: help, versions, exit codes, and errors of one line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import tool_core
from tests.cli.programs import PROGRAM, ROOT, run

KINDS = "give a Python file, a module or a saved tools/list"


def test_the_module_is_the_same_program() -> None:
    shown = subprocess.run(
        [sys.executable, "-m", "tool_core", "--version"], capture_output=True, text=True, check=True
    )
    assert shown.stdout == f"tool-core {tool_core.__version__}\n" == run("--version").output


@pytest.mark.parametrize("command", ["check", "report", "schema", "plan", "call", "serve"])
def test_every_command_explains_itself(command: str) -> None:
    assert command in run("--help").output
    shown = run(command, "--help")
    assert shown.code == 0
    assert "TARGET" in shown.output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["chek"], "No such command 'chek'."),
        (["check"], f"there is no target: {KINDS}"),
        (["check", "nope"], f"there is no module 'nope': {KINDS}"),
        (["check", "nope.py"], f"'nope.py' is not there: {KINDS}"),
        (["check", "./examples"], f"'./examples' is a folder, not a file: {KINDS}"),
        (["check", "README.md"], "'README.md' is neither a .py nor a .json file: give a Python file or a tools/list"),
        (["check", "tests/cli/lists/notes_server.json:kit"], "'tests/cli/lists/notes_server.json' is a saved list: it has no object 'kit'"),
        (["check", "nope.json"], "'nope.json' cannot be read: No such file or directory"),
        (["check", "examples/weather.py:kitt"], "weather has no 'kitt', did you mean 'kit'?"),
        (["check", "examples/weather.py:turn"], "examples/weather.py:turn holds function, not tools: a target has tools, toolkits or bound toolkits at its top"),
        (["check", "json"], "json holds no tools: a target has tools, toolkits or bound toolkits at its top"),
        (["check", "examples/weather.py", "-p", "opnai"], "there is no provider 'opnai', did you mean 'openai'?: give one of openai, anthropic, google"),
        (["check", "examples/weather.py", "-m", "my-model"], "the provider of the model 'my-model' is not known: give one --provider, or write it before the model, as in openai/my-model"),
        (["check", "examples/weather.py", "-m", "gpt-5", "-p", "google"], "'gpt-5' is a model of OpenAI: add --provider openai"),
        (["check", "examples/weather.py", "--explain", "GetWether"], "examples/weather.py has no tool 'GetWether', did you mean 'GetWeather'?"),
        (["call", "examples/weather.py", "OpenAiWebSearch"], "'OpenAiWebSearch' has no handler in examples/weather.py: bind its toolkit there: kit.bind({...})"),
        (["call", "examples/weather.py"], "call takes TARGET TOOL [JSON]: it got 1 argument"),
        (["call", "examples/weather.py", "GetWeather", "-f", "no.json"], "'no.json' cannot be read: No such file or directory"),
        (["check", ":kit"], f"there is no target: {KINDS}"),
        (["check", "--fail", "x"], "No such option: --fail"),
        (["call", "examples/weather.py", "GetWeather", "{"], "the arguments are no JSON: Expecting property name enclosed in double quotes at line 1 column 2"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)  # fmt: skip
def test_misuse_is_one_line_with_the_way_out(arguments: list[str], message: str) -> None:
    shown = run(*arguments)
    assert shown.code == 2
    assert shown.output == ""
    assert shown.errors.startswith(f"tool-core: {message}")
    assert shown.errors.count("\n") == 1


def test_code_that_breaks_on_import_is_one_line_and_debug_shows_the_rest(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("x = 1\ny = x / 0\n")
    shown = run("check", "broken.py", cwd=tmp_path)
    assert (shown.code, shown.errors) == (
        2,
        "tool-core: 'broken.py' cannot be imported: ZeroDivisionError: division by zero (line 2)\n",
    )
    assert "Traceback" in run("check", "broken.py", "--debug", cwd=tmp_path).errors
    (tmp_path / "leaves.py").write_text("raise SystemExit(3)\n")
    assert run("check", "leaves", cwd=tmp_path).errors == (
        "tool-core: 'leaves' cannot be imported: SystemExit: 3 (line 1)\n"
    )


def test_a_module_that_misses_another_says_which(tmp_path: Path) -> None:
    (tmp_path / "needy.py").write_text("import not_installed\n")
    assert run("check", "needy", cwd=tmp_path).errors == (
        "tool-core: 'needy' cannot be imported: ModuleNotFoundError: No module named 'not_installed' (line 1)\n"
    )


def test_without_the_extra_one_line_says_what_to_install() -> None:
    code = "import sys; sys.modules['typer'] = None; from tool_core.cli import main; main()"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert shown.returncode == 2
    assert shown.stderr == "tool-core: the command line needs typer: pip install 'tool-core[cli]'\n"


def test_without_a_command_it_explains_itself() -> None:
    shown = run()
    assert shown.code == 2
    assert shown.output.startswith("Usage: tool-core [OPTIONS] COMMAND")


def test_what_a_module_prints_does_not_mix_with_the_results(tmp_path: Path) -> None:
    (tmp_path / "loud.py").write_text("from tool_core import Tool\nprint('hello')\nnow = Tool.make('Now')\n")
    shown = run("schema", "loud.py", "Now", cwd=tmp_path)
    assert json.loads(shown.output)["type"] == "object"
    assert shown.errors == "hello\n"


def test_a_terminal_that_knows_few_characters_gets_the_rest_escaped(tmp_path: Path) -> None:
    definition = {
        "name": "x",
        "inputSchema": {"type": "object", "properties": {"\u043a\u043b\u044e\u0447": {}}},
    }
    (tmp_path / "saved.json").write_text(
        "\ufeff" + json.dumps([definition], ensure_ascii=False), encoding="utf-8"
    )
    shown = run("check", "saved.json", cwd=tmp_path, environment={"PYTHONIOENCODING": "ascii"})
    assert shown.code == 0
    assert "\\u043a\\u043b" in shown.output


def test_a_module_with_wrong_handlers_is_explained_by_mypy_under_its_name_too(tmp_path: Path) -> None:
    (tmp_path / "tools.py").write_text(
        "from tool_core import Tool, Toolkit\n"
        "bound = Toolkit.make(Tool.make('Now', success=float)).bind({'Now': lambda params: 'noon'})\n"
        "wrong = Toolkit.make(Tool.make('Now')).bind({})\n"
    )
    shown = run("check", "tools", "--no-schemas", cwd=tmp_path)
    assert shown.code == 1
    assert "- Now: it has no handler" in shown.output
    assert 'Missing handler for "Now"' in shown.output


def test_files_of_a_package_are_imported_as_its_modules(tmp_path: Path) -> None:
    package = tmp_path / "shop"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "prices.py").write_text("from typing import Literal\nCurrency = Literal['EUR', 'NOK']\n")
    (package / "tools.py").write_text(
        "from tool_core import Tool\nfrom .prices import Currency\n"
        "convert = Tool.make('Convert', parameters=Currency, success=float)\n"
    )
    by_file = run("schema", "shop/tools.py", cwd=tmp_path)
    by_name = run("schema", "shop.tools:convert", cwd=tmp_path)
    assert by_file.output == by_name.output
    assert '"Convert"' in by_file.output


def test_completion_is_offered() -> None:
    assert "_TOOL_CORE_COMPLETE" in run("--show-completion", environment={"SHELL": "/bin/bash"}).output


def test_nothing_of_the_program_is_loaded_by_the_library() -> None:
    code = "import sys, tool_core; print([n for n in ('typer', 'rich', 'tool_core.cli') if n in sys.modules])"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert shown.stdout == "[]\n"


def test_every_command_is_summed_up_in_a_line_that_is_whole() -> None:
    listed = run("--help").output.partition("Commands:\n")[2].splitlines()
    assert len(listed) == 9
    assert all(line.endswith(".") and not line.endswith("...") for line in listed)


def test_misuse_of_a_command_leads_to_its_own_help() -> None:
    assert run("check", "--nope").errors.endswith("(see tool-core check --help)\n")
    assert run("nope").errors.endswith("(see tool-core --help)\n")


def test_whatever_a_module_raises_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "skipped.py").write_text("class Skipped(BaseException): pass\nraise Skipped('not here')\n")
    (tmp_path / "lazy.py").write_text("def __getattr__(name): raise ValueError('not yet')\n")
    assert run("check", "skipped.py", cwd=tmp_path).errors == (
        "tool-core: 'skipped.py' cannot be imported: Skipped: not here (line 2)\n"
    )
    assert run("check", "lazy.py:kit", cwd=tmp_path).errors == (
        "tool-core: 'kit' of lazy cannot be read: ValueError: not yet\n"
    )


def test_a_full_disk_is_one_line() -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no full device here")
    command = f"{PROGRAM} schema {ROOT / 'examples' / 'weather.py'} > /dev/full"
    shown = subprocess.run(command, shell=True, capture_output=True, text=True)
    assert (shown.returncode, shown.stderr) == (
        2,
        "tool-core: the output cannot be written: No space left on device\n",
    )
