"""A real browser without a screen, driven over its own debugging protocol."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from websockets.sync.client import ClientConnection, connect

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
_FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage",
    "--remote-debugging-port=0", "--force-color-profile=srgb", "--hide-scrollbars",
)  # fmt: skip


@dataclass(slots=True)
class Page:
    """One tab: what is asked of it, and what it complained about."""

    connection: ClientConnection
    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    number: int = 0

    def send(self, method: str, **params: object) -> dict[str, Any]:
        """Ask the browser something and wait for the answer, noting what happens meanwhile."""
        self.number += 1
        self.connection.send(json.dumps({"id": self.number, "method": method, "params": params}))
        while True:
            message = self._received(60)
            if message.get("id") == self.number:
                assert "error" not in message, message
                return cast("dict[str, Any]", message["result"])

    def open(self, path: Path, fragment: str = "", *, width: int = 1280, dark: bool = False) -> None:
        """Load a page as a screen of some width and some taste would show it."""
        self.complaints.clear()
        self.requests.clear()
        self.send(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=900,
            deviceScaleFactor=1,
            mobile=width < 600,
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.send("Emulation.setEmulatedMedia", features=[scheme])
        for url in ("about:blank", f"{path.as_uri()}{fragment}"):  # a change of fragment alone loads nothing
            self.send("Page.navigate", url=url)
            while self.evaluate("document.readyState + ' ' + location.href") != f"complete {url}":
                time.sleep(0.05)

    def evaluate(self, code: str) -> Any:
        """Run an expression in the page."""
        answer = self.send("Runtime.evaluate", expression=code, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def press(self, key: str, text: str = "") -> None:
        """Press a key where the focus is."""
        code = {"Enter": 13, "Tab": 9, "Escape": 27, "ArrowRight": 39, "ArrowLeft": 37}.get(key, 0)
        typed = {"text": text} if text else {"text": "\r"} if key == "Enter" else {}
        self.send("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code, **typed)
        self.send("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def type(self, text: str) -> None:
        """Type text where the focus is."""
        self.send("Input.insertText", text=text)

    def screenshot(self, path: Path) -> None:
        """Store what the page looks like, from its top to its end."""
        shown = self.send("Page.captureScreenshot", format="png", captureBeyondViewport=True)
        path.write_bytes(base64.b64decode(shown["data"]))

    def _received(self, timeout: float) -> dict[str, Any]:
        message = cast("dict[str, Any]", json.loads(self.connection.recv(timeout)))
        params = message.get("params", {})
        match message.get("method"):
            case "Runtime.exceptionThrown":
                self.complaints.append(json.dumps(params["exceptionDetails"]))
            case "Log.entryAdded":
                self.complaints.append(params["entry"]["text"])
            case "Runtime.consoleAPICalled":
                self.complaints.append(json.dumps(params["args"]))
            case "Page.javascriptDialogOpening":
                self.complaints.append(f"dialog: {params['message']}")
            case "Network.requestWillBeSent":
                self.requests.append(params["request"]["url"])
        return message


@contextmanager
def browser() -> Iterator[Page]:
    """Start Chromium with an empty profile, and stop it after."""
    assert CHROMIUM is not None
    with tempfile.TemporaryDirectory(prefix="browser-", ignore_cleanup_errors=True) as profile:
        command = [CHROMIUM, *_FLAGS, f"--user-data-dir={profile}", "about:blank"]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            with connect(_address(Path(profile)), max_size=None, open_timeout=60) as connection:
                page = Page(connection)
                for domain in ("Page", "Runtime", "Log", "Network"):
                    page.send(f"{domain}.enable")
                yield page
        finally:
            process.terminate()
            process.wait(20)


def _address(profile: Path) -> str:
    """Wait until the browser says where it listens, and find its first tab."""
    from urllib.request import urlopen

    told, deadline = profile / "DevToolsActivePort", time.monotonic() + 60
    while not (told.exists() and told.read_text().strip()):
        assert time.monotonic() < deadline, "the browser does not start"
        time.sleep(0.1)
    port = told.read_text().splitlines()[0]
    while time.monotonic() < deadline:
        with urlopen(f"http://127.0.0.1:{port}/json/list") as answer:
            tabs = [tab for tab in json.load(answer) if tab["type"] == "page"]
        if tabs:
            return str(tabs[0]["webSocketDebuggerUrl"])
        time.sleep(0.1)
    raise AssertionError("the browser has no tab")
