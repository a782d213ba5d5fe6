"""The plugin class: which feature answers for which name."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

from mypy.plugin import (
    AttributeContext,
    FunctionSigContext,
    MethodContext,
    MethodSigContext,
    Plugin,
    ReportConfigContext,
)
from mypy.types import FunctionLike, Type

from mypy_plugin import (
    bindings,
    calls,
    choices,
    definitions,
    fingerprint,
    functions,
    names,
    services,
    strict_annotations,
    toolkits,
)

C = TypeVar("C")
R = TypeVar("R")


def _guarded(hook: Callable[[C], R], default: str) -> Callable[[C], R]:
    """Make a hook that never raises: a surprise in the plugin must not stop the user's check.

    With `--show-traceback` it does, so that the tests see every surprise.
    """

    def answer(ctx: C) -> R:
        try:
            return hook(ctx)
        except Exception:
            if cast(MethodContext, ctx).api.options.show_traceback:
                raise
            return cast(R, getattr(ctx, default))

    return answer


def _results(hooks: dict[str, Callable[[MethodContext], Type]]) -> dict[str, Callable[[MethodContext], Type]]:
    return {name: _guarded(hook, "default_return_type") for name, hook in hooks.items()}


_METHODS = _results(
    {
        f"{names.TOOL}.make": definitions.defined_tool,
        f"{names.TOOL}.dynamic": definitions.defined_dynamic_tool,
        f"{names.DYNAMIC_TOOL}.set_parameters": definitions.defined_dynamic_tool,
        f"{names.TOOL}.provider_defined": definitions.defined_provider_tool,
        f"{names.TOOL}.from_function": functions.tool_from_function,
        f"{names.FUNCTION_DECORATOR}.__call__": functions.decorated_function,
        f"{names.DYNAMIC_TOOL}.annotate": strict_annotations.annotated_tool,
        f"{names.TOOLKIT}.make": toolkits.made_toolkit,
        f"{names.TOOLKIT}.merge": toolkits.merged_toolkit,
        f"{names.TOOLKIT}.filter": toolkits.filtered_toolkit,
        f"{names.TOOLKIT}.prefix": toolkits.prefixed_toolkit,
        f"{names.TOOLKIT}.rename": toolkits.renamed_toolkit,
        f"{names.TOOLKIT}.search": toolkits.some_tools,
        f"{names.TOOLKIT}.bind": bindings.bound_toolkit,
        f"{names.TOOL_MAP}.__getitem__": toolkits.tool_by_name,
    }
)
_SIGNATURES = {
    name: _guarded(hook, "default_signature")
    for name, hook in {
        f"{names.TOOL}.dynamic": definitions.dynamic_signature,
        f"{names.DYNAMIC_TOOL}.set_parameters": definitions.schema_signature,
        f"{names.TOOLKIT}.bind": bindings.bind_signature,
        f"{names.BOUND_TOOLKIT}.call": calls.call_signature,
        f"{names.BOUND_TOOLKIT}.call_json": calls.call_signature,
        f"{names.BOUND_TOOLKIT}.call_sync": calls.call_signature,
        f"{names.BOUND_TOOLKIT}.call_json_sync": calls.call_signature,
        f"{names.BOUND_TOOLKIT}.handle": calls.call_signature,
        f"{names.BOUND_TOOLKIT}.resolve": calls.turn_signature,
        f"{names.BOUND_TOOLKIT}.stream": calls.turn_signature,
        f"{names.CONTEXT}.add": services.added_signature,
        f"{names.CONTEXT}.get": services.get_signature,
        f"{names.HANDLER_CONTEXT}.get": services.get_signature,
    }.items()
}
_PREPARE = _guarded(choices.prepare_signature, "default_signature")
_CLASS_ATTRIBUTES = {f"{names.TOOLKIT}.empty": _guarded(toolkits.empty_toolkit, "default_attr_type")}
_FINGERPRINT = fingerprint()


class ToolPlugin(Plugin):
    """Sharpens what portable typing infers; without an answer mypy's own type stands."""

    def report_config_data(self, ctx: ReportConfigContext) -> str:  # noqa: ARG002
        """Tie every module's cache to the plugin's own code."""
        return _FINGERPRINT

    def get_method_hook(self, fullname: str) -> Callable[[MethodContext], Type] | None:
        """Find the feature for a method's result."""
        return _METHODS.get(fullname)

    def get_method_signature_hook(self, fullname: str) -> Callable[[MethodSigContext], FunctionLike] | None:
        """Find the feature for a method's signature."""
        return _SIGNATURES.get(fullname)

    def get_function_signature_hook(
        self, fullname: str
    ) -> Callable[[FunctionSigContext], FunctionLike] | None:
        """Find the feature for a function's signature."""
        is_preparation = fullname.startswith(names.PROVIDERS) and fullname.endswith(".prepare_tools")
        return _PREPARE if is_preparation else None

    def get_class_attribute_hook(self, fullname: str) -> Callable[[AttributeContext], Type] | None:
        """Find the feature for an attribute of a class."""
        return _CLASS_ATTRIBUTES.get(fullname)
