"""Annotations: defaults, checks when set, and values that need not be hashable."""

import pickle
from typing import Any

import pytest

from tool_core import (
    Annotation,
    Annotations,
    Destructive,
    Idempotent,
    Meta,
    OpenWorld,
    Readonly,
    Strict,
    Title,
    Tool,
    ToolConfigurationError,
    get_strict_mode,
)


def test_unset_annotations_read_as_their_defaults() -> None:
    annotations = Tool.make("t").annotations
    assert annotations.get(Title) is None
    assert annotations.get(Meta) is None
    assert annotations.get(Readonly) is False
    assert annotations.get(Destructive) is True
    assert annotations.get(Idempotent) is False
    assert annotations.get(OpenWorld) is True
    assert annotations.get(Strict) is None
    assert Title not in annotations


@pytest.mark.parametrize("value", [True, False, 1, 100, 0.5, None])
def test_strict_takes_a_flag_or_a_priority(value: bool | float | None) -> None:
    assert get_strict_mode(Tool.make("t").annotate(Strict, value)) is value


@pytest.mark.parametrize("make", [Tool.make, Tool.dynamic])
def test_strict_can_be_set_on_every_kind_of_tool(make: Any) -> None:
    assert get_strict_mode(make("t")) is None
    assert get_strict_mode(make("t").annotate(Strict, False)) is False


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        (Title, 3, "annotation 'tool_core/Title': expected str, got int"),
        (Readonly, "yes", "annotation 'tool_core/Readonly': expected bool, got str"),
        (Meta, [], "annotation 'tool_core/Meta': expected collections.abc.Mapping[str, object], got list"),
        (Strict, "yes", "annotation 'tool_core/Strict': expected bool | int | float | None, got str"),
        (Strict, 0, "annotation 'tool_core/Strict': a priority is a number above 0"),
        (Strict, float("inf"), "annotation 'tool_core/Strict': a priority is a number above 0"),
        ("Title", "t", "an annotation key is an Annotation, not 'Title'"),
    ],
)
def test_a_wrong_value_is_refused_when_it_is_set(key: Any, value: object, message: str) -> None:
    with pytest.raises(ToolConfigurationError) as caught:
        Tool.make("t").annotate(key, value)
    assert str(caught.value) == f"Invalid configuration for tool 't': {message}"


def test_merging_lets_the_later_value_win() -> None:
    first = Annotations().set(Title, "a").set(Readonly, True)
    merged = first.merge(Annotations().set(Title, "b"))
    assert (merged.get(Title), merged.get(Readonly)) == ("b", True)
    assert Tool.make("t").annotate_merge(merged).annotations == merged


def test_a_map_with_unhashable_values_is_hashable_and_picklable() -> None:
    annotations = Annotations().set(Meta, {"ui": {"uri": "ui://x"}})
    assert hash(annotations) == hash(Annotations().set(Meta, {"ui": {"uri": "ui://x"}}))
    assert pickle.loads(pickle.dumps(annotations)) == annotations


def test_users_can_make_their_own_keys() -> None:
    cost = Annotation("example/cost", float, 0.0)
    assert Tool.make("t").annotate(cost, 0.5).annotations.get(cost) == 0.5
    assert Tool.make("t").annotations.get(cost) == 0.0
