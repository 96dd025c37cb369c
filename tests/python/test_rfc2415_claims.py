"""Claims: each holds on results made so, and fails when just what it speaks of is changed."""

import pytest

from ackclock.studies.machinery import claims
from ackclock.studies.machinery.draws import Draws
from ackclock.studies.rfc2415.claims import CLAIMS, Evidence
from rfc2415_runs import example_runs, made

RUNS = example_runs(6, scatter=0.002)


def claims_table(runs, draws=None):
    its = made(runs)
    drawn = Evidence(its, draws) if draws else None
    return claims.verdicts(CLAIMS, Evidence(its), drawn).set_index("id")


def verdicts(runs):
    return claims_table(runs)["holds"]


def changed(*changes):
    """The example, with some of its columns multiplied: column, condition, factor."""
    runs = RUNS.copy()
    for column, where, factor in changes:
        rows = runs.query(where).index
        assert len(rows)
        runs.loc[rows, column] *= factor
    return runs


def test_every_claim_holds_on_the_example():
    told = claims_table(RUNS)
    assert set(told["holds"]) == {"true"}
    assert told["p"].max() < 0.01


TABLES10 = "part == 'tables' and http == '1.0'"
TABLES11 = "part == 'tables' and http == '1.1'"
# What to multiply where, so that a claim no longer holds: (claim, column, condition, factor).
HALF, SPLIT = "part == 'half-and-half'", "part == 'half-and-half' and variant != ''"
DELAY = "page_delay_s"
CHANGES = [
    ("delay-falls", DELAY, f"{TABLES10} and webs == 8 and ftps == 2 and iw == 3", 1.36),
    ("delay-falls-third", DELAY, f"{TABLES10} and iw >= 3 and webs > 8", 1.08),
    ("first-step-steepest", DELAY, f"{TABLES10} and iw == 3", 1.1),
    ("drops-rise-little", "drop_pct", f"{TABLES10} and webs == 16 and ftps == 2 and iw == 4", 1.2),
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
        0.73,
    ),
    ("red-like-larger-iw", DELAY, "part == 'red' and iw == 1 and variant == 'red'", 1.04),
]


FAR = ("first-step-steepest", "one-ftp-fills-the-link", "http11-smoother", "red-like-larger-iw")


def test_every_claim_has_a_change_that_ends_it():
    assert [claim.id for claim in CLAIMS] == [change[0] for change in CHANGES]


HALVES = [
    # The other half of a claim of two halves.
    ("drops-rise-little", "drop_pct", f"{TABLES10} and webs == 32 and ftps == 3 and iw == 4", 1.2),
    ("web-power-rises", "web_power", f"{TABLES10} and iw == 4 and webs < 33", 0.97),
    ("ftp-power-unchanged", "ftp_power", f"{TABLES10} and iw == 4 and webs > 8", 1.12),
    ("ftp-power-unchanged", "ftp_power", f"{TABLES10} and iw == 4 and webs < 32", 0.88),
    ("half-half-harmless", "new_page_delay_s", f"{HALF} and webs == 32", 1.3),
    ("half-half-harmless", DELAY, f"{HALF} and variant == ''", 1.1),
    ("reverse-traffic-no-effect", DELAY, "part == 'reverse' and iw == 3", 1.15),
]


@pytest.mark.parametrize(("id", "column", "where", "factor"), [*CHANGES, *HALVES])
def test_a_claim_fails_when_what_it_speaks_of_changes(id, column, where, factor):
    assert verdicts(changed((column, where, factor)))[id] == "false"


OPEN = [
    # What to multiply where, so that a claim is at its limit.
    ("delay-falls", DELAY, f"{TABLES10} and webs == 8 and ftps == 2 and iw == 3", 1 / 0.74),
    ("delay-falls-third", DELAY, f"{TABLES10} and iw >= 3 and webs > 8", 0.75 / 0.7),
    ("first-step-steepest", DELAY, f"{TABLES10} and iw == 3", 0.765 / 0.74),
    (
        "drops-rise-little",
        "drop_pct",
        f"{TABLES10} and webs == 16 and ftps == 2 and iw == 4",
        3.4 / 3,
    ),
    (
        "one-ftp-fills-the-link",
        "utilisation_pct",
        f"{TABLES11} and webs == 8 and ftps == 1 and iw == 4",
        90 / 95,
    ),
    ("web-power-rises", "web_power", f"{TABLES10} and iw == 4 and webs < 33", 1.4 * 0.7),
    # No slope of the one sign is significant.
    ("ftp-power-unchanged", "ftp_power", f"{TABLES10} and webs == 32 and iw == 4", 1.12),
    ("http11-smoother", DELAY, f"{TABLES11} and iw == 2", (1 - 0.25 * 0.17 / 0.3) / 0.88),
    ("half-half-harmless", DELAY, f"{SPLIT} and webs == 16", 1.06 / 1.02),
    ("half-half-64", "new_page_delay_s", f"{SPLIT} and webs == 64", 0.74 / (1.02 * 0.8)),
    ("red-like-larger-iw", DELAY, "part == 'red' and iw == 1 and variant == 'red'", 0.87 / 0.85),
]


