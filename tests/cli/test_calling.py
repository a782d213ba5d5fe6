"""`tool-core call`, `schema` and `plan`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.programs import run, run_in_terminal

TOOLS = """
from typing_extensions import TypedDict
from tool_core import Fail, Final, HandlerContext, Preliminary, Strict, Tool, Toolkit

class Amount(TypedDict):
    amount: int

pay = Tool.make("Pay", parameters=Amount, success=str, needs_approval=True)
count = Tool.make("Count", success=int)
refuse = Tool.make("Refuse", success=int, failure=str)
crash = Tool.make("Crash", success=int)

async def counting(params):
    yield Preliminary(1)
    yield Preliminary(2)
    yield Final(3)

def crashing(params):
    raise OSError("the file /etc/secret is locked")

bound = Toolkit.make(pay, count, refuse, crash).bind({
    "Pay": lambda params: f"paid {params['amount']}",
    "Count": counting,
    "Refuse": lambda params: Fail("not today"),
    "Crash": crashing,
})

@Tool.from_function
def double(n: int) -> int:
    "Double a number."
    return 2 * n
"""


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("calling") / "tools.py"
    path.write_text(TOOLS)
    return str(path)


def test_arguments_come_as_text_from_standard_input_or_from_a_file(tools: str, tmp_path: Path) -> None:
    (tmp_path / "arguments.json").write_text('{"n": 4}')
    assert run("call", tools, "double", '{"n": 2}').output == "4\n"
    assert run("call", tools, "double", "-", given='{"n": 3}').output == "6\n"
    assert run("call", tools, "double", "--file", str(tmp_path / "arguments.json")).output == "8\n"


def test_preliminary_results_come_first_and_apart_from_the_result(tools: str) -> None:
    shown = run("call", tools, "Count")
    assert (shown.code, shown.output, shown.errors) == (0, "3\n", "... 1\n... 2\n")


def test_parts_are_lines_of_json(tools: str) -> None:
    shown = run("call", tools, "Count", "--parts")
    parts = [json.loads(line) for line in shown.output.splitlines()]
    assert [(part["result"], part["preliminary"]) for part in parts] == [(1, True), (2, True), (3, False)]


def test_a_failure_of_the_tool_is_exit_1_and_shows_nothing_of_its_insides(tools: str) -> None:
    refused, crashed = run("call", tools, "Refuse"), run("call", tools, "Crash")
    assert (refused.code, refused.errors) == (1, "Tool 'Refuse' failed: not today\n")
    assert crashed.code == 1
    assert (
        crashed.errors
        == "Tool 'Crash' could not complete because of an internal error; --debug shows where\n"
    )
    assert "/etc/secret" in run("call", tools, "Crash", "--debug").errors


def test_arguments_that_do_not_fit_are_exit_1(tools: str) -> None:
    shown = run("call", tools, "double", '{"n": "2"}')
    assert shown.code == 1
    assert "$.n: expected an integer, got the string '2'" in shown.errors


@pytest.mark.parametrize(
    ("answer", "code", "result"), [("y\n", 0, '"paid 5"'), ("n\n", 1, "denied on the terminal")]
)
def test_approval_is_asked_on_the_terminal(tools: str, answer: str, code: int, result: str) -> None:
    shown = run_in_terminal("call", tools, "Pay", '{"amount": 5}', columns=80, answers=answer)
    assert 'Run Pay {"amount": 5}? [y/N]:' in shown.plain
    assert shown.code == code
    assert result in shown.plain


def test_without_a_terminal_approval_needs_a_yes(tools: str) -> None:
    shown = run("call", tools, "Pay", '{"amount": 5}')
    assert (shown.code, shown.errors) == (
        2,
        "tool-core: 'Pay' needs approval, and nobody is here to ask: give --yes\n",
    )
    assert run("call", tools, "Pay", '{"amount": 5}', "--yes").output == '"paid 5"\n'


def test_arguments_given_twice_are_misuse(tools: str) -> None:
    shown = run("call", tools, "double", "{}", "--file", "x.json")
    assert shown.errors == "tool-core: the arguments are given twice: give JSON, or --file, not both\n"
    assert shown.code == 2


def test_schema_prints_what_the_author_means(tools: str) -> None:
    one = json.loads(run("schema", tools, "double").output)
    assert one["properties"]["n"] == {"type": "integer"}
    assert list(json.loads(run("schema", tools).output)) == ["Pay", "Count", "Refuse", "Crash", "double"]


def test_schema_prints_the_whole_request_of_a_provider(tools: str) -> None:
    shown = run("schema", tools, "double", "--provider", "anthropic")
    (tool,) = json.loads(shown.output)["tools"]
    assert (tool["name"], tool["strict"]) == ("double", True)
    assert tool["input_schema"]["properties"] == {"n": {"type": "integer"}}
    left_out = run("schema", "examples/weather.py", "-p", "anthropic")
    assert left_out.code == 0
    assert (
        left_out.errors == "tool-core: OpenAiWebSearch is left out: openai.web_search is a tool of OpenAI\n"
    )
    two = run("schema", tools, "-p", "openai", "-p", "google")
    assert two.errors == "tool-core: a request goes to one model: give one --provider or one --model\n"


def test_plan_says_who_is_strict_and_why(tmp_path: Path) -> None:
    (tmp_path / "many.py").write_text(
        "from tool_core import Strict, Tool\n"
        "tools = [Tool.make(f'tool_{n}').annotate(Strict, 100 if n > 19 else 1) for n in range(25)]\n"
    )
    shown = run("plan", "many:tools", cwd=tmp_path, environment={"COLUMNS": "120"})
    lines = shown.output.splitlines()
    assert sum(" strict " in line and "priority" in line for line in lines) == 20
    assert sum("over the budget: with it there would be 21 strict tools" in line for line in lines) == 5
    assert lines[-1] == "budget: 20/20 tools, 0/24 optional, 0/16 unions"
    (found,) = json.loads(run("plan", "many:tools", "--json", cwd=tmp_path).output)
    assert found["tools"]["tool_24"] == {
        "state": "strict",
        "reason": "the tool prefers strict mode, with priority 100",
        "uses": {"tools": 1, "optionals": 0, "unions": 0},
    }
    assert found["tools"]["tool_19"]["state"] == "lenient"
