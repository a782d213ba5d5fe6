"""The mypy plugin, under the name that users put into their configuration. Edge."""

from mypy_plugin import fingerprint
from mypy_plugin import plugin as plugin

__version__ = fingerprint()
"""Part of mypy's cache key, so that another version of the plugin never meets stale types."""
