"""The claim on bursty sources (002, task 5 and summary)."""

from __future__ import annotations

from itertools import permutations

from ackclock.studies.common.claims import Claims, Verdict
from ackclock.studies.osu_tasks.claims.registry import Study, above, effects_text
from ackclock.studies.osu_tasks.levels import BURSTY, PERSISTENT, TCP_FLAVORS, WWW

CLAIMS = Claims()


@CLAIMS.add(
    "bursty-like-persistent",
    "summary",
    "GEO: the order of the flavors' efficiency effects is the same for WWW and for persistent "
    "traffic: the highest is the same, and no two flavors whose 90 % intervals do not overlap "
    "stand the other way round with the other traffic.",
    (BURSTY.name,),
)
def _like_persistent(study: Study) -> Verdict:
    effects = {
        traffic: {
            flavor: study.analysis(BURSTY.name, traffic, "efficiency").effect("tcp_flavor", flavor)
            for flavor in TCP_FLAVORS
        }
        for traffic in (WWW, PERSISTENT)
    }
    www, persistent = effects[WWW], effects[PERSISTENT]
    highest = {max(its, key=lambda flavor: its[flavor].effect) for its in effects.values()}
    turned = [
        f"{one}, {other}"
        for one, other in permutations(TCP_FLAVORS, 2)
        if above(www[one], www[other]) and above(persistent[other], persistent[one])
    ]
    described = ". ".join(f"{traffic}: {effects_text(its)}" for traffic, its in effects.items())
    holds = len(highest) == 1 and not turned
    return holds, described + (f". The other way round: {'; '.join(turned)}" if turned else "")
