"""The drafts of JSON Schema: which one a schema names, and which keywords mean nothing to it. Layer 3."""

from __future__ import annotations

from typing import Any

_NEW: dict[str, frozenset[str]] = {
    "draft-04": frozenset(),
    "draft-06": frozenset({"const", "contains", "propertyNames"}),
    "draft-07": frozenset({"if", "then", "else"}),
    "2019-09": frozenset(
        {
            "dependentRequired", "dependentSchemas", "unevaluatedProperties", "unevaluatedItems",
            "minContains", "maxContains",
        }
    ),
    "2020-12": frozenset({"prefixItems"}),
}  # fmt: skip
"""By draft, in order: the keywords that it brought."""

LATEST = "2020-12"


def named_draft(schema: Any) -> str:
    """Say which draft a schema names: the latest where it names none, or one that nobody knows.

    >>> named_draft({"$schema": "http://json-schema.org/draft-07/schema#"}), named_draft({})
    ('draft-07', '2020-12')
    """
    named = schema.get("$schema") if isinstance(schema, dict) else None
    return next((draft for draft in _NEW if isinstance(named, str) and f"/{draft}/" in named), LATEST)


def unheeded_keywords(draft: str) -> frozenset[str]:
    """List the keywords that came after a draft: there they are the author's own words.

    >>> sorted(unheeded_keywords("2019-09"))
    ['prefixItems']
    """
    drafts = list(_NEW)
    return frozenset().union(*(_NEW[later] for later in drafts[drafts.index(draft) + 1 :]))
