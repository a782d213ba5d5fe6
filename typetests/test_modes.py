"""The plugin gives the same answers in every mode of mypy, and after every edit."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import mypy_plugin
from typetests.checkers import ROOT, WITH_PLUGIN, WITHOUT_PLUGIN, errors, mypy

TOOLS = """
from typing import Final
from typing_extensions import TypedDict
from tool_core import Context, Key, Tool

class Query(TypedDict):
    text: str

class Database: ...
CLOCK = Key("clock", float)
SCHEMA: Final = {"type": "object", "properties": {"zone": {"type": "string"}, "area": {"type": "integer"}}, "required": ["zone"]}

search = Tool.make("Search", parameters=Query, success=list[str], failure=int, failure_mode="return", dependencies=[Database, CLOCK])
locate = Tool.dynamic("locate", parameters=SCHEMA, success=float)
Web = Tool.provider_defined(id="openai.web_search", custom_name="Web", provider_name="web_search")

@Tool.from_function
def add(a: int, b: int = 1) -> int:
    return a + b

services = Context().add(Database, Database()).add(CLOCK, 1.5)
"""

KIT = """
from tool_core import AnyTool, Toolkit
from tools import Web, add, locate, search
kit = Toolkit.merge(Toolkit.make(search, locate), Toolkit.make(add.tool, Web()).prefix("x_"))
grown = Toolkit.make(search)

def grow(tool: AnyTool) -> None:
    global grown
    grown = Toolkit.merge(grown, Toolkit.make(tool))
"""

APP = """
from kit import grown, kit
from tools import services
reveal_type(kit)
reveal_type(grown)
reveal_type(kit.tools["locate"])
bound = kit.bind({"Search": lambda params: [params["text"]], "locate": lambda params: float(params["area"]), "x_add": lambda params: params["a"]}, context=services)
reveal_type(bound.call_sync("Search", {"text": "x"}))
reveal_type(bound.call_sync("locate", {"zone": "x"}).result)
bound.call_sync("locate", {"zone": 3})
bound.call_sync("Locate", {})
kit.bind({"Search": lambda params: [], "locate": print, "x_Web": print})
kit.bind({"Search": lambda params: [], "locate": lambda params: 1.5, "x_add": lambda params: 1}).call_sync("Search", {"text": ""})
"""

EDIT = ('"zone": {"type": "string"}', '"zone": {"type": "boolean"}')


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    for name, text in (("tools", TOOLS), ("kit", KIT), ("app", APP)):
        (folder / f"{name}.py").write_text(text)
    return folder


def check(project: Path, cache: str, *options: str, path: tuple[Path, ...] = ()) -> list[str]:
    return mypy(["app.py"], "--cache-dir", str(project.parent / cache), *options, cwd=project, path=path)


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[str], list[str]]:
    """What mypy says cold, before and after the edit."""
    folder = tmp_path_factory.mktemp("reference") / "project"
    folder.mkdir()
    for name, text in (("tools", TOOLS), ("kit", KIT), ("app", APP)):
        (folder / f"{name}.py").write_text(text)
    before = check(folder, "cache")
    edit(folder / "tools.py", *EDIT)
    return before, check(folder, "cold_after_edit")


def test_the_reference_shows_every_feature(reference: tuple[list[str], list[str]]) -> None:
    text = "\n".join(reference[0])
    for code in ("tool-name", "tool-handler", "tool-service", "typeddict-item"):
        assert f"[{code}]" in text
    assert "TypedDict({'area'?: int, 'zone': str})" in text
    assert "TypedDict({'area'?: int, 'zone': bool})" in "\n".join(reference[1])


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--no-native-parser",),
        ("--no-sqlite-cache",),
        ("--no-sqlite-cache", "--no-fixed-format-cache"),
        ("--num-workers", "2"),
        ("--python-version", "3.13"),
    ],
    ids=lambda options: " ".join(options) or "default",
)
def test_cold_warm_and_after_edits_are_alike(
    project: Path, reference: tuple[list[str], list[str]], options: tuple[str, ...]
) -> None:
    before, after = reference
    assert check(project, "cache", *options) == before
    assert check(project, "cache", *options) == before
    with (project / "app.py").open("a") as app:
        app.write("# only this file is checked again, against types from the cache\n")
    assert check(project, "cache", *options) == before
    edit(project / "tools.py", *EDIT)
    assert check(project, "cache", *options) == after


@pytest.fixture
def daemon(project: Path) -> Iterator[list[str]]:
    command = [sys.executable, "-m", "mypy.dmypy", "--status-file", str(project.parent / "daemon.json")]
    yield command
    subprocess.run([*command, "stop"], capture_output=True, cwd=project)


def test_the_daemon_agrees(project: Path, reference: tuple[list[str], list[str]], daemon: list[str]) -> None:
    def run() -> list[str]:
        cache = str(project.parent / "daemon_cache")
        options = ["--config-file", str(WITH_PLUGIN), "--cache-dir", cache, "app.py"]
        shown = subprocess.run([*daemon, "run", "--", *options], capture_output=True, text=True, cwd=project)
        return [line for line in shown.stdout.splitlines() if re.match(r"\w+\.py:", line)]

    before, after = ([line for line in lines if re.match(r"\w+\.py:", line)] for lines in reference)
    assert run() == before
    assert run() == before
    edit(project / "tools.py", *EDIT)
    assert run() == after
    edit(project / "tools.py", *reversed(EDIT))
    assert run() == before


def test_a_change_inside_the_plugin_is_noticed(project: Path) -> None:
    """mypy's cache knows the entry file only; the entry's version covers the other files."""
    copy = project.parent / "copy"
    shutil.copytree(Path(mypy_plugin.__file__).parent, copy / "mypy_plugin")
    before = check(project, "cache", path=(copy,))
    edit(copy / "mypy_plugin" / "reports.py", "The toolkit has no tool", "The toolkit lacks the tool")
    after = check(project, "cache", path=(copy,))
    assert [line.replace("lacks the tool", "has no tool") for line in after] == before != after


def oldest_mypy() -> str:
    """Read the oldest mypy that the package allows."""
    found = re.search(r'mypy = \["mypy>=([\d.]+)"\]', (ROOT / "pyproject.toml").read_text())
    assert found is not None
    return found[1]


def test_the_oldest_mypy_agrees(project: Path, reference: tuple[list[str], list[str]]) -> None:
    target = project.parent / "oldest"
    wanted = f"mypy=={oldest_mypy()}.*"
    command = [sys.executable, "-m", "pip", "install", "-q", "--target", str(target), wanted]
    installed = subprocess.run(command, capture_output=True, text=True)
    if installed.returncode != 0:
        pytest.skip(f"{wanted} cannot be installed here: {installed.stderr.strip().splitlines()[-1]}")
    assert check(project, "cache", path=(target,)) == reference[0]
    assert check(project, "cache", path=(target,)) == reference[0]


def test_off_means_looser_and_never_broken(project: Path) -> None:
    """The same sources, mistakes and all, check without the plugin."""
    assert errors(mypy(["app.py"], config=WITHOUT_PLUGIN, cwd=project)) == []
