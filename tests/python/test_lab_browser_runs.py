"""Runs in a browser: a slider's drag, the numbers, links, tabs, refusals, pictures that grow."""

import re
from urllib.parse import unquote

import pytest
from playwright.sync_api import expect

import ackclock
from ackclock.cli import main
from ackclock.errors import InputError
from ackclock.lab.runs.numbers import metric
from ackclock.results.metrics import METRICS
from ackclock.scenario import load
from lab_browser import until

SMALL = "yours/small"
RATE = "topology.bottleneck.rate"


def download(tab, label, folder):
    """A file of the export menu."""
    tab.page.get_by_text("Export", exact=True).click()
    with tab.page.expect_download() as found:
        tab.page.get_by_role("button", name=label).click()
    tab.page.keyboard.press("Escape")
    path = folder / found.value.suggested_filename
    found.value.save_as(path)
    return path


def drag(tab, label, share, steps=12):
    """Take the slider's thumb by the mouse to a share of its length; what was seen on the way."""
    tab.settle()
    slider = tab.slider(label)
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    low, high = (float(slider.get_attribute(end)) for end in ("min", "max"))
    now = (float(slider.input_value()) - low) / (high - low)
    # The thumb's centre goes from half its width to half its width.
    thumb = 16
    places = [box["x"] + thumb / 2 + each * (box["width"] - thumb) for each in (now, share)]
    middle = box["y"] + box["height"] / 2
    tab.page.mouse.move(places[0], middle)
    tab.page.mouse.down()
    seen = []
    for step in range(1, steps + 1):
        tab.page.mouse.move(places[0] + (places[1] - places[0]) * step / steps, middle)
        seen.append(slider.get_attribute("aria-valuetext"))
    tab.page.mouse.up()
    return seen


def check_same(one, other):
    """Two tabs show the same numbers, as soon as both have the last picture."""
    until(
        lambda: (one.metrics(), other.metrics()),
        lambda found: found[0] == found[1] != {},
        "the same numbers",
    )


@pytest.fixture
def small(tab):
    tab.open_lab(SMALL)
    tab.page.get_by_label("all", exact=True).check()
    return tab


def test_a_drag_is_one_entry_of_the_history_and_changes_the_numbers(small):
    before, entries = small.metrics(), small.entries()
    assert len(before) > 40
    seen = drag(small, "Bottleneck rate", 0.7)
    assert len(set(seen)) > 5
    value = small.page.get_by_label("Bottleneck rate, number").input_value()
    until(
        lambda: unquote(small.address),
        lambda address: f"set={RATE}={value}" in address,
        "the address has the last value",
    )
    # A picture of a step before may still come: the last one has these numbers.
    asked = {"scenario": SMALL, "sets": [f"{RATE}={value} Mbit/s"], "slot": "drag", "order": 1}
    head, _ = small.lab.frames("run", {**asked, "show": [], "width": 100})[-1]
    right = {each["name"]: each["text"] for each in head["metrics"]}
    after = until(small.metrics, lambda now: now == right, "the numbers of the last value")
    assert small.entries() == entries + 1
    assert after["goodput_bit_s"] != before["goodput_bit_s"]
    small.page.go_back()
    small.wait()
    until(small.metrics, lambda now: now == before, "Back takes the whole drag back")
    small.page.go_forward()
    small.wait()
    until(small.metrics, lambda now: now == after, "Forward brings it again")


def test_the_numbers_are_those_of_the_exported_scenario(small, tmp_path, capsys):
    drag(small, "Bottleneck rate", 0.4)
    drag(small, "Bottleneck delay", 0.6)
    small.button("Next run, with another seed").click()
    small.wait()
    path = download(small, "Scenario (TOML)", tmp_path)
    assert main(["check", str(path)]) == 0
    assert "ok" in capsys.readouterr().out.lower()
    results = ackclock.run(path, tmp_path / "out", replications=2)
    (row,) = results.metrics[results.metrics["replication"] == 1].to_dict("records")

    def is_right(name, text):
        # A queue here holds packets.
        unit = METRICS[name].unit.removesuffix(" or cells")
        return metric(name, unit, row[name])["text"] == text

    until(
        lambda: {name: text for name, text in small.metrics().items() if not is_right(name, text)},
        lambda wrong: not wrong,
        "the numbers are those of the file",
    )
    assert len(small.metrics()) > 40


def test_a_link_shows_the_same_in_another_tab(small, labs):
    drag(small, "Bottleneck rate", 0.3)
    small.wait()
    small.button("Zoom in").click()
    small.wait()
    # A tab of the same browser, which keeps the token.
    other = labs.beside(small.page.context)
    until(lambda: small.address, lambda address: "set=" in address and "x=" in address, "address")
    other.page.goto(small.page.url)
    other.wait()
    other.page.get_by_label("all", exact=True).check()
    check_same(other, small)
    assert (
        other.page.locator(".zoom-range").inner_text()
        == small.page.locator(".zoom-range").inner_text()
    )
    # And one of another browser, which gets it by the printed address.
    third = labs.tab().open(small.address).wait()
    third.page.get_by_label("all", exact=True).check()
    check_same(third, small)


