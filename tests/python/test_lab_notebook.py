"""The lab in a notebook: the kernel, and the page of a widget with a small model of our own."""

import base64
import json
import time
from threading import Event

import numpy as np
import pytest

import ackclock.lab
from ackclock.errors import InputError
from ackclock.lab import bundle
from ackclock.lab.frame import read
from ackclock.lab.runs.live_run import Kept, begun
from ackclock.lab.settings import Settings
from ackclock.lab.slots import Turn
from ackclock.results import run
from interactive_campaign import TEXT
from pages_in_chromium import Tab, chromium

anywidget = pytest.importorskip("anywidget")

RATE = "topology.bottleneck.rate"
SHOW = ["cwnd", "rtt", "queue", "goodput", "states"]
PATIENCE_S = 20


@pytest.fixture
def widget():
    its = ackclock.lab.widget(TEXT)
    yield its
    its.close()


def asked(number, sets=(), **more):
    """An order as the page makes it."""
    state = {"scenario": None, "source": "of the kernel", "sets": list(sets), "point": 0}
    rest = {"replication": 0, "show": SHOW, "flows": None, "link": None, "window": None}
    return {**state, **rest, "width": 300, "slot": "cell/B", "order": number, **more}


def wait_for(widget, trait, is_there):
    """The value of a trait once it is as it should be."""
    there = Event()
    widget.observe(lambda change: is_there(change["new"]) and there.set(), trait)
    assert is_there(getattr(widget, trait)) or there.wait(PATIENCE_S), trait
    return getattr(widget, trait)


def head_of(data):
    return read(data)[0][0] if data else {"order": None, "done": 0}


def last_frame(widget, number):
    def is_last(data):
        return (head_of(data)["order"], head_of(data)["done"]) == (number, 1)

    return wait_for(widget, "frame", is_last)


def made_by_the_server(body):
    settings = Settings(bundle.FOLDER, "", 0, 1)
    watched = begun(settings, {**body, "source": TEXT}, Turn(body["order"]), Kept())
    frames = []
    while (frame := watched.next()) is not None:
        frames.append(frame)
    return frames[-1]


def test_the_page_of_a_run_is_that_of_the_server(widget):
    widget.order = asked(1, [f"{RATE}=6 Mbit/s"])
    frame = last_frame(widget, 1)
    assert frame == made_by_the_server(widget.order)
    assert head_of(frame)["link"]["rate_bit_s"] == 6_000_000


def test_the_newest_order_is_answered(widget):
    for number in range(1, 6):
        widget.order = asked(number, [f"{RATE}={number} Mbit/s"])
    assert head_of(last_frame(widget, 5))["link"]["rate_bit_s"] == 5_000_000


def test_an_order_that_is_wrong_is_refused_with_its_key(widget):
    widget.order = asked(1, [f"{RATE}=fast"])
    refused = wait_for(widget, "refused", bool)
    assert refused["order"] == 1
    assert refused["problems"][0]["key"] == RATE


def test_a_question_is_answered_with_sliders(widget):
    widget.question = {**asked(0, [f"{RATE}=6 Mbit/s"]), "number": "a 1"}
    assert widget.answer["number"] == "a 1"
    answer = widget.answer["answer"]
    assert answer["ok"]
    assert answer["values"][RATE]["value"] == 6
    widget.question = {**asked(0, [f"{RATE}=fast"]), "number": "a 2"}
    assert widget.answer["answer"]["problems"][0]["key"] == RATE


def test_sets_of_a_widget_run_as_a_campaign(widget, tmp_path):
    widget.sets = [f"{RATE}=6 Mbit/s", "replications=1"]
    results = run(TEXT, tmp_path / "results", sets=widget.sets)
    widget.order = asked(1, widget.sets)
    metrics = {each["name"]: each["value"] for each in head_of(last_frame(widget, 1))["metrics"]}
    assert metrics["goodput_bit_s"] == results.metrics["goodput_bit_s"].iloc[0]


def test_a_file_and_a_shipped_scenario_have_widgets(tmp_path):
    path = tmp_path / "lab.toml"
    path.write_text(TEXT)
    for source in (path, str(path), "slow_start"):
        its = ackclock.lab.widget(source, sliders=[RATE])
        assert its.only == [RATE]
        its.close()


@pytest.mark.parametrize(
    ("source", "sets", "message"),
    [
        ("no-such-file.toml", (), "is not a file, and there is no scenario"),
        (TEXT, [f"{RATE}=fast"], RATE),
    ],
)
def test_what_is_wrong_is_said_at_once(source, sets, message):
    with pytest.raises(InputError, match=message):
        ackclock.lab.widget(source, sets)


