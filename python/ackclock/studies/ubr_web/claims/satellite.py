"""Claims on the MEO and GEO links, and across links (98-0876, section 6.3, overall analysis)."""

from __future__ import annotations

from itertools import pairwise, product

from ackclock.studies.machinery.claims import Claims, Verdict
from ackclock.studies.machinery.effects import (
    above,
    effects_text,
    largest,
    numbers_text,
    second,
    shares_text,
)
from ackclock.studies.machinery.estimates import every
from ackclock.studies.ubr_web.claims.evidence import (
    BUFFER,
    FLAVOR,
    OLD,
    POLICY,
    Evidence,
    View,
    drop_policy_small,
)
from ackclock.studies.ubr_web.levels import DROP_POLICIES, LINKS, TCP_FLAVORS

MEO, GEO = ("MEO",), ("GEO",)
CLAIMS = Claims()


@CLAIMS.add(
    "meo-eff-order",
    "6.3.1(1)",
    "MEO efficiency: TCP flavor explains the largest share; SACK is above NewReno; the effects "
    "order SACK, NewReno, Reno, Vanilla.",
    MEO,
)
def _meo_order(study: Evidence) -> Verdict:
    view = study.on("MEO", "efficiency")
    shares, effects = view.shares(), view.effects(FLAVOR)
    holds = (
        largest(shares, FLAVOR)
        & above(effects["SACK"], effects["NewReno"])
        & every(effects[high].effect > effects[low].effect for low, high in pairwise(TCP_FLAVORS))
    )
    return Verdict(holds, lambda: f"{shares_text(shares)}. {effects_text(effects)}")


@CLAIMS.add(
    "meo-eff-buffer",
    "6.3.1(2)",
    "MEO efficiency: buffer size explains the second largest share; from 0.5 to 2 RTT, mean of "
    "both drop policies, Vanilla gains 0.03 to 0.08 and every other flavor at most 0.04.",
    MEO,
)
def _meo_buffer(study: Evidence) -> Verdict:
    view = study.on("MEO", "efficiency")
    shares = view.shares()
    gains = {flavor: view.gain(flavor, 0.5, 2) for flavor in TCP_FLAVORS}
    others = (gain for flavor, gain in gains.items() if flavor != "Vanilla")
    holds = (
        second(shares, BUFFER)
        & (gains["Vanilla"] >= 0.03)
        & (gains["Vanilla"] <= 0.08)
        & every(gain <= 0.04 for gain in others)
    )
    return Verdict(
        holds, lambda: f"{shares_text(shares)}. Gains: {numbers_text(gains, signed=True)}"
    )


@CLAIMS.add(
    "meo-eff-drop",
    "6.3.1(3)",
    "MEO efficiency: drop policy explains less than 2 % of the variation.",
    MEO,
)
def _meo_drop(study: Evidence) -> Verdict:
    return drop_policy_small(study.on("MEO", "efficiency"))


@CLAIMS.add("meo-fair-flat", "6.3.2", "MEO fairness: every main effect lies within 0.02 of 0.", MEO)
def _meo_flat(study: Evidence) -> Verdict:
    return _flat(study.on("MEO", "fairness"), 0.02)


@CLAIMS.add(
    "geo-eff-sack",
    "6.3.3(1)",
    "GEO efficiency: TCP flavor explains the largest share; SACK is above every other flavor.",
    GEO,
)
def _geo_sack(study: Evidence) -> Verdict:
    view = study.on("GEO", "efficiency")
    shares, effects = view.shares(), view.effects(FLAVOR)
    others = (effect for flavor, effect in effects.items() if flavor != "SACK")
    holds = largest(shares, FLAVOR) & every(above(effects["SACK"], other) for other in others)
    return Verdict(holds, lambda: f"{shares_text(shares)}. {effects_text(effects)}")


