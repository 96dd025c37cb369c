"""The parts of the study and their points, by the programme's tasks 1 to 7.

Source: OSU, TCP over UBR: the statement of work and its results (called 002 in the
documentation). What it leaves open is in the scenario files; docs/conventions.md says why.
"""

from __future__ import annotations

from math import ceil
from pathlib import Path
from typing import Any, NamedTuple

from ackclock.scenario import Scenario
from ackclock.studies.machinery.file import StudyFile
from ackclock.studies.machinery.running import bin_of
from ackclock.studies.machinery.study import Analysed, Fewer, Part, Watch

LAN, WAN, MEO, GEO = LINKS = ("LAN", "WAN", "MEO", "GEO")
SATELLITES = (MEO, GEO)
SOURCES = (5, 15, 50, 100)
TAIL, PPD, EPD, SD, FBA = DROP_POLICIES = ("Tail drop", "PPD", "EPD", "SD", "FBA")
VANILLA, RENO, NEWRENO, SACK = TCP_FLAVORS = ("Vanilla", "Reno", "NewReno", "SACK")
SMALL, LARGE = BUFFERS = ("small", "large")
MANY_SOURCES = 50
"""Points with as many sources, or more, are run less often."""
_MANY_SHARE, _MANY_LEAST = 3, 2


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


BUFFERS_RTT = (0.0625, 0.125, 0.25, 0.5, 1.0, 2.0, 4.0)
"""Of task 3, in bandwidth-delay products of the trunk."""
PER_VC_POLICIES = (SD, FBA)
"""Of task 3: those that 002 names of policies with per-VC accounting."""
SD_ONLY_SOURCES = 1000
"""Of task 3, behind SD only: a run with so many takes as long as ten others."""
MOST_SOURCES = (*SOURCES, SD_ONLY_SOURCES)
"""Of task 3."""


class GuaranteedRatePoint(NamedTuple):
    """Task 4b."""

    link: str
    buffer: str
    drop_policy: str
    tcp_flavor: str
    share: float

    @property
    def sources(self) -> int:
        """On every link."""
        return 15


NO_SHARE, SMALL_SHARE, _ = SHARES = (0.0, 0.1, 0.5)
"""Parts of the trunk that are guaranteed to UBR."""
GUARANTEED_POLICIES = (TAIL, EPD, SD, FBA)
GUARANTEED_FLAVORS = (VANILLA, SACK)
"""The oldest and the newest."""
_GEO_POLICIES, _GEO_SHARES = (TAIL, SD), (NO_SHARE, SMALL_SHARE)
"""What is run of them on GEO, with the small buffer; a run there takes as long as five on a WAN."""


class GfrPoint(NamedTuple):
    """Task 4a."""

    link: str
    sources: int
    port: str


FIFO_EPD, FIFO_DFBA, PER_VC_EPD, PER_VC_DOUBLE = PORTS = (
    "FIFO, EPD",
    "FIFO, DFBA",
    "per VC, EPD",
    "per VC, double EPD",
)
"""How VCs are queued, and which frames are refused."""
GROUPS = (1, 2, 3, 4, 5)
"""Groups of VCs, by their MCRs over that of the first."""


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


WWW, PERSISTENT = ("WWW", "persistent")


class WindowsPoint(NamedTuple):
    """Task 6."""

    sources: int
    arithmetic: str


INTEGER, FLOATING = "integer", "floating point"
BATCHES = (2, 8)
"""N of task 6: ACKs whose increments are added at once."""
BATCHED = tuple(f"integer, N = {batch}" for batch in BATCHES)
ARITHMETICS = (INTEGER, *BATCHED, FLOATING)
FEW_SOURCES = (1, 3)
"""Of task 6."""
WATCHED_WINDOWS = tuple(WindowsPoint(FEW_SOURCES[0], arithmetic) for arithmetic in ARITHMETICS)
STICKING_BYTES = 512 * 512
"""SMSS*SMSS of task 6: beyond it, the increment in whole bytes is 0."""


class RetransmitPoint(NamedTuple):
    """Task 7."""

    sources: int
    buffer_rtt: float
    wait: float


