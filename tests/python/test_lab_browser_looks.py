"""Every page: axe-core finds nothing, nothing is wider than the screen, dark, without movement."""

import re

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


def is_dark(tab):
    """Whether the paper is darker than the ink."""
    colors = tab.page.evaluate(
        """() => ["backgroundColor", "color"].map((its) =>
          getComputedStyle(document.body)[its].match(/[0-9]+/g).slice(0, 3).map(Number))"""
    )
    paper, ink = map(sum, colors)
    return paper < ink


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
    until(lambda: is_dark(tab), bool, "dark")
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


def test_colours_follow_the_system_or_a_switch_that_is_kept(tab):
    tab.open_lab(SMALL)
    ink = [canvas_colors(tab)]
    tab.page.emulate_media(color_scheme="dark")
    until(lambda: is_dark(tab), bool, "as the system")
    ink.append(until(lambda: canvas_colors(tab), lambda now: now != ink[0], "dark lines"))
    for name, dark in (("light", False), ("dark", True)):
        tab.page.get_by_role("button", name=f"Switch to {name}").click()
        until(lambda: is_dark(tab), lambda now, its=dark: now == its, name)
    tab.page.emulate_media(color_scheme="light")
    tab.page.reload()
    tab.wait()
    assert is_dark(tab)
    tab.page.get_by_role("button", name="Switch to as the system").click()
    until(lambda: is_dark(tab), lambda now: not now, "as the system again")


def canvas_colors(tab):
    """The commonest colours of the first panel, as its canvas has them."""
    return tab.page.evaluate(
        """() => {
      const canvas = document.querySelector(".panel canvas");
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      const counts = new Map();
      for (let k = 0; k < data.length; k += 4) {
        if (data[k + 3] < 255) continue;
        const color = data.slice(k, k + 3).join(" ");
        counts.set(color, (counts.get(color) ?? 0) + 1);
      }
      return [...counts].sort((a, b) => b[1] - a[1]).slice(0, 5).map(([color]) => color).sort();
    }"""
    )


def test_where_movement_is_not_wanted_nothing_moves_by_itself(labs):
    tab = labs.tab(reduced_motion="reduce")
    tab.open_lab(f"{SMALL}?open=packets&x=0.5,1")
    moving = tab.page.evaluate(
        """() => [...document.querySelectorAll("*")].filter((its) => {
      const style = getComputedStyle(its);
      const durations = `${style.transitionDuration},${style.animationDuration}`;
      return durations.split(",").some((each) => parseFloat(each) > 0.01);
    }).map((its) => its.outerHTML.slice(0, 100))"""
    )
    assert moving == []
    picture = tab.page.locator(".packets canvas").first
    expect(picture).to_have_attribute("data-packets", digits())
    tab.page.locator(".packets .play").click()
    title = tab.page.locator(".packets .read-out .title")
    # It goes on in steps of a second, and not 60 times in one.
    texts = set()
    for _ in range(10):
        texts.add(title.inner_text())
        tab.page.wait_for_timeout(50)
    assert len(texts) <= 2
    until(title.inner_text, lambda now: now not in texts, "the next step")
    tab.page.locator(".packets .play").click()
    labs.close()


def digits():
    return re.compile(r"^\d+$")


def test_on_a_phone_the_sliders_are_a_sheet_that_opens_by_a_tap(labs):
    tab = labs.tab(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    tab.open_lab(SMALL)
    slider = tab.slider("Bottleneck rate")
    expect(slider).not_to_be_visible()
    before = tab.metrics()
    tab.page.locator(".tune .handle").tap()
    expect(slider).to_be_visible()
    sheet, panels = (tab.page.locator(its).bounding_box() for its in (".tune", ".panel-stack"))
    assert sheet["y"] > 300, "the sheet leaves room for the panels"
    assert panels is not None
    box = slider.bounding_box()
    tab.page.touchscreen.tap(box["x"] + box["width"] * 0.8, box["y"] + box["height"] / 2)
    until(lambda: tab.address, lambda its: "rate" in its, "the slider has moved")
    tab.wait()
    until(tab.metrics, lambda now: now and now != before, "the numbers")
    assert not tab.is_wider()
    labs.close()
