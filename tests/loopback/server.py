"""The server: it reads requests from the official clients, checks them, and answers from a script."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self

from tests.loopback.chat_wire import CHAT
from tests.loopback.generate_wire import GENERATE
from tests.loopback.messages_wire import MESSAGES
from tests.loopback.requests import Dialect, Issued, Request
from tests.loopback.responses_wire import RESPONSES
from tests.loopback.schemas import misfit
from tests.loopback.scripts import Call, Ceiling, Item, Json, Refusal, Say, Turn

ROUTES: list[tuple[str, Dialect]] = [
    (r"/v1/responses$", RESPONSES),
    (r"/v1/chat/completions$", CHAT),
    (r"/v1/messages$", MESSAGES),
    (r"/v1(beta)?/models/[^/]+:(generateContent|streamGenerateContent)$", GENERATE),
]


class Loopback:
    """A provider on this machine, for one conversation, as a context manager.

    What it refuses is in `violations`, and leaving the context with any, or with turns that nobody
    asked for, fails the test with the provider's words.
    """

    def __init__(self, *turns: Turn | Refusal, ceiling: Ceiling | None = None) -> None:
        self.requests: list[Request] = []
        self.violations: list[str] = []
        self.refusals: list[str] = []
        self._turns = list(turns)
        self._issued: dict[str, Issued] = {}
        self._ceiling = ceiling or Ceiling()
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = False
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})

    @property
    def url(self) -> str:
        """Where the server listens."""
        return f"http://127.0.0.1:{self._server.server_port}"

    @property
    def bodies(self) -> list[Json]:
        """The bodies of the requests so far."""
        return [request.body for request in self.requests]

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
        if self.violations:
            # The provider's words explain what the client may have raised because of them.
            raise AssertionError("\n".join(["the provider refuses:", *self.violations])) from error
        if error is None and self._turns:
            raise AssertionError(f"{len(self._turns)} turns of the script were not asked for")

    def answer(self, path: str, headers: dict[str, str], text: bytes) -> tuple[int, bool, Iterator[str]]:
        """Answer one request: a status, whether it streams, and the text in pieces."""
        route = path.partition("?")[0]
        dialect = next((dialect for pattern, dialect in ROUTES if re.match(pattern, route)), None)
        with self._lock:
            if dialect is None:
                self.violations.append(f"{path}: no such endpoint")
                return 404, False, iter(["{}"])
            try:
                number = len(self.requests) + 1
                body = dialect.spelled(json.loads(text))
                request = Request(path, headers, body, dict(self._issued), number)
                return self._answer(dialect, request)
            except Exception as error:
                self.violations.append(f"{path}: the request cannot be read: {error!r}")
                return 500, False, iter([json.dumps(dialect.error(500, repr(error), ""))])

    def _answer(self, dialect: Dialect, request: Request) -> tuple[int, bool, Iterator[str]]:
        self.requests.append(request)
        refusal = self._refusal(dialect, request)
        if refusal is not None:
            status, where, message = refusal
            return status, False, iter([json.dumps(dialect.error(status, message, where))])
        turn = self._next_turn(dialect, request)
        if not dialect.streams(request):
            return 200, False, iter([json.dumps(dialect.body(turn, request))])
        return 200, True, iter(list(dialect.events(turn, request))[: turn.cut])

    def _refusal(self, dialect: Dialect, request: Request) -> tuple[int, str, str] | None:
        found = list(dialect.problems(request))
        if found:
            self.violations += [f"{problem.where}: {problem.message}" for problem in found]
            return 400, found[0].where, found[0].message
        if message := dialect.beyond(request, self._ceiling):
            self.refusals.append(message)
            return 400, "", message
        if not self._turns:
            self.violations.append("the script has no further turn")
            return 500, "", "the script has no further turn"
        if isinstance(planned := self._turns[0], Refusal):
            self._turns.pop(0)
            self.refusals.append(planned.message)
            return planned.status, "", planned.message
        return None

    def _next_turn(self, dialect: Dialect, request: Request) -> Turn:
        planned = self._turns.pop(0)
        assert isinstance(planned, Turn)
        turn = dialect.numbered(planned, request)
        self.violations += [f"the script lies: {lie}" for lie in lies(turn, dialect, request)]
        for call in turn.calls:
            as_text = dialect in (RESPONSES, CHAT)
            self._issued[call.id] = Issued(call.name, call.text if as_text else call.arguments)
        return turn


def lies(turn: Turn, dialect: Dialect, request: Request) -> Iterator[str]:
    """Say where a script does what the provider would not let the model do."""
    declared = {tool.name: tool for tool in dialect.declared(request)}
    choice = dialect.choice(request)
    for call in turn.calls:
        tool = declared.get(call.name)
        if tool is None or (choice.names is not None and call.name not in choice.names):
            if call.honest:
                yield f"{call.name!r} is not a tool that may be called here"
        elif call.honest or tool.strict:
            yield from _misfits(call, tool.schema, turn)
    for item in turn.content:
        if isinstance(item, Item) and (missing := dialect.undeclared(item.wire, request)):
            yield f"{missing!r} is not a tool that may be called here"
    if choice.must and not turn.calls and not turn.stop and not _has_items(turn):
        yield "the model must call a tool"
    schema = dialect.output_schema(request)
    if schema is not None and not turn.calls and not turn.stop:
        said = "".join(item.text for item in turn.content if isinstance(item, Say))
        if reason := misfit(json.loads(said), schema):
            yield f"the answer does not fit the output schema: {reason}"


def _misfits(call: Call, schema: Json, turn: Turn) -> Iterator[str]:
    if call.raw is not None:
        if call.honest or not (turn.stop or turn.cut):
            yield f"the arguments of {call.name!r} are complete JSON unless the answer is cut off"
    elif reason := misfit(call.arguments, schema):
        yield f"the arguments of {call.name!r} do not fit the schema that was sent: {reason}"


def _has_items(turn: Turn) -> bool:
    return len(turn.calls) < sum(not isinstance(item, Say) for item in turn.content)


def _handler(loopback: Loopback) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            text = self.rfile.read(int(self.headers.get("content-length", 0)))
            headers = {key.lower(): value for key, value in self.headers.items()}
            status, streams, pieces = loopback.answer(self.path, headers, text)
            self.send_response(status)
            self.send_header("content-type", "text/event-stream" if streams else "application/json")
            self.send_header("connection", "close")
            self.end_headers()
            for piece in pieces:
                self.wfile.write(piece.encode())
                self.wfile.flush()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Stay silent: the tests read the requests themselves."""

    return Handler
