"""The points of the parts with persistent and with bursty sources (tasks 1, 2, 3, 5, 6 and 7).

Source: OSU, TCP over UBR: the statement of work and its results (called 002 in the
documentation). What it leaves open is in the scenario files; docs/conventions.md says why.
"""

from __future__ import annotations

from typing import NamedTuple

from ackclock.studies.osu_tasks.part import Analysed, Part

LAN, WAN, MEO, GEO = LINKS = ("LAN", "WAN", "MEO", "GEO")
SATELLITES = (MEO, GEO)
SOURCES = (5, 15, 50, 100)
TAIL, PPD, EPD, SD, FBA = DROP_POLICIES = ("Tail drop", "PPD", "EPD", "SD", "FBA")
VANILLA, RENO, NEWRENO, SACK = TCP_FLAVORS = ("Vanilla", "Reno", "NewReno", "SACK")
SMALL, LARGE = BUFFERS = ("small", "large")
WWW, PERSISTENT = TRAFFIC = ("WWW", "persistent")
BUFFERS_RTT = (0.0625, 0.125, 0.25, 0.5, 1.0, 2.0, 4.0)
"""Of task 3, in bandwidth-delay products of the trunk."""
SD_ONLY_SOURCES = 1000
"""Of task 3, behind SD only: a run with so many takes as long as ten others."""
MOST_SOURCES = (*SOURCES, SD_ONLY_SOURCES)
"""Of task 3."""
PER_VC_POLICIES = (SD, FBA)
"""Of task 3: those that 002 names of policies with per-VC accounting."""
MEASURE = "ackclock.studies.osu_tasks.metrics:measure"
MEANS = (
    "efficiency",
    "fairness",
    "utilisation",
    "timeouts",
    "fast_retransmits",
    "retransmitted_share",
    "cells_lost",
    "max_queue_cells",
    "mean_queue_cells",
)
"""What ``metrics.measure`` returns, as far as it is replicated and averaged."""
ANALYSED_METRICS = ("efficiency", "fairness")
_SOURCES = "Pairs, each with one TCP source."
THRESHOLDS = {
    "threshold": ("a share", "Share of the buffer beyond which EPD and SD refuse frames."),
    "fba_threshold": ("a share", "The same of FBA."),
}
"""Of the parts with several drop policies on persistent sources."""
_LONG = {
    "warm_up_rtts": ("a number", "Left out at the start, round-trip times."),
    "measured_rtts": ("a number", "Measured after that, round-trip times."),
    "rtt": ("a time", "Round-trip propagation delay of the trunk."),
    "sources": ("", _SOURCES),
    "buffer_rtt": ("", "Buffer in bandwidth-delay products of the trunk."),
}
"""Of the parts that ask what happens in the long run."""


class PoliciesPoint(NamedTuple):
    """Tasks 1 and 2."""

    link: str
    sources: int
    buffer: str
    drop_policy: str
    tcp_flavor: str


class BuffersPoint(NamedTuple):
    """Task 3."""

    link: str
    drop_policy: str
    sources: int
    buffer_rtt: float


def _left_out(point: BuffersPoint) -> bool:
    return point.sources == SD_ONLY_SOURCES and point.drop_policy != SD


class BurstyPoint(NamedTuple):
    """Task 5."""

    traffic: str
    drop_policy: str
    tcp_flavor: str
    buffer_rtt: float

    @property
    def sources(self) -> int:
        """As in 98-0876."""
        return 100


class WindowsPoint(NamedTuple):
    """Task 6."""

    sources: int
    arithmetic: str


class RetransmitPoint(NamedTuple):
    """Task 7."""

    sources: int
    buffer_rtt: float
    wait: float


INTEGER, FLOATING = "integer", "floating point"
BATCHES = (2, 8)
"""N of task 6: ACKs whose increments are added at once."""
BATCHED = tuple(f"integer, N = {batch}" for batch in BATCHES)
ARITHMETICS = (INTEGER, *BATCHED, FLOATING)
FEW_SOURCES = (1, 3)
"""Of task 6."""
STICKING_BYTES = 512 * 512
"""SMSS*SMSS of task 6: beyond it, the increment in whole bytes is 0."""
NO_WAIT, HALF_RTT = WAITS = (0.0, 0.5)
"""Of task 7, in SRTTs."""
RETRANSMIT_BUFFERS_RTT = (0.5, 1.0, 2.0)

POLICIES = Part(
    name="policies",
    task="1, 2",
    title="Switch and end-system policies",
    point=PoliciesPoint,
    measure=MEASURE,
    metrics=MEANS,
    variables={
        "run_time": ("", "Simulated time of the link, s."),
        "small": ("", "The small buffer of the link."),
        "large": ("", "The large one."),
        **THRESHOLDS,
        "sources": ("", _SOURCES),
    },
    analysed=Analysed("link", ("drop_policy", "tcp_flavor", "sources", "buffer"), ANALYSED_METRICS),
)
BUFFERED = Part(
    name="buffers",
    task="3",
    title="Buffer requirements",
    point=BuffersPoint,
    measure=MEASURE,
    metrics=MEANS,
    variables={**THRESHOLDS, **_LONG},
    left_out=_left_out,
)
BURSTY = Part(
    name="bursty",
    task="5",
    title="Bursty sources",
    point=BurstyPoint,
    measure=MEASURE,
    metrics=MEANS,
    variables={
        "buffers": ("[three numbers of cells]", "Buffers that stand for 0.5, 1 and 2 RTT."),
        "buffer_rtt": ("", "Which of them."),
    },
    analysed=Analysed("traffic", ("tcp_flavor", "buffer_rtt", "drop_policy"), ANALYSED_METRICS),
)
WINDOWS = Part(
    name="windows",
    task="6",
    title="Large windows",
    point=WindowsPoint,
    measure=MEASURE,
    metrics=(*MEANS, "max_cwnd_bytes"),
    variables={"sources": ("", _SOURCES)},
    watched=tuple(WindowsPoint(FEW_SOURCES[0], arithmetic) for arithmetic in ARITHMETICS),
)
RETRANSMIT = Part(
    name="retransmit",
    task="7",
    title="Delayed retransmission",
    point=RetransmitPoint,
    measure=MEASURE,
    metrics=MEANS,
    variables={
        **_LONG,
        "wait": ("", "Share of SRTT that the fast retransmit waits for."),
    },
)
FIRST_PARTS = (POLICIES, BUFFERED)
LAST_PARTS = (BURSTY, WINDOWS, RETRANSMIT)
