"""Reading JSON that a stranger wrote: every rule with its words."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tool_core import JsonTextError, ToolParameterValidationError, secure_json_loads
from tool_core.json_text import MAX_CHARACTERS, canonical_json, names_each_key_once

REFUSED: list[tuple[str | bytes, str]] = [
    ("", "Expecting value at line 1 column 1"),
    ('{"a": ', "Expecting value at line 1 column 7"),
    ('{"__proto__": 1}', "the key '__proto__' is forbidden"),
    (r'{"\u005f_proto__": 1}', "the key '__proto__' is forbidden"),
    ('[{"a": {"__proto__": {}}}]', "the key '__proto__' is forbidden"),
    ('{"constructor": {"prototype": 1}}', "a 'constructor' that holds a 'prototype' is forbidden"),
    (r'{"c\u006fnstructor": {"prototype": 1}}', "a 'constructor' that holds a 'prototype' is forbidden"),
    ('{"a": 1, "b": 2, "a": 3}', "the key 'a' occurs twice in one object"),
    ("NaN", "NaN is not JSON"),
    ("[-Infinity]", "-Infinity is not JSON"),
    ("1e999", "the number 1e999 is too large"),
    ("1" * 1001, "a number has more than 1000 digits"),
    (r'"\ud800"', "it holds a lone surrogate"),
    ('"\ud800"', "it holds a lone surrogate"),
    (b"\xff", "it is not UTF-8"),
    ("[" * 101 + "]" * 101, "it nests deeper than 100 levels"),
    ("[" * 100_000, "it nests deeper than 100 levels"),
    (" " * (MAX_CHARACTERS + 1), "it is longer than 10000000 characters"),
]


@pytest.mark.parametrize(("text", "reason"), REFUSED, ids=[reason for _, reason in REFUSED])
def test_hostile_text_is_refused_with_its_reason(text: str | bytes, reason: str) -> None:
    with pytest.raises(JsonTextError) as caught:
        secure_json_loads(text)
    assert str(caught.value) == f"Invalid JSON text: {reason}"
    assert isinstance(caught.value, ToolParameterValidationError)


@pytest.mark.parametrize(
    "text",
    [
        '{"constructor": 1}',
        '{"constructor": {}}',
        '{"constructor": null}',
        '"__proto__"',
        r'"\ud83d\ude00"',
        "null",
        "[" * 100 + "]" * 100,
    ],
)
def test_harmless_text_passes(text: str) -> None:
    assert secure_json_loads(text) == json.loads(text)
    assert secure_json_loads(text.encode()) == json.loads(text)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(JSON)
def test_whatever_json_writes_is_read_back_unless_a_rule_forbids_it(value: object) -> None:
    try:
        assert secure_json_loads(json.dumps(value)) == value
    except JsonTextError as error:
        assert "__proto__" in str(error) or "surrogate" in str(error) or "prototype" in str(error)


@given(JSON)
def test_canonical_json_does_not_depend_on_the_order_of_keys(value: object) -> None:
    shuffled = json.loads(json.dumps(value), object_pairs_hook=lambda pairs: dict(reversed(pairs)))
    assert canonical_json(shuffled) == canonical_json(value)


@given(st.text())
def test_no_text_makes_anything_but_our_error(text: str) -> None:
    try:
        secure_json_loads(text)
    except JsonTextError:
        pass


def test_a_flat_object_is_known_to_name_its_keys_once() -> None:
    assert names_each_key_once('{"a": 1, "b": "x"}', {"a": 1, "b": "x"})
    assert names_each_key_once(b'{"a": 1}', {"a": 1})
    assert not names_each_key_once('{"a": "10:30"}', {"a": "10:30"})
    assert not names_each_key_once('{"__proto__": 1}', {"__proto__": 1})
    assert not names_each_key_once("[1]", [1])