NO_WAIT, HALF_RTT = (0.0, 0.5)
"""Of task 7, in SRTTs."""
RETRANSMIT_BUFFERS_RTT = (0.5, 1.0, 2.0)


def _replications(asked: int) -> int:
    return max(ceil(asked / _MANY_SHARE), min(asked, _MANY_LEAST))


MANY = Fewer(
    is_one=lambda point: point.sources >= MANY_SOURCES,
    replications=_replications,
    folder="many-sources",
    name=f"with {MANY_SOURCES} sources or more",
    rule=f"a third of them, rounded up, but at least {_MANY_LEAST} if you ask for that many",
    why="each run is longer, and a mean over more of them",
)


def _keys(table: str, names: str) -> tuple[str, ...]:
    return tuple(f"{table}.{name}" for name in names.split())


_SWITCH = "topology.switch"
_ABR_KEYS = (
    *_keys("topology.abr", "pcr mcr icr nrm mrm trm rif rdf adtf tbe crm cdf tcr frtt"),
    *_keys(_SWITCH, "rate_control interval_cells interval delta target_utilisation queue_control"),
    *_keys(_SWITCH, "target_delay a b slope_under slope_over step step_ratio qdlf ccr"),
    *_keys(_SWITCH, "load_average load_weight vc_decay immediate_fair_share"),
    *_keys(_SWITCH, "count_both_directions limit_jump efci_threshold abr_buffer"),
)
"""Of ABR, which has no VC here."""
_CONTRACT_KEYS = (
    *_keys("topology.gfr", "mcr pcr mbs mfs cdvt tagging"),
    *_keys(_SWITCH, "l h alpha excess"),
)
"""Of contracts, which UBR has not."""
_IDLE_GFR_KEYS = (
    "topology.gfr.mcr",
    *_keys("topology", "servers clients_per_server"),
    *_keys(_SWITCH, "vbr_buffer z ubr_share"),
)
"""Without effect where each group has its MCR and all VCs are GFR, under these policies."""
_SCENARIOS = Path(__file__).with_name("scenarios")
_MEASURE = "ackclock.studies.osu_tasks.metrics:measure"
_MEASURE_UBR_CLASS = "ackclock.studies.osu_tasks.metrics_ubr_class:measure_{}"
EFFICIENCY, FAIRNESS = ANALYSED_METRICS = ("efficiency", "fairness")
MEANS = (
    *ANALYSED_METRICS,
    "utilisation",
    "timeouts",
    "fast_retransmits",
    "retransmitted_share",
    "cells_lost",
    "max_queue_cells",
    "mean_queue_cells",
)
"""What ``metrics.measure`` returns, as far as it is replicated and averaged."""
_SOURCES = {"sources": ("", "Pairs, each with one TCP source.")}
_THRESHOLDS = {
    "threshold": ("a share", "Share of the buffer beyond which EPD and SD refuse frames."),
    "fba_threshold": ("a share", "The same of FBA."),
}
"""Of the parts with several drop policies on persistent sources."""
_LONG = {
    "warm_up_rtts": ("a number", "Left out at the start, round-trip times."),
    "measured_rtts": ("a number", "Measured after that, round-trip times."),
    "rtt": ("a time", "Round-trip propagation delay of the trunk."),
    **_SOURCES,
    "buffer_rtt": ("", "Buffer in bandwidth-delay products of the trunk."),
}
"""Of the parts that ask what happens in the long run."""


def _part(
    name: str,
    *,
    variables: dict[str, tuple[str, str]],
    decided: tuple[str, ...] = (),
    measure: str = _MEASURE,
    metrics: tuple[str, ...] = MEANS,
    **its: Any,
) -> Part:
    """A part whose scenario file is named like it."""
    file = StudyFile(_SCENARIOS / f"{name}.toml", variables, decided, sweep_stays=True)
    return Part(name, file, measure=measure, metrics=metrics, fewer=MANY, **its)


def _over_time(its: Scenario) -> tuple[str, ...]:
    return (f"probes.queue={bin_of(its)}", "probes.cwnd=all")


