"""Pages and files: delays worked out by hand, metrics, frames and figures of a real run."""

from math import isnan, nan
from time import perf_counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ackclock.errors import InputError
from ackclock.results import Results
from ackclock.results.export import table_of, write_csv
from ackclock.results.flows import FLOW_METRICS, flow_columns
from ackclock.results.frames import pages_frame
from ackclock.results.metrics import METRICS, measure
from ackclock.results.pages import (
    CLOCKS,
    flows_with,
    median_or_nan,
    medians_by_flow,
    pages_of,
)
from ackclock.scenario.compile.facts import FILES, WEB
from results_campaigns import Facts, by_hand, lab
from test_results_metrics import PAGES, columns, facts

WHOLE = ("flow", "page", "stage", "connection", "bytes")
TIMES = ("opened_s", "established_s", "completed_s")
# One page of HTTP/1.0, a second one, and a file: each with a handshake of 0.1 s.
BY_HAND = [
    (0, 3, 0, 12, 1000, 10.0, 10.1, 10.5),
    # In the order of completion; the second stage takes 0.7 s, and the handshakes of both 0.2 s.
    (0, 3, 1, 14, 200, 10.5, 10.6, 10.8),
    (0, 3, 1, 13, 100, 10.5, 10.6, 11.0),
    (0, 3, 1, 15, 300, 10.5, 10.9, 11.3),
    (0, 4, 0, 16, 1, 20.0, 20.1, 20.4),
    (0, 4, 1, 17, 2, 20.4, 20.5, 20.6),
    (2, 4, 0, 4, 10**6, 0.0, 0.1, 8.0),
]


def transfers(rows):
    return {
        name: np.array([row[at] for row in rows], dtype=np.uint64 if name in WHOLE else float)
        for at, name in enumerate((*WHOLE, *TIMES))
    }


def web_facts(*workloads, **changed):
    return facts(len(workloads), flow_workloads=workloads, **changed)


def run_of(table, flows=3):
    return {**columns([9] * flows, [9] * flows, last=[1.0] * flows), "transfers": table}


def test_pages_by_hand():
    pages = pages_of(transfers(BY_HAND))
    assert pages.flow.tolist() == [0, 0, 2]
    assert pages.page.tolist() == [3, 4, 4]
    assert pages.bytes.tolist() == [1600, 3, 10**6]
    assert pages.opened_s.tolist() == [10, 20, 0]
    assert pages.delay_s("open") == pytest.approx([1.3, 0.6, 8.0])
    assert pages.delay_s("request") == pytest.approx([1.2, 0.5, 7.9])
    assert pages.delay_s("no_setup") == pytest.approx([0.4 + 0.4, 0.3 + 0.1, 7.9])
    with pytest.raises(
        ValueError, match="not a clock of pages; choose from open, request, no_setup"
    ):
        pages.delay_s("start")


def test_metrics_by_hand():
    row = measure(run_of(transfers(BY_HAND)), web_facts("http10", "bulk", "ftp"))
    assert (row["pages"], row["files"]) == (2, 1)
    assert row["page_delay_s"] == pytest.approx((1.3 + 0.6) / 2)
    assert row["page_delay_no_setup_s"] == pytest.approx((0.8 + 0.4) / 2)
    assert row["file_delay_s"] == 8
    flows = row["flows"]
    assert (flows["pages"], flows["files"]) == ([2, 0, 0], [0, 0, 1])
    assert flows["page_delay_s"] == pytest.approx([0.95, nan, nan], nan_ok=True)
    assert flows["file_delay_s"] == pytest.approx([nan, nan, 8], nan_ok=True)


def test_a_client_is_never_done():
    """Between two pages all that was asked for is delivered; only the bulk transfer ends."""
    run = run_of(transfers(BY_HAND))
    row = measure(run, web_facts("http10", "bulk", "ftp"))
    assert (row["completed_flows"], row["completion_s"]) == (1, 1)
    assert measure(run, web_facts("bulk", "bulk", "bulk"))["completed_flows"] == 3


@pytest.mark.parametrize("table", [{}, transfers([])])
def test_without_pages(table):
    row = measure(run_of(table), web_facts("http10", "http11", "ftp"))
    assert (row["pages"], row["files"]) == (0, 0)
    assert all(isnan(row[name]) for name in ("page_delay_s", "page_delay_no_setup_s"))
    assert isnan(row["file_delay_s"])
    assert row["flows"]["pages"] == [0, 0, 0]
    assert np.isnan(row["flows"]["page_delay_s"]).all()


