"""What the paper concludes, each conclusion as a test on this study's own results.

Source: Parvez et al., sections IV and V. Nothing here reads a published number. The limits in the
statements are part of the claims; the one claim that is about Table III sees how far the simulated
throughput is from the printed one as a ratio, which ``comparison`` makes.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ackclock.stats.intervals import Interval
from ackclock.stats.ratios import ratio_interval
from ackclock.studies.machinery.claims import Claims, Verdict
from ackclock.studies.machinery.evidence import RunsEvidence, shown, shown_mean
from ackclock.studies.machinery.running import Runs
from ackclock.studies.machinery.values import Values
from ackclock.studies.newreno.comparison import emulation_table
from ackclock.studies.newreno.levels import (
    BACKGROUND,
    BERNOULLI,
    BOTTLENECKS,
    BUFFER,
    BURSTY,
    CURVES,
    EMULATION,
    FREQUENT,
    FULL,
    IMPATIENT,
    NEWRENO,
    RARE,
    RED,
    RENO,
    SCALING,
    STEADY,
    UDP,
    VARIANTS,
    Curve,
)
from ackclock.studies.newreno.predictions import FULL as MODEL
from ackclock.studies.newreno.predictions import (
    MODEL_NAMES,
    PFTK,
    column,
    flows_table,
    payload_bytes,
)

CLAIMS = Claims()
_THROUGHPUT = "throughput_bit_s"
_LOW_LOSS_PCT = 2
_SEVERAL = 5
_MOST_STEADY, _LEAST_IMPATIENT = 20, 30


class Measured(NamedTuple):
    """A measured flow at a point; the first four are those of ``Point``."""

    part: str
    queue: str
    variant: str
    x: float
    flow: str


class Evidence(RunsEvidence):
    """The measured flows as a claim sees them: values by replication.

    Attributes:
        flows: see ``predictions.flows_table``.
        emulation: see ``comparison.emulation_table``.
    """

    def __init__(self, made: Runs) -> None:
        super().__init__(made)
        payloads = {name: payload_bytes(its.scenario) for name, its in made.parts.items()}
        self.flows = flows_table(made.frame, payloads)
        self.emulation = emulation_table(self.flows)
        self._measured = Values(self.flows, Measured)

    def throughput(self, curve: Curve, x: float, flow: str = NEWRENO) -> np.ndarray:
        """Throughput of a measured flow at a point, bit/s, shape (replications,)."""
        return self._measured.of(_THROUGHPUT, Measured(*curve, x, flow))

    def excess(self, curve: Curve, x: float, model: str, flow: str = NEWRENO) -> np.ndarray:
        """(prediction - simulation) / simulation with the paper's inputs, %, by replication."""
        predicted = self._measured.of(column(model), Measured(*curve, x, flow))
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


def _errors_shown(study: Evidence, curve: Curve, *, reno: bool = False) -> tuple[float, float, str]:
    """Mean errors of NewReno's model and of PFTK on a curve, and both in words.

    With ``reno`` the words compare PFTK with Reno, too.
    """
    model, pftk = (study.mean_error(curve, each) for each in (MODEL, PFTK))
    described = (
        f"mean error of {MODEL_NAMES[MODEL]} {shown_mean(model)}, of PFTK {shown_mean(pftk)}"
    )
    if reno:
        described += f", of PFTK on Reno {shown_mean(study.mean_error(curve, PFTK, RENO))}"
    return float(model.mean()), float(pftk.mean()), described


def _advantages_shown(study: Evidence, curve: Curve) -> str:
    """NewReno's advantage at each point of a curve, in words."""
    return "; ".join(f"{x:g}: {shown(study.advantage(curve, x))}" for x in CURVES[curve])


@CLAIMS.add(
    "bernoulli",
    "IV-C",
    "Bernoulli loss 0.01 % to 10 %: the NewReno model's mean error is at most 12 % (published 9.0, "
    "range 0 to 15) and below PFTK's on NewReno (11) and PFTK's on Reno (25)",
    (BERNOULLI,),
)
def _bernoulli(study: Evidence) -> Verdict:
    curve = Curve(BERNOULLI)
    model, pftk, text = _errors_shown(study, curve, reno=True)
    on_reno = float(study.mean_error(curve, PFTK, RENO).mean())
    points = [study.errors(curve, x, MODEL).mean() for x in CURVES[curve]]
    holds = model <= 12 and model < pftk and model < on_reno
    return (
        holds,
        f"{text}; that of NewReno's model ranges from {min(points):.1f} to {max(points):.1f} %",
    )


