"""Tools whose schema is known only at run time. Layer 2."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

from tool_core.errors import ToolConfigurationError
from tool_core.json_schemas import JsonSchema, Validation
from tool_core.options import OPTIONS, checked_schema, for_tool, refuse_unknown, tool_fields
from tool_core.tools import Tool
from tool_core.typevars import F_co, M, M_co, N_co, P_co, R_co, S_co, T

if TYPE_CHECKING:
    from typing_extensions import TypeForm

    from tool_core.context import Key
    from tool_core.schemas import Schema


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class DynamicTool(Tool[P_co, S_co, F_co, M_co, R_co, N_co]):
    """A tool made by `Tool.dynamic`: from a raw JSON Schema, or from a type form.

    >>> from tool_core import Tool
    >>> tool = Tool.dynamic("search", parameters={"type": "object"})
    >>> tool.json_schema
    {'type': 'object'}
    """

    @property
    def json_schema(self) -> dict[str, object] | None:
        """The raw JSON Schema, or None where the parameters are a type form."""
        schema = self.parameters_schema
        return schema.json_schema() if isinstance(schema, JsonSchema) else None

    @overload
    def set_parameters(self, parameters: TypeForm[T]) -> DynamicTool[T, S_co, F_co, M_co, R_co, N_co]: ...
    @overload
    def set_parameters(self, parameters: Schema[T]) -> DynamicTool[T, S_co, F_co, M_co, R_co, N_co]: ...
    @overload
    def set_parameters(
        self, parameters: Mapping[str, object]
    ) -> DynamicTool[object, S_co, F_co, M_co, R_co, N_co]: ...
    def set_parameters(self, parameters: Any) -> Any:
        """Return the tool with other parameters; a mapping is a raw JSON Schema."""
        return self._with(parameters_schema=dynamic_schema(self.name, parameters, "schema"))

    if TYPE_CHECKING:

        @overload
        def set_success(self, success: TypeForm[T]) -> DynamicTool[P_co, T, F_co, M_co, R_co, N_co]: ...
        @overload
        def set_success(self, success: Schema[T]) -> DynamicTool[P_co, T, F_co, M_co, R_co, N_co]: ...
        def set_success(self, success: Any) -> Any:
            """As for every tool, of the same kind."""

        @overload
        def set_failure(self, failure: TypeForm[T]) -> DynamicTool[P_co, S_co, T, M_co, R_co, N_co]: ...
        @overload
        def set_failure(self, failure: Schema[T]) -> DynamicTool[P_co, S_co, T, M_co, R_co, N_co]: ...
        def set_failure(self, failure: Any) -> Any:
            """As for every tool, of the same kind."""

        def set_failure_mode(self, failure_mode: M) -> DynamicTool[P_co, S_co, F_co, M, R_co, N_co]:
            """As for every tool, of the same kind."""
            ...

        def add_dependency(
            self, key: type[T] | Key[T]
        ) -> DynamicTool[P_co, S_co, F_co, M_co, R_co | T, N_co]:
            """As for every tool, of the same kind."""
            ...


def make_dynamic(
    name: str,
    *,
    parameters: Any = object,
    validate: Validation = "schema",
    success: Any = object,
    **options: Any,
) -> DynamicTool[Any, Any, Any, Any, Any, Any]:
    """Build what `Tool.dynamic` describes."""
    refuse_unknown(name, options.keys() - {*OPTIONS}, (*OPTIONS, "validate"))
    fields = tool_fields(name, parameters=object, success=success, **options)
    fields["parameters_schema"] = dynamic_schema(name, parameters, validate)
    return DynamicTool(id=f"tool_core/{name}", **fields)


def dynamic_schema(name: str, parameters: Any, validate: Validation) -> Schema[Any]:
    """Take a mapping as a raw JSON Schema and anything else as a type form or a schema."""
    if isinstance(parameters, Mapping):
        return for_tool(name, lambda: JsonSchema.of(parameters, validate))
    if validate != "schema":
        raise ToolConfigurationError(name, "validate is for raw JSON Schemas: a type form validates itself")
    return checked_schema(name, parameters, "parameters")