POLICIES = _part(
    "policies",
    task="1, 2",
    title="Switch and end-system policies",
    point=PoliciesPoint,
    variables={
        "run_time": ("", "Simulated time of the link, s."),
        "small": ("", "The small buffer of the link."),
        "large": ("", "The large one."),
        **_THRESHOLDS,
        **_SOURCES,
    },
    analysed=Analysed("link", ("drop_policy", "tcp_flavor", "sources", "buffer"), ANALYSED_METRICS),
)
BUFFERED = _part(
    "buffers",
    task="3",
    title="Buffer requirements",
    point=BuffersPoint,
    variables={**_THRESHOLDS, **_LONG},
    left_out=lambda point: point.sources == SD_ONLY_SOURCES and point.drop_policy != SD,
)
GUARANTEED_RATE = _part(
    "guaranteed-rate",
    task="4b",
    title="Guaranteed rate",
    point=GuaranteedRatePoint,
    measure=_MEASURE_UBR_CLASS.format("guaranteed_rate"),
    metrics=(*(each for each in MEANS if each != "fast_retransmits"), "vbr_bit_s", "vbr_delay_s"),
    variables={
        "durations": ("", "Left out and measured, s; of the link."),
        "small": ("", "Small buffer of the link."),
        "large": ("", "Large buffer of the link."),
        **_THRESHOLDS,
        "vbr_peak": ("a rate", "Rate of VBR while it is on."),
        "share": ("", "Part of the line that is guaranteed to UBR."),
    },
    decided=(*_ABR_KEYS, *_CONTRACT_KEYS),
    left_out=lambda point: (
        point.link == GEO
        and not (
            point.buffer == SMALL
            and point.drop_policy in _GEO_POLICIES
            and point.share in _GEO_SHARES
        )
    ),
    analysed=Analysed("link", ("buffer", "drop_policy", "tcp_flavor", "share"), ANALYSED_METRICS),
)
GFR = _part(
    "gfr",
    task="4a",
    title="Guaranteed frame rate",
    point=GfrPoint,
    measure=_MEASURE_UBR_CLASS.format("gfr"),
    metrics=(
        "mcr_share",
        "mcr_share_mean",
        *(f"group_{group}_mcr_share" for group in GROUPS),
        "eligible_share",
        "eligible_lost_share",
        "excess_fairness",
        "excess_fairness_proportional",
        "efficiency",
        "utilisation",
        "timeouts",
        "retransmitted_share",
        "max_queue_cells",
        "mean_queue_cells",
    ),
    variables={
        "durations": ("two numbers", "Left out and measured, s."),
        "sources": ("", "VCs, each with one TCP source."),
        "guaranteed": ("a number", "What the MCRs add up to, as a share of the trunk."),
        "mcr": ("a rate", "MCR of the first of five groups."),
    },
    decided=(*_ABR_KEYS, *_IDLE_GFR_KEYS),
)
BURSTY = _part(
    "bursty",
    task="5",
    title="Bursty sources",
    point=BurstyPoint,
    variables={
        "buffers": ("[three numbers of cells]", "Buffers that stand for 0.5, 1 and 2 RTT."),
        "buffer_rtt": ("", "Which of them."),
    },
    analysed=Analysed("traffic", ("tcp_flavor", "buffer_rtt", "drop_policy"), ANALYSED_METRICS),
)
WINDOWS = _part(
    "windows",
    task="6",
    title="Large windows",
    point=WindowsPoint,
    metrics=(*MEANS, "max_cwnd_bytes"),
    variables=_SOURCES,
    watch=Watch(lambda points: WATCHED_WINDOWS, _over_time, "windows/watched"),
)
RETRANSMIT = _part(
    "retransmit",
    task="7",
    title="Delayed retransmission",
    point=RetransmitPoint,
    variables={**_LONG, "wait": ("", "Share of SRTT that the fast retransmit waits for.")},
)
PARTS = (POLICIES, BUFFERED, GUARANTEED_RATE, GFR, BURSTY, WINDOWS, RETRANSMIT)
"""In the order in which they are run."""
