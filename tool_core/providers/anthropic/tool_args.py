"""What Anthropic's tools are configured with, in the API's own words. Layer 3."""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict


class Display(TypedDict):
    """The screen that the model sees."""

    display_width_px: int
    display_height_px: int
    display_number: NotRequired[int | None]


class ZoomableDisplay(Display):
    """The screen that the model sees, and may look at closely."""

    enable_zoom: NotRequired[bool]


class EditorArgs(TypedDict):
    """How much of a file is shown at once."""

    max_characters: NotRequired[int | None]


class UserLocation(TypedDict):
    """Where the user is, roughly."""

    type: Literal["approximate"]
    city: NotRequired[str | None]
    country: NotRequired[str | None]
    region: NotRequired[str | None]
    timezone: NotRequired[str | None]


class Citations(TypedDict):
    """Whether the model cites."""

    enabled: bool


class WebArgs(TypedDict):
    """Which sites are used, and how often."""

    max_uses: NotRequired[int | None]
    allowed_domains: NotRequired[list[str] | None]
    blocked_domains: NotRequired[list[str] | None]


class WebSearchArgs(WebArgs):
    """How the web is searched."""

    user_location: NotRequired[UserLocation | None]


class WebFetchArgs(WebArgs):
    """How pages are fetched."""

    citations: NotRequired[Citations | None]
    max_content_tokens: NotRequired[int | None]
