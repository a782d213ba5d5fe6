"""Errors: one family, the words they use, and the way across process borders."""

import copy
import json
import pickle
from collections.abc import Callable

import pytest

from tool_core import (
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
from tool_core.parts import tool_result

ERRORS: list[tuple[ToolError, bool, str]] = [
    (ToolConfigurationError("t", "d"), False, "Invalid configuration for tool 't': d"),
    (ToolConfigurationError(None, "d"), False, "Invalid configuration: d"),
    (ToolNotFoundError("x", ["a", "b"]), True, "Tool 'x' not found. Available tools: a, b"),
    (ToolNotFoundError("x"), True, "Tool 'x' not found. Available tools: none"),
    (ToolParameterValidationError("t", {"a": 1}, "d"), True, "Invalid parameters for tool 't': d"),
    (JsonTextError(description="d"), True, "Invalid JSON text: d"),
    (SchemaMismatchError("t", [{"path": "$.a", "text": "no"}]), False, "$.a: no"),
    (ToolFailedError({"code": 1}, "t"), False, "Tool 't' failed: {\"code\": 1}"),
    (ToolDefectError("t"), False, "Tool 't' could not complete because of an internal error"),
    (ToolTimeoutError("t", 1.5), True, "Tool 't' timed out after 1.5 seconds"),
    (ToolTimeoutError("t", 2.0, "idle"), True, "Tool 't' timed out after 2 seconds without progress"),
    (ToolConnectionError("t", "s", "r"), True, "Tool 't' is out of reach: server 's': r"),
    (ToolConnectionError(None, "s", "r"), True, "Server 's': r"),
    (InvalidToolResultError("t", "d"), False, "Tool 't' returned invalid result: d"),
    (ToolResultEncodingError("t", "d"), False, "Failed to encode result for tool 't': d"),
    (
        ToolkitRequiredError(pending_approvals=["a", "b"]),
        False,
        "Toolkit required to resolve pending tool approvals: a, b",
    ),
    (InvalidOutputError(description="d"), True, "Invalid output: d"),
    (UnsupportedSchemaError("/a", "r"), False, "Unsupported schema at /a: r"),
    (UnsupportedSchemaError("", "r", "t"), False, "Unsupported schema of tool 't' at /: r"),
    (
        StrictUnavailableError("t", "m"),
        False,
        "Tool 't' requires strict mode, but model 'm' does not support it",
    ),
    (
        StrictUnavailableError(None, "m", "too large"),
        False,
        "Nothing is left to be sent without strict mode to model 'm': too large",
    ),
]


@pytest.mark.parametrize(("error", "is_retryable", "message"), ERRORS, ids=lambda item: type(item).__name__)
def test_an_error_says_what_it_means_and_whether_to_retry(
    error: ToolError, is_retryable: bool, message: str
) -> None:
    assert str(error) == message
    assert error.is_retryable is is_retryable


@pytest.mark.parametrize("error", [item[0] for item in ERRORS], ids=lambda item: type(item).__name__)
def test_an_error_round_trips_through_json_and_pickle(error: ToolError) -> None:
    through_json = ToolError.from_dict(json.loads(json.dumps(error.to_dict())))
    through_pickle = pickle.loads(pickle.dumps(error))
    for again in (through_json, through_pickle):
        assert type(again) is type(error)
        assert again.to_dict() == error.to_dict()


@pytest.mark.parametrize("error", [item[0] for item in ERRORS], ids=lambda item: type(item).__name__)
@pytest.mark.parametrize(
    "way",
    [copy.copy, copy.deepcopy, lambda error: pickle.loads(pickle.dumps(error))],
    ids=["copy", "deepcopy", "pickle"],
)
def test_a_copy_keeps_the_parts_and_the_notes(
    error: ToolError, way: Callable[[ToolError], ToolError]
) -> None:
    original = way(error).with_parts([tool_result("1", "t", 5)])
    original.add_note("also: another")
    again = way(original)
    assert again.to_dict() == error.to_dict()
    assert (again.parts, again.__notes__) == (original.parts, ["also: another"])


def test_a_value_that_is_not_json_travels_as_its_type_and_not_as_its_repr() -> None:
    assert ToolFailedError(object(), "t").to_dict()["value"] == "<object>"


def test_an_unknown_error_type_is_refused() -> None:
    with pytest.raises(ToolConfigurationError) as caught:
        ToolError.from_dict({"type": "SystemExit"})
    assert str(caught.value) == "Invalid configuration: 'SystemExit' is not the type of a tool error"
