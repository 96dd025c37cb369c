"""Pages in a headless Chromium, for tests: with the network off, and everything that they say."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from capture_packets import tool

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

_AXE = Path(__file__).parents[2] / "page/node_modules/axe-core/axe.min.js"


@contextmanager
def chromium() -> Iterator:
    """A browser; where it is missing a test is skipped, but not where CI is set."""
    path = tool("chromium")
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


class Tab:
    """A tab.

    Attributes:
        page: of playwright.
        said: messages of the console, and errors.
        asked: addresses that were asked for.
    """

    def __init__(self, browser, width=1280, **context):
        view = {"width": width, "height": 900}
        self.page = browser.new_context(offline=True, viewport=view, **context).new_page()
        self.said: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))

    def open(self, path: Path) -> Tab:
        """Show a file."""
        self.page.goto(path.as_uri())
        return self

    def violations(self, element: str) -> list[tuple[str, str]]:
        """What axe-core says of an element: its rule, and where it is broken first."""
        if not _AXE.is_file():
            pytest.skip("axe-core is not installed: make page installs it")
        self.page.evaluate(_AXE.read_text(encoding="utf-8"))
        found = self.page.evaluate(f"axe.run('{element}').then(its => its.violations)")
        return [(each["id"], each["nodes"][0]["html"][:200]) for each in found]

    def close(self) -> None:
        """Forget it."""
        self.page.context.close()
