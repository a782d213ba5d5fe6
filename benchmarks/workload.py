"""The tools that every subject defines and calls: functions in a source file, as users write them."""

from __future__ import annotations

import importlib.util
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

TEXT = '{"location": "Oslo", "units": "celsius"}'
BAD_TEXT = '{"location": 3, "units": "kelvin"}'
SCHEMA = {
    "type": "object",
    "properties": {"location": {"type": "string"}, "units": {"enum": ["celsius", "fahrenheit"]}},
    "required": ["location", "units"],
    "additionalProperties": False,
}

_FOLDER = tempfile.TemporaryDirectory()  # the source stays readable as long as the process lives
_HEAD = """from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict


class Weather(TypedDict):
    temperature: float
    place: str
"""

_TOOL = '''

{kind}def {name}(location: str, units: Literal["celsius", "fahrenheit"], days: int = 1) -> Weather:
    """Current weather as station {name} measures it.

    Args:
        location: The place, such as Oslo.
        units: The unit of the answer.
        days: How many days ahead.
    """
    return {{"temperature": 3.5, "place": location}}
'''


def functions(count: int, prefix: str = "tool") -> list[Any]:
    """Write a module of so many functions, the first two of which are async and sync, and import it."""
    names = [f"{prefix}_async", f"{prefix}_sync", *(f"{prefix}_{number}" for number in range(count - 2))]
    tools = [_TOOL.format(kind="async " if name.endswith("_async") else "", name=name) for name in names]
    path = Path(_FOLDER.name) / f"{prefix}_module.py"
    path.write_text(_HEAD + "".join(tools))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[path.stem] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return [getattr(module, name) for name in names]


def answer(params: Any) -> Any:
    """The handler of a tool that is known by a raw JSON Schema."""
    return {"temperature": 3.5, "place": params["location"]}


def floor() -> str:
    """The least that a call can be: read the text, run the handler, write the text."""
    return json.dumps(answer(json.loads(TEXT)))


async def floor_async() -> str:
    """The same for a coroutine."""
    return json.dumps(await _answer_async(json.loads(TEXT)))


async def _answer_async(params: Any) -> Any:
    return {"temperature": 3.5, "place": params["location"]}
