"""Results that are images, files and texts: what a provider would refuse is told in words instead."""

from __future__ import annotations

from typing import Any

import pytest

from tests.providers.kits import prepared
from tests.providers.responses import APIS
from tool_core.parts import tool_result

TEXT = {"type": "text", "text": "see"}
PNG = {"type": "image", "data": "aGk=", "mimeType": "image/png"}
SVG = {"type": "image", "data": "aGk=", "mimeType": "image/svg+xml"}
WAV = {"type": "audio", "data": "aGk=", "mimeType": "audio/wav"}


def blob(name: str, media_type: str) -> dict[str, Any]:
    return {
        "type": "resource",
        "resource": {"uri": f"file:///{name}", "mimeType": media_type, "blob": "aGk="},
    }


def link(uri: str, media_type: str) -> dict[str, Any]:
    return {"type": "resource_link", "uri": uri, "name": "it", "mimeType": media_type}


def written(api: str, *blocks: dict[str, Any], is_failure: bool = False) -> Any:
    messages = prepared(api).tool_results([tool_result("c1", "Look", list(blocks), is_failure=is_failure)])
    if api == "messages":
        return messages[0]["content"]
    return messages[0]["parts"][0]["function_response"] if api == "generate" else messages


IN_WORDS = [
    (SVG, "(file, of type image/svg+xml, cannot be shown)"),
    (WAV, "(file, of type audio/wav, cannot be shown)"),
    (blob("a.bin", "application/octet-stream"), "(a.bin, of type application/octet-stream, cannot be shown)"),
    (link("gs://bucket/a.png", "image/png"), "it: gs://bucket/a.png"),
    (link("https://example.org/", "text/html;x"), "it: https://example.org/"),
    (link("https://example.org/a.svg", "image/svg+xml"), "it: https://example.org/a.svg"),
]


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize(("block", "words"), IN_WORDS)
def test_what_a_provider_refuses_to_look_at_is_told_in_words(
    api: str, block: dict[str, Any], words: str
) -> None:
    if api == "responses" and "text/html" in str(block):
        pytest.skip("it fetches documents itself")
    [answer] = written(api, block) if api != "generate" else [written(api, block)]
    assert words in str(answer)
    assert "aGk=" not in str(answer)
    assert not any(key in str(answer) for key in ("image_url", "input_file", "'source'", "inline_data"))


def test_a_text_file_is_read_out_where_only_other_files_can_be_shown() -> None:
    for api in ("chat", "generate"):
        assert "a.csv:\\nhi" in str(written(api, blob("a.csv", "text/csv")))
    assert written("messages", blob("a.csv", "text/csv"))[0]["content"] == [
        {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "hi"}, "title": "a.csv"}
    ]  # fmt: skip
    [item] = written("responses", blob("a.csv", "text/csv"))
    assert item["output"][0]["type"] == "input_file"


@pytest.mark.parametrize("api", APIS)
def test_what_only_looks_like_content_stays_json(api: str) -> None:
    for record in ({**TEXT, "score": 1}, {**PNG, "data": "not base64!"}, {**PNG, "data": ""}):
        assert all(str(value) in str(written(api, record)) for value in record.values())


@pytest.mark.parametrize("api", APIS)
def test_line_breaks_in_base64_are_taken_out(api: str) -> None:
    assert "\\n" not in str(written(api, {**PNG, "data": "aG\nk=\n"}))


def test_a_failure_of_anthropic_holds_texts_only_and_shows_the_rest_behind_all_results() -> None:
    failed = tool_result("c1", "Look", [TEXT, PNG], is_failure=True)
    [message] = prepared("messages").tool_results([failed, tool_result("c2", "Look", [PNG])])
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGk="}}
    assert message["content"] == [
        {
            "type": "tool_result",
            "tool_use_id": "c1",
            "content": [TEXT, {"type": "text", "text": "The rest of it follows below."}],
            "is_error": True,
        },
        {"type": "tool_result", "tool_use_id": "c2", "content": [image]},
        {"type": "text", "text": "The result of the call c1 of Look:"},
        image,
    ]


def test_no_text_without_words_is_sent_to_anthropic() -> None:
    [block] = written("messages", {"type": "text", "text": " \n"}, TEXT)
    assert block["content"] == [TEXT]
    call = {"type": "tool_use", "id": "t1", "name": "Now", "input": {}}
    response = {"content": [{"type": "text", "text": "\n\n"}, call]}
    assert prepared("messages").assistant_turn(response) == [{"role": "assistant", "content": [call]}]
