"""Many runs in a browser: pairs with intervals, campaigns, studies, jobs that outlive their tab."""

import math
import os
import re
import shlex
import signal
from statistics import mean, stdev

import pytest
from playwright.sync_api import expect
from scipy.stats import t as student

import ackclock
from ackclock import _core
from ackclock.cli import main
from ackclock.lab.jobs import api as jobs
from ackclock.lab.jobs.progress import progress
from ackclock.lab.runs.numbers import metric
from ackclock.lab.states.state import State
from ackclock.lab.studies.api import STUDIES
from ackclock.lab.studies.points import points
from ackclock.results import Results
from ackclock.results.metrics import METRICS, measure
from ackclock.scenario.plan import canonical_json
from lab_browser import browsing, until
from lab_calls import TEXT

SWEPT = f"""{TEXT}
[sweep.factors]
"tcp.flavor" = ["reno", "cubic"]
"""
SLOW = "set=duration=60+s&set=topology.bottleneck.rate=40+Mbit/s"
"""A run that takes a tenth of a second."""


@pytest.fixture(scope="module")
def labs(tmp_path_factory):
    """A server whose user has a scenario and a campaign."""
    folder = tmp_path_factory.mktemp("archive")
    (folder / "short.toml").write_text(TEXT)
    ackclock.run(SWEPT, folder / "kept", replications=2, sets=["title=Two flavors"], jobs=1)
    with browsing(folder) as labs:
        yield labs
    for job in jobs.job_folders(labs.lab.settings):
        if (worker := job.worker()) and worker.pid:
            os.kill(worker.pid, signal.SIGKILL)


def check_shown(text, values):
    """The numbers of a text are these, to the digits that it has."""
    found = re.findall(r"-?[\d.]+", text)
    digits = [len(each.partition(".")[2]) for each in found]
    assert found == [f"{its:.{n}f}" for its, n in zip(values, digits, strict=True)], text


def count(line):
    """How many runs a job has made, by its line."""
    return int(re.search(r"\d+", line.inner_text())[0])


def interval(values):
    """A mean, and half its 95 % interval, by the book."""
    n = len(values)
    return mean(values), student.ppf(0.975, n - 1) * stdev(values) / math.sqrt(n)


def shown_run(tab):
    """All metrics of the run that the lab shows, as soon as they are there."""
    tab.wait()
    tab.page.get_by_label("all", exact=True).check()
    return until(tab.metrics, lambda now: len(now) > 30, "the numbers")


def check_run(tab, row):
    """The metrics that the lab shows are those of a run that was made without it."""
    for name, text in shown_run(tab).items():
        # A queue here holds packets.
        unit = METRICS[name].unit.removesuffix(" or cells")
        assert metric(name, unit, row[name])["text"] == text, name


def test_pairs_of_runs_have_differences_with_intervals(tab):
    tab.open_lab("yours/short")
    tab.button("Pin as A").click()
    field = tab.page.get_by_label("Bottleneck delay, number")
    field.fill("20")
    field.press("Enter")
    tab.wait()
    part = tab.page.locator(".pair")
    part.get_by_label("Pairs", exact=True).fill("4")
    part.get_by_role("button", name="Compare with intervals").click()
    # The process of a job needs a moment to begin.
    expect(part.get_by_role("progressbar")).to_be_visible()
    expect(part.locator(".job-line")).to_contain_text("of 8 runs")
    expect(part.locator(".finding")).to_contain_text("4 pairs of runs")
    expect(part.get_by_role("progressbar")).to_have_count(0)
    a, b = (
        ackclock.run(TEXT, sets=sets, replications=4, jobs=1).metrics["goodput_bit_s"] / 1e6
        for sets in ([], ["topology.bottleneck.delay=20 ms"])
    )
    row = part.get_by_role("row").filter(has_text="Goodput")
    shown = row.locator("td").all_inner_texts()[:3]
    for text, its in zip(shown, (a, b, b - a), strict=True):
        check_shown(text, interval(list(its)))
    # The page knows its job after a reload, too.
    tab.page.reload()
    expect(part.get_by_role("row").filter(has_text="Goodput")).to_have_count(1)


