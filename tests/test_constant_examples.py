"""The examples under constants run too; doctest looks only at modules, classes and functions."""

from __future__ import annotations

import ast
import doctest
import importlib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

import tool_core

PACKAGE = Path(tool_core.__file__).parent


def examples() -> Iterator[tuple[str, str, int, str]]:
    """Find the texts that stand under assignments and hold an example."""
    for path in sorted(PACKAGE.rglob("*.py")):
        body = ast.parse(path.read_text()).body
        for before, node in pairwise(body):
            target = before.targets[0] if isinstance(before, ast.Assign) else getattr(before, "target", None)
            if (
                isinstance(target, ast.Name)
                and isinstance(node, ast.Expr)
                and isinstance(node.value, ast.Constant)
            ):
                text = node.value.value
                if isinstance(text, str) and ">>>" in text:
                    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
                    yield ".".join(part for part in parts if part != "__init__"), target.id, node.lineno, text


@pytest.mark.parametrize(
    ("module", "name", "line", "text"), list(examples()), ids=lambda item: str(item)[:30]
)
def test_the_example_under_a_constant_runs(module: str, name: str, line: int, text: str) -> None:
    names = dict(vars(importlib.import_module(module)))
    example = doctest.DocTestParser().get_doctest(text, names, f"{module}.{name}", module, line)
    results = doctest.DocTestRunner(verbose=False).run(example)
    assert results.failed == 0 and results.attempted > 0
