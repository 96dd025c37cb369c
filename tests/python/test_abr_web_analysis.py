"""Means, the comparison with Table 2 and its distances, against numbers worked out by hand."""

from math import exp, inf, isnan, log, sqrt

import pandas as pd
import pytest

from abr_web_runs import example_runs, made
from ackclock.studies.abr_web.analysis import METRICS, PRINTED, errors, table2, tables
from ackclock.studies.abr_web.levels import CARRIERS, SERVERS, SERVICE, TABLE2
from ackclock.studies.machinery.analysis import comparison_table


def tables_of(*replications, **levels):
    return tables(made(example_runs(*replications, **levels)), None)


TABLES = tables_of(3)
RESULTS, SERVICES = TABLES["results"], TABLES["services"]
T_2 = 4.302652729749462  # two-sided 95 %, 2 degrees of freedom


def test_means_with_intervals_in_the_order_of_the_table():
    assert list(RESULTS["servers"]) == list(SERVERS)
    row = RESULTS.iloc[1]
    assert row["n"] == 3
    assert row["max_queue_cells"] == pytest.approx(6000)
    half = T_2 * 30 / sqrt(3)
    assert row["max_queue_cells_hi"] == pytest.approx(6000 + half)
    assert row["max_queue_rtt"] == pytest.approx(6000 / 11_000)
    assert row["max_queue_rtt_lo"] == pytest.approx((6000 - half) / 11_000)
    assert row["throughput_bit_s"] == pytest.approx(0.97 * 14e6)
    assert set(RESULTS) == {
        "servers",
        "n",
        *(f"{m}{e}" for m in METRICS for e in ("", "_lo", "_hi")),
    }


def test_the_services_stand_apart():
    assert len(SERVICES) == 3 * len(CARRIERS) == 39
    assert list(SERVICES["servers"].unique()) == [3, 5, 10]
    first = SERVICES.iloc[0]
    assert (first["service"], first["buffer_rtt"], first["tcp"]) == ("ABR", inf, "")
    assert first["cells_lost"] == 0
    assert SERVICES.iloc[1]["cells_lost"] == 6000
    assert tables_of(1, parts=(TABLE2,))["services"].empty


def test_one_replication_has_no_intervals():
    table = tables_of(1)["results"]
    assert table["n"].eq(1).all()
    assert table.filter(regex="_(lo|hi)$").isna().all(axis=None)


def test_a_quantile_that_some_run_does_not_have_is_nan():
    assert isnan(RESULTS.iloc[9]["response_p95_s"])
    assert RESULTS.iloc[0]["response_p95_s"] == 2.0


def test_nothing_was_run():
    assert all(isnan(error) for error in errors(pd.DataFrame()))


def test_what_is_printed_is_read_whole():
    printed = table2()
    assert len(printed) == 15 * 4
    by_place = printed.set_index(["servers", "metric"])["published"]
    assert by_place[1, "max_queue_cells"] == 3677
    assert by_place[9, "max_queue_rtt"] == 2.13
    assert by_place[6, "throughput_bit_s"] == 34_280_000
    assert by_place[15, "efficiency_pct"] == 85.8


def test_the_printed_columns_belong_together():
    table = table2().pivot(index="servers", columns="metric", values="published")
    assert (table["max_queue_cells"] / 11_040 - table["max_queue_rtt"]).abs().max() < 0.0051
    # 97.66 is truncated, not rounded.
    assert (table["throughput_bit_s"] / 35.1e4 - table["efficiency_pct"]).abs().max() < 0.07


def test_simulated_beside_published():
    table = TABLES["comparison"]
    ends = ["lo", "hi", "run_lo", "run_hi"]
    assert list(table) == ["servers", "metric", "published", "simulated", *ends, "delta"]
    assert len(table) == 60
    assert list(table["servers"][:5]) == [1, 1, 1, 1, 2]
    assert list(table["metric"][:4]) == list(PRINTED)
    assert table["delta"].equals(table["simulated"] - table["published"])
    row = table[(table["servers"] == 3) & (table["metric"] == "throughput_bit_s")].iloc[0]
    assert (row["published"], row["simulated"]) == (21_110_000, pytest.approx(20.37e6))
    # One run more lies as far from the mean as a mean of 3 does, times the root of 4.
    half = T_2 * 0.011 * 20.37e6 / sqrt(3)
    assert (row["lo"], row["hi"]) == pytest.approx((20.37e6 - half, 20.37e6 + half))
    assert (row["run_lo"], row["run_hi"]) == pytest.approx((20.37e6 - 2 * half, 20.37e6 + 2 * half))


def test_one_replication_has_no_interval_for_one_run():
    table = tables_of(1)["comparison"]
    assert table[["lo", "hi", "run_lo", "run_hi"]].isna().all(axis=None)


def test_only_what_was_run_is_compared():
    some = tables_of(2, servers=(5, 15))["comparison"]
    assert list(some["servers"].unique()) == [5, 15]
    assert tables_of(2, parts=(SERVICE,))["comparison"].empty


def test_errors_by_hand():
    rows = [
        ("throughput_bit_s", 10e6, 11e6),
        ("throughput_bit_s", 20e6, 19e6),
        ("efficiency_pct", 50.0, 51.0),
        ("efficiency_pct", 90.0, 88.0),
        ("max_queue_cells", 1000, 2000),
        ("max_queue_cells", 1000, 250),
        ("max_queue_rtt", 1.0, 7.0),
    ]
    table = pd.DataFrame(rows, columns=["metric", "published", "simulated"])
    found = errors(table.assign(delta=table["simulated"] - table["published"]))
    assert found.throughput_pct == pytest.approx(7.5)
    assert found.efficiency == pytest.approx(1.5)
    assert found.queue_factor == pytest.approx(exp((log(2) + log(4)) / 2))
    assert found.queue_ratio == pytest.approx(exp((log(2) - log(4)) / 2))


def test_a_queue_that_never_formed_has_a_factor():
    printed = comparison_table(RESULTS.assign(max_queue_cells=0.0), table2(), ["servers"])
    assert errors(printed).queue_factor > 1000
