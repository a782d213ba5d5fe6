"""The errors of tool-core, all of one family. Layer 0: imports nothing of ours.

    ToolError
    ├── ToolConfigurationError        a tool, toolkit or handler is defined wrongly
    ├── ToolNotFoundError             the model named a tool that is not there          (retryable)
    ├── ToolParameterValidationError  the arguments do not fit the parameters           (retryable)
    │   └── JsonTextError             the arguments are not acceptable JSON text
    ├── SchemaMismatchError           a value does not fit a schema
    ├── ToolFailedError               the handler reported a declared failure
    ├── ToolDefectError               the handler raised
    ├── ToolTimeoutError              the handler took too long                         (retryable)
    ├── ToolConnectionError           the server that runs the tool is out of reach     (retryable)
    ├── InvalidToolResultError        the handler returned a value off its declared type
    ├── ToolResultEncodingError       a result could not be encoded as JSON
    ├── ToolkitRequiredError          approvals are pending, but no toolkit can run them
    ├── InvalidOutputError            the model's structured output cannot be read      (retryable)
    ├── UnsupportedSchemaError        a schema cannot be expressed in a dialect
    └── StrictUnavailableError        strict mode is required where the model has none

"Retryable" means that the model may do better on another try, so `is_retryable` is what an
agent loop needs to look at. Every error travels as JSON (`to_dict`, `from_dict`) and pickles.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, ClassVar, Self, cast

if TYPE_CHECKING:
    from tool_core.parts import ToolPart

_MOST_NAMES = 50  # a longer list would cost the model more than it helps


@dataclass(eq=False)
class ToolError(Exception):
    """The base of every error that this package raises.

    >>> error = ToolConfigurationError("Search", "a tool needs a name")
    >>> str(error)
    "Invalid configuration for tool 'Search': a tool needs a name"
    >>> str(ToolError.from_dict(error.to_dict())) == str(error)
    True
    """

    is_retryable: ClassVar[bool] = False
    tool_name: str | None = None

    @property
    def message(self) -> str:
        """What went wrong, for people and models; never holds internals of a handler."""
        return "A tool error occurred"

    def __str__(self) -> str:
        return self.message

    def __reduce__(self) -> tuple[object, ...]:
        own = {item.name: getattr(self, item.name) for item in fields(self)}
        return _rebuild, (type(self), own), {key: self.__dict__[key] for key in self.__dict__.keys() - own}

    def to_dict(self) -> dict[str, object]:
        """Describe the error as JSON: its type, its message and its fields."""
        own = {item.name: _jsonable(getattr(self, item.name)) for item in fields(self)}
        return {
            "type": type(self).__name__,
            "message": self.message,
            "is_retryable": self.is_retryable,
            **own,
        }

    @staticmethod
    def from_dict(data: Mapping[str, object]) -> ToolError:
        """Rebuild an error from `to_dict`; an unknown type is refused."""
        kind = next((cls for cls in _family(ToolError) if cls.__name__ == data.get("type")), None)
        if kind is None:
            raise ToolConfigurationError(None, f"{data.get('type')!r} is not the type of a tool error")
        return _rebuild(kind, {item.name: data[item.name] for item in fields(kind) if item.name in data})

    @property
    def parts(self) -> Sequence[ToolPart]:
        """What the other calls of the turn gave, where `resolve` raised this error; else empty."""
        found: Sequence[ToolPart] = self.__dict__.get("_parts", ())
        return found

    def with_parts(self, parts: Sequence[ToolPart]) -> Self:
        """Attach the parts of the other calls, so that raising loses none of them."""
        self.__dict__["_parts"] = tuple(parts)
        return self

    def for_model(self) -> dict[str, object]:
        """Describe the error for a model: what it can act on, and nothing of the insides."""
        return {"type": type(self).__name__, "message": self.message, "is_retryable": self.is_retryable}

    def for_tool(self, tool_name: str) -> Self:
        """Return the same error with the tool's name filled in."""
        self.tool_name = tool_name
        return self


@dataclass(eq=False)
class ToolConfigurationError(ToolError):
    """A tool, a toolkit or a handler is defined wrongly; raised when it is defined.

    >>> raise ToolConfigurationError("Search", "the description is empty")
    Traceback (most recent call last):
        ...
    tool_core.errors.ToolConfigurationError: Invalid configuration for tool 'Search': the description is empty
    """

    description: str = ""

    @property
    def message(self) -> str:
        """What is wrong and what to write instead."""
        where = f" for tool {self.tool_name!r}" if self.tool_name else ""
        return f"Invalid configuration{where}: {self.description}"

    def for_model(self) -> dict[str, object]:
        """Say that the tool cannot be used; what is wrong concerns the developer."""
        return {
            **ToolError.for_model(self),
            "message": f"Tool {self.tool_name!r} is not available at the moment",
        }


