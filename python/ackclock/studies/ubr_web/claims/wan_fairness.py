"""Claims on fairness over the WAN link (98-0876, section 6.2.2)."""

from __future__ import annotations

from ackclock.studies.common.claims import Claims, Verdict
from ackclock.studies.ubr_web.claims.registry import (
    Study,
    View,
    above,
    effects_text,
    rank,
    shares_text,
    similar,
)

WAN = ("WAN",)
CLAIMS = Claims()


def _view(study: Study) -> View:
    return study.on("WAN", "fairness")


@CLAIMS.add(
    "wan-fair-buffer-first",
    "6.2.2(1)",
    "WAN fairness: buffer size explains the largest share of the variation, TCP flavor the second.",
    WAN,
)
def _buffer_first(study: Study) -> Verdict:
    shares = _view(study).shares()
    holds = rank(shares, "Buffer Size") == 1 and rank(shares, "TCP Flavor") == 2
    return holds, shares_text(shares)


@CLAIMS.add(
    "wan-fair-buffer-steps",
    "6.2.2(1)",
    "WAN fairness: a buffer of 1 RTT is above one of 0.5 RTT; 1 RTT and 2 RTT are similar.",
    WAN,
)
def _buffer_steps(study: Study) -> Verdict:
    effects = _view(study).buffers()
    half, one, two = effects.values()
    return above(one, half) and similar(one, two), effects_text(effects)


@CLAIMS.add(
    "wan-fair-flavor-extremes",
    "6.2.2(2)",
    "WAN fairness: of all flavors, NewReno has the highest effect and SACK the lowest.",
    WAN,
)
def _flavor_extremes(study: Study) -> Verdict:
    effects = _view(study).flavors()
    ascending = sorted(effects, key=lambda flavor: effects[flavor].effect)
    return ascending[0] == "SACK" and ascending[-1] == "NewReno", effects_text(effects)


@CLAIMS.add(
    "wan-fair-drop-insignificant",
    "6.2.2(3)",
    "WAN fairness: the interval of the drop policy's effect includes 0.",
    WAN,
)
def _drop_insignificant(study: Study) -> Verdict:
    effects = _view(study).policies()
    return all(effect.lo <= 0 <= effect.hi for effect in effects.values()), effects_text(effects)
