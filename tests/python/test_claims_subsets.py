"""No claim holds more easily with fewer replications.

Made-up runs of each study scatter, and their means lie a little off the example in which all claims
hold. So some claims are true with all runs, some are false, and some are undecided. Then only a few
of the same runs are looked at, many times.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest

import abr_web_runs
import newreno_runs
import osu_tasks_runs
import rfc2415_runs
from ackclock.studies import study_of
from ackclock.studies.machinery.claims import Claim
from ackclock.studies.machinery.estimates import EQUIVALENCE_CONFIDENCE, Decision
from ackclock.studies.machinery.request import Request
from ackclock.studies.machinery.study import Study
from ackclock.studies.ubr_web.analysis import published
from study_cases import made_for

ALL = 30
FEW = (2, 3, 5, 10)
SUBSETS = 16
"""Of each number of replications: 64 together."""
TRUE_OF_FALSE, TRUE_OF_UNDECIDED = 3, 6
"""In how many of 64 subsets a claim may be true that is false, or undecided, with all runs: 5 % and
10 %. By the level of the rules a comparison is true in one subset of 40 at most if the numbers are
equal; and in one of 11 with 10 runs if 30 almost show it."""
COMMON = 0.5
"""Of the scatter, what is the same everywhere: replications have the same random traffic."""


class World(NamedTuple):
    """Runs that are made up.

    Attributes:
        study: its name.
        off: by how much means lie off the example, as a share of them.
        scatter: standard deviation of a run, as a share of its mean.
        seed: of all random numbers.
    """

    study: str
    off: float
    scatter: float
    seed: int


WORLDS = (
    World("ubr-web", 0.05, 0.05, 1),
    World("rfc2415", 0.06, 0.06, 0),
    World("newreno", 0.08, 0.05, 0),
    World("abr-web", 0.15, 0.15, 1),
    World("osu-tasks", 0.08, 0.1, 0),
)
SCATTERED = {
    "ubr-web": {"efficiency", "fairness"},
    "rfc2415": {
        "utilisation_pct",
        "drop_pct",
        "page_delay_s",
        "new_page_delay_s",
        "web_power",
        "ftp_power",
    },
    "newreno": {"newreno_throughput_bit_s", "reno_throughput_bit_s"},
    "abr-web": {"max_queue_cells", "efficiency_pct"},
    "osu-tasks": {"efficiency", "fairness", "mcr_share", "eligible_lost_share"},
}
"""What claims compare."""


def examples(study: Study) -> dict[str, pd.DataFrame]:
    """By part, runs in which all claims hold."""
    if study.name == "ubr-web":
        return {"runs": published("results")}
    if study.name == "abr-web":
        return {"table2": abr_web_runs.example_runs()["table2"]}
    if study.name == "osu-tasks":
        return {
            **osu_tasks_runs.example_runs(),
            "gfr": osu_tasks_runs.gfr_runs(),
            "guaranteed-rate": osu_tasks_runs.guaranteed_rate_runs(),
        }
    module = {"newreno": newreno_runs, "rfc2415": rfc2415_runs}[study.name]
    return dict(iter(module.example_runs().groupby("part", sort=False)))


def evidence_of(world: World) -> Any:
    """What the claims see of all runs."""
    study, random = study_of(world.study), np.random.default_rng(world.seed)
    common = random.normal(size=(ALL, 1, 1))

    def scattered(part: str, runs: pd.DataFrame) -> pd.DataFrame:
        points = study.part(part).columns
        moved = [name for name in runs if name in SCATTERED[study.name]]
        one = runs.drop_duplicates(points).drop(columns=["replication", "seed"], errors="ignore")
        means = runs.groupby(points, sort=False, dropna=False)[moved].mean().to_numpy(copy=True)
        means *= 1 + world.off * random.normal(size=means.shape)
        own = random.normal(size=(ALL, *means.shape))
        noise = COMMON * common + np.sqrt(1 - COMMON**2) * own
        made = pd.concat([one] * ALL, ignore_index=True)
        made[moved] = (means * (1 + world.scatter * noise)).reshape(-1, len(moved))
        return made.assign(replication=np.repeat(np.arange(ALL), len(one)), seed=0)

    frames = {part: scattered(part, runs) for part, runs in examples(study).items()}
    return study.evidence(made_for(Request(study, replications=ALL), frames))


def looked_up_once(its: Any, *names: str) -> Any:
    """The same, with methods that keep what they return."""
    for name in names:
        if hasattr(its, name):
            setattr(its, name, cache(getattr(its, name)))
    return its


def verdict(claim: Claim, evidence: Any, chosen: np.ndarray) -> bool | None:
    """The verdict by some of the replications."""
    return claim.test(part_of(evidence, chosen)).holds.holds


def part_of(evidence: Any, chosen: np.ndarray) -> Any:
    """What the claims see of some of the replications."""
    its = copy(evidence)
    for name in ("values", "_number"):
        if hasattr(evidence, name):
            setattr(its, name, taken(getattr(evidence, name), chosen))
    return looked_up_once(its, "at", "on")


def taken(of: Callable[..., np.ndarray], chosen: np.ndarray) -> Callable[..., np.ndarray]:
    """The same function, for some of the replications."""
    return lambda *levels: of(*levels)[chosen]


class Found(NamedTuple):
    """Verdicts by the ids of claims: with all runs, and of subsets by their size."""

    whole: dict[str, bool | None]
    parts: dict[int, list[dict[str, bool | None]]]

    def easier(self) -> dict[str, int]:
        """Claims that are true in too many subsets though not with all runs, with how many."""
        most = {False: TRUE_OF_FALSE, None: TRUE_OF_UNDECIDED, True: len(FEW) * SUBSETS}
        counts = {
            claim: sum(each[claim] is True for its in self.parts.values() for each in its)
            for claim in self.whole
        }
        return {claim: n for claim, n in counts.items() if n > most[self.whole[claim]]}

    def undecided(self) -> list[float]:
        """The mean number of claims that are undecided, by the number of runs; all are last."""
        several = [*self.parts.values(), [self.whole]]
        return [sum(its is None for each in s for its in each.values()) / len(s) for s in several]


@cache
def found(world: World) -> Found:
    claims, random = study_of(world.study).claims, np.random.default_rng(world.seed)
    evidence = looked_up_once(evidence_of(world), "values", "_number")

    def by(chosen: np.ndarray) -> dict[str, bool | None]:
        its = part_of(evidence, chosen)
        return {claim.id: claim.test(its).holds.holds for claim in claims}

    parts = {
        number: [by(random.choice(ALL, number, replace=False)) for _ in range(SUBSETS)]
        for number in FEW
    }
    return Found(by(np.arange(ALL)), parts)


every_study = pytest.mark.parametrize("world", WORLDS, ids=lambda world: world.study)


@every_study
def test_all_runs_leave_some_claims_true_some_false_and_some_undecided(world):
    assert set(found(world).whole.values()) == {True, False, None}


@every_study
def test_no_claim_holds_more_easily_with_few_runs(world):
    assert found(world).easier() == {}


@every_study
def test_the_more_runs_the_fewer_claims_are_undecided(world):
    two, three, five, ten, _ = found(world).undecided()
    assert two > three > five > ten


def test_all_runs_leave_the_fewest_undecided():
    together = np.sum([found(world).undecided() for world in WORLDS], axis=0)
    assert (np.diff(together) < 0).all()


def by_means(comparison, one, other):
    """As if means without intervals decided."""
    return Decision(bool(comparison((one - other).mean, 0)))


def by_overlap(difference, resolution):
    """As if what does not differ significantly were the same."""
    its = difference.interval(EQUIVALENCE_CONFIDENCE)
    return Decision(its.lo <= resolution and its.hi >= -resolution)


@pytest.mark.parametrize(
    ("place", "rule", "claim"),
    [
        ("ackclock.studies.machinery.estimates._compared", by_means, "http11-smoother"),
        ("ackclock.studies.rfc2415.claims.within", by_overlap, "half-half-harmless"),
    ],
)
def test_rules_by_which_claims_hold_more_easily_would_be_found(place, rule, claim, monkeypatch):
    monkeypatch.setattr(place, rule)
    monkeypatch.setattr("test_claims_subsets.SUBSETS", 12)
    (world,) = (each for each in WORLDS if each.study == "rfc2415")
    assert claim in found.__wrapped__(world).easier()


# That something happens in none is easier to meet in few runs, unless they must be enough.


def true_share(world: World, id: str, number: int, change: Any = None) -> float:
    """How many of 100 subsets make a claim true that is false with all runs."""
    (claim,) = (each for each in study_of(world.study).claims if each.id == id)
    evidence, random = evidence_of(world), np.random.default_rng(world.seed)
    if change:
        usual = evidence.values
        evidence.values = lambda part, metric, point: change(
            metric, point, usual(part, metric, point)
        )
    assert verdict(claim, evidence, np.arange(ALL)) is False
    subsets = (random.choice(ALL, number, replace=False) for _ in range(100))
    return sum(verdict(claim, evidence, chosen) is True for chosen in subsets) / 100


def one_loss(metric, point, values):
    if (metric, point.servers) == ("cells_lost", 3):
        values = np.where(np.arange(ALL) == 0, 1, values)
    return values


def long_queues(metric, point, values):
    if (metric, point.servers) == ("max_queue_cells", 9):
        values = np.where(np.arange(ALL) < 8, 40_000, values)
    return values


@pytest.mark.parametrize(
    ("world", "id", "number", "change"),
    [
        # Significantly below in no cell.
        (World("ubr-web", 0.03, 0.03, 3), "wan-eff-sd-helps-old", 10, None),
        # At no number of servers significantly too few.
        (World("abr-web", 0, 0.01, 0), "queue-bounded", 10, long_queues),
        # One run of 450 loses a cell.
        (World("abr-web", 0, 0.01, 0), "no-loss", 5, one_loss),
    ],
)
def test_that_something_happens_in_none_holds_no_more_easily(world, id, number, change):
    assert true_share(world, id, number, change) <= 0.05
