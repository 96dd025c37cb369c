"""Interactive reports in a browser: from a file, with the network off."""

import base64
import re
import zlib
from urllib.parse import parse_qs, urlsplit

import pytest

from ackclock.lab.embedded.reports import ReportComponents
from ackclock.report.campaigns import write_report
from ackclock.results import run
from interactive_campaign import TEXT
from pages_in_chromium import Tab, chromium

FIGURES = "[data-figure]"
MEANS, SHARES, RUN = "#figure-0", "#delays-rtt", "#over-time-0"


@pytest.fixture(scope="module")
def browser():
    with chromium() as its:
        yield its


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    return run(TEXT, tmp_path_factory.mktemp("browser") / "lab.results")


@pytest.fixture(scope="module")
def file(results, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "report.html"
    write_report([results], path, components=ReportComponents())
    return path


@pytest.fixture
def tab(browser, file):
    its = Tab(browser).open(file)
    yield its
    its.close()


def living(tab):
    """Which figures have panels."""
    found = f"[...document.querySelectorAll('{FIGURES}')].map(each => 'live' in each.dataset)"
    return tab.page.evaluate(found)


def said(tab, figure):
    return tab.page.locator(f"{figure} .chart p[role=status]").inner_text()


def test_each_figure_is_a_panel_without_a_word(tab, file):
    assert len(living(tab)) > 6
    assert all(living(tab))
    assert tab.page.locator(f"{FIGURES} > svg").first.is_hidden()
    assert tab.page.locator(".ackclock .chart-line").count() > 4
    assert tab.page.locator(".ackclock canvas").count() > 8
    assert tab.said == []
    assert tab.asked == [file.as_uri()]


def test_no_name_runs_anything(tab):
    assert tab.page.evaluate("document.body.id") == ""


def test_a_mean_is_read_with_its_interval(tab, results):
    tab.page.locator(f"{MEANS} .chart-panels").focus()
    tab.page.keyboard.press("ArrowRight")
    first = results.summary(["goodput_bit_s"]).iloc[0]
    low, high = first["lo"] / 1e6, first["hi"] / 1e6
    text = said(tab, MEANS)
    assert text.startswith("reno, 10 ms: ")
    numbers = [float(each) for each in re.findall(r"[\d.]+", text.partition(": ")[2])]
    assert numbers == pytest.approx([first["mean"] / 1e6, low, high, 3], rel=1e-3)


def test_a_figure_says_what_produced_it(tab, results):
    source = tab.page.locator(f"{MEANS} .chart-source").inner_text()
    assert source == results.plot.figure("goodput").source
    seed = results.campaign.design.seed(0, 0)
    assert f"replication 0, seed {seed}" in tab.page.locator(f"{RUN} .chart-source").inner_text()


def test_the_pointer_finds_a_mean(tab):
    tab.page.locator(f"{MEANS} .chart-mean").first.hover(force=True)
    assert "n = 3" in tab.page.locator(f"{MEANS} .readout").inner_text()
    tab.page.mouse.move(0, 0)
    assert tab.page.locator(f"{MEANS} .readout").count() == 0


def test_shares_are_read_along_the_axis(tab):
    tab.page.locator(f"{SHARES} .chart-panels").focus()
    for _ in range(60):
        tab.page.keyboard.press("ArrowRight")
    assert re.search(r"up to [\d.]+ ms: reno 100 %, sack 100 %", said(tab, SHARES))


def test_a_series_can_be_switched_off(tab):
    means = tab.page.locator(f"{MEANS} .chart-mean")
    assert means.count() == 4
    button = tab.page.locator(f"{MEANS} .chart-legend button", has_text="reno")
    button.click()
    assert means.count() == 2
    assert button.get_attribute("aria-pressed") == "false"
    button.click()
    assert means.count() == 4


def test_a_figure_has_a_table(tab, results):
    tab.page.locator(f"{MEANS} .chart-bar > button").click()
    rows = tab.page.locator(f"{MEANS} table.numbers tbody tr")
    assert rows.count() == len(results.summary(["goodput_bit_s"]))


def test_panels_and_diagram_zoom_together(tab):
    drawn = f"{RUN} .sequence canvas"
    rows = "each => Number(each.dataset.rows)"
    before = tab.page.locator(drawn).first.evaluate(rows)
    assert before > 100
    tab.page.locator(f"{RUN} .zoom-bar button", has_text="+").click()
    shown = tab.page.locator(f"{RUN} .zoom-range")
    assert shown.inner_text() == "1 to 3 s"
    fewer = tab.until(lambda: tab.page.locator(drawn).first.evaluate(rows) < before)
    assert fewer, "the diagram shows as much as before"
    assert tab.page.locator(drawn).first.evaluate(rows) > 0
    # No other figure follows.
    assert tab.page.locator("#over-time-1 .zoom-range").inner_text() == "0 to 4 s"
    tab.page.locator(f"{RUN} .zoom-bar button", has_text="Back").click()
    assert shown.inner_text() == "0 to 4 s"


def test_the_link_has_the_state(tab):
    link = tab.page.locator("#over-time-2 .open-in-lab a")
    tab.page.locator("#over-time-2 .zoom-bar button", has_text="+").click()
    assert tab.until(lambda: "x=" in link.get_attribute("href"))
    address = urlsplit(link.get_attribute("href"))
    assert f"{address.scheme}://{address.netloc}{address.path}" == "http://127.0.0.1:8737/"
    place, _, query = address.fragment.partition("?")
    state = parse_qs(query)
    packed = state["toml"][0]
    text = zlib.decompress(base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4)), -15)
    assert place == "/lab"
    assert text.decode().strip() == TEXT.strip()
    assert (state["point"], state["x"]) == (["2"], ["1,3"])
    assert link.get_attribute("rel") == "noopener noreferrer"


