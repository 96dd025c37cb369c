"""Claims on flows that meet losses made for them (Parvez et al., sections IV-B, IV-C and V)."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from ackclock.studies.common.claims import Claims, Verdict
from ackclock.studies.common.evidence import shown, shown_mean
from ackclock.studies.newreno.claims.registry import Study, errors_shown
from ackclock.studies.newreno.levels import (
    BERNOULLI,
    BURSTY,
    CURVES,
    EMULATION,
    FREQUENT,
    FULL,
    IMPATIENT,
    RARE,
    RENO,
    STEADY,
    VARIANTS,
    Curve,
)
from ackclock.studies.newreno.predictions import FULL as MODEL
from ackclock.studies.newreno.predictions import PFTK

CLAIMS = Claims()
_LOW_LOSS_PCT = 2
_SEVERAL = 5
_MOST_STEADY, _LEAST_IMPATIENT = 20, 30


@CLAIMS.add(
    "bernoulli",
    "IV-C",
    "Bernoulli loss 0.01 % to 10 %: the NewReno model's mean error is at most 12 % (published 9.0, "
    "range 0 to 15) and below PFTK's on NewReno (11) and PFTK's on Reno (25)",
    (BERNOULLI,),
)
def _bernoulli(study: Study) -> Verdict:
    curve = Curve(BERNOULLI)
    model, pftk, text = errors_shown(study, curve, reno=True)
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
def _low_loss(study: Study) -> Verdict:
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
def _bursty(study: Study) -> Verdict:
    """PFTK's error grows if its prediction lies further and further above the simulation."""
    holds, parts = True, []
    for name in (RARE, FREQUENT):
        curve = Curve(BURSTY, variant=name)
        places = CURVES[curve]
        model, _, text = errors_shown(study, curve)
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
    "partial-deflation",
    "IV-B",
    "partial window deflation gives at least the throughput of full deflation at every m >= 2",
    (VARIANTS,),
)
def _deflation(study: Study) -> Verdict:
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
def _steady(study: Study) -> Verdict:
    found = _gains(study, IMPATIENT, RARE)
    few = all(gain.mean() >= 0 for x, gain in found.items() if x <= _MOST_STEADY)
    many = all(gain.mean() < 0 for x, gain in found.items() if x >= _LEAST_IMPATIENT)
    text = "; ".join(f"{x}: {_gain(gain)}" for x, gain in found.items())
    return few and many, f"{RARE}, slow-but-steady less impatient, by m: {text}"


def _gains(study: Study, other: str, name: str) -> dict[float, np.ndarray]:
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
def _emulation(study: Study) -> Verdict:
    table = study.emulation
    text = "; ".join(
        f"{row.imposed_loss_pct:g} %: {row.ratio:.3f}" for row in table.itertuples(index=False)
    )
    return bool(table["ratio"].between(0.85, 1.15).all()), f"simulated over published at {text}"
