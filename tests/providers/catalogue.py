"""Every provider-defined tool that ships, with arguments that configure it fully."""

from __future__ import annotations

from typing import Any

from tool_core import Toolkit
from tool_core.providers import anthropic, google, openai

PLACE: Any = {
    "type": "approximate",
    "city": "Oslo",
    "country": "NO",
    "region": "Oslo",
    "timezone": "Europe/Oslo",
}
DISPLAY: Any = {"display_width_px": 1280, "display_height_px": 800, "display_number": 1}
ZOOMABLE: Any = {**DISPLAY, "enable_zoom": True}
FILTER: Any = {
    "type": "and",
    "filters": [{"type": "eq", "key": "year", "value": 2026}, {"type": "or", "filters": []}],
}

OPENAI: dict[str, Any] = {
    "ApplyPatch": openai.ApplyPatch(),
    "CodeInterpreter": openai.CodeInterpreter(
        {"container": {"type": "auto", "file_ids": ["f"], "memory_limit": "4g", "network_policy": {"type": "allowlist", "allowed_domains": ["example.org"]}}}
    ),
    "FileSearch": openai.FileSearch({"vector_store_ids": ["vs_1"], "filters": FILTER, "max_num_results": 3, "ranking_options": {"ranker": "auto"}}),
    "ImageGeneration": openai.ImageGeneration({"quality": "high", "size": "1024x1024", "output_format": "png"}),
    "LocalShell": openai.LocalShell(),
    "Mcp": openai.Mcp({"server_label": "docs", "server_url": "https://example.org/mcp", "require_approval": {"never": {"tool_names": ["read"]}}, "allowed_tools": ["read"]}),
    "Shell": openai.Shell(),
    "WebSearch": openai.WebSearch({"search_context_size": "high", "user_location": PLACE, "filters": {"allowed_domains": ["example.org"]}}),
    "WebSearchPreview": openai.WebSearchPreview({"search_context_size": "low", "user_location": PLACE}),
}  # fmt: skip

ANTHROPIC: dict[str, Any] = {
    "Bash_20241022": anthropic.Bash_20241022(),
    "Bash_20250124": anthropic.Bash_20250124(),
    "CodeExecution_20250522": anthropic.CodeExecution_20250522(),
    "CodeExecution_20250825": anthropic.CodeExecution_20250825(),
    "ComputerUse_20241022": anthropic.ComputerUse_20241022(DISPLAY),
    "ComputerUse_20250124": anthropic.ComputerUse_20250124(DISPLAY),
    "ComputerUse_20251124": anthropic.ComputerUse_20251124(ZOOMABLE),
    "Memory_20250818": anthropic.Memory_20250818(),
    "TextEditor_20241022": anthropic.TextEditor_20241022(),
    "TextEditor_20250124": anthropic.TextEditor_20250124(),
    "TextEditor_20250429": anthropic.TextEditor_20250429(),
    "TextEditor_20250728": anthropic.TextEditor_20250728({"max_characters": 10_000}),
    "ToolSearchRegex_20251119": anthropic.ToolSearchRegex_20251119(),
    "ToolSearchBM25_20251119": anthropic.ToolSearchBM25_20251119(),
    "WebFetch_20250910": anthropic.WebFetch_20250910({"max_uses": 2, "allowed_domains": ["example.org"], "citations": {"enabled": True}, "max_content_tokens": 1000}),
    "WebSearch_20250305": anthropic.WebSearch_20250305({"max_uses": 2, "blocked_domains": ["example.org"], "user_location": PLACE}),
}  # fmt: skip

GOOGLE: dict[str, Any] = {
    "CodeExecution": google.CodeExecution(),
    "EnterpriseWebSearch": google.EnterpriseWebSearch({"exclude_domains": ["example.org"]}),
    "FileSearch": google.FileSearch({"file_search_store_names": ["fileSearchStores/a"], "top_k": 3, "metadata_filter": "year = 2026"}),
    "GoogleMaps": google.GoogleMaps({"enable_widget": True}),
    "GoogleSearch": google.GoogleSearch({"exclude_domains": ["example.org"], "time_range_filter": {"start_time": "2026-01-01T00:00:00Z", "end_time": "2026-02-01T00:00:00Z"}}),
    "GoogleSearchRetrieval": google.GoogleSearchRetrieval({"dynamic_retrieval_config": {"mode": "MODE_DYNAMIC", "dynamic_threshold": 0.3}}),
    "UrlContext": google.UrlContext(),
}  # fmt: skip

CATALOGUE = [
    *(("responses", tool) for tool in OPENAI.values()),
    *(("messages", tool) for tool in ANTHROPIC.values()),
    *(("generate", tool) for tool in GOOGLE.values()),
]


def kit_of(tool: Any) -> Toolkit[Any]:
    return Toolkit.make(tool)
