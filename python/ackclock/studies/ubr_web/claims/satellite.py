"""Claims on the MEO and GEO links, and across links (98-0876, section 6.3, overall analysis)."""

from __future__ import annotations

from itertools import product

from ackclock.studies.machinery.claims import Claims, Verdict
from ackclock.studies.ubr_web.claims.evidence import (
    OLD,
    Evidence,
    View,
    above,
    drop_policy_small,
    effects_text,
    numbers_text,
    rank,
    shares_text,
    similar,
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
    shares, effects = view.shares(), view.flavors()
    ascending = sorted(effects, key=lambda flavor: effects[flavor].effect)
    holds = (
        rank(shares, "TCP Flavor") == 1
        and above(effects["SACK"], effects["NewReno"])
        and ascending == list(TCP_FLAVORS)
    )
    return holds, f"{shares_text(shares)}. {effects_text(effects)}"


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
        rank(shares, "Buffer Size") == 2
        and 0.03 <= gains["Vanilla"] <= 0.08
        and all(gain <= 0.04 for gain in others)
    )
    return holds, f"{shares_text(shares)}. Gains: {numbers_text(gains, signed=True)}"


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
    shares, effects = view.shares(), view.flavors()
    others = (effect for flavor, effect in effects.items() if flavor != "SACK")
    holds = rank(shares, "TCP Flavor") == 1 and all(above(effects["SACK"], o) for o in others)
    return holds, f"{shares_text(shares)}. {effects_text(effects)}"


@CLAIMS.add(
    "geo-eff-others-similar",
    "6.3.3(1)",
    "GEO efficiency: NewReno is similar to Reno, and Reno to Vanilla.",
    GEO,
)
def _geo_others(study: Evidence) -> Verdict:
    effects = study.on("GEO", "efficiency").flavors()
    holds = similar(effects["NewReno"], effects["Reno"]) and similar(
        effects["Reno"], effects["Vanilla"]
    )
    return holds, effects_text(effects)


@CLAIMS.add(
    "geo-eff-buffer",
    "6.3.3(2)",
    "GEO efficiency: 0.5 and 1 RTT are similar and 2 RTT has the highest effect; Vanilla and Reno, "
    "mean of both drop policies, gain more from 1 to 2 RTT than from 0.5 to 1 RTT.",
    GEO,
)
def _geo_buffer(study: Evidence) -> Verdict:
    view = study.on("GEO", "efficiency")
    effects = view.buffers()
    half, one, two = effects.values()
    gains = {flavor: (view.gain(flavor, 0.5, 1), view.gain(flavor, 1, 2)) for flavor in OLD}
    holds = (
        similar(half, one)
        and two.effect > max(half.effect, one.effect)
        and all(late > early for early, late in gains.values())
    )
    steps = "; ".join(f"{name} {a:+.4f} then {b:+.4f}" for name, (a, b) in gains.items())
    return holds, f"{effects_text(effects)}. Gains: {steps}"


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
    holds = lead["WAN"] < lead["MEO"] < lead["GEO"]
    return holds, f"SACK - NewReno: {numbers_text(lead, signed=True)}"


@CLAIMS.add(
    "half-rtt-buffer-enough",
    "6.3.3",
    "Efficiency of SACK with a buffer of 0.5 RTT, on MEO and on GEO, under both drop policies: at "
    "least 0.87, and within 0.03 of its value at 2 RTT.",
    ("MEO", "GEO"),
)
def _half_rtt(study: Evidence) -> Verdict:
    holds, parts = True, []
    for link, policy in product(("MEO", "GEO"), DROP_POLICIES):
        view = study.on(link, "efficiency")
        half, two = view.mean("SACK", 0.5, policy), view.mean("SACK", 2, policy)
        holds = holds and half >= 0.87 and abs(two - half) <= 0.03
        parts.append(f"{link} {policy} {half:.4f}, at 2 RTT {two:.4f}")
    return holds, "; ".join(parts)


def _flat(view: View, limit: float) -> Verdict:
    effects = {
        name: effect.effect
        for group in (view.flavors(), view.buffers(), view.policies())
        for name, effect in group.items()
    }
    holds = all(abs(effect) <= limit for effect in effects.values())
    return holds, numbers_text(effects, signed=True)
