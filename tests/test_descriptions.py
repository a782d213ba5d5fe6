"""Descriptions that stand in the source, and what it costs to find them."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from tool_core import Tool, schema_of
from tool_core.descriptions import _documented_fields, field_descriptions

SOURCE = '''
from typing_extensions import TypedDict

class Outer:
    class Inner(TypedDict):
        a: int
        """{word} inside a class."""

def made():
    class Local(TypedDict):
        a: int
        """{word} inside a function."""
        b: int
    return Local

if True:
    class Conditional(TypedDict):
        a: int
        """{word} below a condition."""
'''


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    (tmp_path / "described.py").write_text(SOURCE.format(word="First"))
    monkeypatch.syspath_prepend(str(tmp_path))
    yield importlib.import_module("described")
    del sys.modules["described"]


def test_a_class_is_found_wherever_it_stands(module: Any) -> None:
    assert field_descriptions(module.Outer.Inner) == {"a": "First inside a class."}
    assert field_descriptions(module.made()) == {"a": "First inside a function."}
    assert field_descriptions(module.Conditional) == {"a": "First below a condition."}


def test_a_module_that_is_loaded_again_is_read_again(module: Any) -> None:
    assert field_descriptions(module.Conditional) == {"a": "First below a condition."}
    Path(module.__file__).write_text(SOURCE.format(word="Afterwards"))
    again = importlib.reload(module)
    assert field_descriptions(again.Conditional) == {"a": "Afterwards below a condition."}


def test_a_source_file_is_parsed_once_however_many_classes_it_holds(module: Any) -> None:
    before = _documented_fields.cache_info().misses
    for form in (module.Outer.Inner, module.made(), module.Conditional):
        schema_of(form).json_schema()
    assert _documented_fields.cache_info().misses == before + 1


def test_a_class_without_source_has_no_docstrings_below_fields() -> None:
    names: dict[str, Any] = {"TypedDict": TypedDict, "__name__": "nowhere"}
    exec('class Made(TypedDict):\n    a: int\n    """Unseen."""', names)
    assert field_descriptions(names["Made"]) == {}


def test_the_source_of_pydantic_is_not_searched_for_fields() -> None:
    class Model(BaseModel):
        a: int
        """How many."""

    before = _documented_fields.cache_info().misses
    assert field_descriptions(Model) == {"a": "How many."}
    assert _documented_fields.cache_info().misses <= before + 1


def test_what_an_annotation_says_wins_over_the_docstring_of_a_function() -> None:
    @Tool.from_function
    def search(query: Annotated[str, Field(description="from the annotation")], limit: int = 3) -> str:
        """Search.

        Args:
            query: from the docstring
            limit: how many
        """
        return query

    assert search.tool.parameters_schema.json_schema()["properties"] == {
        "query": {"type": "string", "description": "from the annotation"},
        "limit": {"type": "integer", "description": "how many", "default": 3},
    }


def test_defining_a_tool_from_a_plain_function_builds_no_codec() -> None:
    @Tool.from_function
    def search(query: str, tags: list[str], limit: int = 3) -> dict[str, int]:
        """Search."""
        return {}

    assert search.tool.parameters_schema._built == []  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]
    assert search.tool.parameters_schema.json_schema()["required"] == ["query", "tags"]