def test_a_figure_has_the_data_of_a_report(tmp_path):
    results = run(TEXT, tmp_path / "results", sets=["replications=1"])
    of_run = read(ackclock.lab.view(results, point=2).figure)
    assert [head["kind"] for head, _ in of_run] == ["about", "run", "segments"]
    assert of_run[0][0]["state"]["point"] == 2
    ((head, arrays),) = read(ackclock.lab.view(results.plot.figure("goodput")).figure)
    assert head["of"] == "means"
    line = head["panels"][0]["lines"][0]
    assert np.isfinite(arrays[line["y"]]).all()
    with pytest.raises(InputError, match="no interactive data"):
        ackclock.lab.view(results.plot.traces(point=0))
    with pytest.raises(InputError, match="replication 7"):
        ackclock.lab.view(results, point=0, replication=7)


def test_without_the_extra_there_is_a_sentence(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"pip install 'ackclock\[notebook\]'"):
        ackclock.lab.widget(TEXT)


MODEL = """
// What the page needs of anywidget's model; save_changes hands what was set to the kernel.
async source => {
  const traits = await kernel({});
  const bytes = text => new DataView(Uint8Array.from(atob(text), c => c.charCodeAt(0)).buffer);
  const value = (name, its) => ["frame", "figure"].includes(name) ? bytes(its) : its;
  for (const name in traits) traits[name] = value(name, traits[name]);
  const heard = {};
  let changes = {};
  const tell = name => [...(heard[`change:${name}`] ?? [])].forEach(each => each());
  const model = {
    get: name => traits[name],
    set: (name, its) => { traits[name] = changes[name] = its; },
    save_changes: async () => {
      const sent = changes;
      changes = {};
      const got = await kernel(sent);
      for (const name in got) { traits[name] = value(name, got[name]); tell(name); }
    },
    on: (event, call) => (heard[event] ??= new Set()).add(call),
    off: (event, call) => heard[event]?.delete(call),
  };
  globalThis.model = model;
  globalThis.heard = heard;
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const its = await import(url);
  globalThis.end = its.default.render({ model, el: document.querySelector("#cell") });
}
"""


class Kernel:
    """The kernel's side of the model: traits that are set, and those that change for it."""

    def __init__(self, widget):
        self.widget = widget
        self.orders = []

    def traits(self, names):
        found = {name: getattr(self.widget, name) for name in names if hasattr(self.widget, name)}
        return {
            name: base64.b64encode(its).decode() if isinstance(its, bytes) else its
            for name, its in found.items()
        }

    def __call__(self, changes):
        if not changes:
            names = "sets point replication only question answer order frame refused figure"
            return self.traits(names.split())
        back = []
        for name, its in changes.items():
            setattr(self.widget, name, its)
            if name == "question":
                back.append("answer")
            if name == "order":
                self.orders.append(its)
                back.append(self.run(its["order"]))
        return self.traits(back)

    def run(self, number):
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            head = head_of(self.widget.frame)
            if (head["order"], head["done"]) == (number, 1):
                return "frame"
            if self.widget.refused.get("order") == number:
                return "refused"
            time.sleep(0.01)
        raise AssertionError("no answer")


@pytest.fixture(scope="module")
def browser():
    with chromium() as its:
        yield its


class Cell:
    """A cell that shows a widget."""

    def __init__(self, browser, widget, width=1280, **context):
        self.tab = Tab(browser, width, **context)
        self.page = self.tab.page
        self.kernel = Kernel(widget)
        self.page.expose_function("kernel", self.kernel)
        style = f"<style>{widget._css}</style>"
        self.page.set_content(f"<!doctype html>{style}<body><div id=cell></div></body>")
        self.page.evaluate(MODEL, widget._esm)

    def drawn(self, number):
        """The panels once so many orders were made."""
        self.page.wait_for_selector(".panel-stack[aria-busy=false] .plot canvas")
        assert self.tab.until(lambda: len(self.kernel.orders) >= number)
        self.page.wait_for_selector(".panel-stack[aria-busy=false] .plot canvas")
        return self.page.locator(".panel")


def test_a_cell_has_sliders_and_panels(browser, widget):
    cell = Cell(browser, widget)
    assert cell.drawn(1).count() == 4
    assert cell.page.locator(".sliders .field").count() > 4
    assert cell.page.locator(".metrics").is_visible()
    assert cell.tab.said == []
    cell.tab.close()


