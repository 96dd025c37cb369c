"""Pages in a headless Chromium, for tests: with the network off, and everything that they say."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from capture_packets import tool
from chromium import launched, violations

WAIT_S = 20
"""For whatever comes in a tenth of that on a quiet machine."""


@contextmanager
def chromium() -> Iterator:
    """A browser; where it is missing a test is skipped, but not where CI is set."""
    with launched(tool("chromium")) as browser:
        yield browser


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

    def violations(self, *rules: str, within: str) -> list[str]:
        """What axe-core finds in an element: in all its rules or in these."""
        return violations(self.page, *rules, within=within)

    def until(self, holds: Callable[[], bool]) -> bool:
        """Whether something holds at last, asked again and again."""
        end = time.monotonic() + WAIT_S
        while not (found := holds()) and time.monotonic() < end:
            self.page.wait_for_timeout(20)
        return found

    def close(self) -> None:
        """Forget it."""
        self.page.context.close()
