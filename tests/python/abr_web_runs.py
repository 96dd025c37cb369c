"""Made-up runs of the study of WWW over ABR, in which every claim holds."""

from __future__ import annotations

from math import nan

import numpy as np
import pandas as pd

from ackclock.studies.abr_web.analysis import Bounds
from ackclock.studies.abr_web.claims import Evidence
from ackclock.studies.abr_web.levels import ABR, TABLE2, Point
from ackclock.studies.abr_web.study import STUDY
from ackclock.studies.machinery.claims import verdicts
from ackclock.studies.machinery.draws import Draws
from ackclock.studies.machinery.request import Request
from ackclock.studies.machinery.running import Runs, chosen_points
from study_cases import made_of

BOUNDS = Bounds(rtt_s=0.03, rtt_cells=11_000.0, most_bit_s=35e6)
"""A little off the real ones, so that nothing can depend on those."""
UBR_BIT_S = 36e6
LOAD_BIT_S = 7e6
"""Of the clients of one server."""


def example_runs(replications: int = 30, **levels: tuple) -> dict[str, pd.DataFrame]:
    """By part a row a run; what differs between replications has mean 0, and is small."""
    points = chosen_points(Request(STUDY, levels=levels))
    most = min((replications - 1) / 2, 3.5)
    noise = np.linspace(-most, most, replications)
    return {
        part: pd.DataFrame(
            [
                # Not the same at every point, so that differences of points vary, too.
                _row(point, k, noise[(k + place) % replications])
                for place, point in enumerate(its)
                for k in range(replications)
            ]
        )
        for part, its in points.items()
    }


def made(frames: dict[str, pd.DataFrame]) -> Runs:
    """These runs as the study has made them."""
    queues = {
        part: frame.assign(max_queue_rtt=frame["max_queue_cells"] / BOUNDS.rtt_cells)
        for part, frame in frames.items()
        if len(frame)
    }
    return made_of(STUDY, queues)


def claims(frames: dict[str, pd.DataFrame], bounds: Bounds = BOUNDS) -> pd.DataFrame:
    """The verdicts on them, and how often tables of single runs reach the conclusions."""
    its = made(frames)
    by_runs, by_tables = Evidence(its), Evidence(its, Draws())
    for evidence in (by_runs, by_tables):
        evidence.bounds = bounds
    return verdicts(STUDY.claims, by_runs, by_tables)


def _row(point: Point, replication: int, noise: float) -> dict[str, object]:
    servers, over_abr = point.servers, point.service == ABR
    most = BOUNDS.most_bit_s if over_abr else UBR_BIT_S
    asked = LOAD_BIT_S * servers
    load = asked * (1 + 0.01 * noise)
    throughput = min(0.97 * asked * (1 + 0.011 * noise), 0.9 * most * (1 + 0.001 * noise))
    # Up to 5 servers a straight line, from 7 on up and down around a level.
    queue = 3000 * servers if servers <= 6 else 18_000 + 1000 * (-1) ** servers
    lost = 0 if over_abr else round(1000 * servers / point.buffer_rtt)
    overloaded = load > most
    return {
        **point._asdict(),
        "replication": replication,
        "seed": 100 + replication,
        "throughput_bit_s": throughput,
        "offered_bit_s": load,
        "efficiency_pct": 100 * throughput / most,
        "load_pct": 100 * load / most,
        "max_queue_cells": round(queue + 30 * noise) if over_abr else 3000,
        "mean_queue_cells": 50.0 * servers,
        "utilisation_pct": min(14.0 * servers, 99.0),
        "cells_lost": lost,
        "requests": 750 * servers,
        "answered": 750 * servers - (100 if overloaded else 0),
        "unanswered_pct": 100 * 100 / (750 * servers) if overloaded else 0.0,
        "response_median_s": 0.1 + 0.02 * servers + 0.001 * noise,
        "response_p95_s": nan if overloaded and point.part == TABLE2 else 1.0 + servers,
        "quick_pct": 90.0 - servers,
        "most_waiting_cells": 1000 * servers,
        "timeouts": 10 * servers + lost,
        "fast_retransmits": 0,
        "retransmitted_pct": 0.1 * servers,
    }
