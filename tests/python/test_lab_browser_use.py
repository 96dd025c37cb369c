"""How the lab is used: by keys alone, by the mouse, two runs side by side, files."""

import csv
import io
import re
import tomllib

import pytest
from playwright.sync_api import expect

from ackclock.cli import main
from lab_browser import until

SMALL = "yours/small"
FILES = {
    "Scenario (TOML)": "small.toml",
    "Python": "small.py",
    "Rows (CSV)": "small.csv",
    "Packets (pcapng)": "small.pcapng",
    "Figure (SVG)": "small.svg",
    "Figure (PNG)": "small.png",
    "Picture of the panels (PNG)": "yours-small.png",
}
PNG = b"\x89PNG\r\n\x1a\n"


def tab_to(tab, selector, most=150):
    """Press Tab until an element has the focus, which must be seen."""
    focused = tab.page.locator(":focus")
    for _ in range(most):
        tab.page.keyboard.press("Tab")
        if tab.page.evaluate("its => document.activeElement.matches(its)", selector):
            shown = focused.evaluate(
                "its => [its.matches(':focus-visible'), getComputedStyle(its).outlineStyle]"
            )
            assert shown[0], f"{selector}: the focus is not seen"
            assert shown[1] != "none", f"{selector}: the focus has no outline"
            return focused
    raise AssertionError(f"{most} times Tab do not lead to {selector}")


def press(tab, *keys):
    for key in keys:
        tab.page.keyboard.press(key)


def test_keys_alone_lead_from_the_start_to_a_changed_picture(tab):
    tab.open()
    expect(tab.page.locator(".card").first).to_be_visible()
    tab_to(tab, "a[href='#/lab/slow_start']")
    press(tab, "Enter")
    tab.wait()
    assert tab.address == "/lab/slow_start"
    before = tab.metrics()
    slider = tab_to(tab, "input[type=range]")
    name = slider.get_attribute("id").removeprefix("slider-")
    text = slider.get_attribute("aria-valuetext")
    press(tab, *["ArrowRight"] * 3, "PageDown", "Shift+ArrowLeft")
    expect(slider).not_to_have_attribute("aria-valuetext", text)
    until(lambda: tab.address, lambda address: name in address, "the address")
    tab.wait()
    until(tab.metrics, lambda now: now and now != before, "the numbers")

    tab_to(tab, ".panel-stack")
    shown = tab.page.locator(".zoom-range")
    all_of_it = shown.inner_text()
    press(tab, "ArrowRight", "ArrowRight", "+")
    expect(shown).not_to_have_text(all_of_it)
    zoomed = shown.inner_text()
    press(tab, "+")
    expect(shown).not_to_have_text(zoomed)
    nearer = shown.inner_text()
    press(tab, "Shift+ArrowRight")
    expect(shown).not_to_have_text(nearer)
    press(tab, "Backspace")
    expect(shown).to_have_text(zoomed)
    press(tab, "0")
    expect(shown).to_have_text(all_of_it)
    expect(tab.page.locator(".panel-stack [aria-live]")).to_contain_text("cursor at")

    tab_to(tab, "section.fold-sequence .fold-head")
    press(tab, "Enter")
    diagram = tab_to(tab, ".sequence [role=application]")
    expect(diagram).to_have_attribute("aria-label", re.compile(r"\d+ segments? sent"))
    told = tab.page.locator(".sequence .read-out")
    texts = {told.inner_text()}
    for _ in range(3):
        press(tab, "ArrowRight")
        until(told.inner_text, lambda now: now not in texts, "the next segment")
        texts.add(told.inner_text())
    press(tab, "Home", "f", "+")
    expect(shown).not_to_have_text(all_of_it)


def test_keys_alone_answer_a_lesson(tab):
    tab.open()
    tab_to(tab, "header a[href='#/lessons']")
    press(tab, "Enter")
    expect(tab.page.locator(".lesson-card").first).to_be_visible()
    tab_to(tab, ".lesson-card a")
    press(tab, "Enter")
    expect(tab.page.locator(".lesson-text")).to_be_focused()
    right = tab.lab.get("lessons/slow-start")["steps"][0]["right"]
    tab_to(tab, f".answers li:nth-child({right + 1}) button")
    press(tab, "Space")
    expect(tab.page.locator(".verdict")).to_contain_text("Right.")
    tab_to(tab, ".lesson-way a.primary")
    press(tab, "Enter")
    expect(tab.page.locator(".lesson-steps [aria-current=step]")).to_have_text("2")


def test_a_part_of_the_time_is_chosen_by_the_mouse_and_left_again(tab):
    tab.open_lab(SMALL)
    tab.settle()
    plot = tab.page.locator(".panel .u-over").first
    entries = tab.entries()
    width = plot.bounding_box()["width"]
    # Hovering waits until the plot stands still.
    plot.hover(position={"x": width * 0.25, "y": 40})
    tab.page.mouse.down()
    for share in (0.4, 0.5):
        plot.hover(position={"x": width * share, "y": 50})
    tab.page.mouse.up()
    address = until(lambda: tab.address, lambda its: "x=" in its, "the part is in the address")
    low, high = map(float, re.search(r"x=([\d.]+),([\d.]+)", address).groups())
    assert (low, high) == (pytest.approx(1, abs=0.02), pytest.approx(2, abs=0.02))
    tab.wait()
    until(tab.entries, lambda now: now == entries + 1, "a drag is one entry")
    shown = tab.page.locator(".zoom-range")
    zoomed = shown.inner_text()
    tab.button("Zoom in").click()
    expect(shown).not_to_have_text(zoomed)
    nearer = shown.inner_text()
    tab.button("Back").click()
    expect(shown).to_have_text(zoomed)
    # An entry is written a little after what it stands for is shown.
    until(tab.entries, lambda now: now == entries + 3, "each is an entry of the history")
    for text in (nearer, zoomed, "0 to 4 s"):
        tab.page.go_back()
        expect(shown).to_have_text(text)
    tab.page.go_forward()
    expect(shown).to_have_text(zoomed)
    plot.dblclick()
    expect(shown).to_have_text("0 to 4 s")


