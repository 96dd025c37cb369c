"""Every page: axe-core finds nothing, nothing is wider than the screen or asked elsewhere."""

import pytest
from playwright.sync_api import expect

from lab_browser import until

SMALL = "yours/small"
PAGES = {
    "start": "/",
    "lab": f"/lab/{SMALL}",
    "parts": f"/lab/{SMALL}?open=sequence&open=packets&open=distributions&open=facts&open=drops",
    "editors": f"/lab/{SMALL}?open=keys&open=toml&pin=/{SMALL}?set=duration=2+s",
    "a and b": f"/lab/{SMALL}?set=duration=3+s&pin=/{SMALL}&open=distributions",
    "sweep": "/lab/red?point=4",
    "network": "/lab/parking_lot?open=sequence",
    "cells": "/lab/atm_ubr",
    "refused": "/lab/yours/long?set=topology.bottleneck.rate=100+Gbit/s",
    "problem": f"/lab/{SMALL}?set=duration=3+sheep",
    "unknown scenario": "/lab/nothing_like_it",
    "lessons": "/lessons",
    "lesson": "/lessons/slow-start",
    "campaigns": "/campaigns",
    "studies": "/studies",
    "study": "/studies/rfc2415",
    "jobs": "/jobs",
    "help": "/help",
    "unknown page": "/nothing-here",
}
UNKNOWN = {"GET /api/scenarios/nothing_like_it 404", "POST /api/check 404"}
"""What is answered so where a page asks for a scenario that is not there."""
WIDTHS = (390, 1280, 1920)


def come(tab, page):
    """Wait until all that a page asks for is there."""
    expect(tab.page.locator("main")).to_be_visible()
    tab.settle()
    # A change of the width is run anew a frame later.
    tab.page.wait_for_timeout(100)
    # What is refused has a picture of before, or none.
    if page not in ("refused", "problem", "unknown scenario"):
        expect(tab.page.locator("[aria-busy=true]")).to_have_count(0)


@pytest.mark.parametrize("page", PAGES)
def test_axe_finds_nothing_and_the_page_is_as_wide_as_the_screen(tab, page):
    """Nor does the page ask elsewhere, or say something: the fixture looks at that."""
    # What fades is looked at when it has come back.
    tab.page.emulate_media(reduced_motion="reduce")
    tab.open(PAGES[page])
    come(tab, page)
    assert tab.page.title().endswith("ackclock lab")
    assert tab.violations() == []
    tab.page.emulate_media(color_scheme="dark")
    until(tab.is_dark, bool, "dark")
    come(tab, page)
    assert tab.violations("color-contrast") == []
    for width in WIDTHS:
        tab.page.set_viewport_size({"width": width, "height": 900})
        come(tab, page)
        until(tab.is_wider, lambda wider: not wider, f"{page} at {width} px is wider")
    if page in ("start", "lab", "lesson"):
        tab.page.set_viewport_size({"width": WIDTHS[0], "height": 844})
        come(tab, page)
        assert tab.violations() == []
    allowed = UNKNOWN if page == "unknown scenario" else set()
    assert {*tab.refused} <= allowed


def test_axe_finds_nothing_where_everything_is_open(tab):
    tab.open(f"{PAGES['parts']}&x=1,1.1")
    come(tab, "parts")
    for button in tab.page.get_by_role("button", name="Table").all():
        button.click()
    expect(tab.page.locator(".panel .table-scroll table")).to_have_count(4)
    expect(tab.page.locator(".sequence table")).to_have_count(1)
    expect(tab.page.locator(".packets table")).to_have_count(1)
    tab.page.get_by_label("all", exact=True).check()
    assert tab.violations() == []
    menus = tab.page.locator("details.menu > summary")
    assert menus.count() == 2
    for menu in menus.all():
        menu.click()
        expect(tab.page.locator("details.menu[open]")).to_have_count(1)
        assert tab.violations(within="details.menu[open]") == []
        tab.page.keyboard.press("Escape")
        expect(tab.page.locator("details.menu[open]")).to_have_count(0)
        expect(menu).to_be_focused()
