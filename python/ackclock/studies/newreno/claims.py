"""What the paper concludes, each conclusion as a test on this study's own results.

Source: Parvez et al., sections IV and V. Nothing here reads a published number. The limits in the
statements are part of the claims; the one claim that is about Table III sees how far the simulated
throughput is from the printed one as a ratio, which ``comparison`` makes.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from ackclock.studies.machinery.claims import Claims, Verdict
from ackclock.studies.machinery.draws import Draws
from ackclock.studies.machinery.estimates import Estimate, every, within
from ackclock.studies.machinery.evidence import RunsEvidence, mean, shown
from ackclock.studies.machinery.running import Runs
from ackclock.studies.machinery.values import Values
from ackclock.studies.machinery.variation import Number
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

    def __init__(self, made: Runs, draws: Draws | None = None) -> None:
        super().__init__(made, draws)
        payloads = {name: payload_bytes(its.scenario) for name, its in made.parts.items()}
        self.flows = flows_table(made.frame, payloads)
        self.emulation = emulation_table(self.flows)
        self._measured = Values(self.flows, Measured)

    def _number(self, metric: str, curve: Curve, x: float, flow: str) -> np.ndarray:
        return self._measured.of(metric, Measured(*curve, x, flow))

    def throughput(self, curve: Curve, x: float, flow: str = NEWRENO) -> Number:
        """Throughput of a measured flow at a point, bit/s."""
        return self.of_runs(curve.part, (curve, x), self._number(_THROUGHPUT, curve, x, flow))

    def excess(self, curve: Curve, x: float, model: str, flow: str = NEWRENO) -> Number:
        """(prediction - simulation) / simulation with the paper's inputs, %, mean over the runs."""
        return self.of_runs(curve.part, (curve, x), self._excess(curve, x, model, flow))

    def _excess(self, curve: Curve, x: float, model: str, flow: str) -> np.ndarray:
        predicted = self._number(column(model), curve, x, flow)
        return 100 * (predicted / self._number(_THROUGHPUT, curve, x, flow) - 1)

    def error(self, curve: Curve, x: float, model: str, flow: str = NEWRENO) -> Number:
        """The same without its sign in each run."""
        errors = np.abs(self._excess(curve, x, model, flow))
        return self.of_runs(curve.part, (curve, x), errors)

    def mean_error(self, curve: Curve, model: str, flow: str = NEWRENO) -> Number:
        """The mean of the errors over the points of a curve, %."""
        return mean([self.error(curve, x, model, flow) for x in CURVES[curve]])

    def advantage(self, curve: Curve, x: float) -> Number:
        """By how much NewReno's throughput lies above Reno's, % of that."""
        return 100 * (self.throughput(curve, x) / self.throughput(curve, x, RENO) - 1)

    def mean_advantage(self, curve: Curve) -> Number:
        """The mean of the advantages over the points of a curve, %."""
        return mean([self.advantage(curve, x) for x in CURVES[curve]])


class Errors(NamedTuple):
    """Mean errors of the models on a curve, %."""

    model: Number
    pftk: Number
    on_reno: Number | None

    @property
    def text(self) -> str:
        """The errors in words."""
        text = f"mean error of {MODEL_NAMES[MODEL]} {shown(self.model)}, of PFTK {shown(self.pftk)}"
        return text if self.on_reno is None else f"{text}, of PFTK on Reno {shown(self.on_reno)}"


def _errors(study: Evidence, curve: Curve, *, reno: bool = False) -> Errors:
    """Of NewReno's model and of PFTK on NewReno; with ``reno`` of PFTK on Reno, too."""
    model, pftk = (study.mean_error(curve, each) for each in (MODEL, PFTK))
    return Errors(model, pftk, study.mean_error(curve, PFTK, RENO) if reno else None)


def _advantages_text(study: Evidence, curve: Curve) -> str:
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
    its = _errors(study, curve, reno=True)
    holds = (its.model <= 12) & (its.model < its.pftk) & (its.model < its.on_reno)

    def evidence() -> str:
        points = [study.error(curve, x, MODEL).mean for x in CURVES[curve]]
        return (
            f"{its.text}; that of NewReno's model ranges from {min(points):.1f} to "
            f"{max(points):.1f} %"
        )

    return Verdict(holds, evidence)


