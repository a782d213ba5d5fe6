"""What OpenAI's tools are asked, and what they answer, in the API's own words. Layer 3."""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict

from tool_core.providers.openai.tool_args import Scalar


class CreateFile(TypedDict):
    """Create a file from a diff."""

    type: Literal["create_file"]
    path: str
    diff: str


class DeleteFile(TypedDict):
    """Delete a file."""

    type: Literal["delete_file"]
    path: str


class UpdateFile(TypedDict):
    """Change a file by a diff."""

    type: Literal["update_file"]
    path: str
    diff: str


class ApplyPatchCall(TypedDict):
    """What the model asks of `ApplyPatch`."""

    call_id: str
    operation: CreateFile | DeleteFile | UpdateFile


class ApplyPatchResult(TypedDict):
    """What `ApplyPatch` answers."""

    status: Literal["completed", "failed"]
    output: NotRequired[str | None]


class CodeInterpreterCall(TypedDict):
    """The code that was run."""

    code: str | None
    container_id: str


class Logs(TypedDict):
    """What code has printed."""

    type: Literal["logs"]
    logs: str


class OutputImage(TypedDict):
    """An image that code has made."""

    type: Literal["image"]
    url: str


class CodeInterpreterResult(TypedDict):
    """What code has given."""

    outputs: list[Logs | OutputImage] | None


class FileSearchHit(TypedDict):
    """A passage that was found."""

    attributes: NotRequired[dict[str, Scalar] | None]
    file_id: NotRequired[str]
    filename: NotRequired[str]
    score: NotRequired[float]
    text: NotRequired[str]


class FileSearchResult(TypedDict):
    """What a search of files has found."""

    status: str
    queries: list[str]
    results: NotRequired[list[FileSearchHit] | None]


class ImageGenerationResult(TypedDict):
    """The image in base64."""

    result: str | None


class LocalShellAction(TypedDict):
    """A command to run on this machine."""

    type: Literal["exec"]
    command: list[str]
    env: dict[str, str]
    timeout_ms: NotRequired[int | None]
    user: NotRequired[str | None]
    working_directory: NotRequired[str | None]


class LocalShellCall(TypedDict):
    """What the model asks of `LocalShell`."""

    action: LocalShellAction


class LocalShellResult(TypedDict):
    """What a command has printed."""

    output: str


class McpResult(TypedDict):
    """What a tool of an MCP server has given."""

    type: Literal["mcp_call"]
    name: str
    arguments: str
    server_label: str
    output: NotRequired[str | None]
    error: NotRequired[object]


class ShellAction(TypedDict):
    """Commands to run, each on its own."""

    commands: list[str]
    timeout_ms: NotRequired[int | None]
    max_output_length: NotRequired[int | None]


class ShellCall(TypedDict):
    """What the model asks of `Shell`."""

    action: ShellAction


class TimedOut(TypedDict):
    """A command did not end in time."""

    type: Literal["timeout"]


class Exited(TypedDict):
    """A command has ended."""

    type: Literal["exit"]
    exit_code: int


class ShellChunk(TypedDict):
    """What one command has printed, and how it ended."""

    stdout: str
    stderr: str
    outcome: TimedOut | Exited
    created_by: NotRequired[str]


class ShellResult(TypedDict):
    """What the commands have given."""

    output: list[ShellChunk]


class Source(TypedDict):
    """A page that was used."""

    type: Literal["url"]
    url: str


class Search(TypedDict):
    """A search of the web."""

    type: Literal["search"]
    query: NotRequired[str | None]
    queries: NotRequired[list[str] | None]
    sources: NotRequired[list[Source] | None]


class OpenPage(TypedDict):
    """A page was opened."""

    type: Literal["open_page"]
    url: NotRequired[str | None]


class FindInPage(TypedDict):
    """A page was searched."""

    type: Literal["find_in_page"]
    url: str
    pattern: str


class WebSearchCall(TypedDict):
    """What was done on the web."""

    action: Search | OpenPage | FindInPage


class WebSearchResult(WebSearchCall):
    """What was done on the web, and how it ended."""

    status: str