@dataclass(eq=False)
class ToolNotFoundError(ToolError):
    """The model called a tool that the toolkit does not have.

    >>> print(ToolNotFoundError("serch", ("search", "fetch")))
    Tool 'serch' not found. Available tools: search, fetch
    """

    is_retryable: ClassVar[bool] = True
    available_tools: Sequence[str] = ()

    @property
    def message(self) -> str:
        """The unknown name and the known ones, closest first."""
        shown = ", ".join(self.available_tools[:_MOST_NAMES]) or "none"
        more = len(self.available_tools) - _MOST_NAMES
        rest = f" and {more} more" if more > 0 else ""
        return f"Tool {(self.tool_name or '')[:128]!r} not found. Available tools: {shown}{rest}"


@dataclass(eq=False)
class ToolParameterValidationError(ToolError):
    """The arguments of a call do not fit the tool's parameters.

    >>> print(ToolParameterValidationError("add", {"a": "1"}, "$.a: expected an integer, got the string '1'"))
    Invalid parameters for tool 'add': $.a: expected an integer, got the string '1'
    """

    is_retryable: ClassVar[bool] = True
    tool_params: object = None
    description: str = ""

    @property
    def message(self) -> str:
        """Every problem with its path, in words that a model can act on."""
        where = f" for tool {self.tool_name!r}" if self.tool_name else ""
        return f"Invalid parameters{where}: {self.description}"


@dataclass(eq=False)
class JsonTextError(ToolParameterValidationError, ValueError):
    """A text is not JSON, or is JSON that no honest sender writes (see `secure_json_loads`).

    >>> from tool_core import secure_json_loads
    >>> secure_json_loads('{"a": 1, "a": 2}')
    Traceback (most recent call last):
        ...
    tool_core.errors.JsonTextError: Invalid JSON text: the key 'a' occurs twice in one object
    """

    @property
    def message(self) -> str:
        """Which rule the text breaks."""
        return f"Invalid JSON text: {self.description}"


@dataclass(eq=False)
class SchemaMismatchError(ToolError, ValueError):
    """A value does not fit a schema; `problems` lists every mismatch.

    >>> from tool_core import schema_of
    >>> schema_of(int).decode("3")
    Traceback (most recent call last):
        ...
    tool_core.errors.SchemaMismatchError: $: expected an integer, got the string '3'
    """

    problems: Sequence[Mapping[str, object]] = ()

    @property
    def message(self) -> str:
        """One line a problem: path, what was expected, what came."""
        return "\n".join(f"{item['path']}: {item['text']}" for item in self.problems)


@dataclass(eq=False)
class ToolFailedError(ToolError):
    """The handler reported the failure that its tool declares; `value` is that failure.

    >>> ToolFailedError({"code": 404}, "fetch").value
    {'code': 404}
    """

    value: object = None
    tool_name: str | None = None

    def __init__(self, value: object = None, tool_name: str | None = None) -> None:
        self.value = value
        self.tool_name = tool_name

    @property
    def message(self) -> str:
        """The tool that failed and the failure it declared."""
        return f"Tool {self.tool_name!r} failed: {_shown(self.value)}"


@dataclass(eq=False)
class ToolDefectError(ToolError):
    """The handler raised; the original exception is the `__cause__`.

    >>> print(ToolDefectError("fetch"))
    Tool 'fetch' could not complete because of an internal error
    """

    @property
    def message(self) -> str:
        """Says that the handler broke, and nothing of its insides."""
        return f"Tool {self.tool_name!r} could not complete because of an internal error"


@dataclass(eq=False)
class ToolTimeoutError(ToolError):
    """The handler did not finish in time.

    >>> print(ToolTimeoutError("fetch", 2.5, "idle"))
    Tool 'fetch' timed out after 2.5 seconds without progress
    """

    is_retryable: ClassVar[bool] = True
    seconds: float = 0.0
    kind: str = "absolute"

    @property
    def message(self) -> str:
        """Which limit ran out."""
        idle = " without progress" if self.kind == "idle" else ""
        return f"Tool {self.tool_name!r} timed out after {self.seconds:g} seconds{idle}"


@dataclass(eq=False)
class ToolConnectionError(ToolError):
    """The server that runs the tool cannot be reached, or was lost during the call.

    >>> print(ToolConnectionError("fetch", "web", "it closed the connection"))
    Tool 'fetch' is out of reach: server 'web': it closed the connection
    """

    is_retryable: ClassVar[bool] = True
    server: str = ""
    reason: str = ""

    @property
    def message(self) -> str:
        """The server, and what happened to it."""
        what = f"Tool {self.tool_name!r} is out of reach: server" if self.tool_name else "Server"
        return f"{what} {self.server!r}: {self.reason}"

    def for_model(self) -> dict[str, object]:
        """Say that the tool is out of reach; why concerns the developer."""
        return {
            **ToolError.for_model(self),
            "message": f"Tool {self.tool_name!r} is out of reach at the moment",
        }


