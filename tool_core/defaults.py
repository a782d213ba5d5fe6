"""A default that a parameter's JSON Schema shows, though decoding does not fill it in. Layer 1."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ShownDefault:
    """Metadata for `Annotated`: the function fills its default in, and the model reads what it is.

    >>> ShownDefault.of([1, 2]), ShownDefault.of(object())
    (ShownDefault(text='[1, 2]'), None)
    """

    text: str

    @staticmethod
    def of(default: object) -> ShownDefault | None:
        """Write a default as JSON; one that is not JSON is the function's own business."""
        try:
            return ShownDefault(json.dumps(default, allow_nan=False))
        except (TypeError, ValueError, RecursionError):
            return None

    def __get_pydantic_json_schema__(
        self, schema: object, describe: Callable[[object], dict[str, object]]
    ) -> dict[str, object]:
        return {**describe(schema), "default": json.loads(self.text)}
