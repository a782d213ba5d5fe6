"""The plugin's error codes, so that each check can be silenced alone."""

from __future__ import annotations

from typing import Final

from mypy.errorcodes import ErrorCode

_CATEGORY: Final = "tool_core"

TOOL_DUPLICATE: Final = ErrorCode("tool-duplicate", "Two tools of a toolkit have one name", _CATEGORY)
TOOL_HANDLER: Final = ErrorCode("tool-handler", "The handlers do not fit the tools", _CATEGORY)
TOOL_NAME: Final = ErrorCode("tool-name", "A name is not in the toolkit", _CATEGORY)
TOOL_SCHEMA: Final = ErrorCode("tool-schema", "A schema is not a JSON Schema", _CATEGORY)
TOOL_SERVICE: Final = ErrorCode("tool-service", "A service is missing or of the wrong type", _CATEGORY)
TOOL_STRICT: Final = ErrorCode("tool-strict", "A schema that must be strict cannot be", _CATEGORY)
