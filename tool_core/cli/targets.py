"""What a command is about: the tools of a module, a file, an object or a saved list. Edge."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Iterable, Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from os.path import isdir, isfile
from pathlib import Path
from types import ModuleType
from typing import Any

from tool_core.bound_toolkits import BoundToolkit
from tool_core.cli.complaints import complaint
from tool_core.errors import ToolError
from tool_core.implementations import Implementation
from tool_core.names import did_you_mean
from tool_core.toolkits import Toolkit
from tool_core.tools import AnyTool, Tool


@dataclass(frozen=True, slots=True)
class Target:
    """Tools, with the handlers and the source file where there are any."""

    name: str
    toolkit: Toolkit[Any]
    bound: tuple[BoundToolkit[Any], ...] = ()
    source: Path | None = None
    refused: tuple[tuple[str, str], ...] = field(default=())
    """Definitions that are no tools: their names, and why."""

    def tool(self, name: str) -> AnyTool:
        """Find a tool by its name, or say which there are."""
        for tool in self.toolkit:
            if tool.name == name:
                return tool
        known = list(self.toolkit.tools)
        hint = did_you_mean(name, known) or f": it has {', '.join(known[:20])}"
        raise complaint(f"{self.name} has no tool {name!r}{hint}")

    def bound_for(self, tool_name: str) -> BoundToolkit[Any]:
        """Find the handlers of one tool."""
        self.tool(tool_name)
        found = [item for item in self.bound if tool_name in item.entries]
        if not found:
            raise complaint(
                f"{tool_name!r} has no handler in {self.name}", "bind its toolkit there: kit.bind({...})"
            )
        if len(found) > 1:
            raise complaint(
                f"{tool_name!r} is bound {len(found)} times in {self.name}", "name one, as MODULE:OBJECT"
            )
        return found[0]


def load_target(text: str | None) -> Target:
    """Load what a target names: `weather.py`, `shop.tools`, `shop.tools:kit`, `tools.json`."""
    location, _, attribute = _split(text or "")
    if not text or not location:
        raise complaint("there is no target", "give a Python file, a module or a saved tools/list")
    if location.endswith(".json"):
        if attribute:
            raise complaint(f"{location!r} is a saved list", f"it has no object {attribute!r}")
        from tool_core.cli.saved_lists import load_saved

        return load_saved(Path(location))
    module = _imported(location)
    file = module.__file__
    source = Path(file) if file is not None and file.endswith(".py") else None
    values = [_attribute(module, attribute)] if attribute else list(vars(module).values())
    return target_of(text, values, source, is_named=bool(attribute))


def unusable_target(text: str, error: ToolError) -> Target:
    """Stand for a file whose tools or handlers are wrong, so that mypy can still say where."""
    path = _source_of(_split(text)[0])
    source = Path(path) if isfile(path) else None
    return Target(text, Toolkit.empty, source=source, refused=((error.tool_name or "", str(error)),))


def _source_of(location: str) -> str:
    """Find the file of a module that cannot be imported."""
    try:
        spec = None if location.endswith(".py") else importlib.util.find_spec(location)
    except (ImportError, ValueError, ToolError):
        return location
    return location if spec is None or spec.origin is None else spec.origin


def target_of(name: str, values: Iterable[object], source: Path | None, *, is_named: bool = False) -> Target:
    """Gather the tools among values; what is none of them is passed over, unless it was named."""
    listed = list(values)
    if is_named:
        listed = list(_unpacked(listed[0]))
    bound = _bound_among(listed)
    tools: dict[str, AnyTool] = {}
    for tool in (tool for item in listed for tool in _tools_of(item)):
        if tools.setdefault(tool.name, tool) != tool:
            raise complaint(
                f"{name} has two different tools named {tool.name!r}", "name one toolkit, as MODULE:OBJECT"
            )
    if not tools:
        kind = f"{type(listed[0]).__name__}, not tools" if is_named and listed else "no tools"
        raise complaint(f"{name} holds {kind}", "a target has tools, toolkits or bound toolkits at its top")
    return Target(name, Toolkit.make(*tools.values()), bound, source)


def _bound_among(values: Iterable[object]) -> tuple[BoundToolkit[Any], ...]:
    """Find the bound toolkits; implementations that stand alone make one more."""
    listed = list(values)
    bound = dict.fromkeys(item for item in listed if isinstance(item, BoundToolkit))
    known = {name for item in bound for name in item.entries}
    alone = [item for item in listed if isinstance(item, Implementation) and item.tool.name not in known]
    if not alone:
        return tuple(bound)
    return (*bound, Toolkit.make(*(item.tool for item in alone)).bind(*alone))


def _split(text: str) -> tuple[str, str, str]:
    location, colon, attribute = text.rpartition(":")
    if not colon or "/" in attribute or "\\" in attribute:
        return text, "", ""
    return location, colon, attribute


def _imported(location: str) -> ModuleType:
    # unlike `Path`, these take a text that can be no path, such as one that is too long, for absent
    is_file = location.endswith(".py") or "/" in location or isfile(location)
    if is_file and not isfile(location):
        kind = "a folder, not a file" if isdir(location) else "not there"
        raise complaint(f"{location!r} is {kind}", "give a Python file, a module or a saved tools/list")
    if is_file and not location.endswith(".py"):
        raise complaint(
            f"{location!r} is neither a .py nor a .json file", "give a Python file or a tools/list"
        )
    try:
        with redirect_stdout(sys.stderr):  # standard output is for results, or for a protocol
            return _from_file(Path(location)) if is_file else _from_name(location)
    except (ToolError, KeyboardInterrupt):
        raise
    except BaseException as error:  # a module may also leave, or skip itself as a test does
        line = _line_of(error, location)
        raise complaint(
            f"{location!r} cannot be imported", f"{type(error).__name__}: {error}{line}"
        ) from error


def _from_name(name: str) -> ModuleType:
    if str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and (name == error.name or name.startswith(f"{error.name}.")):
            raise complaint(
                f"there is no module {name!r}", "give a Python file, a module or a saved tools/list"
            ) from error
        raise


def _from_file(path: Path) -> ModuleType:
    """Import a file under the name that other modules of its package would use."""
    resolved = path.resolve()
    root, names = resolved.parent, [resolved.stem]
    while (root / "__init__.py").is_file():
        names.insert(0, root.name)
        root = root.parent
    if str(root) not in sys.path:
        sys.path.insert(0, str(root))
    name = ".".join(names)
    if (known := sys.modules.get(name)) is not None and getattr(known, "__file__", None) == str(resolved):
        return known
    spec = importlib.util.spec_from_file_location(name, resolved)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _line_of(error: BaseException, location: str) -> str:
    """Find the last line of the file itself that the error came through."""
    found = ""
    trace = error.__traceback__
    name = Path(location).name if location.endswith(".py") else f"{location.rpartition('.')[2]}.py"
    while trace is not None:
        if Path(trace.tb_frame.f_code.co_filename).name == name:
            found = f" (line {trace.tb_lineno})"
        trace = trace.tb_next
    return found


def _attribute(module: ModuleType, path: str) -> object:
    value: object = module
    for name in path.split("."):
        try:
            value = getattr(value, name)
        except AttributeError:
            hint = did_you_mean(name, [key for key in vars(module) if not key.startswith("_")])
            raise complaint(f"{module.__name__} has no {path!r}{hint}") from None
        except Exception as error:
            words = f"{type(error).__name__}: {error}"
            raise complaint(f"{path!r} of {module.__name__} cannot be read", words) from error
    return value


def _unpacked(value: object) -> Iterator[object]:
    if isinstance(value, list | tuple | set):
        yield from value
    else:
        yield value


def _tools_of(value: object) -> Iterator[AnyTool]:
    if isinstance(value, Tool):
        yield value
    elif isinstance(value, BoundToolkit):
        yield from value.toolkit
    elif isinstance(value, Toolkit):
        yield from value
    elif isinstance(value, Implementation):
        yield value.tool
