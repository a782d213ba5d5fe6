"""`tool-core report`: one page, opened in a real browser where there is one."""

from __future__ import annotations

import base64
import hashlib
import html.parser
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.browsers import CHROMIUM, Page, browser
from tests.cli.programs import run

HOSTILE = "tests/cli/lists/hostile_server.json"
in_a_browser = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on this machine")


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("reports")
    targets = {
        "weather": "examples/weather.py",
        "hostile": HOSTILE,
        "sloppy": HOSTILE.replace("hostile", "sloppy"),
    }
    for name, target in targets.items():
        shown = run("report", target, "-o", str(folder / f"{name}.html"))
        assert shown.code == 0
        assert shown.output == ""
    return {name: folder / f"{name}.html" for name in targets}


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with browser() as opened:
        yield opened


class Elements(html.parser.HTMLParser):
    """Collects the elements of a page, as a browser would see them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def test_the_page_needs_no_network_and_runs_nothing_but_its_own(reports: dict[str, Path]) -> None:
    text = reports["hostile"].read_text()
    elements = Elements(text).found
    assert [tag for tag, _ in elements if tag in ("link", "img", "iframe", "object", "svg", "base")] == []
    assert not any("src" in attributes or "style" in attributes for _, attributes in elements)
    assert not any(name.startswith("on") for _, attributes in elements for name in attributes)
    policy = next(item["content"] for tag, item in elements if tag == "meta" and "http-equiv" in item)
    script = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    assert len(script) == 1
    digest = base64.b64encode(hashlib.sha256(script[0].encode()).digest()).decode()
    assert policy is not None
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert f"script-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'" in policy


def test_names_of_strangers_stay_text(reports: dict[str, Path]) -> None:
    text = reports["hostile"].read_text()
    embedded = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    assert embedded is not None
    assert not set("<>&") & set(embedded[1])
    assert {entry["name"] for entry in json.loads(embedded[1])} == {
        "ansi",
        "html",
        "_b_bold__b_",
        "markup",
        "long",
    }
    assert text.count("<script") == 2
    assert not {"\x1b", "\x07", "\u202e"} & set(text)


def test_an_unreadable_definition_is_said_at_the_top(reports: dict[str, Path]) -> None:
    text = reports["sloppy"].read_text()
    assert '<p class="alert">tree: the list has this name twice: the first one is used</p>' in text


def test_the_page_goes_to_standard_output_or_says_why_it_cannot_be_written() -> None:
    assert run("report", "examples/weather.py", "-o", "-").output.startswith("<!doctype html>")
    shown = run("report", "examples/weather.py", "-o", "/no/such/folder/report.html")
    assert shown.code == 2
    assert shown.errors == (
        "tool-core: '/no/such/folder/report.html' cannot be written: No such file or directory\n"
    )


def shown_tools(page: Page) -> Any:
    return page.evaluate(
        "[...document.querySelectorAll('.tool:not([hidden]) strong')].map(e => e.textContent)"
    )


@in_a_browser
def test_it_opens_without_complaint_and_asks_nobody(page: Page, reports: dict[str, Path]) -> None:
    for path in reports.values():
        page.open(path)
        page.evaluate("document.querySelectorAll('.disclose').forEach(b => b.click())")
        page.evaluate("document.querySelectorAll('.tab').forEach(b => b.click())")
        assert page.complaints == []
        assert page.requests == [path.as_uri()]
    assert page.evaluate("document.querySelectorAll('img, svg, script:not([type])').length") == 1


@in_a_browser
def test_search_and_filters_narrow_the_list(page: Page, reports: dict[str, Path]) -> None:
    page.open(reports["weather"])
    assert shown_tools(page) == ["GetWeather", "read_station", "OpenAiWebSearch"]
    page.press("/", "/")
    assert page.evaluate("document.activeElement.id") == "search"
    page.type("filters")
    assert shown_tools(page) == ["read_station"]
    assert page.evaluate("document.getElementById('count').textContent") == "1 of 3 tools"
    page.type(" nothing like it")
    assert shown_tools(page) == []
    assert page.evaluate("document.getElementById('nothing').hidden") is False
    page.press("Escape")
    page.evaluate("document.querySelector('[data-filter=lost]').click()")
    assert shown_tools(page) == ["read_station"]
    page.evaluate("document.querySelector('[data-filter=renamed]').click()")
    assert shown_tools(page) == []
    page.evaluate("document.getElementById('reset').click()")
    assert len(shown_tools(page)) == 3


@in_a_browser
def test_a_tool_opens_by_keyboard_and_shows_both_schemas_and_both_calls(
    page: Page, reports: dict[str, Path]
) -> None:
    page.open(reports["weather"])
    page.evaluate("document.querySelectorAll('.disclose')[1].focus()")
    page.press("Enter")
    assert page.evaluate("document.activeElement.getAttribute('aria-expanded')") == "true"

    page.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "OpenAI gpt-5"
    page.press("ArrowRight")
    page.press("ArrowRight")
    assert page.evaluate("document.activeElement.textContent") == "Google gemini-3-pro"
    assert page.evaluate("document.activeElement.getAttribute('aria-selected')") == "true"
    shown = page.evaluate("document.getElementById('panel-1').innerText")
    assert "must match the pattern ^[A-Z]{4}$" in shown
    assert "what the handler receives" in shown
    removed = page.evaluate(
        "[...document.querySelectorAll('#panel-1 .removed .left')].map(e => e.textContent.trim())"
    )
    assert '"pattern": "^[A-Z]{4}$"' in removed


@in_a_browser
def test_a_link_leads_to_one_tool(page: Page, reports: dict[str, Path]) -> None:
    page.open(reports["weather"], "#read_station")
    assert page.evaluate("document.getElementById('detail-1').hidden") is False


@in_a_browser
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_sticks_out_and_text_can_be_read(
    page: Page, reports: dict[str, Path], width: int, dark: bool
) -> None:
    page.open(reports["hostile"], "#long", width=width, dark=dark)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(CONTRASTS) == []


CONTRASTS = """
(() => {
  const rgb = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((v) => v / 255)
    .map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = (element) => {
    for (let e = element; e; e = e.parentElement) {
      const color = rgb(getComputedStyle(e).backgroundColor);
      if (color.length < 4 || color[3] > 0) return color;
    }
    return [255, 255, 255];
  };
  const poor = [];
  for (const e of document.querySelectorAll("body *")) {
    const own = [...e.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!own || !e.checkVisibility() || e.matches("script, noscript, .skip")) continue;
    const [a, b] = [light(rgb(getComputedStyle(e).color)), light(ground(e))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) poor.push(`${e.className} ${e.textContent.slice(0, 30)} ${ratio.toFixed(2)}`);
  }
  return poor;
})()
"""
