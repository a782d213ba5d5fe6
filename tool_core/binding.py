"""Binding handlers to a toolkit: every mistake at once, before anything runs. Edge."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from typing import TYPE_CHECKING, Any, Literal

from typing_extensions import TypedDict

from tool_core.bound_toolkits import BoundToolkit
from tool_core.context import Context
from tool_core.entries import Entry
from tool_core.errors import ToolConfigurationError
from tool_core.handlers import HandlerShape, handler_problems
from tool_core.implementations import Implementation
from tool_core.limits import ALL, ConcurrencyOption, TimeoutOption, concurrency_for, timeout_for
from tool_core.middleware import Wrap
from tool_core.names import did_you_mean
from tool_core.running import Runner
from tool_core.turnstiles import Turnstile

if TYPE_CHECKING:
    from tool_core.toolkits import Toolkit


class BindOptions(TypedDict, total=False):
    """The limits and hooks of a bound toolkit; all have defaults."""

    timeout: TimeoutOption
    """Seconds, or `Timeout(absolute=, idle=)`, for all tools or by name. None by default."""
    concurrency: ConcurrencyOption
    """How many calls of a turn may run at once, for the toolkit or by name. 16 by default."""
    wrap: Wrap | None
    """Middleware around every call."""
    executor: Executor | None
    """Where plain functions run: threads by default, or processes, or a cluster."""
    run_sync: Literal["thread", "inline"]
    """Whether plain functions leave the event loop (`"thread"`) or, being quick, stay on it."""
    approval_key: bytes | str | None
    """The secret that binds approvals to calls; give one where answers may come after a restart."""
    context: Context[Any]
    """Services for every call; those of a request win over them."""
    enforce: bool
    """Whether handlers are checked against their tools by their annotations. True by default."""


def bind(toolkit: Toolkit[Any], handlers: Sequence[Any], options: BindOptions) -> BoundToolkit[Any]:
    """Build what `Toolkit.bind` describes."""
    unknown = set(options) - set(BindOptions.__annotations__)
    if unknown:
        name = sorted(unknown)[0]
        raise ToolConfigurationError(
            None, f"bind has no option {name!r}{did_you_mean(name, BindOptions.__annotations__)}"
        )
    _check_options(toolkit, options)
    by_name, faults = _by_name(toolkit, handlers)
    faults += _problems(toolkit, by_name, options.get("enforce", True))
    if faults:
        raise ToolConfigurationError(
            None, "the handlers do not fit the toolkit:\n" + "\n".join(f"- {item}" for item in faults)
        )
    timeout, concurrency = options.get("timeout"), options.get("concurrency", {})
    total = concurrency_for(concurrency, ALL) or 1
    entries = {
        name: Entry(
            toolkit._by_name[name],
            handler,
            HandlerShape.of(handler),
            timeout_for(timeout, name),
            concurrency_for(concurrency, name),
        )
        for name, handler in by_name.items()
    }
    return BoundToolkit(
        toolkit=toolkit,
        entries=entries,
        runner=_runner(options, total),
        context=options.get("context") or Context(),
        wrap=options.get("wrap"),
        concurrency=total,
        approval_key=_key(options.get("approval_key")),
        turnstiles={
            name: Turnstile(entry.concurrency)
            for name, entry in entries.items()
            if entry.concurrency is not None
        },
    )


def _check_options(toolkit: Toolkit[Any], options: BindOptions) -> None:
    for option, limits in (("timeout", options.get("timeout")), ("concurrency", options.get("concurrency"))):
        for name in limits if isinstance(limits, Mapping) else ():
            if name != ALL and name not in toolkit:
                hint = did_you_mean(str(name), toolkit._by_name)
                raise ToolConfigurationError(
                    None, f"{option} names {name!r}, which is not in the toolkit{hint}"
                )
    context, executor, wrap = options.get("context"), options.get("executor"), options.get("wrap")
    if context is not None and not isinstance(context, Context):
        raise ToolConfigurationError(None, f"context is a Context, not {type(context).__name__}")
    if executor is not None and not callable(getattr(executor, "submit", None)):
        raise ToolConfigurationError(None, f"executor is an Executor, not {type(executor).__name__}")
    if wrap is not None and not callable(wrap):
        raise ToolConfigurationError(
            None, f"wrap is a function of a call and the next, not {type(wrap).__name__}"
        )


def _by_name(
    toolkit: Toolkit[Any], handlers: Sequence[Any]
) -> tuple[dict[str, Callable[..., Any]], list[str]]:
    if len(handlers) == 1 and isinstance(handlers[0], Mapping):
        return dict(handlers[0]), []
    found: dict[str, Callable[..., Any]] = {}
    faults: list[str] = []
    for item in handlers:
        if not isinstance(item, Implementation):
            faults.append(
                f"bind takes one mapping of handlers, or implementations, not {type(item).__name__}"
            )
            continue
        name = item.tool.name
        if name in found:
            faults.append(f"{name}: it is implemented twice")
        elif name in toolkit and toolkit._by_name[name] != item.tool:
            faults.append(f"{name}: the implementation is of another tool, {item.tool!r}")
        found[name] = item.handler
    return found, faults


def _problems(toolkit: Toolkit[Any], handlers: Mapping[str, object], enforce: bool) -> list[str]:
    return [
        *_missing(toolkit, handlers),
        *_unknown(toolkit, handlers),
        *_ill_typed(toolkit, handlers, enforce),
    ]


def _missing(toolkit: Toolkit[Any], handlers: Mapping[str, object]) -> Iterator[str]:
    for tool in toolkit:
        if tool.requires_handler and tool.name not in handlers:
            yield f"{tool.name}: it has no handler"


def _unknown(toolkit: Toolkit[Any], handlers: Mapping[str, object]) -> Iterator[str]:
    for name in handlers:
        if name not in toolkit:
            yield f"{name}: the toolkit has no such tool{did_you_mean(str(name), toolkit._by_name)}"


def _ill_typed(toolkit: Toolkit[Any], handlers: Mapping[str, object], enforce: bool) -> Iterator[str]:
    for name, handler in handlers.items():
        if name in toolkit:
            for problem in handler_problems(toolkit._by_name[name], handler, enforce):
                yield f"{name}: {problem}"


def _runner(options: BindOptions, concurrency: int) -> Runner:
    run_sync = options.get("run_sync", "thread")
    if run_sync not in ("thread", "inline"):
        raise ToolConfigurationError(None, f"run_sync is 'thread' or 'inline', not {run_sync!r}")
    return Runner(options.get("executor"), run_sync, Turnstile(max(concurrency, 4)))


def _key(given: bytes | str | None) -> bytes:
    if given is None:
        return secrets.token_bytes(32)
    key = given.encode("utf-8", "surrogatepass") if isinstance(given, str) else given
    if not isinstance(key, bytes) or len(key) < 16:
        raise ToolConfigurationError(None, "approval_key is a secret of at least 16 bytes")
    return key
