"""Claims: each holds on results made so, and fails when just what it speaks of is changed."""

import pytest

from ackclock.studies.machinery.claims import verdicts
from ackclock.studies.ubr_web.analysis import published
from ackclock.studies.ubr_web.claims import CLAIMS
from ackclock.studies.ubr_web.claims.evidence import Evidence
from ackclock.studies.ubr_web.levels import RUNS
from ackclock.studies.ubr_web.study import STUDY
from study_cases import made_of


def results(links=("WAN", "MEO", "GEO")):
    """The published results serve as an example in which every claim holds."""
    table = published("results")
    return table[table["link"].isin(links)].reset_index(drop=True)


def decided(table):
    runs = table.assign(replication=0, seed=1)
    return verdicts(CLAIMS, Evidence(made_of(STUDY, {RUNS: runs}))).set_index("id")


def test_every_claim_holds_on_the_example():
    assert set(decided(results())["holds"]) == {"true"}


# What to add where, so that a claim no longer holds: (claim, metric, condition, amount).
WAN_RENO, WAN_SACK = (f"link == 'WAN' and tcp_flavor == '{each}'" for each in ("Reno", "SACK"))
GEO_SACK = "link == 'GEO' and tcp_flavor == 'SACK'"
MEO_VANILLA = "link == 'MEO' and tcp_flavor == 'Vanilla'"
SD, EPD = "drop_policy == 'SD'", "drop_policy == 'EPD'"
CHANGES = [
    ("wan-eff-flavor-first", "efficiency", "link == 'WAN' and buffer_rtt == 0.5", -0.5),
    ("wan-eff-buffer-second", "efficiency", f"link == 'WAN' and {SD}", 0.9),
    ("wan-eff-modern-above-old", "efficiency", WAN_RENO, 0.1),
    ("wan-eff-newreno-sack", "efficiency", WAN_SACK, 0.1),
    ("wan-eff-reno-above-vanilla", "efficiency", "link == 'WAN' and tcp_flavor == 'Vanilla'", 0.14),
    ("wan-eff-buffer-order", "efficiency", "link == 'WAN' and buffer_rtt == 2", -0.06),
    ("wan-eff-old-gain-2rtt", "efficiency", f"{WAN_RENO} and buffer_rtt == 2 and {SD}", -0.014),
    ("wan-eff-interaction", "efficiency", f"{WAN_SACK} and {SD}", 0.3),
    ("wan-eff-drop-small", "efficiency", f"link == 'WAN' and {SD}", 0.05),
    ("wan-eff-sd-helps-old", "efficiency", f"{WAN_RENO} and buffer_rtt == 2 and {SD}", -0.031),
    ("wan-eff-sd-same-modern", "efficiency", f"{WAN_SACK} and buffer_rtt == 0.5 and {SD}", -0.005),
    ("wan-eff-sack-worse-small", "efficiency", f"{WAN_SACK} and buffer_rtt == 1", -0.02),
    ("wan-fair-buffer-first", "fairness", WAN_SACK, -0.4),
    ("wan-fair-buffer-steps", "fairness", "link == 'WAN' and buffer_rtt == 2", 0.1),
    ("wan-fair-flavor-extremes", "fairness", WAN_RENO, 0.03),
    ("wan-fair-drop-insignificant", "fairness", f"link == 'WAN' and {SD}", 0.05),
    ("meo-eff-order", "efficiency", MEO_VANILLA, 0.03),
    ("meo-eff-buffer", "efficiency", f"{MEO_VANILLA} and buffer_rtt == 2", -0.03),
    ("meo-eff-drop", "efficiency", f"link == 'MEO' and {SD}", -0.01),
    ("meo-fair-flat", "fairness", "link == 'MEO' and tcp_flavor == 'SACK'", -0.03),
    ("geo-eff-sack", "efficiency", GEO_SACK, -0.06),
    ("geo-eff-others-similar", "efficiency", "link == 'GEO' and tcp_flavor == 'Vanilla'", -0.1),
    ("geo-eff-buffer", "efficiency", "link == 'GEO' and buffer_rtt == 1", 0.03),
    ("geo-eff-drop", "efficiency", f"link == 'GEO' and {SD}", -0.02),
    ("geo-fair-flat", "fairness", GEO_SACK, -0.05),
    ("sack-gains-with-delay", "efficiency", "link == 'GEO' and tcp_flavor == 'NewReno'", 0.06),
    ("half-rtt-buffer-enough", "efficiency", f"{GEO_SACK} and buffer_rtt == 0.5 and {EPD}", -0.012),
]


def test_every_claim_has_a_change_that_ends_it():
    assert [claim.id for claim in CLAIMS] == [change[0] for change in CHANGES]
    assert all(claim.statement.endswith(".") for claim in CLAIMS)


@pytest.mark.parametrize(("id", "metric", "where", "amount"), CHANGES)
def test_a_claim_fails_when_what_it_speaks_of_changes(id, metric, where, amount):
    table = results()
    table.loc[table.query(where).index, metric] += amount
    assert decided(table)["holds"][id] == "false"


def test_evidence_has_the_numbers():
    table = decided(results())
    assert "TCP Flavor 57.50 %; Buffer Size 30.24 %" in table["evidence"]["wan-eff-flavor-first"]
    assert "SACK - NewReno: 0.5 RTT -0.0531" in table["evidence"]["wan-eff-sack-worse-small"]


def test_a_claim_on_a_link_that_was_not_run_is_not_decided():
    table = results(links=("WAN",))
    told = decided(table)
    assert told["holds"]["wan-eff-flavor-first"] == "true"
    assert told["holds"]["meo-eff-order"] == told["holds"]["sack-gains-with-delay"] == ""
    assert told["evidence"]["sack-gains-with-delay"] == "not decided: no analysis of MEO, GEO"
    assert set(decided(table[table["buffer_rtt"] < 2])["holds"]) == {""}


def test_results_that_do_not_vary_have_no_largest_share():
    told = decided(results().assign(efficiency=0.9, fairness=0.9))["holds"]
    assert told["wan-eff-flavor-first"] == told["wan-eff-drop-small"] == "false"
    assert told["wan-eff-reno-above-vanilla"] == "false"
