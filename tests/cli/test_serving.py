"""`tool-core serve`, and every command on a live server."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.cli.programs import PROGRAM, ROOT, matches_golden, run

SERVER = f"{PROGRAM} serve {ROOT / 'examples' / 'weather.py'}"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Serve the example on a free port."""
    command = [str(PROGRAM), "serve", "examples/weather.py", "--http", "--port", "0"]
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        told = ""
        while "serving" not in told:
            told = process.stderr.readline()
            assert told, "the server has ended"
        found = re.search(r"serving 2 tools at (http\S+)", told)
        assert found is not None, told
        yield found[1]
        process.terminate()


def test_a_served_toolkit_is_checked_as_any_server_is() -> None:
    shown = run("check", "--mcp", SERVER)
    assert shown.code == 0
    assert shown.errors == ""
    assert matches_golden("weather_server.txt", shown.output)


def test_a_tool_of_a_server_is_called_by_command_or_by_address(address: str) -> None:
    arguments = json.dumps({"value": {"city": "Oslo"}})
    for server in (SERVER, address):
        shown = run("call", "--mcp", server, "GetWeather", arguments)
        assert (shown.code, shown.output, shown.errors) == (0, '{"temperature": 21.5}\n', "")


def test_a_failure_of_a_server_is_exit_1(address: str) -> None:
    shown = run("call", "--mcp", address, "GetWeather", '{"value": {"city": "Atlantis"}}')
    assert shown.code == 1
    assert "Atlantis" in shown.output
    assert run("call", "--mcp", address, "GetWether").errors == (
        "tool-core: weather has no tool 'GetWether', did you mean 'GetWeather'?\n"
    )


def test_schema_plan_and_report_take_a_server_too(address: str) -> None:
    assert list(json.loads(run("schema", "--mcp", address).output)) == ["GetWeather", "read_station"]
    assert "2/20 tools" in run("plan", "--mcp", address).output
    assert "<strong>read_station</strong>" in run("report", "--mcp", address, "-o", "-").output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["check", "--mcp", f"{sys.executable} -c 'raise SystemExit(\"no key\")'"], "Server 'python': it ended before it answered: it said 'no key'"),
        (["check", "--mcp", "no-such-program"], "Server 'no-such-program': it could not be started: No such file or directory"),
        (["check", "--mcp", "http://127.0.0.1:9/mcp"], "Server '127.0.0.1:9/mcp': it could not be reached (ConnectError)"),
        (["check", "x.py", "--mcp", "server"], "there are two targets: give 'x.py' or --mcp, not both"),
        (["check", "x.py", "--env", "A=1"], "--env and --header are for a server: name it with --mcp"),
        (["check", "--mcp", "server", "--env", "A"], "'A' is no pair: write --env NAME=VALUE"),
        (["call", "--mcp", "server"], "call takes TOOL [JSON]: it got 0 arguments"),
        (["call", "--mcp", "server", "a", "b", "c"], "call takes TOOL [JSON]: it got 3 arguments"),
        (["serve", "examples/weather.py", "--http", "--port", "99999"], "Invalid value for '--port': "),
        (["serve", "examples/weather.py:kit"], "examples/weather.py:kit binds no toolkit: serve needs handlers: kit.bind({...})"),
    ],
    ids=lambda value: " ".join(value[-2:]) if isinstance(value, list) else "",
)  # fmt: skip
def test_a_server_that_cannot_be_had_is_one_line(arguments: list[str], message: str) -> None:
    shown = run(*arguments)
    assert shown.code == 2
    assert shown.output == ""
    assert shown.errors.startswith(f"tool-core: {message}")
    assert shown.errors.count("\n") == 1
