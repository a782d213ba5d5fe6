"""Whole published MCP servers as toolkits: no provider would refuse the request that is prepared for them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import groupby
from typing import Any

import pytest

from tests.loopback import chat, generate, messages, responses
from tests.loopback.requests import Request
from tests.providers.kits import prepared
from tests.providers.responses import APIS
from tests.strict.laws import CORPORA
from tool_core import Toolkit
from tool_core.mcp import from_mcp_tool

pytestmark = pytest.mark.skipif(not CORPORA.exists(), reason="the corpora are not beside this repository")

RULES: dict[str, Any] = {"responses": responses, "chat": chat, "messages": messages, "generate": generate}
MODELS = {
    "responses": ["gpt-5", "gpt-3.5-turbo"],
    "chat": ["gpt-5", "meta/llama-4"],
    "messages": ["claude-opus-4-5", "claude-3-7-sonnet"],
    "generate": ["gemini-3-pro", "gemini-2.0-flash"],
}


def servers() -> Iterator[Toolkit[Any]]:
    rows = map(json.loads, (CORPORA / "mcp-tools.jsonl").read_text().splitlines())
    for _, listed in groupby(rows, key=lambda row: row["server"]):
        tools = {tool.name: tool for tool in (from_mcp_tool(row["tool"]) for row in listed)}
        yield Toolkit.make(*list(tools.values())[:128])


def google_body(config: dict[str, Any]) -> dict[str, Any]:
    """Write a configuration as the SDK sends it."""
    names = {"parameters_json_schema": "parametersJsonSchema"}
    functions = [
        {names.get(key, key): value for key, value in item.items()}
        for item in config["tools"][0]["function_declarations"]
    ]
    calling = config.get("tool_config", {}).get("function_calling_config")
    mode = {} if calling is None else {"toolConfig": {"functionCallingConfig": calling}}
    return {"contents": [], "tools": [{"functionDeclarations": functions}], **mode}


def problems(api: str, model: str, kit: Toolkit[Any]) -> list[str]:
    request = prepared(api, kit, model=model).request
    headers = request.pop("extra_headers", {})
    if api == "generate":
        sent = Request(f"/v1beta/models/{model}:generateContent", {}, google_body(request))
    else:
        history = {"input": "x"} if api == "responses" else {"messages": [], "max_tokens": 1}
        sent = Request("/", headers, {"model": model, **history, **request})
    ignored = "max_tokens" if api == "chat" else ""
    return [problem.message for problem in RULES[api].request_problems(sent) if problem.where != ignored]


@pytest.mark.parametrize("api", APIS)
@pytest.mark.filterwarnings("ignore::tool_core.strict.StrictDowngradeWarning")
def test_no_provider_refuses_a_real_servers_tools(api: str) -> None:
    """Each server is checked against one API, in turn, so that all are covered in bearable time."""
    mine = [kit for number, kit in enumerate(servers()) if number % len(APIS) == APIS.index(api)]
    assert len(mine) > 20
    assert {
        message for kit in mine for model in MODELS[api] for message in problems(api, model, kit)
    } == set()
