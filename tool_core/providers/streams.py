"""Reading a stream event by event. Layer 3: the caller does the waiting."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tool_core.parts import ToolPart
from tool_core.providers.apis import Api, Assembler, Plain


@dataclass(slots=True)
class StreamReader:
    """Takes the events of one response and gives each part as soon as it is complete.

    Feed it in a `for` or an `async for`, then `finish`: a call that the stream did not complete is
    then a failure part, so nothing is lost. `response` is what the stream described, in the shape
    of a response that was not streamed.

    >>> from tool_core import Tool, Toolkit
    >>> from tool_core.providers import anthropic
    >>> kit = Toolkit.make(Tool.make("Now", success=float))
    >>> reader = anthropic.prepare_tools(kit, model="claude-opus-4-5").stream()
    >>> call = {"type": "tool_use", "id": "toolu_1", "name": "Now", "input": {}}
    >>> reader.feed({"type": "content_block_start", "index": 0, "content_block": call})
    []
    >>> delta = {"type": "input_json_delta", "partial_json": "{}"}
    >>> reader.feed({"type": "content_block_delta", "index": 0, "delta": delta})
    []
    >>> [part["type"] for part in reader.feed({"type": "content_block_stop", "index": 0})]
    ['tool-call']
    >>> reader.finish()
    []
    """

    api: Api
    read: Callable[[Plain], list[ToolPart]]
    assembler: Assembler
    given: int = 0
    is_finished: bool = False

    def feed(self, event: object) -> list[ToolPart]:
        """Take one event, an SDK object or a dict, and return the parts that it completes."""
        found = self.api.plain(event)
        if found is None or not self.assembler.add(found):
            return []
        return self._new()

    def finish(self) -> list[ToolPart]:
        """Return the parts that are left when the stream has ended, however it did."""
        self.is_finished = True
        return self._new()

    @property
    def response(self) -> Plain:
        """The response so far."""
        return self.assembler.response(self.is_finished)

    def _new(self) -> list[ToolPart]:
        parts = self.read(self.response)[self.given :]
        self.given += len(parts)
        return parts
