"""Made-up runs of the seven tasks over UBR, in which the claims hold."""

from __future__ import annotations

from itertools import product, starmap
from math import exp
from typing import Any

import pandas as pd

from ackclock.studies.machinery.claims import verdicts
from ackclock.studies.machinery.draws import Draws
from ackclock.studies.machinery.evidence import RunsEvidence
from ackclock.studies.machinery.request import Request
from ackclock.studies.machinery.running import PartRuns
from ackclock.studies.machinery.study import Part
from ackclock.studies.osu_tasks.claims import CLAIMS
from ackclock.studies.osu_tasks.levels import (
    ARITHMETICS,
    BATCHED,
    BUFFERED,
    BUFFERS,
    BUFFERS_RTT,
    BURSTY,
    DROP_POLICIES,
    EPD,
    FBA,
    FEW_SOURCES,
    FIFO_DFBA,
    FIFO_EPD,
    FLOATING,
    GEO,
    GUARANTEED_FLAVORS,
    GUARANTEED_POLICIES,
    GUARANTEED_RATE,
    HALF_RTT,
    LAN,
    LINKS,
    NO_WAIT,
    PER_VC_DOUBLE,
    PER_VC_EPD,
    PER_VC_POLICIES,
    PERSISTENT,
    POLICIES,
    PORTS,
    RETRANSMIT,
    RETRANSMIT_BUFFERS_RTT,
    SACK,
    SATELLITES,
    SD,
    SD_ONLY_SOURCES,
    SHARES,
    SOURCES,
    STICKING_BYTES,
    TAIL,
    TCP_FLAVORS,
    WAN,
    WINDOWS,
    WWW,
    BuffersPoint,
    BurstyPoint,
    GfrPoint,
    GuaranteedRatePoint,
    PoliciesPoint,
    RetransmitPoint,
    WindowsPoint,
)
from ackclock.studies.osu_tasks.study import STUDY
from study_cases import made_for

POLICY_GAINS = dict(zip(DROP_POLICIES, (-0.3, -0.1, 0.0, 0.05, 0.06), strict=True))
FLAVOR_GAINS = dict(zip(TCP_FLAVORS, (0.0, -0.1, -0.05, 0.1), strict=True))
LAN_GAINS = dict(zip(TCP_FLAVORS, (-0.02, 0.0, 0.02, 0.01), strict=True))
BURSTY_GAINS = dict(zip(TCP_FLAVORS, (-0.1, -0.03, 0.03, 0.1), strict=True))
NOISE = 0.0005
MCR_SHARES = {FIFO_EPD: 0.6, FIFO_DFBA: 0.93, PER_VC_EPD: 0.98, PER_VC_DOUBLE: 0.99}
LOST = {FIFO_EPD: 0.01, FIFO_DFBA: 0.002, PER_VC_EPD: 0.003, PER_VC_DOUBLE: 0.0}
"""Shares of the eligible frames."""
GFR_LINKS = (LAN, WAN)
GFR_SOURCES = (15, 50)
GAINS = {
    WAN: {"share": 0.20, EPD: 0.02, SD: 0.08, FBA: 0.10},
    LAN: {"share": 0.05, EPD: 0.20, SD: 0.30, FBA: 0.25},
    GEO: {"share": 0.0, EPD: 0.0, SD: 0.0, FBA: 0.0},
}
"""Of the efficiency, with any share for UBR and by policy."""
GUARANTEED_LINKS = (LAN, WAN, GEO)


def points() -> dict[str, list[Any]]:
    """The points of each part, in its order."""
    return {
        POLICIES.name: [
            PoliciesPoint(*each)
            for each in product(LINKS, SOURCES, BUFFERS, DROP_POLICIES, TCP_FLAVORS)
        ],
        BUFFERED.name: [
            BuffersPoint(link, policy, sources, buffer_rtt)
            for link, policy in product(SATELLITES, PER_VC_POLICIES)
            for sources in (*SOURCES, *([SD_ONLY_SOURCES] if policy == SD else []))
            for buffer_rtt in BUFFERS_RTT
        ],
        BURSTY.name: [
            BurstyPoint(*each)
            for each in product((WWW, PERSISTENT), (EPD, SD), TCP_FLAVORS, (0.5, 1.0, 2.0))
        ],
        WINDOWS.name: [WindowsPoint(*each) for each in product(FEW_SOURCES, ARITHMETICS)],
        RETRANSMIT.name: [
            RetransmitPoint(*each)
            for each in product(SOURCES, RETRANSMIT_BUFFERS_RTT, (NO_WAIT, HALF_RTT))
        ],
    }


def example_runs(replications: int = 12) -> dict[str, pd.DataFrame]:
    """A row a run of each part but task 4's; what differs between replications has mean 0."""
    return {
        part: pd.DataFrame(
            [
                {
                    **point._asdict(),
                    "replication": k,
                    "seed": 100 + k,
                    **_row(point, noise(place, k, replications)),
                }
                for place, point in enumerate(its)
                for k in range(replications)
            ]
        )
        for part, its in points().items()
    }


