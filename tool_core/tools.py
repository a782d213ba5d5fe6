"""Tools: frozen values whose type parameters carry what they take, return and need. Layer 2."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import (
    TYPE_CHECKING,
    Any,
    Generic,
    Literal,
    ParamSpec,
    Self,
    TypeAlias,
    TypeVar,
    Unpack,
    cast,
    overload,
)

from typing_extensions import TypeForm

from tool_core.annotations import Annotation, Annotations
from tool_core.context import Key, ServiceKey
from tool_core.options import (
    checked_approval,
    checked_dependencies,
    checked_description,
    checked_failure_mode,
    checked_schema,
    for_tool,
    tool_fields,
)
from tool_core.schemas import EmptyParams, Schema
from tool_core.typevars import (
    NP,
    OP,
    OS,
    A,
    ApprovalPredicate,
    F,
    F_co,
    FailureMode,
    M,
    M_co,
    N,
    N_co,
    NeedsApproval,
    P,
    P_co,
    R,
    R_co,
    S,
    S_co,
    T,
)

if TYPE_CHECKING:
    from tool_core.dynamic_tools import DynamicTool
    from tool_core.functions import FunctionDecorator, FunctionImplementation, FunctionOptions
    from tool_core.implementations import Handler, HandlerWithContext, Implementation
    from tool_core.provider_tools import HandledProviderFactory, ProviderFactory

V = TypeVar("V")
D = TypeVar("D")
HP = TypeVar("HP")
HS = TypeVar("HS")
HF = TypeVar("HF")
HM = TypeVar("HM", bound=str)
HR = TypeVar("HR")
HN = TypeVar("HN", bound=str)
Ps = ParamSpec("Ps")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Tool(Generic[P_co, S_co, F_co, M_co, R_co, N_co]):
    """Something a model can ask for: a name, what it takes, what it returns, how it can fail.

    The type parameters are the parameters, success, failure, failure mode, services and name.
    A tool holds no handler, so it is a plain value: compare it, hash it, pickle it, share it.

    >>> from typing_extensions import TypedDict
    >>> class GetWeather(TypedDict):
    ...     location: str
    >>> Tool.make("GetWeather", parameters=GetWeather, success=float)
    Tool 'GetWeather' (GetWeather) -> float
    """

    id: str
    name: N_co
    description: str | None = None
    failure_mode: FailureMode
    parameters_schema: Schema[P_co]
    success_schema: Schema[S_co]
    failure_schema: Schema[F_co]
    dependencies: tuple[ServiceKey, ...] = ()
    needs_approval: bool | ApprovalPredicate = False
    annotations: Annotations = field(default_factory=Annotations)

    @overload
    @staticmethod
    def make(
        name: N,
        *,
        description: str | None = ...,
        parameters: TypeForm[P] = ...,
        success: TypeForm[S] = ...,
        failure: TypeForm[F] = ...,
        failure_mode: M = ...,
        dependencies: Sequence[type[R] | Key[R]] = ...,
        needs_approval: NeedsApproval[P] = ...,
    ) -> Tool[P, S, F, M, R, N]: ...
    @overload  # mypy joins the keys of a mixed list instead of uniting them
    @staticmethod
    def make(
        name: N,
        *,
        dependencies: Sequence[type[object] | Key[object]],
        description: str | None = ...,
        parameters: TypeForm[P] = ...,
        success: TypeForm[S] = ...,
        failure: TypeForm[F] = ...,
        failure_mode: M = ...,
        needs_approval: NeedsApproval[P] = ...,
    ) -> Tool[P, S, F, M, object, N]: ...
    @overload  # one that took either for every argument would make mypy answer Any to `A | B | C`
    @staticmethod
    def make(
        name: N,
        *,
        parameters: Schema[P],
        description: str | None = ...,
        success: TypeForm[S] | Schema[S] = ...,
        failure: TypeForm[F] | Schema[F] = ...,
        failure_mode: M = ...,
        dependencies: Sequence[type[R] | Key[R]] = ...,
        needs_approval: NeedsApproval[P] = ...,
    ) -> Tool[P, S, F, M, R, N]: ...
    @overload
    @staticmethod
    def make(
        name: N,
        *,
        success: Schema[S],
        description: str | None = ...,
        parameters: TypeForm[P] = ...,
        failure: TypeForm[F] | Schema[F] = ...,
        failure_mode: M = ...,
        dependencies: Sequence[type[R] | Key[R]] = ...,
        needs_approval: NeedsApproval[P] = ...,
    ) -> Tool[P, S, F, M, R, N]: ...
    @overload
    @staticmethod
    def make(
        name: N,
        *,
        failure: Schema[F],
        description: str | None = ...,
        parameters: TypeForm[P] = ...,
        success: TypeForm[S] = ...,
        failure_mode: M = ...,
        dependencies: Sequence[type[R] | Key[R]] = ...,
        needs_approval: NeedsApproval[P] = ...,
    ) -> Tool[P, S, F, M, R, N]: ...
    @staticmethod
    def make(name: Any, *, parameters: Any = EmptyParams, success: Any = None, **options: Any) -> Any:
        """Define a tool from Python types.

        Gotchas:
            `parameters` is one type, never a dict of fields, and it may be any type: a union, a
            list. Providers that want an object at the root get one when a request is prepared.

        >>> Tool.make("Now", success=float).parameters_schema.json_schema()
        {'type': 'object', 'properties': {}, 'additionalProperties': False}
        """
        return Tool(
            id=f"tool_core/{name}", **tool_fields(name, parameters=parameters, success=success, **options)
        )

    @overload
    @staticmethod
    def dynamic(
        name: N,
        *,
        parameters: Mapping[str, object],
        validate: Callable[[object], P],
        description: str | None = ...,
        success: TypeForm[OS] | Schema[OS] = ...,
        failure: TypeForm[F] | Schema[F] = ...,
        failure_mode: M = ...,
        dependencies: Sequence[type[R] | Key[R]] = ...,
        needs_approval: NeedsApproval[P] = ...,
    ) -> DynamicTool[P, OS, F, M, R, N]: ...
    @overload
    @staticmethod
    def dynamic(
        name: N,
        *,
        parameters: Mapping[str, object],
        validate: Literal["schema", "off"] = ...,
        description: str | None = ...,
        success: TypeForm[OS] = ...,
        failure: TypeForm[F] = ...,
        failure_mode: M = ...,
        dependencies: Sequence[type[R] | Key[R]] = ...,
        needs_approval: NeedsApproval[object] = ...,
    ) -> DynamicTool[object, OS, F, M, R, N]: ...
    @overload
    @staticmethod
    def dynamic(
        name: N,
        *,
        description: str | None = ...,
        parameters: TypeForm[OP] = ...,
        success: TypeForm[OS] = ...,
        failure: TypeForm[F] = ...,
        failure_mode: M = ...,
        dependencies: Sequence[type[R] | Key[R]] = ...,
        needs_approval: NeedsApproval[OP] = ...,
    ) -> DynamicTool[OP, OS, F, M, R, N]: ...
    @overload
    @staticmethod
    def dynamic(
        name: N,
        *,
        description: str | None = ...,
        parameters: Schema[OP],
        success: TypeForm[OS] | Schema[OS] = ...,
        failure: TypeForm[F] | Schema[F] = ...,
        failure_mode: M = ...,
        dependencies: Sequence[type[R] | Key[R]] = ...,
        needs_approval: NeedsApproval[OP] = ...,
    ) -> DynamicTool[OP, OS, F, M, R, N]: ...
    @overload
    @staticmethod
    def dynamic(
        name: N,
        *,
        parameters: Mapping[str, object],
        success: Schema[OS],
        description: str | None = ...,
        validate: Literal["schema", "off"] = ...,
        failure: TypeForm[F] | Schema[F] = ...,
        dependencies: Sequence[type[R] | Key[R]] = ...,
        failure_mode: M = ...,
        needs_approval: NeedsApproval[object] = ...,
    ) -> DynamicTool[object, OS, F, M, R, N]: ...
    @overload
    @staticmethod
    def dynamic(
        name: N,
        *,
        parameters: Mapping[str, object],
        failure: Schema[F],
        description: str | None = ...,
        validate: Literal["schema", "off"] = ...,
        success: TypeForm[OS] = ...,
        dependencies: Sequence[type[R] | Key[R]] = ...,
        failure_mode: M = ...,
        needs_approval: NeedsApproval[object] = ...,
    ) -> DynamicTool[object, OS, F, M, R, N]: ...
    @overload  # mypy joins the keys of a mixed list instead of uniting them
    @staticmethod
    def dynamic(  # type: ignore[overload-cannot-match]  # pyright: ignore[reportOverlappingOverload]
        name: N,
        *,
        parameters: Mapping[str, object],
        dependencies: Sequence[type[object] | Key[object]],
        description: str | None = ...,
        validate: Literal["schema", "off"] = ...,
        success: TypeForm[OS] = ...,
        failure: TypeForm[F] = ...,
        failure_mode: M = ...,
        needs_approval: NeedsApproval[object] = ...,
    ) -> DynamicTool[object, OS, F, M, object, N]: ...
    @overload
    @staticmethod
    def dynamic(
        name: N,
        *,
        success: Schema[OS],
        description: str | None = ...,
        parameters: TypeForm[OP] = ...,
        failure: TypeForm[F] | Schema[F] = ...,
        dependencies: Sequence[type[R] | Key[R]] = ...,
        failure_mode: M = ...,
        needs_approval: NeedsApproval[OP] = ...,
    ) -> DynamicTool[OP, OS, F, M, R, N]: ...
    @overload
    @staticmethod
    def dynamic(
        name: N,
        *,
        dependencies: Sequence[type[object] | Key[object]],
        description: str | None = ...,
        parameters: TypeForm[OP] = ...,
        success: TypeForm[OS] = ...,
        failure: TypeForm[F] = ...,
        failure_mode: M = ...,
        needs_approval: NeedsApproval[OP] = ...,
    ) -> DynamicTool[OP, OS, F, M, object, N]: ...
    @staticmethod
    def dynamic(name: Any, **options: Any) -> Any:
        """Define a tool whose schema is known only at run time: a type form or a raw JSON Schema.

        With a raw JSON Schema the handler receives `object`. `validate="schema"` (the default)
        checks arguments against it, `"off"` passes them through, and a callable
        `(object) -> P` checks them its own way and types the handler.

        >>> schema = {"type": "object", "properties": {"q": {"type": "string"}}}
        >>> tool = Tool.dynamic("search", parameters=schema)
        >>> tool
        DynamicTool 'search' (object) -> object
        >>> tool.parameters_schema.decode({"q": "cats"})
        {'q': 'cats'}
        """
        from tool_core.dynamic_tools import make_dynamic

        return make_dynamic(name, **options)

    @overload
    @staticmethod
    def provider_defined(
        *,
        id: str,
        custom_name: N,
        provider_name: str,
        requires_handler: Literal[True],
        args: TypeForm[A] = ...,
        parameters: TypeForm[NP] = ...,
        success: TypeForm[S] = ...,
        failure: TypeForm[F] = ...,
    ) -> HandledProviderFactory[A, NP, S, F, N]: ...
    @overload
    @staticmethod
    def provider_defined(
        *,
        id: str,
        custom_name: N,
        provider_name: str,
        requires_handler: Literal[False] = ...,
        args: TypeForm[A] = ...,
        parameters: TypeForm[NP] = ...,
        success: TypeForm[S] = ...,
        failure: TypeForm[F] = ...,
    ) -> ProviderFactory[A, NP, S, F, N]: ...
    @staticmethod
    def provider_defined(
        *,
        id: Any,  # noqa: A002
        custom_name: Any,
        provider_name: Any,
        **options: Any,
    ) -> Any:
        """Define a tool that is built into a provider; the result makes tools from arguments.

        >>> Bash = Tool.provider_defined(
        ...     id="anthropic.bash_20250124", custom_name="Bash", provider_name="bash",
        ...     parameters=dict[str, str], success=str, requires_handler=True,
        ... )
        >>> Bash(failure_mode="return")
        ProviderTool 'Bash' (dict[str, str]) -> str
        """
        from tool_core.provider_tools import make_provider_defined

        return make_provider_defined(id=id, custom_name=custom_name, provider_name=provider_name, **options)

    @overload
    @staticmethod
    def from_function(
        function: Callable[Ps, Coroutine[Any, Any, S]], **options: Unpack[FunctionOptions]
    ) -> FunctionImplementation[
        Ps, Coroutine[Any, Any, S], Tool[Mapping[str, object], S, object, FailureMode, object, str]
    ]: ...
    @overload
    @staticmethod
    def from_function(
        function: Callable[Ps, S], **options: Unpack[FunctionOptions]
    ) -> FunctionImplementation[Ps, S, Tool[Mapping[str, object], S, object, FailureMode, object, str]]: ...
    @overload
    @staticmethod
    def from_function(**options: Unpack[FunctionOptions]) -> FunctionDecorator: ...
    @staticmethod
    def from_function(function: Any = None, **options: Any) -> Any:
        """Derive a tool from a function's signature and docstring; also a decorator.

        The result is an `Implementation` (`.tool`, `.handler`) and still callable as the function.

        >>> @Tool.from_function
        ... def add(a: int, b: int = 1) -> int:
        ...     "Add two numbers."
        ...     return a + b
        >>> add(2, 3), add.tool.parameters_schema.json_schema()["required"]
        (5, ['a'])
        """
        from tool_core.functions import from_function

        return from_function(function, options)

    @overload
    def set_parameters(self, parameters: TypeForm[T]) -> Tool[T, S_co, F_co, M_co, R_co, N_co]: ...
    @overload
    def set_parameters(self, parameters: Schema[T]) -> Tool[T, S_co, F_co, M_co, R_co, N_co]: ...
    def set_parameters(self, parameters: Any) -> Any:
        """Return the tool with other parameters."""
        return self._with(parameters_schema=checked_schema(self.name, parameters, "parameters"))

    @overload
    def set_success(self, success: TypeForm[T]) -> Tool[P_co, T, F_co, M_co, R_co, N_co]: ...
    @overload
    def set_success(self, success: Schema[T]) -> Tool[P_co, T, F_co, M_co, R_co, N_co]: ...
    def set_success(self, success: Any) -> Any:
        """Return the tool with another success type."""
        return self._with(success_schema=checked_schema(self.name, success, "success"))

    @overload
    def set_failure(self, failure: TypeForm[T]) -> Tool[P_co, S_co, T, M_co, R_co, N_co]: ...
    @overload
    def set_failure(self, failure: Schema[T]) -> Tool[P_co, S_co, T, M_co, R_co, N_co]: ...
    def set_failure(self, failure: Any) -> Any:
        """Return the tool with another failure type."""
        return self._with(failure_schema=checked_schema(self.name, failure, "failure"))

    def set_failure_mode(self, failure_mode: M) -> Tool[P_co, S_co, F_co, M, R_co, N_co]:
        """Return the tool with failures raised (`"error"`) or returned (`"return"`)."""
        changed: object = self._with(failure_mode=checked_failure_mode(self.name, failure_mode))
        return cast("Tool[P_co, S_co, F_co, M, R_co, N_co]", changed)

    def add_dependency(self, key: type[T] | Key[T]) -> Tool[P_co, S_co, F_co, M_co, R_co | T, N_co]:
        """Return the tool with one more service that its handler needs."""
        keys = checked_dependencies(self.name, (*self.dependencies, key))
        return self._with(dependencies=keys)

    def set_description(self, description: str | None) -> Self:
        """Return the tool with another description."""
        return self._with(description=checked_description(self.name, description))

    def set_needs_approval(self, needs_approval: bool | ApprovalPredicate) -> Self:
        """Return the tool with approval needed always, never, or as a predicate says."""
        return self._with(needs_approval=checked_approval(self.name, needs_approval))

    def annotate(self, key: Annotation[V, D], value: V) -> Self:
        """Return the tool with one more annotation, whose value is checked now."""
        return self._with(annotations=for_tool(self.name, lambda: self.annotations.set(key, value)))

    def annotate_merge(self, annotations: Annotations) -> Self:
        """Return the tool with many more annotations."""
        return self._with(annotations=self.annotations.merge(annotations))

    @overload
    def implement(
        self: Tool[HP, HS, HF, HM, HR, HN], handler: Handler[HP, HS, HF]
    ) -> Implementation[Tool[HP, HS, HF, HM, HR, HN]]: ...
    @overload
    def implement(
        self: Tool[HP, HS, HF, HM, HR, HN], handler: HandlerWithContext[HP, HS, HR, HF]
    ) -> Implementation[Tool[HP, HS, HF, HM, HR, HN]]: ...
    def implement(self, handler: Any) -> Any:
        """Pair the tool with a handler, checked by every type checker without a plugin.

        >>> Tool.make("Now", success=float).implement(lambda params: 12.5).handler({})
        12.5
        """
        from tool_core.implementations import Implementation

        return Implementation(self, handler)

    @property
    def requires_handler(self) -> bool:
        """Whether this process must run the tool; False only for tools that a provider runs."""
        return True

    def _with(self, **changes: Any) -> Self:
        return replace(self, **changes)

    def __repr__(self) -> str:
        types = f"({self.parameters_schema}) -> {self.success_schema}"
        fails = "" if str(self.failure_schema) == "Never" else f" or {self.failure_schema}"
        return f"{type(self).__name__} {self.name!r} {types}{fails}"


AnyTool: TypeAlias = Tool[object, object, object, str, object, str]
"""Any tool, whatever its types."""
