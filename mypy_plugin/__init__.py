"""A mypy plugin that checks toolkits key by key. It knows `tool_core` by names only.

Importing the package loads no mypy, so that its pure modules serve elsewhere too.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy.plugin import Plugin


def plugin(_version: str) -> type[Plugin]:
    """Return the plugin class, as mypy asks for it."""
    from mypy_plugin.hooks import ToolPlugin

    return ToolPlugin


def fingerprint() -> str:
    """Hash the plugin's own files: mypy's cache knows only the entry file, so the others must speak up."""
    found = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        found.update(path.read_bytes())
    return found.hexdigest()[:16]
