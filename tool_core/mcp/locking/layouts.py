"""Type expressions, laid out within the line width as a formatter leaves them. Layer 3."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from tool_core.mcp.locking.literals import WIDTH, string


@dataclass(frozen=True, slots=True)
class Name:
    """A name, or a literal value."""

    text: str


@dataclass(frozen=True, slots=True)
class Subscript:
    """`head[item, ...]`."""

    head: str
    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Alternatives:
    """`item | item`."""

    items: tuple[Expression, ...]


Expression: TypeAlias = Name | Subscript | Alternatives


def flat(expression: Expression) -> str:
    """Write an expression on one line.

    >>> flat(Subscript("list", (Alternatives((Name("str"), Name("None"))),)))
    'list[str | None]'
    """
    match expression:
        case Name(text=text):
            return text
        case Subscript(head=head, items=items):
            return f"{head}[{', '.join(flat(item) for item in items)}]"
        case Alternatives(items=items):
            return " | ".join(flat(item) for item in items)


def laid_out(expression: Expression, start: str, indent: str = "", end: str = "") -> str:
    """Write what begins with `start`, on one line if it fits, else with one item to a line.

    >>> print(laid_out(Subscript("Literal", (Name("1"), Name("2"))), "X: TypeAlias = "))
    X: TypeAlias = Literal[1, 2]
    """
    line = f"{start}{flat(expression)}{end}"
    if len(line) <= WIDTH or isinstance(expression, Name):
        return line
    if isinstance(expression, Alternatives):  # the sign `|` would need brackets, `Union` has its own
        expression = Subscript("Union", expression.items)
    comma = "," if len(expression.items) > 1 else ""
    inner = f"{indent}    "
    items = [laid_out(item, inner, inner, comma) for item in expression.items]
    return "\n".join([f"{start}{expression.head}[", *items, f"{indent}]{end}"])


def quoted(expression: Expression, start: str, indent: str = "", end: str = "") -> str:
    """Write an expression as a string, for it names what is defined later; bracketed if that helps."""
    text = string(flat(expression))
    line = f"{start}{text}{end}"
    if len(line) <= WIDTH or len(indent) + 4 + len(text) > WIDTH:
        return line
    return f"{start}(\n{indent}    {text}\n{indent}){end}"


def names_in(expression: Expression) -> Iterator[str]:
    """List the names that an expression uses, literal values included."""
    match expression:
        case Name(text=text):
            yield text
        case Subscript(head=head, items=items):
            yield head
            for item in items:
                yield from names_in(item)
        case Alternatives(items=items):
            for item in items:
                yield from names_in(item)


def joined_names(expression: Expression) -> Iterator[str]:
    """List the names that stand beside a `|` somewhere in an expression.

    >>> list(joined_names(Subscript("list", (Alternatives((Name("A"), Subscript("B", ()))),))))
    ['A']
    """
    if isinstance(expression, Name):
        return
    for item in expression.items:
        if isinstance(item, Name) and isinstance(expression, Alternatives):
            yield item.text
        yield from joined_names(item)
