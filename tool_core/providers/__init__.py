"""Providers: exactly what OpenAI, Anthropic and Google accept, and the way back. Layer 3.

Pure functions on plain data and on the objects of the official SDKs, which are never imported:
`from tool_core.providers import openai`, then `openai.prepare_tools(kit, model="gpt-5")`.
"""

from tool_core.providers.annotations import DeferLoading
from tool_core.providers.prepared import Prepared
from tool_core.providers.refusals import is_refusal
from tool_core.providers.streams import StreamReader

__all__ = ["DeferLoading", "Prepared", "StreamReader", "is_refusal"]
