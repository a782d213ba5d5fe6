"""What the tools that Anthropic runs are asked and answer, in the API's own words. Layer 3."""

from __future__ import annotations

from typing import Literal, NotRequired, TypeAlias

from typing_extensions import TypedDict


class RunCode(TypedDict):
    """Run Python."""

    code: str


class ProgrammaticCode(TypedDict):
    """Run code that may call other tools."""

    type: Literal["programmatic-tool-call"]
    code: str


class BashCode(TypedDict):
    """Run a command in the container."""

    type: Literal["bash_code_execution"]
    command: str


class ViewInContainer(TypedDict):
    """Show a file in the container."""

    type: Literal["text_editor_code_execution"]
    command: Literal["view"]
    path: str
    view_range: NotRequired[tuple[int, int]]


class CreateInContainer(TypedDict):
    """Write a file in the container."""

    type: Literal["text_editor_code_execution"]
    command: Literal["create"]
    path: str
    file_text: NotRequired[str | None]


class ReplaceInContainer(TypedDict):
    """Replace a text in a file in the container."""

    type: Literal["text_editor_code_execution"]
    command: Literal["str_replace"]
    path: str
    old_str: str
    new_str: str


CodeExecutionCall: TypeAlias = (
    ProgrammaticCode | BashCode | ViewInContainer | CreateInContainer | ReplaceInContainer
)
"""A union: one tool that is asked in several ways."""


class OutputFile(TypedDict):
    """A file that the code has made."""

    type: Literal["code_execution_output", "bash_code_execution_output"]
    file_id: str


class CodeResult(TypedDict):
    """What code or a command has given."""

    type: Literal["code_execution_result", "bash_code_execution_result"]
    content: list[OutputFile]
    return_code: int
    stderr: str
    stdout: str


class ViewResult(TypedDict):
    """A file of the container."""

    type: Literal["text_editor_code_execution_view_result"]
    content: str
    file_type: Literal["text", "image", "pdf"]
    num_lines: NotRequired[int | None]
    start_line: NotRequired[int | None]
    total_lines: NotRequired[int | None]


class CreateResult(TypedDict):
    """A file of the container was written."""

    type: Literal["text_editor_code_execution_create_result"]
    is_file_update: bool


class ReplaceResult(TypedDict):
    """A file of the container was changed."""

    type: Literal["text_editor_code_execution_str_replace_result"]
    lines: NotRequired[list[str] | None]
    new_lines: NotRequired[int | None]
    new_start: NotRequired[int | None]
    old_lines: NotRequired[int | None]
    old_start: NotRequired[int | None]


CodeExecutionResult: TypeAlias = CodeResult | ViewResult | CreateResult | ReplaceResult


class ServerToolError(TypedDict):
    """A tool that Anthropic runs has failed; `type` says which."""

    type: str
    error_code: str
    error_message: NotRequired[str | None]


class Query(TypedDict):
    """What is searched for."""

    query: str


class Address(TypedDict):
    """What is fetched."""

    url: str


class Page(TypedDict):
    """A page that was fetched, as a document block."""

    type: Literal["web_fetch_result"]
    url: str
    content: dict[str, object]
    retrieved_at: NotRequired[str | None]


class Hit(TypedDict):
    """A page that was found."""

    type: Literal["web_search_result"]
    url: str
    title: str
    encrypted_content: str
    page_age: NotRequired[str | None]


class ToolReference(TypedDict):
    """A tool that was found."""

    type: Literal["tool_reference"]
    tool_name: str


class FoundTools(TypedDict):
    """The tools that were found."""

    type: Literal["tool_search_tool_search_result"]
    tool_references: list[ToolReference]
