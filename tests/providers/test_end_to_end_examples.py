"""The example agents, as a newcomer runs them, against the providers on this machine."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.loopback.scripts import Call, Refusal, turn
from tests.loopback.server import Loopback
from tests.providers.conversations import GENERATE, MESSAGES, RESPONSES

EXAMPLES = Path(__file__).parents[2] / "examples"
SECRETS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY", "MODEL")


def shown(example: str, typed: str = "", **variables: str) -> str:
    """Run an example as its own process, with nothing of this one's keys, and return what it prints."""
    environment = {key: value for key, value in os.environ.items() if key not in SECRETS}
    ran = subprocess.run(
        [sys.executable, str(EXAMPLES / f"{example}.py")],
        env={**environment, **variables},
        input=typed,
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stderr == ""
    return ran.stdout


@pytest.mark.parametrize(
    ("example", "key"),
    [
        ("openai_agent", "OPENAI_API_KEY"),
        ("anthropic_agent", "ANTHROPIC_API_KEY"),
        ("google_agent", "GEMINI_API_KEY"),
    ],
)
def test_without_a_key_an_agent_says_in_one_line_what_to_set(example: str, key: str) -> None:
    [line] = shown(example).splitlines()
    assert line.startswith(f"Set {key} to run this agent")


def test_the_openai_agent_compares_two_cities_and_hears_of_a_third() -> None:
    calls = [
        Call("get_weather", {"city": "Oslo", "units": None}),
        Call("get_weather", {"city": "Rome", "units": "fahrenheit"}),
        Call("get_weather", {"city": "Atlantis", "units": None}),
    ]
    with Loopback(turn(*calls), turn("Rome is warmer.")) as server:
        text = shown("openai_agent", OPENAI_API_KEY="none", OPENAI_BASE_URL=f"{server.url}/v1")
    assert text == "Rome is warmer.\n"
    assert [content for _, content, _ in RESPONSES.answers(server.bodies[1])] == [
        "4.5",
        "62.6",
        'The tool call failed: {"known": ["Oslo", "Rome"]}',
    ]


@pytest.mark.parametrize(("typed", "told"), [("y\n", "sent 8 characters to Ann"), ("\n", "execution-denied")])
def test_the_anthropic_agent_asks_before_it_sends(typed: str, told: str) -> None:
    script = [
        turn("Let me see.", Call("list_contacts", {})),
        turn("I write to Ann.", Call("send_message", {"to": "Ann", "text": "It is ok"})),
        turn("Done."),
    ]
    with Loopback(*script) as server:
        text = shown("anthropic_agent", typed, ANTHROPIC_API_KEY="none", ANTHROPIC_BASE_URL=server.url)
    assert text == "Let me see.\nI write to Ann.\nShall this message be sent? [y/N] Done.\n"
    first, second = [content for _, content, _ in MESSAGES.answers(server.bodies[2])]
    assert first == '["Ann", "Bob"]'
    assert told in second


def test_the_google_agent_asks_less_strictly_after_a_refusal() -> None:
    refusal = Refusal("The specified schema produces a constraint that has too many states for serving.")
    call = Call("find_meetings", {"value": {"name": "Ann"}})
    with Loopback(refusal, turn(call), turn("On Friday, at Café Nord.")) as server:
        text = shown("google_agent", GEMINI_API_KEY="none", GOOGLE_GEMINI_BASE_URL=server.url)
    assert text == "On Friday, at Café Nord.\n"
    assert server.bodies[0]["toolConfig"]["functionCallingConfig"]["mode"] == "VALIDATED"
    assert "toolConfig" not in server.bodies[1]
    assert [content for _, content, _ in GENERATE.answers(server.bodies[2])] == [
        {"Ann": "Friday 18:00, Café Nord"}
    ]
