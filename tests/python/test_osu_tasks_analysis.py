"""Runs of a part become tables; a run becomes a row."""

from __future__ import annotations

from io import StringIO
from math import isnan

import pytest
from rich.console import Console

import fake_osu_core
from ackclock.scenario import Point
from ackclock.scenario.plan import written_out
from ackclock.studies.machinery.request import Request
from ackclock.studies.machinery.running import points_of
from ackclock.studies.machinery.settings import scenario_of
from ackclock.studies.osu_tasks.levels import (
    BUFFERED,
    BURSTY,
    MEANS,
    RETRANSMIT,
    BuffersPoint,
    BurstyPoint,
)
from ackclock.studies.osu_tasks.metrics import measure
from ackclock.studies.osu_tasks.study import STUDY
from ackclock.studies.osu_tasks.terminal import allocation_table as terminal_table
from osu_tasks_runs import NOISE, example_runs, made_up, points


def test_means_have_intervals_where_there_are_two_runs():
    runs = example_runs(3)[BUFFERED.name]
    fewer = runs[(runs["sources"] < 50) | (runs["replication"] == 0)]
    table = made_up(BUFFERED, fewer).results
    assert [BuffersPoint(*row) for row in table[BUFFERED.columns].itertuples(index=False)] == (
        points()[BUFFERED.name]
    )
    assert list(table.columns[4:8]) == ["n", "efficiency", "efficiency_lo", "efficiency_hi"]
    few, many = table.iloc[0], table[table["sources"] == 1000].iloc[0]
    assert (few["n"], many["n"]) == (3, 1)
    # t[0.975; 2] = 4.303; both parts of the noise are in step at the first point.
    half = 4.3027 * NOISE * (1 + 1 / 8) / 3**0.5
    assert few["efficiency_hi"] - few["efficiency"] == pytest.approx(half, rel=1e-4)
    assert isnan(many["efficiency_lo"])


def test_variation_is_allotted_by_kind_of_traffic():
    its = made_up(BURSTY, example_runs(2)[BURSTY.name])
    assert list(its.analyses) == [
        (traffic, metric) for traffic in ("WWW", "persistent") for metric in MEANS[:2]
    ]
    allocation = its.allocation
    assert list(allocation.columns) == [
        "traffic",
        "metric",
        "component",
        "sum_of_squares",
        "degrees_of_freedom",
        "percent",
    ]
    flavors = allocation.query("traffic == 'WWW' and metric == 'efficiency'")
    by_component = flavors.set_index("component")["sum_of_squares"]
    # Six points a flavor; +-0.1 and +-0.03.
    assert by_component["tcp_flavor"] == pytest.approx(6 * 2 * (0.1**2 + 0.03**2))
    assert by_component["drop_policy"] == pytest.approx(0, abs=1e-12)
    sack = its.effects.query("level == 'SACK' and metric == 'efficiency'")
    assert list(sack["effect"]) == pytest.approx([0.1, 0.1])


def test_a_part_without_an_analysis_has_no_such_tables():
    its = made_up(RETRANSMIT, example_runs(2)[RETRANSMIT.name])
    assert not its.analyses
    assert its.allocation.empty
    assert its.effects.empty


def test_a_factor_with_one_level_is_left_out():
    runs = example_runs(2)[BURSTY.name]
    its = made_up(BURSTY, runs[(runs["traffic"] == "WWW") | (runs["drop_policy"] == "EPD")])
    found = its.analyses
    assert found["WWW", "efficiency"].factors == ("tcp_flavor", "buffer_rtt", "drop_policy")
    assert found["persistent", "efficiency"].factors == ("tcp_flavor", "buffer_rtt")
    console = Console(width=80, file=StringIO())
    console.print(terminal_table(its))
    rows = [line.split() for line in console.file.getvalue().splitlines()[-4:]]
    assert [row[0] for row in rows] == ["WWW", "WWW", "persistent", "persistent"]
    assert rows[0][4] != "-"
    assert rows[2][4] == rows[3][4] == "-"


def test_a_metric_that_is_nan_somewhere_is_left_out():
    runs = example_runs(2)[BURSTY.name]
    runs.loc[0, "fairness"] = float("nan")
    assert set(made_up(BURSTY, runs).analyses) == {
        ("WWW", "efficiency"),
        ("persistent", "efficiency"),
        ("persistent", "fairness"),
    }


@pytest.fixture(scope="module")
def point() -> Point:
    asked = Request(STUDY)
    points = points_of(BURSTY, scenario_of(BURSTY, asked), asked)
    return points[BurstyPoint("persistent", "EPD", "SACK", 1.0)]


def test_a_row_is_what_the_columns_say(point):
    made = point.compile()
    columns = fake_osu_core.columns_of(written_out(made.plan), 1)
    flows = columns["flows"]
    for name in ("delivered_bytes", "highest_received_bytes"):
        flows[name] = flows[name] * 0 + 5_000_000
    flows["delivered_bytes"][3] = 2_500_000
    flows["max_cwnd_bytes"][7] = 300_000
    row = measure(columns, made.facts)
    assert set(MEANS) <= set(row)
    # 100 flows of 5 MB in 100 s, of 45 Mbit/s less headers and padding.
    assert row["efficiency"] == pytest.approx(40e6 / (45e6 * 9180 / (193 * 53)))
    assert row["fairness"] == pytest.approx(1)
    assert (row["cells_lost"], row["cells_refused"], row["frames_cut"]) == (100, 70, 3)
    assert (row["timeouts"], row["max_cwnd_bytes"]) == (200, 300_000)
    assert row["least_goodput_bit_s"] == pytest.approx(2e5)
    assert row["most_goodput_bit_s"] == pytest.approx(4e5)


def test_where_nobody_gets_anything_all_get_the_same(point):
    made = point.compile()
    columns = fake_osu_core.columns_of(written_out(made.plan), 1)
    for name in ("delivered_bytes", "highest_received_bytes"):
        columns["flows"][name] = columns["flows"][name] * 0
    row = measure(columns, made.facts)
    assert (row["efficiency"], row["fairness"]) == (0, 1)
