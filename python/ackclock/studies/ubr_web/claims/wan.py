"""Claims on the WAN link (98-0876, sections 6.2.1 and 6.2.2)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

from ackclock.studies.machinery.claims import Claims, Verdict
from ackclock.studies.machinery.effects import (
    above,
    effects_text,
    includes_zero,
    largest,
    not_below,
    numbers_text,
    second,
    shares_text,
)
from ackclock.studies.machinery.estimates import at_least, every
from ackclock.studies.machinery.variation import Number
from ackclock.studies.ubr_web.claims.evidence import (
    BUFFER,
    FLAVOR,
    MODERN,
    OLD,
    POLICY,
    Evidence,
    View,
    drop_policy_small,
)
from ackclock.studies.ubr_web.levels import BUFFERS_RTT, DROP_POLICIES

CLAIMS = Claims(["WAN"])


def _efficiency(study: Evidence) -> View:
    return study.on("WAN", "efficiency")


def _fairness(study: Evidence) -> View:
    return study.on("WAN", "fairness")


@CLAIMS.add(
    "wan-eff-flavor-first",
    "6.2.1(1)",
    "WAN efficiency: TCP flavor explains the largest share of the variation.",
)
def _flavor_first(study: Evidence) -> Verdict:
    shares = _efficiency(study).shares()
    return Verdict(largest(shares, FLAVOR), lambda: shares_text(shares))


@CLAIMS.add(
    "wan-eff-buffer-second",
    "6.2.1(2)",
    "WAN efficiency: buffer size explains the second largest share.",
)
def _buffer_second(study: Evidence) -> Verdict:
    shares = _efficiency(study).shares()
    return Verdict(second(shares, BUFFER), lambda: shares_text(shares))


@CLAIMS.add(
    "wan-eff-modern-above-old",
    "6.2.1(1)",
    "WAN efficiency: NewReno and SACK are each above Reno and above Vanilla.",
)
def _modern_above_old(study: Evidence) -> Verdict:
    effects = _efficiency(study).effects(FLAVOR)
    holds = every(above(effects[modern], effects[old]) for modern, old in product(MODERN, OLD))
    return Verdict(holds, lambda: effects_text(effects))


@CLAIMS.add(
    "wan-eff-newreno-sack",
    "6.2.1(1)",
    "WAN efficiency: NewReno and SACK are similar.",
)
def _newreno_sack(study: Evidence) -> Verdict:
    view = _efficiency(study)
    return Verdict(
        view.similar(FLAVOR, *MODERN), lambda: view.similarity_text(FLAVOR, [MODERN], MODERN)
    )


@CLAIMS.add(
    "wan-eff-reno-above-vanilla",
    "6.2.1(1)",
    "WAN efficiency: Reno is above Vanilla.",
)
def _reno_above_vanilla(study: Evidence) -> Verdict:
    effects = {flavor: _efficiency(study).effects(FLAVOR)[flavor] for flavor in OLD}
    return Verdict(above(effects["Reno"], effects["Vanilla"]), lambda: effects_text(effects))


@CLAIMS.add(
    "wan-eff-buffer-order",
    "6.2.1(2)",
    "WAN efficiency: a buffer of 2 RTT is above one of 1 RTT, and that above one of 0.5 RTT.",
)
def _buffer_order(study: Evidence) -> Verdict:
    effects = _efficiency(study).effects(BUFFER)
    half, one, two = effects.values()
    return Verdict(above(two, one) & above(one, half), lambda: effects_text(effects))


@CLAIMS.add(
    "wan-eff-old-gain-2rtt",
    "6.2.1(2,3)",
    "WAN efficiency, from 1 to 2 RTT: only Vanilla and Reno gain substantially. Each of their "
    "gains, under both drop policies, is above each gain of NewReno and of SACK.",
)
def _old_gain(study: Evidence) -> Verdict:
    view = _efficiency(study)
    gains = {
        (flavor, policy): view.gain(flavor, 1, 2, policy)
        for flavor, policy in product(OLD + MODERN, DROP_POLICIES)
    }
    old, modern = (
        [gain for (flavor, _), gain in gains.items() if flavor in group] for group in (OLD, MODERN)
    )
    holds = every(high > low for high, low in product(old, modern))
    named = {f"{flavor} {policy}": gain for (flavor, policy), gain in gains.items()}
    return Verdict(holds, lambda: numbers_text(named, signed=True))


@CLAIMS.add(
    "wan-eff-interaction",
    "6.2.1(3)",
    "WAN efficiency: of the interactions, TCP flavor with buffer size explains most.",
)
def _interaction(study: Evidence) -> Verdict:
    shares = _efficiency(study).shares()
    pairs = {name: share for name, share in shares.items() if "-" in name}
    return Verdict(largest(pairs, f"{FLAVOR}-{BUFFER}"), lambda: shares_text(pairs))


@CLAIMS.add(
    "wan-eff-drop-small",
    "6.2.1(4)",
    "WAN efficiency: drop policy explains less than 2 % of the variation.",
)
def _drop_small(study: Evidence) -> Verdict:
    return drop_policy_small(_efficiency(study))


@CLAIMS.add(
    "wan-eff-sd-helps-old",
    "6.2.1(4)",
    "WAN efficiency: for Vanilla and for Reno, SD is significantly above EPD in at least four of "
    "the six cells and significantly below it in none.",
)
def _sd_helps_old(study: Evidence) -> Verdict:
    view = _efficiency(study)
    differences = _sd_minus_epd(view, OLD)
    helps = at_least(4, (each > 0 for each in differences.values()))
    resolution = 2 * view.resolution(POLICY)
    harmless = every(not_below(each, resolution) for each in differences.values())
    return Verdict(
        helps & harmless, lambda: f"{_differences_text(differences)}. Resolution {resolution:.4f}"
    )


@CLAIMS.add(
    "wan-eff-sd-same-modern",
    "6.2.1(5)",
    "WAN efficiency: for NewReno and for SACK, SD and EPD differ by less than 0.08 at every buffer "
    "size.",
)
def _sd_same_modern(study: Evidence) -> Verdict:
    differences = _sd_minus_epd(_efficiency(study), MODERN)
    holds = every(abs(each) < 0.08 for each in differences.values())
    return Verdict(holds, lambda: _differences_text(differences))


@CLAIMS.add(
    "wan-eff-sack-worse-small",
    "6.2.1(6)",
    "WAN efficiency, mean of both drop policies: NewReno is higher than SACK at 0.5 RTT; SACK is "
    "at least NewReno at 1 and at 2 RTT.",
)
def _sack_worse_small(study: Evidence) -> Verdict:
    view = _efficiency(study)
    lead = {f"{b:g} RTT": view.mean("SACK", b) - view.mean("NewReno", b) for b in BUFFERS_RTT}
    half, one, two = lead.values()
    holds = (half < 0) & (one >= 0) & (two >= 0)
    return Verdict(holds, lambda: f"SACK - NewReno: {numbers_text(lead, signed=True)}")


@CLAIMS.add(
    "wan-fair-buffer-first",
    "6.2.2(1)",
    "WAN fairness: buffer size explains the largest share of the variation, TCP flavor the second.",
)
def _buffer_first(study: Evidence) -> Verdict:
    shares = _fairness(study).shares()
    return Verdict(largest(shares, BUFFER) & second(shares, FLAVOR), lambda: shares_text(shares))


@CLAIMS.add(
    "wan-fair-buffer-steps",
    "6.2.2(1)",
    "WAN fairness: a buffer of 1 RTT is above one of 0.5 RTT; 1 RTT and 2 RTT are similar.",
)
def _buffer_steps(study: Evidence) -> Verdict:
    view = _fairness(study)
    effects = view.effects(BUFFER)
    half, one, two = effects
    return Verdict(
        above(effects[one], effects[half]) & view.similar(BUFFER, one, two),
        lambda: view.similarity_text(BUFFER, [(one, two)]),
    )


@CLAIMS.add(
    "wan-fair-flavor-extremes",
    "6.2.2(2)",
    "WAN fairness: of all flavors, NewReno has the highest effect and SACK the lowest.",
)
def _flavor_extremes(study: Evidence) -> Verdict:
    effects = _fairness(study).effects(FLAVOR)
    points = {name: each.effect for name, each in effects.items()}
    lowest = largest({name: -each for name, each in points.items()}, "SACK")
    return Verdict(largest(points, "NewReno") & lowest, lambda: effects_text(effects))


@CLAIMS.add(
    "wan-fair-drop-insignificant",
    "6.2.2(3)",
    "WAN fairness: the interval of the drop policy's effect includes 0, and is no wider than the "
    "paper's.",
)
def _drop_insignificant(study: Evidence) -> Verdict:
    view = _fairness(study)
    effects = view.effects(POLICY)
    resolution = view.resolution(POLICY)
    holds = every(includes_zero(effect, resolution) for effect in effects.values())
    return Verdict(holds, lambda: effects_text(effects))


def _sd_minus_epd(view: View, flavors: tuple[str, ...]) -> dict[str, Number]:
    return {
        f"{flavor} {buffer:g} RTT": view.mean(flavor, buffer, "SD")
        - view.mean(flavor, buffer, "EPD")
        for flavor, buffer in product(flavors, BUFFERS_RTT)
    }


def _differences_text(differences: Mapping[str, Number]) -> str:
    return f"SD - EPD: {numbers_text(differences, signed=True)}"