def test_which_flows_fetch_what():
    its = web_facts("http11", "bulk", "ftp", "http10", "www_batches", "http_sessions")
    assert flows_with(its, WEB).tolist() == [True, False, False, True, False, True]
    assert flows_with(its, FILES).tolist() == [False, False, True, False, False, False]


def test_pages_of_chosen_flows():
    """As a study tells groups of clients apart."""
    pages = pages_of(transfers(BY_HAND))
    mine = pages.of(np.array([False, True, True]))
    assert mine.flow.tolist() == [2]
    assert median_or_nan(mine.delay_s()) == 8
    assert isnan(median_or_nan(pages.of(np.zeros(3, dtype=bool)).delay_s()))


@st.composite
def tables(draw):
    """Pages of one to three stages of one to four connections; times on a grid, exact in binary."""
    times = st.integers(0, 1000).map(lambda ticks: ticks / 64)
    rows, connection = [], 0
    for flow in range(draw(st.integers(1, 3))):
        for page in range(draw(st.integers(0, 4))):
            for stage in range(draw(st.integers(1, 3))):
                for _ in range(draw(st.integers(1, 4))):
                    moments = sorted(draw(st.tuples(times, times, times)))
                    size = draw(st.integers(1, 10**9))
                    rows.append((flow, page, stage, connection, size, *moments))
                    connection += 1
    return rows


def slow_delays(rows, clock):
    """The definitions of ``CLOCKS``, page by page."""
    delays = {}
    for key in dict.fromkeys(row[:2] for row in rows):
        its = [row for row in rows if row[:2] == key]
        end = max(row[7] for row in its)
        if clock == "no_setup":
            stages = {row[2] for row in its}
            delays[key] = sum(max(r[7] - r[6] for r in its if r[2] == stage) for stage in stages)
        else:
            delays[key] = end - min(row[5 if clock == "open" else 6] for row in its)
    return delays


@settings(deadline=None)
@given(tables())
def test_delays_are_those_of_the_definition(rows):
    pages = pages_of(transfers(rows) if rows else {})
    for clock in CLOCKS:
        slow = slow_delays(rows, clock)
        assert list(zip(pages.flow, pages.page, strict=True)) == list(slow)
        assert pages.delay_s(clock).tolist() == list(slow.values())


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(-50, 50)), max_size=40))
def test_medians_of_flows(pairs):
    flow = np.array([pair[0] for pair in pairs], dtype=np.int64)
    values = np.array([pair[1] for pair in pairs], dtype=float)
    expected = [median_or_nan(values[flow == number]) for number in range(6)]
    assert medians_by_flow(flow, values, 6) == pytest.approx(expected, nan_ok=True)


def test_flow_columns_have_a_value_a_flow():
    told = flow_columns(run_of(transfers(BY_HAND)), web_facts("http10", "bulk", "ftp"))
    assert tuple(told) == tuple(FLOW_METRICS)
    assert {len(values) for values in told.values()} == {3}


def test_a_long_run_is_measured_at_once():
    """Ten thousand transfers of 35 flows; far below this on any machine, unless a loop comes in."""
    rng = np.random.default_rng(1)
    rows = [
        (flow, page, stage, 0, 1000, *np.sort(rng.uniform(0, 360, 3)))
        for flow in range(35)
        for page in range(72)
        for stage in (0, 1, 1, 1)
    ]
    run, its = run_of(transfers(rows), 35), web_facts(*["http10"] * 32, *["ftp"] * 3)
    seconds = []
    for _ in range(5):
        start = perf_counter()
        measure(run, its)
        seconds.append(perf_counter() - start)
    assert min(seconds) < 0.05


def test_facts_are_those_of_a_scenario():
    from ackclock.scenario import Facts as Real

    assert {*Real.__dataclass_fields__} == {*Facts.__dataclass_fields__} - {"values"}


def test_a_metric_can_be_asked_for_alone():
    """A study takes some of them, from the columns as the core returns them."""
    run, its = run_of(transfers(BY_HAND)), web_facts("http10", "bulk", "ftp")
    alone = {name: METRICS[name].of(run, its) for name in PAGES}
    together = measure(run, its)
    assert alone == {name: together[name] for name in PAGES}


