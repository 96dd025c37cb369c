"""Claims on flows that share a queue with others (Parvez et al., sections IV-D to IV-H)."""

from __future__ import annotations

from ackclock.studies.common.claims import Claims, Verdict
from ackclock.studies.common.evidence import shown_mean
from ackclock.studies.newreno.claims.registry import Study, advantages_shown, errors_shown
from ackclock.studies.newreno.levels import (
    BACKGROUND,
    BOTTLENECKS,
    BUFFER,
    CURVES,
    RED,
    SCALING,
    UDP,
    Curve,
)

CLAIMS = Claims()


@CLAIMS.add(
    "http-ftp-droptail",
    "IV-D",
    "100 to 200 background flows, drop-tail: model's mean error at most 10 % (published 4.4), "
    "PFTK's larger (20); NewReno's throughput is 10 % to 40 % above Reno's",
    (BACKGROUND,),
)
def _droptail(study: Study) -> Verdict:
    """The advantage is that over all numbers of flows; where each counts, a claim says so."""
    curve = Curve(BACKGROUND)
    model, pftk, text = errors_shown(study, curve)
    advantage = study.mean_advantage(curve)
    holds = model <= 10 and pftk > model and 10 <= advantage.mean() <= 40
    return holds, (
        f"{text}. NewReno above Reno by {shown_mean(advantage)} on average; by background flows: "
        f"{advantages_shown(study, curve)}"
    )


@CLAIMS.add(
    "http-ftp-red",
    "IV-D",
    "RED: model's mean error at most 15 % (8.9); NewReno's advantage over Reno is smaller than "
    "with drop-tail",
    (BACKGROUND,),
)
def _red(study: Study) -> Verdict:
    curve = Curve(BACKGROUND, RED)
    model, _, text = errors_shown(study, curve)
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
def _two(study: Study) -> Verdict:
    curves = Curve(BOTTLENECKS), Curve(BOTTLENECKS, RED)
    droptail, red = (errors_shown(study, curve) for curve in curves)
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
def _udp(study: Study) -> Verdict:
    model, pftk, text = errors_shown(study, Curve(UDP))
    return model <= 10 and pftk > model, text


@CLAIMS.add(
    "scaling",
    "IV-G",
    "15 to 60 Mbps scaled together: model's mean error at most 12 % (5.1); NewReno 10 % to 45 % "
    "above Reno at every size",
    (SCALING,),
)
def _scaling(study: Study) -> Verdict:
    curve = Curve(SCALING)
    model, _, text = errors_shown(study, curve, reno=True)
    advantages = [study.advantage(curve, x).mean for x in CURVES[curve]]
    holds = model <= 12 and all(10 <= each <= 45 for each in advantages)
    return holds, f"{text}. NewReno above Reno, by Mbit/s: {advantages_shown(study, curve)}"


@CLAIMS.add(
    "buffer",
    "IV-H",
    "buffers of 25 to 150 packets: model's mean error at most 10 % (2.9), PFTK's larger (28)",
    (BUFFER,),
)
def _buffer(study: Study) -> Verdict:
    model, pftk, text = errors_shown(study, Curve(BUFFER))
    return model <= 10 and pftk > model, text
