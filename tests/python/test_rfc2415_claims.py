"""Claims: each holds on results made so, and fails when just what it speaks of is changed."""

import pytest

from ackclock.studies.machinery import claims
from ackclock.studies.rfc2415.claims import CLAIMS, Evidence
from rfc2415_runs import example_runs, made

RUNS = example_runs()


def claims_table(runs):
    return claims.verdicts(CLAIMS, Evidence(made(runs)))


def verdicts(runs):
    return claims_table(runs).set_index("id")["holds"]


def test_every_claim_holds_on_the_example():
    assert set(verdicts(RUNS)) == {"true"}


TABLES10 = "part == 'tables' and http == '1.0'"
TABLES11 = "part == 'tables' and http == '1.1'"
# What to multiply where, so that a claim no longer holds: (claim, column, condition, factor).
HALF, SPLIT = "part == 'half-and-half'", "part == 'half-and-half' and variant != ''"
DELAY = "page_delay_s"
CHANGES = [
    ("delay-falls", DELAY, f"{TABLES10} and webs == 8 and ftps == 2 and iw == 3", 1.36),
    ("delay-falls-third", DELAY, f"{TABLES10} and iw >= 3 and webs > 8", 1.08),
    ("first-step-steepest", DELAY, f"{TABLES10} and iw == 3", 1.1),
    ("drops-rise-little", "drop_pct", f"{TABLES10} and webs == 32 and ftps == 2 and iw == 4", 1.1),
    (
        "one-ftp-fills-the-link",
        "utilisation_pct",
        f"{TABLES11} and webs == 8 and ftps == 1 and iw == 4",
        0.94,
    ),
    ("web-power-rises", "web_power", f"{TABLES10} and webs == 16 and ftps == 3 and iw == 4", 0.8),
    ("ftp-power-unchanged", "ftp_power", f"{TABLES10} and iw == 4 and webs > 8", 1.5),
    ("http11-smoother", DELAY, f"{TABLES11} and iw == 2", 0.93),
    (
        "http11-not-beyond-4",
        "web_power",
        f"{TABLES11} and webs == 32 and ftps == 2 and iw == 4",
        1.05,
    ),
    ("half-half-harmless", DELAY, f"{SPLIT} and webs == 16", 1.05),
    ("half-half-64", "new_page_delay_s", f"{HALF} and webs == 64", 0.9),
    (
        "reverse-traffic-no-effect",
        DELAY,
        "part == 'reverse' and webs == 8 and ftps == 0 and iw == 1",
        1.05,
    ),
    ("red-like-larger-iw", DELAY, "part == 'red' and iw == 1 and variant == 'red'", 1.04),
]


def test_every_claim_has_a_change_that_ends_it():
    assert [claim.id for claim in CLAIMS] == [change[0] for change in CHANGES]


HALVES = [
    # The other half of a claim of two halves.
    ("drops-rise-little", "drop_pct", f"{TABLES10} and webs == 32 and ftps == 3 and iw == 4", 2),
    ("web-power-rises", "web_power", f"{TABLES10} and iw == 4 and webs < 33", 0.9),
    ("half-half-harmless", "new_page_delay_s", f"{HALF} and webs == 32", 1.3),
    ("half-half-harmless", DELAY, f"{HALF} and variant == ''", 1.1),
]


@pytest.mark.parametrize(("id", "column", "where", "factor"), [*CHANGES, *HALVES])
def test_a_claim_fails_when_what_it_speaks_of_changes(id, column, where, factor):
    runs = RUNS.copy()
    rows = runs.query(where).index
    assert len(rows)
    runs.loc[rows, column] *= factor
    assert verdicts(runs)[id] == "false"


def test_what_a_claim_does_not_speak_of_changes_nothing():
    runs = RUNS.copy()
    # Pathological: no rise of network power is claimed there.
    rows = runs.query(f"{TABLES10} and webs == 32 and ftps > 0").index
    runs.loc[rows, "web_power"] = 1.0
    # Variants of RED that are not the one of 1993.
    runs.loc[runs.query("part == 'red' and variant != 'red'").index, DELAY] *= 2
    told = verdicts(runs)
    assert told["web-power-rises"] == told["red-like-larger-iw"] == "true"


def test_evidence_has_the_numbers_with_intervals():
    told = claims_table(RUNS).set_index("id")["evidence"]
    assert "IW 2: lower in 12 of 12, least decrease 17.0 % (17.0, 17.0)" in told["delay-falls"]
    assert told["delay-falls-third"].startswith("12 of 12. ")
    assert "8 webs, 1 ftp: 0.60 points (0.60, 0.60)" in told["drops-rise-little"]
    assert "72 of 72 points; the least is 95.0 % (94.8, 95.2)" in told["one-ftp-fills-the-link"]
    assert "HTTP/1.0: 56.7 %" in told["http11-smoother"]
    assert "32 webs, 2 ftps (" in told["http11-not-beyond-4"]
    assert told["ftp-power-unchanged"].startswith("9 of 9. Slopes")
    assert "0 of 48 delays change" in told["reverse-traffic-no-effect"]
    assert "red 15.0 % (" in told["red-like-larger-iw"]


def test_one_replication_decides_what_needs_no_interval():
    told = claims_table(example_runs(1)).set_index("id")
    assert told["holds"]["delay-falls"] == told["holds"]["half-half-64"] == "true"
    assert told["holds"]["ftp-power-unchanged"] == told["holds"]["reverse-traffic-no-effect"] == ""
    assert told["evidence"]["ftp-power-unchanged"] == (
        "not decided: one replication has no intervals; --replications 30 gives them"
    )
    assert "(" not in told["evidence"]["half-half-64"]
    assert "nan" not in " ".join(told["evidence"])


@pytest.mark.parametrize(
    ("levels", "decided"),
    [
        ({"parts": ("tables",)}, 9),
        ({"parts": ("tables",), "http": ("1.0",)}, 6),
        ({"parts": ("tables",), "http": ("1.1",)}, 1),
        ({"parts": ("tables",), "webs": (8, 16)}, 0),
        ({"parts": ("half-and-half",)}, 2),
        ({"parts": ("reverse",)}, 0),
        ({"parts": ("tables", "reverse"), "http": ("1.0",)}, 7),
        ({"parts": ("tables", "red")}, 10),
        ({}, 13),
    ],
)
def test_a_claim_is_decided_if_all_that_it_needs_was_run(levels, decided):
    assert (verdicts(example_runs(**levels)) != "").sum() == decided


def test_what_is_missing_is_named():
    told = claims_table(example_runs(1, parts=("red",))).set_index("id")["evidence"]
    assert told["red-like-larger-iw"] == "not decided: not all scenarios of HTTP/1.0 were run"
    assert told["half-half-64"] == "not decided: not all scenarios of half-and-half were run"