CLIENTS = """
title = "Clients"
duration = "12 s"
warm_up = "2 s"
replications = 2

[topology]
kind = "dumbbell"
access = { rate = "10 Mbit/s", delay = "1 ms" }
bottleneck = { rate = "1.5 Mbit/s", delay = "50 ms", queue = { limit = "25 packets" } }

[[flows]]
name = "web"
count = 3
workload = { kind = "http10", sizes = "5 kB", pause_min = "100 ms", pause_max = "500 ms" }

[[flows]]
name = "one"
workload = { kind = "http11", sizes = "5 kB", pause_min = "100 ms", pause_max = "500 ms" }

[[flows]]
name = "ftp"
workload = { kind = "ftp", file_size = "100 kB" }

[probes]
queue = "1 s"
cwnd = ["web 1"]

[sweep.factors]
"tcp.initial_window" = [1, 4]
"""


@pytest.fixture(scope="module")
def real(tmp_path_factory):
    return lab(tmp_path_factory.mktemp("lab") / "runs", text=CLIENTS)


def test_the_pages_of_a_real_run(real):
    pages = real.pages
    assert list(pages)[:4] == ["tcp_initial_window", "replication", "seed", "flow"]
    assert set(pages["replication"]) == {0}
    assert set(pages["workload"]) == {"http10", "http11", "ftp"}
    assert pages.groupby("group")["workload"].unique().map(list).to_dict() == {
        "web": ["http10"],
        "one": ["http11"],
        "ftp": ["ftp"],
    }
    assert set(pages["bytes"]) == {20_000, 100_000}
    assert (pages["opened_s"] >= 2).all()
    # No request goes out before the handshake's round trip of 104 ms, and no answer comes earlier.
    opened, request, served = (
        pages[name] for name in ("page_delay_s", "page_delay_request_s", "page_delay_no_setup_s")
    )
    assert (opened - request > 0.104).all()
    assert (request >= served - 1e-9).all()
    stages = pages["workload"].map({"http10": 2, "http11": 1, "ftp": 1})
    assert (served > 0.104 * stages).all()


def test_metrics_and_flows_are_those_of_the_pages(real):
    runs = real.metrics[real.metrics["replication"] == 0].reset_index(drop=True)
    web = real.pages[real.pages["workload"] != "ftp"].groupby("tcp_initial_window")
    files = real.pages[real.pages["workload"] == "ftp"].groupby("tcp_initial_window")
    assert runs["pages"].tolist() == web.size().tolist()
    assert runs["files"].tolist() == files.size().tolist()
    for name in ("page_delay_s", "page_delay_no_setup_s"):
        assert runs[name].tolist() == web[name].median().tolist()
    assert runs["file_delay_s"].tolist() == files["page_delay_s"].median().tolist()
    assert runs["page_delay_s"][1] < runs["page_delay_s"][0], "a larger window is faster here"
    flows = real.flows.query("replication == 0 and tcp_initial_window == 1").set_index("flow")
    assert flows["pages"].sum() == runs["pages"][0]
    assert flows["completion_s"].isna().all()
    first = real.pages.query("tcp_initial_window == 1 and flow == 'web 1'")
    assert flows["page_delay_s"]["web 1"] == first["page_delay_s"].median()
    heads = real.flow_grid().heads
    assert {"Page delay (s)", "File delay (s)"} <= {*heads}


def test_connections_are_in_order(real):
    its = real.transfers(point={"tcp_initial_window": 4})
    keys = list(zip(its["flow"].cat.codes, its["page"], its["stage"], strict=True))
    assert keys == sorted(keys)
    assert (its["opened_s"] < its["established_s"]).all()
    assert (its["established_s"] < its["completed_s"]).all()
    assert not its.duplicated(["flow", "connection"]).any()


def test_windows_of_a_client_by_connection(real):
    cwnd = real.trace("web 1", point=0).cwnd
    assert cwnd["connection"].nunique() > 4
    figure = real.plot.traces(["web 1"], point=0)
    line = figure.area.axes[0].lines[0]
    assert np.isnan(line.get_ydata()).sum() == cwnd["connection"].nunique() - 1
    assert line.get_xdata().max() == cwnd["time_s"].max()


