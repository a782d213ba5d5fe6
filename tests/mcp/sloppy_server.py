"""An MCP server without manners, written on the bare protocol: `python sloppy_server.py [habit]`."""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from typing import Any

HABIT = sys.argv[1] if len(sys.argv) > 1 else ""
if HABIT == "moody":
    HABIT = "mute" if os.path.exists(sys.argv[2]) else ""
OBJECT = {"type": "object", "properties": {}}
NUMBER = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII="

plain = ["echo", "die", "hang", "garbage", "malformed", "refuse", "full", "fail", "fail_twice", "media", "steps",
         "alive", "grow", "cancelled", "environment", "empty", "flood", "rumour"]  # fmt: skip
tools: list[Any] = [
    *({"name": name, "inputSchema": OBJECT} for name in plain),
    {"name": "odd", "inputSchema": OBJECT, "outputSchema": NUMBER, "annotations": {"category": "strange"}},
    {"name": "even", "inputSchema": OBJECT, "outputSchema": NUMBER},
    {"name": "silent", "inputSchema": OBJECT, "outputSchema": NUMBER},
    {"name": "evil", "inputSchema": OBJECT, "outputSchema": {
        "type": "object", "properties": {"s": {"type": "string", "pattern": "^(a+)+$"}}}},
    {"name": "untyped", "inputSchema": {"properties": {"q": {"type": "string"}}}},
    {"name": "bare"},
    {"name": "find it/now", "inputSchema": OBJECT},
    {"name": "scalar", "inputSchema": {"type": "string"}},
    {"description": "it has no name", "inputSchema": OBJECT},
    {"name": "echo", "description": "another", "inputSchema": OBJECT},
]  # fmt: skip
cancelled: list[object] = []
writing = threading.Lock()


def send(message: dict[str, object]) -> None:
    with writing:
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        sys.stdout.flush()


def text(words: str, **more: object) -> dict[str, object]:
    return {"content": [{"type": "text", "text": words}], **more}


def media() -> dict[str, object]:
    resource = {"uri": "file:///notes.txt", "mimeType": "text/plain", "text": "hello"}
    return {
        "content": [
            {"type": "text", "text": "all kinds", "annotations": {"priority": 0.5}},
            {"type": "image", "data": PIXEL, "mimeType": "image/png"},
            {"type": "audio", "data": PIXEL, "mimeType": "audio/wav"},
            {"type": "resource", "resource": resource},
            {"type": "resource_link", "uri": "file:///notes.txt", "name": "notes"},
        ]
    }


def report(token: object, number: float, total: float | None = None) -> None:
    said = {"progressToken": token, "progress": number, **({} if total is None else {"total": total})}
    send({"method": "notifications/progress", "params": said})


def call(number: object, name: str, arguments: dict[str, Any], token: object) -> None:
    if name == "die":
        os._exit(1)
    if name == "hang":
        return
    if name == "garbage":
        with writing:
            print("Listening on port 3000...", flush=True)
    if name in ("refuse", "full"):
        code, message = (-32602, "n must be even") if name == "refuse" else (-32000, "disk full")
        send({"id": number, "error": {"code": code, "message": message}})
        return
    for step in range(3 if name == "steps" else 10 if name == "alive" else 0):
        report(token, step + 1, 3 if name == "steps" else None)
        time.sleep(0.15 if name == "alive" else 0)
    for step in range(5_000 if name == "flood" else 0):
        report(token, step + 1)
    if name == "grow":
        tools.append({"name": "grown", "inputSchema": OBJECT})
    if name in ("grow", "rumour"):
        send({"method": "notifications/tools/list_changed"})
    send({"id": number, "result": answers(name, arguments)})


def answers(name: str, arguments: dict[str, Any]) -> dict[str, object]:
    told: dict[str, dict[str, object]] = {
        "malformed": {"content": "not a list"},
        "fail": text("no such page", isError=True),
        "fail_twice": {"content": [*media()["content"]][:2], "isError": True},  # type: ignore[misc]  # pyright: ignore[reportGeneralTypeIssues]
        "media": media(),
        "odd": text("odd", structuredContent={"n": "three"}),
        "even": text("even", structuredContent={"n": 4}),
        "silent": text("4"),
        "evil": text("evil", structuredContent={"s": "a" * 40 + "!"}),
        "cancelled": text(json.dumps(cancelled)),
        "environment": text(json.dumps(dict(os.environ))),
        "empty": {"content": []},
    }
    return told.get(name, text(json.dumps({"name": name, **arguments})))


def listing(cursor: str | None) -> dict[str, object]:
    if HABIT == "endless":
        return {"tools": [], "nextCursor": "again"}
    if cursor is None:
        return {"tools": tools[:5], "nextCursor": "page 2"}
    return {"tools": tools[5:]}


def handle(message: dict[str, Any]) -> None:
    method, params = message.get("method"), message.get("params") or {}
    number = message.get("id")
    if method == "initialize":
        if HABIT == "mute":
            return
        info = {"name": "sloppy", "version": "0"}
        abilities = {"tools": {"listChanged": True}}
        result = {
            "protocolVersion": "2025-06-18",
            "serverInfo": info,
            "capabilities": abilities,
            "instructions": "Be kind.",
        }
        send({"id": number, "result": result})
    elif method == "tools/list" and HABIT == "listless":
        return
    elif method == "tools/list" and HABIT != "toolless":
        send({"id": number, "result": listing(params.get("cursor"))})
    elif method == "tools/call":
        token = (params.get("_meta") or {}).get("progressToken")
        threading.Thread(
            target=call, args=(number, params["name"], params.get("arguments") or {}, token), daemon=True
        ).start()
    elif method == "notifications/cancelled":
        cancelled.append(params.get("requestId"))
    elif number is not None:
        send({"id": number, "error": {"code": -32601, "message": "no such method"}})


if __name__ == "__main__":
    for line in sys.stdin:
        handle(json.loads(line))
