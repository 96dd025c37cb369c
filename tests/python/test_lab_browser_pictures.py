"""What the pictures show, by numbers. ACKCLOCK_UPDATE=1 makes those of docs/howto/lab.md anew."""

import io
import re

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect

from consoles import UPDATE
from lab_browser import ROOT, until

SMALL = "yours/small"
IMAGES = ROOT / "docs/images"
MOST_BYTES = 150_000
NUMBER = re.compile(r"^\d+$")
RETRANSMIT = "drops_in_a_window?set=tcp.flavor=newreno&point=15&x=0.6,1.4"


def words(column):
    """The texts of a column of words."""
    return np.array([*column.words])[column.numbers]


def rows_of(tab, flow="flow 1", window=(0.5, 1.0)):
    """The rows of the diagram, as the server has them."""
    low, high = window
    body = {"scenario": SMALL, "flow": flow, "from": low, "to": high, "most": 200_000}
    return tab.lab.frames("detail/segments", body)[-1][1]


def data_of(canvas, *names):
    return [int(canvas.get_attribute(f"data-{name}")) for name in names]


@pytest.fixture
def diagram(tab):
    tab.open_lab(f"{SMALL}?open=sequence&x=0.5,1")
    canvas = tab.page.locator(".sequence canvas").first
    expect(canvas).to_have_attribute("data-strokes", NUMBER)
    expect(tab.page.locator(".sequence")).to_have_attribute("aria-busy", "false")
    return canvas


def test_the_diagram_draws_each_event_that_the_server_has(tab, diagram):
    rows = rows_of(tab)
    inside = (rows["time_s"] >= 0.5) & (rows["time_s"] <= 1)
    until(lambda: data_of(diagram, "rows"), lambda now: now == [inside.sum()], "rows")
    kind = words(rows["kind"])
    data = (inside & (kind == "data")).sum()
    label = tab.page.locator(".sequence [role=application]").get_attribute("aria-label")
    assert f"{data} segments sent" in label
    again = int(rows["sent_again"][inside].sum())
    assert f"{again} of them again" in label
    # Each segment and each ACK is a stroke at least, where none is as narrow as a pixel's column.
    assert data_of(diagram, "strokes")[0] >= data


def test_strokes_that_touch_are_drawn_as_one(tab, diagram):
    tab.page.locator(".sequence").get_by_role("button", name="All").click()
    tab.wait()
    rows, strokes = until(
        lambda: data_of(diagram, "rows", "strokes"),
        lambda now: now[0] > 3000,
        "all rows of the run",
    )
    assert strokes < rows
    width = diagram.evaluate("its => its.width")
    assert strokes < 8 * width
    expect(tab.page.locator(".sequence .note")).to_contain_text(f"{rows:,} events in {strokes:,}")