@CLAIMS.add(
    "bernoulli-low-loss-equal",
    "IV-C",
    "Bernoulli loss up to 2 %: Reno and NewReno throughput differ by less than 10 %",
    (BERNOULLI,),
)
def _low_loss(study: Evidence) -> Verdict:
    curve = Curve(BERNOULLI)
    found = {x: study.advantage(curve, x) for x in CURVES[curve] if x <= _LOW_LOSS_PCT}
    text = "; ".join(f"{x:g} %: {shown(each, signed=True)}" for x, each in found.items())
    return all(abs(each.mean) < 10 for each in found.values()), f"NewReno against Reno at {text}"


@CLAIMS.add(
    "bursty",
    "IV-B",
    "m back-to-back drops per loss event, p = 0.05 % and 1 %: NewReno throughput falls as m rises; "
    "the model's mean error is at most 12 %; PFTK's error grows with m and exceeds the model's for "
    "every m >= 5",
    (BURSTY,),
)
def _bursty(study: Evidence) -> Verdict:
    """PFTK's error grows if its prediction lies further and further above the simulation."""
    holds, parts = True, []
    for name in (RARE, FREQUENT):
        curve = Curve(BURSTY, variant=name)
        places = CURVES[curve]
        model, _, text = _errors_shown(study, curve)
        throughputs = [study.throughput(curve, x).mean() for x in places]
        above = [study.excess(curve, x, PFTK).mean() for x in places]
        several = [x for x in places if x >= _SEVERAL]
        larger = [
            study.errors(curve, x, PFTK).mean() > study.errors(curve, x, MODEL).mean()
            for x in several
        ]
        falls = sum(later < earlier for earlier, later in pairwise(throughputs))
        grows = sum(later > earlier for earlier, later in pairwise(above))
        steps = len(places) - 1
        holds = holds and falls == grows == steps and model <= 12 and all(larger)
        parts.append(
            f"{name}: throughput falls in {falls} of {steps} steps of m, from "
            f"{throughputs[0] / 1e6:.2f} to {throughputs[-1] / 1e6:.2f} Mbit/s; {text}; PFTK's "
            f"grows in {grows} of {steps} steps, from {above[0]:+.1f} to {above[-1]:+.1f} %, and "
            f"is the larger one at {sum(larger)} of {len(several)} m >= 5"
        )
    return holds, ". ".join(parts)


@CLAIMS.add(
    "http-ftp-droptail",
    "IV-D",
    "100 to 200 background flows, drop-tail: model's mean error at most 10 % (published 4.4), "
    "PFTK's larger (20); NewReno's throughput is 10 % to 40 % above Reno's",
    (BACKGROUND,),
)
def _droptail(study: Evidence) -> Verdict:
    """The advantage is that over all numbers of flows; where each counts, a claim says so."""
    curve = Curve(BACKGROUND)
    model, pftk, text = _errors_shown(study, curve)
    advantage = study.mean_advantage(curve)
    holds = model <= 10 and pftk > model and 10 <= advantage.mean() <= 40
    return holds, (
        f"{text}. NewReno above Reno by {shown_mean(advantage)} on average; by background flows: "
        f"{_advantages_shown(study, curve)}"
    )


@CLAIMS.add(
    "http-ftp-red",
    "IV-D",
    "RED: model's mean error at most 15 % (8.9); NewReno's advantage over Reno is smaller than "
    "with drop-tail",
    (BACKGROUND,),
)
def _red(study: Evidence) -> Verdict:
    curve = Curve(BACKGROUND, RED)
    model, _, text = _errors_shown(study, curve)
    advantage, usual = (study.mean_advantage(each) for each in (curve, Curve(BACKGROUND)))
    holds = model <= 15 and advantage.mean() < usual.mean()
    return holds, (
        f"{text}. NewReno above Reno by {shown_mean(advantage)} on average, with drop-tail by "
        f"{shown_mean(usual)}"
    )


