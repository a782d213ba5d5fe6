"""What Google's generateContent checks: declarations, modes, and that responses mirror their calls."""

from __future__ import annotations

import re
from typing import Any

from google.genai import types

from tests.loopback.google_schemas import lenient_problems, strict_problems
from tests.loopback.requests import Choice, Declared, Problem, Problems, Request, same_calls
from tests.loopback.schemas import nodes
from tests.loopback.scripts import Ceiling, Json
from tests.loopback.shapes import misshapen

NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}\Z")
MAX_FUNCTIONS = 512
ENFORCED = ("VALIDATED", "ANY")
SIGNATURE = "RXZlcnkgY2FsbCBoYXMgb25l"


def model(request: Request) -> str:
    """Read the model from the path."""
    found = re.search(r"models/([^/:]+):", request.path)
    return found.group(1) if found else ""


def is_third(request: Request) -> bool:
    """Tell whether the model is of the generation that signs its thoughts and numbers its calls."""
    return model(request).startswith("gemini-3")


def functions(request: Request) -> list[Json]:
    """Collect the function declarations of all tools."""
    return [item for tool in request.body.get("tools", []) for item in tool.get("functionDeclarations", [])]


def calling(request: Request) -> Json:
    """Read how functions may be called."""
    found: Json = (request.body.get("toolConfig") or {}).get("functionCallingConfig") or {}
    return found


def mode(request: Request) -> str:
    """Read the mode of function calling."""
    return str(calling(request).get("mode", "AUTO"))


def request_problems(request: Request) -> Problems:
    """List what the API refuses about a request."""
    known = {
        "contents",
        "tools",
        "toolConfig",
        "systemInstruction",
        "generationConfig",
        "safetySettings",
        "cachedContent",
    }
    for key in sorted(request.body.keys() - known):
        yield Problem(key, f'Invalid JSON payload received. Unknown name "{key}": Cannot find field.')
    yield from _tool_problems(request)
    yield from _calling_problems(request)
    yield from _output_problems(request)
    yield from _content_problems(request.body.get("contents", []), request)


def _tool_problems(request: Request) -> Problems:
    for index, tool in enumerate(request.body.get("tools", [])):
        if reason := misshapen(tool, types.Tool):
            yield Problem(f"tools[{index}]", f"Invalid value at 'tools[{index}]': {reason}")
    declared = functions(request)
    if len(declared) > MAX_FUNCTIONS:
        yield Problem("tools", f"At most {MAX_FUNCTIONS} function declarations are allowed.")
    for index, function in enumerate(declared):
        at = f"tools[0].function_declarations[{index}]"
        yield from (
            Problem(at, f"* GenerateContentRequest.{at}: {message}")
            for message in _function_problems(function, request)
        )
    names = [function.get("name") for function in declared]
    yield from (
        Problem("tools", f"Duplicate function declaration found: {name}")
        for name in {*names}
        if names.count(name) > 1
    )
    built_in = {key for tool in request.body.get("tools", []) for key in tool} - {"functionDeclarations"}
    if built_in and declared:
        if not is_third(request):
            yield Problem("tools", "Tool use with function calling is unsupported by the model.")
        elif not (request.body.get("toolConfig") or {}).get("includeServerSideToolInvocations"):
            yield Problem(
                "tools",
                "Please enable tool_config.include_server_side_tool_invocations to use Built-in tools with "
                "Function calling.",
            )
        elif mode(request) == "AUTO" and "mode" in calling(request):
            yield Problem("tools", "AUTO is not supported with server side tool invocations.")


def _function_problems(function: Json, request: Request) -> list[str]:
    found: list[str] = []
    if not NAME.match(str(function.get("name"))):
        found.append("Invalid function name. Must start with a letter or an underscore.")
    if "parameters" in function and "parametersJsonSchema" in function:
        found.append("parameters and parameters_json_schema are mutually exclusive.")
    if function.get("parameters", {}).get("type") == "OBJECT" and not function["parameters"].get(
        "properties"
    ):
        found.append("parameters.properties: should be non-empty for OBJECT type")
    schema = function.get("parametersJsonSchema")
    if schema is not None:
        found += strict_problems(schema) if mode(request) in ENFORCED else lenient_problems(schema)
    return found


def _calling_problems(request: Request) -> Problems:
    config = request.body.get("toolConfig")
    if config is None:
        return
    if mode(request) not in ("AUTO", "NONE", *ENFORCED):
        yield Problem("tool_config", f"Invalid value at 'tool_config': {mode(request)!r}")
    elif reason := misshapen(config, types.ToolConfig):
        yield Problem("tool_config", f"Invalid value at 'tool_config': {reason}")
    allowed = calling(request).get("allowedFunctionNames")
    if allowed is not None:
        if mode(request) not in ENFORCED:
            yield Problem(
                "tool_config",
                "Allowed function names should be set only when the function calling mode is ANY or VALIDATED.",
            )
        names = [function.get("name") for function in functions(request)]
        yield from (
            Problem("tool_config", f"Function {name} is not declared.")
            for name in allowed
            if name not in names
        )
    if mode(request) in ENFORCED and not functions(request):
        yield Problem("tool_config", "Function calling config is set without function_declarations.")


