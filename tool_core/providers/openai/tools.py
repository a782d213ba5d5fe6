"""The tools that OpenAI defines. Layer 3.

What a tool is configured with is checked when it is made. Those that require a handler run in this
process under the names of the API; the others OpenAI runs itself.
"""

from __future__ import annotations

from tool_core.provider_tools import ProviderTool
from tool_core.providers.catalogues import checked_tool
from tool_core.providers.openai.tool_args import (
    CodeInterpreterArgs,
    FileSearchArgs,
    ImageGenerationArgs,
    McpArgs,
    WebSearchArgs,
    WebSearchPreviewArgs,
)
from tool_core.providers.openai.tool_calls import (
    ApplyPatchCall,
    ApplyPatchResult,
    CodeInterpreterCall,
    CodeInterpreterResult,
    FileSearchResult,
    ImageGenerationResult,
    LocalShellCall,
    LocalShellResult,
    McpResult,
    ShellCall,
    ShellResult,
    WebSearchCall,
    WebSearchResult,
)
from tool_core.tools import Tool

ApplyPatch = Tool.provider_defined(
    id="openai.apply_patch",
    custom_name="OpenAiApplyPatch",
    provider_name="apply_patch",
    parameters=ApplyPatchCall,
    success=ApplyPatchResult,
    requires_handler=True,
)
"""The model changes files by patches, which the handler applies.

>>> ApplyPatch(failure_mode="return").requires_handler
True
"""

CodeInterpreter = Tool.provider_defined(
    id="openai.code_interpreter",
    custom_name="OpenAiCodeInterpreter",
    provider_name="code_interpreter",
    args=CodeInterpreterArgs,
    parameters=CodeInterpreterCall,
    success=CodeInterpreterResult,
)
"""OpenAI runs Python in a container.

>>> CodeInterpreter({"container": {"type": "auto"}}).args
{'container': {'type': 'auto'}}
"""

FileSearch = Tool.provider_defined(
    id="openai.file_search",
    custom_name="OpenAiFileSearch",
    provider_name="file_search",
    args=FileSearchArgs,
    success=FileSearchResult,
)
"""OpenAI searches vector stores.

>>> FileSearch({"vector_store_ids": []}).args
{'vector_store_ids': []}
"""

ImageGeneration = Tool.provider_defined(
    id="openai.image_generation",
    custom_name="OpenAiImageGeneration",
    provider_name="image_generation",
    args=ImageGenerationArgs,
    success=ImageGenerationResult,
)
"""OpenAI makes images.

>>> ImageGeneration({"quality": "high"}).args
{'quality': 'high'}
"""

LocalShell = Tool.provider_defined(
    id="openai.local_shell",
    custom_name="OpenAiLocalShell",
    provider_name="local_shell",
    parameters=LocalShellCall,
    success=LocalShellResult,
    requires_handler=True,
)
"""The model runs single commands through the handler.

>>> LocalShell().provider_name
'local_shell'
"""

Mcp = Tool.provider_defined(
    id="openai.mcp",
    custom_name="OpenAiMcp",
    provider_name="mcp",
    args=McpArgs,
    parameters=object,
    success=McpResult,
)
"""OpenAI calls the tools of an MCP server; give each server's tool a name of its own.

>>> Mcp({"server_label": "docs", "server_url": "https://example.org/mcp"}).args["server_label"]
'docs'
"""

Shell = Tool.provider_defined(
    id="openai.shell",
    custom_name="OpenAiShell",
    provider_name="shell",
    parameters=ShellCall,
    success=ShellResult,
    requires_handler=True,
)
"""The model runs commands through the handler.

>>> Shell().provider_name
'shell'
"""

WebSearch = Tool.provider_defined(
    id="openai.web_search",
    custom_name="OpenAiWebSearch",
    provider_name="web_search",
    args=WebSearchArgs,
    parameters=WebSearchCall,
    success=WebSearchResult,
)
"""OpenAI searches the web.

>>> WebSearch({"search_context_size": "high"}).args
{'search_context_size': 'high'}
"""

WebSearchPreview = Tool.provider_defined(
    id="openai.web_search_preview",
    custom_name="OpenAiWebSearchPreview",
    provider_name="web_search_preview",
    args=WebSearchPreviewArgs,
    parameters=WebSearchCall,
    success=WebSearchResult,
)
"""OpenAI searches the web, with the tool of older models.

>>> WebSearchPreview({}).args
{}
"""

IDS = frozenset(
    f"openai.{name}"
    for name in (
        "apply_patch", "code_interpreter", "file_search", "image_generation", "local_shell", "mcp", "shell",
        "web_search", "web_search_preview",
    )
)  # fmt: skip

INCLUDES = {
    "code_interpreter": "code_interpreter_call.outputs",
    "file_search": "file_search_call.results",
    "web_search": "web_search_call.action.sources",
    "web_search_preview": "web_search_call.action.sources",
}
"""What a response leaves out unless it is asked for."""


def openai_tool(tool: ProviderTool) -> ProviderTool:
    """Return a tool that OpenAI knows, or say that it does not."""
    return checked_tool(tool, "OpenAI", IDS)
