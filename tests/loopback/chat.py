"""What OpenAI's Chat Completions API, and gateways that speak it, check."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from openai.types.chat import (
    ChatCompletionFunctionToolParam,
    ChatCompletionMessageFunctionToolCallParam,
    ChatCompletionToolMessageParam,
)
from openai.types.chat.completion_create_params import CompletionCreateParamsStreaming

from tests.loopback import anthropic_schemas, google_schemas, responses
from tests.loopback.requests import Choice, Declared, Problem, Problems, Request, same_calls
from tests.loopback.scripts import Ceiling, Json
from tests.loopback.shapes import misshapen, unknown_keys

ROLES = ("system", "developer", "user", "assistant", "tool")


def request_problems(request: Request) -> Problems:
    """List what the API refuses about a request."""
    body = request.body
    for key in unknown_keys(body, CompletionCreateParamsStreaming):
        yield Problem(key, f"Unknown parameter: '{key}'.")
    for key in ("model", "messages"):
        if key not in body:
            yield Problem(key, f"Missing required parameter: '{key}'.")
    yield from _tool_problems(body.get("tools", []), gateway_rules(str(body.get("model"))))
    flat_body = flattened(request).body
    yield from responses.list_problems(flat_body["tools"])
    yield from responses.choice_problems(flat_body)
    sent = body.get("response_format") or {}
    if sent.get("type") == "json_schema":
        yield from responses.format_problems(
            {"type": "json_schema", **sent["json_schema"]}, "response_format"
        )
    yield from _message_problems(body.get("messages", []), request)


def gateway_rules(model: str) -> responses.Rules:
    """Find whose rules hold behind a gateway, such as OpenRouter, by the vendor in the model's id."""
    if model.startswith("anthropic/"):
        return partial(anthropic_schemas.strict_problems, is_tool=True), anthropic_schemas.lenient_problems
    if model.startswith("google/"):
        return google_schemas.strict_problems, google_schemas.lenient_problems
    return responses.RULES


def _tool_problems(tools: list[Json], rules: responses.Rules) -> Problems:
    for index, tool in enumerate(tools):
        at = f"tools[{index}].function.parameters"
        if tool.get("type") != "function":
            yield Problem(
                f"tools[{index}].type",
                f"Invalid value: {tool.get('type')!r}. Supported values are: 'function' and 'custom'.",
            )
        elif reason := misshapen(tool, ChatCompletionFunctionToolParam):
            yield Problem(f"tools[{index}]", f"Invalid tool: {reason}")
        else:
            yield from responses.function_problems(tool["function"], at, rules)


def flat(tool: Json) -> Json:
    """Write a function as the Responses API does, for the rules that both share."""
    return {"type": tool.get("type"), **tool.get("function", {})}


def flattened(request: Request) -> Request:
    """Write the tools and the tool choice of a request as the Responses API does."""
    sent = request.body.get("tool_choice")
    if isinstance(sent, dict) and sent.get("type") == "allowed_tools":
        inside = sent.get("allowed_tools", {})
        sent = {**inside, "type": "allowed_tools", "tools": [flat(tool) for tool in inside.get("tools", [])]}
    elif isinstance(sent, dict):
        sent = flat(sent)
    body = {"tools": [flat(tool) for tool in request.body.get("tools", [])]}
    return replace(request, body=body if sent is None else {**body, "tool_choice": sent})


def _message_problems(messages: list[Json], request: Request) -> Problems:
    waiting: list[str] = []
    for index, message in enumerate(messages):
        at, role = f"messages[{index}]", message.get("role")
        if role not in ROLES:
            yield Problem(f"{at}.role", f"Invalid value: {role!r}.")
        if role == "tool":
            yield from _answer_problems(message, at, waiting)
            continue
        yield from _unanswered(waiting, f"{at}.role")
        waiting = []
        for call in message.get("tool_calls") or []:
            if reason := misshapen(call, ChatCompletionMessageFunctionToolCallParam):
                yield Problem(f"{at}.tool_calls", reason)
            waiting.append(call["id"])
            function = call["function"]
            yield from same_calls(at, call["id"], function["name"], function["arguments"], request)
    yield from _unanswered(waiting, f"messages[{len(messages)}]")


def _answer_problems(message: Json, at: str, waiting: list[str]) -> Problems:
    if reason := misshapen(message, ChatCompletionToolMessageParam):
        yield Problem(at, reason)
    elif message["tool_call_id"] not in waiting:
        yield Problem(
            f"{at}.role",
            "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with "
            f"'tool_calls' (tool_call_id {message['tool_call_id']}).",
        )
    else:
        waiting.remove(message["tool_call_id"])


def _unanswered(waiting: list[str], at: str) -> Problems:
    if waiting:
        yield Problem(
            at,
            "An assistant message with 'tool_calls' must be followed by tool messages responding to each "
            f"'tool_call_id'. The following tool_call_ids did not have response messages: {', '.join(waiting)}",
        )


def declared(request: Request) -> list[Declared]:
    """Read the functions that a request declares."""
    return responses.declared(flattened(request))


def output_schema(request: Request) -> Json | None:
    """Read the schema that the answer must fit."""
    sent: Json = request.body.get("response_format") or {}
    schema: Json | None = sent.get("json_schema", {}).get("schema")
    return schema


def choice(request: Request) -> Choice:
    """Read which functions the model may call."""
    return responses.choice(flattened(request))


def beyond(request: Request, ceiling: Ceiling) -> str | None:
    """Refuse as a gateway does whose limits are lower than those that OpenAI documents."""
    return responses.beyond(flattened(request), ceiling)
