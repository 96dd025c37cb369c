"""Means, changes and distances from print, against numbers worked out by hand."""

from math import isnan, sqrt

import pandas as pd
import pytest

from ackclock.studies.machinery.request import Request
from ackclock.studies.rfc2415.analysis import (
    by_the_chosen_clock,
    changes_table,
    errors,
    half_beside,
    is_misprinted,
    published_half_and_half,
    published_tables,
    red_changes,
    reverse_changes,
    tables,
    tables_beside,
)
from ackclock.studies.rfc2415.levels import (
    HALF,
    RED,
    REVERSE,
    SPLIT,
    TABLES,
    Point,
    is_pathological,
)
from ackclock.studies.rfc2415.study import STUDY
from rfc2415_runs import example_runs, made, points_of

RUNS = example_runs()
MADE = made(RUNS)
RESULTS = MADE.results
CHANGES = changes_table(MADE.of(TABLES))
T_2 = 4.302652729749462  # two-sided 95 %, 2 degrees of freedom


def result(**levels):
    return RESULTS[(RESULTS[list(levels)] == pd.Series(levels)).all(axis=1)].iloc[0]


def test_means_with_intervals_in_the_order_of_the_points():
    assert [Point(*row) for row in RESULTS[list(Point._fields)].itertuples(index=False)] == (
        [point for part in STUDY.parts for point in points_of(part.name)]
    )
    row = result(part="tables", webs=8, ftps=1, http="1.0", iw=1)
    # 0.4 + 0.02 * 8 + 0.2 = 0.76 s, and 1 % more or less in two of three replications.
    assert row["n"] == 3
    assert row["page_delay_s"] == pytest.approx(0.76)
    half = T_2 * 0.0076 / sqrt(3)
    assert row["page_delay_s_hi"] == pytest.approx(0.76 + half)
    assert row["page_delay_s_lo"] == pytest.approx(0.76 - half)


def test_what_a_point_does_not_have_is_nan():
    row = result(part="tables", webs=8, ftps=0, http="1.0", iw=1)
    assert isnan(row["file_delay_s"])
    assert isnan(row["ftp_power"])
    assert isnan(row["new_page_delay_s"])


def test_one_replication_has_no_intervals():
    table = made(example_runs(1)).results
    assert table["n"].eq(1).all()
    assert table.filter(regex="_(lo|hi)$").isna().all(axis=None)


def test_the_clock_decides_which_delay_is_told():
    runs = RUNS.assign(page_delay_open_s=7.0, new_page_delay_open_s=8.0, web_power_open=9.0)

    def timed_by(clock):
        request = Request(STUDY, options={"page-clock": clock})
        return by_the_chosen_clock(runs, request, MADE.scenario)

    told = timed_by("open")
    assert set(told["page_delay_s"]) == {7.0}
    assert set(told["new_page_delay_s"]) == {8.0}
    assert set(told["web_power"]) == {9.0}
    assert timed_by("request")["page_delay_s"].equals(RUNS["page_delay_s"])


def test_changes_are_relative_to_iw_1_of_the_means():
    runs = example_runs(2, parts=("tables",), webs=(8,), ftps=(1,), http=("1.0",))
    runs["page_delay_s"] = [1.0, 3.0, 0.9, 1.9, 1.0, 2.0, 0.5, 1.5]
    runs["web_power"] = [10.0, 10.2, 10.0, 14.24, 12.0, 12.24, 20.0, 20.4]
    table = changes_table(runs)
    assert list(table["iw"]) == [2, 3, 4]
    assert list(table["decrease_pct"]) == pytest.approx([30, 25, 50])
    assert list(table["power_gain_pct"]) == pytest.approx([20, 20, 100])
    # Proportional pairs have the same change in each replication: an interval without width.
    assert table["power_gain_pct_lo"][1] == pytest.approx(table["power_gain_pct_hi"][1])


def test_intervals_of_a_decrease_stand_the_right_way_round():
    for name in ("decrease_pct", "power_gain_pct"):
        known = CHANGES.dropna()
        assert (known[f"{name}_lo"] <= known[name] + 1e-9).all()
        assert (known[name] <= known[f"{name}_hi"] + 1e-9).all()
    assert len(CHANGES) == 72


def test_there_are_no_changes_without_iw_1_and_another():
    for levels in ({"iw": (2, 3)}, {"iw": (1,)}, {"parts": (RED,)}):
        assert tables(made(example_runs(2, **levels)), None)["changes"].empty


def test_what_reverse_traffic_changes():
    reverse = reverse_changes(MADE)
    assert len(reverse) == 48
    assert reverse["difference"].abs().max() < 1e-3
    assert reverse_changes(made(example_runs(2, parts=(REVERSE,)))).empty


def test_by_how_much_red_lowers_the_delay():
    red = red_changes(MADE)
    assert len(red) == 12 * 3 * 2
    decreases = red.groupby("red")["decrease_pct"].agg(["min", "max"])
    assert decreases.loc["red, IW 1"].to_numpy() == pytest.approx(15)
    assert decreases.loc["red adaptive, IW 4"].to_numpy() == pytest.approx(30)
    row = red.iloc[0]
    assert row["delay_s"] == pytest.approx(0.56)
    assert row["decrease_pct_lo"] <= row["decrease_pct"] <= row["decrease_pct_hi"]
    assert red_changes(made(example_runs(2, parts=(RED,)))).empty
    assert red_changes(made(example_runs(2, iw=(4,)))).empty


