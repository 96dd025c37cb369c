"""The claim on a guaranteed rate for UBR (002, task 4b)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

import numpy as np

from ackclock.stats import mean_interval
from ackclock.stats.intervals import Interval
from ackclock.studies.common.claims import Claims, Verdict
from ackclock.studies.osu_tasks.analysis import EFFECT_CONFIDENCE
from ackclock.studies.osu_tasks.claims.registry import INTERVALS, Study, above, intervals_text
from ackclock.studies.osu_tasks.levels import BUFFERS, EPD, FBA, LAN, SD, TAIL, WAN
from ackclock.studies.osu_tasks.levels_ubr_class import (
    GUARANTEED_FLAVORS,
    GUARANTEED_POLICIES,
    GUARANTEED_RATE,
    NO_SHARE,
    SHARES,
    SMALL_SHARE,
    GuaranteedRatePoint,
)

CLAIMS = Claims()
_POLICIES = (EPD, SD, FBA)
_RESERVED = "10 % for UBR"


@CLAIMS.add(
    "gr-helps-wan",
    "task 4b",
    "WAN with VBR background: reserving 10 % for UBR raises efficiency more than going from tail "
    "drop to EPD, SD or FBA does; in a LAN it raises it less than the drop policy does",
    (GUARANTEED_RATE.name, INTERVALS),
)
def _helps_wan(study: Study) -> Verdict:
    """What a change raises is the difference of two main effects: a mean over all else.

    That of 10 % against nothing reserved is a mean over the buffers, drop policies and TCP flavors;
    that of a policy against tail drop one over the buffers, shares and flavors. On the WAN the
    reservation must raise the efficiency, and more than each of the three policies; on the LAN less
    than each of them. "More" is said of 90 % intervals over the replications that do not overlap.
    """
    wan, lan = (_gains(study, link) for link in (WAN, LAN))
    more = wan[_RESERVED].lo > 0 and all(above(wan[_RESERVED], wan[each]) for each in _POLICIES)
    less = all(above(lan[each], lan[_RESERVED]) for each in _POLICIES)
    described = "; ".join(
        f"{link}: {intervals_text(each)}" for link, each in ((WAN, wan), (LAN, lan))
    )
    alone = intervals_text(_gains(study, WAN, (TAIL,), (NO_SHARE,)))
    return (
        more and less,
        f"what efficiency gains, {described}; WAN, each alone from tail drop: {alone}",
    )


def _gains(
    study: Study,
    link: str,
    policies: Iterable[str] = GUARANTEED_POLICIES,
    shares: Iterable[float] = SHARES,
) -> dict[str, Interval]:
    """What each change adds to the efficiency, with 90 % intervals.

    Args:
        study: the runs.
        link: where.
        policies: over which the gain of the reservation is a mean.
        shares: over which those of the policies are means.
    """

    def mean(policies: Iterable[str], shares: Iterable[float]) -> np.ndarray:
        levels = product([link], BUFFERS, policies, GUARANTEED_FLAVORS, shares)
        points = [GuaranteedRatePoint(*each) for each in levels]
        return np.mean(
            [study.values(GUARANTEED_RATE.name, "efficiency", p) for p in points], axis=0
        )

    gains = {_RESERVED: mean(policies, [SMALL_SHARE]) - mean(policies, [NO_SHARE])}
    gains |= {each: mean([each], shares) - mean([TAIL], shares) for each in _POLICIES}
    return {name: mean_interval(gain, EFFECT_CONFIDENCE) for name, gain in gains.items()}
