"""The tools that Anthropic defines. Layer 3.

What a tool is configured with is checked when it is made. Versions of one tool have one name, so a
toolkit holds one of them unless they are renamed, and a request only ever takes one.
"""

from __future__ import annotations

from tool_core.provider_tools import ProviderTool
from tool_core.providers.anthropic.actions import (
    BashCall,
    ComputerCall,
    EditCall,
    EditOrUndoCall,
    FirstComputerCall,
    MemoryCall,
    Screen,
    ZoomingComputerCall,
)
from tool_core.providers.anthropic.server_calls import (
    Address,
    CodeExecutionCall,
    CodeExecutionResult,
    CodeResult,
    FoundTools,
    Hit,
    Page,
    Query,
    RunCode,
    ServerToolError,
)
from tool_core.providers.anthropic.tool_args import (
    Display,
    EditorArgs,
    WebFetchArgs,
    WebSearchArgs,
    ZoomableDisplay,
)
from tool_core.providers.catalogues import checked_tool
from tool_core.tools import Tool

Bash_20241022 = Tool.provider_defined(
    id="anthropic.bash_20241022",
    custom_name="AnthropicBash",
    provider_name="bash",
    parameters=BashCall,
    success=str,
    requires_handler=True,
)
"""The first version of `Bash_20250124`.

>>> Bash_20241022().id
'anthropic.bash_20241022'
"""

Bash_20250124 = Tool.provider_defined(
    id="anthropic.bash_20250124",
    custom_name="AnthropicBash",
    provider_name="bash",
    parameters=BashCall,
    success=str,
    requires_handler=True,
)
"""The model runs commands in a shell that the handler keeps open.

>>> Bash_20250124(failure_mode="return").requires_handler
True
"""

CodeExecution_20250522 = Tool.provider_defined(
    id="anthropic.code_execution_20250522",
    custom_name="AnthropicCodeExecution",
    provider_name="code_execution",
    parameters=RunCode,
    success=CodeResult,
    failure=ServerToolError,
)
"""Anthropic runs Python in a container; `CodeExecution_20250825` can do more.

>>> CodeExecution_20250522().parameters_schema.decode({"code": "1 + 1"})
{'code': '1 + 1'}
"""

CodeExecution_20250825 = Tool.provider_defined(
    id="anthropic.code_execution_20250825",
    custom_name="AnthropicCodeExecution",
    provider_name="code_execution",
    parameters=CodeExecutionCall,
    success=CodeExecutionResult,
    failure=ServerToolError,
)
"""Anthropic runs commands and edits files in a container; the parameters are a union.

>>> CodeExecution_20250825().parameters_schema.decode({"type": "bash_code_execution", "command": "ls"})
{'type': 'bash_code_execution', 'command': 'ls'}
"""

ComputerUse_20241022 = Tool.provider_defined(
    id="anthropic.computer_use_20241022",
    custom_name="AnthropicComputerUse",
    provider_name="computer",
    args=Display,
    parameters=FirstComputerCall,
    success=Screen,
    requires_handler=True,
)
"""The first version of `ComputerUse_20251124`, with fewer actions.

>>> ComputerUse_20241022({"display_width_px": 800, "display_height_px": 600}).name
'AnthropicComputerUse'
"""

ComputerUse_20250124 = Tool.provider_defined(
    id="anthropic.computer_20250124",
    custom_name="AnthropicComputerUse",
    provider_name="computer",
    args=Display,
    parameters=ComputerCall,
    success=Screen,
    requires_handler=True,
)
"""The second version of `ComputerUse_20251124`, without zoom.

>>> ComputerUse_20250124({"display_width_px": 800, "display_height_px": 600}).id
'anthropic.computer_20250124'
"""

ComputerUse_20251124 = Tool.provider_defined(
    id="anthropic.computer_20251124",
    custom_name="AnthropicComputerUse",
    provider_name="computer",
    args=ZoomableDisplay,
    parameters=ZoomingComputerCall,
    success=Screen,
    requires_handler=True,
)
"""The model uses a computer through the handler, which may answer with screenshots.

>>> ComputerUse_20251124({"display_width_px": 1280, "display_height_px": 800}).provider_name
'computer'
"""

Memory_20250818 = Tool.provider_defined(
    id="anthropic.memory_20250818",
    custom_name="AnthropicMemory",
    provider_name="memory",
    parameters=MemoryCall,
    success=str,
    requires_handler=True,
)
"""The model keeps files between conversations, through the handler.

>>> Memory_20250818().name
'AnthropicMemory'
"""

TextEditor_20241022 = Tool.provider_defined(
    id="anthropic.text_editor_20241022",
    custom_name="AnthropicTextEditor",
    provider_name="str_replace_editor",
    parameters=EditOrUndoCall,
    success=str,
    requires_handler=True,
)
"""The first version of `TextEditor_20250728`, which can undo.

>>> TextEditor_20241022().provider_name
'str_replace_editor'
"""

