"""Type shapes as declarations: a TypedDict for each object, an alias for what is long. Layer 3."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from mypy_plugin.schema_types import SchemaType, schema_type
from mypy_plugin.shapes import (
    NEVER,
    UNKNOWN,
    ArrayShape,
    Field,
    LiteralShape,
    ObjectShape,
    PrimitiveShape,
    ReferenceShape,
    Shape,
    UnionShape,
    UnknownShape,
    members_of,
)
from tool_core.mcp.locking.identifiers import Names, camel, is_field_name
from tool_core.mcp.locking.layouts import (
    Alternatives,
    Expression,
    Name,
    Subscript,
    flat,
    joined_names,
    laid_out,
    names_in,
    quoted,
)
from tool_core.mcp.locking.literals import WIDTH, docstring, string
from tool_core.mcp.schema_parts import steps_of

_PRIMITIVES = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
_OBJECT = Name("object")
_NO_KEYS = frozenset({"", "__extra_items__"})
"""What no key of a TypedDict can be called."""
_NOT_REQUIRED = len("NotRequired[]")


@dataclass(slots=True)
class Declarations:
    """The types of a module, in the order in which they can be defined, and the names they use."""

    names: Names
    blocks: list[str] = field(default_factory=list)
    used: set[str] = field(default_factory=set)
    defined: set[str] = field(default_factory=set)
    texts: set[str] = field(default_factory=set)
    """Aliases that are written as a string, which is what they are when the module runs."""

    def declare(self, schema: Mapping[str, object], tool: str, role: str, doc: str) -> Expression:
        """Declare what a schema needs, and return the type of the values that it accepts."""
        found = schema_type(schema)
        words = _Words(tool, role)
        scope = _Scope(self, found, words, {})
        for pointer in found.definitions:
            own = words if pointer == "#" else words.and_(_last_step(pointer))
            scope.pointers[pointer] = self.names.of_class(*own.parts)
        own_name = scope.pointers.get("#")
        shape = found.definitions.get("#", found.root)  # not known where the root is its own alternative
        root = scope.expression(shape, words, WIDTH // 2, own_name, doc)
        if own_name is not None and own_name not in self.defined:
            self.add_alias(own_name, root)
        for pointer in found.definitions:
            scope.define(pointer)
        return self.name(root, words) if self._is_early(root) else root

    def add_class(
        self, name: str, shape: ObjectShape, fields: list[tuple[Field, Expression]], doc: str
    ) -> None:
        """Define a TypedDict, in the functional form where a key cannot stand in a class."""
        types = {word for _, item in fields for word in names_in(item)} | {"NotRequired", "TypedDict", name}
        if all(is_field_name(item.name) and item.name not in types for item, _ in fields):
            self.blocks.append(self._class(name, shape, fields, doc))
        else:
            self.blocks.append(self._functional(name, shape, fields, doc))
        self.defined.add(name)

    def add_alias(self, name: str, expression: Expression) -> None:
        """Give an expression a name."""
        self.used |= {*names_in(expression), "TypeAlias"}
        is_early = self._is_early(expression)
        write = quoted if is_early else laid_out
        self.blocks.append(write(expression, f"{name}: TypeAlias = ") + "\n")
        self.defined.add(name)
        if is_early or (isinstance(expression, Name) and expression.text in self.texts):
            self.texts.add(name)

    def name(self, expression: Expression, words: _Words) -> Expression:
        """Give an expression a name made of words, and return that."""
        alias = self.names.of_class(*words.parts)
        self.add_alias(alias, expression)
        return Name(alias)

    def _class(self, name: str, shape: ObjectShape, fields: list[tuple[Field, Expression]], doc: str) -> str:
        bases = "TypedDict, closed=True" if shape.is_closed else "TypedDict"
        allowed = "No key is allowed." if shape.is_closed else "Any key is allowed."
        head = docstring(doc) or ("" if fields else docstring(allowed))
        lines = [f"class {name}({bases}):\n", head, "\n" if head and fields else ""]
        for item, expression in fields:
            lines.append(laid_out(self._presence(item, expression), f"    {item.name}: ", "    ") + "\n")
            lines.append(docstring(item.doc))
        return "".join(lines)

    def _functional(
        self, name: str, shape: ObjectShape, fields: list[tuple[Field, Expression]], doc: str
    ) -> str:
        lines = [f"{name} = TypedDict(\n    {string(name)},\n    {{\n"]
        for item, expression in fields:
            early = self._is_early(expression)
            kept: Expression = Name(string(flat(expression))) if early else expression
            self.used |= set(names_in(expression))
            start = f"        {string(item.name)}: "
            lines.append(laid_out(self._presence(item, kept), start, "        ", ",") + "\n")
        closing = "    },\n    closed=True,\n)\n" if shape.is_closed else "    },\n)\n"
        keys = [f"{item.name}: {item.doc}" for item, _ in fields if item.doc]
        return "".join([*lines, closing, docstring("\n\n".join([*([doc] if doc else []), *keys]), "")])

    def _presence(self, item: Field, expression: Expression) -> Expression:
        return expression if item.is_required else Subscript("NotRequired", (expression,))

    def _is_early(self, expression: Expression) -> bool:
        """Tell whether an expression cannot be evaluated yet.

        It may name a type that is defined only later, or join a string, which knows no `|`.
        """
        is_known = self.defined.issuperset(self.names.classes.intersection(names_in(expression)))
        return not is_known or not self.texts.isdisjoint(joined_names(expression))


@dataclass(frozen=True, slots=True)
class _Words:
    """What a type is called after: its tool, its role, and the way to it."""

    tool: str
    role: str
    path: tuple[str, ...] = ()

    @property
    def parts(self) -> tuple[str, ...]:
        """The words of the name; a part of the input goes without its role."""
        return (
            (self.tool, *self.path)
            if self.role == "Input" and self.path
            else (self.tool, self.role, *self.path)
        )

    def and_(self, *more: str) -> _Words:
        return _Words(self.tool, self.role, (*self.path, *more))


@dataclass(slots=True)
class _Scope:
    """One schema's types: its definitions have names of their own."""

    module: Declarations
    schema: SchemaType
    words: _Words
    pointers: dict[str, str]
    begun: set[str] = field(default_factory=set)

    def define(self, pointer: str) -> None:
        """Define the type behind a pointer, once."""
        if pointer in self.begun or pointer == "#":
            return
        self.begun.add(pointer)
        shape, name = self.schema.definitions[pointer], self.pointers[pointer]
        words = self.words.and_(_last_step(pointer))
        doc = shape.doc if isinstance(shape, ObjectShape) else ""
        if isinstance(shape, ObjectShape) and not shape.is_map:
            self._class(name, shape, words, doc)
        else:
            self.module.add_alias(name, self._plain(shape, words, WIDTH))

    def expression(
        self, shape: Shape, words: _Words, room: int, name: str | None = None, doc: str = ""
    ) -> Expression:
        """Return the type of a shape, with aliases for what does not fit into the room."""
        if isinstance(shape, ObjectShape) and not shape.is_map:
            name = name or self.module.names.of_class(*words.parts)
            self._class(name, shape, words, doc or shape.doc)
            return Name(name)
        plain = self._plain(shape, words, room)
        if len(flat(plain)) <= room and name is None:
            return plain
        if isinstance(plain, Name) or (isinstance(shape, ArrayShape | ObjectShape) and name is None):
            return plain
        if name is None:
            return self.module.name(plain, words)
        self.module.add_alias(name, plain)
        return Name(name)

    def _class(self, name: str, shape: ObjectShape, words: _Words, doc: str) -> None:
        fields = []
        kept = [item for item in shape.fields if item.name not in _NO_KEYS]
        if len(kept) < len(shape.fields):  # they must be among the free ones
            shape = replace(shape, extra=UNKNOWN)
        for item in kept:
            room = WIDTH - 4 - len(item.name) - 2 - (0 if item.is_required else _NOT_REQUIRED)
            fields.append((item, self.expression(item.shape, words.and_(item.name), room)))
        self.module.add_class(name, shape, fields, doc)

    def _plain(self, shape: Shape, words: _Words, room: int) -> Expression:
        match shape:
            case UnknownShape():
                return _OBJECT
            case PrimitiveShape(kind=kind):
                return Name(_PRIMITIVES[kind])
            case LiteralShape():
                return Subscript("Literal", (_value(shape),))
            case ArrayShape(item=item):
                return Subscript("list", (self.expression(item, words.and_("Item"), room - 6),))
            case ObjectShape(extra=extra):
                value = self.expression(extra, words.and_("Value"), room - 11)
                return Subscript("dict", (Name("str"), value))
            case ReferenceShape(pointer=pointer):
                self.define(pointer)
                return Name(self.pointers[pointer])
            case UnionShape():
                return Name("Never") if shape == NEVER else self._union(shape, words, room)

    def _union(self, shape: UnionShape, words: _Words, room: int) -> Expression:
        members = list(members_of(shape))
        literals = tuple(_value(member) for member in members if isinstance(member, LiteralShape))
        others = [member for member in members if not isinstance(member, LiteralShape)]
        objects = [member for member in others if isinstance(member, ObjectShape | ArrayShape)]
        found: list[Expression] = [Subscript("Literal", literals)] if literals else []
        for number, member in enumerate(others, 1):
            own = words.and_(_label(member, number)) if len(objects) > 1 else words
            found.append(self.expression(member, own, room))
        ordered = sorted(dict.fromkeys(found), key=lambda item: item == Name("None"))
        return ordered[0] if len(ordered) == 1 else Alternatives(tuple(ordered))


def _last_step(pointer: str) -> str:
    return steps_of(pointer)[-1]


def _label(member: Shape, number: int) -> str:
    title = member.title if isinstance(member, ObjectShape) else ""
    return camel(title) or f"Option{number}"


def _value(shape: LiteralShape) -> Name:
    value: Any = shape.value
    return Name(string(value) if isinstance(value, str) else repr(value))
