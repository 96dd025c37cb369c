"""What each part of the study changes in its scenario file, and how its points are called there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ackclock.studies.rfc2415.levels import (
    FTPS,
    HALF,
    HALF_IWS,
    HALF_WEBS,
    IWS,
    QUEUES,
    RED,
    RED_IWS,
    REVERSE,
    REVERSE_FTP,
    SPLIT,
    TABLES,
    WEBS,
    Point,
)

_SCENARIOS = f"webs={list(WEBS)}, ftps={list(FTPS)}"
_QUEUE = "topology.bottleneck.queue"
_RED = f'"{_QUEUE}.kind"="red", "{_QUEUE}.mean_packet"="500 B", ' + ", ".join(
    f'"{_QUEUE}.{key}"="= red_{key}"' for key in ("min_thresh", "max_thresh", "max_p", "weight")
)
_KINDS_OF_RED = ((False, False), (True, False), (True, True))
"""Whether gentle, whether adaptive; of each of ``QUEUES``."""
_REDS = ", ".join(
    f'"{name}"={{{_RED}, "{_QUEUE}.gentle"={str(gentle).lower()}, '
    f'"{_QUEUE}.adaptive"={str(adaptive).lower()}}}'
    for name, (gentle, adaptive) in zip(QUEUES, _KINDS_OF_RED, strict=True)
)
OWN_SETS: Mapping[str, tuple[str, ...]] = {
    TABLES: (),
    HALF: (
        f'sweep.factors={{webs={list(HALF_WEBS)}, mix={{"IW 1"={{"variables.iw"=1}}, '
        f'"IW 3"={{"variables.iw"=3}}, "{SPLIT}"={{"variables.split"="= webs / 2"}}}}}}',
    ),
    REVERSE: ("variables.reverse=1", f"sweep.factors={{{_SCENARIOS}, iw={list(IWS)}}}"),
    RED: (f"sweep.factors={{queue={{{_REDS}}}, {_SCENARIOS}, iw={list(RED_IWS)}}}",),
}
"""Texts ``key=value``, as for ``--set``."""
_MIXES = {"IW 1": (1, ""), "IW 3": (3, ""), SPLIT: (min(HALF_IWS), SPLIT)}


def point_of(part: str, levels: Mapping[str, Any]) -> Point:
    """The point that the columns of the sweep of a part stand for."""
    webs = levels["webs"]
    if part == HALF:
        iw, variant = _MIXES[levels["mix"]]
        return Point(part, webs, 0, "1.0", iw, variant)
    variant = {TABLES: "", REVERSE: REVERSE_FTP}.get(part) or levels.get("queue", "")
    return Point(part, webs, levels["ftps"], levels.get("http", "1.0"), levels["iw"], variant)