TextEditor_20250124 = Tool.provider_defined(
    id="anthropic.text_editor_20250124",
    custom_name="AnthropicTextEditor",
    provider_name="str_replace_editor",
    parameters=EditOrUndoCall,
    success=str,
    requires_handler=True,
)
"""The second version of `TextEditor_20250728`, which can undo.

>>> TextEditor_20250124().provider_name
'str_replace_editor'
"""

TextEditor_20250429 = Tool.provider_defined(
    id="anthropic.text_editor_20250429",
    custom_name="AnthropicTextEditor",
    provider_name="str_replace_based_edit_tool",
    parameters=EditCall,
    success=str,
    requires_handler=True,
)
"""The third version of `TextEditor_20250728`, without arguments.

>>> TextEditor_20250429().provider_name
'str_replace_based_edit_tool'
"""

TextEditor_20250728 = Tool.provider_defined(
    id="anthropic.text_editor_20250728",
    custom_name="AnthropicTextEditor",
    provider_name="str_replace_based_edit_tool",
    args=EditorArgs,
    parameters=EditCall,
    success=str,
    requires_handler=True,
)
"""The model edits files through the handler.

>>> TextEditor_20250728({"max_characters": 10_000}).args
{'max_characters': 10000}
"""

ToolSearchRegex_20251119 = Tool.provider_defined(
    id="anthropic.tool_search_tool_regex_20251119",
    custom_name="AnthropicToolSearchRegex",
    provider_name="tool_search_tool_regex",
    parameters=Query,
    success=FoundTools,
    failure=ServerToolError,
)
"""The model finds tools by regular expressions; see `ToolSearchBM25_20251119`.

>>> ToolSearchRegex_20251119().provider_name
'tool_search_tool_regex'
"""

ToolSearchBM25_20251119 = Tool.provider_defined(
    id="anthropic.tool_search_tool_bm25_20251119",
    custom_name="AnthropicToolSearchBM25",
    provider_name="tool_search_tool_bm25",
    parameters=Query,
    success=FoundTools,
    failure=ServerToolError,
)
"""The model finds tools that carry the annotation `DeferLoading`, so that they need not all be shown.

>>> ToolSearchBM25_20251119().provider_name
'tool_search_tool_bm25'
"""

WebFetch_20250910 = Tool.provider_defined(
    id="anthropic.web_fetch_20250910",
    custom_name="AnthropicWebFetch",
    provider_name="web_fetch",
    args=WebFetchArgs,
    parameters=Address,
    success=Page,
    failure=ServerToolError,
)
"""Anthropic fetches pages.

>>> WebFetch_20250910({"citations": {"enabled": True}}).args
{'citations': {'enabled': True}}
"""

WebSearch_20250305 = Tool.provider_defined(
    id="anthropic.web_search_20250305",
    custom_name="AnthropicWebSearch",
    provider_name="web_search",
    args=WebSearchArgs,
    parameters=Query,
    success=list[Hit],
    failure=ServerToolError,
)
"""Anthropic searches the web.

>>> WebSearch_20250305({"max_uses": 3}).args
{'max_uses': 3}
"""

_COMPUTER_USE = "computer-use-2025-01-24"
BETAS: dict[str, str | None] = {
    "anthropic.bash_20241022": "computer-use-2024-10-22",
    "anthropic.bash_20250124": _COMPUTER_USE,
    "anthropic.code_execution_20250522": "code-execution-2025-05-22",
    "anthropic.code_execution_20250825": "code-execution-2025-08-25",
    "anthropic.computer_use_20241022": "computer-use-2024-10-22",
    "anthropic.computer_20250124": _COMPUTER_USE,
    "anthropic.computer_20251124": "computer-use-2025-11-24",
    "anthropic.memory_20250818": "context-management-2025-06-27",
    "anthropic.text_editor_20241022": "computer-use-2024-10-22",
    "anthropic.text_editor_20250124": _COMPUTER_USE,
    "anthropic.text_editor_20250429": _COMPUTER_USE,
    "anthropic.text_editor_20250728": None,
    "anthropic.tool_search_tool_regex_20251119": "advanced-tool-use-2025-11-20",
    "anthropic.tool_search_tool_bm25_20251119": "advanced-tool-use-2025-11-20",
    "anthropic.web_fetch_20250910": "web-fetch-2025-09-10",
    "anthropic.web_search_20250305": None,
}
"""The beta that a tool needs, by its id."""


def wire_type(tool: ProviderTool) -> str:
    """Return the `type` of a tool on the wire.

    >>> wire_type(ComputerUse_20241022({"display_width_px": 800, "display_height_px": 600}))
    'computer_20241022'
    """
    return tool.id.removeprefix("anthropic.").replace("computer_use_", "computer_")


def anthropic_tool(tool: ProviderTool) -> str:
    """Return the name on the wire of a tool that Anthropic knows."""
    return checked_tool(tool, "Anthropic", BETAS).provider_name
