"""Definitions by a server that wants its words to become code, and the check that none did."""

from __future__ import annotations

import ast
import keyword
from typing import Any

TEXTS = [
    '"""', "'''", '"', "'", "\\", "\\\\", '\\"', '"""\nimport os\nos.system("x")\n"""', "a\nimport os", "a\r\nb", "a\rb",
    "#", "# type: ignore", "{0}", "%s", "${x}", "\x00", "\x1b[2J", "\u202e\u2066txet", "\u2028\u2029\x85", "\ufb01", "\uff49mport", "\u041a",
    "é", "日本語", "\U0001f600", " lead", "trail ", "\ttab\t", " \n ", "\n\n  deep\n\tmore\n", "class", "None", "__class__", "__x",
    "__init_subclass__", "str", "object", "TypedDict", "NotRequired", "Literal", "closed", "total", "keys", "items", "get", "_",
    "-", "", "0", "1a", "a-b", "$ref", "x" * 300, "word " * 60, '"' * 7, "\\N{BULLET}", "\\u0041", "r'", "f'{x}'", "]", ")", "}",
    "x]: int = __import__('os')", "a: b", "ends with backslash\\", 'ends with quote"', '"starts with quote', "''' \"\"\" '''",
]  # fmt: skip
NAMES = [
    "import", "class_", "None", "str", "object", "Tool", "TOOLKIT", "FINGERPRINT", "tool", "0", "-", ".", "_", "__init__", "a.b", "a-b",
    "a_b", "A_B", "x" * 128, "match", "TypedDict", "annotations", "get_x_input", "getX",
    "__extra_items__", "__proto__", "__annotations__", "__total__", "__slots__", "extra_items", "mro", "self", "print", "Union", "Never",
]  # fmt: skip

_STATEMENTS = (ast.Expr, ast.ImportFrom, ast.Assign, ast.AnnAssign, ast.ClassDef)
_EXPRESSIONS = (
    ast.Constant, ast.Name, ast.Attribute, ast.Subscript, ast.Tuple, ast.BinOp, ast.Dict, ast.Call, ast.UnaryOp,
)  # fmt: skip
_PARTS = (ast.Module, ast.Load, ast.Store, ast.keyword, ast.alias, ast.BitOr, ast.USub)
_SOURCES = {"__future__", "typing", "typing_extensions", "tool_core", "tool_core.mcp"}
_CALLS = {"Tool.dynamic", "JsonSchema.typed", "Toolkit.make", "TypedDict"}


def definitions() -> list[dict[str, Any]]:
    """List tools with every text in every place that takes one."""
    found = [_everywhere(f"tool_{number}", text) for number, text in enumerate(TEXTS)]
    found += [_everywhere(name, name) for name in NAMES]
    return [*found, *map(_described, TEXTS), _crowd(), _recursive(), _odd_unions()]


def _described(text: str) -> dict[str, Any]:
    """A tool with plain keys, so that its texts are the documentation of a class."""
    inner = {
        "type": "object",
        "description": text,
        "properties": {"b": {"description": text}, "c": {"type": "null"}},
    }
    schema = {"type": "object", "description": text, "properties": {"a": inner}}
    return {"name": f"described_{TEXTS.index(text)}", "inputSchema": schema}


def _everywhere(name: str, text: str) -> dict[str, Any]:
    part = {
        "type": "string",
        "description": text,
        "title": text,
        "enum": [text, "b", text + "c"],
        "default": text,
    }
    inner = {
        "type": "object",
        "title": text,
        "description": text,
        "properties": {text: part, "b": part},
        "required": [text],
    }
    listed = {"type": "array", "items": {"anyOf": [inner, {"type": "null"}, {"const": text}]}}
    schema = {
        "type": "object",
        "description": text,
        "properties": {text: inner, "plain": part, "list": listed, "ref": {"$ref": "#/$defs/A"}},
        "required": [text, "plain"],
        "$defs": {"A": inner},
        "$comment": text,
    }
    hints = {
        "readOnlyHint": True,
        "destructiveHint": False,
        "title": text,
        "idempotentHint": True,
        "openWorldHint": False,
    }
    return {
        "name": name, "description": text, "title": text, "inputSchema": schema, "outputSchema": schema,
        "annotations": hints, "_meta": {text: text},
    }  # fmt: skip


