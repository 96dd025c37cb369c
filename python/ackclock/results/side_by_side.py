"""Comparison of campaigns run by run: a scenario simulated and emulated, or with changes.

Runs of one point, replication and seed have the same random numbers, so their differences are
paired: simulated and emulated runs have the same losses at the same places.
"""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Mapping, Sequence
from math import isfinite, nan
from typing import TYPE_CHECKING, Any

import pandas as pd

from ackclock.campaign import CampaignWarning
from ackclock.errors import InputError
from ackclock.plots.quantities import quantity, sentence
from ackclock.results.comparisons import ends_of
from ackclock.results.emulated import described_of, is_emulated, verdict_text
from ackclock.results.grids import (
    Column,
    Grid,
    grid,
    interval_column,
    level_column,
    p_column,
    ratio_column,
)
from ackclock.results.names import known
from ackclock.results.rows import REPLICATION
from ackclock.stats import compare_levels

if TYPE_CHECKING:
    from pathlib import Path

    from ackclock.campaign import Run
    from ackclock.results.results import Results

RUNS = "runs"
"""Column with the campaign folder of a row."""
VERDICT = "verdict"
_POINT = "point"
_CONFIDENCE = 0.95


class SideBySide:
    """Campaigns of the same points; the others are compared with the first.

    Args:
        several: results of at least two campaigns.

    Attributes:
        several: results of the campaigns.
        names: names of the campaigns: the names of their folders.
        factors: factors of the sweep, which is the same in all campaigns.
        measured: metrics that all campaigns have.
        shown_metrics: metrics that the first scenario lists, where they have values.

    Raises:
        InputError: the campaigns have no points in common, or different seeds.

    Warns:
        CampaignWarning: the scenarios differ, or points or replications are missing in some.
    """

    def __init__(self, several: Sequence[Results]) -> None:
        if len(several) < 2:
            raise InputError("name at least two folders to compare")
        self.several = tuple(several)
        self.names = short_names([each.campaign.folder for each in several])
        self.factors = several[0].factors
        self._check_names()
        self._levels = [point.levels for point in several[0].campaign.design.points]
        self._runs = [_by_place(each.campaign.runs) for each in several]
        self._paired = [[place for place in self._runs[0] if place in its] for its in self._runs]
        self._check_runs()
        self.measured = [
            name for name in several[0].measured if all(name in each.measured for each in several)
        ]
        shown = [
            name
            for name in several[0].shown_metrics
            if name in self.measured and self.has_pairs(name)
        ]
        self.shown_metrics = tuple(shown or self.measured[:1])

    def has_pairs(self, metric: str) -> bool:
        """Return whether at least one pair of runs has values of a metric."""
        first = self._runs[0]
        return any(
            isfinite(first[place].row.get(metric, nan))
            and isfinite(runs[place].row.get(metric, nan))
            for runs, paired in zip(self._runs[1:], self._paired[1:], strict=True)
            for place in paired
        )

    def compare(
        self, metric: str, *, pooled: bool = False, confidence: float = _CONFIDENCE
    ) -> pd.DataFrame:
        """Return the differences between runs of the same point, replication and seed.

        Args:
            metric: metric to compare.
            pooled: average each replication over the points first.
            confidence: level of the two-sided intervals, for example 0.95.

        Returns:
            One row per point and campaign except the first (pooled: one row per campaign), with the
            columns of ``ackclock.stats.compare_levels``: point (number in the first campaign), runs
            (name of the campaign), baseline_mean, mean, difference, lo, hi, relative ...; and
            verdict (text on the emulated runs of the row; empty if all are simulated).

        Raises:
            InputError: the metric is unknown or has no values, or the confidence is outside (0, 1).
        """
        known(metric, self.measured, "a metric of all the folders")
        rows = [
            {
                _POINT: self._runs[0][place].point,
                RUNS: name,
                REPLICATION: place[1],
                metric: runs[place].row.get(metric, nan),
            }
            for name, runs, paired in zip(self.names, self._runs, self._paired, strict=True)
            for place in paired
        ]
        try:
            table = compare_levels(
                pd.DataFrame(rows),
                metric,
                RUNS,
                self.names[0],
                [_POINT],
                pooled=pooled,
                confidence=confidence,
            )
        except ValueError as error:
            raise InputError(str(error).splitlines()) from error
        return table.assign(**{VERDICT: [self._verdict(row) for row in table.to_dict("records")]})

    def grid(self, metric: str, *, pooled: bool = False, confidence: float = _CONFIDENCE) -> Grid:
        """Return ``compare`` as a table of texts."""
        table = self.compare(metric, pooled=pooled, confidence=confidence)
        levels = [] if pooled else [self._levels[point] for point in table[_POINT]]
        columns = [
            level_column(name, [its.get(name) for its in levels]) for name in self.factors if levels
        ]
        if len(self.several) > 2:
            columns.append(Column("Runs", list(table[RUNS]), False, key=True))
        heads = [f", {self.names[0]}", f", {self.names[1]}" if len(self.several) == 2 else ""]
        columns += self._numbers(metric, table, heads)
        if any(table[VERDICT]):
            columns.append(Column("Verdict", list(table[VERDICT]), numeric=False))
        low, high = table["n"].min(), table["n"].max()
        name = quantity(metric).name
        foot = " · ".join(
            [
                self.several[0].source(confidence, [low, high], table, "differences"),
                f"paired differences from {self.names[0]}",
            ]
        )
        return grid(f"{self.several[0].title}: {name} against {self.names[0]}", columns, foot)

    def _numbers(self, metric: str, table: pd.DataFrame, heads: Sequence[str]) -> list[Column]:
        unit = self.several[0].unit_of(metric)
        beside = table[["baseline_mean", "mean"]].to_numpy(dtype=float)
        name = sentence(quantity(metric).name)
        means = [
            interval_column(
                metric,
                pd.DataFrame({"mean": table[column]}).assign(lo=float("nan"), hi=float("nan")),
                f"{name}{head}",
                beside=beside.ravel().tolist(),
                unit=unit,
            )
            for column, head in zip(("baseline_mean", "mean"), heads, strict=True)
        ]
        difference = table[["difference", "lo", "hi"]].rename(columns={"difference": "mean"})
        columns = [
            *means,
            interval_column(
                metric,
                difference,
                "Difference",
                sign="+",
                beside=beside.ravel().tolist(),
                unit=unit,
            ),
            ratio_column("Ratio", 1 + ends_of(table, "relative")),
        ]
        if table["p_holm"].notna().any():
            columns.append(p_column(table))
        if table["n"].nunique() > 1:
            columns.append(Column("n", [str(n) for n in table["n"]]))
        return columns

    def _verdict(self, row: Mapping[str, Any]) -> str:
        """Return the verdicts on the emulated runs of a row."""
        first, number = self._runs[0], self.names.index(row[RUNS])
        verdicts = [
            described["verdict"]
            for place in self._paired[number]
            if row.get(_POINT, first[place].point) == first[place].point
            for runs in (first, self._runs[number])
            if (described := described_of(runs[place].row))
        ]
        return verdict_text(verdicts) if verdicts else ""

    def _check_names(self) -> None:
        if len(set(self.names)) < len(self.names):
            raise InputError(f"{', '.join(self.names)}: name different folders")
        problems = [
            f"{name}: its factors are {_listed(each.factors)}, and those of {self.names[0]} are"
            f" {_listed(self.factors)}; compare campaigns of the same sweep"
            for name, each in zip(self.names, self.several, strict=True)
            if set(each.factors) != set(self.factors)
        ]
        if problems:
            raise InputError(problems)

    def _check_runs(self) -> None:
        """Check that the campaigns have common points with equal seeds."""
        first = self._runs[0]
        for name, runs, paired in list(zip(self.names, self._runs, self._paired, strict=True))[1:]:
            if not paired:
                raise InputError(_nothing_common(self.names[0], name, first, runs))
            other = [place for place in paired if runs[place].seed != first[place].seed]
            if other:
                seeds = (first[other[0]].seed, runs[other[0]].seed)
                raise InputError(
                    f"{name}: has other seeds than {self.names[0]} ({seeds[1]} and {seeds[0]} in"
                    f" {_place_text(other[0])}), so that their runs are not pairs; make both with"
                    " the same seed, for example --set seed=1"
                )
        self._warn_of_differences()

    def _warn_of_differences(self) -> None:
        base = self.several[0].campaign
        for name, each, runs in zip(self.names[1:], self.several[1:], self._runs[1:], strict=True):
            alone = {place[0] for place in self._runs[0]} ^ {place[0] for place in runs}
            if alone:
                points = "1 point is" if len(alone) == 1 else f"{len(alone)} points are"
                warnings.warn(
                    f"{name}: {points} missing in it or in {self.names[0]}, and left out",
                    CampaignWarning,
                    stacklevel=4,
                )
            its = each.campaign
            mine, other = _changes(its.design.sets), _changes(base.design.sets)
            if its.text != base.text:
                said = "the scenario files differ"
            elif mine.keys() ^ other.keys():
                said = f"made with {_sets(mine)}, the other with {_sets(other)}"
            else:
                continue
            warnings.warn(
                f"{name} and {self.names[0]}: {said}; check that this is what you compare",
                CampaignWarning,
                stacklevel=4,
            )


