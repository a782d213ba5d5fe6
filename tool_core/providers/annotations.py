"""What a tool can say about itself to providers only. Layer 3."""

from __future__ import annotations

from tool_core.annotations import Annotation
from tool_core.providers.apis import Draft
from tool_core.tools import AnyTool

DeferLoading: Annotation[bool, bool] = Annotation("tool_core/DeferLoading", bool, False)
"""The tool is loaded only when the model finds it with the provider's tool search. False unless set.

>>> from tool_core import Tool
>>> Tool.make("Rare").annotate(DeferLoading, True).annotations.get(DeferLoading)
True
"""


def is_deferred(tool: AnyTool, draft: Draft) -> bool:
    """Tell whether to defer a tool: without a tool search in the request nobody could find it."""
    searches = any(other.provider_name.startswith("tool_search") for other in draft.provider_tools)
    return searches and tool.annotations.get(DeferLoading)
