"""The results that a claim of this study may use."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import pandas as pd

from ackclock.stats.intervals import Interval
from ackclock.stats.ratios import ratio_interval
from ackclock.studies.common.evidence import shown, shown_mean
from ackclock.studies.common.values import Values
from ackclock.studies.newreno.levels import CURVES, NEWRENO, RENO, Curve, Selection
from ackclock.studies.newreno.predictions import FULL, MODEL_NAMES, PFTK, column

THROUGHPUT = "throughput_bit_s"


class Measured(NamedTuple):
    """A measured flow at a point; the first four are those of ``Point``."""

    part: str
    queue: str
    variant: str
    x: float
    flow: str


class Study:
    """The runs as a claim sees them: values by replication.

    Args:
        flows: a row a run and a measured flow, with its predictions.
        emulation: simulated and printed throughput of section V.
    """

    def __init__(self, flows: pd.DataFrame, emulation: pd.DataFrame) -> None:
        self.emulation = emulation
        self._values = Values(flows, Measured)

    def missing(self, needs: Iterable[str]) -> str:
        """What is not there of what a claim needs, in words.

        A part is there if a flow was measured at each of its points.
        """
        there = {measured[:4] for measured in self._values.points}
        return ", and ".join(
            f"the part {part} was not run"
            for part in needs
            if not set(Selection().points_of(part)) <= there
        )

    def throughput(self, curve: Curve, x: float, flow: str = NEWRENO) -> np.ndarray:
        """Throughput of a measured flow at a point, bit/s, shape (replications,)."""
        return self._values.of(THROUGHPUT, Measured(*curve, x, flow))

    def excess(self, curve: Curve, x: float, model: str, flow: str = NEWRENO) -> np.ndarray:
        """(prediction - simulation) / simulation with the paper's inputs, %, by replication."""
        predicted = self._values.of(column(model), Measured(*curve, x, flow))
        return 100 * (predicted / self.throughput(curve, x, flow) - 1)

    def errors(self, curve: Curve, x: float, model: str, flow: str = NEWRENO) -> np.ndarray:
        """The same without its sign."""
        return np.abs(self.excess(curve, x, model, flow))

    def mean_error(self, curve: Curve, model: str, flow: str = NEWRENO) -> np.ndarray:
        """The mean of the errors over the points of a curve, %, shape (replications,)."""
        return np.mean([self.errors(curve, x, model, flow) for x in CURVES[curve]], axis=0)

    def advantage(self, curve: Curve, x: float) -> Interval:
        """By how much NewReno's throughput lies above Reno's, % of that."""
        reno = self.throughput(curve, x, RENO)
        return ratio_interval(100 * (self.throughput(curve, x) - reno), reno)

    def mean_advantage(self, curve: Curve) -> np.ndarray:
        """The mean of the advantages over the points of a curve, %, shape (replications,)."""
        parts = []
        for x in CURVES[curve]:
            reno = self.throughput(curve, x, RENO)
            parts.append(100 * (self.throughput(curve, x) - reno) / reno.mean())
        return np.mean(parts, axis=0)


def errors_shown(study: Study, curve: Curve, *, reno: bool = False) -> tuple[float, float, str]:
    """Mean errors of NewReno's model and of PFTK on a curve, and both in words.

    Args:
        study: the runs.
        curve: of which.
        reno: whether the words compare PFTK with Reno, too.
    """
    model, pftk = (study.mean_error(curve, each) for each in (FULL, PFTK))
    described = f"mean error of {MODEL_NAMES[FULL]} {shown_mean(model)}, of PFTK {shown_mean(pftk)}"
    if reno:
        described += f", of PFTK on Reno {shown_mean(study.mean_error(curve, PFTK, RENO))}"
    return float(model.mean()), float(pftk.mean()), described


def advantages_shown(study: Study, curve: Curve) -> str:
    """NewReno's advantage at each point of a curve, in words."""
    return "; ".join(f"{x:g}: {shown(study.advantage(curve, x))}" for x in CURVES[curve])