@dataclass(eq=False)
class InvalidToolResultError(ToolError):
    """The handler returned something that its tool does not declare.

    >>> print(InvalidToolResultError("now", "$: expected a string, got the integer 3"))
    Tool 'now' returned invalid result: $: expected a string, got the integer 3
    """

    description: str = ""

    @property
    def message(self) -> str:
        """What the tool declares and what came instead."""
        return f"Tool {self.tool_name!r} returned invalid result: {self.description}"

    def for_model(self) -> dict[str, object]:
        """Say that the tool broke its promise; what it returned may hold anything."""
        return {**ToolError.for_model(self), "message": f"Tool {self.tool_name!r} returned an invalid result"}


@dataclass(eq=False)
class ToolResultEncodingError(ToolError):
    """A result could not be turned into JSON.

    >>> print(ToolResultEncodingError("now", "a socket is not JSON"))
    Failed to encode result for tool 'now': a socket is not JSON
    """

    description: str = ""

    @property
    def message(self) -> str:
        """What could not be encoded."""
        return f"Failed to encode result for tool {self.tool_name!r}: {self.description}"


@dataclass(eq=False)
class ToolkitRequiredError(ToolError):
    """Approved calls wait, but there is no toolkit that could run them.

    >>> print(ToolkitRequiredError(pending_approvals=("delete", "pay")))
    Toolkit required to resolve pending tool approvals: delete, pay
    """

    pending_approvals: Sequence[str] = ()

    @property
    def message(self) -> str:
        """The tools whose approvals are pending."""
        return f"Toolkit required to resolve pending tool approvals: {', '.join(self.pending_approvals)}"


@dataclass(eq=False)
class InvalidOutputError(ToolError):
    """The model's structured output is missing, refused, cut off, or not what its schema says.

    >>> print(InvalidOutputError(description="$.age: expected an integer, got the string 'old'"))
    Invalid output: $.age: expected an integer, got the string 'old'
    """

    is_retryable: ClassVar[bool] = True
    description: str = ""
    is_refusal: bool = False
    """The model declined to answer, so asking again for another format will not help."""

    @property
    def message(self) -> str:
        """What is wrong with the output, in words that a model can act on."""
        return f"Invalid output: {self.description}"


@dataclass(eq=False)
class UnsupportedSchemaError(ToolError):
    """A schema has a part that a dialect cannot express.

    >>> print(UnsupportedSchemaError("/properties/x", "the reference is dangling"))
    Unsupported schema at /properties/x: the reference is dangling
    """

    pointer: str = ""
    reason: str = ""
    tool_name: str | None = None

    def __init__(self, pointer: str = "", reason: str = "", tool_name: str | None = None) -> None:
        self.pointer = pointer
        self.reason = reason
        self.tool_name = tool_name

    @property
    def message(self) -> str:
        """Where the schema cannot be expressed, and why."""
        where = f" of tool {self.tool_name!r}" if self.tool_name else ""
        return f"Unsupported schema{where} at {self.pointer or '/'}: {self.reason}"


@dataclass(eq=False)
class StrictUnavailableError(ToolError):
    """A tool requires strict mode, but the model has none.

    >>> print(StrictUnavailableError("pay", "gpt-3.5-turbo"))
    Tool 'pay' requires strict mode, but model 'gpt-3.5-turbo' does not support it
    """

    model: str = ""
    reason: str = field(default="")

    @property
    def message(self) -> str:
        """The tool, the model and, where known, the reason."""
        why = f": {self.reason}" if self.reason else ""
        if self.tool_name is None:
            return f"Nothing is left to be sent without strict mode to model {self.model!r}{why}"
        return (
            f"Tool {self.tool_name!r} requires strict mode, but model {self.model!r} does not support it{why}"
        )


def _rebuild(cls: type[ToolError], values: Mapping[str, object]) -> ToolError:
    error = cls.__new__(cls)
    for item in fields(cls):
        setattr(error, item.name, values.get(item.name, item.default))
    return error


def _family(cls: type[ToolError]) -> list[type[ToolError]]:
    return [cls, *(member for child in cls.__subclasses__() for member in _family(child))]


def _jsonable(value: object) -> object:
    """Keep JSON as it is; anything else travels as the name of its type, never as its repr."""
    try:
        return cast(object, json.loads(json.dumps(value, allow_nan=False)))
    except (TypeError, ValueError, RecursionError):
        return f"<{type(value).__name__}>"


def _shown(value: object) -> str:
    shown = _jsonable(value)
    return shown if isinstance(shown, str) else json.dumps(shown)