@pytest.mark.parametrize(("id", "column", "where", "factor"), OPEN)
def test_a_claim_is_undecided_at_its_limit(id, column, where, factor):
    assert verdicts(changed((column, where, factor)))[id] == "undecided"


def test_what_a_claim_does_not_speak_of_changes_nothing():
    runs = changed(
        # Variants of RED that are not the one of 1993.
        (DELAY, "part == 'red' and variant != 'red'", 2),
        # Drops of 32 webs with less than 3 ftps.
        ("drop_pct", f"{TABLES10} and webs == 32 and ftps == 2 and iw == 4", 2),
    )
    # Pathological: no rise of network power is claimed there.
    runs.loc[runs.query(f"{TABLES10} and webs == 32 and ftps > 0").index, "web_power"] = 1.0
    told = verdicts(runs)
    assert told["web-power-rises"] == told["red-like-larger-iw"] == "true"
    assert told["drops-rise-little"] == "true"


def test_the_ftps_power_may_change_in_two_scenarios():
    ids = ["ftp-power-unchanged"]
    two, three = (
        changed(("ftp_power", f"{TABLES10} and webs == 8 and ftps > {least} and iw == 4", 1.2))
        for least in (1, 0)
    )
    assert list(verdicts(two)[ids]) == ["true"]
    assert list(verdicts(three)[ids]) == ["false"]


@pytest.mark.parametrize(("webs", "holds"), [(8, "false"), (16, "true")])
def test_web_traffic_dominates_where_it_has_more_than_half_of_the_goodput(webs, holds):
    # Beside one ftp, 8 webs have less and 16 webs have more. Only there, power rises by 40 %.
    others = f"{TABLES10} and iw == 4 and not (webs == {webs} and ftps == 1)"
    assert verdicts(changed(("web_power", others, 0.95)))["web-power-rises"] == holds


def test_evidence_has_the_numbers_with_intervals():
    told = claims_table(RUNS)["evidence"]
    assert "IW 2: lower in 12 of 12, least decrease 17.0 % (16." in told["delay-falls"]
    assert told["delay-falls-third"].startswith("12 of 12. ")
    assert "8 webs, 1 ftp: 0.60 points (0.60, 0.60)" in told["drops-rise-little"]
    assert "72 of 72 points; the least is 95.0 % (94.8, 95.2)" in told["one-ftp-fills-the-link"]
    assert "HTTP/1.0: 56.7 %" in told["http11-smoother"]
    assert "32 webs, 2 ftps (" in told["http11-not-beyond-4"]
    slopes, changes = told["ftp-power-unchanged"].split(". Changes from IW 1 to 4: ")
    assert slopes.startswith("Slopes, MB/s per segment: 8 webs, 1 ftp: 0.030 (0.0")
    assert "32 webs, 3 ftps: -6.1 % (-" in changes
    assert told["reverse-traffic-no-effect"].startswith("mean distance of the decreases 0.0 points")
    assert "red 15.0 % (" in told["red-like-larger-iw"]


def test_one_replication_decides_nothing():
    told = claims_table(example_runs(1))
    assert set(told["holds"]) == {"undecided"}
    assert told["p"].isna().all()
    assert told["evidence"]["half-half-64"] == (
        "all at IW 3: 1.243 s; split: 1.371 s; difference +0.128 s"
    )
    assert "nan" not in " ".join(told["evidence"])


def test_single_runs_reach_what_is_true():
    reached = claims_table(RUNS, Draws(tables=50))["reached"]
    assert reached.min() > 0.8
    assert (reached == 1).sum() > 9


@pytest.mark.parametrize("change", [each for each in CHANGES if each[0] in FAR])
def test_single_runs_do_not_reach_what_is_far_from_true(change):
    id, *its = change
    assert claims_table(changed(its), Draws(tables=50))["reached"][id] == 0


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
    told = claims_table(example_runs(1, parts=("red",)))["evidence"]
    assert told["red-like-larger-iw"] == "not decided: not all scenarios of HTTP/1.0 were run"
    assert told["half-half-64"] == "not decided: not all scenarios of half-and-half were run"
