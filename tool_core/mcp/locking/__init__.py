"""Locking: a server's tools as a Python module that type checkers read. Layer 3."""

from tool_core.mcp.locking.matching import locked_fingerprint, matches_lock
from tool_core.mcp.locking.modules import lock

__all__ = ["lock", "locked_fingerprint", "matches_lock"]
