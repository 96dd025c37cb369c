"""The scenarios of RFC 2415 and their parts: which points each part of the study runs.

Source: RFC 2415, sections 2 to 4. A scenario is a number of web clients and of ftp clients.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

WEBS = (8, 16, 32)
FTPS = (0, 1, 2, 3)
IWS = (1, 2, 3, 4)
HTTPS = ("1.0", "1.1")
TABLES, HALF, REVERSE, RED = PARTS = ("tables", "half-and-half", "reverse", "red")

HALF_WEBS = (16, 32, 64)
HALF_IWS = (1, 3)
SPLIT = "half at IW 3"
"""The variant in which half of the clients use the larger of ``HALF_IWS``."""
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


POINT = list(Point._fields)
SCENARIO = ["webs", "ftps"]


@dataclass(frozen=True)
class Selection:
    """The levels that are run, each in the order of the published tables.

    The half-and-half experiment has scenarios of its own and is run as a whole; reverse traffic and
    RED have only HTTP/1.0.
    """

    parts: tuple[str, ...] = PARTS
    webs: tuple[int, ...] = WEBS
    ftps: tuple[int, ...] = FTPS
    iws: tuple[int, ...] = IWS
    https: tuple[str, ...] = HTTPS

    def points(self) -> list[Point]:
        """All points, part by part."""
        return [point for part in self.parts for point in self.points_of(part)]

    def points_of(self, part: str) -> list[Point]:
        """The points of a part, in the order of the published tables; perhaps none."""
        if part == HALF:
            alike = [Point(HALF, webs, 0, "1.0", iw, "") for webs in HALF_WEBS for iw in HALF_IWS]
            split = [Point(HALF, webs, 0, "1.0", min(HALF_IWS), SPLIT) for webs in HALF_WEBS]
            return sorted(alike + split, key=lambda point: point.webs)
        https, iws, variants = self.https, self.iws, ("",)
        if part != TABLES:
            https = ("1.0",)
            variants = (REVERSE_FTP,) if part == REVERSE else QUEUES
        if part == RED:
            iws = tuple(iw for iw in iws if iw in RED_IWS)
        return [
            Point(part, webs, ftps, http, iw, variant)
            for http, variant, webs, ftps, iw in product(https, variants, self.webs, self.ftps, iws)
        ]


def is_pathological(webs: int, ftps: int) -> bool:
    """Whether the RFC sets a scenario aside.

    "When a large number of web clients is combined with ftps [...] pathological cases result from
    the extreme congestion" (section 3): the largest number of web clients with any ftp.
    """
    return webs == max(WEBS) and ftps > 0