@CLAIMS.add(
    "multi-bottleneck",
    "IV-E",
    "two bottlenecks: model's mean error at most 12 % drop-tail (3.4) and 15 % RED (7.5); PFTK's "
    "larger (25, 27)",
    (BOTTLENECKS,),
)
def _two(study: Evidence) -> Verdict:
    curves = Curve(BOTTLENECKS), Curve(BOTTLENECKS, RED)
    droptail, red = (_errors_shown(study, curve) for curve in curves)
    holds = (
        droptail[0] <= 12 and red[0] <= 15 and all(each[1] > each[0] for each in (droptail, red))
    )
    return holds, f"drop-tail: {droptail[2]}; RED: {red[2]}"


@CLAIMS.add(
    "udp",
    "IV-F",
    "on-off UDP background, drop-tail: model's mean error at most 10 % (3.1), PFTK's larger (9.0)",
    (UDP,),
)
def _udp(study: Evidence) -> Verdict:
    model, pftk, text = _errors_shown(study, Curve(UDP))
    return model <= 10 and pftk > model, text


@CLAIMS.add(
    "scaling",
    "IV-G",
    "15 to 60 Mbps scaled together: model's mean error at most 12 % (5.1); NewReno 10 % to 45 % "
    "above Reno at every size",
    (SCALING,),
)
def _scaling(study: Evidence) -> Verdict:
    curve = Curve(SCALING)
    model, _, text = _errors_shown(study, curve, reno=True)
    advantages = [study.advantage(curve, x).mean for x in CURVES[curve]]
    holds = model <= 12 and all(10 <= each <= 45 for each in advantages)
    return holds, f"{text}. NewReno above Reno, by Mbit/s: {_advantages_shown(study, curve)}"


@CLAIMS.add(
    "buffer",
    "IV-H",
    "buffers of 25 to 150 packets: model's mean error at most 10 % (2.9), PFTK's larger (28)",
    (BUFFER,),
)
def _buffer(study: Evidence) -> Verdict:
    model, pftk, text = _errors_shown(study, Curve(BUFFER))
    return model <= 10 and pftk > model, text


@CLAIMS.add(
    "partial-deflation",
    "IV-B",
    "partial window deflation gives at least the throughput of full deflation at every m >= 2",
    (VARIANTS,),
)
def _deflation(study: Evidence) -> Verdict:
    holds, parts = True, []
    for name in (RARE, FREQUENT):
        found = _gains(study, FULL, name)
        worst = min(found, key=lambda x: found[x].mean())
        right = sum(gain.mean() >= 0 for gain in found.values())
        holds = holds and right == len(found)
        parts.append(
            f"{name}: at {right} of {len(found)} m; least gain {_gain(found[worst])} at m = {worst}"
        )
    return holds, "; ".join(parts)


@CLAIMS.add(
    "slow-but-steady",
    "IV-B",
    "slow-but-steady gives at least the throughput of the impatient variant up to 20 losses per "
    "window; the impatient one wins at 30 or more",
    (VARIANTS,),
)
def _steady(study: Evidence) -> Verdict:
    found = _gains(study, IMPATIENT, RARE)
    few = all(gain.mean() >= 0 for x, gain in found.items() if x <= _MOST_STEADY)
    many = all(gain.mean() < 0 for x, gain in found.items() if x >= _LEAST_IMPATIENT)
    text = "; ".join(f"{x}: {_gain(gain)}" for x, gain in found.items())
    return few and many, f"{RARE}, slow-but-steady less impatient, by m: {text}"


def _gains(study: Evidence, other: str, name: str) -> dict[float, np.ndarray]:
    """By m, what slow-but-steady with partial deflation gains over another variant, Mbit/s."""
    usual, its = (Curve(VARIANTS, variant=f"{each}, {name}") for each in (STEADY, other))
    return {x: (study.throughput(usual, x) - study.throughput(its, x)) / 1e6 for x in CURVES[its]}


def _gain(values: np.ndarray) -> str:
    return shown_mean(values, 3, " Mbit/s")


@CLAIMS.add(
    "emulation",
    "V Table III",
    "50 ms RTT, 10 Mbps, Bernoulli 0.5 % to 3 %: throughput within 15 % of the published one at "
    "every loss rate",
    (EMULATION,),
)
def _emulation(study: Evidence) -> Verdict:
    table = study.emulation
    text = "; ".join(
        f"{row.imposed_loss_pct:g} %: {row.ratio:.3f}" for row in table.itertuples(index=False)
    )
    return bool(table["ratio"].between(0.85, 1.15).all()), f"simulated over published at {text}"
