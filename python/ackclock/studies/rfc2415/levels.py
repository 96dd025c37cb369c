"""The points of the study, and what each part changes in the scenario file.

Source: RFC 2415, sections 2 to 4. A scenario is a number of web clients and of ftp clients.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ackclock.plurals import counted

WEBS = (8, 16, 32)
FTPS = (0, 1, 2, 3)
IWS = (1, 2, 3, 4)
HTTPS = ("1.0", "1.1")
TABLES, HALF, REVERSE, RED = ("tables", "half-and-half", "reverse", "red")

SPLIT = "half at IW 3"
"""The variant in which half of the clients use the larger of ``HALF_IWS``."""
HALF_WEBS = (16, 32, 64)
HALF_IWS = (1, 3)
REVERSE_FTP = "1 reverse ftp"
RED_IWS = (1, 4)
QUEUES = ("red", "red gentle", "red adaptive")


class Point(NamedTuple):
    """One combination of levels.

    Attributes:
        part: of the study.
        webs: number of web clients.
        ftps: number of ftp clients.
        http: version of HTTP.
        iw: initial window, segments; where the clients are split, that of the first half.
        variant: what else distinguishes the point; empty for the RFC's own scenarios.
    """

    part: str
    webs: int
    ftps: int
    http: str
    iw: int
    variant: str


SCENARIO = ["webs", "ftps"]
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
HALF_SWEEP = (
    f'sweep.factors={{webs={list(HALF_WEBS)}, mix={{"IW 1"={{"variables.iw"=1}}, '
    f'"IW 3"={{"variables.iw"=3}}, "{SPLIT}"={{"variables.split"="= webs / 2"}}}}}}'
)
REVERSE_SWEEP = f"sweep.factors={{{_SCENARIOS}, iw={list(IWS)}}}"
RED_SWEEP = f"sweep.factors={{queue={{{_REDS}}}, {_SCENARIOS}, iw={list(RED_IWS)}}}"
"""What these parts change in the file, as for ``--set``."""
_MIXES = {"IW 1": (1, ""), "IW 3": (3, ""), SPLIT: (min(HALF_IWS), SPLIT)}


def of_half(levels: Mapping[str, Any]) -> Point:
    """The point that the levels of the sweep stand for in the part ``HALF``."""
    iw, variant = _MIXES[levels["mix"]]
    return Point(HALF, levels["webs"], 0, "1.0", iw, variant)


def of_scenarios(part: str, variant: str, levels: Mapping[str, Any]) -> Point:
    """The same in a part whose scenarios are the RFC's; the levels may name another variant."""
    http, variant = levels.get("http", "1.0"), levels.get("queue", variant)
    return Point(part, levels["webs"], levels["ftps"], http, levels["iw"], variant)


def is_pathological(webs: int, ftps: int) -> bool:
    """Whether the RFC sets a scenario aside.

    "When a large number of web clients is combined with ftps [...] pathological cases result from
    the extreme congestion" (section 3): the largest number of web clients with any ftp.
    """
    return webs == max(WEBS) and ftps > 0


def name(webs: int, ftps: int) -> str:
    """A scenario in words: "8 webs, 1 ftp"."""
    return f"{webs} webs, {counted(ftps, 'ftp')}"
