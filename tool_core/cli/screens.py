"""The terminal: where tables go, how wide they are, and a sign of life while it takes long. Edge."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from subprocess import TimeoutExpired
from threading import Timer
from typing import TYPE_CHECKING

from rich.console import Console, RenderableType

if TYPE_CHECKING:
    from tool_core.cli.type_checks import RunningCheck, TypeCheck

_PATIENCE = 1.0
"""How many seconds may pass before a sign of life is due."""


def output() -> Console:
    """Open standard output: colour and width as the terminal has them, plain where it is none."""
    return Console(highlight=False, emoji=False, markup=False)


def errors() -> Console:
    """Open standard error."""
    return Console(stderr=True, highlight=False, emoji=False, markup=False)


def show(console: Console, *blocks: RenderableType) -> None:
    """Print blocks without the blanks with which tables fill their lines."""
    for block in blocks:
        with console.capture() as captured:
            console.print(block)
        console.file.write("".join(f"{line.rstrip()}\n" for line in captured.get().splitlines()))


@contextmanager
def progress(title: str, total: int) -> Iterator[Callable[[], None]]:
    """Show a bar on standard error once the work takes longer than a second, and take it away after."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    console = errors()
    if not console.is_terminal:
        yield lambda: None
        return
    bar = Progress(
        TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), console=console, transient=True
    )
    task = bar.add_task(title, total=total)
    timer = Timer(_PATIENCE, bar.start)
    timer.start()
    try:
        yield lambda: bar.advance(task)
    finally:
        timer.cancel()
        timer.join()
        if bar.live.is_started:
            bar.stop()


def waited(check: RunningCheck) -> TypeCheck:
    """Wait for mypy, with a sign of life once it takes longer than a second."""
    with suppress(TimeoutExpired):
        return check.finished(_PATIENCE)
    console = errors()
    with console.status("mypy reads the handlers") if console.is_terminal else nullcontext():
        return check.finished()