def test_two_tabs_do_not_stop_each_other(tab, labs):
    address = "yours/long?set=duration=10+s"
    other = labs.beside(tab.page.context)
    statuses = []
    for each in (tab, other):
        each.page.on("response", lambda answer: statuses.append((answer.url, answer.status)))
        each.open(f"/lab/{address}")
    tab.wait()
    other.wait()
    runs = [status for url, status in statuses if url.endswith("/api/run")]
    assert runs == [200, 200]
    check_same(tab, other)


def test_the_first_picture_comes_early_and_grows(tab):
    tab.page.add_init_script(HEADS)
    tab.open_lab("yours/long?set=duration=12+s")
    heads = tab.page.evaluate("heads")
    assert len(heads) > 2
    done = [each["done"] for each in heads]
    assert 0 < done[0] < 0.5
    assert done == sorted(done)
    assert done[-1] == 1
    texts = tab.page.evaluate("progress")
    assert any(re.fullmatch(r"[\d.]+ of 12 s", text) for text in texts), texts


HEADS = """
const heads = (window.heads = []), progress = (window.progress = []);
const its = window.fetch;
window.fetch = async (path, init) => {
  const answer = await its(path, init);
  if (String(path) === "/api/run" && answer.status === 200) void read(answer.clone());
  return answer;
};
async function read(answer) {
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const text = new TextDecoder("latin1").decode(bytes);
  for (const found of text.matchAll(/"done":([\\d.e-]+)/g)) heads.push({ done: Number(found[1]) });
}
addEventListener("DOMContentLoaded", () => new MutationObserver(() => {
  const text = document.querySelector(".progress")?.textContent;
  if (text && progress.at(-1) !== text) progress.push(text);
}).observe(document, { subtree: true, childList: true, characterData: true }));
"""
"""What was told of the run, from first to last; the page itself gets what it always gets."""


def test_a_scenario_that_is_too_large_is_refused_with_a_sentence(tab):
    tab.open("/lab/yours/long?set=topology.bottleneck.rate=100+Gbit/s&set=duration=300+s")
    said = tab.page.locator(".cost")
    expect(said).to_contain_text("segments take about 28 min")
    assert tab.page.locator(".metric-grid").count() == 0


def test_a_slider_into_what_is_too_large_keeps_the_picture_as_one_of_before(small):
    field = small.page.get_by_label("Bottleneck rate, number")
    field.fill("10 Gbit/s")
    field.press("Enter")
    duration = small.page.get_by_label("Duration, number")
    duration.fill("300")
    duration.press("Enter")
    expect(small.page.locator(".cost")).to_be_visible()
    expect(small.panels).to_have_attribute("aria-busy", "true")
    expect(small.page.locator(".progress")).to_have_text("earlier picture")
    small.button("Reset Duration").click()
    small.button("Reset Bottleneck rate").click()
    small.wait()


@pytest.mark.parametrize(
    ("label", "wrong", "key"),
    [
        ("Bottleneck rate", "fast", RATE),
        ("Queue limit", "-3 rtt", "topology.bottleneck.queue.limit"),
        ("Duration", "0 s", "duration"),
    ],
)
def test_a_wrong_value_shows_its_problem_beside_the_key(small, label, wrong, key):
    field = small.page.get_by_label(f"{label}, number")
    before = field.input_value()
    field.fill(wrong)
    field.press("Enter")
    problem = small.page.locator(".field", has=field).locator(".problems li")
    expect(problem).to_have_count(1)
    said = problem.inner_text()
    with pytest.raises(InputError) as error:
        load(small.lab.settings.folder / "small.toml", [f"{key}={wrong}"])
    assert str(error.value).splitlines()[0].endswith(said), (said, str(error.value))
    expect(small.panels).to_have_attribute("aria-busy", "true")
    small.button(f"Reset {label}").click()
    expect(problem).to_have_count(0)
    small.wait()
    expect(field).to_have_value(before)


def test_any_key_can_be_set_and_a_wrong_one_is_told_there(small):
    small.unfold("All keys")
    small.page.get_by_label("Filter of keys").fill("ssthresh")
    field = small.page.get_by_label("tcp.initial_ssthresh", exact=True)
    field.fill("12 bananas")
    field.press("Enter")
    row = small.page.locator(".key-list li", has=field)
    expect(row.locator(".problems")).to_contain_text("bananas")
    before = small.metrics()
    field.fill("3 kB")
    field.press("Enter")
    expect(row.locator(".problems")).to_have_count(0)
    small.wait()
    until(small.metrics, lambda now: now and now != before, "the key changes the run")


def test_a_text_of_ones_own_is_a_state(small, labs):
    small.unfold("Scenario as text")
    text = small.page.get_by_label("TOML of the scenario")
    text.fill(text.input_value().replace('"4 s"', '"3 s"').replace("Two transfers", "My own"))
    expect(small.page.locator("h1")).to_have_text("My own")
    small.wait()
    until(lambda: small.address, lambda address: "toml=" in address, "the text is in the address")
    other = labs.tab().open(small.address).wait()
    expect(other.page.locator("h1")).to_have_text("My own")
    other.page.get_by_label("all", exact=True).check()
    check_same(other, small)
    text.fill(text.input_value().replace('"3 s"', '"3 sheep"'))
    expect(small.page.locator(".toml .problems")).to_contain_text("sheep")
    expect(small.page.locator(".line-numbers .wrong")).to_have_text("3")
