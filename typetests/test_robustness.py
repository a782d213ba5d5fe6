"""Broken and half-typed code never brings the plugin down; correct programs never meet its errors."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from typetests.checkers import ROOT, WITH_PLUGIN, WITHOUT_PLUGIN, errors, mypy
from typetests.test_modes import APP, KIT, TOOLS

STRANGE = """
from __future__ import annotations
import tool_core
import tool_core as tc
from typing import Any, Final, TypeVar, Generic, Protocol
from tool_core import Toolkit as Kit, Tool as T_, BoundToolkit, Context, DynamicTool, HandlerContext, Key, Tool, Toolkit
from nowhere import missing, Missing

anything: Any = missing
T = TypeVar("T", bound=Tool)

# Any everywhere
Tool.make(anything)
Tool.make(anything, parameters=anything, success=anything, dependencies=anything)
Tool.make("A", parameters=Missing, dependencies=[missing, Missing, *anything], failure_mode=anything)
Tool.dynamic(anything, parameters=anything, validate=anything, needs_approval=anything)
Toolkit.make(anything, missing()).bind(anything)
Toolkit.make(Tool.make("A"), anything).bind({"A": anything, anything: anything, **anything})
Toolkit.merge(anything, Toolkit.empty, *anything).filter(anything).prefix(anything).rename(anything).search(anything)
anything.bind({"A": lambda p: p}).call_sync("A", {})
Tool.from_function(anything)
Tool.from_function(**anything)
Tool.from_function(missing, name=anything)
Context().add(anything, anything).get(anything)
Context().add(missing, missing)

# missing, surplus, starred and doubled arguments
Tool.make()
Tool.make(*("A",))
Tool.make(**{"name": "A"})
Tool.make("A", "B", "C")
Tool.dynamic()
Tool.dynamic("A", {"type": "object"})
Tool.dynamic("A", parameters={"type": "object", 3: 4, None: None})
Tool.dynamic("A", parameters={"type": ["object", ["array"]], "properties": [], "required": {"a": 1}, "items": -3, "enum": 5, "$ref": 7, "allOf": {}, "anyOf": [3, "x", None], "$schema": 3})
Tool.dynamic("A", parameters={"type": "object", "properties": {"a": {"enum": [1.5, -2, -(-3), {"x": [None]}, [], -"a"]}}})
Toolkit.make()
Toolkit.make(3, "x", None, Tool, Toolkit)
Toolkit.merge()
Toolkit.merge(3)
Toolkit.make(Tool.make("A")).bind(3)
Toolkit.make(Tool.make("A")).bind({3: 4, "A": ...})
Toolkit.make(Tool.make("A")).bind({"A": lambda *a, **k: None}, {"A": 3}, timeout={"A": 1, **{}}, concurrency={"B": 1})
Toolkit.make(Tool.make("A")).bind({"A": lambda a, b, c: None, "A": lambda: None})
Toolkit.make(Tool.make("A")).bind(*[], **{})
Toolkit.make(Tool.make("A")).filter(3).filter(["A", 3, *["x"]]).filter()
Toolkit.make(Tool.make("A")).rename({"A": 3, **{}}).rename()
Toolkit.make(Tool.make("A")).prefix()
Toolkit.make(Tool.make("A")).tools[3]
Toolkit.make(Tool.make("A")).tools["A", "B"]
Toolkit.make(Tool.make("A")).bind({"A": print}).call_sync()
Toolkit.make(Tool.make("A")).bind({"A": print}).call_sync("A")
Toolkit.make(Tool.make("A")).bind({"A": print}).call_sync(*["A", {}])
Toolkit.make(Tool.make("A")).bind({"A": print}).call_sync(params={}, name="A", context=3)
Toolkit.make(Tool.make("A")).bind({"A": print}).resolve(tool_choice={"tool": 3, "one_of": 4})
Tool.dynamic("A").annotate(tool_core.Strict, True)
Tool.dynamic("A", parameters=anything).annotate(tool_core.Strict, True)
Tool.from_function(3)
Tool.from_function(lambda x: x)
Tool.from_function(print)
Tool.from_function(len, name=3, dependencies=3, failure_mode=4)
Context().add()
Context().add(3, 4)
Context.get(3)

# conditional and recursive definitions, loops, class attributes, aliases, subclasses
if anything:
    maybe = Tool.make("A")
else:
    maybe = Tool.make("B", success=int)
Toolkit.make(maybe).bind({"A": print})
SELF: Final = {"type": "object", "properties": {"a": SELF}}
Tool.dynamic("A", parameters=SELF)
OTHER: Final = SELF
Tool.dynamic("A", parameters=OTHER)
for name in ["A", "B"]:
    Toolkit.make(Tool.make(name), Tool.make(name))

class Holder:
    tool = Tool.make("Held", parameters=int)
    kit = Kit.make(tool)
    schema: Final = {"type": "string"}
    def bound(self) -> Any:
        return self.kit.bind({"Held": self.handle})
    def handle(self, params: int) -> None: ...
    def later(self) -> None:
        Tool.dynamic("A", parameters=self.schema)
        self.attribute = Toolkit.make(self.tool, T_.make("Other"))
        self.attribute.bind({"Held": self.handle, "Other": self.undefined})

class MyTool(Tool[Any, Any]): ...
class MyKit(Toolkit[Any]): ...
MyTool.make("A").implement(print)
MyKit.make(MyTool.make("A")).bind({"A": print})
make, kit_make = Tool.make, Toolkit.make
kit_make(make("A")).bind({"A": print})
partial: Toolkit[Missing] = Toolkit.make(Tool.make("A"))
partial.bind({"A": print}).call_sync("A", {})

