"""The names of tools on the wire: each provider's alphabet and length, and the way back. Layer 3."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from tool_core.errors import ToolConfigurationError
from tool_core.provider_tools import ProviderTool
from tool_core.tools import AnyTool

_DIGEST = 8


@dataclass(frozen=True, slots=True)
class NameRule:
    """Which names a provider takes.

    >>> NameRule("[^A-Za-z0-9_-]", 64).wire_name("files.read")
    'files_read'
    """

    illegal: str
    """A regular expression for the characters that are not allowed."""
    longest: int
    first: str = r"."
    """A regular expression that the first character must match."""

    def wire_name(self, name: str) -> str:
        """Map a name; one that is too long keeps its beginning and gets a digest of the whole."""
        legal = re.sub(self.illegal, "_", name)
        if not re.match(self.first, legal):
            legal = f"_{legal}"
        if len(legal) <= self.longest:
            return legal
        digest = hashlib.sha256(name.encode()).hexdigest()[:_DIGEST]
        return f"{legal[: self.longest - _DIGEST - 1]}_{digest}"


def wire_names(
    tools: Iterable[AnyTool], rule: NameRule, provider_name: Callable[[ProviderTool], str]
) -> dict[str, str]:
    """Give every tool its name on the wire; two tools with one name there are an error.

    >>> from tool_core import Tool
    >>> wire_names([Tool.make("a.b")], NameRule("[^a-z_]", 64), lambda tool: tool.provider_name)
    {'a.b': 'a_b'}
    """
    names: dict[str, str] = {}
    owners: dict[str, AnyTool] = {}
    for tool in tools:
        name = provider_name(tool) if isinstance(tool, ProviderTool) else rule.wire_name(tool.name)
        if name in owners:
            both = f"{owners[name].name!r} and {tool.name!r}"
            raise ToolConfigurationError(
                tool.name, f"{both} would both be {name!r} to the provider; {_fix(owners[name], tool)}"
            )
        owners[name] = tool
        names[tool.name] = name
    return names


def _fix(first: AnyTool, second: AnyTool) -> str:
    if isinstance(first, ProviderTool) and isinstance(second, ProviderTool):
        return "a request takes one of them: leave the other out with `toolkit.filter` or the tool choice"
    return "rename the one that is yours with `toolkit.rename`"
