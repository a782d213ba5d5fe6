"""The options of the tool constructors, checked; an error names the tool and the option. Layer 1."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Never

from typing_extensions import TypeVar

from tool_core.context import ServiceKey, check_key
from tool_core.errors import ToolConfigurationError
from tool_core.names import check_tool_name, did_you_mean
from tool_core.schemas import Schema, schema_of

V = TypeVar("V")

OPTIONS = (
    "description",
    "parameters",
    "success",
    "failure",
    "failure_mode",
    "dependencies",
    "needs_approval",
)
"""What every constructor of a tool can be told."""


def tool_fields(
    name: str,
    *,
    parameters: Any,
    success: Any,
    failure: Any = Never,
    description: str | None = None,
    failure_mode: object = "error",
    dependencies: Sequence[ServiceKey] = (),
    needs_approval: object = False,
    **unknown: object,
) -> dict[str, Any]:
    """Turn the options of a constructor into the fields of a tool.

    >>> sorted(tool_fields("Now", parameters=int, success=str))[:3]
    ['dependencies', 'description', 'failure_mode']
    """
    refuse_unknown(name, unknown, OPTIONS)
    return {
        "name": check_tool_name(name),
        "description": checked_description(name, description),
        "failure_mode": checked_failure_mode(name, failure_mode),
        "parameters_schema": checked_schema(name, parameters, "parameters"),
        "success_schema": checked_schema(name, success, "success"),
        "failure_schema": checked_schema(name, failure, "failure"),
        "dependencies": checked_dependencies(name, dependencies),
        "needs_approval": checked_approval(name, needs_approval),
    }


def refuse_unknown(name: str, unknown: Iterable[str], known: Iterable[str]) -> None:
    """Refuse an option that the constructor does not have, and name the one that was meant."""
    for option in unknown:
        raise ToolConfigurationError(name, f"there is no option {option!r}{did_you_mean(option, known)}")


def checked_schema(name: str, form: Any, role: str) -> Schema[Any]:
    """Make a schema for one role of a tool."""
    return for_tool(name, lambda: schema_of(form, role))


def checked_description(name: str, description: object) -> str | None:
    """Refuse a description that is not a text."""
    if description is None or isinstance(description, str):
        return description
    raise ToolConfigurationError(name, f"description is a string, not {type(description).__name__}")


def checked_failure_mode(name: str, failure_mode: object) -> Any:
    """Refuse a failure mode that is neither `"error"` nor `"return"`."""
    if failure_mode in ("error", "return"):
        return failure_mode
    raise ToolConfigurationError(name, f"failure_mode is 'error' or 'return', not {failure_mode!r}")


def checked_dependencies(name: str, keys: Sequence[ServiceKey]) -> tuple[ServiceKey, ...]:
    """Refuse a dependency that is not a service key, and drop repeated ones."""
    if isinstance(keys, str | bytes) or not isinstance(keys, Iterable):
        raise ToolConfigurationError(name, f"dependencies are a list of service keys, not {keys!r}")
    listed = tuple(keys)
    for key in listed:
        for_tool(name, lambda key=key: check_key(key))  # type: ignore[misc]
    return tuple(dict.fromkeys(listed))


def checked_approval(name: str, needs_approval: object) -> Any:
    """Refuse an approval rule that is neither a boolean nor a predicate."""
    if isinstance(needs_approval, bool) or callable(needs_approval):
        return needs_approval
    raise ToolConfigurationError(name, f"needs_approval is a bool or a predicate, not {needs_approval!r}")


def for_tool(name: str, action: Callable[[], V]) -> V:
    """Run an action; its configuration errors name the tool."""
    try:
        return action()
    except ToolConfigurationError as error:
        raise error.for_tool(name) from None
