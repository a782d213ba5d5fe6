"""Schemas and names that are hard to send: strangers' tools, odd names, and the shape of the answer."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, Literal, NotRequired

import pytest
from typing_extensions import TypedDict

from tests.loopback.scripts import Call, turn
from tests.loopback.server import Loopback
from tests.providers.conversations import (
    APIS,
    CHANNELS,
    GENERATE,
    MESSAGES,
    Channel,
    by_api,
    converse,
    params_of,
    results_of,
)
from tool_core import InvalidOutputError, Tool, ToolConfigurationError, Toolkit

# Schemas as MCP servers send them, each with a value that a handler expects.
STRANGERS: list[tuple[str, dict[str, Any], Any]] = [
    (
        "query_table",
        {
            "$schema": "http://json-schema.org/draft-07/schema#",
            "type": "object",
            "properties": {
                "table": {"type": "string", "minLength": 1, "maxLength": 63},
                "where": {"type": "object", "additionalProperties": {"type": ["string", "number", "null"]}},
                "limit": {"type": "integer", "minimum": 1, "maximum": 500, "default": 50},
            },
            "required": ["table"],
        },
        {"table": "birds", "where": {"wings": 2, "name": None}},
    ),
    (
        "draw",
        {
            "$schema": "http://json-schema.org/draft-07/schema#",
            "type": "object",
            "properties": {
                "shape": {
                    "oneOf": [
                        {
                            "type": "object",
                            "properties": {"kind": {"const": "dot"}, "at": {"$ref": "#/definitions/point"}},
                            "required": ["kind", "at"],
                        },
                        {
                            "type": "object",
                            "properties": {
                                "kind": {"const": "path"},
                                "points": {
                                    "type": "array",
                                    "items": {"$ref": "#/definitions/point"},
                                    "minItems": 2,
                                    "uniqueItems": True,
                                },
                            },
                            "required": ["kind", "points"],
                        },
                    ]
                }
            },
            "required": ["shape"],
            "definitions": {
                "point": {
                    "type": "array",
                    "items": [{"type": "number"}, {"type": "number"}],
                    "additionalItems": False,
                }
            },
        },
        {"shape": {"kind": "path", "points": [[0, 0], [1.5, 2]]}},
    ),
    (
        "page.search",
        {
            "type": "object",
            "properties": {
                "$filter": {"type": "string"},
                "page size": {"type": "integer"},
                "sort-by[]": {"type": "array", "items": {"enum": ["name", "date", None]}},
                "site": {"type": "string", "format": "uri"},
            },
            "additionalProperties": False,
        },
        {
            "$filter": "name eq 'x'",
            "page size": 5,
            "sort-by[]": ["date", None],
            "site": "https://example.org",
        },
    ),
    ("anything", {"type": "object"}, {"deep": {"list": [1, "two", {"three": None}]}, "flag": True}),
    ("no_arguments", {"type": "object", "properties": {}}, {}),
    (
        "loose_list",
        {"type": "object", "properties": {"rows": {"type": "array"}, "extra": {}}, "required": ["rows"]},
        {"rows": [1, [2], {"x": 3}], "extra": "y"},
    ),
    (
        "either",
        {
            "anyOf": [
                {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]},
                {"type": "object", "properties": {"slug": {"type": "string"}}, "required": ["slug"]},
            ]
        },
        {"slug": "north"},
    ),
    (
        "tree",
        {
            "$defs": {
                "node": {
                    "type": "object",
                    "properties": {
                        "name": {"type": "string"},
                        "children": {"type": "array", "items": {"$ref": "#/$defs/node"}},
                    },
                    "required": ["name"],
                }
            },
            "type": "object",
            "properties": {"root": {"$ref": "#/$defs/node"}},
            "required": ["root"],
        },
        {"root": {"name": "a", "children": [{"name": "b"}, {"name": "c", "children": []}]}},
    ),
    (
        "patch",
        {
            "type": "object",
            "properties": {"id": {"type": "string"}, "title": {"type": ["string", "null"]}},
            "required": ["id"],
            "additionalProperties": {"type": "string"},
        },
        {"id": "7", "colour": "red"},
    ),
]
NAMES = [name for name, _, _ in STRANGERS]
strangers = Toolkit.make(
    *(Tool.dynamic(name, description=f"Does {name}", parameters=schema) for name, schema, _ in STRANGERS)
)


def parrots(kit: Toolkit[Any]) -> Any:
    """Bind handlers that give back what they get."""
    handlers: dict[str, Any] = {tool.name: lambda params: params for tool in kit}
    return kit.bind(handlers)


@pytest.mark.parametrize("strict", [None, False], ids=["strict", "lenient"])
@pytest.mark.parametrize("channel", APIS, ids=by_api)
def test_strangers_tools_are_called_with_what_their_servers_expect(
    channel: Channel, strict: bool | None
) -> None:
    bound = parrots(strangers)
    prepared = channel.prepared(bound, strict_json_schema=strict)
    forms = prepared.plan.by_name
    calls = [Call(prepared.names[name], forms[name].form.lower(value)) for name, _, value in STRANGERS]
    with Loopback(turn(*calls), turn("Done.")) as server:
        shown = converse(channel, server, bound, strict_json_schema=strict)
    assert params_of(shown.calls[0]) == [value for _, _, value in STRANGERS]
    assert results_of(shown.results[0]) == [value for _, _, value in STRANGERS]
    assert any(item.is_strict for item in prepared.plan.decisions) is (strict is None)


ODD = ["files.read", "1st", "-", ".hidden", "x" * 128, f"{'x' * 127}y", "ok_name"]


@pytest.mark.parametrize("channel", CHANNELS, ids=by_api)
def test_any_name_can_be_sent_and_comes_back(channel: Channel) -> None:
    kit = Toolkit.make(*(Tool.make(name, success=str) for name in ODD))
    handlers: dict[str, Any] = {name: lambda _, name=name: name for name in ODD}
    bound = kit.bind(handlers)
    names = channel.prepared(bound).names
    with Loopback(turn(*(Call(names[name], {}) for name in ODD)), turn("Done.")) as server:
        shown = converse(channel, server, bound)
    assert [part["name"] for part in shown.calls[0] if part["type"] == "tool-call"] == ODD
    assert results_of(shown.results[0]) == ODD


@pytest.mark.parametrize("channel", APIS, ids=by_api)
def test_names_that_would_be_one_on_the_wire_are_refused_before_any_request(channel: Channel) -> None:
    first, second, wire = ("-a", "_-a", "_-a") if channel.family == "google" else ("a.b", "a_b", "a_b")
    bound = parrots(Toolkit.make(Tool.make(first, success=object), Tool.make(second, success=object)))
    words = f"'{first}' and '{second}' would both be '{wire}' to the provider"
    with pytest.raises(ToolConfigurationError, match=words):
        channel.prepared(bound)


class Forecast(TypedDict):
    """A forecast for some days."""

    place: str
    days: list[float]
    wind: NotRequired[Literal["calm", "storm"]]


OUTPUTS: list[tuple[Any, dict[str, str], object]] = [
    (
        Forecast,
        {
            "openai": '{"place": "Oslo", "days": [1, 2.5], "wind": null}',
            "": '{"place": "Oslo", "days": [1, 2.5]}',
        },
        {"place": "Oslo", "days": [1, 2.5]},
    ),
    (list[int], {"": '{"value": [1, 2]}'}, [1, 2]),
    (
        int | Literal["none"],
        {"": '{"value": "none"}'},
        "none",
    ),
    (dict[str, bool], {"": '{"value": [{"key": "a", "value": true}]}'}, {"a": True}),
]


@pytest.mark.parametrize(("output", "wire", "expected"), OUTPUTS, ids=["object", "list", "union", "mapping"])
@pytest.mark.parametrize("channel", CHANNELS, ids=by_api)
def test_structured_output_comes_back_as_a_value_of_the_type(
    channel: Channel, output: Any, wire: dict[str, str], expected: object
) -> None:
    text = wire.get(channel.family, wire[""])
    with Loopback(turn(text)) as server:
        shown = converse(channel, server, Toolkit.empty.bind({}), output_schema=output)
    assert shown.prepared.read_output(shown.last) == expected


@pytest.mark.parametrize(
    "channel", [channel for channel in APIS if channel.model != "gemini-2.5-pro"], ids=by_api
)
def test_structured_output_after_tool_calls(channel: Channel) -> None:
    bound = parrots(Toolkit.make(Tool.make("Look", success=dict[str, str])))
    answer = '{"place": "Oslo", "days": [], "wind": "calm"}'
    with Loopback(turn(Call("Look", {})), turn(answer)) as server:
        shown = converse(channel, server, bound, output_schema=Forecast)
    assert shown.prepared.read_output(shown.last) == json.loads(answer)


@pytest.mark.parametrize("channel", APIS, ids=by_api)
def test_an_answer_that_was_cut_off_is_our_error(channel: Channel) -> None:
    with Loopback(turn('{"place": "Os', stop="length")) as server:
        shown = converse(channel, server, Toolkit.empty.bind({}), output_schema=Forecast)
    with pytest.raises(InvalidOutputError, match="cut off"):
        shown.prepared.read_output(shown.last)


def test_a_claude_without_structured_output_answers_through_a_tool() -> None:
    older = replace(MESSAGES, model="claude-3-haiku-20240307")
    prepared = older.prepared(Toolkit.empty.bind({}), output_schema=Forecast)
    [tool] = prepared.tools
    call = Call(tool["name"], {"place": "Oslo", "days": [1]})
    with Loopback(turn(call)) as server:
        response = older.reply(server, prepared, [older.opening("Forecast?")])
    assert prepared.read_output(response) == {"place": "Oslo", "days": [1]}
    assert prepared.read_calls(response) == []
    assert "strict" not in server.bodies[0]["tools"][0]


def test_a_gemini_orders_the_properties() -> None:
    with Loopback(turn('{"place": "Oslo", "days": []}')) as server:
        converse(GENERATE, server, Toolkit.empty.bind({}), output_schema=Forecast)
    schema = server.bodies[0]["generationConfig"]["responseJsonSchema"]
    assert schema["propertyOrdering"] == ["place", "days", "wind"]
