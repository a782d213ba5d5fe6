"""Mutation testing of strict mode and of execution: change the source in one place, and see a test fail.

    python benchmarks/mutation.py [--sample N] [--seed S] [--jobs J] [--only GROUP]

Every mutant of a fixed, seeded sample is tested in a process of its own, on a copy of the sources, with the
tests of its group. A mutant that no test notices survives, and is printed with its place. `MUTATION.md`
says of each survivor why it does.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
SECONDS = 90
"""How long the tests of one mutant may take; one that hangs is noticed, too."""

GROUPS = {
    "strict": (
        sorted((ROOT / "tool_core/strict").glob("*.py")),
        ["violations", "wire_values", "regressions", "forms", "planning", "reported_failures", "rewrites",
         "lenient", "references", "drawn_schemas"],
    ),
    "execution": (
        [
            ROOT / f"tool_core/{name}.py"
            for name in (
                "approval", "binding", "bound_toolkits", "channels", "entries", "handlers", "limits",
                "middleware", "resolution", "running", "threads", "turnstiles",
            )
        ],
        [
            "calling", "resolution", "binding", "middleware", "regressions", "handlers", "errors", "testing",
            "limits", "running", "threads", "turnstiles",
        ],
    ),
}  # fmt: skip

_SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.And: ast.Or,
    ast.Or: ast.And, ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Mutant:
    """A place of a file where a kind of change is possible."""

    path: Path
    index: int
    choice: int

    def written(self) -> tuple[str, str]:
        """Return what is changed, with its place, and the changed source."""
        tree = ast.parse(self.path.read_text())
        node = list(_executed(tree))[self.index]
        before, line = ast.unparse(node), getattr(node, "lineno", 0)
        _change(node, self.choice)
        name = f"{self.path.relative_to(ROOT)}:{line}: {before[:70]!r} -> {ast.unparse(node)[:70]!r}"
        return name, ast.unparse(tree)


def mutants_of(path: Path) -> Iterator[Mutant]:
    """Find every mutant of a file: one changed operator, constant, condition, return or statement each."""
    for index, node in enumerate(_executed(ast.parse(path.read_text()))):
        for choice in range(2):
            if _change(copy.deepcopy(node), choice):
                yield Mutant(path, index, choice)


def _executed(tree: ast.AST) -> Iterator[ast.AST]:
    """Walk over what runs in a function: no annotations, docstrings, decorators or module constants."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            if any("overload" in ast.unparse(item) for item in function.decorator_list):
                continue
            for statement in function.body:
                if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Constant):
                    yield from _parts(statement)