def changed(file, folder, change):
    path = folder / "changed.html"
    path.write_text(change(file.read_text(encoding="utf-8")), encoding="utf-8")
    return path


def printed(tab):
    """How many drawings are seen."""
    return tab.page.locator(f"{FIGURES} > svg:visible").count()


def test_a_script_that_was_changed_is_not_run_and_the_drawings_stay(browser, file, tmp_path):
    path = changed(file, tmp_path, lambda text: text.replace("<script>/*", "<script>/* ", 1))
    tab = Tab(browser).open(path)
    assert not any(living(tab))
    assert printed(tab) == len(living(tab))
    assert any("Content Security Policy" in each for each in tab.said)
    tab.close()


def test_a_script_that_was_added_is_not_run(browser, file, tmp_path):
    added = "<script>document.body.id = 9</script></body>"
    tab = Tab(browser).open(changed(file, tmp_path, lambda text: text.replace("</body>", added)))
    assert tab.page.evaluate("document.body.id") == ""
    assert all(living(tab))
    tab.close()


def test_of_broken_data_the_drawing_stays_and_the_others_live(browser, file, tmp_path):
    def broken(text):
        head = re.search(r'id="over-time-1-0-data">', text).end()
        return text[:head] + "QUJD" + text[head:]

    tab = Tab(browser).open(changed(file, tmp_path, broken))
    assert living(tab).count(False) == 1
    assert printed(tab) == 1
    assert tab.page.locator("#over-time-1-0").is_visible()
    assert ["over-time-1-0" in each for each in tab.said] == [True]
    tab.close()


def test_without_scripts_it_is_the_printed_report(browser, file):
    tab = Tab(browser, java_script_enabled=False).open(file)
    assert tab.page.locator("#figure-0-drawing").is_visible()
    assert tab.page.locator("#over-time-0-0").is_visible()
    tab.close()


def test_paper_has_the_drawings(tab):
    tab.page.emulate_media(media="print")
    assert printed(tab) == len(living(tab))
    assert tab.page.locator(".ackclock:visible").count() == 0


@pytest.mark.parametrize("width", [390, 1280, 1920])
def test_nothing_is_wider_than_the_page(browser, file, width):
    tab = Tab(browser, width).open(file)
    assert all(living(tab))
    assert tab.until(lambda: tab.page.evaluate("document.documentElement.scrollWidth") == width)
    assert tab.said == []
    tab.close()


@pytest.mark.parametrize(("scheme", "rules"), [("light", []), ("dark", ["color-contrast"])])
def test_axe_finds_nothing(browser, file, scheme, rules):
    tab = Tab(browser, color_scheme=scheme).open(file)
    assert tab.violations(*rules, within=".ackclock") == []
    tab.close()


def test_the_page_follows_the_dark(browser, file):
    tab = Tab(browser, color_scheme="dark").open(file)
    color = "getComputedStyle(document.querySelector('{}')).backgroundColor"
    for element in ("body", ".ackclock"):
        shades = re.findall(r"\d+", tab.page.evaluate(color.format(element)))
        assert all(int(shade) < 64 for shade in shades[:3])
    tab.close()