def _crowd() -> dict[str, Any]:
    """A tool all of whose keys are called after what a module uses."""
    properties = {text: {"type": "string"} for text in TEXTS} | {
        name: {"type": "object", "properties": {name: {"type": "integer"}, "y": {"enum": [1, -2, True, None, 2.5]}}}
        for name in NAMES
    }  # fmt: skip
    return {
        "name": "crowd",
        "inputSchema": {"type": "object", "properties": properties, "additionalProperties": False},
    }


def _recursive() -> dict[str, Any]:
    node = {
        "type": "object",
        "properties": {
            "a-b": {"$ref": "#/$defs/N-1"},
            "next": {"anyOf": [{"$ref": "#/$defs/N-1"}, {"type": "null"}]},
        },
    }
    value = {
        "anyOf": [
            {"type": "string"},
            {"type": "array", "items": {"$ref": "#/$defs/Json"}},
            {"type": "object", "additionalProperties": {"$ref": "#/$defs/Json"}},
        ]
    }
    loop = {"anyOf": [{"$ref": "#/$defs/Loop"}, {"type": "string"}]}
    properties = {
        "node": {"$ref": "#/$defs/N-1"},
        "json": {"$ref": "#/$defs/Json"},
        "root": {"$ref": "#"},
        "loop": {"$ref": "#/$defs/Loop"},
        "a b": {"$ref": "#/$defs/Json"},
    }
    schema = {"type": "object", "properties": properties, "$defs": {"N-1": node, "Json": value, "Loop": loop}}
    return {"name": "recursive", "inputSchema": schema, "outputSchema": schema}  # fmt: skip


def _odd_unions() -> dict[str, Any]:
    objects = [
        {"type": "object", "title": f"Kind {number}", "properties": {"kind": {"const": f"kind-{number}"}}}
        for number in range(12)
    ]
    properties = {
        "many": {"anyOf": [*objects, {"type": "array", "items": {"anyOf": objects}}, {"type": "null"}]},
        "never": False,
        "empty": {"type": "object", "additionalProperties": False},
        "numbers": {"enum": [10**40, 1.0, 0.5, -7]},
        "long": {"enum": [f"a rather long value, number {number}" for number in range(40)] + [None]},
        "one long": {"const": "x" * 200},
        "a_property_with_a_name_that_alone_takes_up_nearly_all_of_the_line_that_there_is_to_take": {
            "type": "array", "items": {"type": "array", "items": objects[0]},
        },
    }  # fmt: skip
    return {
        "name": "unions",
        "inputSchema": {"type": "object", "properties": properties, "required": ["never"]},
    }


def strange_code(text: str) -> list[str]:
    """List whatever in a generated module is not what a lock consists of."""
    tree = ast.parse(text)
    return [
        f"{type(node).__name__}: {ast.unparse(node)[:80]}" for node in ast.walk(tree) if _is_strange(node)
    ]


def _is_strange(node: ast.AST) -> bool:
    match node:
        case ast.Expr(value=value):
            return not (isinstance(value, ast.Constant) and isinstance(value.value, str))
        case ast.ImportFrom(module=module, names=names):
            return module not in _SOURCES or any(alias.asname or alias.name == "*" for alias in names)
        case ast.ClassDef(bases=bases, decorator_list=decorators):
            return bool(decorators) or [ast.unparse(base) for base in bases] != ["TypedDict"]
        case ast.Call(func=func):
            called = ast.unparse(func)
            return called not in _CALLS and not (isinstance(func, ast.Attribute) and func.attr == "annotate")
        case ast.Name(id=name):
            return not name.isascii() or keyword.iskeyword(name) or name.startswith("__")
        case _:
            return not isinstance(node, _STATEMENTS + _EXPRESSIONS + _PARTS)
