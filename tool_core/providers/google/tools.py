"""The tools that Google defines. Layer 3.

What a tool is configured with is checked when it is made. Google runs all of them.
"""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict

from tool_core.provider_tools import ProviderTool
from tool_core.providers.catalogues import checked_tool
from tool_core.tools import Tool


class TimeRange(TypedDict):
    """From when to when, as RFC 3339 times."""

    start_time: NotRequired[str]
    end_time: NotRequired[str]


class Empty(TypedDict):
    """Nothing to configure."""


class SearchTypes(TypedDict):
    """What kinds of results are searched for."""

    web_search: NotRequired[Empty]
    image_search: NotRequired[Empty]


class GoogleSearchArgs(TypedDict):
    """How the web is searched."""

    search_types: NotRequired[SearchTypes]
    exclude_domains: NotRequired[list[str]]
    time_range_filter: NotRequired[TimeRange]


class EnterpriseWebSearchArgs(TypedDict):
    """How the web is searched, on Vertex AI."""

    exclude_domains: NotRequired[list[str]]


class GoogleMapsArgs(TypedDict):
    """How maps are used."""

    enable_widget: NotRequired[bool]


class FileSearchArgs(TypedDict):
    """What is searched, and how."""

    file_search_store_names: list[str]
    top_k: NotRequired[int]
    metadata_filter: NotRequired[str]


class DynamicRetrieval(TypedDict):
    """When the web is searched."""

    mode: NotRequired[Literal["MODE_UNSPECIFIED", "MODE_DYNAMIC"]]
    dynamic_threshold: NotRequired[float]


class GoogleSearchRetrievalArgs(TypedDict):
    """When the web is searched."""

    dynamic_retrieval_config: NotRequired[DynamicRetrieval]


class RunCode(TypedDict):
    """The code that was run."""

    code: str
    language: NotRequired[str]


class CodeOutput(TypedDict):
    """What the code has given."""

    outcome: str
    output: NotRequired[str]


GoogleSearch = Tool.provider_defined(
    id="google.google_search",
    custom_name="GoogleSearch",
    provider_name="google_search",
    args=GoogleSearchArgs,
    parameters=dict[str, object],
    success=dict[str, object],
)
"""Google searches the web and grounds the answer.

>>> GoogleSearch({}).provider_name
'google_search'
"""

GoogleSearchRetrieval = Tool.provider_defined(
    id="google.google_search_retrieval",
    custom_name="GoogleSearchRetrieval",
    provider_name="google_search_retrieval",
    args=GoogleSearchRetrievalArgs,
    parameters=dict[str, object],
    success=dict[str, object],
)
"""Google searches the web, with the tool of older models.

>>> GoogleSearchRetrieval({"dynamic_retrieval_config": {"dynamic_threshold": 0.3}}).name
'GoogleSearchRetrieval'
"""

EnterpriseWebSearch = Tool.provider_defined(
    id="google.enterprise_web_search",
    custom_name="GoogleEnterpriseWebSearch",
    provider_name="enterprise_web_search",
    args=EnterpriseWebSearchArgs,
    parameters=dict[str, object],
    success=dict[str, object],
)
"""Google searches the web by the rules of enterprises; Vertex AI only.

>>> EnterpriseWebSearch({"exclude_domains": ["example.org"]}).args
{'exclude_domains': ['example.org']}
"""

CodeExecution = Tool.provider_defined(
    id="google.code_execution",
    custom_name="GoogleCodeExecution",
    provider_name="code_execution",
    parameters=RunCode,
    success=CodeOutput,
    failure=CodeOutput,
)
"""Google runs Python.

>>> CodeExecution().provider_name
'code_execution'
"""

UrlContext = Tool.provider_defined(
    id="google.url_context",
    custom_name="GoogleUrlContext",
    provider_name="url_context",
    parameters=dict[str, object],
    success=dict[str, object],
)
"""Google reads the pages whose addresses stand in the prompt.

>>> UrlContext().provider_name
'url_context'
"""

GoogleMaps = Tool.provider_defined(
    id="google.google_maps",
    custom_name="GoogleMaps",
    provider_name="google_maps",
    args=GoogleMapsArgs,
    parameters=dict[str, object],
    success=dict[str, object],
)
"""Google looks places up.

>>> GoogleMaps({"enable_widget": True}).args
{'enable_widget': True}
"""

FileSearch = Tool.provider_defined(
    id="google.file_search",
    custom_name="GoogleFileSearch",
    provider_name="file_search",
    args=FileSearchArgs,
    parameters=dict[str, object],
    success=dict[str, object],
)
"""Google searches stores of files.

>>> FileSearch({"file_search_store_names": ["fileSearchStores/a"]}).name
'GoogleFileSearch'
"""

IDS = frozenset(
    f"google.{name}"
    for name in (
        "code_execution", "enterprise_web_search", "file_search", "google_maps", "google_search",
        "google_search_retrieval", "url_context",
    )
)  # fmt: skip

TOOL_TYPES = {
    "GOOGLE_SEARCH_WEB": "google_search",
    "GOOGLE_SEARCH_IMAGE": "google_search",
    "URL_CONTEXT": "url_context",
    "GOOGLE_MAPS": "google_maps",
    "FILE_SEARCH": "file_search",
}
"""Which tool an invocation on Google's side belongs to."""


def google_tool(tool: ProviderTool) -> str:
    """Return the name on the wire of a tool that Google knows."""
    return checked_tool(tool, "Google", IDS).provider_name
