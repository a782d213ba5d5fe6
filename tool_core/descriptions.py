"""Descriptions that authors wrote in their source: docstrings and `Doc`. Layer 1."""

from __future__ import annotations

import ast
import dataclasses
import enum
import inspect
import linecache
import sys
import typing
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import pairwise
from typing import Any

from typing_extensions import Doc, ReadOnly

from tool_core.type_forms import hints_of

_FIELDLESS = frozenset({"builtins", "pydantic", "typing", "typing_extensions"})
"""Modules whose classes stand behind records but bring no fields of their own."""


def class_description(cls: type) -> str | None:
    """Return the docstring that the author of a class wrote; a generated one does not count.

    >>> class Point:
    ...     "A place on a map."
    >>> class_description(Point), class_description(dict)
    ('A place on a map.', None)
    """
    doc = cls.__dict__.get("__doc__")
    if not isinstance(doc, str) or cls.__module__ in ("builtins", "tool_core.schemas"):
        return None
    is_generated = dataclasses.is_dataclass(cls) and doc.startswith(f"{cls.__name__}(")
    is_named_tuple = issubclass(cls, tuple) and doc.startswith(f"{cls.__name__}(")
    is_default_enum = issubclass(cls, enum.Enum) and doc == "An enumeration."
    return None if is_generated or is_named_tuple or is_default_enum else inspect.cleandoc(doc)


def field_descriptions(cls: type) -> dict[str, str]:
    """Return what is said of each field: `Annotated[..., Doc(...)]`, else the docstring below it.

    Gotchas:
        A docstring below a field is read from the source file, so a class that was made in a
        prompt or by `exec` has none.
    """
    found: dict[str, str] = {}
    for base in reversed([cls, *getattr(cls, "__orig_bases__", ()), *cls.__mro__[1:]]):
        if isinstance(base, type):
            found |= _attribute_docstrings(base)
    return found | _documented_annotations(cls)


def doc_of(form: Any) -> str | None:
    """Return the text of the `Doc` in an `Annotated` form.

    >>> doc_of(typing.Annotated[int, Doc("how many")])
    'how many'
    """
    if typing.get_origin(form) is typing.Annotated:
        return next((item.documentation for item in form.__metadata__ if isinstance(item, Doc)), None)
    is_qualified = typing.get_origin(form) in (typing.Required, typing.NotRequired, ReadOnly)
    return doc_of(typing.get_args(form)[0]) if is_qualified else None


def _documented_annotations(cls: type) -> dict[str, str]:
    try:
        hints = hints_of(cls)
    except Exception:  # names that only pydantic, with the defining frame, can resolve
        return {}
    documented = ((name, doc_of(form)) for name, form in hints.items())
    return {name: text for name, text in documented if text is not None}


def _attribute_docstrings(cls: type) -> Mapping[str, str]:
    module = sys.modules.get(cls.__module__)
    path = getattr(module, "__file__", None)
    if not isinstance(path, str) or cls.__module__.partition(".")[0] in _FIELDLESS:
        return {}
    return _documented_fields(path, id(getattr(module, "__spec__", None))).get(cls.__qualname__, {})


@lru_cache(maxsize=256)
def _documented_fields(path: str, loading: int) -> Mapping[str, Mapping[str, str]]:  # noqa: ARG001
    """Read a source file once, however many classes it holds, and again when its module is loaded again."""
    linecache.checkcache(path)
    try:
        tree = ast.parse("".join(linecache.getlines(path)))
    except (SyntaxError, ValueError, RecursionError):
        return {}
    return {name: _documented_below(node) for name, node in reversed(list(_classes(tree, "")))}


def _classes(parent: ast.AST, prefix: str) -> Iterator[tuple[str, ast.ClassDef]]:
    """Walk over the classes of a file with their qualified names, in source order."""
    for node in ast.iter_child_nodes(parent):
        if isinstance(node, ast.ClassDef):
            yield prefix + node.name, node
            yield from _classes(node, f"{prefix}{node.name}.")
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _classes(node, f"{prefix}{node.name}.<locals>.")
        elif isinstance(node, ast.stmt | ast.excepthandler | ast.match_case):
            yield from _classes(node, prefix)


def _documented_below(node: ast.ClassDef) -> dict[str, str]:
    found: dict[str, str] = {}
    for statement, following in pairwise(node.body):
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            text = _docstring(following)
            found |= {statement.target.id: text} if text else {}
    return found


def _docstring(statement: ast.stmt) -> str | None:
    match statement:
        case ast.Expr(value=ast.Constant(value=str(text))):
            return inspect.cleandoc(text)
        case _:
            return None