@CLAIMS.add(
    "geo-eff-others-similar",
    "6.3.3(1)",
    "GEO efficiency: NewReno is similar to Reno, and Reno to Vanilla.",
    GEO,
)
def _geo_others(study: Evidence) -> Verdict:
    view = study.on("GEO", "efficiency")
    pairs = [("NewReno", "Reno"), ("Reno", "Vanilla")]
    holds = every(view.similar(FLAVOR, one, other) for one, other in pairs)
    return Verdict(holds, lambda: view.similarity_text(FLAVOR, pairs))


@CLAIMS.add(
    "geo-eff-buffer",
    "6.3.3(2)",
    "GEO efficiency: 0.5 and 1 RTT are similar and 2 RTT has the highest effect; Vanilla and Reno, "
    "mean of both drop policies, gain more from 1 to 2 RTT than from 0.5 to 1 RTT.",
    GEO,
)
def _geo_buffer(study: Evidence) -> Verdict:
    view = study.on("GEO", "efficiency")
    effects = view.effects(BUFFER)
    half, one, two = effects
    gains = {
        f"{flavor} {start:g} to {end:g} RTT": view.gain(flavor, start, end)
        for flavor, (start, end) in product(OLD, ((0.5, 1), (1, 2)))
    }
    early, late = list(gains.values())[::2], list(gains.values())[1::2]
    holds = (
        view.similar(BUFFER, half, one)
        & largest({name: each.effect for name, each in effects.items()}, two)
        & every(after > before for before, after in zip(early, late, strict=True))
    )

    def evidence() -> str:
        similar = view.similarity_text(BUFFER, [(half, one)])
        return f"{similar}. Gains: {numbers_text(gains, signed=True)}"

    return Verdict(holds, evidence)


@CLAIMS.add(
    "geo-eff-drop",
    "6.3.3(3)",
    "GEO efficiency: drop policy explains less than 2 % of the variation.",
    GEO,
)
def _geo_drop(study: Evidence) -> Verdict:
    return drop_policy_small(study.on("GEO", "efficiency"))


@CLAIMS.add("geo-fair-flat", "6.3.4", "GEO fairness: every main effect lies within 0.03 of 0.", GEO)
def _geo_flat(study: Evidence) -> Verdict:
    return _flat(study.on("GEO", "fairness"), 0.03)


@CLAIMS.add(
    "sack-gains-with-delay",
    "overall analysis",
    "Efficiency, mean of all buffers and drop policies: SACK's lead over NewReno rises from WAN to "
    "MEO to GEO.",
    LINKS,
)
def _sack_gains(study: Evidence) -> Verdict:
    lead = {}
    for link in LINKS:
        view = study.on(link, "efficiency")
        lead[link] = view.mean("SACK") - view.mean("NewReno")
    holds = (lead["WAN"] < lead["MEO"]) & (lead["MEO"] < lead["GEO"])
    return Verdict(holds, lambda: f"SACK - NewReno: {numbers_text(lead, signed=True)}")


@CLAIMS.add(
    "half-rtt-buffer-enough",
    "6.3.3",
    "Efficiency of SACK with a buffer of 0.5 RTT, on MEO and on GEO, under both drop policies: at "
    "least 0.87, and at most 0.03 below its value at 2 RTT.",
    ("MEO", "GEO"),
)
def _half_rtt(study: Evidence) -> Verdict:
    enough, numbers = [], {}
    for link, policy in product(("MEO", "GEO"), DROP_POLICIES):
        view = study.on(link, "efficiency")
        half, two = view.mean("SACK", 0.5, policy), view.mean("SACK", 2, policy)
        enough += [half >= 0.87, two - half <= 0.03]
        numbers |= {f"{link} {policy}": half, f"{link} {policy}, 2 RTT": two}
    return Verdict(every(enough), lambda: numbers_text(numbers))


def _flat(view: View, limit: float) -> Verdict:
    effects = {
        level: each.effect
        for factor in (FLAVOR, BUFFER, POLICY)
        for level, each in view.effects(factor).items()
    }
    holds = every(abs(effect) <= limit for effect in effects.values())
    return Verdict(holds, lambda: numbers_text(effects, signed=True))
