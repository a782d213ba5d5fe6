"""Tools that are built into a provider, some of which still need a handler here. Layer 2."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Literal, Never, cast, overload

from tool_core.errors import SchemaMismatchError, ToolConfigurationError
from tool_core.options import checked_failure_mode, checked_schema, refuse_unknown, tool_fields
from tool_core.schemas import Schema
from tool_core.tools import Tool
from tool_core.typevars import NP, A, F, F_co, H_co, M, M_co, N, N_co, P_co, R_co, S, S_co, T

if TYPE_CHECKING:
    from typing_extensions import TypeForm

    from tool_core.context import Key

_ID = re.compile(r"[^.\s]+\.[^\s]+\Z")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ProviderTool(
    Tool[P_co, S_co, F_co, M_co, R_co, N_co], Generic[P_co, S_co, F_co, M_co, R_co, N_co, H_co]
):
    """A tool that a provider defines, known to it as `provider_name` and to us as `name`.

    >>> from tool_core import Tool
    >>> Search = Tool.provider_defined(id="openai.web_search", custom_name="Web", provider_name="web_search")
    >>> search = Search()
    >>> search.name, search.provider_name, search.requires_handler
    ('Web', 'web_search', False)
    """

    provider_name: str
    args_schema: Schema[object]
    args_text: str = field(default="{}", repr=False)
    handled: bool = field(default=False, repr=False)

    @property
    def args(self) -> dict[str, object]:
        """The arguments that configure the tool, encoded as JSON; a copy."""
        return cast("dict[str, object]", json.loads(self.args_text))

    @property
    def requires_handler(self) -> H_co:
        """Whether this process runs the tool, rather than the provider."""
        return cast(H_co, self.handled)

    if TYPE_CHECKING:

        @overload
        def set_parameters(
            self, parameters: TypeForm[T]
        ) -> ProviderTool[T, S_co, F_co, M_co, R_co, N_co, H_co]: ...
        @overload
        def set_parameters(
            self, parameters: Schema[T]
        ) -> ProviderTool[T, S_co, F_co, M_co, R_co, N_co, H_co]: ...
        def set_parameters(self, parameters: Any) -> Any:
            """As for every tool, of the same kind."""

        @overload
        def set_success(
            self, success: TypeForm[T]
        ) -> ProviderTool[P_co, T, F_co, M_co, R_co, N_co, H_co]: ...
        @overload
        def set_success(self, success: Schema[T]) -> ProviderTool[P_co, T, F_co, M_co, R_co, N_co, H_co]: ...
        def set_success(self, success: Any) -> Any:
            """As for every tool, of the same kind."""

        @overload
        def set_failure(
            self, failure: TypeForm[T]
        ) -> ProviderTool[P_co, S_co, T, M_co, R_co, N_co, H_co]: ...
        @overload
        def set_failure(self, failure: Schema[T]) -> ProviderTool[P_co, S_co, T, M_co, R_co, N_co, H_co]: ...
        def set_failure(self, failure: Any) -> Any:
            """As for every tool, of the same kind."""

        def set_failure_mode(self, failure_mode: M) -> ProviderTool[P_co, S_co, F_co, M, R_co, N_co, H_co]:
            """As for every tool, of the same kind."""
            ...

        def add_dependency(
            self, key: type[T] | Key[T]
        ) -> ProviderTool[P_co, S_co, F_co, M_co, R_co | T, N_co, H_co]:
            """As for every tool, of the same kind."""
            ...


@dataclass(frozen=True, slots=True)
class ProviderFactory(Generic[A, NP, S, F, N]):
    """Makes tools that the provider runs: call it with their arguments, if they take any.

    >>> from tool_core import Tool
    >>> Tool.provider_defined(id="google.url_context", custom_name="Url", provider_name="url_context")()
    ProviderTool 'Url' (None) -> None
    """

    fields: dict[str, Any]

    @overload
    def __call__(
        self: ProviderFactory[Never, NP, S, F, N],
    ) -> ProviderTool[NP, S, F, Literal["error"], Never, N, Literal[False]]: ...
    @overload
    def __call__(self, args: A) -> ProviderTool[NP, S, F, Literal["error"], Never, N, Literal[False]]: ...
    def __call__(self, args: Any = None, **options: Any) -> Any:
        """Make a tool, its arguments checked now rather than when a request is sent."""
        if "failure_mode" in options:
            raise ToolConfigurationError(
                self.fields["name"],
                "failure_mode is for tools that require a handler: the provider runs this one",
            )
        return _made(self.fields, args, "error")


@dataclass(frozen=True, slots=True)
class HandledProviderFactory(Generic[A, NP, S, F, N]):
    """Makes tools that the provider defines and this process runs.

    >>> from tool_core import Tool
    >>> Tool.provider_defined(id="x.bash", custom_name="Bash", provider_name="bash", requires_handler=True)()
    ProviderTool 'Bash' (None) -> None
    """

    fields: dict[str, Any]

    @overload
    def __call__(
        self: HandledProviderFactory[Never, NP, S, F, N], *, failure_mode: M = ...
    ) -> ProviderTool[NP, S, F, M, Never, N, Literal[True]]: ...
    @overload
    def __call__(
        self, args: A, *, failure_mode: M = ...
    ) -> ProviderTool[NP, S, F, M, Never, N, Literal[True]]: ...
    def __call__(self, args: Any = None, *, failure_mode: Any = "error") -> Any:
        """Make a tool, its arguments checked now rather than when a request is sent."""
        return _made(self.fields, args, failure_mode)


def make_provider_defined(
    *,
    id: str,  # noqa: A002
    custom_name: str,
    provider_name: str,
    args: Any = Never,
    requires_handler: bool = False,
    parameters: Any = None,
    success: Any = None,
    failure: Any = Never,
    **unknown: object,
) -> ProviderFactory[Any, Any, Any, Any, Any] | HandledProviderFactory[Any, Any, Any, Any, Any]:
    """Build what `Tool.provider_defined` describes."""
    refuse_unknown(custom_name, unknown, ("args", "requires_handler", "parameters", "success", "failure"))
    if not isinstance(id, str) or not _ID.match(id):
        raise ToolConfigurationError(custom_name, f"a provider tool's id is 'provider.tool', not {id!r}")
    if not isinstance(provider_name, str) or not provider_name:
        raise ToolConfigurationError(custom_name, f"provider_name is a text, not {provider_name!r}")
    if not isinstance(requires_handler, bool):
        raise ToolConfigurationError(custom_name, f"requires_handler is a bool, not {requires_handler!r}")
    fields = tool_fields(custom_name, parameters=parameters, success=success, failure=failure)
    fields |= {
        "id": id,
        "provider_name": provider_name,
        "args_schema": checked_schema(custom_name, args, "args"),
        "handled": requires_handler,
    }
    return HandledProviderFactory(fields) if requires_handler else ProviderFactory(fields)


def _made(
    fields: dict[str, Any], args: object, failure_mode: object
) -> ProviderTool[Any, Any, Any, Any, Any, Any]:
    name, schema = fields["name"], fields["args_schema"]
    takes_none = str(schema) == "Never"
    if takes_none and args not in (None, {}):
        raise ToolConfigurationError(name, "the tool takes no args")
    try:
        text = "{}" if takes_none else json.dumps(schema.encode(schema.decode({} if args is None else args)))
    except SchemaMismatchError as error:
        raise ToolConfigurationError(name, f"args: {error}") from None
    mode = checked_failure_mode(name, failure_mode)
    return ProviderTool(**{**fields, "args_text": text, "failure_mode": mode})