def test_pages_are_exported(real, tmp_path):
    table = table_of(real, "pages")
    path = write_csv(table, tmp_path / "pages.csv", real.factors)
    head, *rows = path.read_text().splitlines()
    assert head.endswith("page_delay_s,page_delay_request_s,page_delay_no_setup_s")
    assert len(rows) == len(real.pages)


def test_delays_of_pages_are_drawn_by_level(real):
    figure = real.plot.pages("tcp_initial_window")
    ax = figure.area.axes[0]
    assert ax.get_xscale() == "log"
    web = real.pages[real.pages["workload"] != "ftp"]
    for line, (_, rows) in zip(ax.lines, web.groupby("tcp_initial_window"), strict=False):
        assert len(line.get_xdata()) == len(rows) + 1
    assert figure.source.endswith("n = 1")
    both = real.plot.pages(clock="no_setup")
    assert both.source.endswith("taken together: TCP initial window")
    files = real.plot.pages("tcp_initial_window", files=True, x_scale="linear")
    assert files.area.axes[0].get_xlabel() == "File delay (s)"


def test_wrong_names_are_told(real):
    with pytest.raises(InputError, match="'setup' is not a clock of pages; did you mean 'no_setup"):
        real.plot.pages(clock="setup")
    with pytest.raises(InputError, match="'iw' is not a factor"):
        real.plot.pages("iw")
    with pytest.raises(InputError, match="is not a scale"):
        real.plot.pages(x_scale="root")


def test_what_was_not_recorded_is_told(tmp_path):
    sets = ["replications=1", "sweep.factors.tcp.initial_window=[1]"]
    silent = lab(tmp_path / "silent", text=CLIENTS, sets=[*sets, "probes.replications=0"])
    with pytest.raises(InputError, match=r"list of pages was not recorded.*replications = 1 and"):
        _ = silent.pages
    short = lab(tmp_path / "short", text=CLIENTS, sets=[*sets, "duration=2100 ms"])
    with pytest.raises(InputError, match="no page or file was completed after the warm-up"):
        _ = short.pages
    bulk = by_hand(tmp_path / "bulk", [({}, {"goodput_bit_s": [1.0]})])
    with pytest.raises(InputError, match=r"no flow fetches pages.*kind = \"http10\""):
        _ = bulk.pages


def test_pages_need_no_probe(real, tmp_path):
    off = ["probes.queue=off", "probes.cwnd=off"]
    its = lab(tmp_path / "runs", text=CLIENTS, sets=off)
    assert [*its.records.replications(0, "transfers")] == [0]
    assert not its.records.has("queue", 0, 0)
    assert its.pages.equals(real.pages)
    bare = lab(tmp_path / "runs", text=CLIENTS, sets=[*off, "probes.replications=2"])
    assert [*bare.records.replications(0, "transfers")] == [0, 1]
    assert bare.metrics.equals(its.metrics), "what is kept changes no run"


def test_results_of_an_earlier_version_are_read(tmp_path):
    """Their rows know nothing of pages."""
    its = by_hand(tmp_path / "old", [({}, {"goodput_bit_s": [1.0]})])
    for run in its.campaign.runs:
        for name in ("pages", "page_delay_s"):
            del run.row["flows"][name], run.row[name]
    assert its.flows["pages"].isna().all()
    assert "pages" not in Results(its.campaign).measured


def test_a_factor_with_the_name_of_a_column_of_pages(real):
    with pytest.raises(InputError, match="the factor page has the name of a column"):
        pages_frame(real.campaign, ("page",), real.records)


def test_early_drops_are_some_of_the_drops(tmp_path):
    """Many clients at a bottleneck with RED, of which a burst fills the queue too."""
    red = "topology.bottleneck.queue.kind=red"
    sets = ["flows[0].count=12", "replications=1", "duration=8 s"]
    its = lab(tmp_path / "red", text=CLIENTS, sets=[*sets, red]).metrics
    assert (its["early_drops"] > 0).all()
    assert (its["early_drops"] <= its["drops"]).all()
    assert its["drop_share"].between(0.001, 0.2).all()
    tail = lab(tmp_path / "tail", text=CLIENTS, sets=sets).metrics
    assert (tail["drops"] > 0).all()
    assert (tail["early_drops"] == 0).all()