def test_the_cursor_tells_the_values_of_all_panels(tab):
    tab.open_lab(f"{SMALL}?x=1,2")
    tab.settle()
    box = tab.page.locator(".panel .u-over").first.bounding_box()
    tab.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 30)
    for panel in tab.page.locator(".panel").all():
        expect(panel.get_by_text("1.500 s").first).to_be_visible()


def test_the_table_of_a_panel_has_its_values(tab):
    tab.open_lab(f"{SMALL}?x=1,3")
    tab.button("Table of congestion window").click()
    rows = tab.page.locator(".panel table tbody tr")
    expect(rows).to_have_count(41)
    heads = tab.page.locator(".panel table thead th").all_inner_texts()
    cells = rows.nth(20).locator("th, td").all_inner_texts()
    now = dict(zip(heads, cells, strict=True))
    assert now["time"].startswith("2.0")
    assert now["flow 1: state"] in ("congestion avoidance", "recovery", "slow start")
    head, arrays = tab.lab.frames(
        "run", {"scenario": SMALL, "order": 1, "slot": "table", "show": ["cwnd"], "width": 900}
    )[-1]
    (curve,) = (
        each for each in head["panels"][0]["series"] if (each["name"], each["flow"]) == ("cwnd", 0)
    )
    (x, y) = (arrays[curve[axis]] for axis in "xy")
    at_2_s = float(y[(x <= 2).nonzero()[0][-1]]) / 1000
    assert float(now["flow 1 cwnd"].removesuffix(" kB")) == pytest.approx(at_2_s, rel=0.05)


def test_a_and_b_are_compared(tab):
    tab.open_lab(SMALL)
    a = tab.metrics()
    tab.button("Pin as A").click()
    field = tab.page.get_by_label("Bottleneck rate, number")
    field.fill("20")
    field.press("Enter")
    tab.wait()
    until(lambda: tab.address, lambda its: "pin=" in its and "rate" in its, "the address")
    rows = tab.page.locator(".metrics[aria-label=Metrics] table tbody tr")

    def values():
        return {
            row.locator("th").get_attribute("title"): row.locator("td").all_inner_texts()
            for row in rows.all()
        }

    found = until(
        values,
        lambda now: all(each[0] == a[name] for name, each in now.items() if name in a),
        "A is the run that was pinned",
    )
    assert found["goodput_bit_s"][2].startswith("× ") or "%" in found["goodput_bit_s"][2]
    assert found["goodput_bit_s"][0] != found["goodput_bit_s"][1]
    expect(tab.page.locator(".panels")).to_contain_text("A")
    tab.button("Swap A and B").click()
    until(
        values,
        lambda now: now and now["goodput_bit_s"][:2] == found["goodput_bit_s"][1::-1],
        "A and B have changed places",
    )
    tab.button("Unpin A").click()
    until(tab.metrics, lambda now: now == a, "A alone")


def test_a_file_of_each_kind_is_what_its_name_says(tab, tmp_path, capsys):
    tab.open_lab(f"{SMALL}?set=duration=3+s&x=1,2")
    menu = tab.page.locator("details.menu", has_text="Scenario (TOML)")
    found = {}
    for label in FILES:
        if menu.get_attribute("open") is None:
            menu.locator("summary").click()
        with tab.page.expect_download() as download:
            menu.get_by_role("button", name=label).click()
        path = tmp_path / download.value.suggested_filename
        download.value.save_as(path)
        expect(menu.get_by_role("status")).to_have_text(f"{path.name} is saved.")
        found[label] = path
    assert {label: path.name for label, path in found.items()} == FILES
    content = {path.suffix: path.read_bytes() for path in found.values()}
    assert tomllib.loads(content[".toml"].decode())["duration"] == "3 s"
    assert main(["check", str(found["Scenario (TOML)"])]) == 0
    capsys.readouterr()
    compile(content[".py"], "small.py", "exec")
    rows = list(csv.reader(io.StringIO(content[".csv"].decode())))
    assert len(rows) > 100
    assert content[".pcapng"].startswith(b"\x0a\x0d\x0d\x0a")
    assert b"<svg" in content[".svg"][:2000]
    for label in ("Figure (PNG)", "Picture of the panels (PNG)"):
        assert found[label].read_bytes().startswith(PNG)


def test_the_link_is_copied(labs, tab):
    tab.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    tab.open_lab(f"{SMALL}?set=duration=3+s")
    tab.button("Copy link").click()
    expect(tab.page.get_by_role("button", name="Copied")).to_be_visible()
    copied = tab.page.evaluate("navigator.clipboard.readText()")
    assert copied == f"{tab.origin}/#/lab/{SMALL}?set=duration=3+s"


def test_a_click_on_a_link_shows_its_queue(tab):
    tab.open_lab(SMALL)
    expect(tab.page.get_by_role("heading", name="Queue of")).to_contain_text("r1 -> r2")
    link = tab.page.locator(".path [role=button]").first
    link.click()
    until(lambda: tab.address, lambda its: "link=" in its, "the link is in the address")
    tab.wait()
    expect(tab.page.get_by_role("heading", name="Queue of")).not_to_contain_text("r1 -> r2")
