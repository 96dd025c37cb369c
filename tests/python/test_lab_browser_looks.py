"""How the page looks: dark, where movement is not wanted, and on a phone."""

import re

from playwright.sync_api import expect

from lab_browser import until

SMALL = "yours/small"


def test_colours_follow_the_system_or_a_switch_that_is_kept(tab):
    tab.open_lab(SMALL)
    ink = [canvas_colors(tab)]
    tab.page.emulate_media(color_scheme="dark")
    until(tab.is_dark, bool, "as the system")
    ink.append(until(lambda: canvas_colors(tab), lambda now: now != ink[0], "dark lines"))
    for name, dark in (("light", False), ("dark", True)):
        tab.page.get_by_role("button", name=f"Switch to {name}").click()
        until(tab.is_dark, lambda now, its=dark: now == its, name)
    tab.page.emulate_media(color_scheme="light")
    tab.page.reload()
    tab.wait()
    assert tab.is_dark()
    tab.page.get_by_role("button", name="Switch to as the system").click()
    until(tab.is_dark, lambda now: not now, "as the system again")


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
