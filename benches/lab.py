"""What a step of a slider costs from the key to the pixels, in processor time.

The page runs in headless Chromium. A key moves the slider of the bottleneck's rate; the page asks
the server, which simulates 30 s of two flows; the page draws. When the slider rests, the page asks
the server whether the state is right (`/api/check`): that request is held until the picture is
there, and not counted. Printed are medians, with the
first and the third quartile of the sum, in ms of processor time (Linux), so that waiting for other
programs does not count; yet a busy machine slows down memory and caches.

The aim is a sum of ``AIM_MS`` at 20 Mbit/s. Exit code 1: it is exceeded.
Usage: PYTHONPATH=tests/python python benches/lab.py [STEPS [RATE ...]]
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from pathlib import Path
from statistics import median, quantiles
from typing import NamedTuple

from playwright.sync_api import Browser, CDPSession, Page, Route, expect

from chromium import launched
from lab_server import RATES, SCENARIO, Server

AIM_MS = 75
STEPS = 20
WARM_UP = 6
REST_MS = 350
"""After the last answer the page still draws and writes its address."""
MOST_WAIT_S = 60
NAME = "two"


class Step(NamedTuple):
    """Processor time of a step, ms.

    Attributes:
        server: of all its threads.
        thread: of the page's main thread.
        script: of this, scripts.
        process: of all threads of the page's process.
    """

    server: float
    thread: float
    script: float
    process: float

    @property
    def sum(self) -> float:
        """From the key to the picture: server and page."""
        return self.server + self.thread


class Lab:
    """A server in a process of its own, and a page that shows a scenario of it.

    Attributes:
        page: with the slider in focus.
    """

    def __init__(self, server: Server, browser: Browser, rate: int) -> None:
        self._server = server
        self.page: Page = browser.new_page(viewport={"width": 1280, "height": 900})
        self._held: list[Route] = []
        self._is_holding = False
        self.page.route("**/api/check", self._check)
        host = str(server.client.base_url).rstrip("/")
        token = server.client.headers["Authorization"].removeprefix("Bearer ")
        sets = f"set=topology.bottleneck.rate={rate}+Mbit/s"
        self.page.goto(f"{host}/#token={token}&to=/lab/yours/{NAME}?{sets}")
        expect(self.page.locator(".metrics[aria-label=Metrics]")).to_have_attribute(
            "aria-busy", "false"
        )
        self._slider = self.page.get_by_role("slider", name="Bottleneck rate", exact=True)
        self._slider.focus()
        self._metrics: CDPSession = self.page.context.new_cdp_session(self.page)
        # Times of the thread, not of the clock on the wall.
        self._metrics.send("Performance.enable", {"timeDomain": "threadTicks"})
        found = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")
        # One of them has the page, the others are in reserve and do nothing.
        its = found["processInfo"]
        self._renderers = [int(each["id"]) for each in its if each["type"] == "renderer"]
        self._answered: set[str] = set()
        # Chromium calls the end of some streams of a fetch a failure.
        for event in ("requestfinished", "requestfailed"):
            self.page.on(event, lambda its: self._answered.add(its.url.rpartition("/")[2]))

    def another(self) -> None:
        """Go to the next run of the point, so that no state comes twice: the server keeps some."""
        self.page.get_by_role("button", name="Next run").click()
        self._wait("run", "check")
        self._slider.focus()

    def step(self, key: str) -> Step:
        """Press a key on the slider, and wait until all that follows is done."""
        before = self._readings()
        self._is_holding = True
        self.page.keyboard.press(key)
        self._wait("run")
        self._is_holding = False
        after = self._readings()
        for each in self._held:
            each.continue_()
        self._held.clear()
        self._wait("check")
        return Step(*(1e3 * (now - then) for now, then in zip(after, before, strict=True)))

    def _check(self, route: Route) -> None:
        if self._is_holding:
            self._held.append(route)
        else:
            route.continue_()

    def _wait(self, *calls: str) -> None:
        """Until these are answered, and what follows is drawn."""
        end = time.monotonic() + MOST_WAIT_S
        while not {*calls} <= self._answered:
            assert time.monotonic() < end, f"only {self._answered} are answered"
            self.page.wait_for_timeout(20)
        self.page.wait_for_timeout(REST_MS)
        self._answered.clear()

    def _readings(self) -> tuple[float, float, float, float]:
        """Processor times so far, s: server; main thread, its scripts, and process of the page."""
        found = self._metrics.send("Performance.getMetrics")["metrics"]
        its = {each["name"]: each["value"] for each in found}
        server = cpu_s(self._server.process.pid)
        page = sum(map(cpu_s, self._renderers))
        return server, its["TaskDuration"], its["ScriptDuration"], page


def cpu_s(pid: int) -> float:
    """Processor time of all threads of a process so far; to a nanosecond, other than its stat."""
    return 1e-9 * sum(
        int(path.read_text().split()[0]) for path in Path(f"/proc/{pid}/task").glob("*/schedstat")
    )


def measured(browser: Browser, rate: int, steps: int = STEPS) -> list[Step]:
    """Steps of the slider around a rate, Mbit/s."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / f"{NAME}.toml").write_text(SCENARIO)
        server = Server(folder)
        try:
            lab = Lab(server, browser, rate)
            its = []
            for at in range(WARM_UP + steps):
                lab.another()
                # Up and down, so that no step is far from the rate.
                its.append(lab.step(("ArrowRight", "ArrowLeft")[at % 2]))
            lab.page.close()
        finally:
            server.process.terminate()
            server.process.wait()
    return its[WARM_UP:]


def main(steps: int = STEPS, *rates: int) -> int:
    """Measure, and print a table."""
    chromium = shutil.which("chromium")
    if chromium is None:
        sys.exit("chromium is missing: make install-test-tools")
    over = 0
    heads = ("rate", "sum (quartiles)", "server", "page", "its scripts", "process")
    print(f"| {' | '.join(heads)} |\n{'|---' * len(heads)}|")
    with launched(chromium) as browser:
        for rate in rates or RATES:
            its = measured(browser, rate, steps)
            low, middle, high = quantiles([each.sum for each in its], n=4)
            columns = [f"{median(column):.0f}" for column in zip(*its, strict=True)]
            first = [f"{rate} Mbit/s", f"{middle:.0f} ({low:.0f} to {high:.0f})"]
            print(f"| {' | '.join([*first, *columns])} |", flush=True)
            if rate == RATES[1]:
                over = int(middle > AIM_MS)
    return over


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
