"""Tables of single runs, verdicts by them, and the interval of one run more."""

from math import isnan, sqrt
from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from scipy import stats

from ackclock.stats.intervals import mean_interval
from ackclock.studies.machinery.analysis import comparison_table, means_table, one_run
from ackclock.studies.machinery.claims import Claims, Verdict, expected, verdicts
from ackclock.studies.machinery.draws import Draws
from made_up_numbers import constant, estimate, samples

# Tables of single runs.


class Place(NamedTuple):
    link: str
    servers: int


PLACES = [Place(link, servers) for link in ("LAN", "WAN", "GEO") for servers in range(40)]
RUNS = np.arange(30.0)
FIRST = [1, 0, 16, 9, 0, 12, 23, 21]
"""The runs that are drawn at the first place for the first tables."""


def test_all_metrics_of_a_point_come_from_the_same_run():
    draws = Draws()
    runs = draws.of("part", PLACES[0], RUNS)
    assert runs.shape == (2000,)
    other = np.random.default_rng(1).normal(size=30)
    assert (draws.of("part", PLACES[0], other) == other[runs.astype(int)]).all()


def test_draws_are_the_same_each_time_and_differ_by_part_point_seed():
    of = [
        Draws().of("part", PLACES[0], RUNS),
        Draws().of("other", PLACES[0], RUNS),
        Draws().of("part", PLACES[1], RUNS),
        Draws(seed=2).of("part", PLACES[0], RUNS),
    ]
    assert all((one != other).any() for at, one in enumerate(of) for other in of[:at])
    again = Draws().of("part", Place("LAN", 0), RUNS)
    assert (of[0] == again).all()
    # On every machine and in every process.
    assert Draws(tables=8).of("part", PLACES[0], RUNS).tolist() == FIRST


def test_every_run_is_drawn_about_as_often():
    runs = Draws().of("part", PLACES[0], RUNS).astype(int)
    assert stats.chisquare(np.bincount(runs, minlength=30)).pvalue > 0.001


def test_different_points_are_drawn_independently():
    tables = np.array([Draws().of("part", place, RUNS) for place in PLACES])
    apart = np.corrcoef(tables)[np.triu_indices(len(PLACES), 1)]
    # Of independent draws: mean 0, standard deviation 1 / sqrt(2000).
    assert abs(apart.mean()) < 4 / sqrt(2000 * apart.size)
    assert apart.std() == pytest.approx(1 / sqrt(2000), rel=0.05)
    assert abs(apart).max() < 0.12


class Made:
    """Evidence that was made up, of replications or of tables."""

    def __init__(self, number, absent=()):
        self.number, self.absent = number, absent

    def missing(self, needs):
        return ", ".join(f"no {need}" for need in needs if need in self.absent)


def test_the_verdict_of_each_claim():
    claims = Claims(["runs"])

    @claims.add("above", "1", "It is above 1.")
    def _above(study):
        return Verdict(study.number > 1, lambda: f"it is {study.number.mean:g}")

    @claims.add("of-many", "2", "It is below 1 over many runs.", is_of_runs=False)
    def _below(study):
        return Verdict(study.number < 1, lambda: "")

    @claims.add("absent", "3", "Something else.", ["else"])
    def _absent(study):
        raise AssertionError

    by_runs, drawn = Made(constant(2), ["else"]), Made(np.array([0, 2, 3, 4]), ["else"])
    table = verdicts(claims, by_runs, drawn)
    assert list(table) == ["id", "holds", "p", "reached", "evidence", "source", "statement"]
    above_, below, absent = table.to_dict("records")
    assert (above_["holds"], above_["reached"], above_["evidence"]) == ("true", 0.75, "it is 2")
    assert above_["p"] == pytest.approx(2 / 64)
    assert (below["holds"], isnan(below["reached"])) == ("false", True)
    assert (absent["holds"], absent["evidence"]) == ("", "not decided: no else")
    assert isnan(absent["p"])
    assert isnan(absent["reached"])
    assert expected(table) == 0.75
    undrawn = verdicts(claims, by_runs)
    assert undrawn["reached"].isna().all()
    assert isnan(expected(undrawn))
    assert verdicts(claims, Made(estimate(2), ["else"]))["holds"].tolist() == [
        "undecided",
        "undecided",
        "",
    ]


# One run more.


def prediction(runs):
    """The intervals of one run more for several points, shape (points, replications)."""
    means = pd.DataFrame(map(mean_interval, runs)).rename(columns={"mean": "simulated"})
    return one_run(means)


@given(samples(2))
def test_the_interval_of_one_run_is_that_of_the_textbook(runs):
    found = prediction(runs)
    n = runs.shape[1]
    t = stats.t.ppf(0.975, n - 1)
    half = t * runs.std(axis=1, ddof=1) * sqrt(1 + 1 / n)
    middle = runs.mean(axis=1)
    assert found["run_lo"].to_numpy() == pytest.approx(middle - half, rel=1e-9, abs=1e-8)
    assert found["run_hi"].to_numpy() == pytest.approx(middle + half, rel=1e-9, abs=1e-8)


@pytest.mark.parametrize("n", [2, 5, 30])
def test_of_single_runs_95_percent_lie_in_the_interval(n):
    random = np.random.default_rng(n)
    runs = random.normal(100, 7, size=(4000, n))
    found = prediction(runs)
    new = random.normal(100, 7, size=4000)
    inside = found["run_lo"].le(new) & found["run_hi"].ge(new)
    assert inside.mean() == pytest.approx(0.95, abs=0.011)


def test_one_replication_has_no_interval_of_one_run():
    assert prediction(np.array([[3.0]]))[["run_lo", "run_hi"]].isna().all(axis=None)


def test_printed_numbers_stand_beside_the_intervals_of_the_mean_and_of_one_run():
    runs = pd.DataFrame({"x": [0, 0, 0, 1, 1, 1], "y": [1.0, 2.0, 3.0, 4.0, 4.0, 4.0]})
    results = means_table(runs, ["x"], ["y"])
    printed = pd.DataFrame({"x": [1, 0, 9], "metric": "y", "published": [4.5, 1.0, 7.0]})
    table = comparison_table(results, printed, ["x"])
    columns = ["x", "metric", "published", "simulated", "lo", "hi", "run_lo", "run_hi", "delta"]
    assert list(table) == columns
    half = 4.302652729749 / sqrt(3)
    assert table.iloc[0, 2:].tolist() == [4.5, 4, 4, 4, 4, 4, -0.5]
    assert table.iloc[1, 2:].tolist() == pytest.approx(
        [1, 2, 2 - half, 2 + half, 2 - 2 * half, 2 + 2 * half, 1]
    )
