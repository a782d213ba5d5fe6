"""What Anthropic checks about a conversation: that results follow their calls, and blocks are whole."""

from __future__ import annotations

from typing import Any

import anthropic.types.beta as beta

from tests.loopback.requests import Problem, Problems, Request, same_calls
from tests.loopback.scripts import Json
from tests.loopback.shapes import misshapen

BLOCKS: dict[object, Any] = {
    "text": beta.BetaTextBlockParam,
    "tool_use": beta.BetaToolUseBlockParam,
    "tool_result": beta.BetaToolResultBlockParam,
    "server_tool_use": beta.BetaServerToolUseBlockParam,
    "web_search_tool_result": beta.BetaWebSearchToolResultBlockParam,
    "web_fetch_tool_result": beta.BetaWebFetchToolResultBlockParam,
    "code_execution_tool_result": beta.BetaCodeExecutionToolResultBlockParam,
    "bash_code_execution_tool_result": beta.BetaBashCodeExecutionToolResultBlockParam,
    "text_editor_code_execution_tool_result": beta.BetaTextEditorCodeExecutionToolResultBlockParam,
    "tool_search_tool_result": beta.BetaToolSearchToolResultBlockParam,
}


def turn_problems(messages: list[Json], request: Request) -> Problems:
    """List what is wrong with a conversation: its roles, its blocks, and what answers what."""
    turns = combined(messages)
    if turns and turns[0][0] != "user":
        yield Problem("messages", 'messages: first message must use the "user" role')
    waiting: list[str] = []
    for index, (role, blocks) in enumerate(turns):
        at = f"messages.{index}"
        if role not in ("user", "assistant"):
            yield Problem(at, f"{at}.role: Input should be 'user' or 'assistant'")
        yield from _answer_problems(blocks if role == "user" else [], at, waiting)
        waiting = []
        yield from _server_problems(blocks if role == "assistant" else [], at)
        for position, block in enumerate(blocks):
            yield from _block_problems(block, f"{at}.content.{position}", role, request)
            if block.get("type") == "tool_use" and role == "assistant":
                waiting.append(block["id"])
    yield from _answer_problems([], f"messages.{len(turns)}", waiting)


def combined(messages: list[Json]) -> list[tuple[str, list[Json]]]:
    """Combine consecutive turns of one role, as the API does."""
    turns: list[tuple[str, list[Json]]] = []
    for message in messages:
        content = message["content"]
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        if turns and turns[-1][0] == message["role"]:
            turns[-1][1].extend(blocks)
        else:
            turns.append((message["role"], list(blocks)))
    return turns


def _answer_problems(blocks: list[Json], at: str, waiting: list[str]) -> Problems:
    answered = [block.get("tool_use_id") for block in blocks if block.get("type") == "tool_result"]
    for position, block in enumerate(blocks):
        if block.get("type") == "tool_result" and block.get("tool_use_id") not in waiting:
            yield Problem(
                at,
                f"{at}.content.{position}: unexpected `tool_use_id` found in `tool_result` blocks: "
                f"{block.get('tool_use_id')}. Each `tool_result` block must have a corresponding `tool_use` "
                "block in the previous message.",
            )
    if missing := [call_id for call_id in waiting if call_id not in answered]:
        yield Problem(
            at,
            f"{at}: `tool_use` ids were found without `tool_result` blocks immediately after: "
            f"{', '.join(missing)}. Each `tool_use` block must have a corresponding `tool_result` block in "
            "the next message.",
        )
    for call_id in {*answered}:
        if answered.count(call_id) > 1:
            yield Problem(
                at,
                f"{at}: each tool_use must have a single result. Found multiple `tool_result` blocks with id: {call_id}",
            )
    kinds = [block.get("type") == "tool_result" for block in blocks]
    if waiting and kinds != sorted(kinds, reverse=True):
        yield Problem(at, f"{at}: `tool_result` blocks must come first in the content")


def _block_problems(block: Json, at: str, role: str, request: Request) -> Problems:
    kind = block.get("type")
    if kind not in BLOCKS:
        yield Problem(at, f"{at}: Input tag {kind!r} does not match any of the expected tags")
    elif reason := misshapen(block, BLOCKS[kind]):
        yield Problem(at, f"{at}.{kind}.{reason}")
    elif (role == "user") != (kind == "tool_result") and kind != "text":
        yield Problem(at, f"{at}: `{kind}` blocks cannot be in `{role}` messages")
    elif kind == "tool_use":
        yield from same_calls(at, block["id"], block["name"], block["input"], request)
    inner = block.get("content") if kind == "tool_result" else None
    texts = [block, *(inner if isinstance(inner, list) else ())]
    if any(part.get("type") == "text" and not part.get("text") for part in texts):
        yield Problem(at, "messages: text content blocks must be non-empty")


def _server_problems(blocks: list[Json], at: str) -> Problems:
    """Check that what the API ran itself stands beside its result."""
    made = [block["id"] for block in blocks if block.get("type") == "server_tool_use"]
    given = [block.get("tool_use_id") for block in blocks if str(block.get("type")).endswith("_tool_result")]
    for call_id in made:
        if call_id not in given:
            yield Problem(
                at, f"{at}: `server_tool_use` {call_id} was found without a corresponding result block"
            )
    yield from (
        Problem(at, f"{at}: the result {call_id} has no `server_tool_use`")
        for call_id in given
        if call_id not in made
    )