def test_a_campaign_is_found_and_a_run_of_it_opened(tab):
    tab.open("/campaigns")
    words = tab.page.get_by_label("Filter of campaigns")
    words.fill("flavors nonsense")
    expect(tab.page.get_by_role("status")).to_have_text("No campaign has these words.")
    words.fill("flavors")
    tab.page.get_by_role("link", name="Two flavors").click()
    table = tab.page.get_by_role("region", name="Means of all points")
    expect(table.get_by_role("row")).to_have_count(3)
    tab.page.get_by_label("Metric", exact=True).select_option("segments_sent")
    expect(table).to_contain_text("Segments sent")
    until(lambda: tab.address, lambda its: "metric=segments_sent" in its, "the metric")
    runs = Results.open(tab.lab.settings.folder / "kept").metrics
    for flavor, its in runs.groupby("tcp_flavor"):
        row = table.get_by_role("row").filter(has_text=flavor)
        check_shown(row.locator("td").first.inner_text(), interval(list(its["segments_sent"])))
    table.get_by_role("button", name="2 runs of cubic").click()
    rows = tab.page.get_by_role("region", name="Runs, one a row").locator("tbody tr")
    expect(rows).to_have_count(2)
    seed = rows.nth(1).locator("td").nth(2).inner_text()
    rows.nth(1).get_by_role("button", name="open in the lab").click()
    chosen = (runs["tcp_flavor"] == "cubic") & (runs["replication"] == 1)
    (row,) = runs[chosen].to_dict("records")
    check_run(tab, row)
    assert str(row["seed"]) == seed


def test_a_cell_of_a_study_is_opened_and_run(tab):
    tab.open("/studies")
    tab.page.get_by_role("link", name=STUDIES["rfc2415"].title).click()
    tab.page.get_by_role("button", name=re.compile("^Table 1")).click()
    cells = tab.page.get_by_role("region", name=re.compile("^Table 1")).locator("button.cell")
    printed = cells.nth(3).inner_text()
    (table,) = (
        each for each in tab.lab.get("studies/rfc2415")["tables"] if each["id"] == "table-1"
    )
    cell = [each for row in table["rows"] for each in row["cells"] if each][3]
    assert cell["published_text"] in printed
    cells.nth(3).click()
    behind = points(STUDIES["rfc2415"].package)[cell["point"]]
    compiled = behind.point.compile()
    state = State.read(behind.state())
    seed = state.seed(state.load(tab.lab.settings))
    columns = _core.run(canonical_json(compiled.without_probes()), seed)
    check_run(tab, measure(columns, compiled.facts))


def test_a_job_goes_on_without_its_tab_and_by_hand(labs, tab, monkeypatch, capsys):
    tab.open_lab(f"yours/short?{SLOW}")
    tab.unfold("Many runs")
    form = tab.page.get_by_role("form", name="Sweep a key")
    form.get_by_label("Key", exact=True).fill("tcp.flavor")
    values = form.get_by_label("Values", exact=True)
    values.focus()
    expect(values).to_have_value(re.compile("^vanilla, reno"))
    values.fill("reno, cubic")
    form.get_by_label("Runs of each", exact=True).fill("400")
    form.get_by_role("button", name="Sweep this key").click()
    expect(tab.page.get_by_role("link", name="See the result so far")).to_be_visible()
    other = labs.beside(tab.page.context)
    tab.page.close()
    # Nobody looks on.
    (job,) = (each for each in jobs.job_folders(tab.lab.settings) if "sweep" in each.name)
    before = until(lambda: progress(job), lambda its: its["done"] > 0, "the first run")
    other.page.goto(f"{tab.origin}/#/jobs")
    under_way = other.page.get_by_role("region", name="Under way")
    expect(under_way).to_contain_text("of 800 runs")
    under_way.get_by_role("link").first.click()
    line = other.page.locator(".job-line")
    expect(line).to_contain_text("is under way")
    other.button("Stop").click()
    expect(line).to_contain_text("stopped")
    kept = count(line)
    assert kept >= before["done"]
    other.button("Go on").click()
    expect(line).to_contain_text("is under way")
    until(lambda: count(line), lambda now: now > kept, "it has gone on")
    other.button("Stop").click()
    expect(line).to_contain_text("stopped")
    made = count(line)
    other.button("Command").click()
    command = other.page.locator(".command code").inner_text()
    fewer = command.replace("--replications 400", f"--replications {made}")
    assert fewer != command
    monkeypatch.chdir(tab.lab.settings.folder)
    assert main([*shlex.split(fewer)[1:], "--jobs", "1"]) == 0
    capsys.readouterr()
    other.page.reload()
    expect(line).to_contain_text("done")
    expect(line).to_contain_text(f"{2 * made} runs")
