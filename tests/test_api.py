"""The public names, and the direction in which modules may import each other."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import tool_core
import tool_core.mcp

PACKAGE = Path(tool_core.__file__).parent

LAYERS: list[set[str]] = [
    {"errors", "json_text", "names", "patterns"},
    {
        "annotations", "closing", "codecs", "context", "contracts", "defaults", "descriptions", "exactness", "json_schemas",
        "keys", "options", "problems", "schema_problems", "schemas", "type_codecs", "type_documents", "type_forms",
        "type_problems", "type_relations", "type_schemas", "typevars",
    },
    {
        "choices", "dynamic_tools", "functions", "implementations", "limits", "middleware", "outcomes", "parts",
        "provider_tools", "queries", "signatures", "toolkits", "tools",
    },
    {
        "approval", "entries", "handlers", "mcp.arguments", "mcp.contents", "mcp.definitions", "mcp.drifts",
        "mcp.expectations", "mcp.fingerprints", "mcp.imports", "mcp.locking", "mcp.mends", "mcp.object_roots",
        "mcp.repairs", "mcp.results", "mcp.schema_changes", "mcp.schema_parts", "providers", "samples", "strict",
    },
]  # fmt: skip
EDGES: set[str] = {
    "__main__",
    "binding",
    "bound_toolkits",
    "channels",
    "threads",
    "turnstiles",
    "cli",
    "mcp",
    "mcp.arrivals",
    "mcp.clients",
    "mcp.consents",
    "mcp.exchanges",
    "mcp.forwarders",
    "mcp.http_servers",
    "mcp.listings",
    "mcp.mergers",
    "mcp.servers",
    "mcp.sessions",
    "mcp.stdio_servers",
    "mcp.targets",
    "mypy",
    "resolution",
    "running",
    "telemetry",
    "testing",
}
MIXED = {"mcp"}  # packages that hold modules of several layers
LAZY = {"binding", "strict"}  # asked for by name, inside a function: a dialect, and `Toolkit.bind`
IMPURE = {
    "asyncio",
    "concurrent",
    "multiprocessing",
    "selectors",
    "socket",
    "subprocess",
    "threading",
    "time",
}


def modules() -> list[str]:
    paths = [path.relative_to(PACKAGE).with_suffix("") for path in PACKAGE.rglob("*.py")]
    return sorted({known_as([part for part in path.parts if part != "__init__"]) for path in paths})


def known_as(parts: list[str]) -> str:
    """Name a module as the list of layers does: by its package, unless that is a mixed one."""
    return ".".join(parts[:2] if parts and parts[0] in MIXED else parts[:1])


def layer_of(module: str) -> int:
    return next((index for index, names in enumerate(LAYERS) if module in names), len(LAYERS))


def imports_of(module: str, at_run_time: bool) -> set[str]:
    """Collect what a module imports, leaving out what only type checkers see."""
    path = PACKAGE.joinpath(*module.split("."))
    paths = [path.with_suffix(".py")] if path.with_suffix(".py").exists() else path.rglob("*.py")
    found: set[str] = set()
    for path in paths:
        tree = ast.parse(path.read_text())
        hidden = {id(inner) for node in ast.walk(tree) if _is_type_checking(node) for inner in ast.walk(node)}
        for node in ast.walk(tree):
            if at_run_time and id(node) in hidden:
                continue
            if isinstance(node, ast.ImportFrom) and node.module:
                found.add(node.module)
            elif isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
    return found


def _is_type_checking(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)


def test_all_lists_exactly_the_public_names() -> None:
    public = {
        name
        for name, value in vars(tool_core).items()
        if not name.startswith("_") and type(value).__name__ != "module" and name != "TYPE_CHECKING"
    }
    assert sorted(tool_core.__all__) == sorted(public | {"BoundToolkit"})
    assert tool_core.BoundToolkit.__name__ == "BoundToolkit"
    with pytest.raises(AttributeError):
        tool_core.__getattr__("Bound")


def test_every_module_has_a_layer() -> None:
    known = set().union(*LAYERS) | EDGES
    assert set(modules()) - {""} == known


@pytest.mark.parametrize("module", sorted(set().union(*LAYERS)))
def test_a_module_imports_only_from_its_own_layer_and_those_below(module: str) -> None:
    imported = imports_of(module, at_run_time=True)
    ours = {known_as(name.split(".")[1:]) for name in imported if name.startswith("tool_core.")}
    assert {name for name in ours if layer_of(name) > layer_of(module)} - LAZY == set()


@pytest.mark.parametrize("module", sorted(set().union(*LAYERS)))
def test_the_pure_layers_touch_no_clock_thread_or_socket(module: str) -> None:
    roots = {name.partition(".")[0] for name in imports_of(module, at_run_time=True)}
    assert roots & IMPURE == set()


@pytest.mark.parametrize("module", sorted(set().union(*LAYERS)))
def test_a_module_can_be_imported_alone(module: str) -> None:
    subprocess.run([sys.executable, "-c", f"import tool_core.{module}"], check=True)


def test_no_module_is_named_like_an_exported_function() -> None:
    assert {name.rpartition(".")[2] for name in modules()} & {
        *tool_core.__all__,
        *tool_core.mcp.__all__,
    } == set()


def test_importing_the_package_loads_no_heavy_dependency() -> None:
    heavy = ["asyncio", "pydantic", "jsonschema", "jsonschema_rs", "beartype", "mypy", "docstring_parser"]
    code = f"import sys, tool_core; print([name for name in {heavy} if name in sys.modules])"
    shown = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert shown.stdout.strip() == "[]"


def test_translating_mcp_definitions_needs_no_sdk_and_no_event_loop() -> None:
    code = (
        "import sys; sys.modules |= {'mcp': None, 'mcp_types': None, 'asyncio': None}; "
        "from tool_core.mcp import from_mcp_tool, to_mcp_tool; print(to_mcp_tool(from_mcp_tool({'name': 'a'}))['name'])"
    )
    shown = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert shown.stdout.strip() == "a"


def test_the_plugin_knows_the_core_by_names_only() -> None:
    plugin = PACKAGE.parent / "mypy_plugin"
    for path in plugin.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            assert not any(name.startswith("tool_core") for name in names), path
