"""A bound tool: what is known of it once its handler is, and how its values become results. Layer 3."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn

from tool_core.context import Context, ServiceKey, missing_service
from tool_core.errors import (
    InvalidToolResultError,
    SchemaMismatchError,
    ToolConfigurationError,
    ToolError,
    ToolFailedError,
    ToolParameterValidationError,
    ToolResultEncodingError,
)
from tool_core.handlers import HandlerShape
from tool_core.json_text import secure_json_loads
from tool_core.limits import Timeout
from tool_core.outcomes import Fail, HandlerResult, Progress
from tool_core.problems import mismatch, non_json_problems
from tool_core.schemas import encode_json
from tool_core.tools import AnyTool


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """A tool with its handler and limits, as a bound toolkit keeps it."""

    tool: AnyTool
    handler: Callable[..., Any]
    shape: HandlerShape
    timeout: Timeout | None
    concurrency: int | None

    @property
    def name(self) -> str:
        """The name of the tool."""
        return self.tool.name

    def decode(self, params: object) -> object:
        """Decode the parameters, or say as our error why they do not fit."""
        try:
            return self.tool.parameters_schema.decode(params)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # a panic in an extension module costs this call only
            self._refuse(params, error)

    def decode_json(self, text: str | bytes) -> object:
        """Decode the parameters from text, or say as our error why they do not fit."""
        try:
            return self.tool.parameters_schema.decode_json(text)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            self._refuse(_read_leniently(text), error)

    def result_of(self, value: object, preliminary: bool = False) -> HandlerResult[object]:
        """Check and encode what a handler gave back; a value off its type becomes a failure."""
        if preliminary and isinstance(value, Progress):
            return self._progress(value)
        is_failure = type(value) is Fail
        schema = self.tool.failure_schema if is_failure else self.tool.success_schema
        inner = value.value if isinstance(value, Fail) else value
        try:
            return HandlerResult(inner, encode_json(schema, inner), is_failure, preliminary)
        except SchemaMismatchError as error:
            return failed(_chained(InvalidToolResultError(self.name, str(error)), error))
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # a stranger's schema may raise anything
            return failed(
                _chained(ToolResultEncodingError(self.name, f"{type(error).__name__} while encoding"), error)
            )

    def _progress(self, value: Progress) -> HandlerResult[object]:
        if problems := non_json_problems([value.progress, value.total, value.message]):
            return failed(
                InvalidToolResultError(self.name, f"its progress is not JSON: {mismatch(problems)}")
            )
        return HandlerResult(value, value.to_json(), preliminary=True)

    def check_services(self, services: Context[Any]) -> None:
        """Refuse to start where a service is missing."""
        if not self.tool.dependencies:
            return
        missing: list[ServiceKey] = services.missing(self.tool.dependencies)
        if missing:
            raise ToolConfigurationError(self.name, missing_service(missing[0]))

    def _refuse(self, params: object, error: BaseException) -> NoReturn:
        description = error.description if isinstance(error, ToolParameterValidationError) else str(error)
        if not isinstance(error, ToolError):  # a stranger's words may hold paths and secrets
            description = f"the parameters could not be decoded ({type(error).__name__})"
        raise ToolParameterValidationError(self.name, params, description) from error


def failed(error: ToolError) -> HandlerResult[object]:
    """Make a result of an error; the model reads what `for_model` says of it."""
    return HandlerResult(error, json.dumps(error.for_model(), ensure_ascii=False), is_failure=True)


def finished(entry: Entry, result: HandlerResult[object]) -> HandlerResult[object]:
    """Hand a result to the caller as the tool's failure mode says: returned, or raised."""
    if not result.is_failure:
        return result
    error = result.result
    if isinstance(error, ToolConfigurationError):
        raise error
    if entry.tool.failure_mode == "return":
        return result
    raise error if isinstance(error, ToolError) else ToolFailedError(error, entry.name)


def _chained(error: ToolError, cause: BaseException) -> ToolError:
    error.__cause__ = cause
    return error


def _read_leniently(text: str | bytes) -> object:
    try:
        return secure_json_loads(text)
    except ToolError:
        return None
