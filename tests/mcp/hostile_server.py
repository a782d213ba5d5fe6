"""A server that breaks the protocol, on bytes: `python hostile_server.py`."""

from __future__ import annotations

import json
import os
import sys
import threading
from typing import Any

ID, TOKEN = b"@id", b"@token"
NOISE = b'INFO started {"a": 1}\n\n[1,2]\n"x"\nnull\n5\n{}\n{"jsonrpc":"2.0"}\n{"id":[]}\n'
FINE = b'{"jsonrpc":"2.0","id":@id,"result":{"content":[{"type":"text","text":"fine"}]}}\n'
PROGRESS = b'{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":@token,%s}}\n'

ANSWERS: dict[str, bytes] = {
    "fine": FINE,
    "twice": FINE + FINE.replace(b"fine", b"again"),
    "a stranger's": FINE.replace(ID, b"99999") + FINE.replace(ID, b'"x"') + FINE.replace(ID, b"null") + FINE,
    "after a stray byte": b"\xff\xfe\x80\n" + FINE,
    "with a stray byte": FINE.replace(b"fine", b"fin\xff"),
    "after log lines": NOISE + FINE,
    "a lone surrogate": FINE.replace(b"fine", b"fin\\ud83d"),
    "no version": FINE.replace(b'"jsonrpc":"2.0",', b""),
    "a text for a number": FINE.replace(ID, b'"@id"'),
    "no result": b'{"jsonrpc":"2.0","id":@id,"result":null}\n',
    "nothing": b'{"jsonrpc":"2.0","id":@id}\n',
    "a number in place of a result": b'{"id":@id,"result":5}\n',
    "result and error": b'{"jsonrpc":"2.0","id":@id,"result":{},"error":{"code":1,"message":"both"}}\n',
    "endless progress": PROGRESS % (b'"progress":1' + b"0" * 400) + FINE,
    "an endless total": PROGRESS % (b'"progress":1,"total":1' + b"0" * 400) + FINE,
    "progress of no kind": PROGRESS % b'"progress":NaN,"total":"x","message":7' + FINE,
    "progress too late": FINE + PROGRESS % b'"progress":1',
    "questions": b'{"jsonrpc":"2.0","id":"q","method":"sampling/createMessage","params":{}}\n' + FINE,
    "a long line": FINE.replace(b"fine", b"x" * 2_000_000),
}
DEADLY = {"half an answer": FINE[:40], "none": b""}


def write(data: bytes) -> None:
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def send(number: object, result: object) -> None:
    write(json.dumps({"jsonrpc": "2.0", "id": number, "result": result}).encode() + b"\n")


def call(number: int, name: str, token: object) -> None:
    answer = {**ANSWERS, **DEADLY}[name]
    write(answer.replace(ID, str(number).encode()).replace(TOKEN, json.dumps(token).encode()))
    if name in DEADLY:
        os._exit(1)


def handle(message: dict[str, Any]) -> None:
    method, number, params = message.get("method"), message.get("id"), message.get("params") or {}
    if method == "initialize":
        write(b"Listening \xff\n")
        info = {"name": "hostile", "version": "0"}
        send(number, {"protocolVersion": "2025-06-18", "serverInfo": info, "capabilities": {"tools": {}}})
    elif method == "tools/list":
        schema = {"type": "object", "properties": {"how": {"type": "string"}}, "required": ["how"]}
        send(number, {"tools": [{"name": "answer", "inputSchema": schema}]})
    elif method == "tools/call":
        token = (params.get("_meta") or {}).get("progressToken")
        threading.Thread(target=call, args=(number, params["arguments"]["how"], token)).start()
    elif method is not None and number is not None:
        error = {"code": -32601, "message": "no such method"}
        write(json.dumps({"jsonrpc": "2.0", "id": number, "error": error}).encode() + b"\n")


if __name__ == "__main__":
    for line in sys.stdin:
        handle(json.loads(line))