def test_two_cells_on_one_page_have_no_id_in_common(browser, widget):
    cell = Cell(browser, widget)
    cell.drawn(1)
    cell.page.evaluate(
        """() => {
          document.querySelector("#cell").id = "first";
          document.body.append(Object.assign(document.createElement("div"), { id: "cell" }));
        }"""
    )
    cell.page.evaluate(MODEL, widget._esm)
    cell.drawn(2)
    ids = cell.page.evaluate("[...document.querySelectorAll('.ackclock [id]')].map(its => its.id)")
    assert len(ids) > 10
    assert len(set(ids)) == len(ids)
    labels = cell.page.locator(".field label[for]").all()
    assert {its.get_attribute("for") for its in labels} <= set(ids)
    cell.tab.close()


@pytest.mark.parametrize(("scheme", "rules"), [("light", []), ("dark", ["color-contrast"])])
def test_axe_finds_nothing_in_a_cell(browser, widget, scheme, rules):
    cell = Cell(browser, widget, color_scheme=scheme)
    cell.drawn(1)
    assert cell.tab.violations(*rules, within="#cell") == []
    cell.tab.close()


def test_a_slider_makes_another_run_and_sets_come_back(browser, widget):
    cell = Cell(browser, widget, width=900)
    cell.drawn(1)
    number = cell.page.locator(f"[id$='slider-{RATE}-number']")
    number.fill("8")
    number.press("Enter")
    cell.drawn(2)
    assert widget.sets == [f"{RATE}=8 Mbit/s"]
    assert cell.kernel.orders[-1]["sets"] == widget.sets
    assert head_of(widget.frame)["link"]["rate_bit_s"] == 8_000_000
    assert cell.page.url == "about:blank"
    cell.tab.close()


def test_who_sets_in_the_kernel_moves_the_slider(browser, widget):
    cell = Cell(browser, widget)
    cell.drawn(1)
    widget.sets = [f"{RATE}=9 Mbit/s"]
    changed = json.dumps(widget.sets)
    cell.page.evaluate(
        f"model.set('sets', {changed}); heard['change:sets'].forEach(each => each())"
    )
    cell.drawn(2)
    assert cell.page.locator(f"[id$='slider-{RATE}-number']").input_value() == "9"
    cell.tab.close()


def test_what_is_wrong_stands_at_its_slider(browser, widget):
    cell = Cell(browser, widget)
    cell.drawn(1)
    number = cell.page.locator(f"[id$='slider-{RATE}-number']")
    number.fill("fast")
    number.press("Enter")
    cell.page.wait_for_selector(".field .problems")
    assert "fast" in cell.page.locator(".field .problems").inner_text()
    cell.tab.close()


def test_only_some_sliders_can_be_shown(browser):
    its = ackclock.lab.widget(TEXT, sliders=[RATE])
    cell = Cell(browser, its)
    cell.drawn(1)
    assert cell.page.locator(".sliders .field").count() == 1
    its.close()
    cell.tab.close()


@pytest.mark.parametrize("width", [390, 900])
def test_a_figure_is_a_panel_and_ends(browser, tmp_path, width):
    results = run(TEXT, tmp_path / "results", sets=["replications=1"])
    cell = Cell(browser, ackclock.lab.view(results, point=0), width)
    cell.page.wait_for_selector(".sequence canvas")
    assert cell.page.locator(".panel").count() == 4
    assert cell.page.evaluate("document.documentElement.scrollWidth") == width
    cell.page.evaluate("end()")
    assert cell.page.locator(".ackclock").count() == 0
    assert cell.tab.said == []
    cell.tab.close()


def test_two_cells_have_signals_of_their_own(browser, tmp_path):
    results = run(TEXT, tmp_path / "results", sets=["replications=1"])
    cell = Cell(browser, ackclock.lab.view(results, point=0))
    cell.page.evaluate("document.body.insertAdjacentHTML('beforeend', '<div id=other></div>')")
    cell.page.evaluate(MODEL.replace("#cell", "#other"), cell.kernel.widget._esm)
    cell.page.wait_for_selector("#other .sequence canvas")
    cell.page.locator("#cell .zoom-bar button", has_text="+").click()
    assert cell.page.locator("#cell .zoom-range").inner_text() == "1 to 3 s"
    assert cell.page.locator("#other .zoom-range").inner_text() == "0 to 4 s"
    cell.tab.close()
