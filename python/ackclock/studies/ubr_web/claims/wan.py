"""Claims on the WAN link (98-0876, sections 6.2.1 and 6.2.2)."""

from __future__ import annotations

from itertools import product

from ackclock.studies.machinery.claims import Claims, Verdict
from ackclock.studies.ubr_web.claims.evidence import (
    MODERN,
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
    return rank(shares, "TCP Flavor") == 1, shares_text(shares)


@CLAIMS.add(
    "wan-eff-buffer-second",
    "6.2.1(2)",
    "WAN efficiency: buffer size explains the second largest share.",
)
def _buffer_second(study: Evidence) -> Verdict:
    shares = _efficiency(study).shares()
    return rank(shares, "Buffer Size") == 2, shares_text(shares)


@CLAIMS.add(
    "wan-eff-modern-above-old",
    "6.2.1(1)",
    "WAN efficiency: NewReno and SACK are each above Reno and above Vanilla.",
)
def _modern_above_old(study: Evidence) -> Verdict:
    effects = _efficiency(study).flavors()
    holds = all(above(effects[modern], effects[old]) for modern, old in product(MODERN, OLD))
    return holds, effects_text(effects)


@CLAIMS.add(
    "wan-eff-newreno-sack",
    "6.2.1(1)",
    "WAN efficiency: NewReno and SACK are similar.",
)
def _newreno_sack(study: Evidence) -> Verdict:
    effects = {flavor: _efficiency(study).flavors()[flavor] for flavor in MODERN}
    return similar(*effects.values()), effects_text(effects)


@CLAIMS.add(
    "wan-eff-reno-above-vanilla",
    "6.2.1(1)",
    "WAN efficiency: Reno is above Vanilla.",
)
def _reno_above_vanilla(study: Evidence) -> Verdict:
    effects = {flavor: _efficiency(study).flavors()[flavor] for flavor in OLD}
    return above(effects["Reno"], effects["Vanilla"]), effects_text(effects)


@CLAIMS.add(
    "wan-eff-buffer-order",
    "6.2.1(2)",
    "WAN efficiency: a buffer of 2 RTT is above one of 1 RTT, and that above one of 0.5 RTT.",
)
def _buffer_order(study: Evidence) -> Verdict:
    effects = _efficiency(study).buffers()
    half, one, two = effects.values()
    return above(two, one) and above(one, half), effects_text(effects)


@CLAIMS.add(
    "wan-eff-old-gain-2rtt",
    "6.2.1(2,3)",
    "WAN efficiency, from 1 to 2 RTT, under both drop policies: Vanilla and Reno each gain at "
    "least 0.05, NewReno and SACK each less than 0.05.",
)
def _old_gain(study: Evidence) -> Verdict:
    view = _efficiency(study)
    gains = {
        (flavor, policy): view.gain(flavor, 1, 2, policy)
        for flavor, policy in product(OLD + MODERN, DROP_POLICIES)
    }
    holds = all((gain >= 0.05) == (flavor in OLD) for (flavor, _), gain in gains.items())
    return holds, _by_policy(gains)


@CLAIMS.add(
    "wan-eff-interaction",
    "6.2.1(3)",
    "WAN efficiency: of the interactions, TCP flavor with buffer size explains most.",
)
def _interaction(study: Evidence) -> Verdict:
    shares = _efficiency(study).shares()
    interactions = {name: share for name, share in shares.items() if "-" in name}
    return rank(interactions, "TCP Flavor-Buffer Size") == 1, shares_text(interactions)


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
    "WAN efficiency: for Vanilla and for Reno, SD is higher than EPD at every buffer size.",
)
def _sd_helps_old(study: Evidence) -> Verdict:
    differences = _sd_minus_epd(_efficiency(study), OLD)
    return all(each > 0 for each in differences.values()), _differences_text(differences)


@CLAIMS.add(
    "wan-eff-sd-same-modern",
    "6.2.1(5)",
    "WAN efficiency: for NewReno and for SACK, SD and EPD differ by less than 0.08 at every buffer "
    "size.",
)
def _sd_same_modern(study: Evidence) -> Verdict:
    differences = _sd_minus_epd(_efficiency(study), MODERN)
    return all(abs(each) < 0.08 for each in differences.values()), _differences_text(differences)


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
    text = f"SACK - NewReno: {numbers_text(lead, signed=True)}"
    return half < 0 and one >= 0 and two >= 0, text


@CLAIMS.add(
    "wan-fair-buffer-first",
    "6.2.2(1)",
    "WAN fairness: buffer size explains the largest share of the variation, TCP flavor the second.",
)
def _buffer_first(study: Evidence) -> Verdict:
    shares = _fairness(study).shares()
    holds = rank(shares, "Buffer Size") == 1 and rank(shares, "TCP Flavor") == 2
    return holds, shares_text(shares)


@CLAIMS.add(
    "wan-fair-buffer-steps",
    "6.2.2(1)",
    "WAN fairness: a buffer of 1 RTT is above one of 0.5 RTT; 1 RTT and 2 RTT are similar.",
)
def _buffer_steps(study: Evidence) -> Verdict:
    effects = _fairness(study).buffers()
    half, one, two = effects.values()
    return above(one, half) and similar(one, two), effects_text(effects)


@CLAIMS.add(
    "wan-fair-flavor-extremes",
    "6.2.2(2)",
    "WAN fairness: of all flavors, NewReno has the highest effect and SACK the lowest.",
)
def _flavor_extremes(study: Evidence) -> Verdict:
    effects = _fairness(study).flavors()
    ascending = sorted(effects, key=lambda flavor: effects[flavor].effect)
    return ascending[0] == "SACK" and ascending[-1] == "NewReno", effects_text(effects)


@CLAIMS.add(
    "wan-fair-drop-insignificant",
    "6.2.2(3)",
    "WAN fairness: the interval of the drop policy's effect includes 0.",
)
def _drop_insignificant(study: Evidence) -> Verdict:
    effects = _fairness(study).policies()
    return all(effect.lo <= 0 <= effect.hi for effect in effects.values()), effects_text(effects)


def _sd_minus_epd(view: View, flavors: tuple[str, ...]) -> dict[tuple[str, float], float]:
    return {
        (flavor, buffer): view.mean(flavor, buffer, "SD") - view.mean(flavor, buffer, "EPD")
        for flavor, buffer in product(flavors, BUFFERS_RTT)
    }


def _differences_text(differences: dict[tuple[str, float], float]) -> str:
    named = {f"{flavor} {buffer:g} RTT": each for (flavor, buffer), each in differences.items()}
    return f"SD - EPD: {numbers_text(named, signed=True)}"


def _by_policy(numbers: dict[tuple[str, str], float]) -> str:
    return numbers_text({f"{flavor} {policy}": n for (flavor, policy), n in numbers.items()}, True)
