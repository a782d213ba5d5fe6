"""Typed tools for LLM agents: values with types, checked before and while they run.

`Toolkit.bind` loads the machinery that runs handlers when it is first called, so importing the
package does not load asyncio.
"""

from typing import TYPE_CHECKING

from tool_core.annotations import (
    Annotation,
    Annotations,
    Destructive,
    Idempotent,
    Meta,
    OpenWorld,
    Readonly,
    Strict,
    Title,
)
from tool_core.choices import OneOf, OneTool, ToolChoice
from tool_core.codecs import Codec, DatetimeFromMillis
from tool_core.context import Context, Key
from tool_core.dynamic_tools import DynamicTool
from tool_core.errors import (
    InvalidOutputError,
    InvalidToolResultError,
    JsonTextError,
    SchemaMismatchError,
    StrictUnavailableError,
    ToolConfigurationError,
    ToolConnectionError,
    ToolDefectError,
    ToolError,
    ToolFailedError,
    ToolkitRequiredError,
    ToolNotFoundError,
    ToolParameterValidationError,
    ToolResultEncodingError,
    ToolTimeoutError,
    UnsupportedSchemaError,
)
from tool_core.functions import FunctionImplementation
from tool_core.implementations import HandlerContext, Implementation
from tool_core.json_schemas import JsonSchema
from tool_core.json_text import secure_json_loads
from tool_core.limits import Timeout
from tool_core.middleware import Call, Next, Wrap, compose
from tool_core.outcomes import Fail, Final, HandlerResult, Preliminary, Progress
from tool_core.parts import (
    ToolApprovalRequestPart,
    ToolApprovalResponsePart,
    ToolCallPart,
    ToolPart,
    ToolResultPart,
)
from tool_core.provider_tools import ProviderTool
from tool_core.queries import (
    NameMapper,
    get_description,
    get_json_schema,
    get_json_schema_from_type,
    get_strict_mode,
    is_dynamic,
    is_provider_defined,
    is_user_defined,
)
from tool_core.schemas import EmptyParams, Schema, schema_of
from tool_core.toolkits import Toolkit
from tool_core.tools import AnyTool, Tool
from tool_core.type_schemas import TypeSchema
from tool_core.typevars import ApprovalContext, FailureMode, NeedsApproval

if TYPE_CHECKING:
    from tool_core.bound_toolkits import BoundToolkit

__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    if name == "BoundToolkit":
        from tool_core.bound_toolkits import BoundToolkit

        return BoundToolkit
    raise AttributeError(f"module 'tool_core' has no attribute {name!r}")


__all__ = [
    "Annotation",
    "Annotations",
    "AnyTool",
    "ApprovalContext",
    "BoundToolkit",
    "Call",
    "Codec",
    "Context",
    "DatetimeFromMillis",
    "Destructive",
    "DynamicTool",
    "EmptyParams",
    "Fail",
    "FailureMode",
    "Final",
    "FunctionImplementation",
    "HandlerContext",
    "HandlerResult",
    "Idempotent",
    "Implementation",
    "InvalidOutputError",
    "InvalidToolResultError",
    "JsonSchema",
    "JsonTextError",
    "Key",
    "Meta",
    "NameMapper",
    "NeedsApproval",
    "Next",
    "OneOf",
    "OneTool",
    "OpenWorld",
    "Preliminary",
    "Progress",
    "ProviderTool",
    "Readonly",
    "Schema",
    "SchemaMismatchError",
    "Strict",
    "StrictUnavailableError",
    "Timeout",
    "Title",
    "Tool",
    "ToolApprovalRequestPart",
    "ToolApprovalResponsePart",
    "ToolCallPart",
    "ToolChoice",
    "ToolConfigurationError",
    "ToolConnectionError",
    "ToolDefectError",
    "ToolError",
    "ToolFailedError",
    "ToolNotFoundError",
    "ToolParameterValidationError",
    "ToolPart",
    "ToolResultEncodingError",
    "ToolResultPart",
    "ToolTimeoutError",
    "Toolkit",
    "ToolkitRequiredError",
    "TypeSchema",
    "UnsupportedSchemaError",
    "Wrap",
    "compose",
    "get_description",
    "get_json_schema",
    "get_json_schema_from_type",
    "get_strict_mode",
    "is_dynamic",
    "is_provider_defined",
    "is_user_defined",
    "schema_of",
    "secure_json_loads",
]
