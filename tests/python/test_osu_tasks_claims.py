"""Claims: each holds on results made so, and fails when just what it speaks of is changed."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import pairwise

import pandas as pd
import pytest

from ackclock.studies.machinery.claims import verdicts
from ackclock.studies.machinery.evidence import RunsEvidence
from ackclock.studies.machinery.request import Request
from ackclock.studies.osu_tasks.claims import CLAIMS
from ackclock.studies.osu_tasks.levels import ANALYSED_METRICS
from ackclock.studies.osu_tasks.study import STUDY
from osu_tasks_runs import example_runs
from study_cases import made_for

RUNS = example_runs()
OURS = (
    "lan-switch-matters",
    "satellite-end-system-matters",
    "frr-hurts-satellite",
    "sack-helps-satellite",
    "fairness-from-drop-policy",
    "sack-hurts-lan-overload",
    "half-rtt-98-percent",
    "buffers-asymptotic",
    "bursty-like-persistent",
    "large-cwnd-sticks",
    "delayed-retransmit-useless",
)


@cache
def part_of_the_example(name):
    return part_of(name, RUNS[name])


def part_of(name, runs):
    its = made_for(Request(STUDY), {name: runs}).parts[name]
    # Means of what no claim looks at take most of the time.
    return replace(its, part=replace(its.part, metrics=ANALYSED_METRICS))


def study(runs):
    parts = {
        name: part_of_the_example(name) if its is RUNS[name] else part_of(name, its)
        for name, its in runs.items()
    }
    return RunsEvidence(replace(made_for(Request(STUDY), {}), parts=parts))


def table(runs):
    return verdicts(CLAIMS, study(runs)).set_index("id")


def test_every_claim_holds_on_the_example():
    assert set(table(RUNS).loc[list(OURS), "holds"]) == {"true"}


# What to add where, so that a claim no longer holds: (claim, part, column, condition, what).
EFFICIENCY, FAIRNESS, CWND = "efficiency", "fairness", "max_cwnd_bytes"
GEO_PPD = "link == 'GEO' and drop_policy == 'PPD'"
GEO_NEWRENO = "link == 'GEO' and tcp_flavor == 'NewReno'"
GEO_SMALL_TAIL = "link == 'GEO' and buffer == 'small' and drop_policy == 'Tail drop'"
LAN_OVERLOAD = "link == 'LAN' and sources == 100 and buffer == 'small'"
GEO_HALF = "link == 'GEO' and sources == 15 and buffer_rtt == 0.5"
MEO_ONE = "link == 'MEO' and sources == 100 and buffer_rtt == 1 and drop_policy == 'FBA'"
WWW_RENO = "traffic == 'WWW' and tcp_flavor == 'Reno'"
PERSISTENT_SACK = "traffic == 'persistent' and tcp_flavor == 'SACK'"
THREE_BATCHED = "sources == 3 and arithmetic == 'integer, N = 8'"
LAN_VANILLA = "link == 'LAN' and tcp_flavor == 'Vanilla'"
TAIL_RENO = f"{GEO_SMALL_TAIL} and tcp_flavor == 'Reno'"
OVERLOAD_SACK = f"{LAN_OVERLOAD} and tcp_flavor == 'SACK'"
CHANGES = [
    ("lan-switch-matters", "policies", EFFICIENCY, LAN_VANILLA, -1),
    ("satellite-end-system-matters", "policies", EFFICIENCY, GEO_PPD, -0.5),
    ("frr-hurts-satellite", "policies", EFFICIENCY, TAIL_RENO, 0.1),
    ("sack-helps-satellite", "policies", EFFICIENCY, GEO_NEWRENO, 0.16),
    ("fairness-from-drop-policy", "policies", FAIRNESS, "tcp_flavor == 'Vanilla'", -0.5),
    ("fairness-from-drop-policy", "policies", FAIRNESS, "drop_policy == 'FBA'", -0.031),
    ("sack-hurts-lan-overload", "policies", EFFICIENCY, OVERLOAD_SACK, 0.0095),
    ("half-rtt-98-percent", "buffers", EFFICIENCY, GEO_HALF, -0.005),
    ("buffers-asymptotic", "buffers", EFFICIENCY, MEO_ONE, -0.1),
    ("buffers-asymptotic", "buffers", EFFICIENCY, "link == 'GEO' and drop_policy == 'SD'", -0.02),
    ("bursty-like-persistent", "bursty", EFFICIENCY, WWW_RENO, 0.1),
    ("bursty-like-persistent", "bursty", EFFICIENCY, PERSISTENT_SACK, -0.1),
    ("large-cwnd-sticks", "windows", CWND, "sources == 1 and arithmetic == 'integer'", 513),
    ("large-cwnd-sticks", "windows", CWND, "sources == 3 and arithmetic == 'integer'", -2),
    ("large-cwnd-sticks", "windows", CWND, "arithmetic == 'integer, N = 2'", -137_400),
    ("large-cwnd-sticks", "windows", EFFICIENCY, THREE_BATCHED, -0.02),
    ("delayed-retransmit-useless", "retransmit", EFFICIENCY, "wait == 0.5", 0.005),
]


@pytest.mark.parametrize(("claim", "part", "column", "condition", "change"), CHANGES)
def test_a_claim_fails_when_what_it_speaks_of_changes(claim, part, column, condition, change):
    runs = RUNS[part].copy()
    runs.loc[runs.eval(condition), column] += change
    assert table({**RUNS, part: runs}).at[claim, "holds"] == "false"


def test_every_claim_has_a_change_that_ends_it():
    assert {change[0] for change in CHANGES} == set(OURS)


@pytest.mark.parametrize("part", ["policies", "buffers", "bursty", "windows", "retransmit"])
def test_without_a_part_its_claims_are_not_decided(part):
    found = table({name: its for name, its in RUNS.items() if name != part})
    for claim in CLAIMS:
        if claim.id in OURS:
            assert (found.at[claim.id, "holds"] == "") is (part in claim.needs)
    assert f"not run: {part}" in set(found["evidence"].str.removeprefix("not decided: "))


def test_one_replication_decides_only_what_needs_no_interval():
    found = table(example_runs(1))
    decided = set(found.index[found["holds"] != ""])
    assert decided == {
        "lan-switch-matters",
        "satellite-end-system-matters",
        "sack-helps-satellite",
        "bursty-like-persistent",
    }


def test_a_metric_that_is_nan_leaves_its_analysis_out():
    runs = RUNS["bursty"].copy()
    runs.loc[runs.index[0], EFFICIENCY] = float("nan")
    found = table({**RUNS, "bursty": runs})
    assert found.at["bursty-like-persistent", "evidence"] == "not decided: no analysis of bursty"


def test_replications_are_paired_where_one_point_has_fewer():
    runs = RUNS["retransmit"]
    fewer = runs[(runs["sources"] < 50) | (runs["replication"] < 2)]
    its = study({"retransmit": fewer})
    together = its.together("retransmit", EFFICIENCY, its.points("retransmit"))
    assert together.shape == (2,)
    assert together[0] == pytest.approx(0.849)


@pytest.mark.parametrize(
    ("sd", "fba", "holds", "below"),
    [
        (0.97, 1.0, "true", "SD with 5 sources"),
        (1.0, 0.97, "true", "FBA with 5 sources"),
        (0.985, 0.97, "false", "FBA with 5 sources"),
        (0.985, 0.99, "true", "none"),
    ],
)
def test_half_an_rtt_is_about_the_mean_over_the_policies_and_each_is_shown(sd, fba, holds, below):
    runs = RUNS["buffers"].copy()
    of_noise = runs["replication"] - 1
    for policy, mean in (("SD", sd), ("FBA", fba)):
        few = f"link == 'GEO' and sources == 5 and buffer_rtt == 0.5 and drop_policy == '{policy}'"
        runs.loc[runs.eval(few), EFFICIENCY] = mean + 0.0001 * of_noise
    found = table({**RUNS, "buffers": runs}).loc["half-rtt-98-percent"]
    assert found["holds"] == holds
    evidence = found["evidence"]
    assert f"mean of SD and FBA: 5 sources {(sd + fba) / 2:.4f} (" in evidence
    assert f"SD: 5 sources {sd:.4f} (" in evidence
    assert f"FBA: 5 sources {fba:.4f} (" in evidence
    assert evidence.endswith(f"Below 98 % alone: {below}")


def test_curves_are_shown_by_policy_and_a_fall_of_one_number_of_sources_with_its_place():
    found = table(RUNS).at["buffers-asymptotic", "evidence"]
    curves = [each.partition(":")[0] for each in found.split("; ")]
    assert curves == [
        "MEO SD",
        "MEO SD, 1000 sources",
        "MEO FBA",
        "GEO SD",
        "GEO SD, 1000 sources",
        "GEO FBA",
    ]
    runs = RUNS["buffers"].copy()
    some = "link == 'GEO' and sources == 15 and drop_policy == 'FBA' and buffer_rtt == 4"
    runs.loc[runs.eval(some), EFFICIENCY] -= 0.1
    fallen = table({**RUNS, "buffers": runs}).loc["buffers-asymptotic"]
    assert fallen["holds"] == "false"
    (fall,) = [each for each in fallen["evidence"].split("; ") if "15 sources" in each]
    assert fall.startswith("GEO FBA, 15 sources: ")
    assert fall.endswith("(falls: 2 to 4 RTT)")


def test_a_fall_with_a_thousand_sources_is_shown_and_decides_nothing():
    runs = RUNS["buffers"].copy()
    runs.loc[runs.eval("link == 'MEO' and sources == 1000 and buffer_rtt == 2"), EFFICIENCY] -= 0.2
    found = table({**RUNS, "buffers": runs}).loc["buffers-asymptotic"]
    assert found["holds"] == "true"
    assert "MEO SD, 1000 sources: " in found["evidence"]
    assert "(falls: 1 to 2 RTT)" in found["evidence"]


def test_a_step_down_in_the_noise_is_no_fall():
    runs = RUNS["buffers"].copy()
    steps = sorted(runs["buffer_rtt"].unique())
    assert len(list(pairwise(steps))) == 6
    runs.loc[runs["buffer_rtt"] == 4, EFFICIENCY] -= 0.0005
    assert table({**RUNS, "buffers": runs}).at["buffers-asymptotic", "holds"] == "true"


def test_the_evidence_names_numbers():
    found = table(RUNS)
    for claim in OURS:
        assert any(letter.isdigit() for letter in found.at[claim, "evidence"])
    assert isinstance(found, pd.DataFrame)
