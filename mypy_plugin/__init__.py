"""A mypy plugin that checks toolkits key by key. It knows `tool_core` by names only."""

from __future__ import annotations

from mypy.plugin import Plugin


class ToolPlugin(Plugin):
    """The entry point; with no hooks it leaves every type as portable typing has it."""


def plugin(_version: str) -> type[Plugin]:
    """Return the plugin class, as mypy asks for it."""
    return ToolPlugin
