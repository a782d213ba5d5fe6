"""Which provider-defined tools a provider knows. Layer 3."""

from __future__ import annotations

from collections.abc import Collection

from tool_core.errors import ToolConfigurationError
from tool_core.names import did_you_mean
from tool_core.provider_tools import ProviderTool


def checked_tool(tool: ProviderTool, provider: str, known: Collection[str]) -> ProviderTool:
    """Return a tool that the provider knows; another's, or an unknown one, is an error that names the fix.

    >>> from tool_core import Tool
    >>> bash = Tool.provider_defined(id="anthropic.bash", custom_name="Bash", provider_name="bash")()
    >>> checked_tool(bash, "OpenAI", ["openai.shell"])
    Traceback (most recent call last):
        ...
    tool_core.errors.ToolConfigurationError: Invalid configuration for tool 'Bash': \
OpenAI has no tool 'anthropic.bash'; it has openai.shell
    """
    if tool.id in known:
        return tool
    is_theirs = tool.id.startswith(f"{provider.lower()}.")
    hint = did_you_mean(tool.id, known) if is_theirs else ""
    raise ToolConfigurationError(
        tool.name, f"{provider} has no tool {tool.id!r}{hint}; it has {', '.join(sorted(known))}"
    )
