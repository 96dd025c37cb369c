"""Claims: each holds on results made so, and fails when just what it speaks of is changed."""

import pytest

from abr_web_runs import BOUNDS, claims, example_runs
from ackclock.studies.abr_web.claims import CLAIMS
from ackclock.studies.abr_web.levels import SERVICE, TABLE2

RUNS = example_runs()


def verdicts(runs):
    return claims(runs).set_index("id")["holds"]


def changed(where, column, factor=None, value=None):
    runs = RUNS[TABLE2].copy()
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
    ("queue-bounded", "max_queue_cells", "servers == 9", 2.0),
    ("efficiency-high", "efficiency_pct", "servers == 12", 0.94),
    ("efficiency-high", "efficiency_pct", "servers == 2", 0.85),
]


@pytest.mark.parametrize(("id", "column", "where", "factor"), CHANGES)
def test_a_claim_fails_when_what_it_speaks_of_changes(id, column, where, factor):
    told = verdicts(changed(where, column, factor))
    assert told[id] == "false"
    assert (told == "false").sum() == 1


def test_a_rising_trend_under_overload_ends_the_first_claim():
    runs = RUNS[TABLE2].copy()
    rows = runs.query("servers >= 7").index
    runs["max_queue_cells"] = runs["max_queue_cells"].astype(float)
    runs.loc[rows, "max_queue_cells"] += 600.0 * runs.loc[rows, "servers"]
    assert verdicts({TABLE2: runs})["queue-linear-then-flat"] == "false"
    # A falling one does not.
    runs.loc[rows, "max_queue_cells"] -= 1200.0 * runs.loc[rows, "servers"]
    assert verdicts({TABLE2: runs})["queue-linear-then-flat"] == "true"


def test_a_single_lost_cell_ends_no_loss():
    runs = changed("servers == 3 and replication == 1", "cells_lost", value=1)
    told = claims(runs).set_index("id")
    assert told["holds"]["no-loss"] == "false"
    assert told["evidence"]["no-loss"] == "1 cells lost in 45 runs: 3 servers 1"


def test_nothing_but_overload_is_no_proportion():
    runs = RUNS[TABLE2].assign(load_pct=RUNS[TABLE2]["load_pct"] + 200)
    told = claims({TABLE2: runs}).set_index("id")
    assert told["holds"]["efficiency-high"] == "false"
    assert "there is none" in told["evidence"]["efficiency-high"]


def test_the_bound_is_that_of_the_scenario():
    at_most = 18_000
    near = BOUNDS._replace(rtt_cells=(at_most + 1000) / 3)
    assert verdicts(RUNS)["queue-bounded"] == "true"
    told = claims(RUNS, near).set_index("id")
    assert told["holds"]["queue-bounded"] == "false"
    assert "3 x RTT is 19000 cells here" in told["evidence"]["queue-bounded"]


def test_the_services_decide_no_claim():
    bad = {"max_queue_cells": 10**6, "efficiency_pct": 1.0, "cells_lost": 10**6}
    runs = {**RUNS, SERVICE: RUNS[SERVICE].assign(**bad)}
    assert set(verdicts(runs)) == {"true"}


def test_evidence_has_the_numbers_with_intervals():
    told = claims(RUNS).set_index("id")["evidence"]
    assert told["queue-linear-then-flat"].startswith("rank correlation up to 5 servers 1.00; slope")
    assert "cells a server (" in told["queue-linear-then-flat"]
    assert told["queue-bounded"].startswith("largest mean 19000 cells (18925, 19075), 8 servers")
    assert "longest queue of any run 19030 cells" in told["queue-bounded"]
    assert "1 server: 97.0 % (97.0, 97.0); 2 servers: 97.0 %" in told["efficiency-high"]
    assert "least efficiency from 5 servers on 90.0 %" in told["efficiency-high"]
    assert told["no-loss"] == "0 cells lost in 45 runs"


def test_one_replication_decides_what_needs_no_interval():
    told = claims(example_runs(1)).set_index("id")
    assert list(told["holds"]) == ["", "true", "true", "true"]
    assert told["evidence"]["queue-linear-then-flat"] == (
        "not decided: one replication has no intervals; --replications 30 gives them"
    )
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
