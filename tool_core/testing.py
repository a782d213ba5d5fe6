"""Help for testing tools without a model. Edge."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, cast

from typing_extensions import TypeVar

from tool_core.bound_toolkits import BoundToolkit
from tool_core.context import Context
from tool_core.errors import ToolConfigurationError
from tool_core.middleware import Call, Next
from tool_core.outcomes import HandlerResult
from tool_core.queries import get_description, get_json_schema
from tool_core.samples import sample_values
from tool_core.strict import ANTHROPIC_STRICT, GOOGLE_STRICT, OPENAI_STRICT, strictify
from tool_core.toolkits import Toolkit
from tool_core.tools import AnyTool

Tools = TypeVar("Tools")
Provided = TypeVar("Provided")
R = TypeVar("R")


def call_tool(
    tool: AnyTool, handler: Callable[..., object], params: object, *, context: Context[Any] | None = None
) -> HandlerResult[object]:
    """Call one tool with one handler, as a model would, without a toolkit or a loop.

    >>> from tool_core import Tool
    >>> call_tool(Tool.make("Double", parameters=int, success=int), lambda n: 2 * n, 21).result
    42
    """
    return (
        Toolkit.make(tool)
        .bind({tool.name: handler}, context=context or Context())
        .call_sync(tool.name, params)
    )


def swap_services(
    bound: BoundToolkit[Tools, Provided], services: Context[R]
) -> BoundToolkit[Tools, Provided | R]:
    """Return the bound toolkit with other services, such as doubles.

    >>> from tool_core import Key, Tool
    >>> CLOCK = Key("clock", float)
    >>> kit = Toolkit.make(Tool.make("Now", success=float, dependencies=[CLOCK]))
    >>> bound = kit.bind({"Now": lambda params, ctx: ctx.get(CLOCK)}, context=Context().add(CLOCK, 1.0))
    >>> swap_services(bound, Context().add(CLOCK, 2.0)).call_sync("Now", {}).result
    2.0
    """
    swapped: object = replace(bound, context=bound.context.merge(services))
    return cast("BoundToolkit[Tools, Provided | R]", swapped)


@dataclass(frozen=True, slots=True)
class Recorder:
    """Middleware that remembers every call and its result.

    >>> from tool_core import Tool
    >>> recorder = Recorder()
    >>> bound = Toolkit.make(Tool.make("Now", success=int)).bind({"Now": lambda params: 5}, wrap=recorder)
    >>> _ = bound.call_sync("Now", {})
    >>> [(call.name, result.result) for call, result in recorder.calls]
    [('Now', 5)]
    """

    calls: list[tuple[Call, HandlerResult[object]]] = field(default_factory=list)

    async def __call__(self, call: Call, next_: Next) -> HandlerResult[object]:
        """Run the call and remember it."""
        result = await next_(call)
        self.calls.append((call, result))
        return result


def example_arguments(tool: AnyTool, count: int = 1, seed: int = 0) -> list[object]:
    """Make arguments that a tool accepts, from its type or from its JSON Schema.

    >>> from tool_core import Tool
    >>> tool = Tool.make("Repeat", parameters=int)
    >>> [isinstance(value, int) for value in example_arguments(tool, 2)]
    [True, True]
    """
    schema = get_json_schema(tool)
    chooser = random.Random(seed)
    found: list[object] = []
    for _ in range(10):
        for value in sample_values(schema, 4 * count, chooser.randrange(2**31)):
            if len(found) < count and _is_accepted(tool, value):
                found.append(value)
        if len(found) == count:
            return found
    raise ToolConfigurationError(tool.name, "no arguments could be found that the tool accepts")


def wire_snapshot(toolkit: Toolkit[Any]) -> dict[str, list[dict[str, object]]]:
    """Show what each provider would be sent for each tool under strict mode, to compare with a stored copy.

    >>> from tool_core import Tool
    >>> wire_snapshot(Toolkit.make(Tool.make("Now")))["openai"][0]["parameters"]["type"]
    'object'
    """
    dialects = (OPENAI_STRICT, ANTHROPIC_STRICT, GOOGLE_STRICT)
    return {str(dialect.family): [_sent(tool, dialect) for tool in toolkit] for dialect in dialects}


def _sent(tool: AnyTool, dialect: Any) -> dict[str, object]:
    form = strictify(get_json_schema(tool), dialect)
    return {"name": tool.name, "description": get_description(tool), "parameters": form.schema}


def _is_accepted(tool: AnyTool, value: object) -> bool:
    try:
        tool.parameters_schema.decode(value)
    except Exception:  # a stranger's schema may refuse in its own way
        return False
    return True
