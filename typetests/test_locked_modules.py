"""Locked modules check in mypy strict, with the plugin and without, and in pyright strict; so does their use."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.mcp import hostile
from tests.mcp.test_locking import recursive, servers
from tests.strict.laws import CORPORA
from tool_core.mcp import lock

WEATHER: dict[str, Any] = {
    "name": "get-weather",
    "description": "The weather",
    "inputSchema": {
        "type": "object",
        "properties": {
            "city": {"type": "string"},
            "unit": {"enum": ["C", "F"]},
            "at": {"$ref": "#/$defs/Place"},
        },
        "required": ["city"],
        "additionalProperties": False,
        "$defs": {"Place": {"type": "object", "properties": {"inside": {"$ref": "#/$defs/Place"}}}},
    },
    "outputSchema": {"type": "object", "properties": {"degrees": {"type": "number"}}, "required": ["degrees"]},
}  # fmt: skip

USE = """
from tool_core.mcp import Remote
from typing_extensions import assert_type

from weather import TOOLKIT, GetWeatherInput, GetWeatherOutput, GetWeatherPlace, get_weather


def place(params: GetWeatherInput) -> GetWeatherPlace | None:
    return params.get("at")


def handler(params: GetWeatherInput) -> GetWeatherOutput:
    assert_type(params["city"], str)
    return {"degrees": 20 if params.get("unit") == "C" else 68}


implementation = get_weather.implement(handler)
bound = TOOLKIT.bind(implementation)


async def ask(remote: Remote) -> object:
    result = await TOOLKIT.bind(remote.handlers).call("get-weather", {"city": "Oslo"})
    return result.result


whole: GetWeatherInput = {"city": "Oslo", "unit": "F", "at": {"inside": {"inside": {}}}}
"""

MISUSE = """
from weather import GetWeatherInput, GetWeatherOutput, get_weather


def wrong_parameter(params: str) -> GetWeatherOutput:
    return {"degrees": 1}


def wrong_result(params: GetWeatherInput) -> str:
    return params["town"]  # line 10


get_weather.implement(wrong_parameter)  # line 13
get_weather.implement(wrong_result)  # line 14
missing: GetWeatherInput = {"unit": "C"}  # line 15
unknown: GetWeatherInput = {"city": "Oslo", "when": "now"}  # line 16
value: GetWeatherInput = {"city": "Oslo", "unit": "K"}  # line 17
"""
MISUSED = {10, 13, 14, 15, 16, 17}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a module for each of a few recorded servers, one for a hostile server, and two users."""
    folder = tmp_path_factory.mktemp("locked")
    for name, tools in modules():
        (folder / f"{name}.py").write_text(lock(tools, server=name), encoding="utf-8")
    (folder / "use.py").write_text(USE)
    (folder / "misuse.py").write_text(MISUSE)
    (folder / "pyrightconfig.json").write_text(
        json.dumps({"typeCheckingMode": "strict", "pythonVersion": "3.11"})
    )
    return folder


def modules() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    yield "weather", [WEATHER]
    yield "recursive", list(recursive())
    yield "hostile", hostile.definitions()[::4] + hostile.definitions()[-3:]
    if CORPORA.exists():
        small = [tools for _, tools in servers() if len(json.dumps(tools)) < 60_000]
        yield from ((f"server_{number}", tools) for number, tools in enumerate(small[:4]))


@pytest.mark.parametrize("plugins", ["", "plugins = tool_core.mypy\n"], ids=["plugin off", "plugin on"])
def test_every_module_checks_in_mypy_strict(folder: Path, plugins: str) -> None:
    (folder / "mypy.ini").write_text(f"[mypy]\nstrict = true\n{plugins}")
    command = [sys.executable, "-m", "mypy", "--no-incremental", "."]
    shown = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    lines = [line for line in shown.stdout.splitlines() if ": error:" in line]
    assert [line for line in lines if not line.startswith("misuse.py")] == []
    assert {int(line.split(":")[1]) for line in lines} == MISUSED


def test_every_module_checks_in_pyright_strict(folder: Path) -> None:
    command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "--outputjson"]
    shown = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    found = json.loads(shown.stdout)["generalDiagnostics"]
    errors = [item for item in found if item["severity"] == "error"]
    assert [item["message"] for item in errors if not item["file"].endswith("misuse.py")] == []
    assert {item["range"]["start"]["line"] + 1 for item in errors} == MISUSED


def test_the_lines_of_misuse_are_those_that_say_so() -> None:
    said = {int(number) for number in re.findall(r"# line (\d+)", MISUSE)}
    assert said == MISUSED
    assert all(
        f"# line {number}" in line for number, line in enumerate(MISUSE.splitlines(), 1) if number in said
    )
