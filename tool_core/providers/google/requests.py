"""The types of what goes to Google's SDK; only type checkers need the SDK for them. Layer 3."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from google.genai.types import ContentDict, GenerateContentConfigDict

    GenerateContentRequest = GenerateContentConfigDict
    Message = ContentDict