def generic(tool: T, kit: Toolkit[T], bound: BoundToolkit[T]) -> T:
    Toolkit.make(tool, tool).bind({"A": print})
    kit.bind({"A": print}).call_sync("A", {})
    bound.call_sync("A", {})
    return tool

def undefined_types(tool: Missing, kit: "Toolkit[Undefined]") -> "Undefined":
    return kit.bind({"A": tool}).call_sync("A", tool)

@Tool.from_function
@anything
def decorated(a, b: int = 3, *args, **kwargs): return a

@Tool.from_function(name=anything)
class NotAFunction: ...

@Tool.from_function(3, 4)
def wrong_decorator() -> None: ...

def untyped(a, ctx: HandlerContext):
    ctx.get(anything); ctx.get(); ctx.get(3)
    return Toolkit.make(a).bind({"A": a})
deferred = Toolkit.make(later_tool).bind({"Later": print})
later_tool = Tool.make("Later", success=deferred)
"""

MISTAKES = ROOT / "examples" / "mistakes.py"
_BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)
_REPLACEMENTS = [
    "None",
    "3",
    "...",
    "(",
    "*",
    "**",
    ", ",
    "lambda: 0",
    "{}",
    "[]",
    "undefined",
    '"Search"',
    "",
]


def test_strange_code_is_survived(tmp_path: Path) -> None:
    (tmp_path / "strange.py").write_text(STRANGE)
    said = mypy(["strange.py"], "--show-traceback", cwd=tmp_path)
    assert len(errors(said)) > 50
    assert not [line for line in said if "INTERNAL" in line]


def test_damaged_programs_are_survived(tmp_path: Path) -> None:
    """Any token may be wrong: what parses is checked to the end."""
    tokens = re.compile(r"\w+|[^\w\s]")
    names = []
    for seed in range(250):
        dice = random.Random(seed)
        source = dice.choice(
            [TOOLS + APP.replace("from kit import grown, kit", KIT), TOOLS + KIT.replace("from tools", "# ")]
        )
        spans = [match.span() for match in tokens.finditer(source)]
        start, end = dice.choice(spans)
        damaged = source[:start] + dice.choice(_REPLACEMENTS) + source[end:]
        try:
            compile(damaged, "damaged", "exec")
        except SyntaxError:
            continue
        names.append(f"damaged_{seed}.py")
        (tmp_path / names[-1]).write_text(damaged)
    assert len(names) > 40
    said = mypy(names, "--show-traceback", cwd=tmp_path)
    assert not [line for line in said if "INTERNAL" in line]


def test_a_surprise_inside_the_plugin_leaves_mypys_own_type(monkeypatch: pytest.MonkeyPatch) -> None:
    from types import SimpleNamespace

    from mypy_plugin.hooks import _guarded

    def surprised(_ctx: object) -> str:
        raise KeyError("surprise")

    quiet = SimpleNamespace(api=SimpleNamespace(options=SimpleNamespace(show_traceback=False)), default="own")
    assert _guarded(surprised, "default")(quiet) == "own"
    quiet.api.options.show_traceback = True
    with pytest.raises(KeyError):
        _guarded(surprised, "default")(quiet)


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The README and every guide as a module of its snippets."""
    folder = tmp_path_factory.mktemp("pages")
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
        name = re.sub(r"\W", "_", page.stem.lower())
        (folder / f"page_{name}.py").write_text("\n".join(_BLOCK.findall(page.read_text())))
    return folder


def programs(pages: Path) -> list[Path]:
    """List all code that is shown as correct."""
    examples = [path for path in (ROOT / "examples").glob("*.py") if path.name != MISTAKES.name]
    return [*sorted(pages.glob("*.py")), *sorted(examples)]


def test_the_documentation_and_the_examples_check_cleanly(pages: Path) -> None:
    assert errors(mypy(programs(pages), "--strict", config=WITH_PLUGIN, cwd=pages)) == []


def test_the_mistakes_that_are_shown_are_found(tmp_path: Path) -> None:
    said = errors(mypy([MISTAKES], cwd=tmp_path))
    assert [int(line.split(":")[1]) for line in said] == [34, 35, 36, 39, 40]


def test_they_check_without_the_plugin_too(pages: Path) -> None:
    """Only the comments that silence the plugin are then idle."""
    said = mypy(programs(pages), "--strict", "--no-warn-unused-ignores", config=WITHOUT_PLUGIN, cwd=pages)
    assert errors(said) == []


def test_the_errors_in_the_guide_are_mypys_own(tmp_path: Path) -> None:
    """A comment `# error: ...` in a `py` block has the words that mypy says of the line before."""
    text = (ROOT / "docs" / "typing.md").read_text()
    blocks = re.findall(r"^```py(?:thon)?\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    source = "".join(blocks)
    promised = {
        number: line.removeprefix("# error: ")
        for number, line in enumerate(source.splitlines())
        if line.startswith("# error: ")
    }
    (tmp_path / "guide.py").write_text(source)
    said = [line.split(":", 3) for line in errors(mypy(["guide.py"], cwd=tmp_path))]
    assert {int(number): words.strip() for _, number, _, words in said} == promised
    assert {words.rpartition("[")[2] for words in promised.values()} == {
        f"tool-{code}]" for code in ("duplicate", "handler", "name", "schema", "service", "strict")
    }
