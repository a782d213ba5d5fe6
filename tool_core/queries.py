"""Questions to ask of a tool: what kind it is, and what it says of itself. Layer 2."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast, overload

from typing_extensions import TypeForm, TypeIs

from tool_core.annotations import Strict
from tool_core.dynamic_tools import DynamicTool
from tool_core.errors import ToolConfigurationError
from tool_core.provider_tools import ProviderTool
from tool_core.schemas import Schema, schema_of
from tool_core.tools import AnyTool, Tool

if TYPE_CHECKING:
    from tool_core.strict import FormatDescriptor


def is_user_defined(value: object) -> TypeIs[AnyTool]:
    """Tell whether a value is a tool made by `Tool.make` (or from a function).

    >>> is_user_defined(Tool.make("Now")), is_user_defined({"name": "Now"})
    (True, False)
    """
    return isinstance(value, Tool) and not isinstance(value, DynamicTool | ProviderTool)


def is_dynamic(value: object) -> TypeIs[DynamicTool]:
    """Tell whether a value is a tool made by `Tool.dynamic`.

    >>> is_dynamic(Tool.dynamic("search")), is_dynamic(None)
    (True, False)
    """
    return isinstance(value, DynamicTool)


def is_provider_defined(value: object) -> TypeIs[ProviderTool]:
    """Tell whether a value is a tool that a provider defines.

    >>> is_provider_defined(Tool.make("Now"))
    False
    """
    return isinstance(value, ProviderTool)


def get_description(tool: AnyTool) -> str | None:
    """Return the tool's description: the explicit one, else what its parameters say of themselves.

    >>> get_description(Tool.make("Now", description="The time"))
    'The time'
    """
    if tool.description is not None:
        return tool.description
    return cast("str | None", tool.parameters_schema.json_schema().get("description"))


def get_json_schema(tool: AnyTool, dialect: FormatDescriptor | None = None) -> dict[str, object]:
    """Return the JSON Schema of the tool's parameters, unshared; in a dialect where one is given.

    >>> get_json_schema(Tool.dynamic("search", parameters={"type": "object"}))
    {'type': 'object'}
    """
    return _in_dialect(dict(tool.parameters_schema.json_schema()), dialect)


@overload
def get_json_schema_from_type(
    tp: TypeForm[Any], dialect: FormatDescriptor | None = ...
) -> dict[str, object]: ...
@overload
def get_json_schema_from_type(
    tp: Schema[Any], dialect: FormatDescriptor | None = ...
) -> dict[str, object]: ...
def get_json_schema_from_type(tp: Any, dialect: FormatDescriptor | None = None) -> dict[str, object]:
    """Return the JSON Schema of a type form.

    >>> get_json_schema_from_type(list[int])
    {'type': 'array', 'items': {'type': 'integer'}}
    """
    return _in_dialect(dict(schema_of(tp).json_schema()), dialect)


def get_strict_mode(tool: AnyTool) -> bool | float | None:
    """Return what the tool says about strict mode; None (not said) is not False (forbidden).

    >>> get_strict_mode(Tool.make("Now")) is None
    True
    """
    return tool.annotations.get(Strict)


@dataclass(frozen=True, slots=True, init=False)
class NameMapper:
    """The names of provider-defined tools, ours and theirs, both ways; other names pass through.

    >>> Search = Tool.provider_defined(id="x.search", custom_name="WebSearch", provider_name="search")
    >>> mapper = NameMapper([Search(), Tool.make("Now")])
    >>> mapper.get_custom_name("search"), mapper.get_provider_name("WebSearch"), mapper.get_custom_name("Now")
    ('WebSearch', 'search', 'Now')
    """

    _to_provider: dict[str, str] = field(repr=False)
    _to_custom: dict[str, str] = field(repr=False)

    def __init__(self, tools: Iterable[AnyTool]) -> None:
        to_provider: dict[str, str] = {}
        wire_names: dict[str, str] = {}
        for tool in tools:
            if not isinstance(tool, Tool):
                raise ToolConfigurationError(None, f"a NameMapper takes tools, not {tool!r}")
            wire_name = tool.provider_name if isinstance(tool, ProviderTool) else tool.name
            if wire_name in wire_names:
                both = f"{wire_names[wire_name]!r} and {tool.name!r}"
                raise ToolConfigurationError(tool.name, f"{both} would both be {wire_name!r} to the provider")
            wire_names[wire_name] = tool.name
            if isinstance(tool, ProviderTool):
                to_provider[tool.name] = tool.provider_name
        object.__setattr__(self, "_to_provider", to_provider)
        object.__setattr__(self, "_to_custom", {theirs: ours for ours, theirs in to_provider.items()})

    def get_custom_name(self, provider_name: str) -> str:
        """Return our name for the provider's, or the name itself."""
        return self._to_custom.get(provider_name, provider_name)

    def get_provider_name(self, custom_name: str) -> str:
        """Return the provider's name for ours, or the name itself."""
        return self._to_provider.get(custom_name, custom_name)

    @property
    def custom_names(self) -> list[str]:
        """Our names of the provider-defined tools."""
        return list(self._to_provider)

    @property
    def provider_names(self) -> list[str]:
        """The provider's names of the provider-defined tools."""
        return list(self._to_custom)


def _in_dialect(schema: dict[str, object], dialect: FormatDescriptor | None) -> dict[str, object]:
    if dialect is None:
        return schema
    from tool_core.strict import strictify

    return strictify(schema, dialect).schema