@CLAIMS.add(
    "bernoulli-low-loss-equal",
    "IV-C",
    "Bernoulli loss up to 2 %: Reno and NewReno throughput differ by less than 10 %",
    (BERNOULLI,),
)
def _low_loss(study: Evidence) -> Verdict:
    curve = Curve(BERNOULLI)
    found = {x: study.advantage(curve, x) for x in CURVES[curve] if x <= _LOW_LOSS_PCT}

    def evidence() -> str:
        text = "; ".join(f"{x:g} %: {shown(its, signed=True)}" for x, its in found.items())
        return f"NewReno against Reno at {text}"

    return Verdict(every(abs(its) < 10 for its in found.values()), evidence)


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
    curves = {name: Curve(BURSTY, variant=name) for name in (RARE, FREQUENT)}
    holds = every(its for curve in curves.values() for its in _burst_by_burst(study, curve))

    def evidence() -> str:
        return ". ".join(f"{name}: {_bursts_text(study, its)}" for name, its in curves.items())

    return Verdict(holds, evidence)


def _bursts(study: Evidence, curve: Curve) -> tuple[list[Any], list[Any], list[Any]]:
    """Step by step of m: throughput falls, PFTK's excess grows; and PFTK's error is the larger."""
    places = CURVES[curve]
    throughputs = [study.throughput(curve, x) for x in places]
    above = [study.excess(curve, x, PFTK) for x in places]
    falls = [later < earlier for earlier, later in pairwise(throughputs)]
    grows = [later > earlier for earlier, later in pairwise(above)]
    several = [x for x in places if x >= _SEVERAL]
    larger = [study.error(curve, x, PFTK) > study.error(curve, x, MODEL) for x in several]
    return falls, grows, larger


def _burst_by_burst(study: Evidence, curve: Curve) -> list[Any]:
    falls, grows, larger = _bursts(study, curve)
    return [*falls, *grows, *larger, study.mean_error(curve, MODEL) <= 12]


def _bursts_text(study: Evidence, curve: Curve) -> str:
    places = CURVES[curve]
    falls, grows, larger = (sum(bool(e.holds) for e in its) for its in _bursts(study, curve))
    steps, several = len(places) - 1, sum(x >= _SEVERAL for x in places)
    first, last = (study.throughput(curve, x).mean / 1e6 for x in (places[0], places[-1]))
    start, end = (study.excess(curve, x, PFTK).mean for x in (places[0], places[-1]))
    return (
        f"throughput falls in {falls} of {steps} steps of m, from {first:.2f} to {last:.2f} "
        f"Mbit/s; {_errors(study, curve).text}; PFTK's grows in {grows} of {steps} steps, from "
        f"{start:+.1f} to {end:+.1f} %, and is the larger one at {larger} of {several} m >= 5"
    )


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
    its, advantage = _errors(study, curve), study.mean_advantage(curve)
    holds = (its.model <= 10) & (its.pftk > its.model) & (advantage >= 10) & (advantage <= 40)

    def evidence() -> str:
        return (
            f"{its.text}. NewReno above Reno by {shown(advantage)} on average; by background "
            f"flows: {_advantages_text(study, curve)}"
        )

    return Verdict(holds, evidence)


@CLAIMS.add(
    "http-ftp-red",
    "IV-D",
    "RED: model's mean error at most 15 % (8.9); NewReno's advantage over Reno is smaller than "
    "with drop-tail",
    (BACKGROUND,),
)
def _red(study: Evidence) -> Verdict:
    curve = Curve(BACKGROUND, RED)
    its = _errors(study, curve)
    advantage, usual = (study.mean_advantage(each) for each in (curve, Curve(BACKGROUND)))

    def evidence() -> str:
        return (
            f"{its.text}. NewReno above Reno by {shown(advantage)} on average, with drop-tail by "
            f"{shown(usual)}"
        )

    return Verdict((its.model <= 15) & (advantage < usual), evidence)


@CLAIMS.add(
    "multi-bottleneck",
    "IV-E",
    "two bottlenecks: model's mean error at most 12 % drop-tail (3.4) and 15 % RED (7.5); PFTK's "
    "larger (25, 27)",
    (BOTTLENECKS,),
)
def _two(study: Evidence) -> Verdict:
    droptail, red = (_errors(study, each) for each in (Curve(BOTTLENECKS), Curve(BOTTLENECKS, RED)))
    holds = (droptail.model <= 12) & (red.model <= 15)
    holds &= every(each.pftk > each.model for each in (droptail, red))
    return Verdict(holds, lambda: f"drop-tail: {droptail.text}; RED: {red.text}")


