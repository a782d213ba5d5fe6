"""An agent on Anthropic's Messages API that streams, and asks you before it sends anything.

ANTHROPIC_API_KEY=... python examples/anthropic_agent.py "Tell Ann that the train is late."
"""

from __future__ import annotations

import asyncio
import os
import sys

from anthropic import AsyncAnthropic
from anthropic.types import MessageParam
from typing_extensions import TypedDict

from tool_core import Tool, ToolApprovalRequestPart, ToolApprovalResponsePart, Toolkit
from tool_core.providers.anthropic import prepare_tools

MODEL = os.environ.get("MODEL", "claude-opus-4-5")


class Letter(TypedDict):
    to: str
    text: str


list_contacts = Tool.make("list_contacts", description="The people you can write to", success=list[str])
send_message = Tool.make(
    "send_message", description="Send a message", parameters=Letter, success=str, needs_approval=True
)
bound = Toolkit.make(list_contacts, send_message).bind(
    {
        "list_contacts": lambda _: ["Ann", "Bob"],
        "send_message": lambda letter: f"sent {len(letter['text'])} characters to {letter['to']}",
    }
)


def decided(request: ToolApprovalRequestPart) -> ToolApprovalResponsePart:
    """Ask on the terminal; the answer could as well come next week, in another process."""
    answer = input("Shall this message be sent? [y/N] ")
    return {
        "type": "tool-approval-response",
        "approval_id": request["approval_id"],
        "approved": answer.strip().lower() == "y",
    }


async def talk(question: str, most_turns: int = 10) -> None:
    prepared = prepare_tools(bound.toolkit, model=MODEL)
    history: list[MessageParam] = [{"role": "user", "content": question}]
    async with AsyncAnthropic() as client:
        for _ in range(most_turns):
            async with client.messages.stream(
                model=MODEL, max_tokens=2000, messages=history, **prepared.request
            ) as stream:
                async for text in stream.text_stream:
                    print(text, end="", flush=True)
                response = await stream.get_final_message()
            print()
            calls = prepared.read_calls(response)
            if not calls:
                return
            parts = await bound.resolve(calls)
            approvals = [decided(part) for part in parts if part["type"] == "tool-approval-request"]
            parts += await bound.resolve([], messages=[*calls, *parts, *approvals])
            history += prepared.assistant_turn(response) + prepared.tool_results(parts)
    print("The model would not come to an end.")


if __name__ == "__main__":
    if "ANTHROPIC_API_KEY" in os.environ:
        asyncio.run(talk(" ".join(sys.argv[1:]) or "Tell Ann that the train is late."))
    else:
        print("Set ANTHROPIC_API_KEY to run this agent, and MODEL or ANTHROPIC_BASE_URL to choose another.")
