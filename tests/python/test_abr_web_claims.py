"""Claims: each holds on results made so, and fails when just what it speaks of is changed."""

import pytest

from abr_web_runs import BOUNDS, claims, example_runs, made
from ackclock.studies.abr_web.claims import CLAIMS, Evidence
from ackclock.studies.abr_web.levels import SERVICE, TABLE2

RUNS = example_runs()


def verdicts(runs):
    return claims(runs).set_index("id")["holds"]


def changed(where, column, factor=None, value=None):
    runs = RUNS[TABLE2].astype({column: float})
    rows = runs.query(where).index
    assert len(rows)
    runs.loc[rows, column] = value if factor is None else runs.loc[rows, column] * factor
    return {**RUNS, TABLE2: runs}


def test_there_are_4_claims():
    assert [claim.id for claim in CLAIMS] == [
        "queue-linear-then-flat",
        "queue-bounded",
        "efficiency-high",
        "no-loss",
    ]


def test_every_claim_holds_on_the_example():
    assert set(verdicts(RUNS)) == {"true"}


# What to multiply where, so that a claim no longer holds: (claim, column, condition, factor).
CHANGES = [
    # Two neighbours change places: a rank correlation of 0.9, which is not above 0.9.
    ("queue-linear-then-flat", "max_queue_cells", "servers == 4", 1.3),
    ("queue-linear-then-flat", "max_queue_cells", "servers == 2", 1.6),
    ("queue-linear-then-flat", "max_queue_cells", "servers == 15", 1.9),
    ("queue-bounded", "max_queue_cells", "servers == 9", 2.0),
    ("efficiency-high", "efficiency_pct", "servers == 12", 0.94),
    ("efficiency-high", "efficiency_pct", "servers == 2", 0.85),
]


@pytest.mark.parametrize(("id", "column", "where", "factor"), CHANGES)
def test_a_claim_fails_when_what_it_speaks_of_changes(id, column, where, factor):
    told = claims(changed(where, column, factor)).set_index("id")
    assert told["holds"][id] == "false"
    assert (told["holds"] == "true").sum() == 3
    # Nor does any table of single runs reach it.
    assert told["reached"].to_dict() == {each.id: each.id != id for each in CLAIMS}


# Changes after which the replications do not decide.
OPEN = [
    # 4 servers come so close to 3 that the difference is in the scatter.
    ("queue-linear-then-flat", "max_queue_cells", "servers == 4", 0.751),
    ("efficiency-high", "efficiency_pct", "servers == 12", 0.945),
    ("efficiency-high", "efficiency_pct", "servers == 2", 0.8625),
]


@pytest.mark.parametrize(("id", "column", "where", "factor"), OPEN)
def test_a_claim_is_undecided_when_the_scatter_is_as_large_as_what_is_left(
    id, column, where, factor
):
    told = claims(changed(where, column, factor)).set_index("id")
    assert told["holds"][id] == "undecided"
    assert (told["holds"] == "true").sum() == 3
    assert told["p"][id] > 0.05
    assert 0 < told["reached"][id] < 1


def drifted(share):
    """From 7 servers on the queue changes by a share of its mean, 17 889 cells, from 7 to 15."""
    runs = RUNS[TABLE2].copy()
    runs["max_queue_cells"] = runs["max_queue_cells"].astype(float)
    rows = runs.query("servers >= 7").index
    away = (runs.loc[rows, "servers"] - 11) / 8
    runs.loc[rows, "max_queue_cells"] += share * 17_889 * away
    return {**RUNS, TABLE2: runs}


@pytest.mark.parametrize(
    ("share", "holds"),
    [
        (0.24, "true"),
        (0.25, "undecided"),
        (0.26, "false"),
        (-0.24, "true"),
        (-0.25, "undecided"),
        (-0.26, "false"),
    ],
)
def test_under_overload_the_queue_may_change_by_a_quarter_either_way(share, holds):
    assert verdicts(drifted(share))["queue-linear-then-flat"] == holds


def test_the_rise_is_asked_for_at_every_step_up_to_5_servers_only():
    told = verdicts(changed("servers == 6", "max_queue_cells", 0.5))
    assert told["queue-linear-then-flat"] == "true"
    told = verdicts(changed("servers == 5", "max_queue_cells", 0.79))
    assert told["queue-linear-then-flat"] == "false"