def _parts(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(
        node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Assert | ast.Import | ast.ImportFrom
    ):
        return  # an inner function is walked over on its own
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "cast":
        for argument in node.args[1:]:
            yield from _parts(argument)
        return
    yield node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _parts(child)


def _change(node: ast.AST, choice: int) -> bool:
    """Change a node in place; False where there is nothing to change in this way."""
    if isinstance(node, ast.Compare) and choice == 0 and type(node.ops[0]) in _SWAPS:
        node.ops[0] = _SWAPS[type(node.ops[0])]()  # type: ignore[assignment]
    elif isinstance(node, ast.BoolOp | ast.BinOp | ast.AugAssign) and choice == 0 and type(node.op) in _SWAPS:
        node.op = _SWAPS[type(node.op)]()  # type: ignore[assignment]
    elif isinstance(node, ast.Constant) and choice == 0 and isinstance(node.value, bool):
        node.value = not node.value
    elif isinstance(node, ast.Constant) and choice == 0 and isinstance(node.value, int):
        node.value = node.value + 1
    elif isinstance(node, ast.Constant) and choice == 0 and isinstance(node.value, str) and node.value:
        node.value = node.value + "XX"
    elif (
        isinstance(node, ast.Return)
        and choice == 0
        and node.value is not None
        and ast.unparse(node) != "return None"
    ):
        node.value = ast.Constant(None)
    elif isinstance(node, ast.If | ast.IfExp | ast.While) and choice == 0:
        node.test = ast.UnaryOp(ast.Not(), node.test)
    elif isinstance(node, ast.UnaryOp) and choice == 0 and isinstance(node.op, ast.Not):
        node.op = ast.UAdd()
        node.operand = ast.Call(ast.Name("bool", ast.Load()), [copy.copy(node.operand)], [])
    elif isinstance(node, ast.Expr) and choice == 1 and isinstance(node.value, ast.Call):
        node.value = ast.Constant(None)
    elif isinstance(node, ast.Continue) and choice == 0:
        node.__class__ = ast.Break  # type: ignore[assignment]
    else:
        return False
    ast.fix_missing_locations(node)
    return True


def tests_of(group: str) -> list[str]:
    folder = ROOT / "tests" / ("strict" if group == "strict" else "")
    found = [folder / f"test_{name}.py" for name in GROUPS[group][1]]
    return [str(path.relative_to(ROOT)) for path in found if path.exists()]


def started(tests: list[str], tree: Path) -> int:
    """Run the tests on a tree in a child process and return its id."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            code = _tested(tests, tree)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    return child


def _tested(tests: list[str], tree: Path) -> int:
    import pytest

    os.setpgrp()
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    sink = os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, 1)
    os.dup2(sink, 2)
    os.chdir(tree)
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(tree))
    options = [
        "-x",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        "-p",
        "no:randomly",
        f"--rootdir={tree}",
    ]
    return int(pytest.main([*options, *tests]))


def copied(folder: str) -> Path:
    tree = Path(tempfile.mkdtemp(dir=folder))
    for name in ("tool_core", "tests", "mypy_plugin"):
        shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tree)
    return tree


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sample", type=int, default=150, help="mutants of each group; 0 means all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", choices=list(GROUPS))
    options = parser.parse_args()
    import jsonschema  # noqa: F401  loaded before forking, so that no child loads it again
    import jsonschema_rs  # noqa: F401
    import pydantic  # noqa: F401

    sys.modules.pop("tool_core", None)
    with tempfile.TemporaryDirectory() as folder:
        for group in [options.only] if options.only else GROUPS:
            _measured(group, options, folder)


def _measured(group: str, options: argparse.Namespace, folder: str) -> None:
    every = [mutant for path in GROUPS[group][0] for mutant in mutants_of(path)]
    chosen = random.Random(options.seed).sample(every, min(options.sample or len(every), len(every)))
    trees = [copied(folder) for _ in range(options.jobs)]
    for path in GROUPS[group][0]:  # written by `ast.unparse`, as mutants are, but unchanged
        for tree in trees:
            (tree / path.relative_to(ROOT)).write_text(ast.unparse(ast.parse(path.read_text())))
    if os.waitpid(started(tests_of(group), trees[0]), 0)[1]:
        sys.exit(f"{group}: the tests fail without a mutant")
    survivors = list(_survivors(chosen, tests_of(group), trees))
    killed = len(chosen) - len(survivors)
    print(f"\n{group}: {100 * killed / len(chosen):.1f} %, {killed} of {len(chosen)} killed ({len(every)})")


def _survivors(chosen: list[Mutant], tests: list[str], trees: list[Path]) -> Iterator[str]:
    """Keep every tree busy; yield the mutants whose tests pass."""
    waiting, free, running = list(chosen), list(trees), {}
    while waiting or running:
        while waiting and free:
            mutant, tree = waiting.pop(), free.pop()
            name, source = mutant.written()
            target = tree / mutant.path.relative_to(ROOT)
            original = target.read_text()
            target.write_text(source)
            running[started(tests, tree)] = (name, tree, target, original, time.monotonic() + 4 * SECONDS)
        for child, (name, tree, target, original, deadline) in list(running.items()):
            done, status = os.waitpid(child, os.WNOHANG)
            if not done and time.monotonic() > deadline:
                os.kill(child, signal.SIGKILL)
                done, status = os.waitpid(child, 0)
            if done:
                target.write_text(original)
                del running[child]
                free.append(tree)
                print("." if status else f"\nsurvived: {name}", end="" if status else "\n", flush=True)
                if not status:
                    yield name
        time.sleep(0.02)


if __name__ == "__main__":
    main()
