"""Made-up runs of the seven tasks over UBR, in which the claims on tasks 1, 2, 3, 5, 6, 7 hold."""

from __future__ import annotations

from itertools import product
from math import exp
from typing import Any

import pandas as pd

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
    FEW_SOURCES,
    FLOATING,
    GEO,
    HALF_RTT,
    LAN,
    LINKS,
    NO_WAIT,
    PER_VC_POLICIES,
    PERSISTENT,
    POLICIES,
    RETRANSMIT,
    RETRANSMIT_BUFFERS_RTT,
    SATELLITES,
    SD,
    SD_ONLY_SOURCES,
    SOURCES,
    STICKING_BYTES,
    TAIL,
    TCP_FLAVORS,
    WINDOWS,
    WWW,
    BuffersPoint,
    BurstyPoint,
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
NOISE = 0.001


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


def example_runs(replications: int = 3) -> dict[str, pd.DataFrame]:
    """A row a run of each part; what differs between replications has mean 0."""
    return {
        part: pd.DataFrame(
            [
                {
                    **point._asdict(),
                    "replication": k,
                    "seed": 100 + k,
                    **_row(point, NOISE * (k - (replications - 1) / 2)),
                }
                for point in its
                for k in range(replications)
            ]
        )
        for part, its in points().items()
    }


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


def verdicts_of(part: Part, runs: pd.DataFrame) -> dict[str, tuple[bool | None, str]]:
    """Of the claims on a part, by their ids; None and the reason where one is not decided."""
    study = RunsEvidence(made_for(Request(STUDY), {part.name: runs}))
    return {
        claim.id: (None, missing) if (missing := study.missing(claim.needs)) else claim.test(study)
        for claim in CLAIMS
        if part.name in claim.needs
    }