def noise(place: int, replication: int, replications: int) -> float:
    """Most of it is the same at every point, since replications have the same random traffic."""
    middle = (replications - 1) / 2
    return NOISE * (replication - middle + ((replication + place) % replications - middle) / 8)


def gfr_runs(replications: int = 24) -> pd.DataFrame:
    """Runs of task 4a, in which its claims hold.

    So many that 3 points without a loss show that fewer than 5 % of all possible runs have one.
    """
    return pd.DataFrame(
        [
            {
                **GfrPoint(link, sources, port)._asdict(),
                "replication": k,
                "seed": k,
                "mcr_share": MCR_SHARES[port] + 0.002 * (k % 2),
                "eligible_lost_share": LOST[port] * (1 + 0.1 * (k % 2)),
            }
            for link, sources, port in product(GFR_LINKS, GFR_SOURCES, PORTS)
            for k in range(replications)
        ]
    )


def guaranteed_rate_runs(
    gains: dict[str, dict[str, float]] = GAINS, replications: int = 8
) -> pd.DataFrame:
    """Runs of task 4b, in which its claim holds."""
    rows = []
    levels = (GUARANTEED_LINKS, BUFFERS, GUARANTEED_POLICIES, GUARANTEED_FLAVORS, SHARES)
    for point in starmap(GuaranteedRatePoint, product(*levels)):
        if GUARANTEED_RATE.left_out(point):
            continue
        share = gains[point.link]["share"] if point.share else 0.0
        gain = gains[point.link].get(point.drop_policy, 0.0) + share
        base = 0.5 if point.tcp_flavor == SACK else 0.4
        for k in range(replications):
            noise = 0.002 * (k % 2) * (1 if point.share else -1)
            # And of each policy by itself, 0.0005 up and down.
            noise += 0.0005 * (-1) ** (k // 2 + GUARANTEED_POLICIES.index(point.drop_policy))
            row = point._asdict() | {"replication": k, "seed": k}
            row |= dict.fromkeys(GUARANTEED_RATE.metrics, 1.0)
            rows.append(row | {"efficiency": base + gain + noise, "fairness": 0.9})
    return pd.DataFrame(rows)


def _row(point: Any, noise: float) -> dict[str, float]:
    return {
        "efficiency": _efficiency(point) + noise,
        "fairness": _fairness(point) + noise,
        "utilisation": 0.9,
        "timeouts": 10,
        "fast_retransmits": 5,
        "retransmitted_share": 0.01,
        "cells_lost": 1000,
        "max_queue_cells": 900,
        "mean_queue_cells": 500.0,
        "max_cwnd_bytes": _largest_cwnd(point),
    }


def _efficiency(point: Any) -> float:
    if isinstance(point, PoliciesPoint):
        gains, share = (LAN_GAINS, 1.0) if point.link == LAN else (FLAVOR_GAINS, 0.1)
        # Not a sum of main effects and pairs only, so that there is an error.
        crossed = 0.001 * (point.sources == 5) * (point.drop_policy == TAIL)
        crossed *= point.tcp_flavor == "SACK"
        return 0.6 + gains[point.tcp_flavor] + share * POLICY_GAINS[point.drop_policy] + crossed
    if isinstance(point, BuffersPoint):
        return 1 - 0.2 * exp(-point.buffer_rtt / 0.2)
    if isinstance(point, BurstyPoint):
        return 0.8 + BURSTY_GAINS[point.tcp_flavor] + 0.01 * point.buffer_rtt
    if isinstance(point, WindowsPoint):
        return 0.02 * point.sources * (1 + 0.1 * ARITHMETICS.index(point.arithmetic))
    return 0.85


def _fairness(point: Any) -> float:
    if not isinstance(point, PoliciesPoint):
        return 0.9
    less = 0.01 if point.link == GEO else 0.0
    return 0.8 + 0.5 * POLICY_GAINS[point.drop_policy] + 0.02 * LAN_GAINS[point.tcp_flavor] - less


def _largest_cwnd(point: Any) -> int:
    if not isinstance(point, WindowsPoint) or point.arithmetic in (*BATCHED, FLOATING):
        return 400_000
    return STICKING_BYTES + 1


def trunk_port(plan: dict[str, Any]) -> dict[str, Any]:
    """The port of the trunk in a network of cells."""
    link = plan["links"][0]
    port: dict[str, Any] = link["ports"][link["lines"][0]["port"]]
    return port


def made_up(part: Part, runs: pd.DataFrame) -> PartRuns:
    """These runs of a part."""
    return made_for(Request(STUDY), {part.name: runs}).parts[part.name]


def verdicts_of(part: Part, runs: pd.DataFrame) -> pd.DataFrame:
    """The claims on a part, by their ids: holds, p, reached and evidence; see ``verdicts``."""
    its = made_for(Request(STUDY), {part.name: runs})
    drawn = RunsEvidence(its, Draws()) if runs["replication"].any() else None
    found = verdicts(CLAIMS, RunsEvidence(its), drawn).set_index("id")
    return found.loc[[claim.id for claim in CLAIMS if part.name in claim.needs]]
