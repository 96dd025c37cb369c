"""Claims on efficiency over the WAN link (98-0876, section 6.2.1)."""

from __future__ import annotations

from itertools import product

from ackclock.studies.common.claims import Claims, Verdict
from ackclock.studies.ubr_web.claims.registry import (
    MODERN,
    OLD,
    Study,
    View,
    above,
    effects_text,
    numbers_text,
    rank,
    shares_text,
    similar,
)
from ackclock.studies.ubr_web.levels import BUFFERS_RTT, DROP_POLICIES

WAN = ("WAN",)
CLAIMS = Claims()


def _view(study: Study) -> View:
    return study.on("WAN", "efficiency")


@CLAIMS.add(
    "wan-eff-flavor-first",
    "6.2.1(1)",
    "WAN efficiency: TCP flavor explains the largest share of the variation.",
    WAN,
)
def _flavor_first(study: Study) -> Verdict:
    shares = _view(study).shares()
    return rank(shares, "TCP Flavor") == 1, shares_text(shares)


@CLAIMS.add(
    "wan-eff-buffer-second",
    "6.2.1(2)",
    "WAN efficiency: buffer size explains the second largest share.",
    WAN,
)
def _buffer_second(study: Study) -> Verdict:
    shares = _view(study).shares()
    return rank(shares, "Buffer Size") == 2, shares_text(shares)


@CLAIMS.add(
    "wan-eff-modern-above-old",
    "6.2.1(1)",
    "WAN efficiency: NewReno and SACK are each above Reno and above Vanilla.",
    WAN,
)
def _modern_above_old(study: Study) -> Verdict:
    effects = _view(study).flavors()
    holds = all(above(effects[modern], effects[old]) for modern, old in product(MODERN, OLD))
    return holds, effects_text(effects)


@CLAIMS.add(
    "wan-eff-newreno-sack",
    "6.2.1(1)",
    "WAN efficiency: NewReno and SACK are similar.",
    WAN,
)
def _newreno_sack(study: Study) -> Verdict:
    effects = {flavor: _view(study).flavors()[flavor] for flavor in MODERN}
    return similar(*effects.values()), effects_text(effects)


@CLAIMS.add(
    "wan-eff-reno-above-vanilla",
    "6.2.1(1)",
    "WAN efficiency: Reno is above Vanilla.",
    WAN,
)
def _reno_above_vanilla(study: Study) -> Verdict:
    effects = {flavor: _view(study).flavors()[flavor] for flavor in OLD}
    return above(effects["Reno"], effects["Vanilla"]), effects_text(effects)


@CLAIMS.add(
    "wan-eff-buffer-order",
    "6.2.1(2)",
    "WAN efficiency: a buffer of 2 RTT is above one of 1 RTT, and that above one of 0.5 RTT.",
    WAN,
)
def _buffer_order(study: Study) -> Verdict:
    effects = _view(study).buffers()
    half, one, two = effects.values()
    return above(two, one) and above(one, half), effects_text(effects)


@CLAIMS.add(
    "wan-eff-old-gain-2rtt",
    "6.2.1(2,3)",
    "WAN efficiency, from 1 to 2 RTT, under both drop policies: Vanilla and Reno each gain at "
    "least 0.05, NewReno and SACK each less than 0.05.",
    WAN,
)
def _old_gain(study: Study) -> Verdict:
    view = _view(study)
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
    WAN,
)
def _interaction(study: Study) -> Verdict:
    shares = _view(study).shares()
    interactions = {name: share for name, share in shares.items() if "-" in name}
    return rank(interactions, "TCP Flavor-Buffer Size") == 1, shares_text(interactions)


@CLAIMS.add(
    "wan-eff-drop-small",
    "6.2.1(4)",
    "WAN efficiency: drop policy explains less than 2 % of the variation.",
    WAN,
)
def _drop_small(study: Study) -> Verdict:
    share = _view(study).shares()["Drop Policy"]
    return share < 2, shares_text({"Drop Policy": share})


@CLAIMS.add(
    "wan-eff-sd-helps-old",
    "6.2.1(4)",
    "WAN efficiency: for Vanilla and for Reno, SD is higher than EPD at every buffer size.",
    WAN,
)
def _sd_helps_old(study: Study) -> Verdict:
    differences = _sd_minus_epd(_view(study), OLD)
    return all(each > 0 for each in differences.values()), _differences_text(differences)


@CLAIMS.add(
    "wan-eff-sd-same-modern",
    "6.2.1(5)",
    "WAN efficiency: for NewReno and for SACK, SD and EPD differ by less than 0.08 at every buffer "
    "size.",
    WAN,
)
def _sd_same_modern(study: Study) -> Verdict:
    differences = _sd_minus_epd(_view(study), MODERN)
    return all(abs(each) < 0.08 for each in differences.values()), _differences_text(differences)


@CLAIMS.add(
    "wan-eff-sack-worse-small",
    "6.2.1(6)",
    "WAN efficiency, mean of both drop policies: NewReno is higher than SACK at 0.5 RTT; SACK is "
    "at least NewReno at 1 and at 2 RTT.",
    WAN,
)
def _sack_worse_small(study: Study) -> Verdict:
    view = _view(study)
    lead = {f"{b:g} RTT": view.mean("SACK", b) - view.mean("NewReno", b) for b in BUFFERS_RTT}
    half, one, two = lead.values()
    text = f"SACK - NewReno: {numbers_text(lead, signed=True)}"
    return half < 0 and one >= 0 and two >= 0, text


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
