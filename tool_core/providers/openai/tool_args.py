"""What OpenAI's tools are configured with, in the API's own words. Layer 3."""

from __future__ import annotations

from typing import Literal, NotRequired, TypeAlias

from typing_extensions import TypedDict


class Disabled(TypedDict):
    """No network."""

    type: Literal["disabled"]


class DomainSecret(TypedDict):
    """A secret that is sent to one domain only."""

    domain: str
    name: str
    value: str


class Allowlist(TypedDict):
    """Network access to some domains."""

    type: Literal["allowlist"]
    allowed_domains: list[str]
    domain_secrets: NotRequired[list[DomainSecret]]


class AutoContainer(TypedDict):
    """A container that OpenAI makes for the run."""

    type: Literal["auto"]
    file_ids: NotRequired[list[str]]
    memory_limit: NotRequired[Literal["1g", "4g", "16g", "64g"] | None]
    network_policy: NotRequired[Disabled | Allowlist]


class CodeInterpreterArgs(TypedDict):
    """Where code runs: the id of a container, or one that is made for it."""

    container: str | AutoContainer


Scalar: TypeAlias = str | float | bool


class Comparison(TypedDict):
    """A condition on one attribute of a file."""

    type: Literal["eq", "ne", "gt", "gte", "lt", "lte", "in", "nin"]
    key: str
    value: Scalar | list[str | float]


class Compound(TypedDict):
    """Conditions that must all hold, or of which one must."""

    type: Literal["and", "or"]
    filters: list[Comparison | Compound]


class HybridSearch(TypedDict):
    """How much meaning counts against words."""

    embedding_weight: float
    text_weight: float


class RankingOptions(TypedDict):
    """How results are ranked."""

    hybrid_search: NotRequired[HybridSearch]
    ranker: NotRequired[Literal["auto", "default-2024-11-15"]]
    score_threshold: NotRequired[float]


class FileSearchArgs(TypedDict):
    """What is searched, and how."""

    vector_store_ids: list[str]
    filters: NotRequired[Comparison | Compound | None]
    max_num_results: NotRequired[int]
    ranking_options: NotRequired[RankingOptions]


class ImageMask(TypedDict):
    """Where an image is to be changed."""

    file_id: NotRequired[str]
    image_url: NotRequired[str]


class ImageGenerationArgs(TypedDict):
    """How images are made."""

    action: NotRequired[Literal["generate", "edit", "auto"]]
    background: NotRequired[Literal["transparent", "opaque", "auto"]]
    input_fidelity: NotRequired[Literal["high", "low"] | None]
    input_image_mask: NotRequired[ImageMask]
    model: NotRequired[str]
    moderation: NotRequired[Literal["auto", "low"]]
    output_compression: NotRequired[int]
    output_format: NotRequired[Literal["png", "webp", "jpeg", "gif", "svg"]]
    partial_images: NotRequired[int]
    quality: NotRequired[Literal["low", "medium", "high", "xhigh", "max", "auto"]]
    size: NotRequired[str]


class McpFilter(TypedDict):
    """Some of a server's tools."""

    read_only: NotRequired[bool]
    tool_names: NotRequired[list[str]]


class McpApproval(TypedDict):
    """Which of a server's tools need approval."""

    always: NotRequired[McpFilter]
    never: NotRequired[McpFilter]


class McpArgs(TypedDict):
    """An MCP server that OpenAI connects to."""

    server_label: str
    allowed_tools: NotRequired[list[str] | McpFilter | None]
    authorization: NotRequired[str]
    connector_id: NotRequired[str]
    headers: NotRequired[dict[str, str] | None]
    require_approval: NotRequired[Literal["always", "never"] | McpApproval | None]
    server_description: NotRequired[str]
    server_url: NotRequired[str]
    tunnel_id: NotRequired[str]
    defer_loading: NotRequired[bool]


class SearchFilters(TypedDict):
    """Which sites are searched."""

    allowed_domains: NotRequired[list[str] | None]


class UserLocation(TypedDict):
    """Where the user is, roughly."""

    type: Literal["approximate"]
    city: NotRequired[str | None]
    country: NotRequired[str | None]
    region: NotRequired[str | None]
    timezone: NotRequired[str | None]


class WebSearchPreviewArgs(TypedDict):
    """How the web is searched."""

    search_context_size: NotRequired[Literal["low", "medium", "high"]]
    user_location: NotRequired[UserLocation | None]


class WebSearchArgs(WebSearchPreviewArgs):
    """How the web is searched, and where."""

    filters: NotRequired[SearchFilters | None]
    external_web_access: NotRequired[bool]
