"""JSON text from a hostile model: read, or refused in our words, in bounded time."""

from __future__ import annotations

import json
import time
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typing_extensions import TypedDict

from tests.hostile.guards import FEW, MANY, contained
from tests.hostile.strategies import TEXTS, json_values, nested
from tool_core import HandlerResult, JsonTextError, Tool, Toolkit, secure_json_loads


class Params(TypedDict, total=False):
    location: str
    units: Literal["celsius", "fahrenheit"]
    days: list[int]
    more: dict[str, object]


SCHEMA = {
    "type": "object",
    "properties": {"a": {"type": "string", "pattern": "^(a+)+$"}, "b": {"type": "integer"}},
}
KIT = Toolkit.make(
    Tool.make("Typed", parameters=Params, success=object, failure_mode="return"),
    Tool.make("Anything", parameters=object, success=object, failure_mode="return"),
    Tool.dynamic("Raw", parameters=SCHEMA, failure_mode="return"),
    Tool.dynamic("Off", parameters=SCHEMA, validate="off", failure_mode="return"),
)
BOUND = KIT.bind({name: lambda params: params for name in KIT.tools})

_NOISE = st.one_of(
    st.text(max_size=40),
    st.binary(max_size=40),
    json_values().map(json.dumps),
    json_values().map(lambda value: json.dumps(value, ensure_ascii=False)),
    st.builds(lambda value, cut: json.dumps(value)[: max(1, cut)], json_values(), st.integers(0, 60)),
    st.builds(lambda key, value: f'{{"a": 1, {json.dumps(key)}: {json.dumps(value)}}}', TEXTS, json_values(4)),
    st.sampled_from(
        [
            nested(100_000, "[", "]"), nested(100_000, '{"a":', "}"), nested(101, "[", "]"), nested(5000, "[", ""),
            "1" * 100_000, "-" + "9" * 5000, "1e99999", "0." + "0" * 5000 + "1", "[" + "1," * 50_000 + "1]",
            '"' + "\\u0041" * 20_000 + '"', '"\\ud800"', '{"a":1,"a":2}', '{"__proto__":1}', "NaN", "[Infinity]",
            '{"constructor":{"prototype":1}}', "\ufeff{}", "{}" * 2, "// {}", "{'a':1}", "\x00", " " * 100_000,
        ]
    ),
)  # fmt: skip


@given(_NOISE)
@MANY
def test_a_text_is_read_or_refused(text: Any) -> None:
    with contained():
        value = secure_json_loads(text)
        assert json.loads(text if isinstance(text, str) else text.decode()) == value


@given(st.sampled_from(list(KIT.tools)), _NOISE)
@MANY
def test_a_call_on_any_text_has_a_result(name: str, text: Any) -> None:
    with contained(refuses=False):
        result = BOUND.call_json_sync(name, text)
    assert isinstance(result, HandlerResult)
    json.loads(result.to_json())
    assert len(result.to_json()) < 300_000


@given(st.sampled_from(list(KIT.tools)), st.one_of(json_values(), st.from_type(type).map(lambda kind: kind)))
@FEW
def test_a_call_on_any_value_has_a_result(name: str, params: Any) -> None:
    with contained(refuses=False):
        result = BOUND.call_sync(name, params)
    json.loads(result.to_json())


@given(_NOISE)
@FEW
def test_the_fast_way_and_the_careful_way_of_reading_agree(text: Any) -> None:
    """A flat object is read without hooks; wrapped in an array, the same text is read with all of them."""
    if not isinstance(text, str) or len(text) > 1000:
        return

    def outcome(source: str) -> object:
        try:
            return secure_json_loads(source)
        except JsonTextError:
            return "refused"

    direct, wrapped = outcome(text), outcome(f'[{{"x": {{}}}}, {text}]')
    if wrapped != "refused" and len(wrapped) == 2:  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
        assert direct == wrapped[1]  # type: ignore[index]  # pyright: ignore[reportIndexIssue]
    elif text.lstrip()[:1] == "{" and text.count("[") < 90:
        assert direct == "refused"


@pytest.mark.parametrize("name", list(KIT.tools))
def test_time_grows_with_the_length_of_a_text_and_no_faster(name: str) -> None:
    def seconds(count: int) -> float:
        text = '{"location": "' + "x" * count + '", "a": "' + "a" * count + '!"}'
        best = 9.0
        for _ in range(3):
            started = time.process_time()
            BOUND.call_json_sync(name, text)
            best = min(best, time.process_time() - started)
        return best

    assert seconds(400_000) < 40 * max(seconds(40_000), 0.0005)
