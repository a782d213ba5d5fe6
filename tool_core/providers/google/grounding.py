"""What Google's own tools have done, as a candidate's metadata says it. Layer 3."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tool_core.providers.apis import Plain
from tool_core.providers.google.fields import field_of
from tool_core.providers.wire_items import WireCall, WireItem, WireResult


def grounded_items(candidate: Plain, own_id: str) -> Iterator[WireItem]:
    """Read the search and the pages that the answer is grounded on."""
    grounding = field_of(candidate, "grounding_metadata")
    if isinstance(grounding, Mapping) and (queries := field_of(grounding, "web_search_queries")):
        yield WireCall(f"{own_id}-search", "google_search", {"queries": queries}, executed=True)
        yield WireResult(f"{own_id}-search", "google_search", dict(grounding))
    pages = field_of(candidate, "url_context_metadata")
    if isinstance(pages, Mapping) and (read := field_of(pages, "url_metadata")):
        urls = [field_of(page, "retrieved_url") for page in read if isinstance(page, Mapping)]
        yield WireCall(f"{own_id}-pages", "url_context", {"urls": urls}, executed=True)
        yield WireResult(f"{own_id}-pages", "url_context", dict(pages))
