"""Several bound toolkits as one: other servers' tools beside your own. Edge."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from typing_extensions import Unpack

from tool_core.binding import BindOptions
from tool_core.bound_toolkits import BoundToolkit
from tool_core.errors import ToolConfigurationError
from tool_core.limits import ALL, ConcurrencyOption
from tool_core.middleware import Call, Next, Wrap, compose
from tool_core.outcomes import HandlerResult
from tool_core.toolkits import Toolkit
from tool_core.turnstiles import Turnstile

if TYPE_CHECKING:
    from tool_core.mcp.clients import Remote


def merge(*sources: Remote | BoundToolkit[Any], **options: Unpack[BindOptions]) -> BoundToolkit:
    """Make one bound toolkit of several servers' and your own.

    Every tool keeps its time limit, its middleware, its services and the concurrency of the toolkit
    that it came from; `options` add to them: `wrap` goes around all, `concurrency` holds beside theirs,
    only a `timeout` replaces theirs. Two tools of one name are an error: `connect(..., prefix="git_")`
    keeps servers apart.

    >>> from tool_core import Tool
    >>> one = Toolkit.make(Tool.make("now", success=int)).bind({"now": lambda params: 12})
    >>> two = Toolkit.make(Tool.make("then", success=int)).bind({"then": lambda params: 9})
    >>> merge(one, two)
    BoundToolkit(now, then)
    """
    kits: list[BoundToolkit[Any]] = [
        source if isinstance(source, BoundToolkit) else source.bound for source in sources
    ]
    merged = Toolkit.merge(*(kit.toolkit for kit in kits))
    owners = {name: kit for kit in kits for name in kit.entries}
    entries = {name: kit.entries[name] for name, kit in owners.items()}
    own: BindOptions = {
        "timeout": {name: entry.timeout for name, entry in entries.items() if entry.timeout is not None},
        **_shared_runner(kits, options),
        **options,
        "concurrency": {
            **{name: entry.concurrency for name, entry in entries.items() if entry.concurrency is not None},
            **_by_name(options.get("concurrency", {})),
        },
    }
    outer = own.get("wrap")
    own["wrap"] = _routed(owners) if outer is None else compose(outer, _routed(owners))
    return merged.bind({name: entry.handler for name, entry in entries.items()}, **own)


def _routed(owners: Mapping[str, BoundToolkit[Any]]) -> Wrap:
    """Give every call the services and the middleware of the toolkit that its tool came from."""

    turnstiles = {id(owner): Turnstile(owner.concurrency) for owner in owners.values()}

    async def route(call: Call, next_: Next) -> HandlerResult[object]:
        owner = owners[call.name]
        with_services = replace(call, context=owner.context.merge(call.context))
        async with turnstiles[id(owner)].entered():
            return await (next_(with_services) if owner.wrap is None else owner.wrap(with_services, next_))

    return route


def _by_name(limit: ConcurrencyOption) -> Mapping[str, int]:
    return limit if isinstance(limit, Mapping) else {ALL: limit}


def _shared_runner(kits: list[BoundToolkit[Any]], options: BindOptions) -> BindOptions:
    if not kits or {"executor", "run_sync"} <= options.keys():
        return {}
    first = kits[0].runner
    if any((kit.runner.executor, kit.runner.run_sync) != (first.executor, first.run_sync) for kit in kits):
        raise ToolConfigurationError(
            None, "the toolkits run plain functions in different places: give merge executor and run_sync"
        )
    return {"executor": first.executor, "run_sync": first.run_sync}
