"""The lab in a real browser: the committed page, in the system's Chromium.

Tests wait with ``expect(locator)`` or ask again and again (``until``): the page's CSP forbids the
eval with which ``wait_for_function`` polls.
"""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Locator,
    Page,
    Route,
    expect,
)

from capture_packets import tool
from chromium import launched, violations
from lab_server import Lab, running

ROOT = Path(__file__).parents[2]
WAIT_S = 20
"""For whatever comes in a tenth of that on a quiet machine."""
SCREEN = {"width": 1280, "height": 900}
TOLD_BY_THE_BROWSER = re.compile(r"^Failed to load resource: |^Canvas2D: Multiple readback")
"""What the console says of each answer that is an error, and of tests that look at pixels."""

Found = TypeVar("Found")

expect.set_options(timeout=WAIT_S * 1000)


def until(ask: Callable[[], Found], is_right: Callable[[Found], bool], what: str) -> Found:
    """The first answer that is right."""
    end = time.monotonic() + WAIT_S
    while not is_right(found := ask()):
        assert time.monotonic() < end, f"{what}: still {found!r}"
        time.sleep(0.02)
    return found


class Tab:
    """A tab of the browser, and what went wrong in it.

    Attributes:
        page: Playwright's.
        console: what the page said, but for errors of answers.
        foreign: addresses outside the server that something asked for.
        refused: answers that were errors: method, path, status.
    """

    def __init__(self, page: Page, lab: Lab, foreign: list[str]) -> None:
        self.page = page
        self.lab = lab
        self.foreign = foreign
        self.console: list[str] = []
        self.refused: list[str] = []
        page.on("console", self._said)
        page.on("pageerror", lambda error: self.console.append(str(error)))
        page.on("response", self._answered)

    def _said(self, message: ConsoleMessage) -> None:
        if not TOLD_BY_THE_BROWSER.match(message.text):
            self.console.append(f"{message.type}: {message.text}")

    def _answered(self, response: Any) -> None:
        if response.status >= 400:
            path = response.url.removeprefix(self.origin)
            self.refused.append(f"{response.request.method} {path} {response.status}")

    @property
    def origin(self) -> str:
        """Of the server."""
        return f"http://127.0.0.1:{self.lab.settings.port}"

    @property
    def address(self) -> str:
        """What follows the sign # now."""
        # Playwright's own copy is as old as its last call.
        return str(self.page.evaluate("location.hash")).removeprefix("#")

    def open(self, address: str = "/") -> "Tab":
        """Come to an address as from the line that the command prints."""
        token = self.lab.settings.token
        self.page.goto(f"{self.origin}/#token={token}&to={address}")
        return self

    def open_lab(self, address: str) -> "Tab":
        """Open a state of the lab, and wait for its whole run."""
        self.open(f"/lab/{address}")
        return self.wait()

    def wait(self) -> "Tab":
        """Until the picture is that of the state, and of the whole run."""
        expect(self.panels).to_have_attribute("aria-busy", "false")
        expect(self.page.locator(".metrics[aria-label=Metrics]")).to_have_attribute(
            "aria-busy", "false"
        )
        expect(self.page.locator(".zoom-bar .progress")).to_have_text("")
        return self

    def settle(self) -> None:
        """Until a page that was opened asks for nothing more, and so no part of it moves."""
        self.page.wait_for_load_state("networkidle")

    @property
    def panels(self) -> Locator:
        """All of them."""
        return self.page.locator(".panel-stack")

    def slider(self, label: str) -> Locator:
        """The slider of this name."""
        return self.page.get_by_role("slider", name=label, exact=True)

    def button(self, name: str) -> Locator:
        """The button of this name."""
        return self.page.get_by_role("button", name=name, exact=True)

    def unfold(self, label: str) -> Locator:
        """Open a part below the panels, or beside them."""
        part = self.page.locator(".fold").filter(
            has=self.page.get_by_role("button", name=re.compile(rf"{label}$"))
        )
        part.locator(".fold-head").click()
        return part.locator(".fold-body")

    def metrics(self) -> dict[str, str]:
        """Texts of the metrics that are shown, by their names."""
        found: dict[str, str] = self.page.evaluate(
            """() => Object.fromEntries([...document.querySelectorAll(".metric-grid > div")].map(
              (each) => [each.title, each.querySelector("dd").innerText]))"""
        )
        return found

    def entries(self) -> int:
        """Of the history."""
        return int(self.page.evaluate("history.length"))

    def violations(self, *rules: str, within: str = "html") -> list[str]:
        """What axe-core finds, a line each.

        Args:
            rules: only these; by default all.
            within: selector of what is looked at.
        """
        return violations(self.page, *rules, within=within)

    def is_dark(self) -> bool:
        """Whether the paper is darker than the ink."""
        colors = self.page.evaluate(
            """() => ["backgroundColor", "color"].map((its) =>
              getComputedStyle(document.body)[its].match(/[0-9]+/g).slice(0, 3).map(Number))"""
        )
        paper, ink = map(sum, colors)
        return bool(paper < ink)

    def is_wider(self) -> bool:
        """Whether the page scrolls sideways."""
        width = "document.documentElement"
        return bool(self.page.evaluate(f"{width}.scrollWidth > {width}.clientWidth"))


class Labs:
    """A server, a browser, and tabs that are closed at a test's end."""

    def __init__(self, lab: Lab, browser: Browser) -> None:
        self.lab = lab
        self.browser = browser
        self.tabs: list[Tab] = []
        self.contexts: list[BrowserContext] = []
        self.foreign: list[str] = []

    def tab(self, **options: Any) -> Tab:
        """A tab of a profile of its own."""
        context = self.browser.new_context(**{"viewport": SCREEN, "locale": "en-GB", **options})
        context.set_default_timeout(WAIT_S * 1000)
        self.contexts.append(context)
        origin = f"http://127.0.0.1:{self.lab.settings.port}/"
        context.route(re.compile(rf"^(?!{re.escape(origin)}|blob:|data:)"), self._refuse)
        return self.beside(context)

    def beside(self, context: BrowserContext) -> Tab:
        """One more tab of a profile."""
        tab = Tab(context.new_page(), self.lab, self.foreign)
        self.tabs.append(tab)
        return tab

    def _refuse(self, route: Route) -> None:
        self.foreign.append(route.request.url)
        route.abort()

    def close(self) -> None:
        """Close all tabs; none of them may have asked elsewhere, or said something."""
        for context in self.contexts:
            context.close()
        said = [line for tab in self.tabs for line in tab.console]
        foreign = [*self.foreign]
        for each in (self.tabs, self.contexts, self.foreign):
            each.clear()
        assert not foreign, f"the page asked for {foreign}"
        assert not said, f"the page said {said}"


@contextmanager
def browsing(folder: Path) -> Iterator[Labs]:
    """A server of the scenarios in a folder and a browser, until the end of the block."""
    path = tool("chromium")
    with running(folder) as lab, launched(path) as browser:
        yield Labs(lab, browser)