@CLAIMS.add(
    "udp",
    "IV-F",
    "on-off UDP background, drop-tail: model's mean error at most 10 % (3.1), PFTK's larger (9.0)",
    (UDP,),
)
def _udp(study: Evidence) -> Verdict:
    its = _errors(study, Curve(UDP))
    return Verdict((its.model <= 10) & (its.pftk > its.model), lambda: its.text)


@CLAIMS.add(
    "scaling",
    "IV-G",
    "15 to 60 Mbps scaled together: model's mean error at most 12 % (5.1); NewReno 10 % to 45 % "
    "above Reno at every size",
    (SCALING,),
)
def _scaling(study: Evidence) -> Verdict:
    curve = Curve(SCALING)
    its = _errors(study, curve, reno=True)
    advantages = [study.advantage(curve, x) for x in CURVES[curve]]
    holds = (its.model <= 12) & every((each >= 10) & (each <= 45) for each in advantages)

    def evidence() -> str:
        return f"{its.text}. NewReno above Reno, by Mbit/s: {_advantages_text(study, curve)}"

    return Verdict(holds, evidence)


@CLAIMS.add(
    "buffer",
    "IV-H",
    "buffers of 25 to 150 packets: model's mean error at most 10 % (2.9), PFTK's larger (28)",
    (BUFFER,),
)
def _buffer(study: Evidence) -> Verdict:
    its = _errors(study, Curve(BUFFER))
    return Verdict((its.model <= 10) & (its.pftk > its.model), lambda: its.text)


@CLAIMS.add(
    "partial-deflation",
    "IV-B",
    "partial window deflation gives at least the throughput of full deflation at every m >= 2",
    (VARIANTS,),
)
def _deflation(study: Evidence) -> Verdict:
    gains = {name: _gains(study, FULL, name) for name in (RARE, FREQUENT)}

    def evidence() -> str:
        parts = []
        for name, found in gains.items():
            worst = min(found, key=lambda x: found[x].mean)
            right = sum(gain.mean >= 0 for gain in found.values())
            parts.append(
                f"{name}: at {right} of {len(found)} m; least gain {_gain(found[worst])} at "
                f"m = {worst}"
            )
        return "; ".join(parts)

    holds = every(gain >= 0 for found in gains.values() for gain in found.values())
    return Verdict(holds, evidence)


@CLAIMS.add(
    "slow-but-steady",
    "IV-B",
    "slow-but-steady gives at least the throughput of the impatient variant up to 20 losses per "
    "window; the impatient one wins at 30 or more",
    (VARIANTS,),
)
def _steady(study: Evidence) -> Verdict:
    found = _gains(study, IMPATIENT, RARE)
    few = every(gain >= 0 for x, gain in found.items() if x <= _MOST_STEADY)
    many = every(gain < 0 for x, gain in found.items() if x >= _LEAST_IMPATIENT)

    def evidence() -> str:
        text = "; ".join(f"{x}: {_gain(gain)}" for x, gain in found.items())
        return f"{RARE}, slow-but-steady less impatient, by m: {text}"

    return Verdict(few & many, evidence)


def _gains(study: Evidence, other: str, name: str) -> dict[float, Number]:
    """By m, what slow-but-steady with partial deflation gains over another variant, Mbit/s."""
    usual, its = (Curve(VARIANTS, variant=f"{each}, {name}") for each in (STEADY, other))
    return {x: (study.throughput(usual, x) - study.throughput(its, x)) / 1e6 for x in CURVES[its]}


def _gain(number: Estimate) -> str:
    return shown(number, decimals=3, unit=" Mbit/s")


@CLAIMS.add(
    "emulation",
    "V Table III",
    "50 ms RTT, 10 Mbps, Bernoulli 0.5 % to 3 %: throughput within 15 % of the published one at "
    "every loss rate",
    (EMULATION,),
)
def _emulation(study: Evidence) -> Verdict:
    published = study.emulation.set_index("imposed_loss_pct")["published_bit_s"]
    ratios = {
        loss: study.throughput(Curve(EMULATION), loss) / bit_s for loss, bit_s in published.items()
    }

    def evidence() -> str:
        text = "; ".join(
            f"{loss:g} %: {shown(ratio, decimals=3, unit='')}" for loss, ratio in ratios.items()
        )
        return f"simulated over published at {text}"

    return Verdict(every(within(ratio - 1, 0.15) for ratio in ratios.values()), evidence)
