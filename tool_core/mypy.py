"""The mypy plugin, under the name that users put into their configuration."""

from mypy_plugin import plugin as plugin