def test_what_is_printed_is_read_whole():
    printed = published_tables()
    assert printed.groupby("table").size().to_dict() == {1: 48, 2: 96, 3: 36, 4: 48, 5: 36}
    assert not printed.duplicated(["table", "webs", "ftps", "http", "iw", "metric"]).any()
    by_place = printed.set_index(["table", "webs", "ftps", "iw", "metric"])["published"]
    assert by_place[1, 16, 1, 4, "decrease_pct"] == 35.6
    assert by_place[1, 8, 3, 1, "page_delay_s"] == 1.26
    assert by_place[2, 32, 3, 4, "drop_pct"] == 7.6
    assert by_place[2, 8, 1, 2, "utilisation_pct"] == 92
    assert by_place[3, 8, 1, 1, "ftp_power"] == 4.7
    assert by_place[4, 16, 0, 2, "decrease_pct"] == 7.4
    assert by_place[5, 32, 3, 4, "ftp_power"] == 0.5


def test_half_and_half_is_read_whole():
    printed = published_half_and_half().set_index(["webs", "variant", "iw", "metric"])["published"]
    assert len(printed) == 3 * (8 + 6)
    assert printed[32, "", 3, "drop_pct"] == 4.3
    assert printed[16, SPLIT, 3, "page_delay_s"] == 0.52
    assert printed[64, SPLIT, 1, "utilisation_pct"] == 98
    assert (64, SPLIT, 3, "utilisation_pct") not in printed


def test_the_drop_rates_that_repeat_are_misprinted():
    printed = published_tables()
    wrong = printed[is_misprinted(printed)]
    assert len(wrong) == 12
    by_place = printed[printed["metric"] == "drop_pct"].set_index(["webs", "ftps", "iw"])
    for row in wrong.itertuples():
        assert row.published == by_place["published"][16, row.ftps, row.iw]


def test_simulated_beside_published():
    table = tables_beside(MADE.of(TABLES, "results"), CHANGES)
    assert len(table) == 264
    assert list(table)[:7] == list(published_tables())
    assert table["delta"].equals(table["simulated"] - table["published"])
    row = table[(table["table"] == 1) & (table["webs"] == 8) & (table["ftps"] == 1)].iloc[0]
    assert (row["metric"], row["iw"], row["published"]) == ("page_delay_s", 1, 1.06)
    assert row["simulated"] == pytest.approx(0.76)
    # One run more: t s sqrt(1 + 1/3).
    assert row["run_hi"] - row["simulated"] == pytest.approx(T_2 * 0.0076 * sqrt(4 / 3))
    assert row["simulated"] - row["run_lo"] == pytest.approx(T_2 * 0.0076 * sqrt(4 / 3))
    decreases = table[(table["metric"] == "decrease_pct") & (table["iw"] == 4)]
    assert set(decreases["simulated"].round(6)) == {30, 25}


def test_only_what_was_run_is_compared():
    some = made(example_runs(2, webs=(8,), iw=(2, 3), http=("1.1",)))
    table = tables(some, None)["comparison"]
    # No IW 1: neither delays nor decreases; Table 2 is HTTP/1.0.
    assert set(table["metric"]) == {"ftp_power"}
    only_red = tables(made(example_runs(2, parts=(RED,))), None)
    assert only_red["comparison"].empty
    assert only_red["half_and_half"].empty
    assert all(isnan(error) for error in errors(pd.DataFrame()))


def test_half_and_half_beside_published():
    table = half_beside(MADE.of(HALF, "results")).set_index(["webs", "variant", "iw", "metric"])
    assert len(table) == 42
    row = result(part=HALF, webs=32, variant=SPLIT)
    assert table["simulated"][32, SPLIT, 1, "page_delay_s"] == row["page_delay_s"]
    assert table["simulated"][32, SPLIT, 3, "page_delay_s"] == row["new_page_delay_s"]
    assert table["simulated"][32, SPLIT, 3, "goodput_mb"] == row["new_goodput_mb"]
    assert table["simulated"][32, SPLIT, 1, "drop_pct"] == row["drop_pct"]


def test_errors_by_hand():
    rows = [
        (1, "page_delay_s", 2.0, 1.0, ""),
        (1, "page_delay_s", 2.0, 2.2, ""),
        (4, "page_delay_s", 1.0, 1.1, ""),
        (1, "decrease_pct", 20.0, 30.0, ""),
        (4, "decrease_pct", 20.0, 18.0, ""),
        (2, "utilisation_pct", 90.0, 93.0, ""),
        (2, "drop_pct", 1.0, 1.5, ""),
        (2, "drop_pct", 1.0, 9.0, "true"),
        (3, "ftp_power", 1.0, 9.0, ""),
    ]
    table = pd.DataFrame(rows, columns=["table", "metric", "published", "simulated", "misprinted"])
    found = errors(table.assign(delta=table["simulated"] - table["published"]))
    assert tuple(found) == pytest.approx((30, 10, 6, 3, 0.5))


def test_pathological_scenarios_are_those_of_the_text():
    found = [
        (webs, ftps) for webs in (8, 16, 32) for ftps in range(4) if is_pathological(webs, ftps)
    ]
    assert found == [(32, 1), (32, 2), (32, 3)]
