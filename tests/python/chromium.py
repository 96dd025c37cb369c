"""The system's Chromium without a window, for tests and benches, and what axe-core finds in it.

Of the other tests it needs none: benches import it, too.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

_WITHOUT = (
    "AimEnabled",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxPopup",
)
"""Features to switch off. Chromium takes one such list only, so this one repeats Playwright's.
The two of the omnibox are ours: each window loads a page for its address bar, which costs as much
as the lab's page."""
FLAGS = (
    "--disable-background-networking",
    "--disable-component-update",
    f"--disable-features={','.join(_WITHOUT)}",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
    "--no-sandbox",
)
_AXE = Path(__file__).parents[2] / "page/node_modules/axe-core/axe.min.js"


@contextmanager
def launched(path: str) -> Iterator[Browser]:
    """A browser, until the end of the block.

    Args:
        path: of Chromium.
    """
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        try:
            yield browser
        finally:
            browser.close()


def violations(page: Page, *rules: str, within: str = "html") -> list[str]:
    """What axe-core finds, a line each.

    Args:
        page: that is looked at.
        rules: only these; by default all.
        within: selector of the part of it that is looked at.
    """
    if not _AXE.exists():
        if not os.environ.get("CI"):
            pytest.skip("axe-core is not installed: make page/node_modules/.installed")
        raise AssertionError("make page/node_modules/.installed comes before these tests")
    # From outside the page: its CSP lets no other script in.
    if not page.evaluate("'axe' in window"):
        page.evaluate(_AXE.read_text(encoding="utf-8"))
    found = page.evaluate(
        "([its, options]) => axe.run(its, options)",
        # What is right need not be told, node by node.
        [within, {"resultTypes": ["violations"], **({"runOnly": rules} if rules else {})}],
    )
    return [
        f"{each['id']}: {node['html'][:200]} {node['failureSummary'][:300]}"
        for each in found["violations"]
        for node in each["nodes"]
    ]