def test_the_diagram_tells_of_the_segment_under_the_pointer(tab, diagram):
    rows = rows_of(tab)
    is_data = words(rows["kind"]) == "data"
    known = {
        f"Data {low:,.0f} to {high:,.0f} {time:.6f}"
        for low, high, time in zip(
            *(rows[name][is_data] for name in ("low", "high", "time_s")), strict=True
        )
    }
    tab.settle()
    diagram.scroll_into_view_if_needed()
    box = diagram.bounding_box()
    told = tab.page.locator(".sequence .read-out")
    found = set()
    picture = Image.open(io.BytesIO(diagram.screenshot())).convert("L")
    dark = np.argwhere(np.asarray(picture)[30:-30, 70:-100] < 60)
    # Where the ink of a stroke is; a dozen places of them.
    for y, x in dark[:: max(1, len(dark) // 12)]:
        tab.page.mouse.move(box["x"] + 70 + int(x), box["y"] + 30 + int(y))
        text = " ".join(told.inner_text().split())
        match = re.search(r"Data ([\d,]+ to [\d,]+) .*Sent ([\d.]+) s, for the first", text)
        if match:
            found.add(f"Data {match[1]} {match[2]}")
    assert len(found) > 3
    assert found <= known


def test_keys_step_from_segment_to_segment(tab, diagram):
    tab.page.locator(".sequence [role=application]").focus()
    told = tab.page.locator(".sequence .read-out")
    times = []
    for _ in range(4):
        before = told.inner_text()
        tab.page.keyboard.press("ArrowRight")
        text = until(told.inner_text, lambda now, its=before: now != its, "the next segment")
        times.append(float(re.search(r"(?:Sent|Came)\s+([\d.]+) s", text)[1]))
    assert times == sorted(times)


@pytest.mark.parametrize("at", [0.6, 0.75, 0.9])
def test_the_animation_has_each_packet_in_its_place(tab, at):
    tab.open_lab(f"{SMALL}?open=packets&x=0.5,1&t={at}")
    canvas = tab.page.locator(".packets canvas").first
    expect(canvas).to_have_attribute("data-packets", NUMBER)
    expect(tab.page.locator(".packets")).to_have_attribute("aria-busy", "false")
    body = {"scenario": SMALL, "flows": None, "from": 0, "to": 1, "most": 200_000}
    head, rows = tab.lab.frames("detail/packets", body)[-1]
    lost = words(rows["lost"]) != ""
    here = (rows["offered_s"] <= at) & ((rows["arrived_s"] > at) | (~lost & (rows["left_s"] > at)))
    rates = np.array([each["rate_bit_s"] for each in head["links"]])[rows["link"]]
    begins = rows["left_s"] - 8 * rows["bytes"] / rates
    waiting = (here & (begins > at + 1e-9)).sum()
    until(
        lambda: data_of(canvas, "packets", "waiting"),
        lambda now: now == [here.sum() - waiting, waiting],
        f"{here.sum() - waiting} under way, {waiting} waiting",
    )


def test_play_step_and_the_next_drop(tab):
    tab.open_lab(f"{SMALL}?open=packets&x=0,1.5")
    part = tab.page.locator(".packets")
    expect(part.locator("canvas").first).to_have_attribute("data-packets", NUMBER)
    title = part.locator(".read-out .title")
    for _ in range(6):
        before = part.locator(".read-out").inner_text()
        part.get_by_role("button", name="Next event").click()
        until(part.locator(".read-out").inner_text, lambda now, its=before: now != its, "a step")
    stepped = title.inner_text()
    part.get_by_role("button", name="Play").click()
    until(title.inner_text, lambda now: now != stepped, "it plays")
    part.get_by_role("button", name="Pause").click()
    stood = title.inner_text()
    tab.page.wait_for_timeout(100)
    assert title.inner_text() == stood
    part.get_by_role("button", name="Next drop").click()
    body = {"scenario": SMALL, "flows": None, "from": 0, "to": 1.5, "most": 200_000}
    _, rows = tab.lab.frames("detail/packets", body)[-1]
    drops = rows["offered_s"][words(rows["lost"]) == "queue full"]
    assert len(drops) > 0
    expect(title).to_have_text(f"{drops.min():.6f} s")
    until(lambda: tab.address, lambda its: "t=" in its, "the time is in the address")


def test_strips_have_the_colour_of_each_state(tab):
    tab.open_lab(f"{SMALL}?x=0,4")
    head, arrays = tab.lab.frames(
        "run", {"scenario": SMALL, "order": 1, "slot": "strips", "show": ["states"], "width": 900}
    )[-1]
    colors = {
        item.inner_text().strip(): item.locator(".state-swatch").evaluate(
            "its => getComputedStyle(its).backgroundColor.match(/[0-9]+/g).map(Number)"
        )
        for item in tab.page.locator(".legend[aria-label=Signs] li").all()
        if item.locator(".state-swatch").count()
    }
    strip = head["strips"][0]
    times = arrays[strip["x"]]
    # Rounds of a phase have one colour.
    states = np.array([re.sub(r" \d+$", "", each) for each in words(arrays[strip["state"]])])
    assert set(states) - {""} <= set(colors)
    box = tab.page.locator(".panel .u-over").first.bounding_box()
    canvas = tab.page.locator("canvas.strips")
    left = box["x"] - canvas.bounding_box()["x"]
    seen = set()
    for at in np.arange(0.2, 3.9, 0.1):
        near = np.abs(times - at).min() < 0.05
        state = states[times <= at][-1]
        if near or state == "":
            continue
        pixel = canvas.evaluate(
            """(its, x) => {
              const ratio = its.width / its.clientWidth;
              const pen = its.getContext("2d");
              return [...pen.getImageData(Math.round(x * ratio), Math.round(3 * ratio), 1, 1).data];
            }""",
            left + box["width"] * at / head["duration_s"],
        )
        assert pixel[:3] == colors[state][:3], (at, state)
        seen.add(state)
    assert len(seen) >= 2


def test_lines_are_where_the_numbers_are(tab):
    """The queue of a link that is always busy: its line goes through the pixels of its values."""
    tab.open_lab(SMALL)
    tab.settle()
    panel = tab.page.get_by_role("region", name="Queue of")
    head, arrays = tab.lab.frames(
        "run", {"scenario": SMALL, "order": 1, "slot": "lines", "show": ["queue"], "width": 800}
    )[-1]
    (curve,) = head["panels"][0]["series"]
    x, y = arrays[curve["x"]], arrays[curve["y"]]
    box = panel.locator(".u-over").bounding_box()
    canvas = panel.locator("canvas")
    picture = Image.open(io.BytesIO(canvas.screenshot())).convert("RGB")
    inside = canvas.bounding_box()
    pixels = np.asarray(picture).astype(int)
    # The colour of the line is that of its name, right of the plot.
    colored = np.ptp(pixels, axis=2) > 60
    left, top = round(box["x"] - inside["x"]), round(box["y"] - inside["y"])
    width, height = round(box["width"]), round(box["height"])
    plot = colored[top : top + height, left : left + width]
    columns = np.flatnonzero(plot.any(axis=0))
    assert len(columns) > 0.9 * width
    # From the limit's line and the least value on, a pixel is so many packets.
    highest = np.array([np.flatnonzero(plot[:, column])[0] for column in columns])
    values = np.array(
        [y[np.searchsorted(x, (c + 1) / width * 4, side="right") - 1] for c in columns]
    )
    steady = values > 0
    slope, _ = np.polyfit(values[steady], -highest[steady], 1)
    fit = np.corrcoef(values[steady], -highest[steady])[0, 1]
    assert slope > 0
    assert fit > 0.95


PICTURES = {
    "start": "/",
    "panels": "/lab/start_up?point=0",
    "sequence": "/lab/drops_in_a_window?point=20&x=0.58,0.95&open=sequence",
    "packets": "/lab/red?x=3,3.8&open=packets",
    "compare": "/lab/red?point=1&pin=/red&x=10,50",
    "lesson": "/lessons/buffer?step=2",
}
"""Pictures of docs/howto/lab.md, and where they are taken."""


@pytest.mark.parametrize("name", PICTURES)
def test_the_how_to_has_its_pictures(request, name):
    path = IMAGES / f"lab-{name}.png"
    if UPDATE:
        path.write_bytes(taken(request.getfixturevalue("tab"), name))
    with Image.open(path) as picture:
        assert picture.width >= 800
    assert path.stat().st_size < MOST_BYTES
    assert f"images/{path.name}" in (ROOT / "docs/howto/lab.md").read_text(encoding="utf-8")


def taken(tab, name):
    """A picture of a page, or of a part of it, as a PNG with few colours."""
    tab.open(PICTURES[name])
    expect(tab.page.locator("main")).to_be_visible()
    tab.settle()
    expect(tab.page.locator("[aria-busy=true]")).to_have_count(0)
    part = tab.page
    if name == "sequence":
        part = tab.page.locator(".fold-sequence")
        expect(part.locator("canvas").first).to_have_attribute("data-strokes", NUMBER)
        part.locator("[role=application]").focus()
        # To the segment that is sent again first.
        for _ in range(10):
            tab.page.keyboard.press("ArrowDown")
            if "sent again" in part.locator(".read-out .title").inner_text():
                break
    elif name == "packets":
        part = tab.page.locator(".fold-packets")
        expect(part.locator("canvas").first).to_have_attribute("data-packets", NUMBER)
        part.get_by_role("button", name="Next drop").click()
        part.get_by_role("button", name="Next event").click()
    shot = Image.open(io.BytesIO(part.screenshot())).convert("RGB")
    few = shot.quantize(256, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    file = io.BytesIO()
    few.save(file, "PNG", optimize=True)
    return file.getvalue()
