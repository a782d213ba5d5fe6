"""Variables of the checked file: what each is given, and how often.

Only this file is read: mypy frees the trees of other modules in one mode and keeps them in another.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from mypy.checker import TypeChecker
from mypy.nodes import (
    AssignmentStmt,
    Block,
    ClassDef,
    Context,
    Decorator,
    Expression,
    ForStmt,
    FuncDef,
    IfStmt,
    ListExpr,
    MatchStmt,
    MemberExpr,
    NameExpr,
    OperatorAssignmentStmt,
    OverloadedFuncDef,
    Statement,
    TryStmt,
    TupleExpr,
    TypeInfo,
    Var,
    WhileStmt,
    WithStmt,
)
from mypy.plugin import CheckerPluginInterface


def given_value(api: CheckerPluginInterface, expression: Expression) -> Expression | None:
    """Return what a variable of this file is given, where that happens once."""
    node = expression.node if isinstance(expression, NameExpr) else None
    given = _assignments(api).given.get(node, []) if isinstance(node, Var) else []
    return given[0] if len(given) == 1 else None


def is_one_of_several(api: CheckerPluginInterface, value: Context) -> bool:
    """Say whether a value goes into a variable without a declared type that other values go into, too.

    mypy takes the first value's type for the variable's, so that type must leave room for the others.
    """
    return len(siblings(api, value)) > 1


def siblings(api: CheckerPluginInterface, value: Context) -> list[Expression | None]:
    """List what the variables of a value are given, the value included."""
    found = _assignments(api)
    variables = found.variables.get(value, []) if isinstance(value, Expression) else []
    return [given for variable in variables if variable.is_inferred for given in found.given[variable]]


class _Assignments:
    """What the variables of a file are given, in order; None is what no expression says alone."""

    def __init__(self, statements: Sequence[Statement]) -> None:
        self.given: dict[Var, list[Expression | None]] = {}
        self.variables: dict[Expression, list[Var]] = {}
        self._read(statements, None)

    def _read(self, statements: Sequence[Statement | None], owner: TypeInfo | None) -> None:
        for statement in statements:
            if isinstance(statement, AssignmentStmt):
                for target in statement.lvalues:
                    self._give(target, statement.rvalue, owner)
            elif isinstance(statement, OperatorAssignmentStmt):
                self._give(statement.lvalue, None, owner)
            elif isinstance(statement, ForStmt):
                self._give(statement.index, None, owner)
            elif isinstance(statement, WithStmt):
                for opened in statement.target:
                    self._give(opened, None, owner)
            self._read(_inside(statement), statement.info if isinstance(statement, ClassDef) else owner)

    def _give(self, target: Expression | None, value: Expression | None, owner: TypeInfo | None) -> None:
        if isinstance(target, TupleExpr | ListExpr):
            values = value.items if isinstance(value, TupleExpr | ListExpr) else []
            is_paired = len(values) == len(target.items)
            for index, item in enumerate(target.items):
                self._give(item, values[index] if is_paired else None, owner)
        for variable in _variables(target, owner):
            self.given.setdefault(variable, []).append(value)
            if value is not None:
                self.variables.setdefault(value, []).append(variable)


def _inside(statement: Statement | None) -> Sequence[Statement | None]:
    match statement:
        case Block():
            return statement.body
        case IfStmt():
            return [*statement.body, statement.else_body]
        case ForStmt() | WhileStmt():
            return [statement.body, statement.else_body]
        case TryStmt():
            return [statement.body, *statement.handlers, statement.else_body, statement.finally_body]
        case MatchStmt():
            return statement.bodies
        case FuncDef() | WithStmt():
            return [statement.body]
        case Decorator():
            return [statement.func]
        case OverloadedFuncDef():
            return [statement.impl]
        case ClassDef():
            return [statement.defs]
    return []


def _variables(target: Expression | None, owner: TypeInfo | None) -> list[Var]:
    """Return a target's variable; for an attribute those of the base classes too, which it overrides."""
    node = target.node if isinstance(target, NameExpr) else None
    if owner is not None and isinstance(target, NameExpr | MemberExpr):
        own = owner.names.get(target.name)
        is_attribute = node is not None and own is not None and own.node is node
        if is_attribute or (isinstance(target, MemberExpr) and _is_self(target.expr)):
            found = [base.names[target.name].node for base in owner.mro if target.name in base.names]
            return [attribute for attribute in found if isinstance(attribute, Var)]
    return [node] if isinstance(node, Var) else []


def _is_self(expression: Expression) -> bool:
    node = expression.node if isinstance(expression, NameExpr) else None
    return isinstance(node, Var) and node.is_self


_last: tuple[Sequence[Statement], _Assignments] | None = None


def _assignments(api: CheckerPluginInterface) -> _Assignments:
    """Read a file once; after an edit its statements are another list."""
    global _last
    statements = cast(TypeChecker, api).tree.defs
    if _last is None or _last[0] is not statements:
        _last = statements, _Assignments(statements)
    return _last[1]