def _output_problems(request: Request) -> Problems:
    config = request.body.get("generationConfig") or {}
    if reason := misshapen(config, types.GenerationConfig):
        yield Problem("generation_config", f"Invalid value at 'generation_config': {reason}")
    schema = output_schema(request)
    if schema is None:
        return
    if config.get("responseMimeType") != "application/json":
        yield Problem(
            "generation_config", "response_json_schema needs the response mime type 'application/json'."
        )
    if functions(request) and not is_third(request):
        yield Problem(
            "generation_config",
            "Function calling with a response mime type: 'application/json' is unsupported",
        )
    yield from (Problem("generation_config", message) for message in strict_problems(schema))


def _content_problems(contents: list[Json], request: Request) -> Problems:
    waiting: list[Json] = []
    for index, content in enumerate(contents):
        at = f"contents[{index}]"
        parts = content.get("parts", [])
        if content.get("role") not in ("user", "model"):
            yield Problem(at, "Please use a valid role: user, model.")
        if not parts:
            yield Problem(at, f"* GenerateContentRequest.{at}.parts: contents.parts must not be empty.")
        for part in parts:
            if part.get("text") == "" and "thoughtSignature" not in part:
                yield Problem(at, "Unable to submit request because it has an empty text parameter.")
            if reason := misshapen(part, types.Part):
                yield Problem(at, f"Invalid value at '{at}': {reason}")
        answers = [part["functionResponse"] for part in parts if "functionResponse" in part]
        yield from _answer_problems(answers, waiting, at)
        waiting = [part["functionCall"] for part in parts if "functionCall" in part]
        if waiting:
            yield from _call_problems(content, index, contents, request)
    yield from _answer_problems([], waiting, "contents")


def _answer_problems(answers: list[Json], waiting: list[Json], at: str) -> Problems:
    if len(answers) != len(waiting):
        yield Problem(
            at,
            "Please ensure that the number of function response parts is equal to the number of function call "
            "parts of the function call turn.",
        )
        return
    for answer in answers:
        if not isinstance(answer.get("response"), dict):
            yield Problem(at, "function_response.response: must be an object")
    key: Any = lambda item: (str(item.get("id")), str(item.get("name")))  # noqa: E731
    if [key(item) for item in answers] != [key(item) for item in waiting] and (
        any("id" not in item for item in waiting) or sorted(map(key, answers)) != sorted(map(key, waiting))
    ):
        # Calls without ids are told apart by their names and their order alone.
        yield Problem(
            at, "The function responses do not match the ids, names and order of the function calls."
        )


def _call_problems(content: Json, index: int, contents: list[Json], request: Request) -> Problems:
    at = f"contents[{index}]"
    if content.get("role") != "model":
        yield Problem(at, "function_call parts belong into a model turn")
    before = contents[index - 1] if index else {"role": "none"}
    if before.get("role") != "user":
        yield Problem(
            at,
            "Please ensure that function call turn comes immediately after a user turn or after a function response turn.",
        )
    calls = [part for part in content["parts"] if "functionCall" in part]
    if is_third(request) and calls[0].get("thoughtSignature") != SIGNATURE:
        yield Problem(
            at,
            "Function call is missing a thought_signature in functionCall parts. This is required for tools to "
            "work correctly, and missing thought_signature may lead to degraded model performance.",
        )
    for part in calls:
        call = part["functionCall"]
        if "id" in call:
            yield from same_calls(at, call["id"], call.get("name"), call.get("args", {}), request)


def declared(request: Request) -> list[Declared]:
    """Read the functions that a request declares."""
    strict = mode(request) in ENFORCED
    return [
        Declared(str(function["name"]), function.get("parametersJsonSchema") or {}, strict)
        for function in functions(request)
    ]


def undeclared(part: Json, request: Request) -> str | None:
    """Name the tool that a part comes from, where the request does not declare it."""
    sources = {"executableCode": "codeExecution", "codeExecutionResult": "codeExecution"}
    kinds = {"GOOGLE_SEARCH_WEB": "googleSearch", "URL_CONTEXT": "urlContext"}
    for key in ("toolCall", "toolResponse"):
        if key in part:
            sources[key] = kinds[part[key]["toolType"]]
    declared = {key for tool in request.body.get("tools", []) for key in tool}
    return next((sources[key] for key in part if key in sources and sources[key] not in declared), None)


def output_schema(request: Request) -> Json | None:
    """Read the schema that the answer must fit."""
    return (request.body.get("generationConfig") or {}).get("responseJsonSchema")


def choice(request: Request) -> Choice:
    """Read which functions the model may call."""
    allowed = calling(request).get("allowedFunctionNames")
    if mode(request) == "NONE":
        return Choice(False, frozenset())
    return Choice(mode(request) == "ANY", None if allowed is None else frozenset(allowed))


def beyond(request: Request, ceiling: Ceiling) -> str | None:
    """Refuse a constraint that is too large to serve."""
    schemas = [function.schema for function in declared(request) if function.strict]
    properties = sum(len(node.schema.get("properties", {})) for schema in schemas for node in nodes(schema))
    if properties > (ceiling.properties or properties) or len(schemas) > (
        ceiling.strict_tools or len(schemas)
    ):
        return (
            "The specified schema produces a constraint that has too many states for serving. Typical causes "
            "of this error are schemas with lots of text, schemas with long array length limits, or schemas "
            "using complex value matchers."
        )
    return None


def error(status: int, message: str, _where: str) -> Json:
    """Write an error as Google does."""
    kind = "INVALID_ARGUMENT" if status < 500 else "INTERNAL"
    return {"error": {"code": status, "message": message, "status": kind}}
