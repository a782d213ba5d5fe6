"""Ids for the calls that come without one, as from Google and from some gateways. Layer 3."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from itertools import chain, repeat

from tool_core.providers.apis import Plain

OWN_ID = "tool-core-call-"
"""Begins such an id."""


def own_ids(response_id: object, items: Sequence[Plain]) -> Iterator[str]:
    """Give each item an id that no other response gives, the same however it is read; more follow.

    A response without an id is known by its items up to the one in question.

    >>> ids = own_ids("resp_1", [{"name": "Now"}])
    >>> next(ids), next(ids)
    ('tool-core-call-resp_1-0', 'tool-core-call-resp_1-1')
    """
    known = response_id if isinstance(response_id, str) else ""
    digest = hashlib.sha256()
    for number, item in enumerate(chain(items, repeat(None))):
        if not known:
            digest.update(json.dumps(item, default=repr, sort_keys=True).encode())
        yield f"{OWN_ID}{known or digest.hexdigest()[:16]}-{number}"
