"""Reading a JSON Schema that is written out in the checked file.

Only this file is read: mypy frees the trees of other modules in one mode and keeps them in another,
so a name that is imported would give different answers.
"""

from __future__ import annotations

from typing import Any, cast

from mypy.checker import TypeChecker
from mypy.nodes import (
    AssignmentStmt,
    DictExpr,
    Expression,
    FloatExpr,
    IntExpr,
    ListExpr,
    NameExpr,
    StrExpr,
    UnaryExpr,
    Var,
)
from mypy.plugin import CheckerPluginInterface

_NAMED = frozenset(["properties", "patternProperties", "dependentSchemas", "$defs", "definitions"])
_LISTED = frozenset(["allOf", "anyOf", "oneOf", "prefixItems"])
_NESTED = frozenset(["items", "additionalItems", "additionalProperties"])
_CONSTANTS = {"builtins.True": True, "builtins.False": False, "builtins.None": None}


class NotLiteralError(Exception):
    """A part of a schema is not written out, so nothing is known of it."""


class LiteralReader:
    """Reads expressions of one file; `is_complete` tells whether all that was read was written out."""

    def __init__(self, api: CheckerPluginInterface) -> None:
        self._tree = cast(TypeChecker, api).tree
        self.is_complete = True

    def schema(self, expression: Expression) -> object:
        """Return a schema; a part of it that is not written out accepts everything."""
        try:
            return self._schema(expression)
        except (NotLiteralError, RecursionError):
            self.is_complete = False
            return {}

    def _schema(self, expression: Expression) -> object:
        expression = self._followed(expression)
        if not isinstance(expression, DictExpr):
            return self._value(expression)
        return {key: self._keyword(key, value) for key, value in self._pairs(expression)}

    def _keyword(self, keyword: str, expression: Expression) -> object:
        inner = self._followed(expression)
        if keyword in _NAMED and isinstance(inner, DictExpr):
            return {name: self.schema(value) for name, value in self._pairs(inner)}
        if (keyword in _LISTED or keyword == "items") and isinstance(inner, ListExpr):
            return [self.schema(item) for item in inner.items]
        return self.schema(inner) if keyword in _NESTED else self._value(inner)

    def _value(self, expression: Expression) -> Any:
        expression = self._followed(expression)
        match expression:
            case StrExpr() | IntExpr() | FloatExpr():
                return expression.value
            case UnaryExpr(op="-"):
                number = self._value(expression.expr)
                if isinstance(number, int | float):
                    return -number
            case NameExpr() if expression.fullname in _CONSTANTS:
                return _CONSTANTS[expression.fullname]
            case ListExpr():
                return [self._value(item) for item in expression.items]
            case DictExpr():
                return {key: self._value(value) for key, value in self._pairs(expression)}
        raise NotLiteralError

    def _pairs(self, expression: DictExpr) -> list[tuple[str, Expression]]:
        pairs = [(key.value, value) for key, value in expression.items if isinstance(key, StrExpr)]
        if len(pairs) != len(expression.items):
            raise NotLiteralError
        return pairs

    def _followed(self, expression: Expression) -> Expression:
        """Follow a `Final` name of this file to what it was given."""
        node = expression.node if isinstance(expression, NameExpr) else None
        if not isinstance(node, Var) or not node.is_final:
            return expression
        for statement in self._tree.defs:
            if isinstance(statement, AssignmentStmt):
                targets = [target for target in statement.lvalues if isinstance(target, NameExpr)]
                if any(target.node is node for target in targets):
                    return self._followed(statement.rvalue)
        raise NotLiteralError
