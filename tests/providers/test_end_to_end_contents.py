"""Results that are more than JSON: texts, images and nothing at all, as each provider takes them."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from tests.loopback.scripts import Call, turn
from tests.loopback.server import Loopback
from tests.providers.conversations import APIS, CHAT, GENERATE, MESSAGES, RESPONSES, Channel, by_api, converse
from tool_core import Tool, Toolkit
from tool_core.mcp import CONTENT

DOT = base64.b64encode(b"not really a png").decode()
look = Tool.make("Look", success=CONTENT)
nothing = Tool.make("Nothing")
empty = Tool.make("Empty", success=str)
bound = Toolkit.make(look, nothing, empty).bind(
    {
        "Look": lambda _: [
            {"type": "text", "text": "A dot:"},
            {"type": "image", "data": DOT, "mimeType": "image/png"},
        ],
        "Nothing": lambda _: None,
        "Empty": lambda _: "",
    }
)


@pytest.mark.parametrize("channel", APIS, ids=by_api)
def test_a_result_with_an_image_is_one_that_the_provider_takes(channel: Channel) -> None:
    with Loopback(turn(Call("Look", {})), turn("I see a dot.")) as server:
        converse(channel, server, bound)
    [(_, content, flag)] = channel.answers(server.bodies[1])
    assert flag in (None, False)
    assert "A dot:" in str(content)
    assert str(server.bodies[1]).count(DOT) == 1


def last_message(channel: Channel) -> Any:
    """Let a model look, and return what it is shown last."""
    with Loopback(turn(Call("Look", {})), turn("I see a dot.")) as server:
        converse(channel, server, bound)
    body = server.bodies[1]
    return next(body[key][-1] for key in ("input", "messages", "contents") if key in body)


def test_each_provider_is_shown_an_image_in_its_own_way() -> None:
    assert last_message(RESPONSES)["output"] == [
        {"type": "input_text", "text": "A dot:"},
        {"type": "input_image", "image_url": f"data:image/png;base64,{DOT}", "detail": "auto"},
    ]
    assert last_message(CHAT)["content"][1] == {
        "type": "image_url",
        "image_url": {"url": f"data:image/png;base64,{DOT}"},
    }
    assert last_message(MESSAGES)["content"][0]["content"] == [
        {"type": "text", "text": "A dot:"},
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": DOT}},
    ]
    assert last_message(GENERATE)["parts"][0]["functionResponse"]["parts"] == [
        {"inlineData": {"mimeType": "image/png", "data": DOT}}
    ]


@pytest.mark.parametrize("channel", APIS, ids=by_api)
def test_nothing_and_an_empty_text_are_results_too(channel: Channel) -> None:
    with Loopback(turn(Call("Nothing", {}), Call("Empty", {})), turn("So be it.")) as server:
        converse(channel, server, bound)
    assert [content in (None, "null", "") for _, content, _ in channel.answers(server.bodies[1])] == [
        True,
        True,
    ]
