"""Made-up runs of the RFC 2415 study, in which every claim holds."""

from __future__ import annotations

from math import nan
from zlib import crc32

import numpy as np
import pandas as pd

from ackclock.studies.machinery.request import Request
from ackclock.studies.machinery.running import Runs, chosen_points
from ackclock.studies.rfc2415.levels import HALF, RED, REVERSE, SPLIT, Point
from ackclock.studies.rfc2415.study import STUDY
from study_cases import made_of

_DELAYS = {"1.0": (1, 0.83, 0.74, 0.70), "1.1": (1, 0.88, 0.80, 0.75)}
"""Of the delay at IW 1, by version of HTTP and IW."""
_FTP_TRENDS = {8: 0.03, 16: 0.0, 32: -0.03}
"""Of the ftps' network power with the IW, MB/s per segment, by number of web clients."""
_CLOCKS = ("no_setup", "request", "open")


def points_of(part: str, **levels: tuple) -> list[Point]:
    """The points of a part that are run with levels that options have chosen."""
    return list(chosen_points(Request(STUDY, levels={"parts": (part,), **levels}))[part])


def example_runs(replications: int = 3, scatter: float = 0.0, **levels: tuple) -> pd.DataFrame:
    """A row a run; what differs between replications has mean 0 at every point.

    Args:
        replications: of each point. From one to the next, all delays grow by 1 %.
        scatter: standard deviation of what differs besides, at each point by itself, relative.
        levels: chosen by options.
    """
    points = [
        point for its in chosen_points(Request(STUDY, levels=levels)).values() for point in its
    ]
    rows = []
    for point in points:
        noise = np.random.default_rng(crc32(repr(point).encode())).normal(size=(replications, 4))
        others = 1 + scatter * (noise - noise.mean(axis=0))
        rows += [
            _row(point, k, k - (replications - 1) / 2, others[k].tolist())
            for k in range(replications)
        ]
    return pd.DataFrame(rows)


def made(runs: pd.DataFrame) -> Runs:
    """The runs of all parts, as the study has them."""
    return made_of(STUDY, dict(list(runs.groupby("part", sort=False))))


def _row(point: Point, replication: int, noise: float, others: list[float]) -> dict[str, object]:
    delay = _delay(point, noise) * others[0]
    congested = point.http == "1.1" and point.webs == 32 and point.ftps >= 2 and point.iw == 4
    goodput = (20 + point.webs) * (0.9 if congested else 1)
    split = point.variant == SPLIT
    new_delay = delay * 0.8 * others[1] if split else nan
    ftps = point.ftps
    power = 6 / (ftps + 1) + (_FTP_TRENDS.get(point.webs, 0) + 0.005 * noise) * point.iw
    return {
        **point._asdict(),
        "replication": replication,
        "seed": 100 + replication,
        "utilisation_pct": (95 if ftps else 50) + 0.1 * noise,
        "drop_pct": (_drops(point) + 0.01 * noise) * others[2],
        "goodput_mb": goodput,
        "page_delay_s": delay,
        "web_power": goodput / delay,
        "new_goodput_mb": goodput / 2 if split else 0.0,
        "new_page_delay_s": new_delay,
        "ftp_goodput_mb": 30.0 * others[3] if ftps else 0.0,
        "file_delay_s": 5.0 * ftps if ftps else nan,
        "ftp_power": power * others[3] if ftps else nan,
        **{f"page_delay_{clock}_s": delay for clock in _CLOCKS},
        **{f"new_page_delay_{clock}_s": new_delay for clock in _CLOCKS},
        **{f"web_power_{clock}": goodput / delay for clock in _CLOCKS},
    }


def _delay(point: Point, noise: float) -> float:
    delay = (0.4 + 0.02 * point.webs + 0.2 * point.ftps) * (1 + 0.01 * noise)
    if point.part == RED:
        return delay * (0.85 if point.iw == 1 else 0.7)
    delay *= _DELAYS[point.http][point.iw - 1]
    if point.part == REVERSE:
        delay *= 1 + 0.002 * noise
    if point.part == HALF and point.variant == SPLIT:
        delay *= 1.02
    return delay


def _drops(point: Point) -> float:
    drops = 0.05 * point.webs * (1 + point.ftps)
    grows = -0.3 if (point.webs, point.ftps) == (32, 3) else 0.2
    return drops + grows * (point.iw - 1)
