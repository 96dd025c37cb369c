"""What only the study of WWW over ABR does: what it records, what its terminal and page show."""

import pytest

from ackclock.studies.abr_web.figures import _acr, _queue
from ackclock.studies.abr_web.levels import SERVICE, TABLE2
from report_page import page_of
from study_cases import ABR_WEB, shown


@pytest.fixture(scope="module")
def replicated(place):
    return ABR_WEB.run(place, levels={}, replications=2)


@pytest.mark.parametrize(
    ("levels", "servers"),
    [
        ({}, [2, 5, 15]),
        ({"servers": (1, 4, 5)}, [5]),
        ({"servers": (4, 6)}, [6]),
        ({"parts": (SERVICE,)}, []),
    ],
)
def test_three_loads_are_recorded(levels, servers, tmp_path):
    result = ABR_WEB.run(tmp_path, levels=levels)
    assert [trace.point.servers for trace in result.traces] == servers


def test_a_trace_has_the_queue_and_rates_of_data(tmp_path):
    ABR_WEB.core.calls.clear()
    (trace,) = ABR_WEB.run(tmp_path).traces
    assert (trace.point.servers, trace.end_s) == (5, 100)
    queue, acr = _queue(trace), _acr(trace)
    assert list(queue) == ["time_s", "max_cells"]
    assert len(queue) == len(acr) == 1000
    assert list(acr) == ["time_s", "flow 1", "flow 26", "flow 51", "mean of all"]
    plan, seed = next(call for call in ABR_WEB.core.calls if call[0]["probes"]["acr_bin_ps"])
    assert plan["probes"]["acr_bin_ps"] == plan["probes"]["queue_bin_ps"] == 10**11
    tables = ABR_WEB.core.columns_of(plan, seed)
    rates = tables["acr"]["acr_bit_s"].reshape(150, 1000)
    assert acr["flow 1"].to_numpy() == pytest.approx(rates[75])
    assert acr["mean of all"].to_numpy() == pytest.approx(rates[75:].mean(axis=0))
    assert (queue["max_cells"].to_numpy() == tables["queue"]["max_length"][:1000]).all()


def test_the_terminal_shows_both_tables(replicated):
    text = shown(replicated)
    assert "mean of 2 replications" in text
    assert all(each in text for each in ("27011", "34.08", "2.45"))
    assert "UBR SD, 0.5 RTT, sack" in text
    decided = "1 of the paper's 4 conclusions holds with 2 runs a cell, 0 fail and 3 are undecided"
    assert decided in " ".join(text.split())
    assert "Mean distance from the published" in text


def test_the_terminal_shows_what_there_is(tmp_path):
    services = shown(ABR_WEB.run(tmp_path, levels={"parts": (SERVICE,)}))
    assert "Table 2" not in services
    assert "None of the paper's 4 conclusions can be decided without numbers of" in services
    assert "over UBR" not in shown(ABR_WEB.run(tmp_path, levels={"parts": (TABLE2,)}))
    # The last request of 225 clients had no answer, which is one of ten.
    crowded = ABR_WEB.run(tmp_path, levels={"parts": (SERVICE,), "servers": (10,)})
    assert " - " in shown(crowded)


def test_all_tables_and_figures_are_there(page):
    ids = set(page.values("id"))
    assert {"table-2", "details-table", "services-table", "conventions-table"} <= ids
    drawings = {"longest-queue-drawing", "efficiency-drawing"}
    drawings |= {f"{kind}-{servers}" for kind in ("queue", "acr") for servers in (2, 5, 15)}
    drawings |= {f"responses-{servers}" for servers in (3, 5, 10)}
    assert drawings <= ids
    assert len(drawings) == 11
    page.check_drawings(11)


def test_table_2_stands_beside_the_published_one(replicated, page):
    table = replicated.tables["comparison"]
    row = table[(table["servers"] == 9) & (table["metric"] == "throughput_bit_s")].iloc[0]
    half = (row["hi"] - row["lo"]) / 2e6
    assert f"{row['simulated'] / 1e6:.2f} ± {half:.2f} 33.04" in page.text
    assert "23,471" in page.text
    assert "is 11,004 cells of an access link here and 11 040 in the paper" in page.text
    assert "an efficiency of 100 % is 35.1 Mbit/s" in page.text


def test_verdicts_are_those_of_the_result(replicated, page):
    page.check_verdicts(replicated, "paper's 4")


def test_every_figure_says_what_produced_it(page):
    captions = page.captions
    assert len(captions) == 2 + 3 + 1
    assert "Simulated: 30 runs, 2 replications of 15 combinations" in captions[0]
    assert "Simulated: replication 0 of this combination, seed" in captions[2]
    assert "Simulated: 78 runs, 2 replications of 39 combinations" in captions[-1]


@pytest.mark.parametrize(("part", "id"), [(TABLE2, "table-2"), (SERVICE, "services-table")])
def test_a_part_alone_has_a_page(part, id, tmp_path):
    page = page_of(ABR_WEB.run(tmp_path, levels={"parts": (part,)}), tmp_path)
    assert "nan" not in page.text.split()
    assert set(page.values("id")) & {"table-2", "services-table"} == {id}
    assert {"claims", "conventions"} <= set(page.values("id"))