def made_by(results: Results) -> str:
    """Return "simulated" or "emulated", after the kind of the runs."""
    return "emulated" if is_emulated(results.campaign) else "simulated"


def short_names(folders: Sequence[Path]) -> tuple[str, ...]:
    """Return the short names of folders if they are distinct; else the paths."""
    short = tuple(folder.resolve().name for folder in folders)
    return short if len(set(short)) == len(short) else tuple(map(str, folders))


_Place = tuple[str, int]
"""Levels of a point as text, and the number of the replication."""


def _by_place(runs: Sequence[Run]) -> dict[_Place, Run]:
    return {(json.dumps(run.levels, sort_keys=True), run.replication): run for run in runs}


def _place_text(place: _Place) -> str:
    levels = [f"{column} {level}" for column, level in json.loads(place[0]).items()]
    return ", ".join([*levels, f"replication {place[1]}"])


def _nothing_common(
    first: str, name: str, its: Mapping[_Place, Run], runs: Mapping[_Place, Run]
) -> str:
    """Return the message why two campaigns cannot be compared."""
    mine, other = (_place_text(next(iter(each))) for each in (its, runs))
    return (
        f"{name}: none of its runs has the same point and replication as a run of {first};"
        f" the first runs are {other} and {mine}; compare campaigns of the same scenario"
    )


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) or "none"


def _changes(pairs: Sequence[str]) -> dict[str, str]:
    """Return the changes of the scenario, without those of points and replications.

    The keys are independent of quotation marks and spaces.
    """
    plain = {re.sub(r"[\s\"']", "", pair): pair for pair in pairs}
    return {
        key: its for key, its in plain.items() if not key.startswith(("sweep.", "replications="))
    }


def _sets(changes: Mapping[str, str]) -> str:
    return " ".join(f"--set {pair}" for pair in changes.values()) or "no --set"
