"""The names by which the plugin knows `tool_core`: where things are defined, not where they are exported."""

from __future__ import annotations

TOOL = "tool_core.tools.Tool"
DYNAMIC_TOOL = "tool_core.dynamic_tools.DynamicTool"
PROVIDER_TOOL = "tool_core.provider_tools.ProviderTool"
TOOLKIT = "tool_core.toolkits.Toolkit"
TOOL_MAP = "tool_core.toolkits.ToolMap"
BOUND_TOOLKIT = "tool_core.bound_toolkits.BoundToolkit"
IMPLEMENTATION = "tool_core.implementations.Implementation"
FUNCTION_IMPLEMENTATION = "tool_core.functions.FunctionImplementation"
FUNCTION_DECORATOR = "tool_core.functions.FunctionDecorator"
HANDLER_CONTEXT = "tool_core.implementations.HandlerContext"
CONTEXT = "tool_core.context.Context"
KEY = "tool_core.context.Key"
FAIL = "tool_core.outcomes.Fail"
PRELIMINARY = "tool_core.outcomes.Preliminary"
FINAL = "tool_core.outcomes.Final"
HANDLER_RESULT = "tool_core.outcomes.HandlerResult"
TOOL_ERROR = "tool_core.errors.ToolError"
STRICT = "tool_core.annotations.Strict"
PROVIDERS = "tool_core.providers."

# The places of the type parameters of a tool: Tool[P, S, F, M, R, N], ProviderTool[..., H].
PARAMETERS, SUCCESS, FAILURE, MODE, SERVICES, NAME, HANDLED = range(7)