@pytest.mark.parametrize(
    ("where", "holds", "reached"),
    [
        # 441, 405 and 375 of 450 runs are below it.
        ("servers < 4 and replication % 10 == 9", "true", 0.9**3),
        ("replication % 10 == 9", "undecided", 0.9**15),
        ("replication % 10 == 9 or servers < 11 and replication % 10 == 8", "false", 0.063),
        # Of 30 runs at one N, 24 are not too few, and 18 are, though those of all N are enough.
        ("servers == 9 and replication % 10 < 2", "true", 0.8),
        ("servers == 9 and replication % 10 < 4", "false", 0.6),
    ],
)
def test_nine_runs_of_ten_and_the_median_at_every_n_are_below_the_bound(where, holds, reached):
    runs = example_runs(30)
    rows = runs[TABLE2].query(where).index
    runs[TABLE2].loc[rows, "max_queue_cells"] = 40_000
    told = claims(runs).set_index("id")
    assert told["holds"]["queue-bounded"] == holds
    assert told["reached"]["queue-bounded"] == pytest.approx(reached, abs=0.03)


@pytest.mark.parametrize(("replications", "holds"), [(24, "undecided"), (25, "true")])
def test_fewer_than_25_runs_do_not_show_that_none_of_the_rows_is_above(replications, holds):
    assert verdicts(example_runs(replications))["queue-bounded"] == holds


def test_a_single_lost_cell_ends_no_loss():
    runs = changed("servers == 3 and replication == 1", "cells_lost", value=1)
    told = claims(runs).set_index("id")
    assert told["holds"]["no-loss"] == "false"
    assert told["evidence"]["no-loss"] == "1 cells lost in 450 runs: 3 servers 1"
    assert told["reached"]["no-loss"] == pytest.approx(29 / 30, abs=0.03)


@pytest.mark.parametrize(("replications", "holds"), [(24, "undecided"), (25, "true")])
def test_no_loss_in_few_runs_shows_little(replications, holds):
    """It takes 368 runs without loss to exclude that 1 % of all lose cells; N are 15."""
    assert verdicts(example_runs(replications))["no-loss"] == holds


def test_nothing_but_overload_is_no_proportion():
    runs = RUNS[TABLE2].assign(load_pct=RUNS[TABLE2]["load_pct"] + 200)
    told = claims({TABLE2: runs}).set_index("id")
    assert told["holds"]["efficiency-high"] == "false"
    assert told["evidence"]["efficiency-high"] == "no load below capacity"
    assert told["reached"]["efficiency-high"] == 0


def test_the_bound_is_that_of_the_scenario():
    at_most = 18_000
    near = BOUNDS._replace(rtt_cells=(at_most + 500) / 3)
    assert verdicts(RUNS)["queue-bounded"] == "true"
    told = claims(RUNS, near).set_index("id")
    assert told["holds"]["queue-bounded"] == "false"
    # With 8, 10, 12 and 14 servers it is 19 000 cells.
    assert "330 of 450 runs below 3 x RTT, 18500 cells here" in told["evidence"]["queue-bounded"]
    assert Evidence(made(RUNS)).bound == pytest.approx(3 * 11_004, abs=3)


def test_the_services_decide_no_claim():
    bad = {"max_queue_cells": 10**6, "efficiency_pct": 1.0, "cells_lost": 10**6}
    runs = {**RUNS, SERVICE: RUNS[SERVICE].assign(**bad)}
    assert set(verdicts(runs)) == {"true"}


def test_evidence_has_the_numbers_with_intervals():
    told = claims(RUNS).set_index("id")["evidence"]
    assert told["queue-linear-then-flat"].startswith(
        "mean maximum queue by the number of servers: 3000, 6000, 9000, 12000, 15000, 18000, 17000"
    )
    assert told["queue-linear-then-flat"].endswith(
        "change from 7 to 15 servers +0.0 % (-0.2, +0.2) of the mean"
    )
    assert told["queue-bounded"] == (
        "450 of 450 runs below 3 x RTT, 33000 cells here; fewest with 1 server, 30 of 30; largest "
        "median 19000 cells, 8 servers; longest queue of any run 19105 cells, 8 servers"
    )
    assert "1 server: 97.0 % (96.9, 97.1); 2 servers: 97.0 %" in told["efficiency-high"]
    assert "least efficiency from 5 servers on 90.0 % (" in told["efficiency-high"]
    assert told["no-loss"] == "0 cells lost in 450 runs"


def test_one_replication_decides_nothing_and_shows_its_numbers():
    told = claims(example_runs(1)).set_index("id")
    assert set(told["holds"]) == {"undecided"}
    assert told["evidence"]["no-loss"] == "0 cells lost in 15 runs"
    assert "1 server: 97.0 %; 2 servers: 97.0 %" in told["evidence"]["efficiency-high"]
    assert "nan" not in " ".join(told["evidence"])


@pytest.mark.parametrize(
    ("levels", "reason"),
    [
        ({"servers": (1, 5, 15)}, "not decided: not all points were run of: table2"),
        ({"parts": (SERVICE,)}, "not decided: not run: table2"),
    ],
)
def test_a_claim_is_decided_if_all_that_it_needs_was_run(levels, reason):
    told = claims(example_runs(2, **levels))
    assert set(told["holds"]) == {""}
    assert set(told["evidence"]) == {reason}
