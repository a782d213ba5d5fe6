"""The table of faults names tests that exist."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROWS = re.findall(r"^\|(?!---| fault).*$", (ROOT / "docs" / "faults.md").read_text(), re.MULTILINE)


def test_the_table_is_not_empty() -> None:
    assert len(ROWS) > 40


@pytest.mark.parametrize("row", ROWS)
def test_every_fault_has_a_test_that_shows_it(row: str) -> None:
    fault, outcome, cell = (item.strip() for item in row.strip("|").split("|"))
    assert fault
    assert outcome
    path, _, name = cell.strip("`").partition("::")
    defined = ast.walk(ast.parse((ROOT / path).read_text()))
    assert name in {node.name for node in defined if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
